internal import HLS
internal import Stitching
internal import Transport
internal import VAST

/// Takes the decisions of sessions: asks the provider, prepares the creatives, fits the pod, keeps the outcome in the store.
///
/// Requests for one break of one session are one piece of work, which goes on whether somebody waits for it or not.
struct DecisionDesk: Sendable {
    var archive: SessionArchive
    var creatives: CreativeLibrary
    var tracker: BeaconTracker
    var time: any TimeSource
    var log: Log
    var metrics: Metrics
    var start: @Sendable (@escaping @Sendable () async -> Void) -> Void

    /// Time between the end of the work and the moment content becomes the decision anyway.
    private static let margin = Duration.milliseconds(50)

    /// Begins the work on breaks that nobody works on yet, and waits a little for all of them: never longer than the source's
    /// budget, whatever ad servers and the store do.
    func decide(
        _ breaks: StitchingSession.Preparation, for session: Session, of source: Source, catalog: SourceCatalog
    ) async {
        guard !breaks.pending.isEmpty || !breaks.decided.isEmpty else { return }
        let patienceEnds = time.monotonic() + source.options.decisionBudget
        let keeping = breaks.decided.compactMap { id, reason in keep(reason, for: id, of: session) }
        var works: [SharedWork<Decision>] = []
        for undecided in breaks.pending {
            let opportunity = undecided.opportunity
            let (work, isNew) = session.claim(opportunity.id)
            works.append(work)
            guard isNew else { continue }
            let now = DateTime(nanoseconds: time.now())
            let limit = max(now.duration(to: undecided.deadline) - Self.margin, .zero)
            start {
                let ends = time.monotonic() + limit
                // Another process may have decided it.
                if let kept = await archive.decision(for: opportunity.id, in: session.key) {
                    session.settle(opportunity.id, kept)
                    return
                }
                let answer = await source.provider.ads(
                    for: BreakRequest(record: session.record, opportunity: opportunity, limit: limit))
                await conclude(answer, opportunity, session, source, catalog, limit: ends - time.monotonic())
            }
        }
        for work in works { _ = await work.value(within: patienceEnds - time.monotonic(), on: time) }
        for work in keeping { _ = await work.value(within: patienceEnds - time.monotonic(), on: time) }
    }

    /// Makes a decision of an ad server's answer, and keeps it.
    func conclude(
        _ answer: AdAnswerForBreak, _ opportunity: Opportunity, _ session: Session, _ source: Source,
        _ catalog: SourceCatalog, tracking: BreakTracking = BreakTracking(), limit: Duration
    ) async {
        let outcome: PodMaker.Outcome
        if let ledger = source.ledger {
            outcome = await PodMaker(creatives: creatives, time: time).decision(
                answer, opportunity, session: session.stitching, ledger: ledger, catalog: catalog, tracking: tracking,
                limit: limit)
        } else {
            outcome = PodMaker.Outcome(decision: .content(.noAds))
        }
        let kept = await archive.decide(
            KeptDecision(decision: outcome.decision, facts: BreakFacts(opportunity), macros: outcome.macros),
            for: opportunity.id, in: session.key)
        // The deadline may have decided meanwhile.
        let held = session.settle(opportunity.id, kept)
        tracker.report(outcome.errors, session: session, facts: BreakFacts(opportunity))
        if let code = answer.ads?.breakErrorCode {
            tracker.report(tracking.error, code: code, session: session, facts: BreakFacts(opportunity))
        }
        metrics.adsSkipped.increment(by: outcome.skipped.count)
        write(held, skipped: outcome.skipped, for: opportunity.id, of: session)
    }

    /// Keeps decisions that needed no provider, and waits for that no longer than `limit`.
    func keep(_ decided: [(id: BreakID, reason: ContentReason)], of session: Session, within limit: Duration) async {
        let ends = time.monotonic() + limit
        let works = decided.compactMap { id, reason in keep(reason, for: id, of: session) }
        for work in works { _ = await work.value(within: ends - time.monotonic(), on: time) }
    }

    /// The work on keeping a break as content; nil where nothing has to be waited for.
    private func keep(_ reason: ContentReason, for id: BreakID, of session: Session) -> SharedWork<Void>? {
        let decision = KeptDecision(decision: .content(reason))
        guard archive.isShared else {
            write(session.settle(id, decision), skipped: [], for: id, of: session)
            return nil
        }
        let (work, isNew) = session.claimKeeping(id)
        guard isNew else { return work }
        start {
            let kept = await archive.decide(decision, for: id, in: session.key)
            write(session.settle(id, kept), skipped: [], for: id, of: session)
            session.finishKeeping(id)
        }
        return work
    }

    /// One line for each break of a session.
    private func write(_ decision: Decision, skipped: [String], for adBreak: BreakID, of session: Session) {
        metrics.decisions.increment()
        let source = LogValue.text(session.key.source.name)
        switch decision {
        case .ads(let pod):
            log.info(
                "break.ads", session: session.name, reason: skipped.isEmpty ? nil : skipped.joined(separator: "; "),
                [
                    "source": source, "break": .text(adBreak.text), "ads": .list(pod.ads.map(\.id)),
                    "durationMilliseconds": .span(pod.duration),
                ])
        case .content(let reason):
            metrics.fallbacks.increment()
            log.info(
                "break.content", session: session.name,
                reason: ([reason.detail ?? reason.code] + skipped).joined(separator: "; "),
                ["source": source, "break": .text(adBreak.text), "code": .text(reason.code)])
        }
    }
}
