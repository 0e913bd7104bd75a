/// Rules of EXTINF: 303-305.
struct DurationLint: LintCheck {
    private let version: Int
    private let target: Int?
    private var pendingLine = 0
    private var hasDecimals = false
    private var hasRounded = false

    init(_ playlist: MediaPlaylist) {
        version = playlist.version
        target = playlist.targetDuration
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .segmentDuration:
            if pendingLine != 0 { report.report(304, line.number, "EXTINF twice for one segment") }
            pendingLine = line.number
            readDuration(line, bytes, &report)
        case .uri:
            if pendingLine == 0 { report.report(304, line.number, "a URI without EXTINF") }
            pendingLine = 0
        default: break
        }
    }

    private mutating func readDuration(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let comma = bytes.firstIndex(of: 0x2C, in: line.value)
        // Players do without it.
        if comma == nil { report.report(304, line.number, "EXTINF without a comma", severity: .warning) }
        let number = bytes.trimmed(line.value.lowerBound..<(comma ?? line.value.upperBound))
        guard let duration = DecimalText.duration(bytes, in: number) else {
            report.report(304, line.number, "EXTINF \"\(bytes.excerpt(number))\" is no number")
            return
        }
        if duration < .zero { report.report(304, line.number, "EXTINF \(bytes.excerpt(number)) is negative") }
        if bytes[number.lowerBound] == 0x2B { report.report(304, line.number, "EXTINF with a plus sign") }
        if version < 3, !hasDecimals, bytes.firstIndex(of: 0x2E, in: number) != nil {
            hasDecimals = true
            // Players read decimals whatever the version says.
            report.report(
                305, line.number, "EXTINF \(bytes.excerpt(number)) needs version 3, not \(version)", severity: .warning)
        }
        checkTarget(duration, number, line, bytes, &report)
    }

    private mutating func checkTarget(
        _ duration: Duration, _ number: Range<Int>, _ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport
    ) {
        guard let target, duration > .seconds(target) else { return }
        if duration.roundedSeconds > target {
            report.report(
                303, line.number,
                "EXTINF \(bytes.excerpt(number)) rounds to \(duration.roundedSeconds), above the target duration \(target)"
            )
        } else if version < 6, !hasRounded {
            hasRounded = true
            // RFC 8216 rounds in every version, and so do players: said once.
            report.report(
                303, line.number,
                "EXTINF \(bytes.excerpt(number)) is above the target duration \(target), and is rounded since version 6",
                severity: .warning)
        }
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if pendingLine != 0 { report.report(304, pendingLine, "EXTINF without a URI") }
    }
}
