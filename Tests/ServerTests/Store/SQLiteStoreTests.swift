import FoundationEssentials
import Synchronization
import Testing
import Transport

@testable import Server

struct SQLiteStoreTests {
    private let folder: TemporaryFolder
    private let later: Int64 = 4_000_000_000_000_000_000

    init() throws { folder = try TemporaryFolder() }

    private var path: String { "\(folder.path)/s.db" }
    private func entry(_ name: String, bytes: Int = 3) -> StoreEntry {
        StoreEntry(name: name, value: Array(repeating: 7, count: bytes))
    }

    private func open(_ path: String? = nil, pageLimit: Int64? = nil) throws -> SQLiteStore {
        try SQLiteStore(path: path ?? self.path, deadline: .seconds(10), retryInterval: .zero, pageLimit: pageLimit)
    }

    @Test func `what was kept is there after the file was closed and opened`() async throws {
        let first = try open()
        _ = try await first.setIfAbsent([entry("r")], of: "s", until: later)
        await first.close()
        let second = try open()
        #expect(try await second.entries(of: "s") == [entry("r")])
        await second.close()
    }

    @Test func `a file that is no database is left alone`() async throws {
        try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: path))
        let store = try open()
        await #expect(throws: StoreError.self) { _ = try await store.setIfAbsent([entry("r")], of: "s", until: later) }
        await store.close()
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(repeating: 0x41, count: 8_192))
    }

    @Test func `a database of somebody else's, or of another version, is left alone`() async throws {
        let connection = try SQLiteConnection(path: path, patience: .seconds(1))
        try connection.run("CREATE TABLE theirs (a)")
        let store = try open()
        let error = await #expect(throws: StoreError.self) { _ = try await store.entries(of: "s") }
        #expect(error?.description.contains("not Podstitch's") == true)
        await store.close()

        let other = "\(folder.path)/v.db"
        let newer = try SQLiteConnection(path: other, patience: .seconds(1))
        try newer.run("PRAGMA application_id=\(SQLiteStore.applicationID)")
        try newer.run("PRAGMA user_version=99")
        let second = try open(other)
        let versionError = await #expect(throws: StoreError.self) { _ = try await second.entries(of: "s") }
        #expect(versionError?.description.contains("another version (99)") == true)
        await second.close()
    }

    @Test func `a folder that is not there fails, and is used once it is`() async throws {
        let store = try open("\(folder.path)/sub/s.db")
        await #expect(throws: StoreError.self) { _ = try await store.entries(of: "s") }
        try FileManager.default.createDirectory(atPath: "\(folder.path)/sub", withIntermediateDirectories: false)
        _ = try await store.setIfAbsent([entry("r")], of: "s", until: later)
        #expect(try await store.entries(of: "s") == [entry("r")])
        await store.close()
    }

    @Test func `a place where nothing can be written fails`() async throws {
        // Nobody may make files there, not even root.
        let store = try open("/proc/podstitch.db")
        await #expect(throws: StoreError.self) { _ = try await store.setIfAbsent([entry("r")], of: "s", until: later) }
        await store.close()
    }

    @Test func `a full disk fails what does not fit, and keeps what was kept`() async throws {
        let store = try open(pageLimit: 16)
        _ = try await store.setIfAbsent([entry("r")], of: "s", until: later)
        await #expect(throws: StoreError.self) {
            _ = try await store.setIfAbsent([entry("big", bytes: 1 << 20)], of: "s", until: later)
        }
        #expect(try await store.entries(of: "s") == [entry("r")])
        await store.close()
    }

    @Test func `while another process holds the lock an operation fails in its time`() async throws {
        let store = try open()
        _ = try await store.setIfAbsent([entry("r")], of: "s", until: later)
        let other = try SQLiteConnection(path: path, patience: .seconds(1))
        try other.run("BEGIN EXCLUSIVE")
        await #expect(throws: StoreError.self) { _ = try await store.setIfAbsent([entry("q")], of: "s", until: later) }
        // Readers are not held up by a writer.
        #expect(try await store.entries(of: "s") == [entry("r")])
        try other.run("COMMIT")
        #expect(try await store.setIfAbsent([entry("q")], of: "s", until: later) == [entry("q").value])
        await store.close()
    }

    @Test func `operations that wait together are a few commits`() async throws {
        let store = try open()
        let clock = ContinuousClock()
        let begin = clock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2_000 {
                group.addTask { [later] in
                    _ = try await store.setIfAbsent(
                        [StoreEntry(name: "d", value: [1, 2, 3])], of: "s\(number)", until: later)
                }
            }
            try await group.waitForAll()
        }
        print("2,000 entries of 2,000 owners in \(clock.now - begin)")
        #expect(try await store.entries(of: "s1999").count == 1)
        await store.close()
    }
}

/// Losing the store never stops anything.
struct ResilientStoreTests {
    /// A store that fails when it is told to.
    final class Fragile: StateStore {
        let inner: MemoryStore
        let isShared = true
        let isAway = Mutex(false)
        let isTimeout = Mutex(false)
        let calls = Mutex(0)

        init(time: any TimeSource) { inner = MemoryStore(isShared: true, time: time) }

        var changeCount: Int { 0 }
        private func check() throws(StoreError) {
            calls.withLock { $0 += 1 }
            if isAway.withLock({ $0 }) { throw StoreError("away", isTimeout: isTimeout.withLock { $0 }) }
        }
        func entries(of owner: String, from name: String) async throws(StoreError) -> [StoreEntry] {
            try check()
            return await inner.entries(of: owner, from: name)
        }
        func value(of name: String, of owner: String) async throws(StoreError) -> [UInt8]? {
            try check()
            return await inner.value(of: name, of: owner)
        }
        func setIfAbsent(
            _ entries: [StoreEntry], of owner: String, until expiry: Int64
        ) async throws(StoreError) -> [[UInt8]] {
            try check()
            return await inner.setIfAbsent(entries, of: owner, until: expiry)
        }
        func keepNewest(_ entry: StoreEntry, rank: Int64, of owner: String, until expiry: Int64)
            async throws(StoreError)
        {
            try check()
            await inner.keepNewest(entry, rank: rank, of: owner, until: expiry)
        }
        func remove(_ names: Range<String>, of owner: String) async throws(StoreError) {
            try check()
            await inner.remove(names, of: owner)
        }
        func extend(_ owners: [String], until expiry: Int64) async throws(StoreError) {
            try check()
            await inner.extend(owners, until: expiry)
        }
        func release(_ owner: String) async {}
        func removeExpired() async throws(StoreError) {
            try check()
            await inner.removeExpired()
        }
    }

    @Test func `a store that does not answer in time is left alone for a moment`() async throws {
        let time = ManualTimeSource(wallNanoseconds: 1_800_000_000_000_000_000)
        let fragile = Fragile(time: time)
        let store = ResilientStore(fragile, time: time, log: .silent, metrics: Metrics())
        let until = time.now() + 60_000_000_000
        fragile.isAway.withLock { $0 = true }
        fragile.isTimeout.withLock { $0 = true }
        _ = await store.setIfAbsent([StoreEntry(name: "r", value: [1])], of: "s", until: until)
        _ = await store.setIfAbsent([StoreEntry(name: "q", value: [1])], of: "s", until: until)
        #expect(fragile.calls.withLock { $0 } == 1)
        time.advance(by: .seconds(2))
        fragile.isAway.withLock { $0 = false }
        await store.removeExpired()
        #expect(await fragile.inner.entries(of: "s", from: "").map(\.name) == ["q", "r"])
    }

    @Test func `what the store did not take is written before what comes later, and a foreign word is told once`() async
    {
        let time = ManualTimeSource(wallNanoseconds: 1_800_000_000_000_000_000)
        let fragile = Fragile(time: time)
        let store = ResilientStore(fragile, time: time, log: .silent, metrics: Metrics())
        let until = time.now() + 60_000_000_000
        func write(_ name: String, _ value: UInt8) async -> [[UInt8]] {
            await store.setIfAbsent([StoreEntry(name: name, value: [value])], of: "c", until: until)
        }
        _ = await write("e5", 1)
        fragile.isAway.withLock { $0 = true }
        _ = await write("e6", 1)
        #expect(await store.holdsOwnWord(of: "c"))
        fragile.isAway.withLock { $0 = false }
        _ = await write("e7", 1)
        #expect(await fragile.inner.entries(of: "c", from: "").map(\.name) == ["e5", "e6", "e7"])
        #expect(await store.holdsOwnWord(of: "c"))
        // Another process is there first the next time.
        fragile.isAway.withLock { $0 = true }
        _ = await write("e8", 1)
        #expect(await store.value(of: "e8", of: "c") == [1])
        fragile.isAway.withLock { $0 = false }
        _ = await fragile.inner.setIfAbsent([StoreEntry(name: "e8", value: [2])], of: "c", until: until)
        #expect(await !store.holdsOwnWord(of: "c"))
        #expect(await store.holdsOwnWord(of: "c"))
        #expect(await store.value(of: "e8", of: "c") == [2])
        #expect(await store.entries(of: "c").map(\.value) == [[1], [1], [1], [2]])
    }

    @Test func `nothing is removed as long as what takes its place is not written`() async throws {
        let time = ManualTimeSource(wallNanoseconds: 1_800_000_000_000_000_000)
        let fragile = Fragile(time: time)
        let store = ResilientStore(fragile, time: time, log: .silent, metrics: Metrics())
        let until = time.now() + 60_000_000_000
        _ = await store.setIfAbsent([StoreEntry(name: "c1", value: [1])], of: "c", until: until)
        fragile.isAway.withLock { $0 = true }
        _ = await store.setIfAbsent([StoreEntry(name: "c2", value: [2])], of: "c", until: until)
        fragile.isAway.withLock { $0 = false }
        await store.remove("c0"..<"c2", of: "c")
        #expect(await fragile.inner.entries(of: "c", from: "").map(\.name) == ["c1"])
        await store.removeExpired()
        await store.remove("c0"..<"c2", of: "c")
        #expect(await fragile.inner.entries(of: "c", from: "").map(\.name) == ["c2"])
    }

    @Test func `while the store is away memory takes its place, and what came in is written when it is back`()
        async throws
    {
        let time = ManualTimeSource(wallNanoseconds: 1_800_000_000_000_000_000)
        let fragile = Fragile(time: time)
        let output = RecordingLogOutput()
        let metrics = Metrics()
        let store = ResilientStore(fragile, time: time, log: Log(level: .debug, output: output), metrics: metrics)
        let until = time.now() + 60_000_000_000
        let one = StoreEntry(name: "d/1", value: [1])
        let two = StoreEntry(name: "d/2", value: [2])
        _ = await store.setIfAbsent([one], of: "s", until: until)
        fragile.isAway.withLock { $0 = true }
        #expect(await store.setIfAbsent([two], of: "s", until: until) == [[2]])
        #expect(await store.setIfAbsent([StoreEntry(name: "d/2", value: [3])], of: "s", until: until) == [[2]])
        #expect(await store.entries(of: "s", from: "") == [two])
        #expect(metrics.storeFailures.value == 3)
        #expect(output.lines.filter { $0.contains("store.failed") }.count >= 1)
        fragile.isAway.withLock { $0 = false }
        #expect(await store.entries(of: "s", from: "") == [one, two])
        await store.removeExpired()
        #expect(await fragile.inner.entries(of: "s", from: "") == [one, two])
        #expect(output.lines.filter { $0.contains("store.back") }.count == 1)
    }
}
