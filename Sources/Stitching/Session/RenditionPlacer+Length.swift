import HLS

/// How much of a pod is listed in a rendition other than the leading one, and how much slower its dates run: so that the content can
/// come back with the leading rendition's.
extension RenditionPlacer {
    /// Leaves out entries at the end that would take it farther from the leading rendition's.
    func trimmed(_ placement: Placement, before segment: LedgerSegment) -> Placement {
        var placement = placement
        placement.limit(to: count(from: placement.startTime, segment), of: fill)
        return placement
    }

    /// So many entries as end nearest to the leading rendition's, and one fewer where their dates, however slow, would keep the
    /// content from coming back with it.
    private func count(from start: DateTime, _ segment: LedgerSegment) -> Int {
        let nearest = nearestCount(from: start)
        guard nearest > 1, !model.isInsertion, !canCut else { return nearest }
        let limit = DateShortening.limit(longestEntry: fill.longestEntry)
        let last = fill.slots[nearest - 1]
        let theirs = model.pod.fill(for: leading.key)
        let soonest = theirs.earliestReturn(behind: model.fillCount, shortening: model.dateShortening)
        var back = max(foreseenReturn(from: start), soonest - model.startTime.duration(to: start))
        if !isTwin(segment) {
            // An ad is cut for what is sure to come.
            let ideal = last.isSlate ? back : idealReturn(start, segment, length: last.end)
            back = max(back, grid(segment, nearest: ideal))
        }
        guard fill.earliestReturn(behind: nearest, shortening: limit) > back,
            fill.earliestReturn(behind: nearest - 1, shortening: limit) <= back,
            last.joints == fill.slots[nearest - 2].joints || last.isSlate && isNearJoint(back, from: start)
        else { return nearest }
        return nearest - 1
    }

    private func nearestCount(from start: DateTime) -> Int {
        model.pod.slate == nil ? fill.slots.count : fill.entries(endingNear: wantedLength(from: start))
    }

    /// A pass of slate may be left out with its joint where the return is as good as at the joint.
    private func isNearJoint(_ back: Duration, from start: DateTime) -> Bool {
        guard let joint = model.pod.fill(for: leading.key).slots.last(where: { $0.entry.isJoint }) else { return false }
        let end = back + model.startTime.duration(to: start)
        return end - model.dated(joint.offset) <= rendition.targetDuration * 3 / 4
    }

    /// With the entry that was left out, where the leading rendition has come back later than was foreseen, or the content cannot come
    /// back with it even so. Nobody has been shown anything behind it yet.
    func completed(_ open: Placement) -> Placement {
        guard model.cut == nil, let end = model.end, let back = leading.segment(numbered: end) else { return open }
        let nearest = nearestCount(from: open.startTime)
        let earliest = fill.earliestReturn(behind: nearest, shortening: open.dateShortening)
        guard open.fillCount == nearest - 1 else { return open }
        let soonest = open.startTime.advanced(
            by: fill.earliestReturn(behind: open.fillCount, shortening: open.dateShortening))
        let next = segments[rendition.index(atOrAfter: open.start)...].first { $0.time >= soonest }
        let latest = [boundary(nearest: back, of: end), next?.time].compactMap(\.self).reduce(back.time, max)
        guard open.startTime.advanced(by: earliest) <= latest else { return open }
        var result = open
        result.limit(to: nearest, of: fill)
        return result
    }

    /// Without entries at the end that nobody has been shown yet, and behind which the content could not come back with the leading
    /// rendition's, which was not foreseen to come back when it did.
    func fitted(_ open: Placement) -> Placement {
        guard !open.isInsertion, !canCut, let end = model.end, let back = leading.segment(numbered: end),
            let time = boundary(nearest: back, of: end), time > open.startTime
        else { return open }
        let fill = fill
        let shown = leading.edge(at: back.time)
        var count = open.fillCount
        while fill.earliestReturn(behind: count, shortening: open.dateShortening) > open.startTime.duration(to: time) {
            guard count > 1, count <= fill.slots.count, !fill.slots[count - 1].isDue(by: shown, in: model),
                fill.slots[count - 1].joints == fill.slots[count - 2].joints
                    || fill.slots[count - 1].isSlate
                        && isNearJoint(open.startTime.duration(to: time), from: open.startTime)
            else { return open }
            count -= 1
        }
        var result = open
        result.limit(to: count, of: fill)
        return result
    }

    /// Where this rendition can come back nearest to the leading one; nil while that may still come.
    private func boundary(nearest back: LedgerSegment, of number: Int64) -> DateTime? {
        if let twin = twin(of: number) { return twin.time }
        if back.tagCount > 0, let time = rendition.time(ofDiscontinuity: back.discontinuity) { return time }
        let index = rendition.index(ofBoundaryNearest: back.time)
        return index < segments.count ? segments[index].time : nil
    }

    /// What has to be listed behind a start so that the stitched timeline is as long as the leading rendition's; and no more than is
    /// listed there, else the dates would not let the content come back with it.
    func wantedLength(from start: DateTime) -> Duration {
        let length = model.duration(of: model.pod.fill(for: leading.key))
        let end = model.startTime.advanced(by: model.drift + length)
        return min(start.duration(to: end) - plan.drift, length)
    }

    /// How much slower the dates run, in millionths: so much that the boundary nearest to the leading rendition's return can
    /// be taken. On the leading rendition's own grid as there; else the grids are foreseen to go on as they are.
    func shortening(start: DateTime, segment: LedgerSegment) -> Int64 {
        if model.isInsertion { return 0 }
        let length = fill.slots.isEmpty ? .zero : fill.slots[count(from: start, segment) - 1].end
        guard length > .zero else { return model.dateShortening }
        // The return is cut where it belongs.
        if canCut { return model.dateShortening }
        let offset = model.startTime.duration(to: start)
        let behind = plan.drift - model.drift
        let slack = Duration.milliseconds(50)
        let limit = DateShortening.limit(longestEntry: fill.longestEntry)
        // The dates of the entries have to end where those of the leading rendition's do, also those of a fill that is longer.
        let room = model.dated(modelLength) - offset
        let alike = max(length - room, .zero).millionths(of: length)
        if offset.magnitude <= slack, behind.magnitude <= slack, length - modelLength <= slack {
            return max(model.dateShortening, min(model.dateShortening > 0 ? alike : 0, limit))
        }
        let needed = length - grid(segment, nearest: idealReturn(start, segment, length: length)) + Self.gridTolerance
        return min(max(max(needed, .zero).millionths(of: length), alike), limit)
    }

    /// Where the leading rendition is foreseen to come back, from a start on.
    private func foreseenReturn(from start: DateTime) -> Duration {
        modelLength + model.drift - foreseenDrift - model.startTime.duration(to: start)
    }

    /// With the leading rendition, or as near to that as may be behind entries of a length.
    private func idealReturn(_ start: DateTime, _ segment: LedgerSegment, length: Duration) -> Duration {
        let owed = length + plan.drift - foreseenDrift
        let reach = Self.slack(segment.duration)
        return max(foreseenReturn(from: start), owed - reach)
    }

    private func isTwin(_ segment: LedgerSegment) -> Bool { twin(of: model.start)?.number == segment.number }

    private func grid(_ segment: LedgerSegment, nearest time: Duration) -> Duration {
        segment.duration * Int(max(time, .zero).nearestCountOrLower(of: segment.duration))
    }

    /// Audio segments of one grid differ by a frame or two.
    private static let gridTolerance = Duration.milliseconds(200)

    private var modelLength: Duration { model.pod.fill(for: leading.key).duration }

    /// D of the leading rendition behind the break, if its segments go on as before: of two boundaries as near the earlier,
    /// and none that the dates of its entries do not reach.
    private var foreseenDrift: Duration {
        let index = leading.index(atOrAfter: model.start)
        guard index > 0, index <= leading.segments.count else { return model.drift }
        let segment = leading.segments[index - 1].duration
        let ideal = modelLength + model.drift
        let earliest = model.dated(modelLength) - Placement.dateTolerance
        // Its dates were made to reach the boundary that was foreseen then.
        if model.dateShortening > 0 { return ideal - earliest }
        var grid = segment * Int(max(ideal, .zero).nearestCountOrLower(of: segment))
        if grid < earliest { grid += segment }
        let planned = model.startTime.duration(to: model.plannedEnd)
        guard planned >= earliest else { return ideal - grid }
        let isConditioned = (ideal - planned).magnitude < (ideal - grid).magnitude
        return ideal - (isConditioned ? planned : grid)
    }
}

extension PodFill {
    /// How soon the content may come back behind so many entries: not before their dates end, nor may they overlap by a second
    /// (rule 802). Where dates jitter, the boundary that the leading rendition took is taken all the same.
    func earliestReturn(behind count: Int, shortening: Int64) -> Duration {
        guard count > 0, count <= slots.count else { return .zero }
        let last = slots[count - 1]
        return min(
            Placement.dated(last.end, shortening: shortening) - Placement.dateTolerance,
            Placement.dated(last.offset, shortening: shortening) + last.entry.duration - Self.largestOverlap)
    }

    private static let largestOverlap = Duration.milliseconds(950)
}
