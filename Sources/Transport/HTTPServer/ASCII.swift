/// Bytes of the HTTP grammar.
enum ASCII {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let colon = UInt8(ascii: ":")
    static let slash = UInt8(ascii: "/")
    static let percent = UInt8(ascii: "%")

    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// A character of a token: method and header names. RFC 9110 §5.6.2.
    @inline(__always)
    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        if byte < 64 { return tokenLow & (1 << UInt64(byte)) != 0 }
        if byte < 128 { return tokenHigh & (1 << UInt64(byte - 64)) != 0 }
        return false
    }

    private static let tokenLow: UInt64 = mask("!#$%&'*+-.0123456789", from: 0)
    private static let tokenHigh: UInt64 = mask(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~", from: 64)

    private static func mask(_ characters: String, from base: UInt8) -> UInt64 {
        var mask: UInt64 = 0
        for byte in characters.utf8 where byte >= base && byte < base + 64 { mask |= 1 << UInt64(byte - base) }
        return mask
    }

    /// Allowed in a header value: no control but tab. RFC 9110 §5.5.
    @inline(__always)
    static func isValueByte(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F || byte == tab }

    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }

    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// A text without blanks and tabs at its ends.
    static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }

    /// Whether a text is the expected one but for case.
    /// - Parameter expected: lower case.
    static func matches(_ text: String, _ expected: StaticString) -> Bool {
        guard text.utf8.count == expected.utf8CodeUnitCount else { return false }
        return expected.withUTF8Buffer { expected in
            var position = 0
            for byte in text.utf8 {
                if lowercased(byte) != expected[position] { return false }
                position += 1
            }
            return true
        }
    }

    static func lowercased(_ text: some StringProtocol) -> String {
        String(decoding: text.utf8.map { lowercased($0) }, as: UTF8.self)
    }
}
