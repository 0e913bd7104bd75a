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
        var uris: [[UInt8]] = []
        var index = 0
        var count = 0
        let length = playlist.segments.count
        while index <= length, count < 3 {
            let lower = min(length, index + choices.next(3))
            let upper = min(length, lower + choices.next(3))
            let some = Array(entries.prefix(choices.next(4)))
            uris += playlist.segments[index..<lower].map { Array(playlist.source[$0.uri]) }
            try require(splice.replace(lower..<upper, with: some), "\(lower)..<\(upper) of \(length) is refused")
            uris += some.map { Array($0.uri.utf8) }
            index = upper
            count += 1
            if upper == length { break }
        }
        uris += playlist.segments[min(index, length)...].map { Array(playlist.source[$0.uri]) }
        if choices.next(2) == 0 { splice.mediaSequence = Int64(choices.next(1_000)) }
        if choices.next(2) == 0 { splice.discontinuitySequence = Int64(choices.next(10)) }
        splice.keepsMarkers = choices.next(2) == 0
        splice.beginsWithDiscontinuity = choices.next(2) == 0
        try check(splice, uris: uris)
    }

    private static func check(_ splice: PlaylistSplice, uris: [[UInt8]]) throws(FuzzFailure) {
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
    }
}
