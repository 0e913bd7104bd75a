package import HLS

/// What is kept of one content segment: where it stands on the timeline and its lines, URIs absolute. Set when the segment is
/// first seen and never changed, so that one number names one segment for ever (rule 404).
package struct LedgerSegment: Sendable {
    package let number: Int64
    /// t(m): PROGRAM-DATE-TIME, else counted on from the segment before. Never falls from one segment to the next.
    package let time: DateTime
    /// The date that the origin gives the segment, written or implied; nil where no dates are in use.
    package let date: DateTime?
    package let duration: Duration
    /// Absolute discontinuity number of the origin's timeline, this segment's own tags counted.
    package let discontinuity: Int64
    let text: SegmentText

    package var end: DateTime { time.advanced(by: duration) }
    /// EXT-X-DISCONTINUITY tags of this segment.
    var tagCount: Int { text.discontinuityCount }

    /// A boundary at this segment's start is nearer to `time` than the boundary at its end, or as near.
    func startIsNearest(to other: DateTime) -> Bool {
        // Twice the distance from the start against the duration: exact, no halves.
        let distance = time.duration(to: other)
        return distance + distance <= duration
    }
}

/// The lines of a segment as a stitched playlist may need them.
struct SegmentText: Sendable {
    struct Line: Sendable {
        let kind: LineRole
        /// Into ``SegmentText/bytes``, line end included.
        let range: Range<Int>
    }

    /// What a rewriter has to know of a line.
    enum LineRole: UInt8, Sendable {
        /// Copied with its segment.
        case plain
        case discontinuity, key, map, programDateTime, bitrate, dateRange, partial
        /// EXTINF, URI.
        case media
        case byteRange
        /// A marker that opens a break.
        case opensBreak
        case insideBreak, closesBreak
        /// Says more of the break that opens or closes here.
        case breakDetail
    }

    /// All lines in the origin's order, URIs absolute.
    let bytes: [UInt8]
    let lines: [Line]
    let discontinuityCount: Int
    let hasMarkers: Bool
    let hasDateRanges: Bool
    let hasBitrate: Bool
    let hasDate: Bool
    let hasPartials: Bool
    /// BYTERANGE with its offset, where the origin left it out; else empty.
    let explicitByteRange: [UInt8]
    let state: SegmentState

    /// Keys and map in force, shared by the segments of a run.
    final class SegmentState: Sendable {
        /// EXT-X-KEY lines in force, in the origin's order.
        let keys: [Key]
        /// The EXT-X-MAP line in force; empty where there is none.
        let map: [UInt8]
        /// The keys that the map stands under, where it was encrypted otherwise than the segments; else nil.
        let mapKeys: [Key]?

        init(keys: [Key], map: [UInt8], mapKeys: [Key]? = nil) {
            self.keys = keys
            self.map = map
            self.mapKeys = mapKeys
        }

        var hasImplicitIV: Bool { keys.contains(where: \.hasImplicitIV) }
    }

    struct Key: Sendable, Equatable {
        /// The line, URI absolute, without its line end.
        let line: [UInt8]
        /// The IV is the media sequence number and has to be written out once that changes (rule 605).
        let hasImplicitIV: Bool
    }
}
