internal import Synchronization
internal import Transport

/// A store that never fails: while the one behind it is away, this process' memory takes its place, loudly. What came in
/// meanwhile is written once it is back; where another process was first, its word holds.
///
/// One server alone goes on as if nothing had happened. Of several on one store none may show what the others cannot know: for that
/// there is ``commit(_:of:until:)``.
final class ResilientStore: StateStore {
    /// What the store behind has not taken of an owner; the entries themselves are in memory.
    private struct Rest {
        /// Until when the owner lives, nanoseconds since 1970.
        var expiry: Int64
        /// The entries follow on one another.
        var isChain = false
        /// What is kept newest, by name.
        var newest: [String: (entry: StoreEntry, rank: Int64)] = [:]
        /// There was no room for all: what the store has holds.
        var isLost = false
        /// Rises with each entry that is kept here: what comes in while others are written is not taken for written.
        var kept: UInt64 = 0
    }

    private struct State {
        var unwritten: [String: Rest] = [:]
        /// Bytes of the entries in ``unwritten``.
        var keptBytes = 0
        /// Owners whose entries are being written now.
        var writing: [String: SharedWork<Void>] = [:]
        /// Owners in which somebody else's entry stands in the place of one of this process', and until when they live.
        var overruled: [String: Int64] = [:]
        var health = StoreHealth()
        /// Other servers use the store.
        var isOneOfSeveral = false
        var isWatching = false
        var isClosed = false
    }

    private let primary: any StateStore
    private let memory: MemoryStore
    private let time: any TimeSource
    private let log: Log
    private let metrics: Metrics
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let presence: ServerPresence
    private let byteLimit: Int
    private let state = Mutex(State())

    /// Between two looks at whether the store is back.
    static let watchInterval = Duration.milliseconds(100)

    /// - Parameters:
    ///   - byteLimit: the most that is kept of what the store does not take, bytes.
    ///   - start: runs a job in the background.
    init(
        _ primary: any StateStore, time: any TimeSource, log: Log, metrics: Metrics, byteLimit: Int = 64 << 20,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void = { job in Task { await job() } }
    ) {
        self.primary = primary
        self.time = time
        self.log = log
        self.metrics = metrics
        self.byteLimit = byteLimit
        self.start = start
        memory = MemoryStore(isShared: true, time: time)
        presence = ServerPresence(store: primary, time: time)
    }

    var isShared: Bool { primary.isShared }
    /// Where beacons are kept that others may have to send; nil where they are kept nowhere.
    var beacons: (any BeaconStore)? { primary.isShared ? primary as? any BeaconStore : nil }
    var changeCount: Int { primary.changeCount }
    var openingCount: Int { primary.openingCount }

    /// Other servers use the store, and it does not take what this one would show, or has only just begun to again: nothing is to be
    /// begun that needs a decision of its own.
    var holdsBack: Bool {
        let now = time.monotonic()
        return state.withLock { $0.isOneOfSeveral && !$0.health.isSound(at: now) }
    }

    /// Other servers use the store, as far as is known.
    var isOneOfSeveral: Bool { state.withLock { $0.isOneOfSeveral } }

    /// The store is away, or has not yet taken all that came in meanwhile.
    var isBehind: Bool { state.withLock { $0.health.isAway || !$0.unwritten.isEmpty } }

    // MARK: Reading

    func entries(of owner: String) async -> [StoreEntry] { await entries(of: owner, from: "") }

    func entries(of owner: String, from name: String) async -> [StoreEntry] {
        let own = state.withLock { $0.unwritten[owner] != nil } ? await memory.entries(of: owner, from: name) : []
        do throws(StoreError) {
            let kept = try await tried(.read) { () throws(StoreError) in
                try await primary.entries(of: owner, from: name)
            }
            guard !own.isEmpty else { return kept }
            // What this process has shown stays.
            let names = Set(own.map(\.name))
            return (kept.filter { !names.contains($0.name) } + own).sorted { $0.name < $1.name }
        } catch {
            return own
        }
    }

    func value(of name: String, of owner: String) async -> [UInt8]? {
        // What this process has shown stays.
        if state.withLock({ $0.unwritten[owner] != nil }), let own = await memory.value(of: name, of: owner) {
            return own
        }
        return try? await tried(.read) { () throws(StoreError) in try await primary.value(of: name, of: owner) }
    }

    // MARK: Writing

    func setIfAbsent(_ entries: [StoreEntry], of owner: String, until expiry: Int64) async -> [[UInt8]] {
        await keep(entries, of: owner, until: expiry, isChain: false)
    }

    func append(_ entries: [StoreEntry], of owner: String, until expiry: Int64) async -> [[UInt8]] {
        await keep(entries, of: owner, until: expiry, isChain: true)
    }

    /// As ``setIfAbsent(_:of:until:)``, for what other servers have to know before a viewer sees it. Nil while the store is away, if
    /// there are others.
    func commit(_ entries: [StoreEntry], of owner: String, until expiry: Int64) async -> [[UInt8]]? {
        guard state.withLock({ $0.isOneOfSeveral }) else { return await setIfAbsent(entries, of: owner, until: expiry) }
        guard !holdsBack, await writeRest(of: owner) else { return nil }
        return try? await tried(.write) { () throws(StoreError) in
            try await primary.setIfAbsent(entries, of: owner, until: expiry)
        }
    }

    private func keep(
        _ entries: [StoreEntry], of owner: String, until expiry: Int64, isChain: Bool
    ) async -> [[UInt8]] {
        // In the order in which they came: who reads must never find the later without the earlier.
        if await writeRest(of: owner) {
            let held = try? await tried(.write) { () throws(StoreError) in
                try await isChain
                    ? primary.append(entries, of: owner, until: expiry)
                    : primary.setIfAbsent(entries, of: owner, until: expiry)
            }
            if let held { return held }
        }
        let bytes = entries.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
        guard hasRoom(for: bytes, of: owner, until: expiry) else { return entries.map(\.value) }
        let held = await memory.setIfAbsent(entries, of: owner, until: expiry)
        note(owner, until: expiry, bytes: bytes) { $0.isChain = isChain }
        return held
    }

    func keepNewest(_ entry: StoreEntry, rank: Int64, of owner: String, until expiry: Int64) async {
        if await writeRest(of: owner) {
            // It was made with what does not hold.
            if state.withLock({ $0.overruled[owner] != nil }) { return }
            let isKept: Void? = try? await tried(.write) { () throws(StoreError) in
                try await primary.keepNewest(entry, rank: rank, of: owner, until: expiry)
            }
            if isKept != nil { return }
        }
        guard hasRoom(for: entry.value.count, of: owner, until: expiry) else { return }
        note(owner, until: expiry, bytes: entry.value.count) { rest in
            if let known = rest.newest[entry.name], known.rank >= rank { return }
            rest.newest[entry.name] = (entry, rank)
        }
    }

    /// Takes note that something was kept here that the store has not taken.
    private func note(_ owner: String, until expiry: Int64, bytes: Int, _ change: (inout Rest) -> Void) {
        state.withLock { state in
            var rest = state.unwritten[owner] ?? Rest(expiry: expiry)
            rest.expiry = max(rest.expiry, expiry)
            rest.kept &+= 1
            state.keptBytes += bytes
            change(&rest)
            state.unwritten[owner] = rest
        }
    }

    /// Whether so much more can be kept here. An owner for which there was no room once has none until the store is back.
    private func hasRoom(for bytes: Int, of owner: String, until expiry: Int64) -> Bool {
        let hasRoom = state.withLock { state in
            var rest = state.unwritten[owner] ?? Rest(expiry: expiry)
            if !rest.isLost, state.keptBytes + bytes <= byteLimit { return true }
            rest.isLost = true
            rest.kept &+= 1
            state.unwritten[owner] = rest
            return false
        }
        if !hasRoom {
            log.once("store.unkept", .error, "store.unkept", reason: "more than \(byteLimit) bytes wait for the store")
        }
        return hasRoom
    }

    /// Keeps an entry if the store takes it now. Whether it did.
    func offer(_ entry: StoreEntry, of owner: String, until expiry: Int64) async -> Bool {
        guard await writeRest(of: owner) else { return false }
        let held = try? await tried(.write) { () throws(StoreError) in
            try await primary.setIfAbsent([entry], of: owner, until: expiry)
        }
        return held != nil
    }

    func remove(_ names: Range<String>, of owner: String) async {
        // What takes their place is to be written first.
        if state.withLock({ $0.unwritten[owner] != nil }) { return }
        try? await tried(.write) { () throws(StoreError) in try await primary.remove(names, of: owner) }
    }

    func extend(_ owners: [String], until expiry: Int64) async {
        await memory.extend(owners, until: expiry)
        try? await tried(.write) { () throws(StoreError) in try await primary.extend(owners, until: expiry) }
    }

    func release(_ owner: String) async { await primary.release(owner) }

    func removeExpired() async {
        await writeRest()
        let now = time.now()
        state.withLock { state in state.overruled = state.overruled.filter { $0.value > now } }
        await memory.removeExpired()
        try? await tried(.write) { () throws(StoreError) in try await primary.removeExpired() }
    }

    func close() async {
        await writeRest()
        state.withLock { $0.isClosed = true }
        if isShared { await presence.leave() }
        await primary.close()
    }

    // MARK: Others

    /// Tells the other servers on the store that this one lives, and finds out whether there are any.
    func announce() async {
        guard isShared else { return }
        try? await tried(.write) { () throws(StoreError) in try await presence.announce() }
        await lookForOthers()
    }

    /// Finds out whether other servers use the store.
    func lookForOthers() async {
        guard isShared else { return }
        guard let count = try? await tried(.read, { () throws(StoreError) in try await presence.others() }) else {
            return
        }
        let isNew = state.withLock { state in
            defer { state.isOneOfSeveral = count > 0 }
            return state.isOneOfSeveral != (count > 0)
        }
        if isNew { log.info("store.shared", ["otherServers": .number(count)]) }
    }

    /// Whether all that this process has written of an owner, or goes on with, is what holds. False once where it is not.
    func holdsOwnWord(of owner: String) async -> Bool {
        _ = await writeRest(of: owner)
        return !takeOverruled(owner)
    }

    /// Whether somebody else's word stands in the place of one of this process', and can be read. True once.
    func takeOverruled(_ owner: String) -> Bool {
        state.withLock { state in
            guard !state.overruled.isEmpty, !state.health.isAway(.read) else { return false }
            return state.overruled.removeValue(forKey: owner) != nil
        }
    }

    // MARK: What is left to write

    private func writeRest(isUrgent: Bool = false) async {
        var owners = state.withLock { $0.unwritten.keys.sorted() }[...]
        // One first: as long as the store is away the others need not try.
        guard let first = owners.popFirst(), await writeRest(of: first, isUrgent) else { return }
        while !owners.isEmpty {
            let some = owners.prefix(Self.parallelOwners)
            owners = owners.dropFirst(some.count)
            await withTaskGroup(of: Void.self) { group in
                for owner in some { group.addTask { _ = await self.writeRest(of: owner, isUrgent) } }
            }
        }
    }

    /// What waits for a store together is one commit there.
    private static let parallelOwners = 64

    /// Writes what the store behind has not taken of an owner. Of two that wrote one entry while the store was away, the first to come
    /// back with it has it kept.
    ///
    /// - Parameter isUrgent: also while the store is left alone.
    /// - Returns: whether nothing is left to write.
    private func writeRest(of owner: String, _ isUrgent: Bool = false) async -> Bool {
        let (work, rest) = state.withLock { state -> (SharedWork<Void>?, Rest?) in
            if let other = state.writing[owner] { return (other, nil) }
            guard let rest = state.unwritten[owner] else { return (nil, nil) }
            let own = SharedWork<Void>()
            state.writing[owner] = own
            return (own, rest)
        }
        guard let work else { return true }
        guard let rest else {
            _ = await work.value()
            return state.withLock { $0.unwritten[owner] == nil }
        }
        let entries = await memory.entries(of: owner, from: "")
        let outcome = try? await tried(.write, isUrgent: isUrgent) { () throws(StoreError) in
            try await write(entries, rest, owner)
        }
        if outcome != nil { await memory.forget(entries, of: owner) }
        state.withLock { state in
            state.writing[owner] = nil
            if outcome != nil, state.unwritten[owner]?.kept == rest.kept {
                state.unwritten[owner] = nil
                if state.unwritten.isEmpty { state.keptBytes = 0 }
            }
            if outcome == .overruled { state.overruled[owner] = rest.expiry }
        }
        work.finish(with: ())
        return outcome != nil && state.withLock { $0.unwritten[owner] == nil }
    }

    private enum Outcome { case written, overruled }

    private func write(_ entries: [StoreEntry], _ rest: Rest, _ owner: String) async throws(StoreError) -> Outcome {
        if rest.isLost {
            try await primary.extend([owner], until: rest.expiry)
            return .overruled
        }
        if !entries.isEmpty {
            let held =
                try await rest.isChain
                ? primary.append(entries, of: owner, until: rest.expiry)
                : primary.setIfAbsent(entries, of: owner, until: rest.expiry)
            if zip(held, entries).contains(where: { $0 != $1.value }) { return .overruled }
        }
        for (entry, rank) in rest.newest.values {
            try await primary.keepNewest(entry, rank: rank, of: owner, until: rest.expiry)
        }
        return .written
    }

    // MARK: Whether it is away

    private func tried<Value: Sendable>(
        _ kind: StoreHealth.Kind, isUrgent: Bool = false, _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let now = time.monotonic()
        do throws(StoreError) {
            if !isUrgent, !state.withLock({ $0.health.allows(at: now) }) { throw StoreError("left alone for a moment") }
            let value = try await body()
            let now = time.monotonic()
            state.withLock { $0.health.succeeded(kind, at: now) }
            return value
        } catch {
            failed(kind, error)
            throw error
        }
    }

    private func failed(_ kind: StoreHealth.Kind, _ error: StoreError) {
        metrics.storeFailures.increment()
        let now = time.monotonic()
        let (report, isOneOfSeveral, watches) = state.withLock { state in
            let report = state.health.failed(kind, error, at: now)
            defer { state.isWatching = true }
            return (report, state.isOneOfSeveral, !state.isWatching && !state.isClosed)
        }
        if watches { start { [self] in await watch() } }
        guard report != nil else { return }
        let consequence =
            isOneOfSeveral
            ? "breaks that begin stay content until it is back, since other servers share it"
            : "sessions and decisions are kept in memory until it is back"
        log.error("store.failed", reason: "\(error); \(consequence)")
    }

    /// Looks whether the store is back, and then writes what is left: no request may come for it.
    private func watch() async {
        while !state.withLock({ $0.isClosed }) {
            do { try await time.sleep(for: Self.watchInterval) } catch { break }
            await writeRest(isUrgent: true)
            let health = state.withLock { $0.health }
            // A full disk takes what changes nothing.
            if health.isAway(.write) {
                try? await tried(.write, isUrgent: true) { () throws(StoreError) in try await presence.announce() }
            }
            if health.isAway(.read) {
                _ = try? await tried(.read, isUrgent: true) { () throws(StoreError) in
                    try await primary.value(of: "", of: "")
                }
            }
            let now = time.monotonic()
            let away = state.withLock { state -> Duration? in
                guard state.unwritten.isEmpty, let away = state.health.endAbsence(at: now) else { return nil }
                state.isWatching = false
                return away
            }
            if let away { return log.warning("store.back", ["awayMilliseconds": .span(away)]) }
        }
        state.withLock { $0.isWatching = false }
    }
}
