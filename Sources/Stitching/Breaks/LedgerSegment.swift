package import HLS

/// What is kept of one content segment: where it stands on the timeline and its lines, URIs absolute. Set when the segment is
/// first seen and never changed, so that one number names one segment for ever (rule 404).
package struct LedgerSegment: Sendable, Codable {
    /// How it follows on the segment before.
    enum Succession: UInt8, Sendable, Codable {
        /// As the origin has it.
        case follows
        /// The origin has other numbers from here on, or other keys or another map without saying so here: it is another origin, or
        /// another rendition has this one's address now.
        case isRenumbered
        /// The first segment of an epoch, behind a discontinuity.
        case beginsEpoch
    }

    /// Where the segment stands on the timeline.
    struct Place: Sendable {
        var number: Int64
        var originNumber: Int64
        var time: DateTime
        var date: DateTime?
        var dateShift = Duration.zero
        var duration: Duration
        var discontinuity: Int64
        var tagCount: Int
        var succession = Succession.follows
    }

    /// The channel's number: the origin's, until that begins to count anew.
    package let number: Int64
    /// The number in the origin's playlist, from which IVs may follow (rule 605).
    package let originNumber: Int64
    /// t(m): PROGRAM-DATE-TIME, else counted on from the segment before. Never falls from one segment to the next.
    package let time: DateTime
    /// The date of the segment, written or implied; nil where no dates are in use. Never falls.
    package let date: DateTime?
    /// What ``date`` is later than the origin has it, where the origin's clock has stepped back.
    let dateShift: Duration
    package let duration: Duration
    /// Absolute discontinuity number of the origin's timeline, this segment's own tags counted.
    package let discontinuity: Int64
    /// EXT-X-DISCONTINUITY tags of this segment.
    let tagCount: Int
    let succession: Succession
    let text: SegmentText
    package let end: DateTime
    /// Of ``duration``.
    private let wholeNanoseconds: Int64

    init(_ place: Place, text: SegmentText) {
        number = place.number
        originNumber = place.originNumber
        time = place.time
        date = place.date
        dateShift = place.dateShift
        duration = place.duration
        discontinuity = place.discontinuity
        tagCount = place.tagCount
        succession = place.succession
        self.text = text
        end = place.time.advanced(by: place.duration)
        wholeNanoseconds = place.duration.wholeNanoseconds
    }

    /// The date that the origin gives it.
    var originDate: DateTime? { date?.advanced(by: .zero - dateShift) }
    var originEnd: DateTime? { originDate?.advanced(by: duration) }

    /// What lay between it and the segment before was not seen: numbers are missing, or the origin has lost time.
    func isBehindGap(_ before: LedgerSegment) -> Bool {
        before.number &+ 1 != number || before.end.duration(to: time) > max(duration / 2, .seconds(1))
    }

    /// A segment is listed when no break at the leading rendition's edge could begin before its end: when its end, not its start, is
    /// the boundary nearest to the edge. And not on the far side of a discontinuity that the leading rendition has not reached; but it
    /// waits for that no longer than the other's playlist can be behind: discontinuities that nobody saw are not counted.
    ///
    /// - Parameters:
    ///   - edge: up to where the leading rendition is known, and `discontinuity` the number of what it has there.
    ///   - targetDuration: of this segment's rendition.
    func isListed(before edge: DateTime, reached discontinuity: Int64, targetDuration: Duration) -> Bool {
        !startIsNearest(to: edge) && hasReached(discontinuity, before: edge, targetDuration: targetDuration)
    }

    /// Not on the far side of a discontinuity; ``isListed(before:reached:targetDuration:)``.
    func hasReached(_ discontinuity: Int64, before edge: DateTime, targetDuration: Duration) -> Bool {
        self.discontinuity <= discontinuity || end.advanced(by: targetDuration * 2) <= edge
    }

    /// A boundary at this segment's start is nearer to `time` than the boundary at its end, or as near.
    func startIsNearest(to other: DateTime) -> Bool {
        // Twice the distance from the start against the duration; the distance is whole, so half of less than one counts not.
        let (distance, overflow) = other.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
        return overflow ? other < time : distance <= wholeNanoseconds >> 1
    }
}

extension SegmentText {
    /// Behind a segment it needs no more than its own lines.
    func follows(_ before: SegmentText) -> Bool {
        let hasMap = state.map == before.state.map || roles.contains(.map)
        return hasMap && (state.keys == before.state.keys || roles.contains(.key)) && continuesByteRange(of: before)
    }
}
