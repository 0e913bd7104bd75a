import HLS

/// Playlist delta updates. The input is a full playlist, a NUL, and a delta update to merge onto it. The full playlist's own
/// delta updates are made and merged too.
enum DeltaCheck {
    static func run(_ input: [UInt8]) throws(FuzzFailure) {
        let end = input.firstIndex(of: 0x00) ?? input.endIndex
        // Where a tag of multivariant playlists stands decides whether this is a media playlist at all (rule 108).
        guard let full = try? MediaPlaylist(parsing: Array(input[..<end])), full.isOfOneKind else { return }
        try own(full)
        guard end < input.endIndex else { return }
        let update = Array(input[(end + 1)...])
        guard let delta = try? MediaPlaylist(parsing: update), delta.isOfOneKind else { return }
        let merged: MediaPlaylist
        do throws(PlaylistError) {
            merged = try delta.merged(onto: full)
        } catch {
            try PlaylistCheck.refusal(error, of: update)
            return
        }
        try check(merged, of: delta, onto: full)
    }

    /// What is left out comes from the playlist before, what is listed from the delta update.
    private static func check(
        _ merged: MediaPlaylist, of delta: MediaPlaylist, onto full: MediaPlaylist
    ) throws(FuzzFailure) {
        let skipped = Int(clamping: delta.skippedSegments)
        try require(merged.skip == nil, "EXT-X-SKIP in a merged playlist")
        try require(merged.mediaSequence == delta.mediaSequence, "number \(merged.mediaSequence) after merging")
        try require(
            merged.segments.count == skipped + delta.segments.count,
            "\(merged.segments.count) segments, \(skipped) skipped and \(delta.segments.count) listed")
        for segment in merged.segments {
            let (source, other): (MediaPlaylist, MediaSegment)
            if segment.index < skipped {
                let index = Int(segment.number - full.mediaSequence)
                try require(full.segments.indices.contains(index), "segment \(segment.number) out of nothing")
                (source, other) = (full, full.segments[index])
            } else {
                (source, other) = (delta, delta.segments[segment.index - skipped])
            }
            try same(segment, merged, other, source)
        }
    }

    private static func same(
        _ segment: MediaSegment, _ playlist: MediaPlaylist, _ other: MediaSegment, _ source: MediaPlaylist
    ) throws(FuzzFailure) {
        try require(segment.number == other.number, "segment \(other.number) is \(segment.number)")
        try require(
            playlist.source[segment.uri] == source.source[other.uri], "the URI of segment \(segment.number) changed")
        try require(segment.duration == other.duration, "the duration of segment \(segment.number) changed")
        try require(segment.isGap == other.isGap, "the gap of segment \(segment.number) changed")
        try require(
            segment.discontinuityCount == other.discontinuityCount,
            "the discontinuities of segment \(segment.number) changed")
    }

    /// A playlist's own delta updates, merged onto it, give back what it has.
    private static func own(_ full: MediaPlaylist) throws(FuzzFailure) {
        if let bytes = full.deltaUpdate() { try own(bytes, full) }
        var history = DateRangeHistory()
        history.note(full, at: .seconds(1))
        let isOld = { (range: DateRange) in history.isOld(range, at: .seconds(100), boundary: .seconds(24)) }
        let removed = history.recentlyRemoved(at: .seconds(100), boundary: .seconds(24))
        if let bytes = full.deltaUpdate(recentlyRemoved: removed, isOld: isOld) { try own(bytes, full) }
    }

    private static func own(_ bytes: [UInt8], _ full: MediaPlaylist) throws(FuzzFailure) {
        let delta: MediaPlaylist
        let merged: MediaPlaylist
        do throws(PlaylistError) {
            delta = try MediaPlaylist(parsing: bytes)
            merged = try delta.merged(onto: full)
        } catch {
            throw FuzzFailure(description: "a delta update of our own: \(error)")
        }
        try require(delta.skippedSegments > 0, "a delta update that leaves out nothing")
        try require(merged.segments.count == full.segments.count, "\(merged.segments.count) segments after merging")
        for (segment, other) in zip(merged.segments, full.segments) {
            try same(segment, merged, other, full)
            try require(
                segment.discontinuityNumber == other.discontinuityNumber,
                "discontinuity \(segment.discontinuityNumber) of segment \(segment.number)")
            try require(segment.byteRange == other.byteRange, "the byte range of segment \(segment.number) changed")
            try require(segment.bitrate == other.bitrate, "the bit rate of segment \(segment.number) changed")
            try require(
                keys(of: segment, merged) == keys(of: other, full), "the keys of segment \(segment.number) changed")
            try require(
                map(of: segment, merged) == map(of: other, full), "the map of segment \(segment.number) changed")
        }
    }

    private static func keys(of segment: MediaSegment, _ playlist: MediaPlaylist) -> [ArraySlice<UInt8>] {
        playlist.keyGroups[segment.keyGroup].keys.map { playlist.source[$0.line.range] }
    }

    private static func map(of segment: MediaSegment, _ playlist: MediaPlaylist) -> ArraySlice<UInt8>? {
        segment.map.map { playlist.source[playlist.maps[$0].line.range] }
    }
}

extension MediaPlaylist {
    var isOfOneKind: Bool { !lines.contains { $0.kind.isMultivariantTag } }
}
