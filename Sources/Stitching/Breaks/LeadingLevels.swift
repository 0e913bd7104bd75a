import HLS

/// The discontinuity numbers that a rendition's segments have by the leading rendition's: what both have at one time has one number
/// (rule 504).
///
/// A rendition's own numbers tell nothing behind what nobody saw of it, nor where the origin counts anew or does not write its count.
struct LeadingLevels {
    private let leading: RenditionLedger
    /// The leading rendition's numbers of the epoch that the segments are of. Where it has begun another one the tags among them do not
    /// tell.
    private let numbers: Range<Int64>

    init(_ leading: RenditionLedger, epoch: Int) {
        self.leading = leading
        let first = leading.runs.first { $0.epoch >= epoch }?.firstNumber ?? .min
        numbers = first..<max(leading.runs.first { $0.epoch > epoch }?.firstNumber ?? .max, first)
    }

    /// What has to be added to the numbers of segments that follow one another.
    ///
    /// - Parameter isCounted: the numbers are the origin's count; else only the tags among the segments are counted.
    func offset(of places: [LedgerSegment.Place], isCounted: Bool) -> Int64 {
        guard let offset = shared(places, isCounted: isCounted) else { return apart(places, isCounted: isCounted) }
        // Renditions that only end together are not aligned well enough to find fault with a count by one, but none is beyond the leading
        // one.
        let isBeyond = places.last?.discontinuity ?? 0 > leading.segments.last?.discontinuity ?? 0
        return isCounted && offset.magnitude == 1 && !isBeyond && !isAligned(places) ? 0 : offset
    }

    /// By dates, or by the numbers of segments that are cut alike.
    private func isAligned(_ places: [LedgerSegment.Place]) -> Bool {
        if places.contains(where: { $0.date != nil }) { return true }
        for epoch in Set(leading.runs.map(\.epoch)) {
            let twins = places.compactMap { place in
                leading.segment(originNumber: place.originNumber, epoch: epoch).map { $0.time == place.time }
            }
            if !twins.isEmpty, twins.allSatisfy(\.self) { return true }
        }
        return false
    }

    /// So that most of the segments have the number of the leading rendition's at the same time: dates jitter, and segments are cut
    /// otherwise, so that one near a discontinuity may seem to lie on its other side. Nil where they have no time in common.
    private func shared(_ places: [LedgerSegment.Place], isCounted: Bool) -> Int64? {
        var votes: [Int64: (count: Int, last: Int)] = [:]
        for (index, place) in places.enumerated() {
            guard let number = number(at: place.middle) else { continue }
            let known = votes[number &- place.discontinuity] ?? (0, 0)
            votes[number &- place.discontinuity] = (known.count + 1, index)
        }
        // Of as many the origin's count decides, else the newest segment.
        let chosen = votes.max { one, other in
            if one.value.count != other.value.count { return one.value.count < other.value.count }
            if isCounted, (one.key == 0) != (other.key == 0) { return other.key == 0 }
            return one.value.last < other.value.last
        }
        return chosen?.key
    }

    private func number(at time: DateTime) -> Int64? {
        let index = leading.index(covering: time)
        guard index < leading.segments.count, leading.segments[index].time <= time,
            numbers.contains(leading.segments[index].number)
        else { return nil }
        return leading.segments[index].discontinuity
    }

    /// So that numbers do not fall from the segments of one to those of the other.
    private func apart(_ places: [LedgerSegment.Place], isCounted: Bool) -> Int64 {
        guard let first = places.first, let last = places.last else { return 0 }
        let index = leading.index(covering: last.middle)
        if index < leading.segments.count {
            let next = leading.segments[index]
            guard next.time > last.middle else { return isCounted ? 0 : next.discontinuity &- last.discontinuity }
            // They lie before it, perhaps in what was not seen of the leading rendition.
            let offset = next.discontinuity &- Int64(next.tagCount) &- last.discontinuity
            let between = last.time.advanced(by: last.duration).duration(to: next.time)
            // What is counted may have been counted between them.
            return isCounted && between > last.duration / 2 ? min(offset, 0) : offset
        }
        guard !isCounted, let before = leading.segments.last else { return 0 }
        // They lie behind it, but the first may begin with it: then both begin with one discontinuity.
        let isShared = before.tagCount > 0 && before.startIsNearest(to: first.time)
        return before.discontinuity &- first.discontinuity &+ (isShared ? 0 : Int64(first.tagCount))
    }
}
