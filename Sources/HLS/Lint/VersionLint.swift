/// Rules of EXT-X-VERSION: 201, 202.
struct VersionLint: LintCheck {
    private let version: Int
    private let isIFramesOnly: Bool
    private var hasVersion = false
    private var mapLine = 0

    init(_ playlist: MediaPlaylist) {
        version = playlist.version
        isIFramesOnly = playlist.isIFramesOnly
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if line.kind == .version { hasVersion = true }
        if line.kind == .map, mapLine == 0 { mapLine = line.number }
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if !hasVersion { report.report(201, 1, "no EXT-X-VERSION", severity: .warning) }
        let needed = isIFramesOnly ? 5 : 6
        if mapLine != 0, version < needed {
            report.report(202, mapLine, "EXT-X-MAP needs version \(needed), not \(version)", severity: .warning)
        }
    }
}
