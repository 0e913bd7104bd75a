/// A playlist of either kind.
package enum Playlist: Sendable {
    case multivariant(MultivariantPlaylist)
    case media(MediaPlaylist)

    /// Reads whichever kind the tags tell.
    package init(parsing source: [UInt8]) throws(PlaylistError) {
        switch PlaylistKind(source.span) {
        case .multivariant: self = .multivariant(try MultivariantPlaylist(parsing: source))
        case .media, .undecided: self = .media(try MediaPlaylist(parsing: source))
        }
    }
}

/// The kind of a playlist, told by the first tag that only one kind has.
enum PlaylistKind {
    case multivariant, media, undecided

    init(_ bytes: Span<UInt8>) {
        var scanner = LineScanner(bytes.textStart..<bytes.count)
        while let line = scanner.next(in: bytes) {
            let kind = TagKind(bytes, start: line.start, end: line.end)
            if kind.isMultivariantTag {
                self = .multivariant
                return
            }
            if kind.isMediaTag {
                self = .media
                return
            }
        }
        self = .undecided
    }

    /// Why bytes without any tag are no playlist.
    static func rejection(_ bytes: Span<UInt8>) -> PlaylistError {
        var scanner = LineScanner(bytes.textStart..<bytes.count)
        var number = 0
        while let line = scanner.next(in: bytes) {
            number += 1
            guard !line.isEmpty else { continue }
            if bytes[line.start] == 0x3C {
                return PlaylistError(.webPage, line: number, detail: "markup where #EXTM3U was expected")
            }
            return PlaylistError(.notAPlaylist, line: number, detail: "neither #EXTM3U nor any other tag")
        }
        return PlaylistError(.empty, line: 1, detail: "nothing but blank lines")
    }
}
