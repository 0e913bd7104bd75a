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

    init(ledger: RenditionLedger, playlist: MediaPlaylist, reference: RenditionLedger?) {
        firstTime = DateTime(nanoseconds: 0)
        firstDiscontinuity = 0
        declaresDiscontinuity = playlist.discontinuitySequence != nil
        if let previous = ledger.segments.last {
            last = (
                previous.number,
                Place(
                    time: previous.time, date: previous.date, duration: previous.duration,
                    discontinuity: previous.discontinuity)
            )
            return
        }
        guard let first = playlist.segments.first else { return }
        firstDiscontinuity = first.discontinuityNumber
        if let date = Self.firstDate(of: playlist) {
            firstDate = date
            firstTime = date
        } else if let reference {
            firstTime = Self.alignedStart(of: playlist, with: reference)
        }
        if !declaresDiscontinuity, let reference, !reference.segments.isEmpty {
            // Discontinuities that left the window uncounted were counted on the leading rendition (rule 504).
            let index = min(reference.index(ofBoundaryNearest: firstTime), reference.segments.count - 1)
            firstDiscontinuity = max(firstDiscontinuity, reference.segments[index].discontinuity)
        }
    }

    mutating func place(_ segment: MediaSegment) -> Place {
        let duration = min(max(segment.duration, .zero), .seconds(86_400))
        var place: Place
        if let (number, before) = last {
            let missing = max(segment.number &- number &- 1, 0)
            var expected = before.time.advanced(by: before.duration)
            var expectedDate = before.date?.advanced(by: before.duration)
            if missing > 0 {
                // What was not seen is taken to be like the last that was.
                let gap = before.duration * Int(min(missing, 100_000))
                expected = expected.advanced(by: gap)
                expectedDate = expectedDate?.advanced(by: gap)
            }
            place = Place(
                time: expected, date: segment.programDateTime ?? expectedDate, duration: duration,
                discontinuity: before.discontinuity &+ Int64(segment.discontinuityCount))
            if missing > 0, declaresDiscontinuity {
                place.discontinuity = max(place.discontinuity, segment.discontinuityNumber)
            }
            // Dates may jitter; a step back by more is a wrong clock, and time goes on.
            let earliest = missing > 0 ? before.time.advanced(by: before.duration) : expected
            let tolerance = min(Duration.milliseconds(900), duration / 2, before.duration / 2)
            if let date = segment.programDateTime, date >= earliest.advanced(by: .zero - tolerance) {
                place.time = date
            }
        } else {
            place = Place(
                time: firstTime, date: firstDate, duration: duration, discontinuity: firstDiscontinuity)
        }
        last = (segment.number, place)
        return place
    }

    /// The date of the first segment, counted back from the first date that is written.
    private static func firstDate(of playlist: MediaPlaylist) -> DateTime? {
        var elapsed = Duration.zero
        for segment in playlist.segments {
            if let date = segment.programDateTime { return date.advanced(by: .zero - elapsed) }
            elapsed += min(max(segment.duration, .zero), .seconds(86_400))
        }
        return nil
    }

    /// Without dates: renditions with equal numbers and like durations have equal times; else both begin (VOD) or end
    /// (live) together.
    private static func alignedStart(of playlist: MediaPlaylist, with reference: RenditionLedger) -> DateTime {
        guard let first = playlist.segments.first, let start = reference.segments.first, let edge = reference.edge
        else {
            return DateTime(nanoseconds: 0)
        }
        if playlist.hasEndList, reference.hasEnded { return start.time }
        if let twin = reference.segment(numbered: first.number),
            abs(twin.duration - first.duration) * 10 <= twin.duration
        {
            return twin.time
        }
        let length = playlist.segments.reduce(Duration.zero) { $0 + $1.duration }
        return edge.advanced(by: .zero - length)
    }

    private static func abs(_ duration: Duration) -> Duration {
        duration < .zero ? .zero - duration : duration
    }
}
