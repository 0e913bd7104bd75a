import Dispatch
import Synchronization
import Transport

@testable import Server

/// Runs the tasks of servers under test one after the other, and knows when none of them can go on: all wait for the clock, or for what
/// the test does next. However busy the machine is, a test's clock goes on only then.
final class CountingExecutor: TaskExecutor {
    private struct State {
        var jobs = 0
        /// Calls that another thread answers.
        var calls = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let queue = DispatchQueue(label: "servers under test")
    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        change { $0.jobs += 1 }
        queue.async { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
            change { $0.jobs -= 1 }
        }
    }

    /// Something that a thread answers which is not this executor's.
    func call<Value>(_ body: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
        change { $0.calls += 1 }
        defer { change { $0.calls -= 1 } }
        return try await body()
    }

    /// Returns when no task can go on.
    func becomesIdle() async {
        await withCheckedContinuation { waiter in change { $0.waiters.append(waiter) } }
    }

    private func change(_ body: (inout State) -> Void) {
        let woken = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            body(&state)
            guard state.jobs == 0, state.calls == 0 else { return [] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in woken { waiter.resume() }
    }
}

/// A store on a thread of its own, whose calls an executor takes note of.
final class CountedStore: StateStore {
    private let inner: SQLiteStore
    private let executor: CountingExecutor

    init(_ inner: SQLiteStore, _ executor: CountingExecutor) {
        self.inner = inner
        self.executor = executor
    }

    var isShared: Bool { inner.isShared }
    var changeCount: Int { inner.changeCount }
    var openingCount: Int { inner.openingCount }

    func entries(of owner: String, from name: String) async throws(StoreError) -> [StoreEntry] {
        try await executor.call { () throws(StoreError) in try await inner.entries(of: owner, from: name) }
    }
    func value(of name: String, of owner: String) async throws(StoreError) -> [UInt8]? {
        try await executor.call { () throws(StoreError) in try await inner.value(of: name, of: owner) }
    }
    func setIfAbsent(
        _ entries: [StoreEntry], of owner: String, until expiry: Int64
    ) async throws(StoreError) -> [[UInt8]] {
        try await executor.call { () throws(StoreError) in
            try await inner.setIfAbsent(entries, of: owner, until: expiry)
        }
    }
    func append(_ entries: [StoreEntry], of owner: String, until expiry: Int64) async throws(StoreError) -> [[UInt8]] {
        try await executor.call { () throws(StoreError) in try await inner.append(entries, of: owner, until: expiry) }
    }
    func keepNewest(
        _ entry: StoreEntry, rank: Int64, of owner: String, until expiry: Int64
    ) async throws(StoreError) {
        try await executor.call { () throws(StoreError) in
            try await inner.keepNewest(entry, rank: rank, of: owner, until: expiry)
        }
    }
    func remove(_ names: Range<String>, of owner: String) async throws(StoreError) {
        try await executor.call { () throws(StoreError) in try await inner.remove(names, of: owner) }
    }
    func extend(_ owners: [String], until expiry: Int64) async throws(StoreError) {
        try await executor.call { () throws(StoreError) in try await inner.extend(owners, until: expiry) }
    }
    func release(_ owner: String) async {}
    func removeExpired() async throws(StoreError) {
        try await executor.call { () throws(StoreError) in try await inner.removeExpired() }
    }
    func close() async { await inner.close() }
}

extension CountedStore: BeaconStore {
    func keep(_ rows: [BeaconRow], for holder: String, until lease: Int64) async throws(StoreError) -> [Bool] {
        try await executor.call { () throws(StoreError) in try await inner.keep(rows, for: holder, until: lease) }
    }
    func mark(_ marks: [BeaconMark]) async throws(StoreError) {
        try await executor.call { () throws(StoreError) in try await inner.mark(marks) }
    }
    func renew(_ holder: String, until lease: Int64) async throws(StoreError) {
        try await executor.call { () throws(StoreError) in try await inner.renew(holder, until: lease) }
    }
    func adopt(
        for holder: String, limit: Int, oldest: Int64, until lease: Int64
    ) async throws(StoreError) -> (rows: [BeaconRow], tooOld: Int) {
        try await executor.call { () throws(StoreError) in
            try await inner.adopt(for: holder, limit: limit, oldest: oldest, until: lease)
        }
    }
    func leave(_ holder: String) async throws(StoreError) {
        try await executor.call { () throws(StoreError) in try await inner.leave(holder) }
    }
    func removeSent() async throws(StoreError) {
        try await executor.call { () throws(StoreError) in try await inner.removeSent() }
    }
}
