/// Percent escapes of URI text, RFC 3986 §2.1.
package enum PercentText {
    /// The text with its escapes resolved; a percent sign without two digits stands for itself.
    package static func decoded(_ text: String) -> String {
        guard text.utf8.contains(0x25) else { return text }
        return String(decoding: decoded(bytes: Array(text.utf8)[...]), as: UTF8.self)
    }

    static func decoded(bytes text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var position = text.startIndex
        while position < text.endIndex {
            if text[position] == 0x25, text.endIndex - position > 2,
                let high = HexadecimalText.digit(text[position + 1]),
                let low = HexadecimalText.digit(text[position + 2])
            {
                result.append(high << 4 | low)
                position += 3
            } else {
                result.append(text[position])
                position += 1
            }
        }
        return result
    }
}

/// Hexadecimal sequences, RFC 8216bis §4.2.
enum HexadecimalText {
    /// The bytes of digits after `0x` or `0X`; an odd digit count is read with a leading zero. Nil for other texts, and for
    /// no digits.
    static func decoded(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        guard bytes.count > 2, bytes[0] == 0x30, bytes[1] | 0x20 == 0x78 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count / 2)
        var high: UInt8? = bytes.count % 2 == 0 ? nil : 0
        for byte in bytes.dropFirst(2) {
            guard let digit = digit(byte) else { return nil }
            if let first = high {
                result.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return result
    }

    static func digit(_ byte: UInt8) -> UInt8? {
        if byte.isDigit { return byte &- 0x30 }
        let letter = byte.loweredASCII &- 0x61
        return letter < 6 ? letter + 10 : nil
    }
}
