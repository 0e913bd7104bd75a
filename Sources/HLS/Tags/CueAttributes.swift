/// `key=value` pairs of a vendor's tag, read leniently: any case of keys, quotes (typographic too) or none, blanks.
package struct CueAttributes: Hashable, Sendable {
    package struct Pair: Hashable, Sendable {
        /// As spelled; empty for a value that stands alone.
        package let name: String
        /// Without its quotes.
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let pairs: [Pair]

    package init(_ pairs: [Pair] = []) {
        self.pairs = pairs
    }

    /// Reads a tag's value. `BreakID=7,"x"` gives the pairs (BreakID, 7) and (empty, x).
    init(_ bytes: Span<UInt8>, in range: Range<Int>) {
        var pairs: [Pair] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let end = Self.itemEnd(bytes, position..<range.upperBound)
            let item = bytes.trimmed(position..<end)
            position = end + 1
            guard !item.isEmpty else { continue }
            let sign = Self.nameEnd(bytes, item)
            let name = item.lowerBound..<(sign ?? item.lowerBound)
            let value = Self.unquoted(bytes, bytes.trimmed((sign.map { $0 + 1 } ?? item.lowerBound)..<item.upperBound))
            pairs.append(Pair(name: bytes.string(bytes.trimmed(name)), value: bytes.string(value)))
        }
        self.pairs = pairs
    }

    /// The value of a key, whatever the case of its letters.
    package subscript(_ name: String) -> String? {
        pairs.first { Self.areEqual($0.name, name) }?.value
    }

    /// The base64 text of a key, decoded; nil where it is not there or none.
    package func base64(_ name: String) -> [UInt8]? {
        self[name].flatMap(Base64Text.decoded)
    }

    /// The whole number of a key, decimal or hexadecimal with `0x`.
    package func integer(_ name: String) -> Int? {
        guard let text = self[name] else { return nil }
        let isHexadecimal = text.utf8.starts(with: "0x".utf8) || text.utf8.starts(with: "0X".utf8)
        guard text.utf8.first != 0x2B, text.utf8.first != 0x2D else { return nil }
        return isHexadecimal ? Int(text.dropFirst(2), radix: 16) : Int(text)
    }

    /// The seconds of a key: a number, or an ISO 8601 duration ("PT1M10.5S").
    package func duration(_ name: String) -> Duration? {
        self[name].flatMap(Self.duration)
    }

    static func duration(_ text: String) -> Duration? {
        let bytes = Array(text.utf8)
        return duration(bytes.span, in: 0..<bytes.count)
    }

    static func duration(_ bytes: Span<UInt8>, in range: Range<Int>) -> Duration? {
        var range = unquoted(bytes, bytes.trimmed(range))
        if let duration = DecimalText.duration(bytes, in: range) { return duration < .zero ? nil : duration }
        guard range.count > 2, bytes.matches("PT", at: range.lowerBound) else { return nil }
        range = range.lowerBound + 2..<range.upperBound
        var total = Duration.zero
        while !range.isEmpty {
            guard let unit = range.first(where: { bytes[$0].isASCIILetter }),
                let count = DecimalText.duration(bytes, in: range.lowerBound..<unit), count >= .zero,
                count < .seconds(1_000_000_000)
            else { return nil }
            switch bytes[unit] {
            case 0x48: total += count * 3_600
            case 0x4D: total += count * 60
            case 0x53: total += count
            default: return nil
            }
            range = unit + 1..<range.upperBound
        }
        return total
    }

    private static func areEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count
            && zip(left.utf8, right.utf8).allSatisfy { $0.loweredASCII == $1.loweredASCII }
    }

    /// The end of the item that begins here: a comma outside quotes.
    private static func itemEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var isQuoted = false
        for position in range {
            if bytes[position] == 0x22 || typographicQuote(bytes, at: position, end: range.upperBound) != nil {
                isQuoted.toggle()
            }
            if bytes[position] == 0x2C, !isQuoted { return position }
        }
        // An opening quote without its end quotes nothing.
        return isQuoted ? bytes.firstIndex(of: 0x2C, in: range) ?? range.upperBound : range.upperBound
    }

    /// The sign after a name: base64 text, which may end in signs too, is no name.
    private static func nameEnd(_ bytes: Span<UInt8>, _ item: Range<Int>) -> Int? {
        guard let sign = bytes.firstIndex(of: 0x3D, in: item), sign > item.lowerBound else { return nil }
        for position in bytes.trimmed(item.lowerBound..<sign) {
            let byte = bytes[position]
            guard byte.isASCIILetter || byte.isDigit || byte == 0x2D || byte == 0x5F || byte == 0x2E else { return nil }
        }
        // "ABC==" is padding, "KEY=" an empty value.
        return sign + 1 < item.upperBound && bytes[sign + 1] == 0x3D && sign + 2 == item.upperBound ? nil : sign
    }

    private static func unquoted(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        if range.count >= 2, bytes[range.lowerBound] == 0x22, bytes[range.upperBound - 1] == 0x22 {
            return range.lowerBound + 1..<range.upperBound - 1
        }
        guard range.count >= 6, typographicQuote(bytes, at: range.lowerBound, end: range.upperBound) != nil,
            typographicQuote(bytes, at: range.upperBound - 3, end: range.upperBound) != nil
        else { return range }
        return range.lowerBound + 3..<range.upperBound - 3
    }

    /// The length of the typographic double quote (U+201C to U+201F) that stands at a position; nil where there is none.
    static func typographicQuote(_ bytes: Span<UInt8>, at position: Int, end: Int) -> Int? {
        guard end - position >= 3, bytes[position] == 0xE2, bytes[position + 1] == 0x80,
            (0x9C...0x9F).contains(bytes[position + 2])
        else { return nil }
        return 3
    }
}
