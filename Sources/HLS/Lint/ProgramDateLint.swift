/// Rules of EXT-X-PROGRAM-DATE-TIME: 801-803.
struct ProgramDateLint: LintCheck {
    /// Whether any segment has a date.
    private let usesDates: Bool
    private var date: (date: DateTime, line: Int)?
    private var discontinuityLine = 0
    private var expected: DateTime?
    private var duration: Duration?
    private var wholeSecondsLine = 0

    init(_ playlist: MediaPlaylist) {
        usesDates = playlist.hasProgramDateTime
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .programDateTime: readDate(line, bytes, &report)
        case .discontinuity: if discontinuityLine == 0 { discontinuityLine = line.number }
        case .segmentDuration: duration = line.segmentDuration(bytes) ?? .zero
        case .uri: readSegment(&report)
        default: break
        }
    }

    private mutating func readDate(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard let date = DateTime(bytes, in: line.value) else {
            report.report(801, line.number, "\"\(bytes.excerpt(line.value))\" is no date")
            return
        }
        if let previous = self.date {
            let isSame = previous.date == date
            report.report(
                802, line.number,
                "a second date for one segment, \(isSame ? "the" : "not the") same as in line \(previous.line)",
                severity: isSame ? .warning : .error)
        }
        self.date = (date, line.number)
        let text = bytes.trimmed(line.value)
        guard let time = bytes.startOfTime(text) else {
            report.report(801, line.number, "a date without a time")
            return
        }
        if bytes[time] | 0x20 != 0x74 {
            report.report(801, line.number, "date and time without T between them", severity: .warning)
        }
        if !bytes.hasZone(time..<text.upperBound) {
            report.report(801, line.number, "a date without a time zone", severity: .warning)
        }
        if wholeSecondsLine == 0, !text.contains(where: { bytes[$0] == 0x2E || bytes[$0] == 0x2C }) {
            wholeSecondsLine = line.number
            report.report(801, line.number, "a date without milliseconds", severity: .warning)
        }
    }

    private mutating func readSegment(_ report: inout LintReport) {
        guard let duration else { return }
        if let date, let expected {
            let overlap = date.date.duration(to: expected)
            if overlap >= .seconds(1) {
                let text = DecimalText.text(overlap, fractionDigits: 3)
                report.report(802, date.line, "the date is \(text) s before the end of the segment before")
            }
        }
        if usesDates, discontinuityLine != 0, date == nil {
            report.report(803, discontinuityLine, "EXT-X-DISCONTINUITY without EXT-X-PROGRAM-DATE-TIME")
        }
        if let date { expected = date.date }
        expected = expected?.advanced(by: max(duration, .zero))
        self.duration = nil
        date = nil
        discontinuityLine = 0
    }
}

extension Span<UInt8> {
    /// Where the time of day begins, with what stands between it and the date; nil for a date alone.
    func startOfTime(_ date: Range<Int>) -> Int? {
        let start = date.lowerBound + 10
        return start < date.upperBound ? start : nil
    }

    /// Whether a time of day ends with a zone.
    func hasZone(_ range: Range<Int>) -> Bool {
        range.contains { self[$0] | 0x20 == 0x7A || self[$0] == 0x2B || self[$0] == 0x2D }
    }
}
