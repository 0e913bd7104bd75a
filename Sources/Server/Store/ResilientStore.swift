internal import Synchronization
internal import Transport

/// A store that never fails: while the one behind it is away, this process' memory takes its place, loudly. What came in
/// meanwhile is written once it is back.
final class ResilientStore: StateStore {
    private struct State {
        /// Owners with entries that the store behind has not taken, and until when they live.
        var unwritten: [String: Int64] = [:]
        /// Rises with each entry that is kept here: what comes in while others are written is not taken for written.
        var kept: UInt64 = 0
        /// Owners whose entries are being written now.
        var writing: [String: SharedWork<Void>] = [:]
        /// Owners in which somebody else's entry stands in the place of one of this process', and until when they live.
        var overruled: [String: Int64] = [:]
        var isAway = false
        /// A store that does not answer in time is left alone for a moment, so that nobody waits for it in vain.
        var patience = BackOff(first: .seconds(1), longest: .seconds(15))
    }

    private let primary: any StateStore
    private let memory: MemoryStore
    private let time: any TimeSource
    private let log: Log
    private let metrics: Metrics
    private let state = Mutex(State())

    init(_ primary: any StateStore, time: any TimeSource, log: Log, metrics: Metrics) {
        self.primary = primary
        self.time = time
        self.log = log
        self.metrics = metrics
        memory = MemoryStore(isShared: true, time: time)
    }

    var isShared: Bool { primary.isShared }
    var changeCount: Int { primary.changeCount }

    func entries(of owner: String) async -> [StoreEntry] { await entries(of: owner, from: "") }

    func entries(of owner: String, from name: String) async -> [StoreEntry] {
        let own = state.withLock { $0.unwritten[owner] != nil } ? await memory.entries(of: owner, from: name) : []
        do throws(StoreError) {
            try check()
            let kept = try await primary.entries(of: owner, from: name)
            succeeded()
            guard !own.isEmpty else { return kept }
            // What this process has shown stays.
            let names = Set(own.map(\.name))
            return (kept.filter { !names.contains($0.name) } + own).sorted { $0.name < $1.name }
        } catch {
            failed(error)
            return own
        }
    }

    func value(of name: String, of owner: String) async -> [UInt8]? {
        // What this process has shown stays.
        if state.withLock({ $0.unwritten[owner] != nil }), let own = await memory.value(of: name, of: owner) {
            return own
        }
        do throws(StoreError) {
            try check()
            let value = try await primary.value(of: name, of: owner)
            succeeded()
            return value
        } catch {
            failed(error)
            return nil
        }
    }

    func setIfAbsent(_ entries: [StoreEntry], of owner: String, until expiry: Int64) async -> [[UInt8]] {
        // In the order in which they came: who reads must never find the later without the earlier.
        guard await writeRest(of: owner) else { return await keepHere(entries, of: owner, until: expiry) }
        do throws(StoreError) {
            try check()
            let held = try await primary.setIfAbsent(entries, of: owner, until: expiry)
            succeeded()
            return held
        } catch {
            failed(error)
            return await keepHere(entries, of: owner, until: expiry)
        }
    }

    private func keepHere(_ entries: [StoreEntry], of owner: String, until expiry: Int64) async -> [[UInt8]] {
        let held = await memory.setIfAbsent(entries, of: owner, until: expiry)
        state.withLock { state in
            state.unwritten[owner] = max(state.unwritten[owner] ?? expiry, expiry)
            state.kept &+= 1
        }
        return held
    }

    func keepNewest(_ entry: StoreEntry, rank: Int64, of owner: String, until expiry: Int64) async {
        await attempt { () throws(StoreError) in
            try await primary.keepNewest(entry, rank: rank, of: owner, until: expiry)
        }
    }

    func remove(_ names: Range<String>, of owner: String) async {
        // What takes their place is to be written first.
        if state.withLock({ $0.unwritten[owner] != nil }) { return }
        await attempt { () throws(StoreError) in try await primary.remove(names, of: owner) }
    }

    func extend(_ owners: [String], until expiry: Int64) async {
        await memory.extend(owners, until: expiry)
        await attempt { () throws(StoreError) in try await primary.extend(owners, until: expiry) }
    }

    func release(_ owner: String) async { await primary.release(owner) }

    func removeExpired() async {
        await writeRest()
        let now = time.now()
        state.withLock { state in state.overruled = state.overruled.filter { $0.value > now } }
        await memory.removeExpired()
        await attempt { () throws(StoreError) in try await primary.removeExpired() }
    }

    func close() async {
        await writeRest()
        await primary.close()
    }

    private func writeRest() async {
        for owner in state.withLock({ $0.unwritten.keys.sorted() }) where await !writeRest(of: owner) { return }
    }

    /// Writes what the store behind has not taken of an owner. Of two that wrote one entry while the store was away, the first to come
    /// back with it has it kept.
    ///
    /// - Returns: whether nothing is left to write.
    private func writeRest(of owner: String) async -> Bool {
        let (work, expiry) = state.withLock { state -> (SharedWork<Void>?, Int64?) in
            if let other = state.writing[owner] { return (other, nil) }
            guard let expiry = state.unwritten[owner] else { return (nil, nil) }
            let own = SharedWork<Void>()
            state.writing[owner] = own
            return (own, expiry)
        }
        guard let work else { return true }
        guard let expiry else {
            _ = await work.value()
            return state.withLock { $0.unwritten[owner] == nil }
        }
        let before = state.withLock { $0.kept }
        let entries = await memory.entries(of: owner, from: "")
        var held: [[UInt8]]?
        do throws(StoreError) {
            try check()
            held = entries.isEmpty ? [] : try await primary.setIfAbsent(entries, of: owner, until: expiry)
            succeeded()
            await memory.forget(entries, of: owner)
        } catch {
            failed(error)
        }
        let isOverruled = held.map { zip($0, entries).contains { $0 != $1.value } } ?? false
        state.withLock { state in
            state.writing[owner] = nil
            if held != nil, state.kept == before { state.unwritten[owner] = nil }
            if isOverruled { state.overruled[owner] = expiry }
        }
        work.finish(with: ())
        return held != nil
    }

    /// Whether all that this process has written of an owner, or goes on with, is what holds. False once where it is not.
    func holdsOwnWord(of owner: String) async -> Bool {
        _ = await writeRest(of: owner)
        return state.withLock { $0.overruled.removeValue(forKey: owner) == nil }
    }

    private func attempt(_ body: () async throws(StoreError) -> Void) async {
        do throws(StoreError) {
            try check()
            try await body()
            succeeded()
        } catch {
            failed(error)
        }
    }

    private func check() throws(StoreError) {
        let now = time.monotonic()
        if !state.withLock({ $0.patience.allows(at: now) }) { throw StoreError("left alone for a moment") }
    }

    private func failed(_ error: StoreError) {
        metrics.storeFailures.increment()
        let now = time.monotonic()
        let isNew = state.withLock { state in
            if error.isTimeout { state.patience.failed(at: now) }
            defer { state.isAway = true }
            return !state.isAway
        }
        let minute = now.components.seconds / 60
        if isNew {
            log.error("store.failed", reason: "\(error); sessions and decisions are kept in memory until it is back")
        } else {
            log.once("store.failed/\(minute)", .error, "store.failed", reason: "\(error)")
        }
    }

    private func succeeded() {
        let isBack = state.withLock { state in
            state.patience.succeeded()
            defer { state.isAway = false }
            return state.isAway
        }
        if isBack { log.warning("store.back") }
    }
}
