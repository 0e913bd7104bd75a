import HLS

/// A pod's place in a rendition other than the leading one, from its place there.
struct RenditionPlacer {
    /// The place on the leading rendition.
    let model: Placement
    let leading: RenditionLedger
    let rendition: RenditionLedger
    let plan: RenditionPlan
    let isLive: Bool

    var segments: [LedgerSegment] { rendition.segments }
    var fill: PodFill { model.pod.fill(for: rendition.key) }

    /// Nil while the segment that follows the break's start may still come.
    func placement() -> Placement? {
        if model.isJoined, let end = plan.lastEnd { return placement(at: end) }
        // Nothing stands before a pre-roll, and nothing behind a post-roll.
        if model.startTags == 0, let first = segments.first { return placement(at: first.number) }
        if let last = leading.lastNumber, model.start > last {
            guard rendition.hasEnded || !isLive else { return nil }
            return rendition.lastNumber.flatMap { placement(at: $0 &+ 1) }
        }
        if let inside = placementInside() { return inside }
        if let twin = twin(of: model.start), twin.startIsNearest(to: startEdge), twin.number >= plan.lastEnd ?? .min {
            return placement(at: twin.number)
        }
        var index = rendition.index(ofBoundaryNearest: startEdge)
        if let unseen = unseenPlacement(index) { return unseen }
        index = onSameSide(index)
        guard index < segments.count else {
            guard rendition.hasEnded || !isLive else { return nil }
            return rendition.lastNumber.flatMap { placement(at: $0 &+ 1) }
        }
        return placement(at: max(segments[index].number, plan.lastEnd ?? .min))
    }

    /// This rendition's segment that is cut as one of the leading rendition is: same length, same time but for what dates jitter.
    func twin(of number: Int64) -> LedgerSegment? {
        guard let theirs = leading.segment(numbered: number) else { return nil }
        let index = rendition.index(ofBoundaryNearest: theirs.time)
        guard index < segments.count else { return nil }
        let own = segments[index]
        let distance = theirs.time.duration(to: own.time).magnitude
        let isAlike =
            (own.duration - theirs.duration).magnitude <= .milliseconds(20) && own.tagCount == theirs.tagCount
            && own.discontinuity == theirs.discontinuity
        return isAlike && distance <= .milliseconds(900) && distance + distance < own.duration ? own : nil
    }

    /// Up to where the content is listed in all renditions.
    var startEdge: DateTime { leading.edge(at: model.startTime) }

    /// The index is moved to the side of the origin's discontinuity where the leading rendition's start is (rule 504).
    private func onSameSide(_ nearest: Int) -> Int {
        var index = nearest
        guard let start = leading.segment(numbered: model.start) else { return index }
        if start.tagCount > 0 {
            var tagged = index
            while tagged > 0, segments[tagged - 1].discontinuity >= start.discontinuity { tagged -= 1 }
            while tagged < segments.count, segments[tagged].discontinuity < start.discontinuity { tagged += 1 }
            if tagged < segments.count {
                return segments[tagged].discontinuity == start.discontinuity && segments[tagged].tagCount > 0
                    ? tagged : index
            }
            // It may still come; but not for ever.
            guard isLive, let edge = rendition.edge else { return index }
            return edge > model.startTime.advanced(by: rendition.targetDuration * 2) ? index : segments.count
        }
        if isLive, let beyond = unlistedDiscontinuity(beyond: start, upTo: index) { return beyond }
        while index < segments.count {
            let segment = segments[index]
            // The origin's discontinuity and the joint fall on one boundary here, and both are counted.
            if isLive, index == nearest, segment.discontinuity == start.discontinuity, segment.tagCount == 1 { break }
            guard
                segment.discontinuity < start.discontinuity
                    || (segment.discontinuity == start.discontinuity && segment.tagCount > 0)
            else { break }
            index += 1
        }
        if !isLive, index > 0, index < segments.count, segments[index].discontinuity > start.discontinuity,
            segments[index - 1].discontinuity == start.discontinuity, segments[index - 1].tagCount == 0
        {
            index -= 1
        }
        return index
    }

    /// The origin's discontinuity that comes behind the start on the leading rendition, and before it here: without dates nothing had
    /// told how far this one was ahead when it was first seen. The pod begins there, as long as it has not been listed.
    private func unlistedDiscontinuity(beyond start: LedgerSegment, upTo nearest: Int) -> Int? {
        guard nearest < segments.count, segments[nearest].discontinuity > start.discontinuity else { return nil }
        var index = nearest
        while index > 0, segments[index - 1].discontinuity > start.discontinuity { index -= 1 }
        let isListed = segments[index].hasReached(
            start.discontinuity, before: startEdge, targetDuration: rendition.targetDuration)
        return index < nearest && segments[index].tagCount > 0 && !isListed ? index : nil
    }

    /// The discontinuity number of the first entry, the tags before it, and a number left out where the list has to begin
    /// anew.
    ///
    /// One tag; and more where as many joints of the leading rendition fall on one boundary here (rule 504).
    func joint(after number: Int64?, start: Int64) -> (number: Int64, tags: Int, skipped: Int64) {
        guard let number else { return (model.firstDiscontinuity, model.startTags, 0) }
        if model.startTags == 0 { return (number, 0, 0) }
        let wanted = model.firstDiscontinuity &- number
        if Self.tags.contains(wanted) { return (model.firstDiscontinuity, Int(wanted), 0) }
        // Discontinuities went by in a gap that nobody saw. What is still to come is none.
        let isUnseen = start <= rendition.lastNumber ?? .min && rendition.segment(numbered: start) == nil
        if isUnseen || rendition.segment(numbered: start &- 1) == nil {
            return (max(model.firstDiscontinuity, number), wanted > 0 ? 1 : 0, 1)
        }
        return (number &+ 1, 1, 0)
    }

    /// A return, an origin's discontinuity behind it and the start of the next break may lie within one segment of another rendition.
    private static let tags: ClosedRange<Int64> = 1...3

    var standIn: ContentBreak {
        ContentBreak(
            id: model.breakID, startNumber: model.start, start: model.startTime, plannedDuration: nil,
            availableDuration: model.startTime.duration(to: model.plannedEnd), isInsertion: model.isInsertion)
    }

    func placement(at start: Int64) -> Placement? {
        guard let last = segments.last else { return nil }
        let index = rendition.index(atOrAfter: start)
        var segment = index < segments.count ? segments[index] : nil
        if let found = segment, found.number != start, rendition.sharesGrid(found, with: leading),
            let twin = leading.segment(numbered: start)
        {
            // The segment itself was never seen here; the leading rendition's has its time.
            segment = twin
        }
        let isJoined = plan.lastEnd == start && plan.lastFillDiscontinuity != nil
        // The pod before may end within the segment, or before it, where what would have come then was never seen.
        let offset = isJoined ? segment.flatMap { plan.lastEndTime.map($0.time.duration) ?? missed(before: $0) } : nil
        let startTime = (segment?.time ?? last.end).advanced(by: offset ?? .zero)
        var before =
            (segment.map { $0.discontinuity &- Int64($0.tagCount) } ?? last.discontinuity)
            &+ plan.discontinuityOffset
        if isJoined, let lastFill = plan.lastFillDiscontinuity { before = lastFill }
        let joint = joint(after: before, start: start)
        let placement = Placement(
            SessionPlan.PlannedPod(contentBreak: standIn, pod: model.pod), fill: fill, plan: plan, start: start,
            startTime: startTime,
            startDate: segment.map { $0.date?.advanced(by: offset ?? .zero) } ?? last.date?.advanced(by: last.duration),
            dateShortening: shortening(start: startTime, segment: segment ?? last),
            firstDiscontinuity: joint.number, startTags: joint.tags, isJoined: isJoined, skipped: joint.skipped)
        return trimmed(placement, before: segment ?? last)
    }

    // MARK: - The return

    /// An open placement, cut as on the leading rendition.
    func limited(_ open: Placement) -> Placement {
        guard let cut = model.cut, open.cut == nil, !open.isUnseen else { return open }
        let fill = fill
        var result = open
        result.cut = cut
        var count = fill.entries(of: cut, in: model)
        if cut.completedAd == nil, count > 0 {
            // Entries that bring the end nearer to the leading rendition's stay, too.
            let wanted = wantedLength(from: open.startTime)
            while count < fill.slots.count, fill.slots[count].joints == fill.slots[count - 1].joints,
                (fill.slots[count].end - wanted).magnitude < (fill.slots[count - 1].end - wanted).magnitude
            {
                count += 1
            }
        }
        // What was left out stays out.
        result.limit(to: min(count, open.fillCount), of: fill)
        return result
    }

    /// The placement with its end; nil until the end's segment has appeared.
    func closed(_ open: Placement) -> Placement? {
        guard let modelEnd = model.end else { return nil }
        if open.isUnseen {
            let index = rendition.index(atOrAfter: open.start)
            return open.closedUnseen(like: model, previous: index > 0 ? segments[index - 1].number : nil)
        }
        let fill = fill
        if open.isInsertion {
            let discontinuity =
                rendition.segment(numbered: open.start)?.discontinuity ?? segments.last?.discontinuity ?? 0
            let leadingLength = model.dateShiftAfter - model.dateShift
            if let inside = closedInsertionInside(open, inserted: leadingLength) { return inside }
            return open.closed(
                at: open.start, discontinuity: discontinuity, endTags: endTags(open, discontinuity),
                driftAfter: open.drift + fill.duration - leadingLength, inserted: leadingLength)
        }
        let limited = fitted(completed(limited(open)))
        let length = limited.duration(of: fill)
        if let last = leading.lastNumber, modelEnd > last, rendition.hasEnded || !isLive, let own = segments.last {
            return limited.closed(
                at: max(own.number &+ 1, open.start), discontinuity: own.discontinuity, endTags: 1,
                driftAfter: open.drift, inserted: .zero)
        }
        if let inside = closedInside(limited, length: length) { return inside }
        let earliest = earliestReturn(limited, length: length)
        if let twin = twin(of: modelEnd), twin.time >= earliest, mayReturn(at: twin, open, length: length) {
            // Where both are cut alike the joint is the same, as long as what differs in the ads does not add up to a segment.
            let drift = limited.drift + length - limited.startTime.duration(to: twin.time)
            if drift - model.driftAfter <= twin.duration {
                return closed(limited, at: twin, length: length)
            }
        }
        let owed = open.startTime.advanced(by: length + open.drift - model.driftAfter)
        let back = leading.segment(numbered: modelEnd)
        let target = back.map { returnTime(owed, near: $0.time, of: open) } ?? owed
        var before: LedgerSegment?
        for segment in segments[rendition.index(atOrAfter: open.start)...]
        where segment.time >= earliest && mayReturn(at: segment, open, length: length) {
            defer { before = segment }
            let isTagged = back.map {
                $0.tagCount > 0 && segment.tagCount > 0 && segment.discontinuity == $0.discontinuity
            }
            if isTagged != true {
                guard segment.startIsNearest(to: target) else { continue }
                if let back, segment.discontinuity < back.discontinuity,
                    segment.time < max(target, back.time).advanced(by: rendition.targetDuration * 2)
                {
                    // The leading rendition comes back behind an origin's discontinuity that is still to come here.
                    continue
                }
            }
            var chosen = segment
            if let back, let before, segment.discontinuity &- back.discontinuity >= Self.tags.upperBound,
                before.discontinuity == back.discontinuity
            {
                // The leading rendition comes back before the origin's discontinuities that are nearest here, more than can be counted
                // on one boundary.
                chosen = before
            }
            return closed(limited, at: unseenReturn(open, before: chosen) ?? chosen, length: length)
        }
        guard let last = segments.last, rendition.hasEnded else { return nil }
        return limited.closed(
            at: max(last.number &+ 1, open.start), discontinuity: last.discontinuity, endTags: 1,
            driftAfter: open.drift,
            inserted: .zero)
    }

    /// Something is replaced, but where what was to be replaced went by unseen.
    private func mayReturn(at segment: LedgerSegment, _ open: Placement, length: Duration) -> Bool {
        segment.number > open.start || open.startsInside || length == .zero || segment.time > open.startTime
    }

    /// Where the content is to come back: where the leading rendition's does, as long as D stays within one and three eighths
    /// segments above D there, and else as near to that as it may. Time that is lost against the leading rendition is not owed: at
    /// each discontinuity players bring the renditions together again, and a joint that is nearer to the other's is worth more.
    private func returnTime(_ owed: DateTime, near time: DateTime, of open: Placement) -> DateTime {
        let grid = rendition.segment(numbered: open.start)?.duration ?? rendition.segments.first?.duration ?? .zero
        return max(time, owed.advanced(by: .zero - Self.slack(grid)))
    }

    /// With half a segment to the nearest boundary.
    static func slack(_ grid: Duration) -> Duration { grid * 7 / 8 }

    /// The return before which dates would overlap by a second (rule 802). Where dates jitter, the boundary that the leading rendition
    /// took is taken all the same.
    private func earliestReturn(_ open: Placement, length: Duration) -> DateTime {
        guard open.fillCount > 0, open.fillCount <= fill.slots.count else {
            return open.startTime.advanced(by: open.dated(length) - Placement.dateTolerance)
        }
        return open.startTime.advanced(
            by: fill.earliestReturn(behind: open.fillCount, shortening: open.dateShortening))
    }

    /// The segment that brings the content back was never seen here: that of the leading rendition tells its number where both
    /// are cut alike, so that the joint is the same (rule 508). The list begins anew behind it.
    private func unseenReturn(_ open: Placement, before segment: LedgerSegment) -> LedgerSegment? {
        guard rendition.segment(numbered: segment.number &- 1) == nil, rendition.sharesGrid(segment, with: leading),
            let end = model.end,
            end < segment.number, end > open.start
        else { return nil }
        let index = rendition.index(atOrAfter: segment.number)
        if index > 0, segments[index - 1].number >= end { return nil }
        return leading.segment(numbered: end)
    }

    private func closed(_ placement: Placement, at segment: LedgerSegment, length: Duration) -> Placement {
        var drift = placement.drift + length - placement.startTime.duration(to: segment.time)
        let before = rendition.segment(numbered: segment.number &- 1)
        let isBehindGap = before == nil
        // Time lost in a gap that nobody saw is not owed; nor is what is lost beyond the reach of a return.
        let isLost = before.map(segment.isBehindGap) ?? true
        drift = max(drift, model.driftAfter - (isLost ? .zero : Self.slack(segment.duration)))
        let tags = endTags(placement, segment.discontinuity)
        var result = placement.closed(
            at: segment.number, discontinuity: segment.discontinuity, endTags: tags, driftAfter: drift, inserted: .zero)
        if isBehindGap, result.discontinuityOffsetAfter != model.discontinuityOffsetAfter {
            // Discontinuities went by unseen: the list begins anew behind the gap, with the right number.
            result.discontinuityOffsetAfter = model.discontinuityOffsetAfter
            result.numberOffsetAfter = result.numberOffsetAfter &+ 1
        }
        return result
    }

    /// So many that the content has the leading rendition's discontinuity number again (rule 504): one, and more where the
    /// leading rendition has an origin's discontinuity that fell on this joint here.
    func endTags(_ placement: Placement, _ discontinuity: Int64) -> Int {
        let wanted = discontinuity &+ model.discontinuityOffsetAfter &- placement.lastDiscontinuity
        return Self.tags.contains(wanted) ? Int(wanted) : 1
    }
}
