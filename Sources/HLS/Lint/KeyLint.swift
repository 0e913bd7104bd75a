/// Rules of EXT-X-KEY: 604.
struct KeyLint: LintCheck {
    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard line.kind == .key else { return }
        if let iv = line.attribute("IV", bytes), iv.value.count != 34 {
            report.report(604, line.number, "IV without 32 hexadecimal digits", severity: .warning)
        }
    }
}
