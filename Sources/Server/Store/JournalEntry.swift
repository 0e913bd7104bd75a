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
    }

    var kind: Kind
    var rendition: RenditionKey
    /// Where the playlist was finally fetched from.
    var url = ""
    /// The playlist, as what changed since the last one of the rendition: its head, a part of that one, its tail.
    var head: [UInt8] = []
    var copied: Range<Int> = 0..<0
    var tail: [UInt8] = []

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

    /// The longest run around the first address line that both have: where it begins in the playlist, and where it stands in the base.
    private static func commonPart(_ playlist: [UInt8], _ base: [UInt8]) -> (place: Int, part: Range<Int>) {
        var places: [ArraySlice<UInt8>: Int] = [:]
        for line in base.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            if places[line] == nil { places[line] = line.startIndex }
        }
        for line in playlist.split(separator: UInt8(ascii: "\n")) where line.first != UInt8(ascii: "#") {
            guard let known = places[line] else { continue }
            var (from, start) = (line.startIndex, known)
            while from > 0, start > 0, playlist[from - 1] == base[start - 1] { (from, start) = (from - 1, start - 1) }
            var (to, end) = (line.startIndex, known)
            while to < playlist.count, end < base.count, playlist[to] == base[end] { (to, end) = (to + 1, end + 1) }
            return (from, start..<end)
        }
        return (playlist.count, 0..<0)
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
