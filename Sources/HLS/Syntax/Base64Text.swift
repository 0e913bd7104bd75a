/// Base64 as ad markers carry it, RFC 4648 §4, read leniently.
enum Base64Text {
    /// The bytes of a text: blanks, quotes of any kind and missing padding are borne, and the letters of the URL alphabet
    /// (RFC 4648 §5) too. Nil for a text without any digit, for other characters, and for one that breaks off within a byte.
    static func decoded(_ bytes: Span<UInt8>, in range: Range<Int>) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(range.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        var hasPadding = false
        var position = range.lowerBound
        while position < range.upperBound {
            let byte = bytes[position]
            if let digit = digit(byte) {
                // Digits after the padding would be a second text.
                guard !hasPadding else { return nil }
                bits = bits << 6 | digit
                count += 1
                if count % 4 == 0 {
                    result.append(UInt8(truncatingIfNeeded: bits >> 16))
                    result.append(UInt8(truncatingIfNeeded: bits >> 8))
                    result.append(UInt8(truncatingIfNeeded: bits))
                }
            } else if byte == 0x3D {
                hasPadding = true
            } else if let quote = CueAttributes.typographicQuote(bytes, at: position, end: range.upperBound) {
                position += quote
                continue
            } else if !byte.isBlank, byte != 0x22, byte != 0x27 {
                return nil
            }
            position += 1
        }
        switch count % 4 {
        case 2: result.append(UInt8(truncatingIfNeeded: bits >> 4))
        case 3:
            result.append(UInt8(truncatingIfNeeded: bits >> 10))
            result.append(UInt8(truncatingIfNeeded: bits >> 2))
        case 1: return nil
        default: break
        }
        return count == 0 ? nil : result
    }

    static func decoded(_ text: String) -> [UInt8]? {
        let bytes = Array(text.utf8)
        return decoded(bytes.span, in: 0..<bytes.count)
    }

    private static func digit(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x41...0x5A: UInt32(byte - 0x41)
        case 0x61...0x7A: UInt32(byte - 0x61 + 26)
        case 0x30...0x39: UInt32(byte - 0x30 + 52)
        case 0x2B, 0x2D: 62
        case 0x2F, 0x5F: 63
        default: nil
        }
    }
}
