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

    /// Breaks of the past that are asked for at once, for one session.
    private static let parallelBreaks = 6
    /// An answer that was asked for ahead is used no later than so long after it was asked for.
    private static let answerLifetime = Duration.seconds(60)

    /// Begins the work on breaks that nobody works on yet, and waits a little for all of them: never longer than until the
    /// monotonic time `patienceEnds`, whatever ad servers and the store do.
    func decide(
        _ breaks: StitchingSession.Preparation, for session: Session, of source: Source, catalog: SourceCatalog,
        until patienceEnds: Duration
    ) async {
        guard !breaks.pending.isEmpty || !breaks.decided.isEmpty else { return }
        let keeping = keep(breaks.decided, of: session)
        let opening = Set(breaks.opening)
        var past: [StitchingSession.PendingBreak] = []
        var works: [SharedWork<Decision>] = []
        for undecided in breaks.pending {
            let opportunity = undecided.opportunity
            let (work, isNew) = session.claim(opportunity.id)
            works.append(work)
            guard isNew else { continue }
            if opening.contains(opportunity.id), opportunity.id != .preroll {
                past.append(undecided)
            } else {
                start { await ask(undecided, session, source, catalog) }
            }
        }
        if !past.isEmpty {
            // The latest first: nearest to where most players begin.
            start { [past] in
                await withTaskGroup(of: Void.self) { group in
                    for (index, undecided) in past.reversed().enumerated() {
                        if index >= Self.parallelBreaks { await group.next() }
                        group.addTask { await ask(undecided, session, source, catalog) }
                    }
                }
            }
        }
        for work in works { _ = await work.value(within: patienceEnds - time.monotonic(), on: time) }
        for work in keeping { _ = await work.value(within: patienceEnds - time.monotonic(), on: time) }
    }

    /// Asks for the ads of a break, unless it has been decided meanwhile, here or in another process.
    private func ask(
        _ undecided: StitchingSession.PendingBreak, _ session: Session, _ source: Source, _ catalog: SourceCatalog
    ) async {
        let opportunity = undecided.opportunity
        let limit = max(
            DateTime(nanoseconds: time.now()).duration(to: undecided.deadline) - Self.margin, .zero)
        let ends = time.monotonic() + limit
        guard session.decision(for: opportunity.id) == nil else { return }
        if let kept = await archive.decision(for: opportunity.id, in: session.key) {
            session.settle(opportunity.id, kept)
            return
        }
        let answer: AdAnswerForBreak
        if opportunity.id == .preroll, let early = session.earlyAnswer(since: time.monotonic() - Self.answerLifetime),
            let known = await early.value(within: limit, on: time)
        {
            answer = known
        } else {
            let provider = opportunity.id == .preroll ? source.preroll ?? source.provider : source.provider
            answer = await provider.ads(
                for: BreakRequest(
                    record: session.record, opportunity: opportunity, limit: ends - time.monotonic()))
        }
        // Too late: the deadline has decided, and has said so.
        guard session.decision(for: opportunity.id) == nil else { return }
        await conclude(answer, opportunity, session, source, catalog, limit: ends - time.monotonic())
    }

    /// Asks for the ads of a pre-roll whose place is not known yet. Nil where there is none to be asked for, or no more.
    func askAhead(for session: Session, of source: Source) -> SharedWork<AdAnswerForBreak>? {
        guard let preroll = source.preroll, session.awaitsOpening else { return nil }
        let now = time.monotonic()
        let (work, isNew) = session.claimEarlyAnswer(since: now - Self.answerLifetime, at: now)
        guard isNew else { return work }
        let opportunity = Opportunity(
            id: .preroll, start: DateTime(nanoseconds: time.now()), plannedDuration: nil,
            availableDuration: source.options.longestPreroll, position: .preroll, index: 1)
        let limit = source.options.decisionDeadline
        start {
            let answer = await preroll.ads(
                for: BreakRequest(record: session.record, opportunity: opportunity, limit: limit))
            work.finish(with: answer)
            // Its media are wanted next.
            for ad in answer.ads?.pod ?? [] {
                for file in ad.hlsMediaFiles.prefix(1) { _ = await creatives.media(at: file.url, within: .zero) }
            }
        }
        return work
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
        let works = keep(decided, of: session)
        for work in works { _ = await work.value(within: ends - time.monotonic(), on: time) }
    }

    /// The works on keeping breaks as content that have to be waited for: all of them in one go, however many a long window has.
    private func keep(_ decided: [(id: BreakID, reason: ContentReason)], of session: Session) -> [SharedWork<Void>] {
        guard archive.isShared else {
            let held = decided.map { id, reason in
                (id, session.settle(id, KeptDecision(decision: .content(reason))))
            }
            write(held, of: session)
            return []
        }
        var works: [SharedWork<Void>] = []
        var own: [(id: BreakID, reason: ContentReason)] = []
        for one in decided {
            let (work, isNew) = session.claimKeeping(one.id)
            works.append(work)
            if isNew { own.append(one) }
        }
        guard !own.isEmpty else { return works }
        start { [own] in
            let kept = await archive.decide(own, in: session.key)
            let held = zip(own, kept).map { one, kept in (one.id, session.settle(one.id, kept)) }
            write(held, of: session)
            for one in own { session.finishKeeping(one.id) }
        }
        return works
    }

    /// One line for each break; one for all those of a long window that lie too far back.
    private func write(_ held: [(id: BreakID, decision: Decision)], of session: Session) {
        var alike: [String: [(id: BreakID, decision: Decision)]] = [:]
        for one in held {
            switch one.decision {
            case .content(.beforeSession), .content(.suppressed):
                if case .content(let reason) = one.decision { alike[reason.code, default: []].append(one) }
            default: write(one.decision, skipped: [], for: one.id, of: session)
            }
        }
        for (code, group) in alike.sorted(by: { $0.key < $1.key }) {
            if group.count <= 3 {
                for one in group { write(one.decision, skipped: [], for: one.id, of: session) }
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
