import Synchronization
import Testing
import Transport

@testable import Server

/// Losing the store never stops anything.
struct ResilientStoreTests {
    @Test func `a store that does not answer in time is left alone for a moment`() async throws {
        let time = ManualTimeSource(wallNanoseconds: 1_800_000_000_000_000_000)
        let fragile = FragileStore(time: time)
        let store = ResilientStore(fragile, time: time, log: .silent, metrics: Metrics())
        let until = time.now() + 60_000_000_000
        fragile.isAway.withLock { $0 = true }
        fragile.isTimeout.withLock { $0 = true }
        _ = await store.setIfAbsent([StoreEntry(name: "r", value: [1])], of: "s", until: until)
        _ = await store.setIfAbsent([StoreEntry(name: "q", value: [1])], of: "s", until: until)
        #expect(fragile.calls.withLock { $0 } == 1)
        fragile.isAway.withLock { $0 = false }
        time.advance(by: .seconds(2))
        await store.removeExpired()
        #expect(await fragile.inner.entries(of: "s", from: "").map(\.name) == ["q", "r"])
    }

    @Test func `what the store did not take is written before what comes later, and a foreign word is told once`() async
    {
        let time = ManualTimeSource(wallNanoseconds: 1_800_000_000_000_000_000)
        let fragile = FragileStore(time: time)
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
        let fragile = FragileStore(time: time)
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
        let fragile = FragileStore(time: time)
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
        #expect(!output.lines.contains { $0.contains("store.back") })
        await pass(on: time) { output.lines.contains { $0.contains("store.back") } }
    }

    /// Time goes on until a condition holds.
    private func pass(on time: ManualTimeSource, until condition: () -> Bool) async {
        while !condition() {
            time.advance(by: ResilientStore.watchInterval)
            await Task.yield()
        }
    }

    @Test func `a store that takes something now and then is told of once, and is back when nothing fails any more`()
        async
    {
        let fragile = FragileStore(time: time)
        let output = RecordingLogOutput()
        let store = ResilientStore(
            fragile, time: time, log: Log(level: .debug, output: output), metrics: Metrics())
        var number = 0
        fragile.isFull.withLock { $0 = true }
        _ = await store.setIfAbsent([entry("first")], of: "s", until: later)
        for _ in 0..<300 {
            await time.waitForSleepers(1)
            time.advance(by: ResilientStore.watchInterval)
            number += 1
            fragile.isFull.withLock { $0 = number % 3 != 0 }
            _ = await store.setIfAbsent([entry("e\(number)")], of: "s", until: later)
        }
        func count(_ event: String) -> Int { output.lines.count { $0.contains(event) } }
        #expect(count("store.failed") == 1)
        #expect(count("store.back") == 0)
        fragile.isFull.withLock { $0 = false }
        await pass(on: time) { count("store.back") > 0 }
        #expect(count("store.failed") == 1)
        #expect(count("store.back") == 1)
        #expect(await fragile.inner.entries(of: "s", from: "").count == 301)
    }

    @Test func `a full disk takes what changes nothing, and is not back for that`() async {
        let fragile = FragileStore(time: time)
        let store = resilient(fragile)
        fragile.isFull.withLock { $0 = true }
        await store.keepNewest(entry("p"), rank: 1, of: "s", until: later)
        for _ in 0..<20 {
            await time.waitForSleepers(1)
            await store.extend(["s"], until: later)
            time.advance(by: ResilientStore.watchInterval)
            #expect(store.isBehind)
        }
        fragile.isFull.withLock { $0 = false }
        await pass(on: time) { !store.isBehind }
        #expect(await fragile.inner.value(of: "p", of: "s") == [1])
    }

    private let time = ManualTimeSource(wallNanoseconds: 1_800_000_000_000_000_000)
    private var later: Int64 { time.now() + 600_000_000_000 }
    private func entry(_ name: String, _ value: UInt8 = 1) -> StoreEntry { StoreEntry(name: name, value: [value]) }
    private func resilient(_ store: FragileStore, byteLimit: Int = 1_000) -> ResilientStore {
        ResilientStore(store, time: time, log: .silent, metrics: Metrics(), byteLimit: byteLimit)
    }

    @Test func `what comes in while earlier entries are written is written, too`() async {
        let fragile = FragileStore(time: time)
        let store = resilient(fragile)
        let later = later
        func calls(_ count: Int) async { while fragile.calls.withLock({ $0 }) < count { await Task.yield() } }
        // One write is on its way, and will fail.
        let first = fragile.shut()
        let slow = Task { await store.setIfAbsent([StoreEntry(name: "slow", value: [1])], of: "s", until: later) }
        await calls(1)
        fragile.passFreely()
        fragile.isAway.withLock { $0 = true }
        _ = await store.setIfAbsent([entry("quick")], of: "s", until: later)
        fragile.isAway.withLock { $0 = false }
        let second = fragile.shut()
        let rest = Task { await store.removeExpired() }
        await calls(3)
        fragile.isAway.withLock { $0 = true }
        first.finish(with: ())
        #expect(await slow.value == [[1]])
        fragile.isAway.withLock { $0 = false }
        second.finish(with: ())
        await rest.value
        fragile.passFreely()
        await store.removeExpired()
        #expect(await fragile.inner.entries(of: "s", from: "").map(\.name) == ["quick", "slow"])
    }

    @Test func `where others use the store, nothing is taken for decided that they cannot know`() async throws {
        let fragile = FragileStore(time: time)
        let (store, other) = (resilient(fragile), resilient(FragileStore(beside: fragile)))
        func commit(_ name: String) async -> [[UInt8]]? { await store.commit([entry(name)], of: "s", until: later) }
        await store.announce()
        fragile.isLocked.withLock { $0 = true }
        // Alone it has its own word.
        #expect(await commit("a") == [[1]])
        #expect(!store.holdsBack)
        fragile.isLocked.withLock { $0 = false }
        await other.announce()
        await store.announce()
        time.advance(by: StoreHealth.settling)
        #expect(await commit("b") == [[1]])
        fragile.isLocked.withLock { $0 = true }
        #expect(await commit("c") == nil)
        #expect(store.holdsBack)
        // What others have decided can be read.
        _ = await fragile.inner.setIfAbsent([entry("d", 7)], of: "s", until: later)
        #expect(await store.value(of: "d", of: "s") == [7])
        fragile.isLocked.withLock { $0 = false }
        #expect(await commit("c") == nil)
        while store.isBehind {
            time.advance(by: ResilientStore.watchInterval)
            await Task.yield()
        }
        // What others had to go on with comes in first.
        #expect(await commit("c") == nil)
        time.advance(by: StoreHealth.settling)
        #expect(await commit("c") == [[1]])
        #expect(await fragile.inner.entries(of: "s", from: "").map(\.name) == ["a", "b", "c", "d"])
    }

    @Test(arguments: [false, true])
    func `a server that has ended is not counted any more`(inGoodOrder: Bool) async {
        let fragile = FragileStore(time: time)
        let (store, other) = (resilient(fragile), resilient(fragile))
        for one in [store, other, store] { await one.announce() }
        fragile.isLocked.withLock { $0 = true }
        await store.extend(["s"], until: later)
        #expect(store.holdsBack)
        fragile.isLocked.withLock { $0 = false }
        if inGoodOrder { await other.close() } else { time.advance(by: .seconds(121)) }
        await store.announce()
        fragile.isLocked.withLock { $0 = true }
        await store.extend(["s"], until: later)
        #expect(!store.holdsBack)
    }

    @Test func `no more is kept for a store that is away than its bound, and then what the store has holds`() async {
        let fragile = FragileStore(time: time)
        let store = resilient(fragile, byteLimit: 100)
        fragile.isAway.withLock { $0 = true }
        for number in 0..<100 { _ = await store.setIfAbsent([entry("e\(100 + number)")], of: "c", until: later) }
        _ = await store.setIfAbsent([entry("r")], of: "s", until: later)
        fragile.isAway.withLock { $0 = false }
        while store.isBehind {
            time.advance(by: ResilientStore.watchInterval)
            await Task.yield()
        }
        #expect(await fragile.inner.entries(of: "c", from: "").isEmpty)
        #expect(store.takeOverruled("c"))
        #expect(store.takeOverruled("s"))
        _ = await store.setIfAbsent([entry("r")], of: "s", until: later)
        #expect(await fragile.inner.entries(of: "s", from: "") == [entry("r")])
    }

    @Test func `of a journal that another has gone on with nothing more is written`() async {
        let fragile = FragileStore(time: time)
        let store = resilient(fragile)
        _ = await store.append([entry("e1")], of: "c", until: later)
        fragile.isAway.withLock { $0 = true }
        for name in ["e2", "e3", "e4"] { _ = await store.append([entry(name)], of: "c", until: later) }
        _ = await fragile.inner.append([entry("e2", 2)], of: "c", until: later)
        fragile.isAway.withLock { $0 = false }
        #expect(await !store.holdsOwnWord(of: "c"))
        #expect(await store.entries(of: "c") == [entry("e1"), entry("e2", 2)])
    }
}
