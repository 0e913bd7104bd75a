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

    /// Groups that variants name, and flags that contradict each other (rules 1102, 1103).
    static func groups(_ parser: borrowing MultivariantParser, _ findings: inout FindingList) {
        var known: Set<String> = []
        for (index, rendition) in parser.renditions.enumerated() {
            known.insert("\(rendition.attributes["TYPE"]?.text ?? "")\n\(rendition.groupID)")
            if rendition.isDefault, let autoselect = rendition.attributes["AUTOSELECT"], !autoselect.isYes {
                let line = parser.renditionLineNumbers[index]
                findings.report(1102, line, .warning, "DEFAULT=YES with AUTOSELECT=NO")
            }
        }
        for (index, variant) in parser.variants.enumerated() {
            let groups = [
                ("AUDIO", variant.audioGroup), ("VIDEO", variant.videoGroup), ("SUBTITLES", variant.subtitlesGroup),
                ("CLOSED-CAPTIONS", variant.closedCaptionsGroup),
            ]
            for case (let type, let group?) in groups where !known.contains("\(type)\n\(group)") {
                findings.report(1103, parser.variantLineNumbers[index], .error, "no \(type) group of that name")
            }
        }
    }
}
