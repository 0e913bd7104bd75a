import HLS

/// Segments replaced, inserted and removed. The input is a playlist, a NUL, the playlist of an ad, a NUL, and choices; what is
/// missing is made up.
enum SpliceCheck {
    private static let ad = Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nx0\n#EXTINF:2.5,\nx1\n".utf8)

    static func run(_ input: [UInt8]) throws(FuzzFailure) {
        let parts = input.split(separator: 0x00, maxSplits: 2, omittingEmptySubsequences: false)
        guard let playlist = try? MediaPlaylist(parsing: Array(parts[0])), playlist.skip == nil, playlist.isOfOneKind
        else { return }
        let adBytes = parts.count > 1 ? Array(parts[1]) : ad
        guard let ad = try? MediaPlaylist(parsing: adBytes) else { return }
        var choices = Choices(script: parts.count > 2 ? parts[2] : [], seed: input)
        let entries = ad.spliceEntries(base: choices.next(2) == 0 ? nil : PlaylistCheck.base)
        try require(entries.count == ad.segments.count, "\(entries.count) entries of \(ad.segments.count) segments")
        try require(PlaylistSplice(playlist).bytes() == playlist.source, "no splice changes the playlist")

        var splice = PlaylistSplice(playlist)
        // What is to come out: the URIs, and the segments that stay; nil for entries.
        var uris: [[UInt8]] = []
        var kept: [MediaSegment?] = []
        var index = 0
        var count = 0
        let length = playlist.segments.count
        while index <= length, count < 3 {
            let lower = min(length, index + choices.next(3))
            let upper = min(length, lower + choices.next(3))
            let some = Array(entries.prefix(choices.next(4)))
            uris += playlist.segments[index..<lower].map { Array(playlist.source[$0.uri]) }
            kept += playlist.segments[index..<lower].map(Optional.some)
            try require(splice.replace(lower..<upper, with: some), "\(lower)..<\(upper) of \(length) is refused")
            uris += some.map { Array($0.uri.utf8) }
            kept += some.map { _ in nil }
            index = upper
            count += 1
            if upper == length { break }
        }
        uris += playlist.segments[min(index, length)...].map { Array(playlist.source[$0.uri]) }
        kept += playlist.segments[min(index, length)...].map(Optional.some)
        if choices.next(2) == 0 { splice.mediaSequence = Int64(choices.next(1_000)) }
        if choices.next(2) == 0 { splice.discontinuitySequence = Int64(choices.next(10)) }
        splice.keepsMarkers = choices.next(2) == 0
        splice.beginsWithDiscontinuity = choices.next(2) == 0
        try check(splice, playlist, uris: uris, kept: kept)
    }

    private static func check(
        _ splice: PlaylistSplice, _ playlist: MediaPlaylist, uris: [[UInt8]], kept: [MediaSegment?]
    ) throws(FuzzFailure) {
        let bytes = splice.bytes()
        let result: MediaPlaylist
        do throws(PlaylistError) {
            result = try MediaPlaylist(parsing: bytes)
        } catch {
            throw FuzzFailure(description: "a spliced playlist: \(error)")
        }
        try require(
            result.segments.map { Array(bytes[$0.uri]) } == uris, "the segments are not those that were asked for")
        if let number = splice.mediaSequence {
            try require(result.mediaSequence == number, "number \(result.mediaSequence), asked for \(number)")
        }
        if let number = splice.discontinuitySequence {
            try require(result.discontinuitySequence == number, "discontinuity number, asked for \(number)")
        }
        for (segment, former) in zip(result.segments, kept) {
            if let former { try same(segment, result, former, playlist) }
        }
    }

    /// What a segment that stays was, it is: only its numbers may change.
    private static func same(
        _ segment: MediaSegment, _ result: MediaPlaylist, _ former: MediaSegment, _ playlist: MediaPlaylist
    ) throws(FuzzFailure) {
        try require(segment.duration == former.duration, "the duration of segment \(former.index) changed")
        try require(segment.isGap == former.isGap, "the gap of segment \(former.index) changed")
        try require(segment.byteRange == former.byteRange, "the byte range of segment \(former.index) changed")
        let keys = keyURIs(of: segment, result)
        let formerKeys = keyURIs(of: former, playlist)
        try require(keys == formerKeys, "the keys of segment \(former.index), \(formerKeys), are \(keys)")
        if let map = former.map {
            let uri = segment.map.map { result.text(result.maps[$0].uri) }
            try require(uri == playlist.text(playlist.maps[map].uri), "the map of segment \(former.index) changed")
        }
    }

    private static func keyURIs(of segment: MediaSegment, _ playlist: MediaPlaylist) -> [String] {
        playlist.keyGroups[segment.keyGroup].keys.map { $0.uri(in: playlist.source) }.sorted()
    }
}
