internal import HLS
internal import Stitching
internal import Synchronization
internal import Transport
internal import VAST

/// A session while this process serves it.
final class Session: Sendable {
    private struct State: ~Copyable {
        var stitching: StitchingSession
        /// Breaks being decided now.
        var pending: [BreakID: SharedWork<Void>] = [:]
        /// Breaks for which a request has failed before they began: they are asked for again when they begin.
        var failedAhead: Set<BreakID> = []
        /// Breaks that need no provider, being kept as content now.
        var keeping: [BreakID: SharedWork<Void>] = [:]
        /// The breaks of a VOD session's own, being found out now or found.
        var schedule: SharedWork<Void>?
        /// A playlist of the VOD session has been shown: its breaks are what they are.
        var isScheduleClosed = false
        /// What trackers tell of breaks and their ads.
        var facts: [BreakID: (facts: BreakFacts, ads: [AdMacroValues])] = [:]
        /// What the player is told of the ads of breaks.
        var told: Handouts
        /// Where the timeline begins that the player counts on.
        var timelineStart: DateTime?
        /// The store knows it.
        var isTimelineKept = false
        /// The last look in the store for a break that was not known, and its monotonic time.
        var lookUp: (work: SharedWork<Void>, at: Duration)?
        /// Events that the player has reported.
        var relayed: Set<RelayedEvent> = []
        var isProvisional = false
        /// The ``StateStore/openingCount`` of the store that has it.
        var keptIn: Int?
        /// Monotonic time of the last request.
        var seenAt: Duration
        /// Monotonic time of the last media playlist.
        var followedAt: Duration?
        /// Monotonic time at which the store was last told that the session lives, and at which a playlist was last made.
        var extendedAt: Duration
        var stitchedAt: Duration?
        /// ``StitchingSession/milestones`` that were given to the store.
        var keptMilestones: Int?
        /// Monotonic time at which that was.
        var keptAt: Duration?
        /// The answer for a pre-roll that was asked for before its place was known, and when (monotonic).
        var early: (answer: SharedWork<AdAnswerForBreak>, askedAt: Duration)?
    }

    let record: SessionRecord
    /// Those of ad servers and trackers (R-H6).
    let cookies: CookieJar
    private let state: Mutex<State>
    /// What requests tell of when ads are seen. Held from asking what is due until it is in the outbox, so that two who ask at one
    /// time do not change the order.
    let playback = Mutex(SessionPlayback())
    /// It goes on with what another process has decided.
    let isResumed: Bool

    /// Begins a session, or goes on with one that was kept.
    ///
    /// - Parameters:
    ///   - other: the session as it was here until now, which shows something else.
    ///   - budgets: what all sessions may keep for players and trackers.
    init(
        _ kept: KeptSession, settings: StitchingSession.Settings, seenAt: Duration, after other: Session? = nil,
        budgets: SessionBudgets = SessionBudgets()
    ) {
        record = kept.record
        cookies = other?.cookies ?? CookieJar(budget: budgets.cookies)
        isResumed = !kept.decisions.isEmpty
        var settings = settings
        settings.opening.isAwayFromEdge = !record.originParameters.isEmpty
        var state = State(
            stitching: StitchingSession(settings: settings), told: Handouts(budget: budgets.handouts), seenAt: seenAt,
            extendedAt: seenAt)
        Self.takeBeginning(of: kept, into: &state)
        Self.take(kept.decisions, into: &state)
        if let progress = kept.progress { state.stitching.resume(progress) }
        state.timelineStart = kept.timelineStart
        state.isTimelineKept = kept.timelineStart != nil
        if let other {
            let (beacons, relayed, followedAt) = other.state.withLock {
                ($0.stitching.beacons, $0.relayed, $0.followedAt)
            }
            state.stitching.leaveOut(beacons)
            state.relayed = relayed
            state.followedAt = followedAt
        }
        self.state = Mutex(state)
    }

    /// Whether a kept session begins as this one did.
    func beginsLike(_ kept: KeptSession) -> Bool {
        let start = state.withLock { $0.stitching.start }
        return start == nil || start == kept.start
    }

    /// Whether a kept session shows the same wherever this one has decided.
    func showsSame(as kept: KeptSession, _ isAlike: (Decision, Decision) -> Bool) -> Bool {
        let decisions = decisions
        return kept.decisions.allSatisfy { id, kept in decisions[id].map { isAlike($0, kept.decision) } ?? true }
    }

    private static func takeBeginning(of kept: KeptSession, into state: inout State) {
        if let start = kept.start { state.stitching.begin(start) }
        guard let ownBreaks = kept.ownBreaks else { return }
        if kept.record.key.source.kind == .live {
            state.stitching.open(with: ownBreaks)
        } else if state.schedule == nil {
            state.stitching.add(ownBreaks)
            let schedule = SharedWork<Void>()
            schedule.finish(with: ())
            state.schedule = schedule
        }
    }

    private static func take(_ decisions: [BreakID: KeptDecision], into state: inout State) {
        for (adBreak, kept) in decisions { take(kept, for: adBreak, into: &state) }
    }

    /// The first decision stays; it is returned. What trackers tell of the break and the ads of its pod is kept as long as anything
    /// of it may fall due.
    @discardableResult
    private static func take(_ kept: KeptDecision, for adBreak: BreakID, into state: inout State) -> Decision {
        if state.facts[adBreak] == nil, let facts = kept.facts {
            if state.facts.count >= rememberedBreaks {
                for id in state.facts.keys.sorted().prefix(state.facts.count / 2) { state.facts[id] = nil }
            }
            state.facts[adBreak] = (facts, kept.macros)
        }
        state.told.add(kept, for: adBreak)
        return state.stitching.decide(kept.decision, for: adBreak)
    }

    var key: SessionKey { record.key }
    /// For the log.
    var name: String { record.key.publicName }

    var seenAt: Duration { state.withLock { $0.seenAt } }

    func touch(at now: Duration) {
        state.withLock { $0.seenAt = max($0.seenAt, now) }
    }

    /// Takes note of a media playlist, and tells when the one before was.
    func follow(at now: Duration) -> Duration? {
        state.withLock { state in
            defer { state.followedAt = max(state.followedAt ?? now, now) }
            return state.followedAt
        }
    }

    /// The start that the session would have now, if it has none.
    func start(with ledger: BreakLedger) -> StitchingSession.Start? {
        state.withLock { $0.stitching.start(with: ledger) }
    }

    /// Whether it had not begun yet.
    func begin(_ start: StitchingSession.Start) -> Bool {
        state.withLock { state in
            defer { state.stitching.begin(start) }
            return !state.stitching.hasBegun
        }
    }

    /// The breaks that a live session would have of its own if its first playlist were made now; nil where there are none to be
    /// found out.
    func openingBreaks(with ledger: BreakLedger) -> [ContentBreak]? {
        state.withLock { $0.stitching.openingBreaks(with: ledger) }
    }

    func open(with ownBreaks: [ContentBreak]) {
        state.withLock { $0.stitching.open(with: ownBreaks) }
    }

    /// Whether the session is to have a pre-roll and has had no playlist yet.
    var awaitsOpening: Bool { state.withLock { $0.stitching.awaitsOpening } }

    /// The answer for the pre-roll that is being asked for, or was since the monotonic time `time`.
    func earlyAnswer(since time: Duration) -> SharedWork<AdAnswerForBreak>? {
        state.withLock { state in state.early.flatMap { $0.askedAt >= time ? $0.answer : nil } }
    }

    /// The same, and whether the caller is the one to ask.
    func claimEarlyAnswer(since time: Duration, at now: Duration) -> (work: SharedWork<AdAnswerForBreak>, isNew: Bool) {
        state.withLock { state in
            if let early = state.early, early.askedAt >= time { return (early.answer, false) }
            let work = SharedWork<AdAnswerForBreak>()
            state.early = (work, now)
            return (work, true)
        }
    }

    /// Tells which breaks are undecided, and which ones are content without a provider being asked.
    func propose(with ledger: BreakLedger, now: DateTime) -> StitchingSession.Preparation {
        state.withLock { $0.stitching.propose(with: ledger, now: now) }
    }

    /// The playlist of a rendition as this session sees it; `nil` before the rendition was observed.
    ///
    /// - Parameter now: monotonic.
    func stitch(
        _ rendition: RenditionKey, ledger: BreakLedger, options: StitchOptions, at now: Duration
    ) -> StitchedPlaylist? {
        state.withLock { state in
            state.stitchedAt = now
            let playlist = state.stitching.stitch(rendition, ledger: ledger, options: options)
            let isLive = key.source.kind == .live
            // Subtitles and I-frames may reach farther back than what is played.
            if state.timelineStart == nil, !rendition.mayDifferInTargetDuration, let first = playlist?.entries.first,
                !isLive || state.stitching.joinEdge != nil
            {
                state.timelineStart = state.stitching.timelineTime(of: first, in: rendition)
            }
            guard state.stitching.joinEdge != nil else { return playlist }
            if !state.told.isEmpty {
                // Players have no use for the ads of breaks that are long over.
                state.told.keep(state.stitching.currentBreaks(in: ledger))
            }
            return playlist
        }
    }

    // MARK: Tracking by players

    /// What the session's breaks hold, with the content that is known.
    func stitchedBreaks(in ledger: BreakLedger) -> [StitchedBreak] {
        let (stitching, start, overlaid) = state.withLock { ($0.stitching, $0.timelineStart, $0.told.breaks) }
        // A title's times count from its first segment.
        return stitching.stitchedBreaks(in: ledger, since: key.source.kind == .live ? start : nil, overlaid: overlaid)
    }

    func handouts(of adBreak: BreakID) -> [AdHandout?] { state.withLock { $0.told.ads(of: adBreak) } }

    func breakHandout(of adBreak: BreakID) -> BreakHandout? { state.withLock { $0.told.handout(of: adBreak) } }

    /// The work of looking in the store for a break that is not known here, and whether the caller is the one to do it: not again
    /// at once, whatever a player asks for. Nil where the last look is too near.
    func claimLookUp(at now: Duration) -> (work: SharedWork<Void>, isNew: Bool)? {
        state.withLock { state in
            if let last = state.lookUp, now - last.at < Self.lookUpInterval {
                return last.work.valueIfDone == nil ? (last.work, false) : nil
            }
            let work = SharedWork<Void>()
            state.lookUp = (work, now)
            return (work, true)
        }
    }

    /// Where the timeline of a session begins, once it had a playlist: before that its breaks may yet change.
    var timelineStart: DateTime? {
        get { state.withLock { $0.timelineStart } }
        set { state.withLock { $0.timelineStart = newValue } }
    }

    /// Whether the store has not been told yet where the timeline begins.
    func claimTimeline() -> Bool {
        state.withLock { state in
            defer { state.isTimelineKept = true }
            return !state.isTimelineKept
        }
    }

    /// Takes note of what the player reports. False where it has before.
    func takeReport(of event: RelayedEvent) -> Bool {
        state.withLock { state in
            if state.relayed.count >= Self.rememberedReports {
                state.relayed = state.relayed.filter { state.stitching.decisions[$0.breakID] != nil }
            }
            return state.relayed.insert(event).inserted
        }
    }

    /// It was found, or found again, while the store was away that other servers use: they may have got further.
    var isProvisional: Bool {
        get { state.withLock { $0.isProvisional } }
        set { state.withLock { $0.isProvisional = newValue } }
    }

    /// Whether the store is another one than when this was asked before.
    func isToBeKeptAgain(in opening: Int) -> Bool {
        state.withLock { state in
            defer { state.keptIn = opening }
            return state.keptIn.map { $0 != opening } ?? false
        }
    }

    /// All that a store is to hold of it.
    var kept: KeptSession {
        let isLive = key.source.kind == .live
        return state.withLock { state in
            var kept = KeptSession(record: record, start: state.stitching.start)
            let hasOwn = !state.stitching.ownBreaks.isEmpty
            let isFound = !isLive && (state.isScheduleClosed || state.schedule?.valueIfDone != nil)
            if hasOwn || isFound { kept.ownBreaks = state.stitching.ownBreaks }
            for (id, decision) in state.stitching.decisions {
                let (facts, told) = (state.facts[id], state.told.ads(of: id))
                kept.decisions[id] = KeptDecision(
                    decision: decision, facts: facts?.facts, macros: facts?.ads ?? [],
                    handouts: told.isEmpty ? nil : told, breakHandout: state.told.handout(of: id))
            }
            if state.stitching.hasPlaces { kept.progress = state.stitching.progress }
            kept.timelineStart = state.isTimelineKept ? state.timelineStart : nil
            return kept
        }
    }

    /// Monotonic time of the last playlist that was made here.
    var stitchedAt: Duration? { state.withLock { $0.stitchedAt } }

    /// Goes on from where another process has got to.
    func resume(_ kept: KeptSession) {
        let works = state.withLock { state in
            Self.takeBeginning(of: kept, into: &state)
            Self.take(kept.decisions, into: &state)
            if let progress = kept.progress { state.stitching.resume(progress) }
            if let start = kept.timelineStart { state.timelineStart = start }
            let decided = state.pending.keys.filter { state.stitching.decisions[$0] != nil }
            return decided.compactMap { state.pending.removeValue(forKey: $0) }
        }
        for work in works { work.finish(with: ()) }
    }

    /// What the store is to be told, after a pod has got a place or an end.
    ///
    /// - Parameters:
    ///   - interval: what was given to the store since then is new enough.
    ///   - now: monotonic.
    func newProgress(
        after interval: Duration, at now: Duration
    ) -> (progress: StitchingSession.Progress, decisions: [BreakID: Decision])? {
        state.withLock { state in
            guard state.stitching.hasPlaces else { return nil }
            let milestones = state.stitching.milestones
            guard state.keptMilestones != milestones else { return nil }
            if let kept = state.keptAt, now - kept < interval { return nil }
            state.keptMilestones = milestones
            state.keptAt = now
            return (state.stitching.progress, state.stitching.decisions)
        }
    }

    /// Breaks that the session has let go of, and where it has got to, which no longer needs them.
    func takeForgotten() -> (
        breaks: [BreakID], progress: StitchingSession.Progress, decisions: [BreakID: Decision]
    )? {
        state.withLock { state in
            let breaks = state.stitching.takeForgotten()
            return breaks.isEmpty ? nil : (breaks, state.stitching.progress, state.stitching.decisions)
        }
    }

    /// Whether the store has to be told that the session lives: after a while.
    func isToBeExtended(after interval: Duration, at now: Duration) -> Bool {
        state.withLock { state in
            guard now - state.extendedAt >= interval else { return false }
            state.extendedAt = now
            return true
        }
    }

    /// Adds breaks that only this session has, unless its schedule is closed.
    func add(_ ownBreaks: [ContentBreak]) {
        state.withLock { state in
            guard !state.isScheduleClosed else { return }
            state.stitching.add(ownBreaks)
        }
    }

    /// The work on finding a VOD session's breaks, and whether the caller is the one to do it.
    func claimSchedule() -> (work: SharedWork<Void>, isNew: Bool) {
        state.withLock { state in
            if let work = state.schedule { return (work, false) }
            let work = SharedWork<Void>()
            state.schedule = work
            return (work, true)
        }
    }

    /// A VOD session's breaks are known, or can no longer be had.
    var hasSchedule: Bool { state.withLock { $0.isScheduleClosed || $0.schedule?.valueIfDone != nil } }

    /// Lets a VOD session have no more breaks. Whether it had to be closed before its schedule was found.
    func closeSchedule() -> Bool {
        state.withLock { state in
            defer { state.isScheduleClosed = true }
            return !state.isScheduleClosed && state.schedule?.valueIfDone == nil
        }
    }

    /// A copy of the timeline, to plan a pod with.
    var stitching: StitchingSession { state.withLock { $0.stitching } }

    /// The session's target duration, once it has begun.
    var targetDuration: Duration? { state.withLock { $0.stitching.targetDuration } }

    /// Where players of a live session are, that play so far behind the edge.
    func playhead(in ledger: BreakLedger, holdBack: Duration) -> DateTime? {
        state.withLock { $0.stitching.playhead(in: ledger, holdBack: holdBack) }
    }

    var beginsAtEdge: Bool { state.withLock { $0.stitching.beginsAtEdge } }

    func hasPodsAtEdge(in ledger: BreakLedger) -> Bool { state.withLock { $0.stitching.hasPodsAtEdge(in: ledger) } }

    /// The beacons due in a live session up to a playhead. Each is handed out once.
    func dueBeacons(ledger: BreakLedger, upTo playhead: DateTime) -> [DueBeacon] {
        state.withLock { $0.stitching.dueBeacons(ledger: ledger, upTo: playhead) }
    }

    func podStart(of adBreak: BreakID, in ledger: BreakLedger) -> Duration? {
        stitching.podStart(of: adBreak, in: ledger)
    }

    /// When a segment of an ad begins in its pod.
    func offset(of segment: FillReference, in rendition: RenditionKey) -> Duration {
        let slots = decision(for: segment.breakID)?.pod?.fill(for: rendition).slots ?? []
        return slots.first { $0.ad == segment.ad && $0.index == segment.segment }?.offset ?? .zero
    }

    /// What a player asks for with a segment of an ad that is seen by request.
    func ask(
        for segment: FillReference, in rendition: RenditionKey, podStart: Duration
    ) -> StitchingSession.AskedSegment? {
        state.withLock { $0.stitching.ask(for: segment, in: rendition, podStart: podStart) }
    }

    func isPassedOver(_ due: DueBeacon) -> Bool { state.withLock { $0.stitching.isPassedOver(due) } }

    func facts(of adBreak: BreakID) -> (facts: BreakFacts, ads: [AdMacroValues])? {
        state.withLock { $0.facts[adBreak] }
    }

    private static let rememberedBreaks = 1_000
    private static let rememberedReports = 4_000
    private static let lookUpInterval = Duration.seconds(1)

    var decisions: [BreakID: Decision] { state.withLock { $0.stitching.decisions } }

    func decision(for adBreak: BreakID) -> Decision? { state.withLock { $0.stitching.decisions[adBreak] } }

    /// The work on a break's decision, and whether the caller is the one to do it.
    ///
    /// - Parameter isAhead: the break has not begun; it is then asked for once.
    func claim(_ adBreak: BreakID, isAhead: Bool = false) -> (work: SharedWork<Void>, isNew: Bool) {
        state.withLock { state in
            if let work = state.pending[adBreak] { return (work, false) }
            let work = SharedWork<Void>()
            if state.stitching.decisions[adBreak] != nil || isAhead && state.failedAhead.contains(adBreak) {
                work.finish(with: ())
                return (work, false)
            }
            state.pending[adBreak] = work
            return (work, true)
        }
    }

    /// The break is decided, whoever did that: nobody waits for it any more.
    func finish(_ adBreak: BreakID) {
        state.withLock { $0.pending.removeValue(forKey: adBreak) }?.finish(with: ())
    }

    /// Leaves a break undecided that has not begun, for now.
    func leave(_ adBreak: BreakID) {
        let work = state.withLock { state in
            if state.failedAhead.count >= Self.rememberedBreaks { state.failedAhead.removeAll() }
            state.failedAhead.insert(adBreak)
            return state.pending.removeValue(forKey: adBreak)
        }
        work?.finish(with: ())
    }

    /// The work on keeping a break as content, also while a provider is still asked, and whether the caller is the one to do it.
    func claimKeeping(_ adBreak: BreakID) -> (work: SharedWork<Void>, isNew: Bool) {
        state.withLock { state in
            if let work = state.keeping[adBreak] { return (work, false) }
            let work = SharedWork<Void>()
            state.keeping[adBreak] = work
            return (work, true)
        }
    }

    func finishKeeping(_ adBreak: BreakID) {
        state.withLock { $0.keeping.removeValue(forKey: adBreak) }?.finish(with: ())
    }

    /// Takes what the store has kept for a break, and wakes those who wait for it. The first decision stays; it is returned.
    @discardableResult
    func settle(_ adBreak: BreakID, _ kept: KeptDecision) -> Decision {
        let (work, settled) = state.withLock { state -> (SharedWork<Void>?, Decision) in
            state.failedAhead.remove(adBreak)
            return (state.pending.removeValue(forKey: adBreak), Self.take(kept, for: adBreak, into: &state))
        }
        work?.finish(with: ())
        return settled
    }
}
