import HLS

@testable import Stitching

/// The bounds of the timeline: how far a session may be from the origin's time, and its renditions from each other.
struct TimelineBounds {
    let session: StitchingSession
    let ledger: BreakLedger
    let origin: SimulatedOrigin

    func check(_ answer: StitchedPlaylist, _ key: RenditionKey) throws {
        try checkDrift()
        guard key == ledger.leading else { return }
        try checkRelease(answer)
        try checkLength(answer)
    }

    /// Item 11: three target durations are listed wherever a pod is, but for one that begins with the session, or was decided ahead of a
    /// time at which nobody watched.
    private func checkLength(_ answer: StitchedPlaylist) throws {
        guard let start = session.start, let join = start.joinEdge, !answer.hasEnded,
            let leading = ledger.renditions[ledger.leading],
            leading.hasSlid || leading.playlistType != .event, !leading.hasEnded, leading.gaps.isEmpty
        else { return }
        let listed = answer.entries.reduce(Duration.zero) { $0 + $1.duration }
        for entry in answer.entries {
            guard case .fill(let reference) = entry.source else { continue }
            if start.unstitched != nil {
                throw TimelineRun.Violation(rule: "item 11", text: "\(reference) in a session that is not stitched")
            }
            if entry.time >= join, reference.breakID != .preroll, listed < start.targetDuration * 3 {
                throw TimelineRun.Violation(
                    rule: "item 11",
                    text: "\(reference) in \(listed)\n\(String(decoding: answer.bytes, as: UTF8.self))")
            }
        }
    }

    /// D of the leading rendition, and audio against video.
    private func checkDrift() throws {
        guard let leading = session.plan.renditions[ledger.leading] else { return }
        let bound = origin.segmentDuration + .milliseconds(60)
        if leading.drift > bound {
            throw TimelineRun.Violation(
                rule: "bound", text: "D = \(leading.drift), segment \(origin.segmentDuration)")
        }
        for (key, plan) in session.plan.renditions where key != ledger.leading && plan.nextPod == leading.nextPod {
            let difference = plan.drift - leading.drift
            let grid = origin[key].map { $0.segments.map(\.duration).max() ?? .zero } ?? .zero
            // Segments of ads count: a pod that is made of longer ones comes no nearer to the leading rendition's than half of one, and
            // where the dates of its entries end just behind a boundary, the content comes back with the next.
            let entry = plan.placements.map { $0.pod.fill(for: key).longestEntry }.max() ?? .zero
            let limit = max(grid, origin.segmentDuration, entry) * 2 + .milliseconds(200)
            guard difference.magnitude <= limit else {
                throw TimelineRun.Violation(
                    rule: "bound", text: "\(key) is \(difference) from the leading rendition, segments \(grid)")
            }
        }
    }

    /// Item 5: what is listed behind a content segment is no longer than the time the origin has had since, but for D before or behind the
    /// breaks, and what the dates of an open pod run slower. Entries do not wait for D: five in a thousand timelines would then break rule
    /// 310, as the one in ``ReleaseTests``.
    private func checkRelease(_ answer: StitchedPlaylist) throws {
        guard !answer.hasEnded, let edge = ledger.heldEdge, let plan = session.plan.renditions[ledger.leading],
            let first = answer.entries.firstIndex(where: { if case .content = $0.source { true } else { false } })
        else { return }
        let listed = answer.entries[first...].reduce(Duration.zero) { $0 + $1.duration }
        let passed = answer.entries[first].time.duration(to: edge)
        let drifts = plan.placements.flatMap { [$0.drift, $0.driftAfter] } + [plan.drift]
        // A pod whose return is still to come may end so much ahead as its dates run slower.
        let open = plan.placements.filter { $0.end == nil }.map { $0.pod.duration - $0.dated($0.pod.duration) }.max()
        let largest = max(drifts.max() ?? .zero, .zero) - min(drifts.min() ?? .zero, .zero) + (open ?? .zero)
        // Two dates tell how much has passed, and two more how far D is from where it was.
        let jitter = Duration.milliseconds(1 + (origin.scenario.origin.dateJitter ?? 0) * 4)
        if listed > passed + largest + jitter {
            throw TimelineRun.Violation(
                rule: "item 5", text: "\(listed) listed in \(passed), D spans \(largest)")
        }
    }
}

/// What an answer may break of the rules over reloads, and why.
struct ReloadExcuses {
    /// Nothing was ever seen of what comes before the first entry: ``ListableEntries/isWhole(before:in:)``.
    let isWhole: Bool
    /// Nothing is due behind the last entry: ``ListableEntries/missing(behind:in:)``.
    let isNewest: Bool
    /// The list begins behind what this viewer was shown: there nothing was ever seen, or the origin's window went on while the viewer did
    /// not ask.
    let isBehind: Bool

    /// Ads are listed whose place the ledger has forgotten.
    let isForgotten: Bool

    init(
        _ ledger: RenditionLedger, isWhole: Bool, isNewest: Bool, answer: StitchedPlaylist,
        before: (number: Int64, end: DateTime)?
    ) {
        self.isWhole = isWhole
        self.isNewest = isNewest
        let listed = answer.entries.first?.time
        isForgotten = ledger.segments.first.map { first in listed.map { $0 < first.time } ?? false } ?? false
        isBehind =
            before.map { before in
                guard let first = answer.entries.first, first.number > before.number &+ 1 else { return false }
                return isWhole || ledger.windowStartTime.map { before.end <= $0 } ?? false
            } ?? false
    }

    /// Nil where nothing excuses it.
    func excuse(for finding: PlaylistFinding) -> Excuse? {
        switch finding.rule {
        case 309: isWhole ? .nothingBefore : nil
        case 310: isNewest ? .nothingDue : nil
        case 405: isBehind ? .notSeenBetween : nil
        case 819: isForgotten ? .forgottenPlace : nil
        default: nil
        }
    }
}
