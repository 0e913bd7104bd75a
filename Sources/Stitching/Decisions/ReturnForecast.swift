import HLS

/// Foresees where the content can come back after a pod, and how the pod's dates have to run for that.
struct ReturnForecast {
    /// Where a pod would end.
    struct Outcome {
        /// The length of what is replaced.
        var replaced: Duration
        /// D behind the break.
        var driftAfter: Duration
        /// In millionths.
        var dateShortening: Int64
    }

    /// D before the break.
    let drift: Duration
    /// Of the content around the break.
    private(set) var segment = Duration.seconds(1)
    private let start: DateTime
    private let leading: RenditionLedger?
    /// Index of the first segment that is replaced.
    private var first = 0
    /// From the start of the break to the end of what is known.
    private var known = Duration.zero
    private let planned: Duration?

    init(_ opportunity: Opportunity, session: StitchingSession, ledger: BreakLedger) {
        drift = session.plan.renditions[ledger.leading]?.drift ?? .zero
        start = opportunity.start
        planned = opportunity.plannedDuration
        leading = ledger.renditions[ledger.leading]
        guard let leading, let last = leading.segments.last else { return }
        first = leading.index(atOrAfter: opportunity.startNumber ?? last.number)
        let before = first > 0 && first <= leading.segments.count ? leading.segments[first - 1] : last
        segment = max(before.duration, .milliseconds(100))
        known = max(start.duration(to: last.end), .zero)
    }

    /// Nil where no boundary brings playback back close enough.
    func outcome(length: Duration, longestEntry: Duration) -> Outcome? {
        guard length > .zero else { return nil }
        let limit = DateShortening.limit(longestEntry: longestEntry)
        let earliest = Placement.dated(length, shortening: limit) - Placement.dateTolerance
        let ideal = length + drift
        let allowed = (boundaries(near: ideal) + boundaries(near: earliest)).filter { $0 > .zero && $0 >= earliest }
        guard let best = allowed.min(by: { ($0 - ideal).magnitude < ($1 - ideal).magnitude }) else { return nil }
        let owed = max(drift.magnitude, segment / 2)
        guard (best - ideal).magnitude <= owed + .milliseconds(1) else { return nil }
        return Outcome(
            replaced: best, driftAfter: ideal - best,
            dateShortening: min(max(length - best - Placement.dateTolerance, .zero).millionths(of: length), limit))
    }

    /// The first boundary at or after a time from the start of the break.
    func boundary(from offset: Duration) -> Duration? {
        (boundaries(near: offset) + boundaries(near: offset + segment)).filter { $0 > .zero && $0 >= offset }.min()
    }

    /// The boundaries on both sides of a time from the start of the break, ascending. What is not known yet is taken to be like what
    /// was, with a boundary at the planned end.
    private func boundaries(near offset: Duration) -> [Duration] {
        guard let leading else { return [] }
        var result: [Duration] = []
        let index = leading.index(covering: start.advanced(by: offset))
        for place in max(index - 1, first + 1)..<max(index + 3, first + 1) where place < leading.segments.count {
            result.append(start.duration(to: leading.segments[place].time))
        }
        if leading.hasEnded { return result + [known] }
        if let planned, planned > known { result.append(planned) }
        let passed = max(offset - known, .zero).nanosecondCount / max(segment.nanosecondCount, 1)
        let count = Int(clamping: min(passed, 10_000_000))
        result += [known + segment * count, known + segment * (count + 1)]
        return result.sorted()
    }
}
