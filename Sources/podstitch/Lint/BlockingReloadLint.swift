import HLS

/// Rule 1011: whether a server that announces CAN-BLOCK-RELOAD keeps what RFC 8216bis §6.2.5.2 says. Pure: tells what to ask,
/// and judges the answers.
struct BlockingReloadLint {
    enum Expectation: Equatable, Sendable {
        /// 400.
        case refusal
        /// The whole playlist once it has the segment, or the part of it.
        case whole(number: Int64, part: Int?)
    }

    struct Probe: Sendable {
        var parameters: [(name: String, value: String)]
        var expectation: Expectation
        /// How long to wait for the answer.
        var timeout: Duration

        /// As it stands in a query.
        var text: String { parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&") }
    }

    private let target: Duration
    private let line: Int

    /// The longest wait for one answer, whatever the playlist says of itself.
    private static let longestWait = Duration.seconds(60)

    let probes: [Probe]

    /// Nil where the playlist announces no blocking reloads, or has ended.
    init?(_ playlist: MediaPlaylist) {
        guard !playlist.hasEndList, let control = playlist.serverControl, control.canBlockReload else { return nil }
        line = playlist.lineNumber(of: control.line)
        target = .seconds(max(playlist.targetDuration ?? 0, 1))
        let wait = min(target * 3 + .seconds(2), Self.longestWait)
        let end = playlist.mediaSequence &+ Int64(playlist.segments.count)
        // The playlist grows while this is asked: "more than two beyond the last" leaves room for that.
        var probes = [
            Probe(parameters: [("_HLS_part", "0")], expectation: .refusal, timeout: wait),
            Probe(parameters: [("_HLS_msn", "\(end &+ 20)")], expectation: .refusal, timeout: wait),
            Probe(parameters: [("_HLS_msn", "\(end)")], expectation: .whole(number: end, part: nil), timeout: wait),
        ]
        if playlist.isLowLatency {
            let part = playlist.trailerParts.count
            probes.append(
                Probe(
                    parameters: [("_HLS_msn", "\(end)"), ("_HLS_part", "\(part)")],
                    expectation: .whole(number: end, part: part), timeout: wait))
        }
        self.probes = probes
    }

    /// What is wrong with the answer to a probe. `answer` is nil where none came in time.
    func finding(_ probe: Probe, _ answer: LintAnswer?) -> PlaylistFinding? {
        guard let answer else {
            return finding("\(probe.text): no answer within \(DecimalText.text(probe.timeout)) s")
        }
        switch probe.expectation {
        case .refusal:
            return answer.status == 400 ? nil : finding("\(probe.text) was answered with \(answer.status), not 400")
        case .whole(let number, let part):
            if answer.status == 503 {
                guard answer.elapsed < target * 3 else { return nil }
                let text = DecimalText.text(answer.elapsed, fractionDigits: 1)
                return finding("\(probe.text) was answered with 503 after \(text) s, before three target durations")
            }
            guard answer.status == 200 else {
                return finding("\(probe.text) was answered with \(answer.status)")
            }
            guard let playlist = try? MediaPlaylist(parsing: answer.body) else {
                return finding("\(probe.text) was answered with no media playlist")
            }
            if playlist.skippedSegments > 0 { return finding("\(probe.text) was answered with a delta update") }
            guard !playlist.hasEndList else { return nil }
            let end = playlist.mediaSequence &+ Int64(playlist.segments.count)
            let hasPart = part.map { playlist.part(mediaSequence: number, index: $0) != nil } ?? false
            guard end > number || hasPart else {
                let what = part.map { "part \($0) of number \(number)" } ?? "number \(number)"
                return finding("\(probe.text) was not held until the playlist had \(what)")
            }
            return nil
        }
    }

    private func finding(_ message: String) -> PlaylistFinding {
        PlaylistFinding(rule: 1011, line: line, severity: .error, message: message)
    }
}
