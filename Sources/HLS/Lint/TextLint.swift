/// Rules of characters and blanks, in either kind of playlist: 102 and 104.
struct TextLint: LintCheck {
    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if line.number == 1, bytes.matches("\u{FEFF}", at: 0) { report.report(102, 1, "byte order mark") }
        checkBlanks(line, bytes, &report)
        checkCharacters(line, bytes, &report)
    }

    /// Players take blanks away; hence warnings.
    private func checkBlanks(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let full = line.place.fullRange
        let range = line.place.range
        if line.kind == .blank {
            if full.contains(where: { bytes[$0].isBlank }) {
                report.report(104, line.number, "a line of blanks", severity: .warning)
            }
            return
        }
        if range.lowerBound != full.lowerBound {
            report.report(104, line.number, "blanks before the line", severity: .warning)
        }
        // Blanks at the end of a title, a comment or a private tag are part of it.
        let isFree = line.kind == .comment || line.kind == .unknownTag || line.kind.isAdMarker
        if !isFree, line.kind != .segmentDuration || bytes.firstIndex(of: 0x2C, in: line.value) == nil,
            range.upperBound < full.upperBound, bytes[range.upperBound].isBlank
        {
            report.report(104, line.number, "blanks at the end of the line", severity: .warning)
        }
        if line.kind.isStandardTag, let colon = bytes.firstIndex(of: 0x3A, in: range), colon + 1 < range.upperBound,
            bytes[colon + 1].isBlank
        {
            report.report(104, line.number, "blanks after \(bytes.tagName(line.place)):", severity: .warning)
        }
    }

    private func checkCharacters(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        var isPlain = true
        var hasTab = false
        var control: UInt8?
        var hasLoneReturn = false
        let range = line.place.fullRange
        for position in range {
            let byte = bytes[position]
            if byte >= 0x80 {
                isPlain = false
            } else if byte < 0x20 || byte == 0x7F {
                switch byte {
                case 0x0A: break
                case 0x0D:
                    if position + 1 >= bytes.count || bytes[position + 1] != 0x0A { hasLoneReturn = true }
                case 0x09: hasTab = hasTab || !isAllowedTab(position, line, bytes)
                default: control = control ?? byte
                }
            }
        }
        if hasLoneReturn { report.report(102, line.number, "a carriage return without a line feed after it") }
        // Tabs in titles are met, and taken for blanks.
        if hasTab { report.report(102, line.number, "a tab", severity: .warning) }
        if let control { report.report(102, line.number, "control character \(Unicode.Scalar(control).excerpt)") }
        if !isPlain { checkUnicode(range, line.number, bytes, &report) }
    }

    /// The list of EXT-X-SKIP is divided by tabs.
    private func isAllowedTab(_ position: Int, _ line: LintLine, _ bytes: Span<UInt8>) -> Bool {
        guard line.kind == .skip, let list = line.attribute("RECENTLY-REMOVED-DATERANGES", bytes) else { return false }
        return list.isQuoted && list.value.contains(position)
    }

    private func checkUnicode(
        _ range: Range<Int>, _ number: Int, _ bytes: Span<UInt8>, _ report: inout LintReport
    ) {
        let copy = bytes.extracting(range).withUnsafeBufferPointer { Array($0) }
        guard let text = String(validating: copy, as: UTF8.self) else {
            report.report(102, number, "not UTF-8")
            return
        }
        for scalar in text.unicodeScalars {
            if scalar.value == 0xFEFF { report.report(102, number, "a byte order mark inside the text") }
            if (0x80...0x9F).contains(scalar.value) {
                report.report(102, number, "control character \(scalar.excerpt)")
            }
        }
        // Names that an operating system has taken apart are met; players compare and send what stands there.
        if let reason = NormalForm.fault(text) {
            report.report(102, number, "not in normal form C: \(reason)", severity: .warning)
        }
    }
}
