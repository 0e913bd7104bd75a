import HLS

/// The place of a pod in a subtitle rendition whose segments do not end where the pod begins: the segment is cut there, so that
/// what follows is as late as in video, and no later (rules 508, 1115).
///
/// Only text files of their own can be cut; a boundary so near that nobody sees the difference is taken as it is.
extension RenditionPlacer {
    static let cutTolerance = Duration.milliseconds(500)

    /// The rendition holds subtitles that the server can cut.
    var canCut: Bool {
        guard case .emptySubtitles? = model.pod.firstMatch(for: rendition.key) else { return false }
        return rendition.segments.last?.canBeCut ?? false
    }

    /// The segment within which a time lies, further than a little from either boundary, and not before where content last came
    /// back.
    func segmentToCut(at time: DateTime, from first: Int64) -> LedgerSegment? {
        guard canCut else { return nil }
        let index = rendition.index(covering: time)
        guard index < rendition.segments.count else { return nil }
        let segment = rendition.segments[index]
        let start = segment.number == plan.lastEnd ? plan.lastEndTime ?? segment.time : segment.time
        guard segment.number >= first, segment.canBeCut,
            start.advanced(by: Self.cutTolerance) < time, time < segment.end.advanced(by: .zero - Self.cutTolerance)
        else { return nil }
        return segment
    }

    /// Nil where the segment that covers the break's start needs no cut, or is not known.
    func placementInside() -> Placement? {
        guard model.startTags > 0, let segment = segmentToCut(at: model.startTime, from: plan.lastEnd ?? .min) else {
            return nil
        }
        let offset = segment.time.duration(to: model.startTime).inMilliseconds
        let joint = joint(after: segment.discontinuity &+ plan.discontinuityOffset, start: segment.number &+ 1)
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
        let target = open.startTime.advanced(by: length + open.drift - model.driftAfter)
        guard let segment = segmentToCut(at: target, from: first) else { return nil }
        let offset = segment.time.duration(to: target).inMilliseconds
        let time = segment.time.advanced(by: offset)
        return open.closed(
            at: segment.number, within: time, discontinuity: segment.discontinuity,
            endTags: endTags(open, segment.discontinuity),
            driftAfter: open.drift + length - open.startTime.duration(to: time), inserted: .zero)
    }

    /// Behind an insertion within a segment its rest goes on.
    func closedInsertionInside(_ open: Placement, inserted: Duration) -> Placement? {
        guard open.startsInside, let segment = rendition.segment(numbered: open.start &- 1) else { return nil }
        return open.closed(
            at: segment.number, within: open.startTime, discontinuity: segment.discontinuity,
            endTags: endTags(open, segment.discontinuity), driftAfter: open.drift + fill.duration - inserted,
            inserted: inserted)
    }
}
