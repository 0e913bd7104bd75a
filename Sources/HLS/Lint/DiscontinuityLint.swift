/// Rules of EXT-X-DISCONTINUITY: 505-507.
struct DiscontinuityLint: LintCheck {
    private var count = 0
    private var firstLine = 0
    private var mapLine = 0
    private var pendingMap: (uri: Range<Int>, range: Range<Int>?)?
    private var map: (uri: Range<Int>, range: Range<Int>?)?
    private var format = MediaFormat.unknown
    private var duration: Duration?
    private var date: (date: DateTime, line: Int)?
    /// The date at which the next segment begins if time goes on.
    private var expected: DateTime?
    private var hasSegment = false
    /// Whether a partial segment follows the discontinuity.
    private var hasPart = false

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .discontinuity:
            count += 1
            hasPart = false
            if firstLine == 0 { firstLine = line.number }
            if count == 2 { report.report(506, line.number, "two EXT-X-DISCONTINUITY for one segment") }
        case .map:
            pendingMap = (line.attribute("URI", bytes)?.value ?? 0..<0, line.attribute("BYTERANGE", bytes)?.value)
            mapLine = line.number
        case .programDateTime:
            if let value = DateTime(bytes, in: line.value) { date = (value, line.number) }
        case .segmentDuration: duration = line.segmentDuration(bytes) ?? .zero
        case .uri: readSegment(line, bytes, &report)
        case .part, .preloadHint: hasPart = true
        default: break
        }
    }

    private mutating func readSegment(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard let duration else { return }
        let newFormat = MediaFormat(bytes, uri: line.place.range)
        if count == 0, hasSegment {
            if newFormat != .unknown, format != .unknown, newFormat != format {
                report.report(
                    505, line.number,
                    "from \(format.name) to \(newFormat.name) without EXT-X-DISCONTINUITY")
            }
            if let pendingMap, let map, !areEqual(pendingMap, map, bytes) {
                // The new init section may describe the same tracks.
                report.report(
                    505, mapLine, "another EXT-X-MAP without EXT-X-DISCONTINUITY", severity: .warning)
            }
            if let date, let expected, expected.duration(to: date.date) >= .seconds(1) {
                // A cut shows in the timestamps too, unless the dates alone are wrong.
                let gap = DecimalText.text(expected.duration(to: date.date), fractionDigits: 3)
                report.report(
                    505, date.line, "the date goes \(gap) s ahead without EXT-X-DISCONTINUITY", severity: .warning)
            }
        }
        if let pendingMap { map = pendingMap }
        if newFormat != .unknown { format = newFormat }
        if let date { expected = date.date }
        expected = expected?.advanced(by: max(duration, .zero))
        pendingMap = nil
        date = nil
        self.duration = nil
        count = 0
        firstLine = 0
        hasSegment = true
    }

    private func areEqual(
        _ left: (uri: Range<Int>, range: Range<Int>?), _ right: (uri: Range<Int>, range: Range<Int>?),
        _ bytes: Span<UInt8>
    ) -> Bool {
        bytes.areEqual(left.uri, right.uri) && bytes.areEqual(left.range ?? 0..<0, right.range ?? 0..<0)
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard count != 0, !hasPart else { return }
        report.report(507, firstLine, "EXT-X-DISCONTINUITY without a segment after it")
    }
}
