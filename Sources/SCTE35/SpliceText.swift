/// A section as text in a playlist: base64 or hexadecimal.
package enum SpliceText {
    /// The bytes of base64 (standard or URL-safe, with or without padding) or hexadecimal (with or without `0x`, in
    /// either case), in quotes or not. Blanks and line breaks don't count.
    package static func bytes(_ text: some StringProtocol) throws(SCTE35Error) -> [UInt8] {
        try bytes(characters: Array(text.utf8))
    }

    package static func bytes(characters: [UInt8]) throws(SCTE35Error) -> [UInt8] {
        var text = characters.filter { !isBlank($0) }[...]
        for quote in [UInt8(ascii: "\""), UInt8(ascii: "'")] where text.first == quote {
            text = text.dropFirst()
            if text.last == quote { text = text.dropLast() }
        }
        if text.starts(with: [0x30, 0x78]) || text.starts(with: [0x30, 0x58]) {
            return try decodeHexadecimal(text.dropFirst(2))
        }
        guard !text.isEmpty else { throw SCTE35Error(.text, bitOffset: 0, "no characters") }
        // A section begins with 0xFC, so its base64 begins with "/" or "_", which are no hexadecimal digits.
        if text.allSatisfy({ hexadecimalValue($0) != nil }) { return try decodeHexadecimal(text) }
        return try decodeBase64(text)
    }

    /// Standard base64 with padding, as OATCLS-SCTE35 and others want it.
    package static func base64(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let group =
                UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (left > 2 ? UInt32(bytes[index + 2]) : 0)
            for place in 0..<4 {
                let character = alphabet[Int(group >> UInt32(18 - 6 * place)) & 0x3F]
                text.append(place <= left ? character : UInt8(ascii: "="))
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// `0x` and upper-case digits, as EXT-X-DATERANGE wants it. RFC 8216bis §4.4.5.1.
    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        "0x" + String(decoding: hexadecimalDigits(bytes), as: UTF8.self)
    }

    static func hexadecimalDigits(_ bytes: [UInt8], lowerCase: Bool = false) -> [UInt8] {
        let digits = Array((lowerCase ? "0123456789abcdef" : "0123456789ABCDEF").utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }

    static func hexadecimalValue(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x30...0x39: character - 0x30
        case 0x41...0x46: character - 0x37
        case 0x61...0x66: character - 0x57
        default: nil
        }
    }

    private static func decodeHexadecimal(_ text: ArraySlice<UInt8>) throws(SCTE35Error) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            guard let digit = hexadecimalValue(character) else {
                throw SCTE35Error(.text, bitOffset: bytes.count * 8, "no hexadecimal digit: \(shown(character))")
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        guard high == nil else { throw SCTE35Error(.text, bitOffset: bytes.count * 8, "half a byte is missing") }
        guard !bytes.isEmpty else { throw SCTE35Error(.text, bitOffset: 0, "no digits") }
        return bytes
    }

    private static func decodeBase64(_ text: ArraySlice<UInt8>) throws(SCTE35Error) -> [UInt8] {
        var bytes: [UInt8] = []
        var held: UInt32 = 0
        var heldBits: UInt32 = 0
        var isPadded = false
        for character in text {
            if character == UInt8(ascii: "=") {
                isPadded = true
                continue
            }
            guard !isPadded, let value = base64Value(character) else {
                throw SCTE35Error(.text, bitOffset: bytes.count * 8, "no base64 character: \(shown(character))")
            }
            held = (held << 6 | UInt32(value)) & 0xFFFF
            heldBits += 6
            if heldBits >= 8 {
                heldBits -= 8
                bytes.append(UInt8(truncatingIfNeeded: held >> heldBits))
            }
        }
        guard heldBits < 6 else { throw SCTE35Error(.text, bitOffset: bytes.count * 8, "base64 is cut short") }
        guard !bytes.isEmpty else { throw SCTE35Error(.text, bitOffset: 0, "no base64 characters") }
        return bytes
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func base64Value(_ character: UInt8) -> UInt8? {
        switch character {
        case 0x41...0x5A: character - 0x41
        case 0x61...0x7A: character - 0x61 + 26
        case 0x30...0x39: character - 0x30 + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }

    private static func isBlank(_ character: UInt8) -> Bool { character == 0x20 || (0x09...0x0D).contains(character) }

    private static func shown(_ character: UInt8) -> String {
        (0x21...0x7E).contains(character)
            ? String(decoding: [character], as: UTF8.self) : "byte \(character)"
    }
}
