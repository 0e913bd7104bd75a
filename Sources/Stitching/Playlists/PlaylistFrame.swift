import HLS

/// What stands around the segments of a rendition's newest snapshot.
struct PlaylistFrame: Sendable, Codable {
    struct HeaderLine: Sendable, Codable {
        let kind: TagKind
        /// URIs absolute, line end included.
        let bytes: [UInt8]
    }

    var header: [HeaderLine] = []
    /// Lines after the last segment that a stitched playlist may keep, EXT-X-ENDLIST not among them.
    var trailerLines: [HeaderLine]?
    var endList: [UInt8] = []
    var version = 1
    /// EXT-X-VERSION that the origin's lines need, whatever they say (rule 201).
    var requiredVersion = 1
    var start: PlaylistStart?
    var holdBack: Duration?

    init() {}

    init(_ playlist: MediaPlaylist, url: String) {
        let copier = LineCopier(playlist.source, base: BaseURI(url))
        version = playlist.version
        requiredVersion = playlist.requiredVersion.version
        start = playlist.start
        for line in playlist.headerLines {
            var output = PlaylistText()
            copier.append(line, to: &output)
            header.append(HeaderLine(kind: line.kind, bytes: output.bytes))
            if line.kind == .serverControl {
                holdBack = AttributeList(playlist.source, line: line)["HOLD-BACK"]?.duration
            }
        }
        var trailer: [HeaderLine] = []
        for line in playlist.trailerLines {
            switch line.kind {
            case .endList:
                var output = PlaylistText()
                copier.append(line, to: &output)
                endList = output.bytes
            case let kind:
                let isKept =
                    switch kind {
                    case .comment, .unknownTag, .privateAdTag, .blank: true
                    case .dateRange: playlist.hasEndList
                    default: playlist.hasEndList && kind.isAdMarker
                    }
                // Tags that await a segment, and what is said of partial segments: not for a stitched playlist.
                guard isKept else { continue }
                var output = PlaylistText()
                copier.append(line, to: &output)
                trailer.append(HeaderLine(kind: kind, bytes: output.bytes))
            }
        }
        if !trailer.isEmpty { trailerLines = trailer }
        if playlist.hasEndList, endList.isEmpty { endList = Array("#EXT-X-ENDLIST\n".utf8) }
    }
}
