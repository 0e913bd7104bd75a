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
        var startTime = segment?.time ?? last.end
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
            startDate: segment.map(\.date) ?? last.date?.advanced(by: last.duration),
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
                    guard let joints = jointsShown(by: segment.time) else { return .nothingShown }
                    limited.cut = Placement.Cut(time: segment.time, joints: joints)
                    limited.limit(to: fill.entries(due: segment.time, joints: joints, of: placement), of: fill)
                    length = limited.duration(of: fill)
                }
            }
            if let cut = limited.cut, segment.time >= cut.time, segment.time >= earliest(length) {
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

    /// The segments around the best return were never seen.
    private func isBehindGap(_ index: Int, length: Duration) -> Bool {
        let segment = rendition.segments[index]
        let isGap =
            index > 0
            ? rendition.segments[index - 1].number &+ 1 != segment.number
            : segment.number > placement.start
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

    /// Joints that any rendition has shown by `time`; nil where none has shown an entry.
    private func jointsShown(by time: DateTime) -> Int? {
        var most: Int?
        for key in pod.matches.keys {
            let fill = pod.fill(for: key)
            guard let last = fill.slots.prefix(while: { $0.isDue(by: time, in: placement) }).last else { continue }
            most = max(most ?? 0, last.joints)
        }
        return most
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

extension PodFill.Slot {
    /// Released in real time: `placement` is the leading rendition's.
    func isDue(by edge: DateTime, in placement: Placement) -> Bool {
        let wait = max(placement.drift + end, Placement.dated(end, shortening: placement.pod.dateShortening))
        return placement.startTime.advanced(by: wait) <= edge
    }
}

extension PodFill {
    /// How many entries stay when a break is cut: those due by then, and the first of each ad that any rendition has begun.
    func entries(due time: DateTime, joints: Int, of placement: Placement) -> Int {
        let due = slots.prefix { $0.isDue(by: time, in: placement) }.count
        let begun = (slots.firstIndex { $0.joints >= joints }).map { $0 + 1 } ?? slots.count
        return max(due, begun)
    }
}
