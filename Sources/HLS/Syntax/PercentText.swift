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
