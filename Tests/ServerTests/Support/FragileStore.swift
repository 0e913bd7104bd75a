import Synchronization
import Transport

@testable import Server

/// A store that fails when it is told to. Several may lie over the same state, one for each server.
final class FragileStore: StateStore {
    let inner: MemoryStore
    let isShared = true
    /// Nothing can be read or written.
    let isAway = Mutex(false)
    /// Something else holds the lock: what is there can be read.
    let isLocked = Mutex(false)
    let isTimeout = Mutex(false)
    /// There is no room for anything new.
    let isFull = Mutex(false)
    let calls = Mutex(0)
    /// Times that a session was read as a whole.
    let sessionReads = Mutex(0)
    private let gate = Mutex<SharedWork<Void>?>(nil)

    init(time: any TimeSource) { inner = MemoryStore(isShared: true, time: time) }
    /// Another server's way to the same state.
    init(beside other: FragileStore) { inner = other.inner }

    var changeCount: Int { inner.changeCount }
    var openingCount: Int { inner.openingCount }

    /// Writes that begin from now on wait until the gate is opened.
    func shut() -> SharedWork<Void> {
        let work = SharedWork<Void>()
        gate.withLock { $0 = work }
        return work
    }
    /// Writes that begin from now on do not wait.
    func passFreely() { gate.withLock { $0 = nil } }

    private func check(writes: Bool, adds: Bool = false) async throws(StoreError) {
        calls.withLock { $0 += 1 }
        if writes { _ = await gate.withLock { $0 }?.value() }
        if isAway.withLock({ $0 }) || writes && isLocked.withLock({ $0 })
            || adds && isFull.withLock({ $0 })
        {
            throw StoreError("away", isTimeout: isTimeout.withLock { $0 })
        }
    }

    func entries(of owner: String, from name: String) async throws(StoreError) -> [StoreEntry] {
        try await check(writes: false)
        if owner.hasPrefix("s/") { sessionReads.withLock { $0 += 1 } }
        return await inner.entries(of: owner, from: name)
    }
    func value(of name: String, of owner: String) async throws(StoreError) -> [UInt8]? {
        try await check(writes: false)
        return await inner.value(of: name, of: owner)
    }
    func setIfAbsent(
        _ entries: [StoreEntry], of owner: String, until expiry: Int64
    ) async throws(StoreError) -> [[UInt8]] {
        try await check(writes: true, adds: true)
        return await inner.setIfAbsent(entries, of: owner, until: expiry)
    }
    func append(_ entries: [StoreEntry], of owner: String, until expiry: Int64) async throws(StoreError) -> [[UInt8]] {
        try await check(writes: true, adds: true)
        return await inner.append(entries, of: owner, until: expiry)
    }
    func keepNewest(
        _ entry: StoreEntry, rank: Int64, of owner: String, until expiry: Int64
    ) async throws(StoreError) {
        try await check(writes: true, adds: true)
        await inner.keepNewest(entry, rank: rank, of: owner, until: expiry)
    }
    func remove(_ names: Range<String>, of owner: String) async throws(StoreError) {
        try await check(writes: true)
        await inner.remove(names, of: owner)
    }
    func extend(_ owners: [String], until expiry: Int64) async throws(StoreError) {
        try await check(writes: true)
        await inner.extend(owners, until: expiry)
    }
    func release(_ owner: String) async {}
    func removeExpired() async throws(StoreError) {
        try await check(writes: true)
        await inner.removeExpired()
    }
}

extension FragileStore: BeaconStore {
    func keep(_ rows: [BeaconRow], for holder: String, until lease: Int64) async throws(StoreError) -> [Bool] {
        try await check(writes: true)
        return await inner.keep(rows, for: holder, until: lease)
    }
    func mark(_ marks: [BeaconMark]) async throws(StoreError) {
        try await check(writes: true)
        await inner.mark(marks)
    }
    func renew(_ holder: String, until lease: Int64) async throws(StoreError) {
        try await check(writes: true)
        await inner.renew(holder, until: lease)
    }
    func adopt(
        for holder: String, limit: Int, oldest: Int64, until lease: Int64
    ) async throws(StoreError) -> (rows: [BeaconRow], tooOld: Int) {
        try await check(writes: true)
        return await inner.adopt(for: holder, limit: limit, oldest: oldest, until: lease)
    }
    func leave(_ holder: String) async throws(StoreError) {
        try await check(writes: true)
        await inner.leave(holder)
    }
    func removeSent() async throws(StoreError) {
        try await check(writes: true)
        await inner.removeSent()
    }
}
