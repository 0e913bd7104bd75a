internal import Synchronization
internal import Transport

/// One piece of work that any number of requests wait for, each with its own patience. The work itself goes on when
/// nobody waits any more: the next request finds it done.
final class SharedWork<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiters: [UInt64: CheckedContinuation<Value?, Never>] = [:]
        /// Waiters that were cancelled before they could be entered.
        var cancelled: Set<UInt64> = []
        var nextWaiter: UInt64 = 0
    }

    private let state = Mutex(State())

    /// What came out, if the work is done.
    var valueIfDone: Value? { state.withLock { $0.value } }

    /// Wakes everybody who waits. Only the first value counts.
    func finish(with value: Value) {
        let waiters = state.withLock { state -> [CheckedContinuation<Value?, Never>] in
            guard state.value == nil else { return [] }
            state.value = value
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// The value; `nil` only if the waiting task is cancelled. The work has a deadline of its own.
    func value() async -> Value? {
        if let done = valueIfDone { return done }
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(continuation, as: id)
            }
        } onCancel: {
            giveUp(id)
        }
    }

    /// The value if it comes within `limit`, else `nil`.
    func value(within limit: Duration, on time: any TimeSource) async -> Value? {
        if let done = valueIfDone { return done }
        guard limit > .zero else { return nil }
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask { await self.value() }
            group.addTask {
                try? await time.sleep(for: limit)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    private func enter(_ continuation: CheckedContinuation<Value?, Never>, as id: UInt64) {
        let (resumes, value) = state.withLock { state -> (Bool, Value?) in
            if let value = state.value { return (true, value) }
            if state.cancelled.remove(id) != nil { return (true, nil) }
            state.waiters[id] = continuation
            return (false, nil)
        }
        if resumes { continuation.resume(returning: value) }
    }

    private func giveUp(_ id: UInt64) {
        let waiter = state.withLock { state -> CheckedContinuation<Value?, Never>? in
            if let waiter = state.waiters.removeValue(forKey: id) { return waiter }
            if state.value == nil { state.cancelled.insert(id) }
            return nil
        }
        waiter?.resume(returning: nil)
    }
}

/// How long to leave something alone that failed: doubles with each failure in a row.
struct BackOff: Sendable {
    private(set) var failures = 0
    private(set) var retryAt: Duration = .zero
    let first: Duration
    let longest: Duration

    init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// Whether a new attempt is due at the monotonic time `now`.
    func allows(at now: Duration) -> Bool { failures == 0 || now >= retryAt }

    mutating func failed(at now: Duration) {
        failures = min(failures + 1, 32)
        var delay = first
        for _ in 1..<max(failures, 1) where delay < longest { delay = delay * 2 }
        retryAt = now + min(delay, longest)
    }

    mutating func succeeded() {
        failures = 0
        retryAt = .zero
    }
}
