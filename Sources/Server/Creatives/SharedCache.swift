internal import Synchronization
internal import Transport

/// Values that are costly to make and the same for everybody: made once, kept for a while, bounded.
/// Failures are kept too, for a shorter time, so that they are not tried again for every viewer.
final class SharedCache<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    typealias Outcome = Result<Value, Failure>

    private struct Entry {
        var work: SharedWork<Outcome>
        var expiresAt: Duration?
        var usedAt: Duration
    }

    private let limit: Int
    private let lifetime: Duration
    private let failureLifetime: Duration
    private let time: any TimeSource
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let make: @Sendable (Key) async -> Outcome
    private let entries = Mutex<[Key: Entry]>([:])

    /// - Parameters:
    ///   - limit: of entries; beyond it those used longest ago go.
    ///   - start: runs a job in the background.
    ///   - make: makes a value; has its own deadline.
    init(
        limit: Int, lifetime: Duration, failureLifetime: Duration, time: any TimeSource,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
        make: @escaping @Sendable (Key) async -> Outcome
    ) {
        self.limit = limit
        self.lifetime = lifetime
        self.failureLifetime = failureLifetime
        self.time = time
        self.start = start
        self.make = make
    }

    /// The value, made now if need be; `nil` when it is not there within `patience`. It is then made all the same.
    func value(for key: Key, within patience: Duration) async -> Outcome? {
        await work(for: key).value(within: patience, on: time)
    }

    private func work(for key: Key) -> SharedWork<Outcome> {
        let now = time.monotonic()
        let (work, isNew) = entries.withLock { entries -> (SharedWork<Outcome>, Bool) in
            if var entry = entries[key], entry.expiresAt.map({ now < $0 }) ?? true {
                entry.usedAt = now
                entries[key] = entry
                return (entry.work, false)
            }
            if entries.count >= limit { Self.makeRoom(in: &entries, limit: limit, now: now) }
            let entry = Entry(work: SharedWork(), expiresAt: nil, usedAt: now)
            entries[key] = entry
            return (entry.work, true)
        }
        if isNew {
            start {
                let outcome = await self.make(key)
                let lifetime = if case .success = outcome { self.lifetime } else { self.failureLifetime }
                let expiresAt = self.time.monotonic() + lifetime
                self.entries.withLock { entries in
                    // Another entry may have taken the place meanwhile.
                    if entries[key]?.work === work { entries[key]?.expiresAt = expiresAt }
                }
                work.finish(with: outcome)
            }
        }
        return work
    }

    private static func makeRoom(in entries: inout [Key: Entry], limit: Int, now: Duration) {
        entries = entries.filter { $0.value.expiresAt.map { now < $0 } ?? true }
        // A tenth at a time: finding the oldest costs a pass.
        guard entries.count >= limit else { return }
        let oldest = entries.filter { $0.value.expiresAt != nil }.sorted { $0.value.usedAt < $1.value.usedAt }
        for entry in oldest.prefix(max(1, limit / 10)) { entries[entry.key] = nil }
    }
}
