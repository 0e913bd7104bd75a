/// When the segments of a media playlist play: from its start, and on the wall clock where it has dates. Times are exact to the
/// digits of the durations; lookups take a time that grows with the logarithm of the number of segments.
package struct Timeline: Sendable {
    /// Start of each segment after the start of the first, exact; one more entry for the end of the last.
    package let starts: [Duration]
    /// Wall clock of each segment: its own EXT-X-PROGRAM-DATE-TIME, else counted on from the one before, else back from the
    /// first there is. Empty where the playlist has none. One more entry for the end of the last segment.
    package let dates: [DateTime]
    /// Media sequence number of the first segment.
    package let firstNumber: Int64
    /// Only where dates jump back or overlap, which they should not (rule 802).
    private let disorder: Disorder?

    /// Segments by their dates.
    private struct Disorder {
        /// Indices, by rising date.
        var order: [Int]
        /// For each place in `order` the segment up to there that ends last.
        var reach: [Int]
    }

    package init(_ playlist: MediaPlaylist) {
        let segments = playlist.segments
        var starts: [Duration] = []
        var dates: [DateTime] = []
        starts.reserveCapacity(segments.count + 1)
        var elapsed = Duration.zero
        var anchor: (date: DateTime, elapsed: Duration)?
        for segment in segments {
            if let date = segment.programDateTime {
                if anchor == nil {
                    dates = starts.map { date.advanced(by: $0 - elapsed) }
                }
                anchor = (date, elapsed)
            }
            starts.append(elapsed)
            if let anchor { dates.append(anchor.date.advanced(by: elapsed - anchor.elapsed)) }
            elapsed += segment.duration
        }
        starts.append(elapsed)
        if let anchor { dates.append(anchor.date.advanced(by: elapsed - anchor.elapsed)) }
        self.starts = starts
        self.dates = dates
        firstNumber = playlist.mediaSequence &+ playlist.skippedSegments
        disorder = Self.disorder(starts, dates)
    }

    /// The length of all segments together.
    package var duration: Duration { starts.last ?? .zero }
    package var segmentCount: Int { starts.count - 1 }

    /// The length of a segment. Zero for an index out of range.
    package func duration(ofSegmentAt index: Int) -> Duration {
        guard index >= 0, index < segmentCount else { return .zero }
        return starts[index + 1] - starts[index]
    }

    // MARK: By time

    /// The segment that plays at a time after the start of the first; nil outside.
    package func segmentIndex(at time: Duration) -> Int? {
        guard time >= .zero, time < duration else { return nil }
        return starts.partitioningIndex { $0 > time } - 1
    }

    /// Where EXT-X-START puts the start of playback: from the start, or back from the end; not beyond either. §4.4.2.2.
    package func time(of start: PlaylistStart) -> Duration {
        let time = start.timeOffset < .zero ? duration + start.timeOffset : start.timeOffset
        return min(max(time, .zero), duration)
    }

    /// Where a partial segment begins, after the start of the first segment. Of another playlist it means nothing.
    package func start(of part: PartialSegment) -> Duration {
        (starts.indices.contains(part.parent) ? starts[part.parent] : duration) + part.offset
    }

    /// The boundary between segments that is nearest to a time; of two as near the earlier one. X-SNAP asks for it.
    package func nearestBoundary(to time: Duration) -> Duration {
        let next = starts.partitioningIndex { $0 >= time }
        guard next > 0 else { return .zero }
        guard next < starts.count else { return duration }
        return starts[next] - time < time - starts[next - 1] ? starts[next] : starts[next - 1]
    }

    // MARK: By number

    /// The segment of a media sequence number; nil where it is not listed.
    package func segmentIndex(number: Int64) -> Int? {
        let (index, overflow) = number.subtractingReportingOverflow(firstNumber)
        guard !overflow, index >= 0, index < Int64(segmentCount) else { return nil }
        return Int(index)
    }

    // MARK: By date

    /// The segment that plays at a point on the wall clock; of several that do the one that begins last. Nil where none does, and
    /// where the playlist has no dates.
    package func segmentIndex(at date: DateTime) -> Int? {
        guard let last = lastPlace(startingBefore: date, orAt: true) else { return nil }
        let index = disorder?.order[last] ?? last
        if endDate(ofSegmentAt: index) > date { return index }
        guard let longest = disorder?.reach[last], endDate(ofSegmentAt: longest) > date else { return nil }
        return longest
    }

    /// The time after the start of the first segment at which the wall clock shows a date; nil where no segment plays then.
    package func time(at date: DateTime) -> Duration? {
        segmentIndex(at: date).map { starts[$0] + dates[$0].duration(to: date) }
    }

    /// What the wall clock shows at a time after the start of the first segment; nil outside, and without dates.
    package func date(at time: Duration) -> DateTime? {
        guard !dates.isEmpty, let index = segmentIndex(at: time) else { return nil }
        return dates[index].advanced(by: time - starts[index])
    }

    /// Whether any part of a range of dates plays in a listed segment: a date range has to stay as long as it does (rule 819). A
    /// range without length counts as the point that it is.
    package func overlaps(from start: DateTime, to end: DateTime) -> Bool {
        guard end > start else { return segmentIndex(at: start) != nil }
        guard let last = lastPlace(startingBefore: end, orAt: false) else { return false }
        return endDate(ofSegmentAt: disorder?.reach[last] ?? last) > start
    }

    /// The end of a segment on the wall clock, which need not be the start of the next.
    private func endDate(ofSegmentAt index: Int) -> DateTime {
        dates[index].advanced(by: duration(ofSegmentAt: index))
    }

    /// The last place, by rising dates, of a segment that starts before a date.
    private func lastPlace(startingBefore date: DateTime, orAt isInclusive: Bool) -> Int? {
        guard !dates.isEmpty else { return nil }
        let isAfter = { (start: DateTime) in isInclusive ? start > date : start >= date }
        let place =
            if let order = disorder?.order {
                order.partitioningIndex { isAfter(dates[$0]) }
            } else {
                dates.dropLast().partitioningIndex(where: isAfter)
            }
        return place > 0 ? place - 1 : nil
    }

    private static func disorder(_ starts: [Duration], _ dates: [DateTime]) -> Disorder? {
        guard dates.count > 1 else { return nil }
        let count = dates.count - 1
        var isOrdered = true
        var (lastStart, lastEnd) = (DateTime(nanoseconds: .min), DateTime(nanoseconds: .min))
        for index in 0..<count where isOrdered {
            let end = dates[index].advanced(by: starts[index + 1] - starts[index])
            isOrdered = dates[index] >= lastStart && end >= lastEnd
            (lastStart, lastEnd) = (dates[index], end)
        }
        if isOrdered { return nil }
        let ends = (0..<count).map { dates[$0].advanced(by: starts[$0 + 1] - starts[$0]) }
        // Of equal dates the later segment comes last, and is found first.
        let order = (0..<count).sorted { (dates[$0], $0) < (dates[$1], $1) }
        var reach: [Int] = []
        reach.reserveCapacity(count)
        for index in order {
            reach.append(reach.last.map { ends[$0] > ends[index] ? $0 : index } ?? index)
        }
        return Disorder(order: order, reach: reach)
    }
}
