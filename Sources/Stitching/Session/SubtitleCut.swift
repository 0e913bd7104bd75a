import HLS

/// The place of a pod in a subtitle rendition whose segments do not end where the pod begins: the segment is cut there, so that
/// what follows is as late as in video, and no later (rules 508, 1115).
///
/// Only text files of their own can be cut. A boundary near by is taken as it is where the pod would begin earlier, or the content
/// return later, by less than one sees; not where dates would run back for it.
extension RenditionPlacer {
    static let cutTolerance = Duration.milliseconds(500)

    /// The rendition holds subtitles that the server can cut.
    var canCut: Bool {
        guard case .emptySubtitles? = model.pod.firstMatch(for: rendition.key) else { return false }
        return rendition.segments.last?.canBeCut ?? false
    }

    /// The segment within which a time lies, further than `lead` from its start, or from where content last came back, and `tail`
    /// from its end.
    func segmentToCut(at time: DateTime, from first: Int64, lead: Duration, tail: Duration) -> LedgerSegment? {
        guard canCut else { return nil }
        let index = rendition.index(covering: time)
        guard index < rendition.segments.count else { return nil }
        let segment = rendition.segments[index]
        // The far side of an origin's discontinuity, before which the leading rendition comes back, is not near.
        let next = index + 1 < rendition.segments.count ? rendition.segments[index + 1] : nil
        let back = model.end.flatMap(leading.segment(numbered:))
        let isBeyond = next.flatMap { next in back.map { next.discontinuity > $0.discontinuity } } ?? false
        let tail = isBeyond ? min(tail, Placement.dateTolerance) : tail
        let start = segment.number == plan.lastEnd ? plan.lastEndTime ?? segment.time : segment.time
        guard segment.number >= first, segment.canBeCut, start.advanced(by: lead) < time,
            time < segment.end.advanced(by: .zero - tail)
        else { return nil }
        return segment
    }

    /// Nil where the segment that covers the break's start needs no cut, or is not known.
    func placementInside() -> Placement? {
        if canCut, let end = plan.lastEnd, let time = plan.lastEndTime,
            model.startTime < time.advanced(by: Self.cutTolerance)
        {
            // So little would be left of the content between two pods that the second follows on the first.
            return placement(at: end)
        }
        guard model.startTags > 0,
            let segment = segmentToCut(
                at: startEdge, from: plan.lastEnd ?? .min, lead: Self.cutTolerance, tail: Placement.dateTolerance)
        else { return nil }
        let offset = segment.time.duration(to: startEdge).inMilliseconds
        let before = segment.discontinuity &+ plan.discontinuityOffset
        // The leading rendition's starts at an origin's discontinuity that stands before this segment here: so does the pod.
        guard before < model.firstDiscontinuity else { return nil }
        let joint = joint(after: before, start: segment.number &+ 1)
        return Placement(
            SessionPlan.PlannedPod(contentBreak: standIn, pod: model.pod), fill: fill, plan: plan,
            start: segment.number &+ 1, startTime: segment.time.advanced(by: offset),
            startDate: segment.date?.advanced(by: offset), dateShortening: model.dateShortening,
            firstDiscontinuity: joint.number, startTags: joint.tags, isJoined: false, skipped: joint.skipped,
            startsInside: true)
    }

    /// The return within a segment; nil where none is to be cut.
    func closedInside(_ open: Placement, length: Duration) -> Placement? {
        guard open.startsInside || canCut else { return nil }
        let first = open.startsInside ? open.start &- 1 : open.start
        let ideal = open.startTime.advanced(by: length + open.drift - model.driftAfter)
        // Not before the pod's dates end, also where a segment begins a little before that.
        let earliest = open.startTime.advanced(by: open.dated(length) - Placement.dateTolerance)
        let target = max(ideal, earliest)
        let lead = ideal < earliest ? Duration.zero : Placement.dateTolerance
        guard
            let segment = segmentToCut(
                at: target, from: first, lead: lead, tail: Self.cutTolerance)
        else { return nil }
        guard !comesBackBehindDiscontinuity(segment, target: target, earliest: earliest) else { return nil }
        let offset = segment.time.duration(to: target).inMilliseconds
        let time = segment.time.advanced(by: offset)
        return open.closed(
            at: segment.number, within: time, discontinuity: segment.discontinuity,
            endTags: endTags(open, segment.discontinuity),
            driftAfter: open.drift + length - open.startTime.duration(to: time), inserted: .zero)
    }

    /// The leading rendition comes back at an origin's discontinuity, or behind it: so does this one, and not within a segment before
    /// it, which without dates may seem to last until later. It may still come; but not for ever.
    private func comesBackBehindDiscontinuity(
        _ segment: LedgerSegment, target: DateTime, earliest: DateTime
    ) -> Bool {
        guard let back = model.end.flatMap(leading.segment(numbered:)),
            segment.discontinuity < back.discontinuity, let last = rendition.segments.last
        else { return false }
        if let time = rendition.time(ofDiscontinuity: back.discontinuity) { return time >= earliest }
        return last.discontinuity < back.discontinuity
            && last.end <= target.advanced(by: rendition.targetDuration * 2)
    }

    /// Behind an insertion within a segment its rest goes on; so it does behind one that stands where the pod before it has ended
    /// within a segment.
    func closedInsertionInside(_ open: Placement, inserted: Duration) -> Placement? {
        let number = open.startsInside ? open.start &- 1 : open.start
        guard open.startsInside || open.isJoined && plan.lastEnd == open.start && plan.lastEndTime != nil,
            let segment = rendition.segment(numbered: number)
        else { return nil }
        return open.closed(
            at: segment.number, within: open.startTime, discontinuity: segment.discontinuity,
            endTags: endTags(open, segment.discontinuity), driftAfter: open.drift + fill.duration - inserted,
            inserted: inserted)
    }
}
