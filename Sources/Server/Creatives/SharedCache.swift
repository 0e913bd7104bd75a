internal import Synchronization
internal import Transport

/// Values that are costly to make and the same for everybody: made once, kept for a while, bounded.
/// Failures are kept too, for a shorter time that doubles with each in a row, so that they are not tried again for every viewer. What has
/// taken long to fail is tried again behind the back of those who ask.
final class SharedCache<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    typealias Outcome = Result<Value, Failure>

    private struct Entry {
        var work: SharedWork<Outcome>
        var expiresAt: Duration?
        var usedAt: Duration
        /// In a row, and how long the last one took.
        var failures = 0
        var failureTook = Duration.zero
        /// The outcome that is told while another one is made.
        var failed: SharedWork<Outcome>?

        var answer: SharedWork<Outcome> { failed ?? work }
    }

    /// Nobody waits again for what took longer than this to fail.
    private static var slowFailure: Duration { .milliseconds(200) }

    private let limit: Int
    private let lifetime: Duration
    private let failureLifetime: Duration
    private let longestFailureLifetime: Duration
    private let time: any TimeSource
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let make: @Sendable (Key) async -> Outcome
    private let entries = Mutex<[Key: Entry]>([:])

    /// - Parameters:
    ///   - limit: of entries; beyond it those used longest ago go.
    ///   - failureLifetime: of the first failure; each further one in a row is kept for twice as long, up to `longestFailureLifetime`.
    ///   - start: runs a job in the background.
    ///   - make: makes a value; has its own deadline.
    init(
        limit: Int, lifetime: Duration, failureLifetime: Duration, longestFailureLifetime: Duration? = nil,
        time: any TimeSource,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
        make: @escaping @Sendable (Key) async -> Outcome
    ) {
        self.limit = limit
        self.lifetime = lifetime
        self.failureLifetime = failureLifetime
        self.longestFailureLifetime = longestFailureLifetime ?? failureLifetime
        self.time = time
        self.start = start
        self.make = make
    }

    /// The value, made now if need be; `nil` when it is not there within `patience`. It is then made all the same.
    func value(for key: Key, within patience: Duration) async -> Outcome? {
        await work(for: key).value(within: patience, on: time)
    }

    /// The work whose outcome is the answer: where a slow failure is tried again, the failure.
    private func work(for key: Key) -> SharedWork<Outcome> {
        let now = time.monotonic()
        let (answer, new) = entries.withLock { entries -> (SharedWork<Outcome>, SharedWork<Outcome>?) in
            let known = entries[key]
            if var entry = known, entry.expiresAt.map({ now < $0 }) ?? true {
                entry.usedAt = now
                entries[key] = entry
                return (entry.answer, nil)
            }
            if known == nil, entries.count >= limit { Self.makeRoom(in: &entries, limit: limit, now: now) }
            var entry = Entry(work: SharedWork(), expiresAt: nil, usedAt: now)
            if let known, known.failures > 0 {
                entry.failures = known.failures
                if known.failureTook > Self.slowFailure { entry.failed = known.work }
            }
            entries[key] = entry
            return (entry.answer, entry.work)
        }
        if let new {
            start { await self.make(key, as: new, began: now) }
        }
        return answer
    }

    private func make(_ key: Key, as work: SharedWork<Outcome>, began: Duration) async {
        let outcome = await make(key)
        let now = time.monotonic()
        entries.withLock { entries in
            // Another entry may have taken the place meanwhile.
            guard var entry = entries[key], entry.work === work else { return }
            entry.failed = nil
            switch outcome {
            case .success:
                entry.failures = 0
                entry.expiresAt = now + lifetime
            case .failure:
                entry.failures = min(entry.failures + 1, 32)
                entry.failureTook = now - began
                entry.expiresAt = now + failureLifetime(after: entry.failures)
            }
            entries[key] = entry
        }
        work.finish(with: outcome)
    }

    private func failureLifetime(after failures: Int) -> Duration {
        var lifetime = failureLifetime
        for _ in 1..<max(failures, 1) where lifetime < longestFailureLifetime { lifetime = lifetime * 2 }
        return min(lifetime, longestFailureLifetime)
    }

    private static func makeRoom(in entries: inout [Key: Entry], limit: Int, now: Duration) {
        entries = entries.filter { $0.value.expiresAt.map { now < $0 } ?? true }
        // A tenth at a time: finding the oldest costs a pass.
        guard entries.count >= limit else { return }
        let oldest = entries.filter { $0.value.expiresAt != nil }.sorted { $0.value.usedAt < $1.value.usedAt }
        for entry in oldest.prefix(max(1, limit / 10)) { entries[entry.key] = nil }
    }
}
