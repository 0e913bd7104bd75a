/// What is in force before a segment, written out: for a playlist that begins with that segment, whose lines above are gone
/// (rules 608, 706, 1301).
struct RestatedHead {
    private let playlist: MediaPlaylist
    private let segment: MediaSegment
    private let before: MediaSegment?
    private var output = PlaylistText()
    private var lineEnd = "\n"

    init(_ playlist: MediaPlaylist, at index: Int) {
        self.playlist = playlist
        segment = playlist.segments[index]
        before = index > 0 ? playlist.segments[index - 1] : nil
    }

    mutating func append(to text: inout PlaylistText, lineEnd: String) {
        guard let before else { return }
        self.lineEnd = lineEnd
        appendKeysAndMap(before)
        if !segment.contents.contains(.bitrate) {
            let rate = playlist.storage.states[Int(playlist.storage.records[before.index].state)].bitrate
            if rate >= 0 { append("#EXT-X-BITRATE:\(rate)") }
        }
        if segment.programDateTime == nil, let date = date() { append("#EXT-X-PROGRAM-DATE-TIME:" + date) }
        text.append(output.bytes)
    }

    private mutating func appendKeysAndMap(_ before: MediaSegment) {
        let inherited = playlist.keyGroups[before.keyGroup].keys
        // The segment's own lines may replace what was in force; what they replace is not needed, unless for their MAP.
        var needed = playlist.keyGroups[segment.keyGroup].keys
        if segment.contents.contains(.map), let map = segment.map { needed += playlist.maps[map].keys }
        let keys = inherited.filter(needed.contains)
        guard !segment.contents.contains(.map), let map = before.map else {
            append(keys)
            return
        }
        let own = playlist.maps[map].keys
        append(own)
        append(playlist.maps[map].line)
        guard own != keys else { return }
        if !own.isEmpty { append("#EXT-X-KEY:METHOD=NONE") }
        append(keys)
    }

    /// The date of the segment, counted on from the last one before it, in the same spelling.
    private func date() -> String? {
        var elapsed = Duration.zero
        for index in (0..<segment.index).reversed() {
            let earlier = playlist.segments[index]
            elapsed += earlier.duration
            guard let date = earlier.programDateTime else { continue }
            let line = playlist.lines(ofSegmentAt: index).filter { $0.kind == .programDateTime }.last
            let spelling = line.flatMap {
                DateTimeSpelling(playlist.source.span, in: $0.valueRange(in: playlist.source))
            }
            return spelling?.text(of: date.advanced(by: elapsed)) ?? date.advanced(by: elapsed).formatted
        }
        return nil
    }

    private mutating func append(_ keys: [EncryptionKey]) {
        for key in keys { append(key.line) }
    }

    private mutating func append(_ line: PlaylistLine) {
        output.append(playlist.source, in: line.range)
        output.append(lineEnd)
    }

    private mutating func append(_ text: String) {
        output.append(text)
        output.append(lineEnd)
    }
}

/// A byte range whose offset has to be written out because what it continues is not listed before it (rule 704).
enum ExplicitByteRange {
    /// The line with its offset; nil where the line can stay as it is in a playlist that begins with the segment `first`.
    static func text(
        of segment: MediaSegment, _ line: PlaylistLine, in playlist: MediaPlaylist, first: Int
    ) -> String? {
        guard let range = segment.byteRange else { return nil }
        let source = playlist.source
        guard let own = ByteRange.parse(source.span, in: line.valueRange(in: source)), own.offset == nil else {
            return nil
        }
        if segment.index > first {
            let before = playlist.segments[segment.index - 1]
            if before.byteRange != nil, source.span.areEqual(before.uri, segment.uri) { return nil }
        }
        return "#EXT-X-BYTERANGE:\(range.length)@\(range.offset)"
    }
}
