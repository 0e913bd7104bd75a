/// Rules of EXT-X-PART: 1001-1003, 1009, 1012.
struct PartLint: LintCheck {
    private var target: Duration?
    private var informationLine = 0
    private var hasPartHoldBack = false
    private var firstPartLine = 0
    /// The part before of the same segment, whose length depends on what follows.
    private var previous: Part?
    private var sum = Duration.zero
    private var count = 0
    private var hasPartedSegment = false
    /// The first segment with parts if they do not add up to it: its first parts may have left.
    private var shortFirst: (line: Int, sum: Duration, duration: Duration)?
    /// The time that is listed behind that segment.
    private var behindFirst = Duration.zero
    private let targetDuration: Duration?
    private var segmentDuration: Duration?

    private struct Part {
        var duration: Duration
        var line: Int
        var isExempt: Bool
    }

    init(_ playlist: MediaPlaylist) {
        targetDuration = playlist.targetDuration.flatMap { $0 <= 1_000_000_000 ? .seconds($0) : nil }
        target = playlist.partInformation?.partTarget.flatMap { $0 <= .seconds(1_000_000) ? $0 : nil }
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .partInformation: if informationLine == 0 { informationLine = line.number }
        case .serverControl: hasPartHoldBack = hasPartHoldBack || line.attribute("PART-HOLD-BACK", bytes) != nil
        case .part: readPart(line, bytes, &report)
        case .discontinuity, .key, .map, .programDateTime:
            // Behind EXTINF it is late as well, but that tag ends the parts of its segment.
            if count > 0 {
                report.report(1012, line.number, "\(bytes.tagName(line.place)) behind an EXT-X-PART of its segment")
            }
        case .segmentDuration: segmentDuration = line.segmentDuration(bytes)
        case .uri:
            if let duration = segmentDuration { finishSegment(duration, line.number, &report) }
            segmentDuration = nil
        default: break
        }
    }

    private mutating func readPart(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if firstPartLine == 0 { firstPartLine = line.number }
        let isGap = line.isYes("GAP", bytes)
        // One before a gap may be as short as it is.
        if !isGap { checkShort(&report) }
        previous = nil
        count += 1
        guard let duration = line.duration("DURATION", bytes) else { return }
        sum += min(max(duration, .zero), .seconds(1_000_000))
        if let target, duration > target {
            report.report(
                1002, line.number,
                "EXT-X-PART of \(DecimalText.text(duration)) s, above the part target \(DecimalText.text(target))")
        }
        previous = Part(
            duration: min(duration, .seconds(1_000_000)), line: line.number,
            isExempt: isGap || line.isYes("INDEPENDENT", bytes))
    }

    /// The last part of a segment may be short; so what was the last so far is looked at when another follows.
    private func checkShort(_ report: inout LintReport) {
        guard let previous, let target, !previous.isExempt, previous.duration * 100 < target * 85 else { return }
        report.report(
            1003, previous.line,
            "EXT-X-PART of \(DecimalText.text(previous.duration)) s, below 85 % of the part target "
                + DecimalText.text(target))
    }

    private mutating func finishSegment(_ duration: Duration, _ line: Int, _ report: inout LintReport) {
        defer {
            previous = nil
            sum = .zero
            count = 0
        }
        if hasPartedSegment { behindFirst += min(max(duration, .zero), .seconds(1_000_000_000)) }
        guard count > 0 else { return }
        defer { hasPartedSegment = true }
        let tolerance = Duration.milliseconds(5) * count
        if sum + tolerance < duration, !hasPartedSegment {
            shortFirst = (line, sum, duration)
        } else if sum + tolerance < duration || sum > duration + tolerance {
            reportSum(sum, of: duration, line, &report)
        }
    }

    private func reportSum(_ sum: Duration, of duration: Duration, _ line: Int, _ report: inout LintReport) {
        report.report(
            1009, line, "the parts have \(DecimalText.text(sum)) s, their segment \(DecimalText.text(duration))",
            severity: .warning)
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        // Parts may leave that are three target durations from the end; those of a newer segment are all there.
        if let shortFirst, let targetDuration, behindFirst + shortFirst.sum + sum < targetDuration * 3 {
            reportSum(shortFirst.sum, of: shortFirst.duration, shortFirst.line, &report)
        }
        if firstPartLine != 0, informationLine == 0 {
            report.report(1001, firstPartLine, "EXT-X-PART without EXT-X-PART-INF")
        }
        if informationLine != 0, !hasPartHoldBack {
            report.report(1001, informationLine, "EXT-X-PART-INF without PART-HOLD-BACK in EXT-X-SERVER-CONTROL")
        }
    }
}
