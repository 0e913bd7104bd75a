import HLS
import Stitching
import Synchronization
import Testing
import Transport

@testable import Server

struct LedgerJournalTests {
    private let time = ManualTimeSource()
    private let leading = RenditionKey("v0")

    private func journal(_ store: any StateStore) -> LedgerJournal {
        LedgerJournal(
            SourceID(kind: .live, name: "news"),
            store: ResilientStore(store, time: time, log: .silent, metrics: Metrics()), time: time,
            lifetime: .seconds(60), start: { job in Task { await job() } }, oddity: { _, _ in })
    }

    private func seen(_ name: RenditionKey, version: UInt64 = 1, from first: Int64 = 10) throws -> LedgerJournal.Seen {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        for number in first..<(first + 6) { text += "#EXTINF:2,\n\(name)-\(number).ts\n" }
        return LedgerJournal.Seen(
            rendition: name, version: version, url: "http://origin.example/\(name).m3u8",
            playlist: try MediaPlaylist(parsing: Array(text.utf8)))
    }

    @Test func `however many renditions are asked for at once, each answer knows its own`() async throws {
        let journal = journal(MemoryStore(isShared: true, time: time))
        let settings = BreakLedger.Settings(kind: .live)
        let leading = leading
        let first = try seen(leading)
        let others = try (1..<40).map { try seen(RenditionKey("v\($0)")) }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for other in others {
                group.addTask {
                    let ledger = await journal.observe([first, other], leading: leading, settings: settings)
                    return ledger.renditions[other.rendition]?.lastNumber == 15
                }
            }
            for try await isKnown in group { #expect(isKnown) }
        }
    }

    @Test func `a ledger that is said to know a playlist has it, whatever else runs`() async throws {
        let settings = BreakLedger.Settings(kind: .live)
        let leading = leading
        let first = try seen(leading)
        let other = try seen(RenditionKey("v1"))
        for _ in 0..<50 {
            let journal = journal(MemoryStore(isShared: true, time: time))
            // There is a ledger, read from the store, before any playlist.
            await journal.survey([(leading, first.playlist)], leading: leading, settings: settings)
            await withTaskGroup(of: Bool.self) { group in
                for seen in [[first], [first, other], [first], [first, other], [first]] {
                    group.addTask {
                        let ledger = await journal.observe(seen, leading: leading, settings: settings)
                        return seen.allSatisfy { ledger.renditions[$0.rendition]?.lastNumber == 15 }
                    }
                }
                for await isKnown in group { #expect(isKnown) }
            }
        }
    }

    /// A store that answers when it is let.
    private final class Gated: StateStore {
        let inner: MemoryStore
        let isShared = true
        let changeCount = 0
        let openingCount = 0
        private let gate = Mutex<SharedWork<Void>?>(nil)

        init(time: any TimeSource) { inner = MemoryStore(isShared: true, time: time) }

        func shut() { gate.withLock { $0 = SharedWork() } }
        func open() { gate.withLock { $0?.finish(with: ()) } }
        private func pass() async { _ = await gate.withLock { $0 }?.value() }

        func entries(of owner: String, from name: String) async -> [StoreEntry] {
            await pass()
            return await inner.entries(of: owner, from: name)
        }
        func value(of name: String, of owner: String) async -> [UInt8]? {
            await pass()
            return await inner.value(of: name, of: owner)
        }
        func setIfAbsent(_ entries: [StoreEntry], of owner: String, until expiry: Int64) async -> [[UInt8]] {
            await pass()
            return await inner.setIfAbsent(entries, of: owner, until: expiry)
        }
        func append(_ entries: [StoreEntry], of owner: String, until expiry: Int64) async -> [[UInt8]] {
            await pass()
            return await inner.append(entries, of: owner, until: expiry)
        }
        func keepNewest(_ entry: StoreEntry, rank: Int64, of owner: String, until expiry: Int64) async {}
        func remove(_ names: Range<String>, of owner: String) async {}
        func extend(_ owners: [String], until expiry: Int64) async {}
        func release(_ owner: String) async {}
        func removeExpired() async {}
    }

    @Test func `a slow store is not waited for, unless nobody has asked for so long that what is known is no answer`()
        async throws
    {
        let store = Gated(time: time)
        let journal = journal(store)
        let settings = BreakLedger.Settings(kind: .live)
        let lists = try [(1, 10), (2, 12), (3, 14)].map { try seen(leading, version: $0, from: $1) }
        /// The last segment known to a request while the store takes a second.
        func answer(_ seen: LedgerJournal.Seen) async -> Int64? {
            store.shut()
            let (time, leading) = (time, leading)
            async let ledger = journal.observe([seen], leading: leading, settings: settings)
            for _ in 0..<1_000 { await Task.yield() }
            time.advance(by: .seconds(1))
            for _ in 0..<1_000 { await Task.yield() }
            store.open()
            return await ledger.renditions[leading]?.lastNumber
        }
        _ = await journal.observe([lists[0]], leading: leading, settings: settings)
        #expect(await answer(lists[1]) == 15)
        _ = await journal.observe([lists[1]], leading: leading, settings: settings)
        time.advance(by: .seconds(60))
        #expect(await answer(lists[2]) == 19)
    }

    /// What a process sees of the origin while the store fails goes into the journal late, or gives way to another's.
    @Test(arguments: [false, true])
    func `a write that failed forks no ledger`(isOvertaken: Bool) async throws {
        let store = FragileStore(time: time)
        let settings = BreakLedger.Settings(kind: .live)
        let (one, other) = (journal(store), journal(store))
        func observe(_ journal: LedgerJournal, _ version: UInt64, from first: Int64) async throws -> BreakLedger {
            await journal.observe(
                [try seen(leading, version: version, from: first)], leading: leading, settings: settings)
        }
        _ = try await observe(one, 1, from: 10)
        _ = try await observe(other, 1, from: 10)
        store.isAway.withLock { $0 = true }
        let alone = try await observe(one, 2, from: 12)
        #expect(alone.renditions[leading]?.lastNumber == 17)
        store.isAway.withLock { $0 = false }
        if isOvertaken { _ = try await observe(other, 2, from: 13) }
        let last = try await observe(one, 3, from: 14)
        let followed = try await observe(other, 3, from: 14)
        #expect(last.renditions[leading]?.lastNumber == 19)
        let bytes = try [last, followed].map { try StateEncoder().bytes($0) }
        #expect(bytes[0] == bytes[1])
        // So it is for who comes later, too.
        let third = journal(store)
        #expect(try StateEncoder().bytes(try await observe(third, 1, from: 14)) == bytes[0])
    }

    @Test func `of playlists that cross the newer one is kept`() async throws {
        let journal = journal(MemoryStore(isShared: true, time: time))
        let settings = BreakLedger.Settings(kind: .live)
        _ = await journal.observe([try seen(leading, version: 2, from: 12)], leading: leading, settings: settings)
        let ledger = await journal.observe([try seen(leading, version: 1)], leading: leading, settings: settings)
        #expect(ledger.renditions[leading]?.lastNumber == 17)
        #expect(ledger.renditions[leading]?.windowStart == 12)
    }
}
