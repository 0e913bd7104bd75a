/// Rules of attribute lists and values, in either kind of playlist: 104-106, 111, 112, and what is gone (204).
struct AttributeLint: LintCheck {
    /// Lines of attributes that are gone: playlists that have one have it on every line of its kind.
    private var goneLine = 0
    private var goneCount = 0

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .uri:
            if line.place.range.contains(where: { bytes[$0].isBlank }) {
                report.report(112, line.number, "blanks in the URI \"\(bytes.excerpt(line.place.range))\"")
            }
        case .allowCache: report.report(204, line.number, "EXT-X-ALLOW-CACHE is gone since version 7")
        case .endList, .gap, .discontinuity, .iFramesOnly, .independentSegments:
            if !line.value.isEmpty {
                report.report(106, line.number, "\(bytes.tagName(line.place)) has no value", severity: .warning)
            }
        case .version, .bitrate:
            if !bytes.isWholeNumber(line.value) {
                let value = bytes.excerpt(line.value)
                report.report(106, line.number, "\(bytes.tagName(line.place)) is \"\(value)\", not a whole number")
            }
        case .byteRange: checkByteRange(line, bytes, &report)
        default:
            if line.kind.hasAttributeList { checkList(line, bytes, &report) }
        }
    }

    private func checkByteRange(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard !bytes.isByteRange(line.value) else { return }
        // Quotes and blanks around it are borne by players.
        let isReadable = ByteRange.parse(bytes, in: line.value) != nil
        report.report(
            106, line.number, "EXT-X-BYTERANGE is \"\(bytes.excerpt(line.value))\", not n[@o]",
            severity: isReadable ? .warning : .error)
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard goneLine != 0 else { return }
        let others = goneCount == 1 ? "" : ", \(goneCount) times"
        report.report(204, goneLine, "PROGRAM-ID is gone since version 6\(others)")
    }

    // MARK: Lists

    private mutating func checkList(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let definitions = AttributeGrammar.definitions(of: line.kind)
        var names: Set<String> = []
        var expectedStart = line.value.lowerBound
        for attribute in line.attributes {
            checkSyntax(attribute, from: expectedStart, of: line, bytes, &report)
            expectedStart = attribute.whole.upperBound
            let name = bytes.string(attribute.name)
            if !names.insert(name).inserted {
                report.report(105, line.number, "\(bytes.excerpt(attribute.name)) twice")
            }
            checkForm(attribute, definitions, of: line, bytes, &report)
            if isURI(attribute, bytes) { checkURI(attribute, of: line, bytes, &report) }
            if bytes.equals("PROGRAM-ID", in: attribute.name) {
                goneCount += 1
                if goneLine == 0 { goneLine = line.number }
            }
        }
        let rest = bytes.trimmed(expectedStart..<max(line.value.upperBound, expectedStart))
        if line.attributes.count == LintLine.attributeLimit {
            report.report(
                105, line.number, "more than \(LintLine.attributeLimit) attributes; the rest is not looked at")
            return
        }
        if !rest.isEmpty {
            report.report(105, line.number, "\"\(bytes.excerpt(rest))\" after the last attribute")
        }
        for definition in definitions where definition.isRequired && !names.contains("\(definition.name)") {
            report.report(111, line.number, "\(bytes.tagName(line.place)) without \(definition.name)")
        }
    }

    private func checkSyntax(
        _ attribute: AttributeScanner.Attribute, from start: Int, of line: LintLine, _ bytes: Span<UInt8>,
        _ report: inout LintReport
    ) {
        let name = attribute.name
        if attribute.isUnterminated { report.report(105, line.number, "a quote that is not closed") }
        if name.isEmpty || name.contains(where: { !bytes[$0].isAttributeName }) {
            report.report(105, line.number, "\"\(bytes.excerpt(name))\" is no name of an attribute")
        } else if bytes.firstIndex(of: 0x3D, in: name.upperBound..<attribute.whole.upperBound) == nil {
            report.report(105, line.number, "\(bytes.excerpt(name)) without a value")
        }
        // Between two attributes stands a comma alone.
        let between = start..<max(attribute.whole.lowerBound, start)
        let commas = between.count { bytes[$0] == 0x2C }
        let isFirst = start == line.value.lowerBound
        if between.contains(where: { bytes[$0] != 0x2C && !bytes[$0].isBlank }) {
            report.report(
                105, line.number, "\"\(bytes.excerpt(bytes.trimmed(between)))\" before \(bytes.excerpt(name))")
        } else if commas > (isFirst ? 0 : 1) {
            report.report(105, line.number, "an empty attribute before \(bytes.excerpt(name))")
        }
        // Players take blanks away, and many origins write them.
        let hasBlanks =
            between.contains { bytes[$0].isBlank }
            || (name.upperBound..<attribute.value.lowerBound).contains { bytes[$0].isBlank }
        if hasBlanks { report.report(104, line.number, "blanks around \(bytes.excerpt(name))", severity: .warning) }
    }

    private func checkForm(
        _ attribute: AttributeScanner.Attribute, _ definitions: [AttributeDefinition], of line: LintLine,
        _ bytes: Span<UInt8>, _ report: inout LintReport
    ) {
        let name = attribute.name
        guard !attribute.isUnterminated else { return }
        if let definition = definitions.first(where: { bytes.equals($0.name, in: name) }) {
            guard let fault = definition.form.fault(attribute, bytes) else { return }
            report.report(
                106, line.number, "\(definition.name) is \(quoted(attribute, bytes)), \(fault)",
                severity: bearable(attribute, definition, bytes) ? .warning : nil)
        } else if line.kind == .dateRange, bytes.matches("X-", at: name.lowerBound),
            let fault = AttributeForm.client.fault(attribute, bytes)
        {
            report.report(106, line.number, "\(bytes.excerpt(name)) is \(quoted(attribute, bytes)), \(fault)")
        }
    }

    /// Whether players read the value all the same: URIs and byte ranges without quotes, words within them, NO.
    private func bearable(
        _ attribute: AttributeScanner.Attribute, _ definition: AttributeDefinition, _ bytes: Span<UInt8>
    ) -> Bool {
        switch definition.form {
        case .quoted: bytes.equals("URI", in: attribute.name) && !attribute.value.isEmpty
        case .byteRange: bytes.isByteRange(attribute.value)
        case .enumerated, .hexadecimal:
            attribute.isQuoted && !attribute.value.isEmpty || bytes.equals("NO", in: attribute.value)
        default: false
        }
    }

    private func quoted(_ attribute: AttributeScanner.Attribute, _ bytes: Span<UInt8>) -> String {
        attribute.isQuoted ? "\"\(bytes.excerpt(attribute.value))\"" : "'\(bytes.excerpt(attribute.value))'"
    }

    // MARK: URIs

    private func isURI(_ attribute: AttributeScanner.Attribute, _ bytes: Span<UInt8>) -> Bool {
        ["URI", "X-ASSET-URI", "X-ASSET-LIST", "X-URI", "SERVER-URI"].contains { (name: StaticString) in
            bytes.equals(name, in: attribute.name)
        }
    }

    private func checkURI(
        _ attribute: AttributeScanner.Attribute, of line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport
    ) {
        if attribute.value.isEmpty {
            report.report(112, line.number, "\(bytes.excerpt(attribute.name)) is empty")
        } else if attribute.value.contains(where: { bytes[$0].isBlank }) {
            let uri = bytes.excerpt(attribute.value)
            report.report(112, line.number, "blanks in \(bytes.excerpt(attribute.name)) \"\(uri)\"")
        }
    }
}

extension UInt8 {
    /// A-Z, 0-9 and hyphen.
    fileprivate var isAttributeName: Bool { isDigit || self == 0x2D || self &- 0x41 < 26 }
}
