internal import Synchronization
package import Transport

/// Keeps state in this process. It ends with it.
package final class MemoryStore: StateStore {
    private struct Owner {
        var entries: [String: (rank: Int64, value: [UInt8])] = [:]
        var expiry: Int64
    }

    private struct State {
        var owners: [String: Owner] = [:]
        var changes = 0
    }

    package let isShared: Bool
    private let time: any TimeSource
    private let state = Mutex(State())
    let beacons: MemoryBeacons

    /// - Parameter isShared: several servers in one process use it.
    package init(isShared: Bool = false, time: any TimeSource = SystemTimeSource()) {
        self.isShared = isShared
        self.time = time
        beacons = MemoryBeacons(time: time)
    }

    /// There is such an owner, and it has not expired.
    func lives(_ owner: String) -> Bool {
        let now = time.now()
        return state.withLock { $0.owners[owner].map { $0.expiry > now } ?? false }
    }

    package var changeCount: Int { state.withLock { $0.changes } }
    package var openingCount: Int { 0 }

    package func entries(of owner: String, from name: String) async -> [StoreEntry] {
        let now = time.now()
        return state.withLock { state in
            guard let kept = state.owners[owner], kept.expiry > now else { return [] }
            return kept.entries.filter { $0.key >= name }.sorted { $0.key < $1.key }
                .map { StoreEntry(name: $0.key, value: $0.value.value) }
        }
    }

    package func value(of name: String, of owner: String) async -> [UInt8]? {
        let now = time.now()
        return state.withLock { state in
            guard let kept = state.owners[owner], kept.expiry > now else { return nil }
            return kept.entries[name]?.value
        }
    }

    /// Forgets entries as far as they are still what they were.
    func forget(_ entries: [StoreEntry], of owner: String) async {
        state.withLock { state in
            guard var kept = state.owners.removeValue(forKey: owner) else { return }
            for entry in entries where kept.entries[entry.name]?.value == entry.value { kept.entries[entry.name] = nil }
            if !kept.entries.isEmpty { state.owners[owner] = kept }
        }
    }

    package func setIfAbsent(_ entries: [StoreEntry], of owner: String, until expiry: Int64) async -> [[UInt8]] {
        change(owner, until: expiry) { kept in
            entries.map { entry in
                if let first = kept.entries[entry.name] { return first.value }
                kept.entries[entry.name] = (0, entry.value)
                return entry.value
            }
        }
    }

    package func append(_ entries: [StoreEntry], of owner: String, until expiry: Int64) async -> [[UInt8]] {
        change(owner, until: expiry) { kept in
            var values: [[UInt8]] = []
            for entry in entries {
                let held = kept.entries[entry.name]?.value ?? entry.value
                kept.entries[entry.name] = (0, held)
                values.append(held)
                if held != entry.value { break }
            }
            return values
        }
    }

    package func keepNewest(_ entry: StoreEntry, rank: Int64, of owner: String, until expiry: Int64) async {
        change(owner, until: expiry) { kept in
            if let first = kept.entries[entry.name], first.rank >= rank { return }
            kept.entries[entry.name] = (rank, entry.value)
        }
    }

    package func remove(_ names: Range<String>, of owner: String) async {
        state.withLock { state in
            guard var kept = state.owners[owner] else { return }
            kept.entries = kept.entries.filter { !names.contains($0.key) }
            state.owners[owner] = kept
        }
    }

    package func extend(_ owners: [String], until expiry: Int64) async {
        state.withLock { state in
            for owner in owners {
                guard var kept = state.owners[owner] else { continue }
                kept.expiry = max(kept.expiry, expiry)
                state.owners[owner] = kept
            }
        }
    }

    package func release(_ owner: String) async {
        if !isShared { state.withLock { $0.owners[owner] = nil } }
    }

    package func removeExpired() async {
        let now = time.now()
        state.withLock { state in state.owners = state.owners.filter { $0.value.expiry > now } }
    }

    private func change<Value>(_ owner: String, until expiry: Int64, _ body: (inout Owner) -> Value) -> Value {
        let now = time.now()
        return state.withLock { state in
            state.changes += 1
            var kept = state.owners[owner] ?? Owner(expiry: expiry)
            if kept.expiry <= now { kept = Owner(expiry: expiry) }
            kept.expiry = max(kept.expiry, expiry)
            defer { state.owners[owner] = kept }
            return body(&kept)
        }
    }
}
