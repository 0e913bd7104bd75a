import HLS

/// Rules 1007 and 1008: whether an answer to `_HLS_skip` is a right delta update of the playlist, RFC 8216bis §6.2.5.1. Pure.
struct DeltaUpdateLint {
    static let parameters = [(name: "_HLS_skip", value: "YES")]

    private let full: MediaPlaylist
    /// CAN-SKIP-UNTIL: how far from the end nothing is skipped.
    private let boundary: Duration?
    private let line: Int

    /// - Parameter full: the whole playlist, loaded shortly before. Nil where it announces no delta updates.
    init?(_ full: MediaPlaylist) {
        guard full.skippedSegments == 0, let control = full.serverControl,
            control.attributes["CAN-SKIP-UNTIL"] != nil
        else { return nil }
        self.full = full
        boundary = control.canSkipUntil
        line = full.lineNumber(of: control.line)
    }

    func findings(_ answer: LintAnswer) -> [PlaylistFinding] {
        var report = LintReport()
        check(answer, &report)
        return report.sorted()
    }

    private func check(_ answer: LintAnswer, _ report: inout LintReport) {
        let text = "_HLS_skip=YES"
        guard answer.status == 200, let delta = try? MediaPlaylist(parsing: answer.body) else {
            report.report(
                1007, line, "\(text) was answered with \(answer.status == 200 ? "no playlist" : "\(answer.status)")")
            return
        }
        let skipped = delta.skippedSegments
        // The whole list is a right answer too.
        guard skipped > 0 else { return }
        if full.hasEndList {
            report.report(
                1008, line, "an ended playlist answered \(text) with a delta update of \(skipped) skipped segments")
            return
        }
        if delta.mediaSequence < full.mediaSequence {
            report.report(
                1007, line,
                "the delta update's media sequence number is \(delta.mediaSequence), that of the whole list \(full.mediaSequence)"
            )
            return
        }
        checkSegments(delta, &report)
        if report.isEmpty { checkMerge(delta, &report) }
        checkBoundary(delta, &report)
        if delta.mediaSequence == full.mediaSequence, delta.discontinuitySequence != full.discontinuitySequence {
            let value = delta.discontinuitySequence.map { "\($0)" } ?? "missing"
            let right = full.discontinuitySequence.map { "\($0)" } ?? "missing"
            report.report(
                1008, line,
                "EXT-X-DISCONTINUITY-SEQUENCE is \(value) in the delta update and \(right) in the whole list")
        }
    }

    /// Numbers that both list name one segment, else the count of skipped ones is wrong.
    private func checkSegments(_ delta: MediaPlaylist, _ report: inout LintReport) {
        for segment in delta.segments {
            let index = segment.number &- full.mediaSequence
            guard index >= 0, index < Int64(full.segments.count) else { continue }
            let known = full.segments[Int(index)]
            guard
                full.source[known.uri] != delta.source[segment.uri]
                    || known.byteRange?.length != segment.byteRange?.length
            else { continue }
            report.report(
                1007, line,
                "after \(delta.skippedSegments) skipped segments the delta update names another segment as number \(segment.number)"
            )
            return
        }
        let first = delta.mediaSequence &+ delta.skippedSegments
        if first > full.mediaSequence &+ Int64(full.segments.count), !delta.segments.isEmpty {
            report.report(
                1007, line, "\(delta.skippedSegments) segments are skipped, more than the whole list had")
        }
    }

    /// Put together with the list before, it is a version that may follow on that.
    private func checkMerge(_ delta: MediaPlaylist, _ report: inout LintReport) {
        do throws(PlaylistError) {
            let merged = try delta.merged(onto: full)
            var reloads = ReloadLint()
            _ = reloads.receive(full, at: .zero)
            // The discontinuity sequence has a rule of its own here.
            for finding in reloads.receive(merged, at: .zero) where finding.severity == .error && finding.rule != 502 {
                report.report(
                    1007, line, "merged into the list before, rule \(finding.rule) is broken: \(finding.message)")
            }
        } catch {
            report.report(1007, line, "the delta update cannot be merged into the list before: \(error.detail)")
        }
    }

    private func checkBoundary(_ delta: MediaPlaylist, _ report: inout LintReport) {
        guard let boundary else { return }
        var listed = Timeline(delta).duration
        for part in delta.trailerParts { listed += part.duration ?? .zero }
        guard listed < boundary else { return }
        report.report(
            1008, line,
            "segments nearer than CAN-SKIP-UNTIL (\(DecimalText.text(boundary)) s) to the end were skipped: "
                + "\(DecimalText.text(listed)) s are listed")
    }
}
