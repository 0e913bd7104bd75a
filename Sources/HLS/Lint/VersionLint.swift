/// Rules of EXT-X-VERSION, in either kind of playlist: 201-203.
struct VersionLint: LintCheck {
    private let version: Int
    private let required: RequiredVersion
    /// Whether a segment is longer than the target duration and only rounds down to it, as is right since version 6.
    private var roundsDown = false
    private let target: Duration?
    private var line = 0

    init(_ playlist: MediaPlaylist) {
        version = playlist.version
        required = playlist.requiredVersion
        target = playlist.targetDuration.map { .seconds($0) }
    }

    init(_ playlist: MultivariantPlaylist) {
        version = playlist.version
        required = playlist.requiredVersion
        target = nil
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if line.kind == .version, self.line == 0 { self.line = line.number }
        if line.kind == .segmentDuration, !roundsDown, let target, let duration = line.segmentDuration(bytes) {
            roundsDown = duration > target
        }
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard line != 0 else {
            reportMissing(&report)
            return
        }
        // Decimals are rule 305.
        for reason in required.reasons where reason.version > version && reason.feature != .decimalDuration {
            // Players do not look at the version for an init section, and many origins leave it at 3.
            report.report(
                202, reason.line, "\(reason.feature.description) needs version \(reason.version), not \(version)",
                severity: reason.feature == .map || reason.feature == .iFrameMap ? .warning : nil)
        }
        let needed = max(required.version, roundsDown ? 6 : 1)
        if version > needed {
            report.report(203, line, "EXT-X-VERSION \(version), though nothing needs more than \(needed)")
        }
    }

    /// Players do without; of a playlist that needs no more than version 1 the tag may be missing.
    private func reportMissing(_ report: inout LintReport) {
        guard let reason = required.reasons.last else {
            report.report(201, 1, "no EXT-X-VERSION", severity: .note)
            return
        }
        report.report(
            201, 1,
            "no EXT-X-VERSION, though \(reason.feature.description) in line \(reason.line) needs \(reason.version)",
            severity: .warning)
    }
}
