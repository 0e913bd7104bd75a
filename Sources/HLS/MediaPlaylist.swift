/// A media playlist, RFC 8216bis §4.4.3: the received bytes and what they mean. Immutable and cheap to copy; values are
/// decoded from the bytes as they are asked for, so that what nobody asks for survives as it came.
package struct MediaPlaylist: Sendable {
    package enum PlaylistType: String, Hashable, Sendable, Codable {
        case event = "EVENT"
        case vod = "VOD"
    }

    /// What the tags of the whole playlist say.
    struct Header {
        var version: Int64?
        var targetDuration: Int64?
        var mediaSequence: Int64?
        var discontinuitySequence: Int64?
        var playlistType: PlaylistType?
        var hasEndList = false
        var isIFramesOnly = false
        var isIndependent = false
        var start: PlaylistStart?
        var skippedSegments: Int64 = 0
        var hasDefinitions = false
        var isLowLatency = false
    }

    /// One immutable object behind all copies: a playlist is handed around a lot, its arrays should not be.
    final class Storage: Sendable {
        let source: [UInt8]
        let header: Header
        let records: [SegmentRecord]
        let states: [SegmentState]
        let details: [SegmentDetail]
        let keyGroups: [KeyGroup]
        let maps: [MediaInitialization]
        /// Runs of lines before the first URI line: those of the playlist, and those of the first segment.
        let headerRuns: LineRuns
        let firstSegmentRuns: LineRuns
        let trailerStart: Int
        let trailerState: SegmentState

        init(_ source: [UInt8], _ parser: consuming PlaylistParser) {
            self.source = source
            header = parser.header
            records = parser.records
            states = parser.states
            details = parser.details
            keyGroups = parser.keyGroups
            maps = parser.maps
            headerRuns = parser.head.headerRuns
            firstSegmentRuns = parser.head.segmentRuns
            trailerStart = parser.segmentStart
            trailerState = parser.state
        }
    }

    let storage: Storage

    /// Reads a playlist as leniently as players do. What is odd is found by ``lint()``; what is no media playlist
    /// throws.
    package init(parsing source: [UInt8]) throws(PlaylistError) {
        var parser = PlaylistParser()
        try parser.parse(source)
        storage = Storage(source, parser)
    }

    /// The bytes as received. All ranges of lines, segments and attributes point into them.
    package var source: [UInt8] { storage.source }

    /// The playlist's bytes: those received.
    package func serialized() -> [UInt8] { storage.source }

    /// EXT-X-VERSION; 1 where it is missing.
    package var version: Int { Int(clamping: storage.header.version ?? 1) }
    /// Upper bound of a segment's duration, whole seconds. EXT-X-TARGETDURATION, RFC 8216bis §4.4.3.1.
    package var targetDuration: Int? { storage.header.targetDuration.map { Int(clamping: $0) } }
    /// Number of the first segment; 0 where it is not given (rule 402).
    package var mediaSequence: Int64 { storage.header.mediaSequence ?? 0 }
    package var hasMediaSequence: Bool { storage.header.mediaSequence != nil }
    /// EXT-X-DISCONTINUITY-SEQUENCE, nil where it is not given.
    package var discontinuitySequence: Int64? { storage.header.discontinuitySequence }
    package var playlistType: PlaylistType? { storage.header.playlistType }
    package var hasEndList: Bool { storage.header.hasEndList }
    package var isIFramesOnly: Bool { storage.header.isIFramesOnly }
    /// EXT-X-INDEPENDENT-SEGMENTS.
    package var hasIndependentSegments: Bool { storage.header.isIndependent }
    package var start: PlaylistStart? { storage.header.start }
    /// SKIPPED-SEGMENTS of a playlist delta update; 0 in a full playlist.
    package var skippedSegments: Int64 { storage.header.skippedSegments }
    /// Whether variables are defined (EXT-X-DEFINE).
    package var hasDefinitions: Bool { storage.header.hasDefinitions }
    /// Whether there are partial segments or their hints.
    package var isLowLatency: Bool { storage.header.isLowLatency }

    package var segments: MediaSegments { MediaSegments(storage: storage) }
    /// The sets of keys that segments name by index. The first is empty: clear.
    package var keyGroups: [KeyGroup] { storage.keyGroups }
    /// The EXT-X-MAP lines that segments name by index.
    package var maps: [MediaInitialization] { storage.maps }

    /// The lines that speak of the whole playlist and stand before the first segment, with what clings to them (rule 109).
    package var headerLines: PlaylistLines { PlaylistLines(storage.source, runs: storage.headerRuns) }

    /// The lines after the last segment: EXT-X-ENDLIST, cues that await their segment, partial segments, hints, reports.
    package var trailerLines: PlaylistLines {
        // Without a segment, what would be the first one's lines are what follows the header.
        if storage.records.isEmpty { return PlaylistLines(storage.source, runs: storage.firstSegmentRuns) }
        return PlaylistLines(storage.source, in: storage.trailerStart..<storage.source.count)
    }

    /// The lines of a segment in their order, the URI line being the last. Empty for an index out of range.
    package func lines(ofSegmentAt index: Int) -> PlaylistLines {
        guard storage.records.indices.contains(index) else { return PlaylistLines([], in: 0..<0) }
        if index == 0 { return PlaylistLines(storage.source, runs: storage.firstSegmentRuns) }
        return PlaylistLines(storage.source, in: storage.range(ofSegmentAt: index))
    }

    /// All lines from the first byte to the last.
    package var lines: PlaylistLines { PlaylistLines(all: storage.source) }

    /// The keys in force for a segment that would follow the last one: tags of the trailer count.
    package var trailerKeyGroup: Int { Int(storage.trailerState.keyGroup) }
    /// The MAP in force after the last segment.
    package var trailerMap: Int? { storage.trailerState.map == 0 ? nil : Int(storage.trailerState.map) - 1 }
    /// The discontinuity number of a segment that would follow the last one.
    package var trailerDiscontinuityNumber: Int64 { storage.trailerState.discontinuityNumber }

    /// The text of a part of the source.
    package func text(_ range: Range<Int>) -> String { storage.source.text(in: range) }
}

extension MediaPlaylist.Storage {
    func range(ofSegmentAt index: Int) -> Range<Int> {
        let start = Int(records[index].start)
        let end = index + 1 < records.count ? Int(records[index + 1].start) : trailerStart
        return start..<end
    }

    func segment(at index: Int) -> MediaSegment {
        let record = records[index]
        let state = states[Int(record.state)]
        let contents = MediaSegment.Contents(rawValue: record.contents)
        let range = range(ofSegmentAt: index)
        let source = source
        let bytes = source.span
        let text = durationText(at: Int(record.durationStart), in: bytes)
        var duration = Duration.nanoseconds(record.nanoseconds)
        if record.isFine { duration = DecimalText.duration(bytes, in: text.number) ?? duration }
        var date: DateTime?
        var byteRange: ByteRange?
        if record.detail != 0 {
            let detail = details[Int(record.detail) - 1]
            if contents.contains(.programDateTime) { date = DateTime(nanoseconds: detail.programDateTime) }
            if detail.length >= 0 { byteRange = ByteRange(offset: detail.offset, length: detail.length) }
        }
        return MediaSegment(
            index: index, number: (header.mediaSequence ?? 0) &+ header.skippedSegments &+ Int64(index),
            discontinuityNumber: state.discontinuityNumber, discontinuityCount: discontinuityCount(at: index),
            duration: duration, durationText: text.number, title: text.title,
            uri: bytes.trimmed(Int(record.uriStart)..<range.upperBound), range: range, programDateTime: date,
            byteRange: byteRange, bitrate: state.bitrate < 0 || byteRange != nil ? nil : state.bitrate,
            keyGroup: Int(state.keyGroup), map: state.map == 0 ? nil : Int(state.map) - 1, contents: contents)
    }

    /// EXT-X-DISCONTINUITY tags of a segment. More than a record can hold are told by the numbers.
    private func discontinuityCount(at index: Int) -> Int {
        let count = records[index].discontinuities
        guard count == .max else { return Int(count) }
        let before =
            index > 0
            ? states[Int(records[index - 1].state)].discontinuityNumber : header.discontinuitySequence ?? 0
        return Int(clamping: states[Int(records[index].state)].discontinuityNumber &- before)
    }

    /// The number and the title of an EXTINF whose value starts at `start`.
    private func durationText(at start: Int, in bytes: Span<UInt8>) -> (number: Range<Int>, title: Range<Int>) {
        let end = bytes.lineFeed(from: start, to: bytes.count)
        guard let comma = bytes.firstIndex(of: 0x2C, in: start..<end) else {
            let number = bytes.trimmed(start..<end)
            return (number, number.upperBound..<number.upperBound)
        }
        return (bytes.trimmed(start..<comma), bytes.trimmed(comma + 1..<end))
    }
}
