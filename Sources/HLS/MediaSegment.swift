/// One media segment of a media playlist: numbers, times and places. Its lines are read with
/// ``MediaPlaylist/lines(ofSegmentAt:)``.
package struct MediaSegment: Hashable, Sendable {
    /// Tags that stand before the segment, for quick questions.
    package struct Contents: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let key = Contents(rawValue: 1 << 0)
        package static let map = Contents(rawValue: 1 << 1)
        package static let programDateTime = Contents(rawValue: 1 << 2)
        package static let byteRange = Contents(rawValue: 1 << 3)
        package static let gap = Contents(rawValue: 1 << 4)
        package static let bitrate = Contents(rawValue: 1 << 5)
        package static let dateRange = Contents(rawValue: 1 << 6)
        package static let adMarker = Contents(rawValue: 1 << 7)
        package static let discontinuity = Contents(rawValue: 1 << 8)
        package static let partialSegment = Contents(rawValue: 1 << 9)
        /// Comments, blank lines and unknown tags.
        package static let other = Contents(rawValue: 1 << 10)
        /// Tags that belong into the header (rule 107), and URI lines without EXTINF.
        package static let misplaced = Contents(rawValue: 1 << 11)
    }

    /// Place in the list of segments.
    package let index: Int
    /// Media sequence number.
    package let number: Int64
    /// Discontinuity number: the header's value and the tags up to and with this segment's (rule 502).
    package let discontinuityNumber: Int64
    /// EXT-X-DISCONTINUITY tags of this segment; normally 0 or 1.
    package let discontinuityCount: Int
    /// EXTINF, exact to the digits given.
    package let duration: Duration
    /// EXTINF's number as spelled.
    package let durationText: Range<Int>
    /// EXTINF's text after the comma; empty where there is none.
    package let title: Range<Int>
    package let uri: Range<Int>
    /// All lines of the segment, from the first tag to the end of the URI line. For the first segment header lines may
    /// stand in between.
    package let range: Range<Int>
    /// EXT-X-PROGRAM-DATE-TIME of this very segment.
    package let programDateTime: DateTime?
    /// With an explicit offset, also where the playlist gave none (rule 703).
    package let byteRange: ByteRange?
    /// EXT-X-BITRATE in force, kbit/s; none for byte ranges (rule 1301).
    package let bitrate: Int64?
    /// The keys in force: index into ``MediaPlaylist/keyGroups``.
    package let keyGroup: Int
    /// The MAP in force: index into ``MediaPlaylist/maps``.
    package let map: Int?
    package let contents: Contents

    package var isGap: Bool { contents.contains(.gap) }
}

/// What is kept for each segment: 32 bytes.
struct SegmentRecord {
    var start: UInt32
    var uriStart: UInt32
    /// Where EXTINF's value stands.
    var durationStart: UInt32
    /// Index of the ``SegmentState``.
    var state: UInt32
    /// Nanoseconds; cut off if `isFine`.
    var nanoseconds: Int64
    /// Index of the ``SegmentDetail`` plus one.
    var detail: UInt32
    var contents: UInt16
    /// `max` stands for as many and more.
    var discontinuities: UInt8
    /// Whether the duration has more than nine fractional digits, to be read again from the text.
    var isFine: Bool
}

/// What holds from one segment to the next.
struct SegmentState: Equatable {
    var discontinuityNumber: Int64 = 0
    var bitrate: Int64 = -1
    var keyGroup: UInt32 = 0
    /// Index of the map plus one.
    var map: UInt32 = 0
}

/// What some segments have.
struct SegmentDetail {
    var programDateTime: Int64 = 0
    var offset: Int64 = 0
    var length: Int64 = -1
}

/// The segments of a media playlist, put together as they are asked for.
package struct MediaSegments: RandomAccessCollection, Sendable {
    let storage: MediaPlaylist.Storage

    package var startIndex: Int { 0 }
    package var endIndex: Int { storage.records.count }

    package subscript(index: Int) -> MediaSegment {
        storage.segment(at: index)
    }
}
