extension MultivariantPlaylist {
    /// Checks the playlist by every rule that can be seen in one multivariant playlist. Ordered by line; of what is broken
    /// everywhere only the first findings are listed.
    package func lint() -> [PlaylistFinding] {
        let checks: [any LintCheck] = [
            TextLint(), FileLint(.multivariant), AttributeLint(), VariableLint(self), VersionLint(self), KeyLint(),
            VariantSyntaxLint(), MultivariantLint(self),
        ]
        return Lint.findings(source, checks)
    }
}

/// That EXT-X-STREAM-INF and URI lines come in pairs: rule 1101.
struct VariantSyntaxLint: LintCheck {
    private var pendingLine = 0
    private var hasVariant = false

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .streamInformation:
            if pendingLine != 0 { report.report(1101, pendingLine, "EXT-X-STREAM-INF without URI") }
            pendingLine = line.number
        case .uri:
            if pendingLine == 0 { report.report(1101, line.number, "URI without EXT-X-STREAM-INF") }
            hasVariant = hasVariant || pendingLine != 0
            pendingLine = 0
        case .blank, .comment, .unknownTag: break
        default:
            guard pendingLine != 0 else { break }
            report.report(
                1101, line.number, "\(bytes.tagName(line.place)) between EXT-X-STREAM-INF and its URI",
                severity: .warning)
        }
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if pendingLine != 0 { report.report(1101, pendingLine, "EXT-X-STREAM-INF without URI") }
        if !hasVariant { report.report(1101, end, "no variant", severity: .warning) }
    }
}

/// The rules that the model of a multivariant playlist shows, with the numbers of its lines: 611, 1101-1107, 1109, 1110,
/// 1112.
struct MultivariantLint: LintCheck {
    let playlist: MultivariantPlaylist
    /// Number of each line that begins at a place.
    private var numbers: [Int: Int] = [:]

    init(_ playlist: MultivariantPlaylist) {
        self.playlist = playlist
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard line.kind.isMultivariantTag else { return }
        numbers[line.place.fullRange.lowerBound] = line.number
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        checkVariants(&report)
        checkCaptions(&report)
        checkFrames(&report)
        checkGroupReferences(&report)
        checkRenditions(&report)
        checkGroups(&report)
        checkSessionKeys(&report)
        checkSessionData(&report)
        checkSteering(&report)
    }

    /// The first line being 1.
    func number(of line: PlaylistLine) -> Int { numbers[line.fullRange.lowerBound] ?? 1 }
}
