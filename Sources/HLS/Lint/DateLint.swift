/// Rules of EXT-X-PROGRAM-DATE-TIME and EXT-X-DATERANGE: 801, 812, 817.
struct DateLint: LintCheck {
    private var hasDate = false
    private var dateRangeLine = 0

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .programDateTime:
            if DateTime(bytes, in: line.value) == nil {
                report.report(801, line.number, "unreadable date \"\(bytes.excerpt(line.value))\"")
            } else {
                hasDate = true
            }
        case .dateRange:
            if dateRangeLine == 0 { dateRangeLine = line.number }
            for attribute in line.attributes
            where attribute.isQuoted && bytes.matches("SCTE35-", at: attribute.name.lowerBound) {
                report.report(817, line.number, "SCTE-35 section in quotes", severity: .warning)
            }
        default: break
        }
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard dateRangeLine != 0, !hasDate else { return }
        report.report(812, dateRangeLine, "EXT-X-DATERANGE without any EXT-X-PROGRAM-DATE-TIME")
    }
}
