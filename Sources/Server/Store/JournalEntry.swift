internal import HLS
internal import Stitching

/// One thing that all processes serving a channel take in, in one order: then their ledgers are alike.
struct JournalEntry: Sendable, Codable {
    enum Kind: UInt8, Codable {
        /// A rendition's playlist.
        case observation
        /// A rendition's playlist of which only the target duration counts, and what its segments are like.
        case survey
        /// The playlists of a round have all been taken in: where the markers of all renditions count, they are read.
        case round = 3
        /// Another of the channel's origins is asked from now on.
        case origin
    }

    var kind: Kind
    var rendition: RenditionKey
    /// Where the playlist was finally fetched from.
    var url = ""
    /// The playlist, as what changed since the last one of the rendition: its head, a part of that one, its tail.
    var head: [UInt8] = []
    var copied: Range<Int> = 0..<0
    var tail: [UInt8] = []
    /// Which of the channel's origins it is from, or is to be asked.
    var origin = 0
    /// How long the leading rendition had brought nothing new, in milliseconds.
    var silence: Int64 = 0

    /// The playlist; nil where `base` is not what the entry was made from.
    func playlist(base: [UInt8]) -> [UInt8]? {
        guard copied.lowerBound >= 0, copied.upperBound <= base.count else { return nil }
        return head + base[copied] + tail
    }

    init(kind: Kind, rendition: RenditionKey) {
        self.kind = kind
        self.rendition = rendition
    }

    /// A window slides: most of a playlist stood in the one before.
    init(_ playlist: [UInt8], of rendition: RenditionKey, at url: String, base: [UInt8]) {
        kind = .observation
        self.rendition = rendition
        self.url = url
        let (place, part) = Self.commonPart(playlist, base)
        head = Array(playlist[..<place])
        copied = part
        tail = Array(playlist[(place + part.count)...])
    }

    /// Address lines of a playlist that are looked for in the base: a window of hours has thousands.
    private static let triedLines = 16

    /// The longest run around the first address line that both have: where it begins in the playlist, and where it stands in the base.
    private static func commonPart(_ playlist: [UInt8], _ base: [UInt8]) -> (place: Int, part: Range<Int>) {
        let text = playlist.span
        let known = base.span
        var tried = 0
        var line = 0..<0
        while let next = nextAddressLine(in: text, from: line.upperBound), tried < triedLines {
            line = next
            tried += 1
            guard let found = place(of: text.extracting(line), in: known) else { continue }
            var (from, start) = (line.lowerBound, found)
            while from > 0, start > 0, text[from - 1] == known[start - 1] { (from, start) = (from - 1, start - 1) }
            var (to, end) = (line.lowerBound, found)
            while to < text.count, end < known.count, text[to] == known[end] { (to, end) = (to + 1, end + 1) }
            return (from, start..<end)
        }
        return (playlist.count, 0..<0)
    }

    private static func nextAddressLine(in text: Span<UInt8>, from position: Int) -> Range<Int>? {
        var start = position
        while start < text.count {
            if text[start] == UInt8(ascii: "\n") {
                start += 1
                continue
            }
            var end = start
            while end < text.count, text[end] != UInt8(ascii: "\n") { end += 1 }
            if text[start] != UInt8(ascii: "#") { return start..<end }
            start = end
        }
        return nil
    }

    /// Where a line stands in a text.
    private static func place(of line: Span<UInt8>, in text: Span<UInt8>) -> Int? {
        var start = 0
        while start + line.count <= text.count {
            var length = 0
            while length < line.count, text[start + length] == line[length] { length += 1 }
            let end = start + length
            if length == line.count, end == text.count || text[end] == UInt8(ascii: "\n") { return start }
            start = end
            while start < text.count, text[start] != UInt8(ascii: "\n") { start += 1 }
            start += 1
        }
        return nil
    }
}

/// A ledger after a number of entries, so that nobody has to read all of them.
struct JournalCheckpoint: Sendable, Codable {
    var ledger: BreakLedger
    /// Entries taken in.
    var position: Int64
    /// The last playlist of each rendition.
    var playlists: [RenditionKey: JournalPlaylist]
}

struct JournalPlaylist: Sendable, Codable {
    var bytes: [UInt8]
    var url: String
}
