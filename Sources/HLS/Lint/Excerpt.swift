// How messages quote what stands in a playlist.

/// Longest text that is quoted whole, in bytes: a character of a hostile text may be as long as the text.
private let longestExcerpt = 60

extension Span<UInt8> {
    /// A text of the playlist: its beginning, if it is long.
    func excerpt(_ range: Range<Int>) -> String {
        range.count <= longestExcerpt
            ? string(range) : string(range.lowerBound..<range.lowerBound + longestExcerpt) + "…"
    }

    /// The name of a tag, without its sign: "EXT-X-KEY".
    func tagName(_ line: PlaylistLine) -> String {
        var end = line.range.lowerBound + 1
        while end < line.range.upperBound, self[end] != 0x3A, !self[end].isBlank { end += 1 }
        return excerpt(min(line.range.lowerBound + 1, end)..<end)
    }
}

extension String {
    /// A text of the playlist: its beginning, if it is long.
    var excerpt: String {
        utf8.count <= longestExcerpt ? self : String(decoding: utf8.prefix(longestExcerpt), as: UTF8.self) + "…"
    }
}

extension Unicode.Scalar {
    /// "U+0085".
    var excerpt: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
