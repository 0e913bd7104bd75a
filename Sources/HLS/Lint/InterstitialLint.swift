/// Rules of interstitials and preload ranges, RFC 8216bis appendix D: 822, 823, 825.
enum InterstitialLint {
    /// Checks what the tags of one ID say together.
    static func check(_ range: DateRangeLint.Range, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard let kind = range.attribute("CLASS", bytes) else { return }
        if bytes.equals("com.apple.hls.interstitial", in: kind.value) {
            checkAssets(range, bytes, &report)
            checkForms(range, bytes, &report)
        } else if bytes.equals("com.apple.hls.preload", in: kind.value) {
            checkPreload(range, bytes, &report)
        }
    }

    // MARK: Interstitials

    private static func checkAssets(_ range: DateRangeLint.Range, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let uri = range.attribute("X-ASSET-URI", bytes)
        switch (uri, range.attribute("X-ASSET-LIST", bytes)) {
        case (nil, nil): report.report(822, range.line, "an interstitial without X-ASSET-URI and X-ASSET-LIST")
        case (_?, _?):
            let line = range.line(of: ["X-ASSET-URI", "X-ASSET-LIST"], bytes)
            report.report(822, line, "an interstitial with both X-ASSET-URI and X-ASSET-LIST")
        default: break
        }
        if let uri, !uri.value.isEmpty, !bytes.hasReference(uri.value), !bytes.isAbsoluteURI(uri.value) {
            let line = range.line(of: ["X-ASSET-URI"], bytes)
            report.report(822, line, "X-ASSET-URI \"\(bytes.excerpt(uri.value))\" is not absolute")
        }
    }

    private enum Form {
        case decimal, signedDecimal, whole
        case words([String])
        case word([String])
        case identifier
    }

    private static let forms: [(name: StaticString, form: Form)] = [
        ("X-RESUME-OFFSET", .signedDecimal), ("X-PLAYOUT-LIMIT", .decimal), ("X-SNAP", .words(["OUT", "IN"])),
        ("X-RESTRICT", .words(["SKIP", "JUMP"])), ("X-CONTENT-MAY-VARY", .word(["YES", "NO"])),
        ("X-TIMELINE-OCCUPIES", .word(["POINT", "RANGE"])), ("X-TIMELINE-STYLE", .word(["HIGHLIGHT", "PRIMARY"])),
        ("X-SKIP-CONTROL-OFFSET", .whole), ("X-SKIP-CONTROL-DURATION", .whole),
        ("X-SKIP-CONTROL-LABEL-ID", .identifier),
    ]

    private static let blanks = "with blanks"

    private static func checkForms(_ range: DateRangeLint.Range, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        for (name, form) in forms {
            guard let attribute = range.attribute(name, bytes), !bytes.hasReference(attribute.value),
                let fault = fault(attribute, form, bytes)
            else { continue }
            let line = range.line(of: [name], bytes)
            let isListWithBlanks = fault == Self.blanks
            report.report(
                823, line, "\(name) is \"\(bytes.excerpt(attribute.value))\", \(fault)",
                severity: isListWithBlanks ? .warning : nil)
        }
    }

    private static func fault(
        _ attribute: AttributeScanner.Attribute, _ form: Form, _ bytes: Span<UInt8>
    ) -> String? {
        let value = attribute.value
        switch form {
        case .decimal, .signedDecimal, .whole:
            if attribute.isQuoted { return "in quotes" }
            if case .whole = form { return bytes.isWholeNumber(value) ? nil : "not whole seconds" }
            var isSigned = false
            if case .signedDecimal = form { isSigned = true }
            return bytes.isDecimal(value, signed: isSigned) ? nil : "no decimal number of seconds"
        case .words(let allowed):
            guard attribute.isQuoted else { return "without quotes" }
            let words = bytes.words(value)
            if words.contains(where: { !allowed.contains($0) }) {
                return "no list of \(allowed.joined(separator: ", "))"
            }
            if Set(words).count != words.count { return "the same twice" }
            return bytes.hasBlanks(value) ? blanks : nil
        case .word(let allowed):
            guard attribute.isQuoted else { return "without quotes" }
            return allowed.contains(bytes.string(value)) ? nil : "not \(allowed.joined(separator: " or "))"
        case .identifier:
            guard attribute.isQuoted else { return "without quotes" }
            let isIdentifier =
                !value.isEmpty
                && value.allSatisfy { position in
                    bytes[position].isASCIILetter || bytes[position] == 0x2D || bytes[position] == 0x5F
                }
            return isIdentifier ? nil : "not of letters, - and _"
        }
    }

    // MARK: Preload ranges

    private static func checkPreload(_ range: DateRangeLint.Range, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        for name in ["X-URI", "X-TARGET-ID", "X-TARGET-CLASS"] as [StaticString]
        where range.attribute(name, bytes)?.value.isEmpty ?? true {
            report.report(825, range.line, "a preload range without \(name)")
        }
        if range.attribute("DURATION", bytes) == nil, range.attribute("END-DATE", bytes) == nil {
            report.report(825, range.line, "a preload range without DURATION and END-DATE")
        }
        for name in ["CUE", "END-ON-NEXT"] as [StaticString] where range.attribute(name, bytes) != nil {
            report.report(825, range.line(of: [name], bytes), "a preload range with \(name)")
        }
    }
}
