/// What lies in a store, how large it is, and in which order it was used.
package struct StorageIndex<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        var bytes: Int
        var use: UInt64
    }

    private var entries: [Key: Entry] = [:]
    private var lastUse: UInt64 = 0
    package private(set) var totalBytes = 0
    package let byteLimit: Int

    package init(byteLimit: Int) { self.byteLimit = byteLimit }

    package var count: Int { entries.count }

    package func contains(_ key: Key) -> Bool { entries[key] != nil }

    /// Notes that something was used just now.
    ///
    /// - Returns: whether it is there.
    @discardableResult
    package mutating func use(_ key: Key) -> Bool {
        guard entries[key] != nil else { return false }
        lastUse &+= 1
        entries[key]?.use = lastUse
        return true
    }

    /// Enters something as the one used last.
    ///
    /// - Returns: what has to go for it, the least recently used first; none of it is in the index any more.
    package mutating func insert(_ key: Key, bytes: Int) -> [Key] {
        remove(key)
        lastUse &+= 1
        let bytes = max(bytes, 0)
        entries[key] = Entry(bytes: bytes, use: lastUse)
        totalBytes += bytes
        guard totalBytes > byteLimit else { return [] }
        var gone: [Key] = []
        // The new one stays, even where it alone is too large: it was wanted a moment ago.
        for old in entries.sorted(by: { $0.value.use < $1.value.use }) where old.key != key && totalBytes > byteLimit {
            remove(old.key)
            gone.append(old.key)
        }
        return gone
    }

    package mutating func remove(_ key: Key) {
        guard let entry = entries.removeValue(forKey: key) else { return }
        totalBytes -= entry.bytes
    }
}
