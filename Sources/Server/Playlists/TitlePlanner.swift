internal import HLS
internal import Stitching
internal import Transport
internal import VAST

/// Finds out once per session where the breaks of a title are and what fills them, so that all renditions and reloads agree (rule 905).
///
/// Breaks are those that cues in the content mark; a VMAP answer's own ones instead; without either, one pre-roll.
struct TitlePlanner: Sendable {
    var desk: DecisionDesk
    var time: any TimeSource
    var log: Log
    var start: @Sendable (@escaping @Sendable () async -> Void) -> Void

    /// A schedule names no more breaks than this, repeats counted: more than a title of days has, one a minute.
    private static let breakLimit = 5_000
    /// Breaks that are asked for at once.
    private static let parallelBreaks = 4

    /// What another server shows of the session's breaks is shown here too: the store's answer is worth its whole deadline.
    private static let storePatience = Duration.seconds(1)

    /// Begins to find out the session's breaks and what fills them, and waits for it no longer than `patience`.
    func plan(
        _ session: Session, of source: Source, catalog: SourceCatalog, ledger: BreakLedger, patience: Duration
    ) async {
        guard source.id.kind == .vod, let limit = source.decisionTime else { return }
        let (work, isNew) = session.claimSchedule()
        if isNew {
            start {
                await find(session, source, catalog, ledger, limit: limit)
                work.finish(with: ())
            }
        }
        _ = await work.value(within: min(patience, limit + .seconds(1)), on: time)
    }

    /// The session's first playlist is about to be shown: what is undecided now stays content (rule 905).
    func close(
        _ session: Session, of source: Source, catalog: SourceCatalog, ledger: BreakLedger
    ) async {
        guard source.id.kind == .vod, source.decisionTime != nil else { return }
        // Another process may have found the breaks in time.
        if !session.hasSchedule { session.add(await desk.archive.add([], session.key)) }
        let isCutShort = session.closeSchedule()
        let undecided = session.propose(with: ledger, now: DateTime(nanoseconds: time.now())).pending
        await desk.keep(
            undecided.map { ($0.opportunity.id, .deadline) }, of: session, source, catalog,
            within: max(source.options.decisionBudget, Self.storePatience))
        guard isCutShort, undecided.isEmpty else { return }
        log.info(
            "title.content", session: session.name, reason: "no answer of the ad server within the budget",
            ["source": .text(source.id.name), "code": .text(ContentReason.deadline.code)])
    }

    private func find(
        _ session: Session, _ source: Source, _ catalog: SourceCatalog, _ ledger: BreakLedger, limit: Duration
    ) async {
        let ends = time.monotonic() + limit
        let cues = session.propose(with: ledger, now: DateTime(nanoseconds: time.now())).pending.map(\.opportunity)
        guard let preroll = ledger.ownBreak(id: BreakID("preroll"), at: .start) else { return }
        var opening = Opportunity(preroll, position: .preroll, index: 1)
        opening.contentTime = .zero
        let first = cues.first ?? opening
        guard await desk.canDecide(by: ends), !session.hasSchedule else {
            session.add(await desk.archive.add([], session.key))
            return await desk.keep(
                cues.map { ($0.id, .storeAway) }, of: session, source, catalog, within: Self.storePatience)
        }
        let chain = source.providers
        let (schedule, before) = await chain.schedule(
            for: desk.request(first, session, source, limit: limit), on: time)
        switch schedule {
        case .oneBreak(let answer):
            session.add(await desk.archive.add(cues.isEmpty ? [preroll] : [], session.key))
            let asked = cues.dropFirst().prefix(max(source.options.adRequestLimit - 1, 0))
            await leave(cues.dropFirst().dropFirst(asked.count).map(\.id), session, source, catalog, within: ends)
            await each(Array(asked)) { opportunity in
                let answer = await chain.ads(
                    at: 0, for: desk.request(opportunity, session, source, limit: ends - time.monotonic()))
                await desk.conclude(
                    answer.map { [$0] } ?? [], chain, opportunity, session, source, catalog,
                    limit: ends - time.monotonic())
            } besides: {
                await desk.conclude(
                    before + [answer], chain, first, session, source, catalog, limit: ends - time.monotonic())
            }
        case .breaks(let document, let url):
            let planned =
                ScheduleReader(ledger, cues: cues, limit: Self.breakLimit)?
                .breaks(of: document, takesOverlays: session.record.tellsPlayer) ?? []
            session.add(await desk.archive.add(planned.compactMap(\.ownBreak), session.key))
            let named = Set(planned.map(\.opportunity.id))
            await desk.keep(
                cues.filter { !named.contains($0.id) }.map { ($0.id, .noAds) }, of: session, source, catalog,
                within: ends - time.monotonic())
            log.info(
                "title.schedule", session: session.name,
                ["source": .text(source.id.name), "breaks": .number(planned.count)])
            // Ads that stand in the answer need no request; those that it links to do.
            var left = max(source.options.adRequestLimit - 1, 0)
            let asked = planned.filter { plan in
                guard plan.source?.isLink ?? false else { return true }
                left -= 1
                return left >= 0
            }
            if asked.count < planned.count {
                let named = Set(asked.map(\.opportunity.id))
                await leave(
                    planned.map(\.opportunity.id).filter { !named.contains($0) }, session, source, catalog, within: ends
                )
            }
            // Those before the schedule's provider had nothing: what they said is told once.
            let place = before.count
            let nothing = [AdAnswerForBreak](repeating: AdAnswerForBreak(), count: place)
            let first = asked.first?.opportunity.id
            await each(asked) { plan in
                var answer = AdAnswerForBreak()
                if let adSource = plan.source, chain.providers.indices.contains(place) {
                    let left = chain.share(at: place, of: ends - time.monotonic())
                    answer = await chain.providers[place].ads(
                        from: adSource, url: url, for: desk.request(plan.opportunity, session, source, limit: left))
                }
                await desk.conclude(
                    (plan.opportunity.id == first ? before : nothing) + [answer], chain, plan.opportunity, session,
                    source, catalog, tracking: plan.tracking, isNonLinear: plan.isNonLinear,
                    limit: ends - time.monotonic())
            }
        }
    }

    /// Leaves breaks to the content that would need more requests than one session may make.
    private func leave(
        _ breaks: [BreakID], _ session: Session, _ source: Source, _ catalog: SourceCatalog, within ends: Duration
    ) async {
        guard !breaks.isEmpty else { return }
        let reason = "more than adRequestLimit (\(source.options.adRequestLimit)) requests for one session"
        await desk.keep(
            breaks.map { ($0, .providerFailed(reason)) }, of: session, source, catalog,
            within: ends - time.monotonic())
    }

    /// Does `body` for each element, a few at once.
    private func each<Element: Sendable>(
        _ elements: [Element], _ body: @escaping @Sendable (Element) async -> Void,
        besides other: (@Sendable () async -> Void)? = nil
    ) async {
        await withTaskGroup(of: Void.self) { group in
            if let other { group.addTask { await other() } }
            for (index, element) in elements.enumerated() {
                if index >= Self.parallelBreaks { await group.next() }
                group.addTask { await body(element) }
            }
        }
    }
}
