import HLS

/// The start of a pod on the leading rendition.
struct LeadingPlacer {
    private let planned: SessionPlan.PlannedPod
    private let plan: RenditionPlan
    private let rendition: RenditionLedger
    private let start: Int64

    /// Nil where the break has no place on the timeline.
    init?(_ planned: SessionPlan.PlannedPod, plan: RenditionPlan, rendition: RenditionLedger) {
        guard let marked = planned.contentBreak.startNumber else { return nil }
        self.planned = planned
        self.plan = plan
        self.rendition = rendition
        start = max(marked, plan.lastEnd ?? .min)
    }

    /// Nil where the break before has left nothing of this one.
    func placement() -> Placement? {
        guard let last = rendition.segments.last else { return nil }
        let index = rendition.index(atOrAfter: start)
        let segment = index < rendition.segments.count ? rendition.segments[index] : nil
        let isMarked = start == planned.contentBreak.startNumber
        // The pod before reaches beyond the end of the content.
        if segment == nil, !isMarked, rendition.hasEnded, !planned.contentBreak.isInsertion { return nil }
        var startTime = segment?.time ?? last.end
        // The first segment of the break may be forgotten, or was never seen.
        if let segment, segment.number != start, isMarked { startTime = planned.contentBreak.start }
        if !planned.contentBreak.isInsertion, !isMarked, startTime >= planned.contentBreak.plannedEnd { return nil }
        let isJoined = plan.lastEnd == start && plan.lastFillDiscontinuity != nil
        var before =
            (segment.map { $0.discontinuity &- Int64($0.tagCount) } ?? last.discontinuity)
            &+ plan.discontinuityOffset
        if isJoined, let lastFill = plan.lastFillDiscontinuity { before = lastFill }
        // Nothing stands before a pre-roll.
        let isFirst = planned.contentBreak.isInsertion && index == 0 && !isJoined
        let startTags = isFirst ? 0 : 1
        let fill = planned.pod.fill(for: rendition.key)
        return Placement(
            planned, fill: fill, plan: plan, start: start, startTime: startTime,
            startDate: segment.map { $0.date?.advanced(by: $0.time.duration(to: startTime)) }
                ?? last.date?.advanced(by: last.duration),
            dateShortening: planned.pod.dateShortening, firstDiscontinuity: before &+ Int64(startTags),
            startTags: startTags, isJoined: isJoined)
    }
}

/// The return of a pod on the leading rendition: chosen when its segment appears.
struct LeadingReturn {
    enum Choice {
        /// The end is still to come; the placement may have been cut.
        case notYet(Placement)
        /// The break ended before anything was shown.
        case nothingShown
        case at(Placement)
    }

    var placement: Placement
    let rendition: RenditionLedger
    let contentBreak: ContentBreak
    let pod: Pod
    var earlyReturn = StitchingSession.EarlyReturn.cut

    func choose() -> Choice {
        let fill = pod.fill(for: rendition.key)
        if placement.isInsertion {
            let discontinuity =
                rendition.segment(numbered: placement.start)?.discontinuity
                ?? rendition.segments.last?.discontinuity ?? 0
            return .at(
                placement.closed(
                    at: placement.start, discontinuity: discontinuity, endTags: 1, driftAfter: placement.drift,
                    inserted: fill.duration))
        }
        var limited = placement
        var length = limited.duration(of: fill)
        var index = rendition.index(atOrAfter: placement.start)
        while index < rendition.segments.count {
            let segment = rendition.segments[index]
            if limited.cut == nil {
                if isReturn(segment, length: length) || isBehindGap(index, length: length) {
                    return close(limited, at: segment, length: length, isBehindGap: isBehindGap(index, length: length))
                }
                if isEarlyEnd(segment) {
                    // What was due when the segments before it were all there were.
                    let edge = rendition.edge(at: segment.time)
                    guard let cut = cut(at: edge) else { return .nothingShown }
                    limited.cut = cut
                    limited.limit(to: fill.entries(of: cut, in: placement), of: fill)
                    length = limited.duration(of: fill)
                }
            }
            // Where dates jitter the segment may begin before what was listed up to it ends.
            if let cut = limited.cut, rendition.edge(at: segment.time) >= cut.time, segment.time >= earliest(length),
                cut.completedAd == nil || isNearEnd(segment, length: length)
            {
                return close(limited, at: segment, length: length, isBehindGap: false)
            }
            index += 1
        }
        guard rendition.hasEnded, let last = rendition.segments.last else { return .notYet(limited) }
        // The content ends inside the break.
        return .at(
            limited.closed(
                at: last.number &+ 1, discontinuity: last.discontinuity, endTags: 1, driftAfter: placement.drift,
                inserted: .zero))
    }

    /// The return before which the dates of the entries would run into those of the content.
    private func earliest(_ length: Duration) -> DateTime {
        placement.startTime.advanced(by: placement.dated(length) - Placement.dateTolerance)
    }

    private func isReturn(_ segment: LedgerSegment, length: Duration) -> Bool {
        segment.number > placement.start && segment.time >= earliest(length)
            && segment.startIsNearest(to: placement.startTime.advanced(by: length + placement.drift))
    }

    /// The boundary nearest to the end of the running ad, or the first behind it.
    private func isNearEnd(_ segment: LedgerSegment, length: Duration) -> Bool {
        let ideal = placement.startTime.advanced(by: length + placement.drift)
        return segment.time >= ideal || segment.startIsNearest(to: ideal)
    }

    /// The segments around the best return were never seen.
    private func isBehindGap(_ index: Int, length: Duration) -> Bool {
        let segment = rendition.segments[index]
        let isGap = index > 0 ? segment.isBehindGap(rendition.segments[index - 1]) : segment.number > placement.start
        return isGap && segment.time >= placement.startTime.advanced(by: max(length + placement.drift, .zero))
            && segment.time >= earliest(length)
    }

    /// A return marker more than half a segment before the planned end. Nearer to it the pod decides.
    private func isEarlyEnd(_ segment: LedgerSegment) -> Bool {
        guard let end = contentBreak.end, end.number == segment.number, segment.number > placement.start else {
            return false
        }
        let left = segment.time.duration(to: contentBreak.latestEnd)
        return left + left > segment.duration
    }

    /// What any rendition has shown by `time` stays, in all; nil where none has shown an entry.
    private func cut(at time: DateTime) -> Placement.Cut? {
        var last: PodFill.Slot?
        var shown = Duration.zero
        for key in pod.keys {
            let fill = pod.fill(for: key)
            guard let slot = fill.slots.prefix(while: { $0.isDue(by: time, in: placement) }).last else { continue }
            if slot.joints > last?.joints ?? 0 { last = slot }
            shown = max(shown, slot.end)
        }
        return last.map {
            Placement.Cut(
                time: time, joints: $0.joints, shown: shown,
                completedAd: earlyReturn == .complete && !$0.isSlate ? $0.ad : nil)
        }
    }

    private func close(
        _ placement: Placement, at segment: LedgerSegment, length: Duration, isBehindGap: Bool
    ) -> Choice {
        var drift = placement.drift + length - placement.startTime.duration(to: segment.time)
        if isBehindGap {
            // Nothing near the gap was or will be listed: time lost in it is not owed.
            drift = max(drift, .zero - segment.duration / 2)
        }
        return .at(
            placement.closed(
                at: segment.number, discontinuity: segment.discontinuity, endTags: 1, driftAfter: drift, inserted: .zero
            ))
    }
}

extension Placement {
    /// Up to where entries are listed. Where the leading rendition, whose placement is `model`, has come back, what was not due by
    /// then waits for the return of this one: it may be left out.
    func releaseEdge(_ edge: DateTime, model: Placement, leading: RenditionLedger) -> DateTime {
        guard end == nil, !isInsertion, let back = model.end.flatMap(leading.segment(numbered:)) else { return edge }
        return min(edge, leading.edge(at: back.time))
    }
}

extension PodFill.Slot {
    /// Released in real time, when its dates are over: `placement` is the leading rendition's. So the session is ahead of the origin by D
    /// before the break and what the dates run slower at most: by what it was ahead before the break, or will be behind it.
    ///
    /// To wait for D, too, would leave the list as it is for D and an entry: longer than one and a half target durations where both are
    /// near one (rule 310).
    func isDue(by edge: DateTime, in placement: Placement) -> Bool {
        let ends = placement.pod.jointEnds
        let end = max(end, ends.indices.contains(joints - 1) ? ends[joints - 1] : .zero)
        return placement.startTime.advanced(
            by: Placement.dated(end, shortening: placement.pod.dateShortening)) <= edge
    }
}

extension PodFill {
    /// How many entries stay when a break returns early.
    func entries(of cut: Placement.Cut, in placement: Placement) -> Int {
        if let ad = cut.completedAd { return slots.prefix { $0.ad <= ad }.count }
        // Those due by then, the first of each ad that any rendition has begun, and so many that all renditions end together but for
        // half an entry: else picture and sound would not be as long.
        let due = slots.prefix { $0.isDue(by: cut.time, in: placement) }.count
        let begun = (slots.firstIndex { $0.joints >= cut.joints }).map { $0 + 1 } ?? slots.count
        let alike = slots.prefix { slot in
            slot.joints <= cut.joints && slot.offset + slot.entry.duration / 2 < cut.shown ?? .zero
        }.count
        return max(due, begun, alike)
    }
}
