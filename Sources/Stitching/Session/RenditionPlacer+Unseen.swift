import HLS

/// The place of a pod in a rendition that was not watched where it begins, or while it lasts.
extension RenditionPlacer {
    /// The rendition was not watched when the break began.
    func unseenPlacement(_ index: Int) -> Placement? {
        guard isLive, index < segments.count else { return nil }
        let segment = segments[index]
        let isGap = index == 0 || segment.isBehindGap(segments[index - 1])
        guard isGap, !segment.startIsNearest(to: model.startTime) || segment.time > model.startTime else { return nil }
        let late = model.startTime.duration(to: segment.time)
        guard canCut ? late > Self.cutTolerance : late + late > segment.duration else { return nil }
        if let end = model.end {
            let back =
                leading.segment(numbered: end)?.time
                ?? model.startTime.advanced(by: fill.duration)
            if segment.time >= back || segment.startIsNearest(to: back), !goesOn(at: index) {
                return model.unseen(at: segment.number, after: plan)
            }
        }
        // Its first known segment lies inside the break: the number where it began is reckoned back.
        let count = max(late, .zero).nearestCount(of: segment.duration)
        let before = index > 0 ? segments[index - 1] : nil
        let reckoned =
            rendition.sharesGrid(segment, with: leading) && model.start < segment.number
            ? model.start : segment.number &- max(count, 1)
        let next = before.map { $0.number &+ 1 }
        let start = goesOn(at: index) ? next ?? reckoned : max(reckoned, plan.lastEnd ?? 0, next ?? 0)
        let startTime = max(model.startTime, before?.end ?? model.startTime)
        let isJoined = plan.lastEnd == start && plan.lastFillDiscontinuity != nil
        var number = isJoined ? plan.lastFillDiscontinuity : nil
        if !isJoined, let before, before.number &+ 1 == start {
            number = before.discontinuity &+ plan.discontinuityOffset
        }
        var joint = joint(after: number, start: start)
        if number == nil, let before {
            // What was listed has numbers that do not fall.
            joint.number = max(joint.number, before.discontinuity &+ plan.discontinuityOffset &+ Int64(joint.tags))
        }
        return trimmed(
            Placement(
                SessionPlan.PlannedPod(contentBreak: standIn, pod: model.pod), fill: fill, plan: plan, start: start,
                startTime: startTime,
                startDate: segment.date?.advanced(by: .zero - startTime.duration(to: segment.time)),
                dateShortening: shortening(start: startTime, segment: segment), firstDiscontinuity: joint.number,
                startTags: joint.tags, isJoined: isJoined, skipped: joint.skipped), before: segment)
    }

    /// How much earlier than a segment a pod begins that follows on another one, where the segments between were never seen (rule 508);
    /// nil where nothing was missed.
    func missed(before segment: LedgerSegment) -> Duration? {
        let index = rendition.index(atOrAfter: segment.number)
        guard isLive, index > 0, index < segments.count, segments[index].number == segment.number,
            segment.isBehindGap(segments[index - 1])
        else { return nil }
        var start = max(model.startTime, segments[index - 1].end)
        if let former = plan.placements.last {
            let length = former.duration(of: former.pod.fill(for: rendition.key))
            start = max(start, former.startTime.advanced(by: former.dated(length)))
        }
        return start < segment.time ? segment.time.duration(to: start) : nil
    }

    /// What the pod replaces went by unseen, but the list goes on before it: with the pod instead of a gap it does not become shorter
    /// (rule 309). That is where the content is known up to the pod's start, or what was missed is not counted as a gap.
    private func goesOn(at index: Int) -> Bool {
        guard index > 0, !(plan.placements.last?.isUnseen ?? false) else { return false }
        let before = segments[index - 1]
        let after = segments[index]
        guard plan.lastEnd ?? .min <= before.number &+ 1 else { return false }
        // The dates that are counted on over what was missed may be wrong (rule 802).
        if let known = before.date, let date = after.date {
            let difference = known.duration(to: date) - before.time.duration(to: after.time)
            guard difference.magnitude <= .seconds(1) else { return false }
        }
        if before.number &+ 1 == after.number { return true }
        let distance = before.end.duration(to: startEdge).magnitude
        return distance + distance <= before.duration
    }
}
