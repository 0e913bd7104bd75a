/// Rules of the tags of either kind of playlist: 103, 104 (their case), 107-109.
struct FileLint: LintCheck {
    private let kind: PlaylistKind
    private var hasSignature = false
    private var seen: Set<TagKind> = []
    /// Unknown tags with their first line and how many there are.
    private var unknown: [String: (line: Int, count: Int)] = [:]

    init(_ kind: PlaylistKind) {
        self.kind = kind
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        readSignature(line, bytes, &report)
        if line.kind.isOncePerPlaylist, !seen.insert(line.kind).inserted {
            report.report(107, line.number, "\(bytes.tagName(line.place)) twice")
        }
        switch (kind, line.kind) {
        case (_, .comment), (_, .unknownTag): readUnknown(line, bytes, &report)
        case (.media, _) where line.kind.isMultivariantTag:
            report.report(108, line.number, "\(bytes.tagName(line.place)) is a tag of multivariant playlists")
        case (.multivariant, _) where line.kind.isMediaTag && !line.kind.isAdMarker:
            report.report(108, line.number, "\(bytes.tagName(line.place)) is a tag of media playlists")
        default: break
        }
    }

    private mutating func readSignature(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if line.number == 1, line.kind != .extM3U {
            report.report(103, 1, "the first line is not #EXTM3U")
        }
        guard line.kind == .extM3U else { return }
        if hasSignature { report.report(107, line.number, "#EXTM3U twice") }
        hasSignature = true
        if line.place.range.count != 7 {
            // Lists of channels have attributes here, and players take it.
            report.report(103, line.number, "more than #EXTM3U in its line", severity: .warning)
        }
    }

    private mutating func readUnknown(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let range = line.place.range
        guard range.count > 4, bytes[range.lowerBound + 1] | 0x20 == 0x65, bytes[range.lowerBound + 2] | 0x20 == 0x78,
            bytes[range.lowerBound + 3] | 0x20 == 0x74
        else { return }
        let name = bytes.tagName(line.place)
        let upper = Array(("#" + name).utf8.map { $0 &- 0x61 < 26 ? $0 & 0xDF : $0 })
        let known = TagKind(upper.span, start: 0, end: upper.count)
        if known != .unknownTag, known != .comment, !known.isAdMarker {
            report.report(104, line.number, "\(name) is not in its case: players ignore it")
            return
        }
        guard line.kind == .unknownTag else { return }
        if let entry = unknown[name] {
            unknown[name] = (entry.line, entry.count + 1)
        } else if unknown.count < 1_024 {
            unknown[name] = (line.number, 1)
        }
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        for (name, entry) in unknown.sorted(by: { $0.value.line < $1.value.line }) {
            let times = entry.count == 1 ? "" : ", \(entry.count) times"
            report.report(109, entry.line, "unknown tag \(name)\(times)")
        }
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
