/// Rules of the tags of a whole media playlist: 301, 302, 309, 401, 402, 501, 503, 901-903, 906.
struct HeaderLint: LintCheck {
    private let playlist: MediaPlaylist
    private var hasSegment = false
    private var discontinuityLine = 0
    private var mediaSequenceLine = 0
    private var hasDiscontinuitySequence = false
    private var typeLine = 0
    private var endLine = 0
    private var isAfterEnd = false

    init(_ playlist: MediaPlaylist) {
        self.playlist = playlist
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .segmentDuration:
            hasSegment = true
            if endLine != 0, !isAfterEnd {
                isAfterEnd = true
                // The standard lets the tag stand anywhere; here it betrays a list that another was appended to.
                report.report(
                    906, endLine, "segments after EXT-X-ENDLIST, from line \(line.number)", severity: .warning)
            }
        case .discontinuity: if discontinuityLine == 0 { discontinuityLine = line.number }
        case .targetDuration:
            checkNumber(line, bytes, 302, &report)
            if DecimalText.integer(bytes, in: line.value) == 0 {
                report.report(302, line.number, "EXT-X-TARGETDURATION is 0")
            }
        case .mediaSequence:
            checkNumber(line, bytes, 402, &report)
            if mediaSequenceLine == 0 { mediaSequenceLine = line.number }
            if hasSegment { report.report(401, line.number, "EXT-X-MEDIA-SEQUENCE after a segment") }
        case .discontinuitySequence:
            hasDiscontinuitySequence = true
            checkNumber(line, bytes, 501, &report)
            if hasSegment || discontinuityLine != 0 {
                let what = discontinuityLine != 0 ? "EXT-X-DISCONTINUITY" : "a segment"
                report.report(501, line.number, "EXT-X-DISCONTINUITY-SEQUENCE after \(what)")
            }
        case .playlistType:
            if typeLine == 0 { typeLine = line.number }
            if !bytes.equals("VOD", in: line.value), !bytes.equals("EVENT", in: line.value) {
                report.report(
                    901, line.number, "EXT-X-PLAYLIST-TYPE is \"\(bytes.excerpt(line.value))\", not EVENT or VOD")
            }
        case .endList: if endLine == 0 { endLine = line.number }
        default: break
        }
    }

    private func checkNumber(_ line: LintLine, _ bytes: Span<UInt8>, _ rule: Int, _ report: inout LintReport) {
        guard !bytes.isWholeNumber(line.value) else { return }
        let value = bytes.excerpt(line.value)
        report.report(rule, line.number, "\(bytes.tagName(line.place)) is \"\(value)\", not a whole number")
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if playlist.targetDuration == nil { report.report(301, 1, "no EXT-X-TARGETDURATION") }
        if playlist.playlistType == .vod, !playlist.hasEndList {
            // Met with recordings that are served as they grow; players then go on asking.
            report.report(902, end, "VOD without EXT-X-ENDLIST", severity: .warning)
        }
        checkSliding(&report)
    }

    /// What holds once segments have left. A number above 0 tells that of one playlist alone, and numbers may also begin
    /// there: hence warnings.
    private func checkSliding(_ report: inout LintReport) {
        guard playlist.mediaSequence > 0, mediaSequenceLine != 0 else { return }
        if playlist.playlistType != nil {
            // Many packagers number recordings from 1.
            guard playlist.mediaSequence > 1, typeLine != 0 else { return }
            report.report(
                903, typeLine, "EXT-X-PLAYLIST-TYPE, though segments before \(playlist.mediaSequence) have left",
                severity: .warning)
            return
        }
        guard !playlist.hasEndList else { return }
        if discontinuityLine != 0, !hasDiscontinuitySequence {
            report.report(
                503, discontinuityLine,
                "EXT-X-DISCONTINUITY in a sliding playlist without EXT-X-DISCONTINUITY-SEQUENCE",
                severity: .warning)
        }
        guard playlist.skippedSegments == 0, let target = playlist.targetDuration, target <= 1_000_000_000 else {
            return
        }
        let listed = playlist.listedDuration
        if listed < .seconds(3 * target) {
            report.report(
                309, mediaSequenceLine,
                "\(DecimalText.text(listed)) s are listed, less than three target durations of \(target) s",
                severity: .warning)
        }
    }
}
