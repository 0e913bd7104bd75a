import HLS

/// Gives the new segments of a snapshot their times, dates and absolute discontinuity numbers.
///
/// t(m) is PROGRAM-DATE-TIME, else counted on from the segment before. A date that would make time fall is not followed.
struct SegmentClock {
    private var last: LedgerSegment.Place?
    /// How the next segment begins a run.
    private var entrance: RunEntrance?
    private let run: OriginRun
    /// For the first segment ever seen of the rendition.
    private var firstTime: DateTime
    private var firstDate: DateTime?
    private var firstDateShift = Duration.zero
    private var firstDiscontinuity: Int64
    private let declaresDiscontinuity: Bool
    private let playlist: MediaPlaylist
    private let reference: RenditionLedger?

    /// - Parameter entrance: of the run that has just begun.
    init(
        ledger: RenditionLedger, playlist: MediaPlaylist, reference: RenditionLedger?, firstIndex: Int = 0,
        entrance: RunEntrance? = nil
    ) {
        firstTime = DateTime(nanoseconds: 0)
        firstDiscontinuity = 0
        run = ledger.run
        self.entrance = entrance
        declaresDiscontinuity = playlist.discontinuitySequence != nil
        self.reference = reference
        self.playlist = playlist
        if let previous = ledger.segments.last {
            last = previous.place
            return
        }
        guard firstIndex < playlist.segments.count else { return }
        let first = playlist.segments[firstIndex]
        let segments = playlist.segments[firstIndex...]
        firstDiscontinuity = first.discontinuityNumber &+ run.discontinuityOffset
        if let date = Self.firstDate(of: segments) {
            firstDate = date
            firstTime = date
            if let known = reference?.segments.last, let origin = known.originDate {
                firstTime = known.time.advanced(by: origin.duration(to: date))
                firstDateShift = known.dateShift
                firstDate = date.advanced(by: known.dateShift)
            }
        } else if let reference {
            firstTime = alignedStart(of: segments, with: reference)
        }
        let known = reference == nil ? nil : leadingDiscontinuity(at: firstTime.advanced(by: first.duration / 2))
        if let known, let start = reference?.segments.first?.time, start <= firstTime,
            (firstDiscontinuity &- known).magnitude > 1
        {
            // The origin's number is one of another epoch.
            firstDiscontinuity = known
        } else if !declaresDiscontinuity, let known {
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

    mutating func place(_ segment: MediaSegment) -> LedgerSegment.Place {
        let duration = segment.length
        let number = segment.number &+ run.numberOffset
        var place: LedgerSegment.Place
        if let before = last {
            place = LedgerSegment.Place(
                number: number, originNumber: segment.number, time: before.time.advanced(by: before.duration),
                duration: duration, discontinuity: before.discontinuity &+ Int64(segment.discontinuityCount),
                tagCount: segment.discontinuityCount)
            follow(before, segment, at: &place)
        } else {
            place = LedgerSegment.Place(
                number: number, originNumber: segment.number, time: firstTime, date: firstDate,
                dateShift: firstDateShift, duration: duration, discontinuity: firstDiscontinuity,
                tagCount: segment.discontinuityCount)
        }
        last = place
        return place
    }

    private mutating func follow(
        _ before: LedgerSegment.Place, _ segment: MediaSegment, at place: inout LedgerSegment.Place
    ) {
        let entrance = entrance
        self.entrance = nil
        let edge = before.time.advanced(by: before.duration)
        let dateEdge = before.date?.advanced(by: before.duration)
        let missing = entrance == nil ? max(place.number &- before.number &- 1, 0) : 0
        var expectedDate = dateEdge
        if missing > 0, segment.programDateTime == nil, let aligned = alignedTime(behindGap: segment), aligned > edge {
            expectedDate = dateEdge?.advanced(by: edge.duration(to: aligned))
            place.time = aligned
        } else if missing > 0 {
            // What was not seen is taken to be like the last that was.
            let gap = before.duration * Int(min(missing, 100_000))
            place.time = edge.advanced(by: gap)
            expectedDate = dateEdge?.advanced(by: gap)
        }
        // Dates may jitter; a step back by more is a wrong clock, and time goes on.
        let tolerance = min(Duration.milliseconds(900), place.duration / 2, before.duration / 2)
        place.date = expectedDate
        place.dateShift = entrance?.dateShift ?? before.dateShift
        if let date = segment.programDateTime {
            let earliest = (missing > 0 ? dateEdge : expectedDate)?.advanced(by: .zero - tolerance)
            date.follow(from: earliest, expected: expectedDate, at: &place)
            if let moved = place.date, let known = before.date {
                place.time = before.time.advanced(by: known.duration(to: moved))
            }
        }
        if let entrance {
            place.succession = entrance.isDiscontinuity ? .beginsEpoch : .isRenumbered
            if let time = entrance.time { place.time = max(time, edge.advanced(by: .zero - tolerance)) }
            if entrance.isDiscontinuity {
                place.tagCount = max(place.tagCount, 1)
                place.discontinuity = before.discontinuity &+ Int64(place.tagCount)
            }
            if let number = entrance.discontinuity {
                place.discontinuity = number
                let fewest: Int64 = entrance.isDiscontinuity ? 1 : 0
                place.tagCount = Int(clamping: min(max(number &- before.discontinuity, fewest), 2))
            }
        } else if missing > 0 {
            let known =
                declaresDiscontinuity
                ? segment.discontinuityNumber &+ run.discontinuityOffset
                : leadingDiscontinuity(at: place.time.advanced(by: place.duration / 2))
            place.discontinuity = max(place.discontinuity, known ?? place.discontinuity)
        }
    }

    /// Without dates the leading rendition tells how long a gap in what was seen is.
    private func alignedTime(behindGap segment: MediaSegment) -> DateTime? {
        guard let reference else { return nil }
        return alignedStart(of: playlist.segments[segment.index...], with: reference)
    }

    /// The date of the first segment, counted back from the first date that is written.
    private static func firstDate(of segments: Slice<MediaSegments>) -> DateTime? {
        var elapsed = Duration.zero
        for segment in segments {
            if let date = segment.programDateTime { return date.advanced(by: .zero - elapsed) }
            elapsed += segment.length
        }
        return nil
    }

    /// Without dates: renditions with equal numbers and like durations have equal times; else both begin (VOD) or end
    /// (live) together.
    func alignedStart(of segments: Slice<MediaSegments>, with reference: RenditionLedger) -> DateTime {
        guard let first = segments.first, let start = reference.segments.first, let edge = reference.edge else {
            return DateTime(nanoseconds: 0)
        }
        if playlist.hasEndList, reference.hasEnded, first.index == 0 { return start.time }
        if let time = timeByNumbers(of: segments, with: reference) { return time }
        let length = segments.reduce(Duration.zero) { $0 + $1.duration }
        return edge.advanced(by: .zero - length)
    }

    /// Renditions cut alike have equal numbers for equal segments: all that both list have the same length.
    private func timeByNumbers(of segments: Slice<MediaSegments>, with reference: RenditionLedger) -> DateTime? {
        var start: DateTime?
        var elapsed = Duration.zero
        for segment in segments {
            if let twin = reference.segment(originNumber: segment.number, epoch: run.epoch) {
                guard (twin.duration - segment.duration).magnitude <= .milliseconds(20) else { return nil }
                start = start ?? twin.time.advanced(by: .zero - elapsed)
            }
            elapsed += segment.duration
        }
        return start
    }
}

extension DateTime {
    /// This date, as the origin has it, as that of a segment: dates never fall, whatever the origin's clock does. Where it steps
    /// back, those of what follows are moved with it, until it has caught up.
    fileprivate func follow(from earliest: DateTime?, expected: DateTime?, at place: inout LedgerSegment.Place) {
        guard let earliest, let expected else {
            place.date = advanced(by: place.dateShift)
            return
        }
        let moved = advanced(by: place.dateShift)
        if self >= earliest {
            place.date = self
            place.dateShift = .zero
        } else if moved >= earliest {
            place.date = moved
        } else {
            place.date = expected
            place.dateShift = duration(to: expected)
        }
    }
}

extension LedgerSegment {
    fileprivate var place: Place {
        Place(
            number: number, originNumber: originNumber, time: time, date: date, dateShift: dateShift,
            duration: duration,
            discontinuity: discontinuity, tagCount: tagCount)
    }
}
