/// Rules of EXTINF: 303-305.
struct DurationLint: LintCheck {
    private let version: Int
    private let target: Int?
    private var pendingLine = 0

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
            if pendingLine == 0 { report.report(304, line.number, "URI without EXTINF") }
            pendingLine = 0
        default: break
        }
    }

    private func readDuration(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let comma = bytes.firstIndex(of: 0x2C, in: line.value)
        if comma == nil { report.report(304, line.number, "EXTINF without comma", severity: .warning) }
        let number = bytes.trimmed(line.value.lowerBound..<(comma ?? line.value.upperBound))
        guard let duration = DecimalText.duration(bytes, in: number) else {
            report.report(304, line.number, "EXTINF without a readable number")
            return
        }
        if duration < .zero { report.report(304, line.number, "EXTINF \(bytes.excerpt(number)) is negative") }
        if version < 3, duration.components.attoseconds != 0 {
            report.report(305, line.number, "EXTINF \(bytes.excerpt(number)) below version 3", severity: .warning)
        }
        if let target, duration.roundedSeconds > target {
            report.report(
                303, line.number,
                "EXTINF \(bytes.excerpt(number)) rounds to \(duration.roundedSeconds), above the target duration \(target)"
            )
        }
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if pendingLine != 0 { report.report(304, pendingLine, "EXTINF without URI") }
    }
}
