/// Usual spellings of identifiers that are sent as numbers.
enum UPIDText {
    /// The text of an identifier; nil for a reserved type, or for bytes that cannot be of this type.
    static func text(kind: SegmentationUPID.Kind, bytes: [UInt8]) -> String? {
        switch kind {
        case .userDefined, .isci, .adID, .tid, .adi, .adsInformation, .uri, .scr: return characters(bytes)
        case .airingID: return hexadecimal(bytes)
        default: break
        }
        guard bytes.count == kind.expectedLength else { return nil }
        switch kind {
        case .umid: return groups(of: digits(bytes), 8).joined(separator: ".")
        case .isan64: return groups(of: digits(bytes), 4).joined(separator: "-")
        case .isan: return isan(digits(bytes))
        case .eidr: return eidr(bytes)
        case .uuid: return uuid(bytes)
        default: return nil
        }
    }

    /// `0x` and lower-case digits.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        "0x" + String(decoding: digits(bytes, lowerCase: true), as: UTF8.self)
    }

    /// UTF-8 without control characters. Some encoders put binary in fields meant for text.
    private static func characters(_ bytes: [UInt8]) -> String? {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digits(_ bytes: [UInt8], lowerCase: Bool = false) -> [UInt8] {
        SpliceText.hexadecimalDigits(bytes, lowerCase: lowerCase)
    }

    private static func groups(of digits: [UInt8], _ size: Int) -> [String] {
        stride(from: 0, to: digits.count, by: size).map { start in
            String(decoding: digits[start..<min(start + size, digits.count)], as: UTF8.self)
        }
    }

    /// ISO 15706-2: root and episode, a check character, version, and a check character over all digits.
    private static func isan(_ digits: [UInt8]) -> String {
        let root = groups(of: Array(digits.prefix(16)), 4)
        let version = groups(of: Array(digits.dropFirst(16)), 4)
        let parts = root + [checkCharacter(digits.prefix(16))] + version + [checkCharacter(digits[...])]
        return parts.joined(separator: "-")
    }

    /// Compact binary EIDR: number of the registry, then the suffix; a short one is filled up with zeros.
    private static func eidr(_ bytes: [UInt8]) -> String {
        let registry = Int(bytes[0]) << 8 | Int(bytes[1])
        let suffix = Array(bytes.dropFirst(2))
        let isContent = registry == 5240
        guard isContent || suffix.dropFirst(4).contains(where: { $0 != 0 }) else {
            return "10.\(registry)/" + groups(of: digits(Array(suffix.prefix(4))), 4).joined(separator: "-")
        }
        let digits = digits(suffix)
        let check = isContent ? "-" + checkCharacter(digits[...]) : ""
        return "10.\(registry)/" + groups(of: digits, 4).joined(separator: "-") + check
    }

    private static func uuid(_ bytes: [UInt8]) -> String {
        let parts = groups(of: digits(bytes, lowerCase: true), 4)
        return parts[0] + parts[1] + "-" + parts[2...5].joined(separator: "-") + parts[6] + parts[7]
    }

    /// Check character of ISO 7064 MOD 37,36 over upper-case hexadecimal digits.
    static func checkCharacter(_ digits: ArraySlice<UInt8>) -> String {
        var product = 36
        for digit in digits {
            let sum = (product + Int(SpliceText.hexadecimalValue(digit) ?? 0)) % 36
            product = (sum == 0 ? 36 : sum) * 2 % 37
        }
        let check = UInt8((37 - product) % 36)
        return String(decoding: [check < 10 ? 0x30 + check : 0x37 + check], as: UTF8.self)
    }
}
