/// Rules of attribute lists, in either kind of playlist: 104-106, 112.
struct AttributeLint: LintCheck {
    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        var expectedStart = line.value.lowerBound
        for attribute in line.attributes {
            if attribute.isUnterminated { report.report(105, line.number, "a quote that is not closed") }
            let hasBlanks =
                attribute.whole.lowerBound > expectedStart && bytes[attribute.whole.lowerBound - 1].isBlank
            if hasBlanks { report.report(104, line.number, "blanks around an attribute", severity: .warning) }
            expectedStart = attribute.whole.upperBound
            form(attribute, of: line, bytes, &report)
        }
    }

    private func form(
        _ attribute: AttributeScanner.Attribute, of line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport
    ) {
        switch line.kind {
        case .key, .sessionKey:
            if bytes.equals("METHOD", in: attribute.name), attribute.isQuoted {
                report.report(106, line.number, "METHOD in quotes", severity: .warning)
            }
        case .map, .part:
            if bytes.equals("BYTERANGE", in: attribute.name), !attribute.isQuoted {
                report.report(106, line.number, "BYTERANGE without quotes", severity: .warning)
            }
        default: break
        }
        if bytes.equals("URI", in: attribute.name) {
            if attribute.value.isEmpty {
                report.report(112, line.number, "empty URI")
            } else if !attribute.isQuoted {
                report.report(106, line.number, "URI without quotes", severity: .warning)
            }
        }
    }
}
