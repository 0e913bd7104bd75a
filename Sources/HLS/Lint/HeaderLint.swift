/// Rules of the tags of a whole media playlist: 301, 302, 401, 402, 501, 901, 902, and 111 of EXT-X-START.
struct HeaderLint: LintCheck {
    private let playlist: MediaPlaylist
    private var hasSegment = false
    private var hasDiscontinuity = false

    init(_ playlist: MediaPlaylist) {
        self.playlist = playlist
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .segmentDuration: hasSegment = true
        case .discontinuity: hasDiscontinuity = true
        case .version: checkNumber(line, bytes, 106, "EXT-X-VERSION", &report)
        case .targetDuration:
            checkNumber(line, bytes, 302, "EXT-X-TARGETDURATION", &report)
            if DecimalText.integer(bytes, in: line.value) == 0 {
                report.report(302, line.number, "EXT-X-TARGETDURATION is 0")
            }
        case .mediaSequence:
            checkNumber(line, bytes, 402, "EXT-X-MEDIA-SEQUENCE", &report)
            if hasSegment { report.report(401, line.number, "EXT-X-MEDIA-SEQUENCE after a segment") }
        case .discontinuitySequence:
            checkNumber(line, bytes, 501, "EXT-X-DISCONTINUITY-SEQUENCE", &report)
            if hasSegment || hasDiscontinuity {
                let what = hasDiscontinuity ? "EXT-X-DISCONTINUITY" : "a segment"
                report.report(501, line.number, "EXT-X-DISCONTINUITY-SEQUENCE after \(what)")
            }
        case .playlistType:
            if !bytes.equals("VOD", in: line.value), !bytes.equals("EVENT", in: line.value) {
                report.report(901, line.number, "EXT-X-PLAYLIST-TYPE is neither EVENT nor VOD")
            }
        case .start:
            if PlaylistStart(bytes, in: line.value) == nil {
                report.report(111, line.number, "EXT-X-START without TIME-OFFSET")
            }
        default: break
        }
    }

    private func checkNumber(
        _ line: LintLine, _ bytes: Span<UInt8>, _ rule: Int, _ name: String, _ report: inout LintReport
    ) {
        guard DecimalText.integer(bytes, in: line.value) == nil else { return }
        report.report(rule, line.number, "\(name) is \"\(bytes.excerpt(line.value))\", not a whole number")
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if playlist.targetDuration == nil { report.report(301, 1, "no EXT-X-TARGETDURATION") }
        if playlist.playlistType == .vod, !playlist.hasEndList {
            report.report(902, end, "VOD without EXT-X-ENDLIST", severity: .warning)
        }
    }
}

extension Span<UInt8> {
    /// A text of the playlist as messages quote it: its beginning, if it is long.
    func excerpt(_ range: Range<Int>) -> String {
        let limit = 60
        return range.count <= limit ? string(range) : string(range.lowerBound..<range.lowerBound + limit) + "…"
    }
}
