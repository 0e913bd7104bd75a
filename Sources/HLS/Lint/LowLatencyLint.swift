/// Rules of server control, delta updates, hints and reports: 311, 1004-1008.
struct LowLatencyLint: LintCheck {
    private let playlist: MediaPlaylist
    private let target: Duration?
    private let partTarget: Duration?
    private let canSkipUntil: Duration?
    private var hasSegment = false
    private var skipLine = 0
    private var hints: Set<String> = []
    private var reports: Set<String> = []
    private var parts: Set<String> = []
    private static let limit = 4_096

    init(_ playlist: MediaPlaylist) {
        self.playlist = playlist
        target = playlist.targetDuration.flatMap { $0 <= 1_000_000_000 ? .seconds($0) : nil }
        partTarget = playlist.partInformation?.partTarget
        canSkipUntil = playlist.serverControl?.canSkipUntil
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .segmentDuration: hasSegment = true
        case .serverControl: checkControl(line, bytes, &report)
        case .skip: checkSkip(line, bytes, &report)
        case .part:
            if parts.count < Self.limit, line.attribute("BYTERANGE", bytes) == nil, let uri = line.text("URI", bytes) {
                parts.insert(uri)
            }
        case .preloadHint: checkHint(line, bytes, &report)
        case .renditionReport: checkReport(line, bytes, &report)
        default: break
        }
    }

    // MARK: Server control

    private func checkControl(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if let target {
            atLeast("HOLD-BACK", target * 3, "three target durations", 311, line, bytes, &report)
            atLeast("CAN-SKIP-UNTIL", target * 6, "six target durations", 311, line, bytes, &report)
        }
        if let partTarget, partTarget <= .seconds(1_000_000) {
            if !atLeast("PART-HOLD-BACK", partTarget * 2, "two part targets", 1004, line, bytes, &report) { return }
            atLeast("PART-HOLD-BACK", partTarget * 3, "three part targets", 1004, line, bytes, &report, .warning)
        }
        if line.attribute("CAN-SKIP-DATERANGES", bytes) != nil, line.attribute("CAN-SKIP-UNTIL", bytes) == nil {
            report.report(1004, line.number, "CAN-SKIP-DATERANGES without CAN-SKIP-UNTIL")
        }
    }

    @discardableResult
    private func atLeast(
        _ name: StaticString, _ bound: Duration, _ what: String, _ rule: Int, _ line: LintLine, _ bytes: Span<UInt8>,
        _ report: inout LintReport, _ severity: PlaylistFinding.Severity? = nil
    ) -> Bool {
        guard let value = line.duration(name, bytes), value < bound else { return true }
        report.report(
            rule, line.number, "\(name) \(DecimalText.text(value)) is below \(what), \(DecimalText.text(bound)) s",
            severity: severity)
        return false
    }

    // MARK: Delta updates

    private mutating func checkSkip(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if skipLine == 0 { skipLine = line.number }
        if hasSegment { report.report(1007, line.number, "EXT-X-SKIP behind a segment") }
        if line.integer("SKIPPED-SEGMENTS", bytes) == 0 {
            report.report(1007, line.number, "EXT-X-SKIP of no segment")
        }
        if canSkipUntil == nil {
            report.report(1007, line.number, "EXT-X-SKIP without CAN-SKIP-UNTIL in EXT-X-SERVER-CONTROL")
        }
        if let list = line.attribute("RECENTLY-REMOVED-DATERANGES", bytes), !list.value.isEmpty {
            let isEmpty = bytes.string(list.value).split(separator: "\t", omittingEmptySubsequences: false)
                .contains(where: \.isEmpty)
            if isEmpty { report.report(1007, line.number, "RECENTLY-REMOVED-DATERANGES with an empty ID") }
        }
    }

    // MARK: Hints and reports

    private mutating func checkHint(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let type = line.text("TYPE", bytes) ?? ""
        if playlist.hasEndList { report.report(1005, line.number, "EXT-X-PRELOAD-HINT in an ended playlist") }
        guard hints.count < Self.limit else { return }
        if !hints.insert(type).inserted {
            // The standard says SHOULD NOT: players take the first.
            report.report(
                1005, line.number, "a second EXT-X-PRELOAD-HINT of TYPE=\(type.excerpt)", severity: .warning)
        }
        if type == "PART", line.integer("BYTERANGE-START", bytes) ?? 0 == 0, let uri = line.text("URI", bytes),
            parts.contains(uri)
        {
            report.report(
                1005, line.number, "the hinted part \"\(uri.excerpt)\" is listed already", severity: .warning)
        }
    }

    private mutating func checkReport(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard let uri = line.attribute("URI", bytes), !uri.value.isEmpty else {
            report.report(1006, line.number, "EXT-X-RENDITION-REPORT without URI")
            return
        }
        if bytes.isAbsoluteURI(uri.value) {
            report.report(1006, line.number, "the URI \"\(bytes.excerpt(uri.value))\" is not relative")
        }
        guard reports.count < Self.limit else { return }
        if !reports.insert(bytes.string(uri.value)).inserted {
            report.report(1006, line.number, "a second report on \"\(bytes.excerpt(uri.value))\"")
        }
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard skipLine != 0 else { return }
        if playlist.hasEndList { report.report(1008, skipLine, "EXT-X-SKIP in an ended playlist") }
        guard let canSkipUntil, let target else { return }
        // A segment that begins before the boundary and ends behind it may be skipped.
        let listed = playlist.listedDuration
        if listed + target < canSkipUntil {
            report.report(
                1008, skipLine,
                "\(DecimalText.text(listed)) s are left, and nothing nearer than \(DecimalText.text(canSkipUntil)) s "
                    + "to the end may be skipped")
        }
    }
}
