/// What is odd about single lines that have attributes, found while reading: section 5 of the rules has what origins get wrong.
enum TagChecks {
    /// Blanks, quotes and forms of the attributes of a line (rules 104-106).
    static func attributes(_ line: PlaylistLine, _ bytes: Span<UInt8>, number: Int, _ findings: inout FindingList) {
        let value = line.valueRange(in: bytes)
        var scanner = AttributeScanner(value)
        var expectedStart = value.lowerBound
        while let attribute = scanner.next(in: bytes) {
            if attribute.isUnterminated { findings.report(105, number, .error, "a quote that is not closed") }
            let hasBlanks =
                attribute.whole.lowerBound > expectedStart && bytes[attribute.whole.lowerBound - 1].isBlank
            if hasBlanks { findings.report(104, number, .warning, "blanks around an attribute") }
            expectedStart = attribute.whole.upperBound
            form(attribute, of: line.kind, bytes, number: number, &findings)
        }
    }

    private static func form(
        _ attribute: AttributeScanner.Attribute, of kind: TagKind, _ bytes: Span<UInt8>, number: Int,
        _ findings: inout FindingList
    ) {
        switch kind {
        case .key, .sessionKey:
            if bytes.equals("IV", in: attribute.name), attribute.value.count != 34 {
                findings.report(604, number, .warning, "IV without 32 hexadecimal digits")
            }
            if bytes.equals("METHOD", in: attribute.name), attribute.isQuoted {
                findings.report(106, number, .warning, "METHOD in quotes")
            }
        case .map, .part:
            if bytes.equals("BYTERANGE", in: attribute.name), !attribute.isQuoted {
                findings.report(106, number, .warning, "BYTERANGE without quotes")
            }
        case .dateRange:
            if attribute.isQuoted, bytes.matches("SCTE35-", at: attribute.name.lowerBound) {
                findings.report(817, number, .warning, "SCTE-35 section in quotes")
            }
        default: break
        }
        if bytes.equals("URI", in: attribute.name) {
            if attribute.value.isEmpty {
                findings.report(112, number, .error, "empty URI")
            } else if !attribute.isQuoted {
                findings.report(106, number, .warning, "URI without quotes")
            }
        }
    }

    /// Groups and flags of a multivariant playlist's renditions (rules 1102, 1103).
    static func groups(_ parser: borrowing MultivariantParser, _ findings: inout FindingList) {
        // Names of groups are compared as text; a playlist with more variants than this is checked in part.
        for variant in parser.variants.prefix(256) {
            for (name, type, group) in [
                ("AUDIO", Rendition.MediaType.audio, variant.audioGroup), ("VIDEO", .video, variant.videoGroup),
                ("SUBTITLES", .subtitles, variant.subtitlesGroup),
                ("CLOSED-CAPTIONS", .closedCaptions, variant.closedCaptionsGroup),
            ] {
                guard let group else { continue }
                let exists = parser.renditions.prefix(1_024).contains { $0.type == type && $0.groupID == group }
                if !exists {
                    let number = LineScanner.lineNumber(of: variant.line, in: variant.attributes.source)
                    findings.report(1103, number, .error, "no \(name) group of that name")
                }
            }
        }
        for rendition in parser.renditions where rendition.isDefault && rendition.attributes["AUTOSELECT"] != nil {
            guard !rendition.isAutoselect else { continue }
            let number = LineScanner.lineNumber(of: rendition.line, in: rendition.attributes.source)
            findings.report(1102, number, .warning, "DEFAULT=YES with AUTOSELECT=NO")
        }
    }
}

extension LineScanner {
    /// The number of a line, the first being 1.
    static func lineNumber(of line: PlaylistLine, in source: [UInt8]) -> Int {
        var number = 1
        for byte in source[..<min(line.fullRange.lowerBound, source.count)] where byte == 0x0A { number += 1 }
        return number
    }
}
