internal import HLS
internal import Stitching
internal import VAST

/// Tells operators of decisions: in the log one line for each, in the metrics, and to who debugs ads.
struct DecisionReports: Sendable {
    var log: Log
    var metrics: Metrics
    var debugger: AdDebugger

    /// More breaks of one reason than this, of a window that reaches far back, share a line.
    private static let lines = 3

    /// An ad provider is being asked.
    func asked(for opportunity: Opportunity, of session: Session) { debugger.asked(for: opportunity, session.key) }

    /// A break that has not begun has no ads yet.
    func later(_ adBreak: BreakID, of session: Session, because reason: String) {
        log.info(
            "break.later", session: session.name, reason: reason,
            ["source": .text(session.key.source.name), "break": .text(adBreak.text)])
    }

    /// A session gets no ads.
    func unstitched(_ session: Session, _ reason: String) {
        metrics.sessionsUnstitched.increment()
        debugger.unstitched(session.key, reason)
        log.warning(
            "session.unstitched", session: session.name, reason: reason, ["source": .text(session.key.source.name)])
    }

    /// What came of answers of ad providers.
    func decided(
        _ decision: Decision, _ outcome: PodMaker.Outcome, for opportunity: Opportunity, of session: Session
    ) {
        metrics.adsSkipped.increment(by: outcome.skipped.count)
        let interactive = outcome.interactiveNotes
        for note in interactive {
            log.warning(
                "ad.interactive", session: session.name, reason: note,
                ["source": .text(session.key.source.name), "break": .text(opportunity.id.text)])
        }
        asked(for: opportunity, of: session)
        debugger.learned(outcome.skipped, outcome.notes + interactive, for: opportunity.id, session.key)
        decided(decision, skipped: outcome.skipped.map(\.text), for: opportunity.id, of: session)
    }

    /// What breaks show for which nobody was asked: one line for each; one for all those of a long window that lie too far back.
    func decided(_ held: [(id: BreakID, decision: Decision)], of session: Session) {
        var alike: [String: [(id: BreakID, decision: Decision)]] = [:]
        for one in held {
            switch one.decision {
            case .content(let reason) where reason == .beforeSession || reason == .suppressed:
                alike[reason.code, default: []].append(one)
            default: decided(one.decision, for: one.id, of: session)
            }
        }
        for (code, group) in alike.sorted(by: { $0.key < $1.key }) {
            if group.count <= Self.lines {
                for one in group { decided(one.decision, for: one.id, of: session) }
                continue
            }
            metrics.decisions.increment(by: group.count)
            metrics.fallbacks.increment(by: group.count)
            log.info(
                "break.content", session: session.name, reason: code,
                [
                    "source": .text(session.key.source.name), "breaks": .number(group.count), "code": .text(code),
                    "first": .text(group.first?.id.text ?? ""), "last": .text(group.last?.id.text ?? ""),
                ])
        }
    }

    /// One line for each break of a session, or part of one.
    private func decided(
        _ decision: Decision, skipped: [String] = [], for adBreak: BreakID, of session: Session
    ) {
        metrics.decisions.increment()
        if case .storeAway? = decision.reason { metrics.breaksStoreAway.increment() }
        debugger.decided(decision, for: adBreak, session.key)
        let source = LogValue.text(session.key.source.name)
        guard let reason = decision.reason else {
            let pod = decision.pod
            log.info(
                "break.ads", session: session.name, reason: skipped.isEmpty ? nil : skipped.joined(separator: "; "),
                [
                    "source": source, "break": .text(adBreak.text), "ads": .list(pod?.ads.map(\.id) ?? []),
                    "durationMilliseconds": .span(pod?.duration ?? .zero),
                    "slateMilliseconds": .span(pod?.slateDuration ?? .zero),
                ])
            return
        }
        metrics.fallbacks.increment()
        if case .notStitchable = reason { metrics.breaksUnstitched.increment() }
        log.info(
            decision.pod == nil ? "break.content" : "break.slate", session: session.name,
            reason: ([reason.detail ?? reason.code] + skipped).joined(separator: "; "),
            [
                "source": source, "break": .text(adBreak.text), "code": .text(reason.code),
                "slateMilliseconds": .span(decision.pod?.slateDuration ?? .zero),
                "restAt": decision.rest.map { .text($0.start.formatted) },
            ])
    }
}
