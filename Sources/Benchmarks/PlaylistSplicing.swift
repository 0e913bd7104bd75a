internal import HLS

/// Media playlists read, spliced and written: five segments from the middle on are replaced by a break of two ads. The limit is
/// counting their lines with memchr.
enum PlaylistSplicing {
    static var all: [Benchmark] {
        SamplePlaylist.all.compactMap { sample in entries().map { benchmark(sample, $0) } }
    }

    private static func benchmark(_ sample: SamplePlaylist, _ entries: [SpliceEntry]) -> Benchmark {
        let name = "splice-\(sample.name)"
        let range = replaced(sample)
        return Benchmark(name: name) {
            guard let bytes = spliced(sample.bytes, range, entries), isRight(bytes, sample, entries) else { return nil }
            return PlaylistReading.timed(name, sample) {
                spliced(sample.bytes, range, entries)?.count == bytes.count ? sample.segments : 0
            }
        } repeated: { count in
            (0..<count).allSatisfy { _ in spliced(sample.bytes, range, entries) != nil }
        }
    }

    private static func replaced(_ sample: SamplePlaylist) -> Range<Int> {
        sample.segments / 2..<sample.segments / 2 + 5
    }

    private static func spliced(_ bytes: [UInt8], _ range: Range<Int>, _ entries: [SpliceEntry]) -> [UInt8]? {
        guard let playlist = try? MediaPlaylist(parsing: bytes) else { return nil }
        var splice = PlaylistSplice(playlist)
        guard splice.replace(range, with: entries) else { return nil }
        splice.mediaSequence = 200_000
        splice.discontinuitySequence = 4
        return splice.bytes()
    }

    /// Reads the result and looks at every segment of it.
    private static func isRight(_ bytes: [UInt8], _ sample: SamplePlaylist, _ entries: [SpliceEntry]) -> Bool {
        let range = replaced(sample)
        guard let playlist = try? MediaPlaylist(parsing: bytes),
            playlist.segments.count == sample.segments - range.count + entries.count,
            playlist.mediaSequence == 200_000, playlist.discontinuitySequence == 4
        else { return false }
        let joints = [range.lowerBound, range.lowerBound + 3, range.lowerBound + entries.count]
        var elapsed = Duration.zero
        return playlist.segments.enumerated().allSatisfy { index, segment in
            let place = index - range.lowerBound
            let isEntry = entries.indices.contains(place)
            let former = place < entries.count ? index : index - entries.count + range.count
            var date: DateTime? = SamplePlaylist.date(former)
            if isEntry {
                date = SamplePlaylist.date(range.lowerBound).advanced(by: elapsed)
                elapsed += segment.duration
            }
            if !sample.isDated { date = nil }
            let uri = isEntry ? entries[place].uri : SamplePlaylist.uri(100_000 + former)
            return segment.number == 200_000 + Int64(index) && playlist.text(segment.uri) == uri
                && segment.programDateTime == date && segment.discontinuityCount == (joints.contains(index) ? 1 : 0)
        }
    }

    /// Two ads of three segments.
    private static func entries() -> [SpliceEntry]? {
        let entries = (0..<6).compactMap { index in
            SpliceEntry(
                uri: "http://ads.example/\(index / 3)/segment-\(index % 3).ts", durationText: "5.005",
                isJoint: index % 3 == 0)
        }
        return entries.count == 6 ? entries : nil
    }
}
