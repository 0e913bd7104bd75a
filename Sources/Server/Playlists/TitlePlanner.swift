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
        let first = cues.first ?? Opportunity(preroll, position: .preroll, index: 1)
        guard await desk.canDecide(by: ends), !session.hasSchedule else {
            session.add(await desk.archive.add([], session.key))
            return await desk.keep(
                cues.map { ($0.id, .storeAway) }, of: session, source, catalog, within: Self.storePatience)
        }
        let schedule = await source.provider.schedule(
            for: BreakRequest(
                record: session.record, cookies: session.cookies, opportunity: first, limit: limit,
                keepsOverlays: source.options.tellsPlayers))
        switch schedule {
        case .oneBreak(let answer):
            session.add(await desk.archive.add(cues.isEmpty ? [preroll] : [], session.key))
            let asked = cues.dropFirst().prefix(max(source.options.adRequestLimit - 1, 0))
            await leave(cues.dropFirst().dropFirst(asked.count).map(\.id), session, source, catalog, within: ends)
            await each(Array(asked)) { opportunity in
                let answer = await source.provider.ads(
                    for: BreakRequest(
                        record: session.record, cookies: session.cookies, opportunity: opportunity,
                        limit: ends - time.monotonic(),
                        keepsOverlays: source.options.tellsPlayers))
                await desk.conclude(answer, opportunity, session, source, catalog, limit: ends - time.monotonic())
            } besides: {
                await desk.conclude(answer, first, session, source, catalog, limit: ends - time.monotonic())
            }
        case .breaks(let document, let url):
            let planned = ScheduleReader(ledger, cues: cues, limit: Self.breakLimit)?.breaks(of: document) ?? []
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
            await each(asked) { plan in
                var answer = AdAnswerForBreak()
                if let adSource = plan.source {
                    answer = await source.provider.ads(
                        from: adSource, url: url,
                        for: BreakRequest(
                            record: session.record, cookies: session.cookies, opportunity: plan.opportunity,
                            limit: ends - time.monotonic(),
                            keepsOverlays: source.options.tellsPlayers))
                }
                await desk.conclude(
                    answer, plan.opportunity, session, source, catalog, tracking: plan.tracking,
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

/// One break of a schedule, found in the content.
struct PlannedBreak: Sendable {
    var opportunity: Opportunity
    /// A break the content does not mark.
    var ownBreak: ContentBreak?
    var source: AdSource?
    var tracking: BreakTracking
}

/// Trackers of a break as a whole (VMAP).
struct BreakTracking: Sendable {
    var start: [String] = []
    var end: [String] = []
    var error: [String] = []

    var isEmpty: Bool { start.isEmpty && end.isEmpty && error.isEmpty }
}

/// Lays a schedule over a title.
struct ScheduleReader {
    private let ledger: BreakLedger
    private let duration: Duration
    private let cues: [Opportunity]
    private let limit: Int

    /// - Parameters:
    ///   - cues: the breaks that the content marks, in order: for offsets like `#2`.
    ///   - limit: of breaks, repeats counted.
    init?(_ ledger: BreakLedger, cues: [Opportunity], limit: Int) {
        guard let leading = ledger.renditions[ledger.leading], let first = leading.segments.first,
            let edge = leading.edge
        else { return nil }
        self.ledger = ledger
        self.cues = cues
        self.limit = limit
        duration = first.time.duration(to: edge)
    }

    /// The linear breaks of a schedule that lie in the content, in document order (R-V1 to R-V3).
    func breaks(of document: VMAPDocument) -> [PlannedBreak] {
        var planned: [PlannedBreak] = []
        var taken: Set<BreakID> = []
        for (place, adBreak) in document.breaks.enumerated() where adBreak.isLinear {
            let tracking = BreakTracking(
                start: adBreak.trackers("breakStart"), end: adBreak.trackers("breakEnd"),
                error: adBreak.trackers("error"))
            if case .position(let number) = adBreak.timeOffset {
                guard number >= 1, number <= cues.count else { continue }
                let cue = cues[number - 1]
                guard planned.count < limit, taken.insert(cue.id).inserted else { continue }
                planned.append(PlannedBreak(opportunity: cue, source: adBreak.source, tracking: tracking))
                continue
            }
            // Beyond the content: not played.
            guard let offset = adBreak.timeOffset.time(in: duration), offset <= duration else { continue }
            for (turn, time) in repeats(from: offset, every: adBreak.repeatAfter).enumerated() {
                guard planned.count < limit else { return planned }
                let insertion: InsertionPlace = time <= .zero ? .start : time >= duration ? .end : .offset(time)
                // Names sort as the document lists them: several breaks at one place play in that order.
                let id = BreakID("vmap-\(padded(place))-\(padded(turn))")
                guard let own = ledger.ownBreak(id: id, at: insertion) else { continue }
                let position: Opportunity.Position =
                    insertion == .start ? .preroll : insertion == .end ? .postroll : .midroll
                planned.append(
                    PlannedBreak(
                        opportunity: Opportunity(own, position: position, index: planned.count + 1), ownBreak: own,
                        source: adBreak.source, tracking: tracking))
            }
        }
        return planned
    }

    private func repeats(from offset: Duration, every interval: Duration?) -> [Duration] {
        var times = [offset]
        guard let interval, interval > .zero else { return times }
        var next = offset + interval
        while next < duration, times.count < limit {
            times.append(next)
            next += interval
        }
        return times
    }

    private func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    }
}

extension Opportunity {
    /// The opportunity of a break that only one session has.
    init(_ own: ContentBreak, position: Position, index: Int) {
        self.init(
            id: own.id, start: own.start, plannedDuration: own.plannedDuration,
            availableDuration: own.availableDuration, position: position, index: index, isInsertion: true)
    }
}
