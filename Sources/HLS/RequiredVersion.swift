/// The protocol version that what a playlist contains needs, with what needs it: RFC 8216bis §8, rules 201 and 202.
package struct RequiredVersion: Hashable, Sendable {
    /// Something that older versions do not know.
    package enum Feature: Int, CaseIterable, Hashable, Sendable {
        case initializationVector, decimalDuration, byteRange, iFramesOnly, sampleAES, keyFormat, keyFormatVersions
        case iFrameMap, map, serviceCaptions, variables, skip, skippedDateRanges, queryParameter, requiredAttribute
        case instreamID

        /// The first version that has it.
        package var version: Int {
            switch self {
            case .initializationVector: 2
            case .decimalDuration: 3
            case .byteRange, .iFramesOnly: 4
            case .sampleAES, .keyFormat, .keyFormatVersions, .iFrameMap: 5
            case .map: 6
            case .serviceCaptions: 7
            case .variables: 8
            case .skip: 9
            case .skippedDateRanges: 10
            case .queryParameter: 11
            case .requiredAttribute: 12
            case .instreamID: 13
            }
        }

        /// What it is, for messages: "an EXTINF with decimals".
        package var description: String {
            switch self {
            case .initializationVector: "an IV"
            case .decimalDuration: "an EXTINF with decimals"
            case .byteRange: "EXT-X-BYTERANGE"
            case .iFramesOnly: "EXT-X-I-FRAMES-ONLY"
            case .sampleAES: "METHOD=SAMPLE-AES"
            case .keyFormat: "KEYFORMAT"
            case .keyFormatVersions: "KEYFORMATVERSIONS"
            case .iFrameMap: "EXT-X-MAP in an I-frame playlist"
            case .map: "EXT-X-MAP"
            case .serviceCaptions: "a SERVICE value of INSTREAM-ID"
            case .variables: "EXT-X-DEFINE"
            case .skip: "EXT-X-SKIP"
            case .skippedDateRanges: "EXT-X-SKIP with skipped date ranges"
            case .queryParameter: "EXT-X-DEFINE with QUERYPARAM"
            case .requiredAttribute: "an attribute whose name begins with REQ-"
            case .instreamID: "INSTREAM-ID outside closed captions"
            }
        }
    }

    /// A feature in use.
    package struct Reason: Hashable, Sendable {
        package let feature: Feature
        /// Number of the first line that uses it, the first of the playlist being 1.
        package let line: Int
        package var version: Int { feature.version }
    }

    /// One for each feature in use, by rising version; those of one version in the order of their lines.
    package let reasons: [Reason]

    /// The least EXT-X-VERSION; 1 where nothing needs more.
    package var version: Int { reasons.last?.version ?? 1 }

    /// Line of the first use of each feature, 0 for none.
    private struct Uses {
        var lines = [Int](repeating: 0, count: Feature.allCases.count)

        mutating func note(_ feature: Feature, _ line: Int) {
            if lines[feature.rawValue] == 0 { lines[feature.rawValue] = line }
        }

        func has(_ feature: Feature) -> Bool { lines[feature.rawValue] != 0 }
    }

    init(_ source: [UInt8], _ lines: PlaylistLines, isIFramesOnly: Bool) {
        let bytes = source.span
        var uses = Uses()
        var number = 0
        for line in lines {
            number += 1
            switch line.kind {
            case .segmentDuration:
                if !uses.has(.decimalDuration), Self.hasDecimals(bytes, line) { uses.note(.decimalDuration, number) }
            case .byteRange: uses.note(.byteRange, number)
            case .iFramesOnly: uses.note(.iFramesOnly, number)
            case .map: uses.note(isIFramesOnly ? .iFrameMap : .map, number)
            case .define: uses.note(.variables, number)
            case .skip: uses.note(.skip, number)
            default: break
            }
            if line.kind.hasAttributeList { Self.readAttributes(bytes, line, number, &uses) }
        }
        reasons = Feature.allCases.compactMap { feature in
            uses.has(feature) ? Reason(feature: feature, line: uses.lines[feature.rawValue]) : nil
        }.sorted { ($0.version, $0.line, $0.feature.rawValue) < ($1.version, $1.line, $1.feature.rawValue) }
    }

    /// Whether EXTINF's number has a decimal point.
    private static func hasDecimals(_ bytes: Span<UInt8>, _ line: PlaylistLine) -> Bool {
        let value = line.valueRange(in: bytes)
        return bytes.firstIndex(
            of: 0x2E, in: value.lowerBound..<(bytes.firstIndex(of: 0x2C, in: value) ?? value.upperBound))
            != nil
    }

    private static func readAttributes(
        _ bytes: Span<UInt8>, _ line: PlaylistLine, _ number: Int, _ uses: inout Uses
    ) {
        var scanner = AttributeScanner(line.valueRange(in: bytes))
        var isCaptions = false
        var hasInstreamID = false
        while let attribute = scanner.next(in: bytes) {
            if bytes.matches("REQ-", at: attribute.name.lowerBound) { uses.note(.requiredAttribute, number) }
            switch line.kind {
            case .key, .sessionKey:
                if bytes.equals("IV", in: attribute.name) { uses.note(.initializationVector, number) }
                if bytes.equals("KEYFORMAT", in: attribute.name) { uses.note(.keyFormat, number) }
                if bytes.equals("KEYFORMATVERSIONS", in: attribute.name) { uses.note(.keyFormatVersions, number) }
                if bytes.equals("METHOD", in: attribute.name), bytes.equals("SAMPLE-AES", in: attribute.value) {
                    uses.note(.sampleAES, number)
                }
            case .media:
                if bytes.equals("TYPE", in: attribute.name) {
                    isCaptions = bytes.equals("CLOSED-CAPTIONS", in: attribute.value)
                }
                if bytes.equals("INSTREAM-ID", in: attribute.name) {
                    hasInstreamID = true
                    if bytes.matches("SERVICE", at: attribute.value.lowerBound) { uses.note(.serviceCaptions, number) }
                }
            case .define:
                if bytes.equals("QUERYPARAM", in: attribute.name) { uses.note(.queryParameter, number) }
            case .skip:
                if bytes.equals("RECENTLY-REMOVED-DATERANGES", in: attribute.name) {
                    uses.note(.skippedDateRanges, number)
                }
            default: break
            }
        }
        if hasInstreamID, !isCaptions { uses.note(.instreamID, number) }
    }
}

extension MediaPlaylist {
    /// The version that its content needs. Reads all lines.
    package var requiredVersion: RequiredVersion {
        RequiredVersion(source, lines, isIFramesOnly: isIFramesOnly)
    }

    /// The playlist's bytes with an EXT-X-VERSION of at least what its content needs, and at least `minimum`. Only that line
    /// changes, or is put after #EXTM3U where there is none. A version that is high enough stays as it is spelled: lowering
    /// it would change the meaning of the target duration (rule 303).
    package func serialized(minimumVersion minimum: Int) -> [UInt8] {
        VersionedText.text(source, lines, needed: max(requiredVersion.version, minimum))
    }
}

extension MultivariantPlaylist {
    /// The version that its content needs.
    package var requiredVersion: RequiredVersion {
        RequiredVersion(source, lines, isIFramesOnly: false)
    }

    /// The playlist's bytes with an EXT-X-VERSION of at least what its content needs, and at least `minimum`. Only that line
    /// changes, or is put after #EXTM3U where there is none.
    package func serialized(minimumVersion minimum: Int) -> [UInt8] {
        VersionedText.text(source, lines, needed: max(requiredVersion.version, minimum))
    }
}

/// Writes EXT-X-VERSION into the bytes of a playlist.
enum VersionedText {
    static func text(_ source: [UInt8], _ lines: PlaylistLines, needed: Int) -> [UInt8] {
        var first: PlaylistLine?
        var signature: PlaylistLine?
        var unreadable: PlaylistLine?
        for line in lines {
            first = first ?? line
            if line.kind == .extM3U, signature == nil { signature = line }
            guard line.kind == .version else { continue }
            // Of two tags the first that can be read holds.
            guard let version = DecimalText.integer(source.span, in: line.valueRange(in: source)) else {
                unreadable = unreadable ?? line
                continue
            }
            guard version < Int64(needed) else { return source }
            return edited(source) { $0.replace(line.range, with: "#EXT-X-VERSION:\(needed)") }
        }
        if let unreadable {
            return edited(source) { $0.replace(unreadable.range, with: "#EXT-X-VERSION:\(needed)") }
        }
        guard needed > 1 else { return source }
        guard let signature else {
            let start = first?.fullRange.lowerBound ?? 0
            return edited(source) { $0.replace(start..<start, with: "#EXT-X-VERSION:\(needed)\n") }
        }
        let end = signature.fullRange.upperBound
        let terminator = lineEnd(source, of: signature)
        let text = terminator.isEmpty ? "\n#EXT-X-VERSION:\(needed)" : "#EXT-X-VERSION:\(needed)\(terminator)"
        return edited(source) { $0.replace(end..<end, with: text) }
    }

    /// How a line ends: LF, CR LF, or nothing where the playlist ends with it.
    static func lineEnd(_ source: [UInt8], of line: PlaylistLine) -> String {
        let end = line.fullRange.upperBound
        guard end > line.fullRange.lowerBound, end <= source.count, source[end - 1] == 0x0A else { return "" }
        return end - 1 > line.fullRange.lowerBound && source[end - 2] == 0x0D ? "\r\n" : "\n"
    }

    private static func edited(_ source: [UInt8], _ edit: (inout PlaylistEditor) -> Void) -> [UInt8] {
        var editor = PlaylistEditor(source)
        edit(&editor)
        return editor.applied()
    }
}
