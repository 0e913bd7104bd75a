internal import Stitching
internal import Synchronization
internal import Transport

/// The sessions this process serves, over the store that keeps them. Bounded: beyond the bound those not seen for longest go.
final class SessionTable: Sendable {
    private let archive: SessionArchive
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let limit: Int
    private let time: any TimeSource
    private let metrics: Metrics
    private let log: Log
    private let lifetime: @Sendable (SourceID) -> Duration
    private let settings: @Sendable (SourceID) -> StitchingSession.Settings
    private let sessions = Mutex(Sessions())
    private let budgets = SessionBudgets()

    private struct Sessions {
        private(set) var byKey: [SessionKey: Session] = [:]
        private(set) var counts: [SourceID: Int] = [:]

        subscript(key: SessionKey) -> Session? {
            get { byKey[key] }
            set {
                let change = (newValue == nil ? 0 : 1) - (byKey[key] == nil ? 0 : 1)
                byKey[key] = newValue
                if change != 0 { counts[key.source, default: 0] += change }
            }
        }
    }

    /// - Parameter start: runs a job in the background.
    init(
        archive: SessionArchive, limit: Int, time: any TimeSource, metrics: Metrics,
        settings: @escaping @Sendable (SourceID) -> StitchingSession.Settings,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) {
        self.archive = archive
        self.start = start
        self.limit = max(1, limit)
        self.time = time
        self.metrics = metrics
        log = archive.log
        lifetime = archive.lifetime
        self.settings = settings
    }

    var count: Int { sessions.withLock { $0.byKey.count } }

    /// How many a source has.
    func count(of source: SourceID) -> Int { sessions.withLock { $0.counts[source] ?? 0 } }

    /// The session of that key, if it is in memory.
    func known(_ key: SessionKey) -> Session? { sessions.withLock { $0[key] } }

    /// The session of that key; begun with `begin` if there is none yet. Marks it as seen.
    func session(_ key: SessionKey, begin: () -> SessionRecord) async -> Session {
        if let session = await find(key) { return session }
        metrics.sessionsStarted.increment()
        let record = await archive.create(begin())
        return await enter(
            Session(
                KeptSession(record: record), settings: settings(key.source), seenAt: time.monotonic(),
                budgets: budgets))
    }

    /// The session of that key, if it lives, here or in the store. Marks it as seen.
    func find(_ key: SessionKey) async -> Session? {
        let now = time.monotonic()
        if var known = known(key) {
            if now - known.seenAt <= lifetime(key.source) {
                known.touch(at: now)
                if archive.isShared { known = await rejoined(known, at: now) }
                if archive.isShared, known.isToBeExtended(after: lifetime(key.source) / 4, at: now) {
                    let decisions = known.decisions
                    start { [archive] in await archive.extend(key, decisions) }
                }
                return known
            }
            await drop([known])
        }
        guard let kept = await archive.session(key) else { return nil }
        let session = Session(kept, settings: settings(key.source), seenAt: now, budgets: budgets)
        session.isProvisional = archive.store.holdsBack
        return await enter(session)
    }

    /// The session as the store has it, where another server's word has taken the place of this one's, or may have got further while
    /// the store was away: all servers are to show the same again, from now on. Another store is given what this one goes on with first.
    private func rejoined(_ session: Session, at now: Duration) async -> Session {
        let key = session.key
        let isElsewhere = session.isToBeKeptAgain(in: archive.store.openingCount)
        if isElsewhere { await archive.keepAgain(session.kept) }
        let isProvisional = session.isProvisional && !archive.store.holdsBack
        guard archive.takeOverruled(key) || isProvisional || isElsewhere, let kept = await archive.session(key) else {
            return session
        }
        let showsSame = session.showsSame(as: kept, archive.isAlike)
        if showsSame, session.beginsLike(kept), !isProvisional {
            session.resume(kept)
            return session
        }
        let other = Session(kept, settings: settings(key.source), seenAt: now, after: session, budgets: budgets)
        let isReplaced = sessions.withLock { sessions in
            guard sessions[key] === session else { return false }
            sessions[key] = other
            return true
        }
        guard isReplaced else { return known(key) ?? other }
        if showsSame { return other }
        metrics.sessionsOverruled.increment()
        log.error(
            "session.overruled", session: key.publicName,
            reason: "another server has shown something else while the store was away; from now on all show that",
            ["source": .text(key.source.name)])
        return other
    }

    /// The sessions of a stream ID that live, here or in the store. None of them is marked as seen.
    func living(_ id: StreamID, among sources: [SourceID]) async -> [SessionKey] {
        let now = time.monotonic()
        var keys: [SessionKey] = []
        let kept = await archive.sources(of: id)
        for source in sources.sorted(by: { ($0.kind.rawValue, $0.name) < ($1.kind.rawValue, $1.name) }) {
            let key = SessionKey(source: source, streamID: id)
            if let known = known(key) {
                if now - known.seenAt <= lifetime(source) { keys.append(key) }
            } else if kept.contains(source), await archive.session(key) != nil {
                keys.append(key)
            }
        }
        return keys
    }

    /// Lets a session begin, once its channel's ledger is there, where it has not begun anywhere; and lets one that this process
    /// has not served for a while go on from where others have got to.
    ///
    /// Whether it has begun here now.
    func bringUp(_ session: Session, with ledger: BreakLedger) async -> Bool {
        var isNew = false
        if let start = session.start(with: ledger) { isNew = session.begin(await archive.begin(start, session.key)) }
        guard archive.isShared, let target = session.targetDuration, let last = session.stitchedAt,
            time.monotonic() - last > target * 2
        else { return isNew }
        // What it would have worked out meanwhile can still be worked out from what is kept of half that time.
        if archive.store.holdsBack, time.monotonic() - last > ledger.keptTime / 2 { session.isProvisional = true }
        if let kept = await archive.session(session.key) { session.resume(kept) }
        return isNew
    }

    /// Takes over what another process has decided and shown, where this one makes none of the session's playlists.
    func catchUp(_ session: Session) async {
        guard archive.isShared else { return }
        if let target = session.targetDuration, let last = session.stitchedAt, time.monotonic() - last <= target * 2 {
            return
        }
        if let kept = await archive.session(session.key) { session.resume(kept) }
    }

    /// Takes over what another process has decided for a break, where this one knows of nothing.
    func takeDecision(for adBreak: BreakID, of session: Session) async {
        guard archive.isShared, session.decision(for: adBreak) == nil,
            let kept = await archive.decision(for: adBreak, in: session.key)
        else { return }
        session.settle(adBreak, kept)
    }

    /// Keeps where the session's timeline begins, with its first playlist.
    ///
    /// - Parameter waits: players of the source count on it.
    func keepTimeline(of session: Session, waits: Bool) async {
        guard archive.isShared, let own = session.timelineStart, session.claimTimeline() else { return }
        let work: @Sendable () async -> Void = { [archive] in
            session.timelineStart = await archive.beginTimeline(at: own, session.key)
        }
        if waits { await work() } else { start(work) }
    }

    /// Keeps what a playlist has brought about, behind its back: it can be worked out again from the ledger for a while.
    ///
    /// A session's places grow with the window, and the longer the window, the longer they can be worked out again: then they
    /// are not written anew for each break.
    func keepProgress(of session: Session, in ledger: BreakLedger) {
        guard archive.isShared, !session.isProvisional else { return }
        if let forgotten = session.takeForgotten() {
            start { [archive] in
                // What is kept of the places may still name pods of theirs.
                await archive.keep(forgotten.progress, forgotten.decisions, of: session.key)
                await archive.forget(forgotten.breaks, of: session.key)
            }
        }
        let spare = ledger.keptTime - lifetime(session.key.source) * 5 / 4 - .seconds(60)
        guard let new = session.newProgress(after: max(spare, .zero) / 2, at: time.monotonic()) else { return }
        start { [archive] in await archive.keep(new.progress, new.decisions, of: session.key) }
    }

    private func enter(_ session: Session) async -> Session {
        let key = session.key
        _ = session.isToBeKeptAgain(in: archive.store.openingCount)
        let (entered, evicted) = sessions.withLock { sessions -> (Session, [Session]) in
            // Another request of the same viewer may have been here meanwhile.
            if let other = sessions[key] {
                other.touch(at: session.seenAt)
                return (other, [])
            }
            let evicted = sessions.byKey.count >= limit ? makeRoom(in: &sessions) : []
            sessions[key] = session
            return (session, evicted)
        }
        if !evicted.isEmpty {
            metrics.sessionsEvicted.increment(by: evicted.count)
            await drop(evicted)
        }
        return entered
    }

    /// Forgets the sessions that have ended.
    func removeExpired() async {
        let now = time.monotonic()
        let expired = sessions.withLock { sessions in
            sessions.byKey.values.filter { now - $0.seenAt > lifetime($0.key.source) }
        }
        await drop(expired)
        await archive.store.removeExpired()
    }

    private func drop(_ dropped: [Session]) async {
        sessions.withLock { sessions in
            for session in dropped where sessions[session.key] === session { sessions[session.key] = nil }
        }
        for session in dropped { await archive.release(session.key) }
    }

    /// A hundredth at a time: finding the oldest costs a pass over all.
    private func makeRoom(in sessions: inout Sessions) -> [Session] {
        let oldest = sessions.byKey.values.map { ($0.seenAt, $0) }.sorted { $0.0 < $1.0 }.prefix(max(1, limit / 100))
        for (_, session) in oldest { sessions[session.key] = nil }
        return oldest.map(\.1)
    }
}
