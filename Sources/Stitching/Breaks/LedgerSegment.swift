package import HLS

/// What is kept of one content segment: where it stands on the timeline and its lines, URIs absolute. Set when the segment is
/// first seen and never changed, so that one number names one segment for ever (rule 404).
package struct LedgerSegment: Sendable, Codable {
    package let number: Int64
    /// t(m): PROGRAM-DATE-TIME, else counted on from the segment before. Never falls from one segment to the next.
    package let time: DateTime
    /// The date that the origin gives the segment, written or implied; nil where no dates are in use.
    package let date: DateTime?
    package let duration: Duration
    /// Absolute discontinuity number of the origin's timeline, this segment's own tags counted.
    package let discontinuity: Int64
    let text: SegmentText
    package let end: DateTime
    /// Of ``duration``.
    private let wholeNanoseconds: Int64

    init(
        number: Int64, time: DateTime, date: DateTime?, duration: Duration, discontinuity: Int64, text: SegmentText
    ) {
        self.number = number
        self.time = time
        self.date = date
        self.duration = duration
        self.discontinuity = discontinuity
        self.text = text
        end = time.advanced(by: duration)
        wholeNanoseconds = duration.wholeNanoseconds
    }

    /// EXT-X-DISCONTINUITY tags of this segment.
    var tagCount: Int { text.discontinuityCount }

    /// A boundary at this segment's start is nearer to `time` than the boundary at its end, or as near.
    func startIsNearest(to other: DateTime) -> Bool {
        // Twice the distance from the start against the duration; the distance is whole, so half of less than one counts not.
        let (distance, overflow) = other.nanoseconds.subtractingReportingOverflow(time.nanoseconds)
        return overflow ? other < time : distance <= wholeNanoseconds >> 1
    }
}
