internal import Stitching
internal import Synchronization
internal import Transport

/// The sessions this process serves, over the store that keeps them. Bounded: beyond the bound those not seen for longest go.
final class SessionTable: Sendable {
    private let store: any SessionStore
    private let limit: Int
    private let time: any TimeSource
    private let metrics: Metrics
    private let lifetime: @Sendable (SourceID) -> Duration
    private let settings: @Sendable (SourceID) -> StitchingSession.Settings
    private let sessions = Mutex<[SessionKey: Session]>([:])

    /// - Parameter lifetime: how long a session of a source lives without a request.
    init(
        store: any SessionStore, limit: Int, time: any TimeSource, metrics: Metrics,
        lifetime: @escaping @Sendable (SourceID) -> Duration,
        settings: @escaping @Sendable (SourceID) -> StitchingSession.Settings
    ) {
        self.store = store
        self.limit = max(1, limit)
        self.time = time
        self.metrics = metrics
        self.lifetime = lifetime
        self.settings = settings
    }

    var count: Int { sessions.withLock { $0.count } }

    /// The session of that key, if it is in memory.
    func known(_ key: SessionKey) -> Session? { sessions.withLock { $0[key] } }

    /// The session of that key; begun with `start` if there is none yet. Marks it as seen.
    func session(_ key: SessionKey, start: () -> SessionRecord) async throws -> Session {
        let now = time.monotonic()
        if let known = known(key), now - known.seenAt <= lifetime(key.source) {
            known.touch(at: now)
            return known
        }
        if let expired = known(key) { await drop([expired]) }
        let session: Session
        if let kept = try await store.session(key) {
            session = Session(
                record: kept.record, settings: settings(key.source), decisions: kept.decisions, seenAt: now)
        } else {
            metrics.sessionsStarted.increment()
            let record = try await store.create(start())
            session = Session(record: record, settings: settings(key.source), decisions: [:], seenAt: now)
        }
        let (entered, evicted) = sessions.withLock { sessions -> (Session, [Session]) in
            // Another request of the same viewer may have been here meanwhile.
            if let other = sessions[key] {
                other.touch(at: now)
                return (other, [])
            }
            let evicted = sessions.count >= limit ? makeRoom(in: &sessions) : []
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
            sessions.values.filter { now - $0.seenAt > lifetime($0.key.source) }
        }
        await drop(expired)
    }

    private func drop(_ dropped: [Session]) async {
        sessions.withLock { sessions in
            for session in dropped where sessions[session.key] === session { sessions[session.key] = nil }
        }
        for session in dropped { try? await store.remove(session.key) }
    }

    /// A hundredth at a time: finding the oldest costs a pass over all.
    private func makeRoom(in sessions: inout [SessionKey: Session]) -> [Session] {
        let oldest = sessions.values.map { ($0.seenAt, $0) }.sorted { $0.0 < $1.0 }.prefix(max(1, limit / 100))
        for (_, session) in oldest { sessions[session.key] = nil }
        return oldest.map(\.1)
    }
}
