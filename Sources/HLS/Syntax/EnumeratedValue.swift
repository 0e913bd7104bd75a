/// The value of an enumerated string, RFC 8216bis §4.2: one that the standard names, or the text of another.
package enum EnumeratedValue<Known: RawRepresentable<String> & Hashable & Sendable>: Hashable, Sendable {
    case known(Known)
    /// A value that is not known here, as spelled.
    case unknown(String)

    package init(_ text: String) {
        self = Known(rawValue: text).map(Self.known) ?? .unknown(text)
    }

    /// The value as spelled.
    package var text: String {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let text): text
        }
    }

    /// The value if it is one of the standard's.
    package var known: Known? {
        if case .known(let value) = self { value } else { nil }
    }
}

extension AttributeValue {
    /// The value as an enumerated string, quoted or not.
    package func enumerated<Known>() -> EnumeratedValue<Known> { EnumeratedValue(text) }

    /// The items of a list, blanks around them trimmed, empty ones left out. Most lists of the standard are split at commas.
    package func list(separator: UInt8 = 0x2C) -> [String] {
        let bytes = source.span
        var result: [String] = []
        var start = range.lowerBound
        while start <= range.upperBound {
            let end = bytes.firstIndex(of: separator, in: start..<range.upperBound) ?? range.upperBound
            let item = bytes.trimmed(start..<end)
            if !item.isEmpty { result.append(bytes.string(item)) }
            start = end + 1
        }
        return result
    }

    /// A decimal number, signed or not, quoted or not.
    package var decimal: DecimalNumber? {
        DecimalText.duration(source.span, in: range).map { DecimalNumber(thatMany: $0) }
    }
}

/// A decimal number that is no span of time: SCORE, FRAME-RATE. Exact to eighteen fractional digits.
package struct DecimalNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    // Arithmetic of the same kind: 64 bits before the point, 10^-18 after it.
    private let value: Duration

    init(thatMany value: Duration) {
        self.value = value
    }

    /// `whole` and `thousandths` of one.
    package init(_ whole: Int64, thousandths: Int64 = 0) {
        value = .seconds(whole) + .milliseconds(thousandths)
    }

    package static func < (left: DecimalNumber, right: DecimalNumber) -> Bool { left.value < right.value }

    /// The shortest decimal text.
    package var description: String { DecimalText.text(value) }
}
