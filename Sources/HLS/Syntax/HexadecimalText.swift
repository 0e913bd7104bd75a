/// Hexadecimal sequences, RFC 8216bis §4.2.
enum HexadecimalText {
    /// The bytes of digits after `0x` or `0X`; an odd digit count is read with a leading zero. Nil for other texts, and for
    /// no digits.
    static func decoded(_ bytes: Span<UInt8>, in range: Range<Int>) -> [UInt8]? {
        guard range.count > 2, bytes.isHexadecimalStart(range) else { return nil }
        let digits = range.lowerBound + 2..<range.upperBound
        var result: [UInt8] = []
        result.reserveCapacity(digits.count / 2 + 1)
        var high: UInt8? = digits.count % 2 == 0 ? nil : 0
        for position in digits {
            guard let digit = digit(bytes[position]) else { return nil }
            if let first = high {
                result.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return result
    }

    static func decoded(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        return decoded(bytes.span, in: 0..<bytes.count)
    }

    /// The value of a digit, whatever its case.
    static func digit(_ byte: UInt8) -> UInt8? {
        if byte.isDigit { return byte &- 0x30 }
        let letter = byte.loweredASCII &- 0x61
        return letter < 6 ? letter + 10 : nil
    }
}

extension Span<UInt8> {
    /// Whether a value begins as a hexadecimal sequence: `0x` or `0X`.
    func isHexadecimalStart(_ range: Range<Int>) -> Bool {
        range.count >= 2 && self[range.lowerBound] == 0x30 && self[range.lowerBound + 1] | 0x20 == 0x78
    }

    /// `0x` or `0X` and at least one hexadecimal digit.
    func isHexadecimal(_ range: Range<Int>) -> Bool {
        guard range.count > 2, isHexadecimalStart(range) else { return false }
        return range.dropFirst(2).allSatisfy { HexadecimalText.digit(self[$0]) != nil }
    }
}
