import HLS

/// What the readers of playlists alone promise, with little beside them: they stop at no input, refuse with a line that is
/// there, give the bytes back, and their records lie within them.
///
/// Most of a fuzzing run's time goes into choosing inputs, so each input is read in ``variants`` further forms too, which
/// follow from its bytes alone: cut short somewhere, as a broken connection leaves it, or with one byte replaced.
enum ReadingCheck {
    /// Forms of an input that are read besides itself.
    static let variants = 24

    static func run(_ bytes: [UInt8]) throws(FuzzFailure) {
        try read(bytes)
        var random = bytes.reduce(0x9E37_79B9_7F4A_7C15 as UInt64) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 } | 1
        func next(_ bound: Int) -> Int {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return Int(truncatingIfNeeded: random >> 33) % max(bound, 1)
        }
        for variant in 0..<variants where !bytes.isEmpty {
            var form = bytes
            if variant % 3 == 0 {
                form.removeLast(next(bytes.count))
            } else {
                form[next(bytes.count)] = replacements[next(replacements.count)]
            }
            do throws(FuzzFailure) {
                try read(form)
            } catch {
                throw FuzzFailure(description: "variant \(variant): \(error)")
            }
        }
    }

    private static func read(_ bytes: [UInt8]) throws(FuzzFailure) {
        if let playlist = try PlaylistCheck.value(of: bytes, MediaPlaylist.init(parsing:)) {
            try require(playlist.serialized() == bytes, "a media playlist does not round-trip")
            var end = 0
            for segment in playlist.segments {
                try require(
                    segment.range.lowerBound >= end && segment.range.upperBound <= bytes.count,
                    "a segment at \(segment.range) after \(end)")
                try require(segment.range.contains(segment.uri.lowerBound), "a URI at \(segment.uri)")
                try require(segment.duration >= .zero, "duration \(segment.duration)")
                end = segment.range.upperBound
            }
        }
        if let playlist = try PlaylistCheck.value(of: bytes, MultivariantPlaylist.init(parsing:)) {
            try require(playlist.serialized() == bytes, "a multivariant playlist does not round-trip")
        }
    }

    private static let replacements = Array("\n\r\n #:=,\"@.-+0159x{$}EXTZ\t".utf8) + [0, 0x7F, 0x80, 0xC3, 0xEF, 0xFF]
}
