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
        ledger: RenditionLedger, playlist: MediaPlaylist, reference: RenditionLedger?, entrance: RunEntrance? = nil
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
        guard let first = playlist.segments.first else { return }
        let segments = playlist.segments[...]
        firstDiscontinuity = first.discontinuityNumber &+ run.discontinuityOffset
        if let date = Self.date(ofSegmentAt: 0, in: playlist.segments) {
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
        guard let reference, !reference.hasEnded || !playlist.hasEndList else { return }
        var probe = self
        let places = playlist.segments.map { probe.place($0) }
        firstDiscontinuity &+= LeadingLevels(reference, epoch: run.epoch).offset(
            of: places, isCounted: declaresDiscontinuity)
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
        let missing = entrance?.isBehindGap ?? true ? max(place.number &- before.number &- 1, 0) : 0
        var expectedDate = dateEdge
        // Behind a gap, and where a run begins, nothing before tells the date of a segment that has none: those around it do.
        let isCountedOn = missing == 0 && entrance == nil
        let written =
            segment.programDateTime
            ?? (isCountedOn ? nil : Self.date(ofSegmentAt: segment.index, in: playlist.segments))
        if missing > 0, written == nil, let aligned = alignedTime(behindGap: segment), aligned > edge {
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
        if let date = written {
            let earliest = (missing > 0 ? dateEdge : expectedDate)?.advanced(by: .zero - tolerance)
            date.follow(from: earliest, expected: expectedDate, isMoved: entrance?.dateShift != nil, at: &place)
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
                // Behind a gap the list begins anew.
                let most: Int64 = entrance.isBehindGap ? 1 : 2
                place.tagCount = Int(clamping: min(max(number &- before.discontinuity, fewest), most))
            }
        } else if missing > 0 {
            // Its own tags are among those counted, or were not seen where they are.
            place.discontinuity = max(before.discontinuity, discontinuity(behindGap: segment, at: place))
            place.tagCount = Int(clamping: min(Int64(place.tagCount), place.discontinuity &- before.discontinuity))
        }
    }

    /// The number of a segment before which others were not seen: discontinuities went by with them.
    private func discontinuity(behindGap segment: MediaSegment, at place: LedgerSegment.Place) -> Int64 {
        var place = place
        if declaresDiscontinuity { place.discontinuity = segment.discontinuityNumber &+ run.discontinuityOffset }
        guard let reference else { return place.discontinuity }
        var probe = self
        probe.last = place
        let places = [place] + playlist.segments[(segment.index + 1)...].map { probe.place($0) }
        let levels = LeadingLevels(reference, epoch: run.epoch)
        return place.discontinuity &+ levels.offset(of: places, isCounted: declaresDiscontinuity)
    }

    /// Without dates the leading rendition tells how long a gap in what was seen is.
    private func alignedTime(behindGap segment: MediaSegment) -> DateTime? {
        guard let reference else { return nil }
        return alignedStart(of: playlist.segments[segment.index...], with: reference)
    }

    /// Written, or counted on from the last date before it, or back from the first one behind.
    private static func date(ofSegmentAt index: Int, in segments: MediaSegments) -> DateTime? {
        var elapsed = Duration.zero
        for segment in segments[..<index].reversed() where segments[index].programDateTime == nil {
            elapsed += segment.length
            if let date = segment.programDateTime { return date.advanced(by: elapsed) }
        }
        elapsed = .zero
        for segment in segments[index...] {
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
        let time = edge.advanced(by: .zero - length)
        let exact = timeByDiscontinuities(of: segments, with: reference)
        // A playlist that is behind is so by no more than it can be.
        if let exact, exact.duration(to: time).magnitude <= reference.targetDuration * 2 { return exact }
        return time
    }

    /// A discontinuity that both count lies at one time (rule 504).
    private func timeByDiscontinuities(
        of segments: Slice<MediaSegments>, with reference: RenditionLedger
    ) -> DateTime? {
        guard declaresDiscontinuity, reference.run.declaresDiscontinuities else { return nil }
        var start: DateTime?
        var elapsed = Duration.zero
        for segment in segments {
            if segment.discontinuityCount > 0,
                let time = reference.time(ofDiscontinuity: segment.discontinuityNumber &+ run.discontinuityOffset)
            {
                start = time.advanced(by: .zero - elapsed)
            }
            elapsed += segment.duration
        }
        return start
    }

    /// Renditions cut alike have equal numbers for equal segments: all that both list have the same length.
    private func timeByNumbers(of segments: Slice<MediaSegments>, with reference: RenditionLedger) -> DateTime? {
        // None is far beyond the leading one: numbers that are do not say the same there.
        if reference.epoch == run.epoch, let newest = reference.segments.last, let last = segments.last,
            last.number > newest.originNumber &+ 2 &+ Int64(segments.count / 2)
        {
            return nil
        }
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

extension RenditionLedger {
    /// The start of the segment with whose tags a discontinuity number begins.
    func time(ofDiscontinuity number: Int64) -> DateTime? {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].discontinuity < number { low = middle + 1 } else { high = middle }
        }
        guard low < segments.count, segments[low].discontinuity == number, segments[low].tagCount > 0 else {
            return nil
        }
        return segments[low].time
    }
}

extension DateTime {
    /// This date, as the origin has it, as that of a segment: dates never fall, whatever the origin's clock does. Where it steps
    /// back, those of what follows are moved with it, until it has caught up.
    ///
    /// - Parameter isMoved: where another rendition tells by how much, which has seen the origin's clock step back.
    fileprivate func follow(
        from earliest: DateTime?, expected: DateTime?, isMoved: Bool, at place: inout LedgerSegment.Place
    ) {
        guard let earliest, let expected else {
            place.date = advanced(by: place.dateShift)
            return
        }
        let moved = advanced(by: place.dateShift)
        if self >= earliest, !isMoved {
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
