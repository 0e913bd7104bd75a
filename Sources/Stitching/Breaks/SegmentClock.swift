import HLS

/// Gives the new segments of a snapshot their times, dates and absolute discontinuity numbers.
///
/// t(m) is PROGRAM-DATE-TIME, else counted on from the segment before. A date that would make time fall is not followed.
struct SegmentClock {
    struct Place {
        var time: DateTime
        var date: DateTime?
        var duration: Duration
        var discontinuity: Int64
    }

    private var last: (number: Int64, place: Place)?
    /// For the first segment ever seen of the rendition.
    private var firstTime: DateTime
    private var firstDate: DateTime?
    private var firstDiscontinuity: Int64
    private let declaresDiscontinuity: Bool
    private let playlist: MediaPlaylist
    private let reference: RenditionLedger?

    init(ledger: RenditionLedger, playlist: MediaPlaylist, reference: RenditionLedger?, firstIndex: Int = 0) {
        firstTime = DateTime(nanoseconds: 0)
        firstDiscontinuity = 0
        declaresDiscontinuity = playlist.discontinuitySequence != nil
        self.reference = reference
        self.playlist = playlist
        if let previous = ledger.segments.last {
            last = (
                previous.number,
                Place(
                    time: previous.time, date: previous.date, duration: previous.duration,
                    discontinuity: previous.discontinuity)
            )
            return
        }
        guard firstIndex < playlist.segments.count else { return }
        let first = playlist.segments[firstIndex]
        let segments = playlist.segments[firstIndex...]
        firstDiscontinuity = first.discontinuityNumber
        if let date = Self.firstDate(of: segments) {
            firstDate = date
            firstTime = date
        } else if let reference {
            firstTime = Self.alignedStart(
                of: segments, hasEnded: playlist.hasEndList, with: reference)
        }
        if !declaresDiscontinuity, let known = leadingDiscontinuity(at: firstTime.advanced(by: first.duration / 2)) {
            // Tags of the playlist before this segment are among those counted there.
            firstDiscontinuity = max(known, firstIndex > 0 ? known : firstDiscontinuity)
        }
    }

    /// Discontinuities that left the window uncounted were counted on the leading rendition (rule 504).
    private func leadingDiscontinuity(at time: DateTime) -> Int64? {
        guard let reference, let first = reference.segments.first else { return nil }
        if time < first.time { return first.discontinuity &- Int64(first.tagCount) }
        return reference.segments[min(reference.index(covering: time), reference.segments.count - 1)].discontinuity
    }

    mutating func place(_ segment: MediaSegment) -> Place {
        let duration = min(max(segment.duration, .zero), .seconds(86_400))
        var place: Place
        if let (number, before) = last {
            let missing = max(segment.number &- number &- 1, 0)
            var expected = before.time.advanced(by: before.duration)
            var expectedDate = before.date?.advanced(by: before.duration)
            if missing > 0, segment.programDateTime == nil, let aligned = alignedTime(behindGap: segment),
                aligned > expected
            {
                expectedDate = expectedDate?.advanced(by: expected.duration(to: aligned))
                expected = aligned
            } else if missing > 0 {
                // What was not seen is taken to be like the last that was.
                let gap = before.duration * Int(min(missing, 100_000))
                expected = expected.advanced(by: gap)
                expectedDate = expectedDate?.advanced(by: gap)
            }
            place = Place(
                time: expected, date: segment.programDateTime ?? expectedDate, duration: duration,
                discontinuity: before.discontinuity &+ Int64(segment.discontinuityCount))
            // Dates may jitter; a step back by more is a wrong clock, and time goes on.
            let earliest = missing > 0 ? before.time.advanced(by: before.duration) : expected
            let tolerance = min(Duration.milliseconds(900), duration / 2, before.duration / 2)
            if let date = segment.programDateTime, date >= earliest.advanced(by: .zero - tolerance) {
                place.time = date
            }
            if missing > 0 {
                let known =
                    declaresDiscontinuity
                    ? segment.discontinuityNumber : leadingDiscontinuity(at: place.time.advanced(by: duration / 2))
                place.discontinuity = max(place.discontinuity, known ?? place.discontinuity)
            }
        } else {
            place = Place(
                time: firstTime, date: firstDate, duration: duration, discontinuity: firstDiscontinuity)
        }
        last = (segment.number, place)
        return place
    }

    /// Without dates the leading rendition tells how long a gap in what was seen is.
    private func alignedTime(behindGap segment: MediaSegment) -> DateTime? {
        guard let reference else { return nil }
        return Self.alignedStart(
            of: playlist.segments[segment.index...], hasEnded: playlist.hasEndList, with: reference)
    }

    /// The date of the first segment, counted back from the first date that is written.
    private static func firstDate(of segments: Slice<MediaSegments>) -> DateTime? {
        var elapsed = Duration.zero
        for segment in segments {
            if let date = segment.programDateTime { return date.advanced(by: .zero - elapsed) }
            elapsed += min(max(segment.duration, .zero), .seconds(86_400))
        }
        return nil
    }

    /// Without dates: renditions with equal numbers and like durations have equal times; else both begin (VOD) or end
    /// (live) together.
    private static func alignedStart(
        of segments: Slice<MediaSegments>, hasEnded: Bool, with reference: RenditionLedger
    ) -> DateTime {
        guard let first = segments.first, let start = reference.segments.first, let edge = reference.edge else {
            return DateTime(nanoseconds: 0)
        }
        if hasEnded, reference.hasEnded, first.index == 0 { return start.time }
        if let time = timeByNumbers(of: segments, with: reference) { return time }
        let length = segments.reduce(Duration.zero) { $0 + $1.duration }
        return edge.advanced(by: .zero - length)
    }

    /// Renditions cut alike have equal numbers for equal segments: all that both list have the same length.
    private static func timeByNumbers(of segments: Slice<MediaSegments>, with reference: RenditionLedger) -> DateTime? {
        var start: DateTime?
        var elapsed = Duration.zero
        for segment in segments {
            if let twin = reference.segment(numbered: segment.number) {
                guard abs(twin.duration - segment.duration) <= .milliseconds(20) else { return nil }
                start = start ?? twin.time.advanced(by: .zero - elapsed)
            }
            elapsed += segment.duration
        }
        return start
    }

    private static func abs(_ duration: Duration) -> Duration {
        duration < .zero ? .zero - duration : duration
    }
}
