internal import Glibc
internal import HLS

/// A media playlist of a day's length, parsed; the limit is finding its line ends with memchr.
enum PlaylistParsing {
    static func run() -> String? {
        let bytes = playlist(segments: 10_000)
        guard let parsed = try? MediaPlaylist(parsing: bytes), parsed.segments.count == 10_000,
            parsed.serialized() == bytes
        else { return nil }
        var lines = 0
        let limit = Benchmarks.best(of: 50) { lines = lineCount(bytes) }
        var segments = 0
        let ours = Benchmarks.best(of: 50) { segments = (try? MediaPlaylist(parsing: bytes))?.segments.count ?? 0 }
        guard lines == 30_004, segments == 10_000 else { return nil }
        let rate = Double(bytes.count) / (ours / .nanoseconds(1))
        return "parse: \(bytes.count) bytes, \(Benchmarks.text(ours / .microseconds(1))) us, "
            + "\(Benchmarks.text(rate)) GB/s, ratio to memchr \(Benchmarks.text(limit / ours))"
    }

    private static func playlist(segments: Int) -> [UInt8] {
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:0\n"
        for number in 0..<segments {
            let second = number % 60
            text += "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:\(second < 10 ? "0" : "")\(second).127Z\n"
            text += "#EXTINF:6.006,\nvideo/720p/segment-\(number).ts\n"
        }
        return Array(text.utf8)
    }

    private static func lineCount(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { buffer in
            guard var position = buffer.baseAddress else { return 0 }
            let end = position + buffer.count
            var count = 0
            while let found = memchr(position, 0x0A, end - position) {
                count += 1
                position = UnsafeRawPointer(found) + 1
            }
            return count
        }
    }
}
