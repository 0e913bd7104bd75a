/// An EXT-X-KEY or EXT-X-SESSION-KEY, RFC 8216bis §4.4.4.4.
package struct EncryptionKey: Hashable, Sendable {
    package enum Method: Hashable, Sendable {
        case none, aes128, sampleAES, sampleAESCTR, aes256GCM, other
    }

    /// The line that declares it; its attributes are read from there.
    package let line: PlaylistLine
    package let method: Method
    /// Whether the IV is written out.
    package let hasExplicitIV: Bool
    /// Whether the key format is the identity format: KEYFORMAT absent or "identity".
    package let isIdentity: Bool
    /// The text of KEYFORMAT; empty where it is absent.
    let keyFormat: Range<Int>

    /// Whether the IV is the media sequence number, so that renumbering needs it written out (rule 605).
    package var hasImplicitIV: Bool {
        !hasExplicitIV && isIdentity && (method == .aes128 || method == .sampleAES)
    }

    /// Whether it encrypts resources whole, initialization sections too (rule 610). The other methods leave those clear.
    package var isOfWholeResources: Bool { method == .aes128 || method == .aes256GCM }

    init(_ bytes: Span<UInt8>, line: PlaylistLine) {
        var method = Method.other
        var hasIV = false
        var format = 0..<0
        var scanner = AttributeScanner(line.valueRange(in: bytes))
        while let attribute = scanner.next(in: bytes) {
            if bytes.equals("METHOD", in: attribute.name) {
                method = Self.method(bytes, attribute.value)
            } else if bytes.equals("IV", in: attribute.name) {
                hasIV = !attribute.value.isEmpty
            } else if bytes.equals("KEYFORMAT", in: attribute.name) {
                format = attribute.value
            }
        }
        self.line = line
        self.method = method
        hasExplicitIV = hasIV
        isIdentity = format.isEmpty || bytes.equals("identity", in: format)
        keyFormat = format
    }

    private static func method(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Method {
        if bytes.equals("NONE", in: range) { return .none }
        if bytes.equals("AES-128", in: range) { return .aes128 }
        if bytes.equals("SAMPLE-AES", in: range) { return .sampleAES }
        if bytes.equals("SAMPLE-AES-CTR", in: range) { return .sampleAESCTR }
        if bytes.equals("AES-256-GCM", in: range) { return .aes256GCM }
        return .other
    }

    /// All attributes of the line, in the playlist it came from.
    package func attributes(in source: [UInt8]) -> AttributeList {
        AttributeList(source, line: line)
    }

    /// URI as spelled; empty where there is none.
    package func uri(in source: [UInt8]) -> String { attributes(in: source)["URI"]?.text ?? "" }

    /// KEYFORMAT; "identity" where it is absent.
    package func keyFormat(in source: [UInt8]) -> String {
        keyFormat.isEmpty ? "identity" : source.text(in: keyFormat)
    }

    /// KEYFORMATVERSIONS; what is no positive number is left out. Version 1 where it is absent.
    package func keyFormatVersions(in source: [UInt8]) -> [Int64] {
        guard let value = attributes(in: source)["KEYFORMATVERSIONS"] else { return [1] }
        return value.list(separator: 0x2F).compactMap { text in
            let bytes = Array(text.utf8)
            return DecimalText.integer(bytes.span, in: 0..<bytes.count).flatMap { $0 > 0 ? $0 : nil }
        }
    }

    /// The IV that is written out; nil where there is none, or it is unreadable.
    package func initializationVector(in source: [UInt8]) -> InitializationVector? {
        attributes(in: source)["IV"]?.hexadecimal.flatMap(InitializationVector.init)
    }

    /// The IV of a segment: the one written out, else its media sequence number (§5.2). Nil where the key system or the
    /// segment itself has it, and where the segment is clear.
    package func initializationVector(ofSegment number: Int64, in source: [UInt8]) -> InitializationVector? {
        switch method {
        case .none, .aes256GCM, .sampleAESCTR: nil
        default:
            hasImplicitIV ? InitializationVector(mediaSequence: number) : initializationVector(in: source)
        }
    }

    func hasSameFormat(as other: EncryptionKey, in bytes: Span<UInt8>) -> Bool {
        if isIdentity || other.isIdentity { return isIdentity && other.isIdentity }
        return bytes.areEqual(keyFormat, other.keyFormat)
    }
}

/// The keys in force for a run of segments, one for each KEYFORMAT, in the order of their lines. Empty: clear.
package struct KeyGroup: Hashable, Sendable {
    package var keys: [EncryptionKey] = []

    /// Whether any of the keys takes its IV from the media sequence number (rule 605).
    package var hasImplicitIV: Bool { keys.contains(where: \.hasImplicitIV) }
    package var isClear: Bool { keys.isEmpty }
}
