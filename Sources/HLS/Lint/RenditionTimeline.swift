/// Where the segments and discontinuities of a playlist lie in time, for comparisons between renditions.
struct RenditionTimeline {
    /// How times of two playlists can be compared.
    enum Axis {
        /// By their dates.
        case dates
        /// From their beginnings, which are the same in ended playlists.
        case offsets
    }

    /// A run of segments with one discontinuity number.
    struct Period {
        let number: Int64
        /// Index of the first segment.
        let first: Int
        /// Index after the last segment.
        var end: Int
        /// Whether it is listed from its discontinuity on.
        let isFromStart: Bool
    }

    let playlist: MediaPlaylist
    /// Start of each segment in nanoseconds from that of the first; one more entry for the end.
    private let offsets: [Int64]
    /// The same on the wall clock; empty without dates, and where they step back.
    private let dates: [Int64]
    let periods: [Period]

    init(_ playlist: MediaPlaylist) {
        self.playlist = playlist
        var offsets: [Int64] = [0]
        var periods: [Period] = []
        var hasDates = false
        for segment in playlist.segments {
            offsets.append((offsets.last ?? 0).saturatingSum(max(segment.duration.wholeNanoseconds, 0)))
            hasDates = hasDates || segment.programDateTime != nil
            if let last = periods.last, last.number == segment.discontinuityNumber, segment.discontinuityCount == 0 {
                periods[periods.count - 1].end = segment.index + 1
            } else {
                periods.append(
                    Period(
                        number: segment.discontinuityNumber, first: segment.index, end: segment.index + 1,
                        isFromStart: segment.discontinuityCount > 0))
            }
        }
        self.offsets = offsets
        self.periods = periods
        dates = hasDates ? Self.dates(playlist, offsets) : []
    }

    /// Date of each segment; empty where they step back by a second or more, as they then tell no times (rule 802).
    private static func dates(_ playlist: MediaPlaylist, _ offsets: [Int64]) -> [Int64] {
        var result: [Int64] = []
        var pending = 0
        for segment in playlist.segments {
            if let date = segment.programDateTime?.nanoseconds {
                if result.isEmpty {
                    // Those before the first date count back from it.
                    for index in 0..<pending {
                        result.append(date.saturatingDifference(offsets[pending] &- offsets[index]))
                    }
                } else if let last = result.last, date < last.saturatingSum(-1_000_000_000) {
                    return []
                }
                if result.count > segment.index { result[segment.index] = date } else { result.append(date) }
            } else if result.isEmpty {
                pending += 1
                continue
            }
            let end = result[segment.index].saturatingSum(offsets[segment.index + 1] &- offsets[segment.index])
            result.append(end)
        }
        return result
    }

    var hasDates: Bool { !dates.isEmpty }
    var length: Int64 { offsets.last ?? 0 }

    /// Start of a segment; its end for the index after the last.
    func time(_ index: Int, _ axis: Axis) -> Int64 {
        axis == .dates ? dates[index] : offsets[index]
    }

    func end(ofSegmentAt index: Int, _ axis: Axis) -> Int64 {
        time(index, axis).saturatingSum(offsets[index + 1] &- offsets[index])
    }

    /// The time that is listed.
    func window(_ axis: Axis) -> Range<Int64> {
        let start = time(0, axis)
        return start..<max(start, time(playlist.segments.count, axis))
    }

    /// The segment that plays at a time of the window; nil in a gap.
    func segmentIndex(at time: Int64, _ axis: Axis) -> Int? {
        let next = (0..<playlist.segments.count).partitioningIndex { self.time($0, axis) > time }
        guard next > 0, time < end(ofSegmentAt: next - 1, axis) else { return nil }
        return next - 1
    }

    /// The segment that plays at a time, or the next one, or the last: there must be one.
    func segmentIndex(endingAfter time: Int64, _ axis: Axis) -> Int {
        let next = (0..<playlist.segments.count).partitioningIndex { self.time($0, axis) > time }
        if next > 0, time < end(ofSegmentAt: next - 1, axis) { return next - 1 }
        return min(next, playlist.segments.count - 1)
    }

    /// The wall clock at a time after the beginning; nil outside and without dates.
    func date(atOffset offset: Int64) -> Int64? {
        guard hasDates, let index = segmentIndex(at: offset, .offsets) else { return nil }
        return dates[index].saturatingSum(offset.saturatingDifference(offsets[index]))
    }

    /// The periods that begin with a listed discontinuity, by the time of it.
    func joints(_ axis: Axis) -> [(time: Int64, period: Period)] {
        periods.filter(\.isFromStart).map { (time($0.first, axis), $0) }
    }
}

extension Int64 {
    func saturatingSum(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : sum
    }

    func saturatingDifference(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : difference
    }

    /// How far apart two numbers are.
    func distance(_ other: Int64) -> Int64 {
        self > other ? saturatingDifference(other) : other.saturatingDifference(self)
    }

    /// Nanoseconds as seconds, for messages.
    var secondsText: String {
        DecimalText.text(.nanoseconds(self), fractionDigits: 3)
    }
}
