/// Rules of the text of either kind of playlist: 102-104, 107, 108.
struct FileLint: LintCheck {
    private let kind: PlaylistKind
    private var hasSignature = false
    private var seen: Set<TagKind> = []

    init(_ kind: PlaylistKind) {
        self.kind = kind
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let place = line.place
        if line.number == 1, bytes.matches("\u{FEFF}", at: 0) { report.report(102, 1, "byte order mark") }
        if line.kind != .blank, place.range.lowerBound != place.fullRange.lowerBound {
            report.report(104, line.number, "blanks before the line", severity: .warning)
        }
        if line.kind == .segmentDuration, place.range.contains(where: { bytes[$0] < 0x20 }) {
            report.report(102, line.number, "control character in a title", severity: .warning)
        }
        readSignature(line, &report)
        if line.kind != .extM3U, line.kind.isOncePerPlaylist, !seen.insert(line.kind).inserted {
            report.report(107, line.number, "\(tagName(line, bytes)) twice")
        }
        switch kind {
        case .media where line.kind.isMultivariantTag:
            report.report(108, line.number, "multivariant tag in a media playlist")
        case .multivariant where line.kind.isMediaTag && !line.kind.isAdMarker:
            report.report(108, line.number, "media playlist tag in a multivariant playlist")
        default: break
        }
    }

    private mutating func readSignature(_ line: LintLine, _ report: inout LintReport) {
        if line.kind == .extM3U {
            if hasSignature { report.report(107, line.number, "#EXTM3U twice") }
            hasSignature = true
        } else if !hasSignature, line.kind != .blank {
            report.report(103, line.number, "the first line is not #EXTM3U")
            hasSignature = true
        }
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if !hasSignature { report.report(103, 1, "the first line is not #EXTM3U") }
    }

    private func tagName(_ line: LintLine, _ bytes: Span<UInt8>) -> String {
        let end = bytes.firstIndex(of: 0x3A, in: line.place.range) ?? line.place.range.upperBound
        return bytes.string(line.place.range.lowerBound + 1..<end)
    }
}

extension TagKind {
    /// Whether a playlist has the tag at most once (rule 107).
    fileprivate var isOncePerPlaylist: Bool {
        switch self {
        case .version, .targetDuration, .mediaSequence, .discontinuitySequence, .endList, .playlistType, .iFramesOnly,
            .partInformation, .serverControl, .independentSegments, .start, .skip:
            true
        default: false
        }
    }
}
