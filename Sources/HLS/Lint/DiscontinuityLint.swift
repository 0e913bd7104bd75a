/// Rules of EXT-X-DISCONTINUITY: 506, 507.
struct DiscontinuityLint: LintCheck {
    private let isLowLatency: Bool
    private var count = 0
    private var lastLine = 0
    private var hasDuration = false

    init(_ playlist: MediaPlaylist) {
        isLowLatency = playlist.isLowLatency
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .discontinuity:
            count += 1
            lastLine = line.number
            if count == 2 { report.report(506, line.number, "two EXT-X-DISCONTINUITY for one segment") }
        case .segmentDuration: hasDuration = true
        case .uri where hasDuration:
            count = 0
            hasDuration = false
        default: break
        }
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard count != 0, !isLowLatency else { return }
        report.report(507, lastLine, "EXT-X-DISCONTINUITY without a segment after it", severity: .note)
    }
}
