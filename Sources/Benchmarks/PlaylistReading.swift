internal import CLinux
internal import HLS

/// Media playlists of several lengths: read; read and written with every URI absolute. The limit is counting their lines with
/// memchr.
enum PlaylistReading {
    static var all: [Benchmark] {
        SamplePlaylist.all.flatMap { [parsing($0), writing($0)] }
    }

    private static func parsing(_ sample: SamplePlaylist) -> Benchmark {
        let bytes = sample.bytes
        let name = "parse-\(sample.name)"
        return Benchmark(name: name) {
            guard isReadRight(sample) else { return nil }
            let memory = memoryOfParsed(bytes)
            guard let line = timed(name, sample, { (try? MediaPlaylist(parsing: bytes))?.segments.count ?? 0 }) else {
                return nil
            }
            return line + ", \(Measurement.text(memory)) bytes of memory per byte"
        } repeated: { count in
            (0..<count).allSatisfy { _ in (try? MediaPlaylist(parsing: bytes))?.segments.count == sample.segments }
        }
    }

    private static func writing(_ sample: SamplePlaylist) -> Benchmark {
        let bytes = sample.bytes
        let base = BaseURI("http://origin.example/live/media.m3u8")
        let name = "write-\(sample.name)"
        let write: () -> [UInt8]? = { (try? MediaPlaylist(parsing: bytes))?.resolvingURIs(against: base) }
        return Benchmark(name: name) {
            guard let written = write(), written == Array(absolute(bytes).utf8),
                (try? MediaPlaylist(parsing: bytes))?.serialized() == bytes
            else { return nil }
            let size = written.count
            return timed(name, sample) { write()?.count == size ? sample.segments : 0 }
        } repeated: { count in
            (0..<count).allSatisfy { _ in write() != nil }
        }
    }

    /// What writing has to yield, made by other means.
    private static func absolute(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .map { ($0.hasPrefix("#") ? $0 : "http://origin.example/live/" + $0) + "\n" }.joined()
    }

    private static func isReadRight(_ sample: SamplePlaylist) -> Bool {
        guard let playlist = try? MediaPlaylist(parsing: sample.bytes), playlist.serialized() == sample.bytes,
            playlist.segments.count == sample.segments, playlist.segments.first?.number == 100_000
        else { return false }
        return playlist.segments.enumerated().allSatisfy { index, segment in
            segment.duration == .milliseconds(6006)
                && segment.programDateTime == (sample.isDated ? SamplePlaylist.date(index) : nil)
                && playlist.text(segment.uri) == SamplePlaylist.uri(100_000 + index)
        }
    }

    /// - Parameter body: returns the number of segments, so that it cannot be left out.
    static func timed(_ name: String, _ sample: SamplePlaylist, _ body: () -> Int) -> String? {
        let lines = SamplePlaylist.headerLines + sample.segments * (sample.isDated ? 3 : 2)
        var isRight = true
        let best = Measurement.alternated {
            if lineCount(sample.bytes) != lines { isRight = false }
        } ours: {
            if body() != sample.segments { isRight = false }
        }
        guard isRight else { return nil }
        let nanoseconds = best.ours / .nanoseconds(1)
        return "\(name): \(sample.bytes.count) bytes, \(Measurement.text(nanoseconds / 1_000)) us, "
            + "\(Measurement.text(Double(sample.bytes.count) / nanoseconds)) GB/s, "
            + "ratio to memchr \(Measurement.text(best.limit / best.ours)), "
            + "\(Measurement.text(nanoseconds / Double(sample.segments))) ns per segment"
    }

    /// What a parsed playlist keeps, its bytes among it, for each of its bytes.
    private static func memoryOfParsed(_ bytes: [UInt8]) -> Double {
        let before = clinux_allocated_bytes()
        let playlist = try? MediaPlaylist(parsing: Array(bytes[...].map { $0 }))
        let after = clinux_allocated_bytes()
        return withExtendedLifetime(playlist) { Double(after - before) / Double(max(bytes.count, 1)) }
    }
}
