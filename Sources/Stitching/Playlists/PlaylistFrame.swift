import HLS

/// What stands around the segments of a rendition's newest snapshot.
struct PlaylistFrame: Sendable, Codable {
    struct HeaderLine: Sendable, Codable {
        let kind: TagKind
        /// URIs absolute, line end included.
        let bytes: [UInt8]
    }

    var header: [HeaderLine] = []
    /// Lines after the last segment that a stitched playlist keeps, EXT-X-ENDLIST not among them.
    var trailer: [UInt8] = []
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
        for line in playlist.trailerLines {
            switch line.kind {
            case .endList:
                var output = PlaylistText()
                copier.append(line, to: &output)
                endList = output.bytes
            case .comment, .unknownTag, .privateAdTag, .blank:
                var output = PlaylistText()
                copier.append(line, to: &output)
                trailer.append(contentsOf: output.bytes)
            default:
                // Tags that await a segment, and what is said of partial segments: not for a stitched playlist.
                break
            }
        }
        if playlist.hasEndList, endList.isEmpty { endList = Array("#EXT-X-ENDLIST\n".utf8) }
    }
}
