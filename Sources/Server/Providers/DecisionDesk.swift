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
    /// Those that the operator names.
    var operatorsCreatives: CreativeLibrary
    /// Nil where nothing is made of files.
    var conditioned: ConditionedCreatives?
    var tracker: BeaconTracker
    var handouts: HandoutMaker
    /// This process among those that share the store.
    var process: String
    var time: any TimeSource
    var reports: DecisionReports
    /// Sessions that a source has.
    var crowd: @Sendable (SourceID) -> Int
    var start: @Sendable (@escaping @Sendable () async -> Void) -> Void

    /// Time between the end of the work and the moment content becomes the decision anyway.
    private static let margin = Duration.milliseconds(50)

    /// Between two looks at whether another process has decided.
    private static let interval = Duration.milliseconds(50)
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
        var breaks = breaks
        var works: [SharedWork<Void>] = []
        // What is decided may leave a rest, which is a break of its own.
        for _ in 0..<3 {
            works += begin(breaks, session, source, catalog)
            guard !breaks.decided.isEmpty else { break }
            await keep(breaks.decided, of: session, source, catalog, within: patienceEnds - time.monotonic())
            guard source.id.kind == .live, let ledger = source.ledger else { break }
            breaks = session.propose(with: ledger, now: DateTime(nanoseconds: time.now()))
        }
        for work in works { _ = await work.value(within: patienceEnds - time.monotonic(), on: time) }
    }

    /// The works on undecided breaks, begun where nobody works on them yet.
    private func begin(
        _ breaks: StitchingSession.Preparation, _ session: Session, _ source: Source, _ catalog: SourceCatalog
    ) -> [SharedWork<Void>] {
        let opening = Set(breaks.opening)
        var past: [StitchingSession.PendingBreak] = []
        var works: [SharedWork<Void>] = []
        for undecided in breaks.pending {
            let opportunity = undecided.opportunity
            let (work, isNew) = session.claim(opportunity.id, isAhead: undecided.isAhead)
            works.append(work)
            guard isNew else { continue }
            let isOpening = opening.contains(opportunity.id)
            if isOpening, opportunity.id != .preroll {
                past.append(undecided)
            } else {
                start { await ask(undecided, session, source, catalog, alone: !isOpening) }
            }
        }
        if !past.isEmpty {
            // The latest first: nearest to where most players begin.
            start { [past] in
                await withTaskGroup(of: Void.self) { group in
                    for (index, undecided) in past.reversed().enumerated() {
                        if index >= Self.parallelBreaks { await group.next() }
                        group.addTask { await ask(undecided, session, source, catalog, alone: false) }
                    }
                }
            }
        }
        return works
    }

    private enum Turn {
        case decided(KeptDecision)
        /// This process is to ask.
        case own
        /// Nobody is to ask: the store is away, and others use it.
        case nobody
    }

    /// What another process has decided, or decides now; else whether this one is to ask.
    private func turn(
        at adBreak: BreakID, _ session: Session, waits: Bool, ends: Duration
    ) async -> Turn {
        guard archive.isShared else { return .own }
        while true {
            if let kept = await archive.decision(for: adBreak, in: session.key) { return .decided(kept) }
            let now = time.monotonic()
            guard !archive.store.holdsBack else {
                guard now < ends, await pause() else { return .nobody }
                continue
            }
            guard waits, now < ends else { return .own }
            let deadline = DateTime(nanoseconds: time.now()).advanced(by: ends - now).nanoseconds
            switch await archive.claimRequest(for: adBreak, in: session.key, by: process, until: deadline) {
            case .thisProcess: return .own
            case .nobody: guard await pause() else { return .nobody }
            case .another(let other):
                while time.now() < other, time.monotonic() < ends {
                    guard await pause() else { return .nobody }
                    if let kept = await archive.decision(for: adBreak, in: session.key) { return .decided(kept) }
                }
            }
        }
    }

    /// False where the work is cancelled.
    private func pause() async -> Bool { (try? await time.sleep(for: Self.interval)) != nil }

    /// Waits until the store takes decisions, or the monotonic time `ends`. Whether it does.
    func canDecide(by ends: Duration) async -> Bool {
        while archive.store.holdsBack {
            guard time.monotonic() < ends, await pause() else { return false }
        }
        return true
    }

    /// Keeps a decision; nil where it has become late for it, and nothing is to be shown that other servers cannot know.
    private func commit(
        _ own: KeptDecision, for adBreak: BreakID, of session: Session, by ends: Duration
    ) async -> KeptDecision? {
        while true {
            if let kept = await archive.decide(own, for: adBreak, in: session.key) { return kept }
            guard session.decision(for: adBreak) == nil, time.monotonic() < ends, await pause() else { return nil }
        }
    }

    /// Leaves a break to the content, as all servers do while the store is away that they share.
    func giveUp(
        _ adBreak: BreakID, isAhead: Bool = false, _ session: Session, _ source: Source, _ catalog: SourceCatalog
    ) async {
        guard session.decision(for: adBreak) == nil else { return }
        // It is asked for again when it begins.
        if isAhead { return session.leave(adBreak) }
        await keep([(adBreak, .storeAway)], of: session, source, catalog, within: Self.storePatience)
    }

    private static let storePatience = Duration.seconds(1)

    /// The planner of a session's pods, with what is known now.
    private func planner(
        _ session: Session, _ source: Source, _ catalog: SourceCatalog, _ ledger: BreakLedger
    ) -> PodPlanner {
        let planner = PodPlanner(
            session: session.stitching, ledger: source.ledger ?? ledger, catalog: catalog, slate: source.slate?.media,
            bumpers: Bumpers(start: source.bumpers.start?.media, end: source.bumpers.end?.media))
        for (id, problem) in planner.bumperProblems {
            (id == Bumpers.startID ? source.bumpers.start : source.bumpers.end)?.refuse(problem.text)
        }
        if let problem = planner.slateProblem { source.slate?.refuse(problem.text) }
        return planner
    }

    /// Lets the slate and the bumpers be fetched that a session may need, and says early what is wrong with them.
    func prepareSlate(of source: Source, for session: Session, catalog: SourceCatalog, ledger: BreakLedger) {
        source.refreshHouseMedia { LadderSubject(source, catalog, ledger) }
        // All of them are asked.
        guard !source.houseMedia.filter({ $0.takeUnchecked() != nil }).isEmpty else { return }
        _ = planner(session, source, catalog, ledger)
    }

    /// How long the request for a break is put off.
    private func spread(
        _ undecided: StitchingSession.PendingBreak, _ session: Session, _ source: Source, limit: Duration
    ) -> Duration {
        guard source.options.spread else { return .zero }
        let ahead = source.ledger?.heldEdge.map { $0.duration(to: undecided.opportunity.start) } ?? .zero
        return RequestSpread(sessions: crowd(source.id)).delay(
            of: session.key, for: undecided.opportunity.id, isAhead: undecided.isAhead,
            room: undecided.isAhead ? ahead : limit)
    }

    /// Asks for the ads of a break, unless it has been decided meanwhile, here or in another process.
    ///
    /// - Parameter alone: not while another process asks. What a session opens with cannot wait for that.
    private func ask(
        _ undecided: StitchingSession.PendingBreak, _ session: Session, _ source: Source, _ catalog: SourceCatalog,
        alone: Bool
    ) async {
        let opportunity = undecided.opportunity
        var limit = max(
            DateTime(nanoseconds: time.now()).duration(to: undecided.deadline) - Self.margin, .zero)
        if alone {
            let delay = spread(undecided, session, source, limit: limit)
            if delay > .zero { try? await time.sleep(for: delay) }
            // What is announced is due later, and has all its time after the delay.
            if !undecided.isAhead { limit -= delay }
        }
        let ends = time.monotonic() + limit
        guard session.decision(for: opportunity.id) == nil else { return session.finish(opportunity.id) }
        switch await turn(at: opportunity.id, session, waits: alone, ends: ends) {
        case .decided(let kept):
            session.settle(opportunity.id, kept)
            return
        case .nobody: return await giveUp(opportunity.id, isAhead: undecided.isAhead, session, source, catalog)
        case .own: break
        }
        reports.asked(for: opportunity, of: session)
        let chain = source.providers(for: opportunity)
        let answer: AdAnswerForBreak?
        if opportunity.id == .preroll, let early = session.earlyAnswer(since: time.monotonic() - Self.answerLifetime),
            let known = await early.value(within: limit, on: time), !isOld(known, for: session)
        {
            answer = known
        } else {
            answer = await chain.ads(at: 0, for: request(opportunity, session, source, limit: ends - time.monotonic()))
        }
        // Too late: the deadline has decided, and has said so.
        guard session.decision(for: opportunity.id) == nil else { return session.finish(opportunity.id) }
        await conclude(
            answer.map { [$0] } ?? [], chain, opportunity, session, source, catalog, isAhead: undecided.isAhead,
            limit: ends - time.monotonic())
    }

    /// Whether an ad of an answer that was asked for ahead may not be kept until now (VAST, Expires).
    private func isOld(_ answer: AdAnswerForBreak, for session: Session) -> Bool {
        guard let ads = answer.ads, let lifetime = (ads.pod + ads.spares).compactMap(\.expires).min() else {
            return false
        }
        return session.earlyAnswer(since: time.monotonic() - lifetime) == nil
    }

    /// A break as providers are asked for it.
    func request(
        _ opportunity: Opportunity, _ session: Session, _ source: Source, limit: Duration
    ) -> BreakRequest {
        BreakRequest(
            record: session.record, cookies: session.cookies, opportunity: opportunity, limit: limit,
            keepsOverlays: session.record.tellsPlayer)
    }

    /// Asks for the ads of a pre-roll whose place is not known yet. Nil where there is none to be asked for, or no more.
    func askAhead(for session: Session, of source: Source) -> SharedWork<AdAnswerForBreak>? {
        let chain = source.preroll
        guard !chain.isEmpty, session.awaitsOpening, !archive.store.holdsBack else { return nil }
        let now = time.monotonic()
        let (work, isNew) = session.claimEarlyAnswer(since: now - Self.answerLifetime, at: now)
        guard isNew else { return work }
        var opening = Opportunity(
            id: .preroll, start: DateTime(nanoseconds: time.now()), plannedDuration: nil,
            availableDuration: source.options.longestPreroll, position: .preroll, index: 1)
        opening.contentTime = .zero
        let limit = source.options.decisionDeadline
        start { [opportunity = opening] in
            let answer =
                await chain.ads(at: 0, for: request(opportunity, session, source, limit: limit)) ?? AdAnswerForBreak()
            work.finish(with: answer)
            // Its media are wanted next.
            let library = answer.isOperators ? operatorsCreatives : creatives
            for ad in answer.ads?.pod ?? [] {
                for file in ad.hlsMediaFiles.prefix(1) { _ = await library.media(at: file.url, within: .zero) }
            }
        }
        return work
    }

    /// Makes a decision of ad servers' answers, and keeps it. Who comes behind those that have answered is asked for what they leave.
    ///
    /// - Parameter isAhead: the break has not begun: if there is no good answer, it stays undecided until it does.
    func conclude(
        _ answers: [AdAnswerForBreak], _ chain: ProviderChain, _ opportunity: Opportunity, _ session: Session,
        _ source: Source, _ catalog: SourceCatalog, tracking: BreakTracking? = nil, isNonLinear: Bool = false,
        isAhead: Bool = false, limit: Duration
    ) async {
        let ends = time.monotonic() + limit
        var outcome = PodMaker.Outcome(decision: .content(.noAds))
        if let ledger = source.ledger {
            var maker = PodMaker(creatives: creatives, operatorsCreatives: operatorsCreatives, time: time)
            maker.isNonLinear = isNonLinear
            maker.reportsAlone = !session.record.tellsPlayer
            if isAhead { maker.lead = ledger.heldEdge?.duration(to: opportunity.start) ?? .zero }
            if session.record.tellsPlayer, let slate = source.slate {
                maker.standIn = { await slate.media(within: $0) }
            }
            if let conditioned {
                let subject = LadderSubject(source, catalog, ledger)
                maker.conditioned = {
                    await conditioned.media(of: $0, from: $1, isOperators: $2, for: subject, within: $3)
                }
            }
            outcome = await maker.decision(
                answers, chain, opportunity,
                check: MediaRules(session: session.stitching, ledger: ledger, catalog: catalog), tracking: tracking,
                limit: limit,
                ask: { await chain.ads(at: $0, for: request($1, session, source, limit: $2)) },
                planner: { planner(session, source, catalog, ledger) })
        }
        if isAhead, let reason = outcome.reasonToWait {
            reports.later(opportunity.id, of: session, because: reason)
            return session.leave(opportunity.id)
        }
        let facts = BreakFacts(opportunity)
        var own = KeptDecision(decision: outcome.decision, facts: facts, macros: outcome.macros)
        if session.record.tellsPlayer {
            if case .ads(let pod) = outcome.decision {
                own.handouts = handouts.handouts(outcome.ads, of: pod, outcome.macros, session.record, facts)
            }
            own.breakHandout = handouts.breakHandout(outcome, session.record, facts)
        }
        guard let kept = await commit(own, for: opportunity.id, of: session, by: ends) else {
            return await giveUp(opportunity.id, isAhead: isAhead, session, source, catalog)
        }
        // The deadline may have decided meanwhile.
        let held = session.settle(opportunity.id, kept)
        tracker.report(outcome.errors, session: session, facts: facts)
        for (urls, code) in outcome.breakErrors {
            tracker.report(urls, code: code, session: session, facts: facts)
        }
        reports.decided(held, outcome, for: opportunity, of: session)
    }

    /// Keeps decisions that needed no provider, and waits for that no longer than `limit`.
    func keep(
        _ decided: [(id: BreakID, reason: ContentReason)], of session: Session, _ source: Source,
        _ catalog: SourceCatalog, within limit: Duration
    ) async {
        let ends = time.monotonic() + limit
        let works = keep(decided, of: session, source, catalog)
        for work in works { _ = await work.value(within: ends - time.monotonic(), on: time) }
    }

    /// The works on keeping what breaks show for which nobody is asked, or no more, that have to be waited for: content in one go,
    /// however many breaks a long window has.
    private func keep(
        _ decided: [(id: BreakID, reason: ContentReason)], of session: Session, _ source: Source,
        _ catalog: SourceCatalog
    ) -> [SharedWork<Void>] {
        let fallbacks = zip(decided.map(\.id), fallbacks(decided, of: session, source, catalog))
        guard archive.isShared else {
            reports.decided(fallbacks.map { ($0, session.settle($0, KeptDecision(decision: $1))) }, of: session)
            return []
        }
        var works: [SharedWork<Void>] = []
        var content: [(id: BreakID, reason: ContentReason)] = []
        var other: [(id: BreakID, decision: Decision)] = []
        for (id, fallback) in fallbacks {
            let (work, isNew) = session.claimKeeping(id)
            works.append(work)
            guard isNew else { continue }
            if case .content(let reason) = fallback {
                content.append((id, reason))
            } else {
                other.append((id, fallback))
            }
        }
        guard !content.isEmpty || !other.isEmpty else { return works }
        start { [content, other] in
            let kept = content.isEmpty ? [] : await archive.decide(content, in: session.key)
            var held = zip(content, kept).map { one, kept in (one.id, session.settle(one.id, kept)) }
            for (id, decision) in other {
                if let kept = await archive.decide(KeptDecision(decision: decision), for: id, in: session.key) {
                    held.append((id, session.settle(id, kept)))
                } else if let kept = await archive.decide([(id, .storeAway)], in: session.key).first {
                    held.append((id, session.settle(id, kept)))
                }
            }
            reports.decided(held, of: session)
            for id in content.map(\.id) + other.map(\.id) { session.finishKeeping(id) }
        }
        return works
    }

    /// What takes the place of ads. A title without slate has nothing but its content.
    private func fallbacks(
        _ decided: [(id: BreakID, reason: ContentReason)], of session: Session, _ source: Source,
        _ catalog: SourceCatalog
    ) -> [Decision] {
        guard source.id.kind == .live || source.slate?.media != nil, let ledger = source.ledger else {
            return decided.map { .content($0.reason) }
        }
        return planner(session, source, catalog, ledger).fallbacks(for: decided)
    }
}
