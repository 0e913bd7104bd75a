import HLS

/// Writes the tags of a whole media playlist: the origin's lines, with the session's own numbers in place of the origin's.
struct HeaderWriter {
    struct Insertion {
        /// On the content's own timeline, from its start.
        var at: Duration
        var length: Duration
    }

    let frame: PlaylistFrame
    let targetDuration: Duration
    let mediaSequence: Int64
    let discontinuitySequence: Int64
    let neededVersion: Int
    let inserted: [Insertion]
    let isVOD: Bool
    /// Of a live playlist, the same in all renditions (rule 907); a title's is the origin's.
    let liveType: MediaPlaylist.PlaylistType?

    func append(to output: inout PlaylistText) {
        if !has(.extM3U) {
            output.append("#EXTM3U\n")
            appendMissing(after: .extM3U, to: &output)
        }
        for line in frame.header {
            switch line.kind {
            case .extM3U:
                output.append(line.bytes)
                appendMissing(after: .extM3U, to: &output)
            case .version:
                if neededVersion > frame.version { appendVersion(to: &output) } else { output.append(line.bytes) }
            case .targetDuration:
                append(line, "#EXT-X-TARGETDURATION:", targetDuration.components.seconds, to: &output)
                appendMissing(after: .targetDuration, to: &output)
            case .playlistType where !isVOD: appendType(to: &output)
            case .mediaSequence:
                append(line, "#EXT-X-MEDIA-SEQUENCE:", mediaSequence, to: &output)
                appendMissing(after: .mediaSequence, to: &output)
            case .discontinuitySequence:
                append(line, "#EXT-X-DISCONTINUITY-SEQUENCE:", discontinuitySequence, to: &output)
            case .start: appendStart(line, to: &output)
            case .serverControl, .partInformation, .skip:
                // Low-latency delivery is not offered for stitched playlists (rules 1007, 1011); a hold-back shorter than
                // three of the session's target durations would be wrong (rule 311).
                if line.kind == .serverControl, let holdBack = frame.holdBack, holdBack >= targetDuration * 3 {
                    output.append("#EXT-X-SERVER-CONTROL:HOLD-BACK=")
                    output.append(holdBack)
                    output.endLine()
                }
            default: output.append(line.bytes)
            }
        }
    }

    /// Tags that the origin leaves out and a stitched playlist may not: each after the tag it customarily follows.
    private func appendMissing(after kind: TagKind, to output: inout PlaylistText) {
        switch kind {
        case .extM3U:
            if !has(.version), neededVersion > 1, neededVersion > frame.version { appendVersion(to: &output) }
            if !has(.targetDuration) {
                append("#EXT-X-TARGETDURATION:", targetDuration.components.seconds, to: &output)
                appendMissing(after: .targetDuration, to: &output)
            }
        case .targetDuration:
            if !has(.playlistType), !isVOD { appendType(to: &output) }
            guard !has(.mediaSequence), mediaSequence != 0 || !isVOD else {
                if !has(.mediaSequence) { appendMissing(after: .mediaSequence, to: &output) }
                return
            }
            append("#EXT-X-MEDIA-SEQUENCE:", mediaSequence, to: &output)
            appendMissing(after: .mediaSequence, to: &output)
        default:
            guard !has(.discontinuitySequence), !isVOD || discontinuitySequence != 0 else { return }
            append("#EXT-X-DISCONTINUITY-SEQUENCE:", discontinuitySequence, to: &output)
        }
    }

    private func appendType(to output: inout PlaylistText) {
        guard let liveType else { return }
        output.append("#EXT-X-PLAYLIST-TYPE:")
        output.append(Array(liveType.rawValue.utf8))
        output.endLine()
    }

    /// The origin writes the tag.
    private func has(_ kind: TagKind) -> Bool {
        frame.header.contains { $0.kind == kind }
    }

    private func appendVersion(to output: inout PlaylistText) {
        append("#EXT-X-VERSION:", Int64(neededVersion), to: &output)
    }

    private func append(_ tag: StaticString, _ value: Int64, to output: inout PlaylistText) {
        output.append(tag)
        output.append(value)
        output.endLine()
    }

    /// The origin's own line where it says the same.
    private func append(
        _ line: PlaylistFrame.HeaderLine, _ tag: StaticString, _ value: Int64, to output: inout PlaylistText
    ) {
        let line = line.bytes
        if Self.number(in: line) == value {
            output.append(line)
        } else {
            append(tag, value, to: &output)
        }
    }

    private static func number(in line: [UInt8]) -> Int64? {
        guard let colon = line.firstIndex(of: 0x3A) else { return nil }
        var range = colon + 1..<line.count
        while let last = range.last, line[last] <= 0x20 { range = range.dropLast() }
        while let first = range.first, line[first] <= 0x20 { range = range.dropFirst() }
        return DecimalText.integer(line.span, in: range)
    }

    /// TIME-OFFSET counts from the start of the playlist, which insertions before it move (rule 1302). With a pre-roll
    /// playback begins at the start, else nobody would see it.
    private func appendStart(_ line: PlaylistFrame.HeaderLine, to output: inout PlaylistText) {
        guard let start = frame.start, start.timeOffset >= .zero, !inserted.isEmpty else {
            output.append(line.bytes)
            return
        }
        if inserted.contains(where: { $0.at <= .zero && $0.length > .zero }) { return }
        let moved = inserted.filter { $0.at <= start.timeOffset }.reduce(start.timeOffset) { $0 + $1.length }
        guard moved != start.timeOffset else {
            output.append(line.bytes)
            return
        }
        output.append("#EXT-X-START:TIME-OFFSET=")
        output.append(max(moved, .zero))
        if start.isPrecise { output.append(",PRECISE=YES") }
        output.endLine()
    }
}
