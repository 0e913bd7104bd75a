/// The attributes of a tag, RFC 8216bis §4.2, as ranges into the playlist's bytes. Read leniently: blanks around names and
/// values, a missing closing quote and values without quotes are borne (rules 104-106).
package struct AttributeList: Sequence, Sendable {
    package let source: [UInt8]
    /// Where the list stands: the tag's value.
    package let range: Range<Int>

    package init(_ source: [UInt8], in range: Range<Int>) {
        self.source = source
        self.range = range.clamped(to: 0..<source.count)
    }

    /// The attributes of a line of `source`.
    package init(_ source: [UInt8], line: PlaylistLine) {
        self.init(source, in: line.valueRange(in: source))
    }

    /// The value of the attribute with exactly this name; the first, if it is there twice.
    package subscript(_ name: StaticString) -> AttributeValue? {
        let bytes = source.span
        var scanner = AttributeScanner(range)
        while let attribute = scanner.next(in: bytes) {
            if bytes.equals(name, in: attribute.name) {
                return AttributeValue(source: source, range: attribute.value, isQuoted: attribute.isQuoted)
            }
        }
        return nil
    }

    /// The value of the first attribute with this name, whatever the case of its letters, as vendors' cues need it.
    package func value(ignoringCase name: String) -> AttributeValue? {
        let bytes = source.span
        var scanner = AttributeScanner(range)
        while let attribute = scanner.next(in: bytes) {
            if bytes.equalsIgnoringCase(name, in: attribute.name) {
                return AttributeValue(source: source, range: attribute.value, isQuoted: attribute.isQuoted)
            }
        }
        return nil
    }

    package struct Iterator: IteratorProtocol {
        let source: [UInt8]
        var scanner: AttributeScanner

        package mutating func next() -> Attribute? {
            let source = source
            guard let ranges = scanner.next(in: source.span) else { return nil }
            return Attribute(source: source, ranges: ranges)
        }
    }

    package func makeIterator() -> Iterator {
        Iterator(source: source, scanner: AttributeScanner(range))
    }
}

/// One attribute of a list.
package struct Attribute: Sendable {
    let source: [UInt8]
    let ranges: AttributeScanner.Attribute

    package var name: String { source.text(in: ranges.name) }
    package var value: AttributeValue {
        AttributeValue(source: source, range: ranges.value, isQuoted: ranges.isQuoted)
    }
}

/// The value of an attribute, decoded as asked.
package struct AttributeValue: Sendable {
    let source: [UInt8]
    /// The text without its quotes.
    package let range: Range<Int>
    package let isQuoted: Bool

    package var text: String { source.text(in: range) }
    /// A whole number, quoted or not.
    package var integer: Int64? { DecimalText.integer(source.span, in: range) }
    /// Seconds, quoted or not, signed or not.
    package var duration: Duration? { DecimalText.duration(source.span, in: range) }
    package var dateTime: DateTime? { DateTime(source.span, in: range) }
    /// The enumerated string YES.
    package var isYes: Bool { source.span.equals("YES", in: range) }

    /// The bytes of a hexadecimal sequence `0x...`, quoted or not; an odd digit count is read with a leading zero.
    package var hexadecimal: [UInt8]? { HexadecimalText.decoded(source.span, in: range) }

    /// `1920x1080`.
    package var resolution: Resolution? {
        let bytes = source.span
        guard let cross = bytes.firstIndex(of: 0x78, in: range) ?? bytes.firstIndex(of: 0x58, in: range),
            let width = DecimalText.integer(bytes, in: range.lowerBound..<cross),
            let height = DecimalText.integer(bytes, in: cross + 1..<range.upperBound),
            width <= Int64(Int32.max), height <= Int64(Int32.max)
        else { return nil }
        return Resolution(width: Int(width), height: Int(height))
    }
}

/// A picture size in pixels.
package struct Resolution: Hashable, Sendable, Codable, CustomStringConvertible {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    package var description: String { "\(width)x\(height)" }
}

/// Cuts an attribute list into names and values.
struct AttributeScanner {
    struct Attribute {
        var name: Range<Int>
        /// Without quotes.
        var value: Range<Int>
        var isQuoted: Bool
        /// Name, sign and value with its quotes.
        var whole: Range<Int>
        /// An opening quote that is never closed.
        var isUnterminated: Bool
    }

    private var position: Int
    private let end: Int

    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    mutating func next(in bytes: Span<UInt8>) -> Attribute? {
        while position < end, bytes[position].isBlank || bytes[position] == 0x2C { position += 1 }
        guard position < end, end <= bytes.count else { return nil }
        let start = position
        while position < end, bytes[position] != 0x3D, bytes[position] != 0x2C { position += 1 }
        let name = bytes.trimmed(start..<position)
        guard position < end, bytes[position] == 0x3D else {
            return Attribute(
                name: name, value: name.upperBound..<name.upperBound, isQuoted: false, whole: name,
                isUnterminated: false)
        }
        position += 1
        while position < end, bytes[position].isBlank || bytes[position].isLineEnd { position += 1 }
        guard position < end, bytes[position] == 0x22 else {
            let valueStart = position
            while position < end, bytes[position] != 0x2C { position += 1 }
            let value = bytes.trimmed(valueStart..<position)
            return Attribute(
                name: name, value: value, isQuoted: false, whole: name.lowerBound..<max(value.upperBound, valueStart),
                isUnterminated: false)
        }
        let valueStart = position + 1
        guard let close = bytes.firstIndex(of: 0x22, in: valueStart..<end) else {
            position = end
            return Attribute(
                name: name, value: valueStart..<end, isQuoted: true, whole: name.lowerBound..<end,
                isUnterminated: true)
        }
        position = close + 1
        // Whatever stands between the quote and the next comma is not part of the value.
        while position < end, bytes[position] != 0x2C { position += 1 }
        return Attribute(
            name: name, value: valueStart..<close, isQuoted: true, whole: name.lowerBound..<close + 1,
            isUnterminated: false)
    }
}

extension Span<UInt8> {
    /// Whether the attribute list in `range` ends within a quoted string that is never closed.
    func hasOpenQuote(in range: Range<Int>) -> Bool {
        var scanner = AttributeScanner(range)
        var isOpen = false
        while let attribute = scanner.next(in: self) { isOpen = attribute.isUnterminated }
        return isOpen
    }
}
