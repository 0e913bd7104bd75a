internal import HLS
internal import Transport

/// The servers that use a store, as each tells the others from time to time.
struct ServerPresence: Sendable {
    private static let owner = "servers"
    /// After so long without a word a server is taken to have ended.
    private static let patience = Duration.seconds(120)
    private static let lifetime = Duration.seconds(600)

    private let store: any StateStore
    private let time: any TimeSource
    private let name: String

    init(store: any StateStore, time: any TimeSource) {
        self.store = store
        self.time = time
        var generator = SystemRandomNumberGenerator()
        name = hexadecimal(generator.next())
    }

    /// Tells that this server lives.
    func announce() async throws(StoreError) {
        let now = time.now()
        let entry = StoreEntry(name: name, value: Array("\(now)".utf8))
        try await store.keepNewest(entry, rank: now, of: Self.owner, until: later(than: now, by: Self.lifetime))
    }

    /// How many others live. Forgets those that have ended.
    func others() async throws(StoreError) -> Int {
        let oldest = later(than: time.now(), by: .zero - Self.patience)
        var count = 0
        for entry in try await store.entries(of: Self.owner) where entry.name != name {
            if Int64(String(decoding: entry.value, as: UTF8.self)).map({ $0 >= oldest }) ?? false {
                count += 1
            } else {
                try? await store.remove(entry.name..<"\(entry.name)~", of: Self.owner)
            }
        }
        return count
    }

    /// This server ends.
    func leave() async {
        try? await store.remove(name..<"\(name)~", of: Self.owner)
    }

    private func later(than time: Int64, by duration: Duration) -> Int64 {
        DateTime(nanoseconds: time).advanced(by: duration).nanoseconds
    }
}
