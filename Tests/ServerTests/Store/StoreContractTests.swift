import FoundationEssentials
import Testing
import Transport

@testable import Server

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(component: "podstitch-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// What every store promises, told to each of them.
struct StoreContractTests {
    enum Kind: CaseIterable { case memory, sqlite }

    /// Two processes' stores over the same state, on one clock.
    private final class Pair {
        let time = ManualTimeSource(wallNanoseconds: 1_800_000_000_000_000_000)
        let folder: TemporaryFolder
        let a: any StateStore
        let b: any StateStore

        init(_ kind: Kind) throws {
            folder = try TemporaryFolder()
            switch kind {
            case .memory:
                a = MemoryStore(isShared: true, time: time)
                b = a
            case .sqlite:
                a = try SQLiteStore(path: "\(folder.path)/s.db", time: time, deadline: .seconds(10))
                b = try SQLiteStore(path: "\(folder.path)/s.db", time: time, deadline: .seconds(10))
            }
        }

        func until(_ seconds: Int64) -> Int64 { time.now() + seconds * 1_000_000_000 }

        func close() async {
            await a.close()
            await b.close()
        }
    }

    private func entry(_ name: String, _ text: String) -> StoreEntry {
        StoreEntry(name: name, value: Array(text.utf8))
    }

    @Test(arguments: Kind.allCases)
    func `what is written first stays, for everybody`(kind: Kind) async throws {
        let pair = try Pair(kind)
        let first = try await pair.a.setIfAbsent(
            [entry("d/1", "A"), entry("d/2", "A")], of: "s", until: pair.until(60))
        let second = try await pair.b.setIfAbsent(
            [entry("d/2", "B"), entry("d/3", "B")], of: "s", until: pair.until(60))
        #expect(first == [Array("A".utf8), Array("A".utf8)])
        #expect(second == [Array("A".utf8), Array("B".utf8)])
        let all = [entry("d/1", "A"), entry("d/2", "A"), entry("d/3", "B")]
        #expect(try await pair.a.entries(of: "s") == all)
        #expect(try await pair.b.entries(of: "s") == all)
        #expect(try await pair.a.entries(of: "s", from: "d/2") == Array(all[1...]))
        #expect(try await pair.a.entries(of: "other") == [])
        await pair.close()
    }

    @Test(arguments: Kind.allCases)
    func `of entries that follow on one another none is kept behind somebody else's`(kind: Kind) async throws {
        let pair = try Pair(kind)
        let until = pair.until(60)
        _ = try await pair.a.append([entry("e1", "A"), entry("e2", "A")], of: "c", until: until)
        let held = try await pair.b.append(
            [entry("e1", "A"), entry("e2", "B"), entry("e3", "B")], of: "c", until: until)
        #expect(held == [Array("A".utf8), Array("A".utf8)])
        #expect(try await pair.a.entries(of: "c") == [entry("e1", "A"), entry("e2", "A")])
        await pair.close()
    }

    @Test(arguments: Kind.allCases)
    func `of many who race for one entry one wins, and all are told the same`(kind: Kind) async throws {
        let pair = try Pair(kind)
        let until = pair.until(60)
        for round in 0..<20 {
            let held = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
                for runner in 0..<8 {
                    let store = runner % 2 == 0 ? pair.a : pair.b
                    let mine = entry("d/\(round)", "\(runner)")
                    group.addTask { try await store.setIfAbsent([mine], of: "s", until: until) }
                }
                var held: Set<[UInt8]> = []
                for try await values in group { held.formUnion(values) }
                return held
            }
            #expect(held.count == 1)
        }
        #expect(try await pair.b.entries(of: "s").count == 20)
        await pair.close()
    }

    @Test(arguments: Kind.allCases)
    func `of what is kept newest the highest rank stays`(kind: Kind) async throws {
        let pair = try Pair(kind)
        let until = pair.until(60)
        try await pair.a.keepNewest(entry("p", "5"), rank: 5, of: "s", until: until)
        try await pair.b.keepNewest(entry("p", "4"), rank: 4, of: "s", until: until)
        #expect(try await pair.a.entries(of: "s") == [entry("p", "5")])
        try await pair.b.keepNewest(entry("p", "6"), rank: 6, of: "s", until: until)
        #expect(try await pair.a.entries(of: "s") == [entry("p", "6")])
        await pair.close()
    }

    @Test(arguments: Kind.allCases)
    func `an owner ends with its time, unless it is let live on`(kind: Kind) async throws {
        let pair = try Pair(kind)
        for owner in ["s", "t"] {
            _ = try await pair.a.setIfAbsent([entry("r", "1")], of: owner, until: pair.until(60))
        }
        pair.time.advance(by: .seconds(50))
        try await pair.b.extend(["t", "unknown"], until: pair.until(60))
        pair.time.advance(by: .seconds(20))
        #expect(try await pair.a.entries(of: "s") == [])
        #expect(try await pair.a.entries(of: "t") == [entry("r", "1")])
        // Whoever has the name next begins with nothing.
        #expect(try await pair.a.setIfAbsent([entry("q", "2")], of: "s", until: pair.until(60)) == [Array("2".utf8)])
        #expect(try await pair.b.entries(of: "s") == [entry("q", "2")])
        pair.time.advance(by: .seconds(200))
        try await pair.a.removeExpired()
        #expect(try await pair.a.setIfAbsent([entry("r", "3")], of: "t", until: pair.until(60)) == [Array("3".utf8)])
        await pair.close()
    }

    @Test(arguments: Kind.allCases)
    func `a range of names is forgotten`(kind: Kind) async throws {
        let pair = try Pair(kind)
        _ = try await pair.a.setIfAbsent(
            ["e1", "e2", "e3", "f"].map { entry($0, $0) }, of: "c", until: pair.until(60))
        try await pair.b.remove("e0"..<"e3", of: "c")
        #expect(try await pair.a.entries(of: "c") == [entry("e3", "e3"), entry("f", "f")])
        await pair.close()
    }

    @Test(arguments: Kind.allCases)
    func `that another process has written is noticed`(kind: Kind) async throws {
        let pair = try Pair(kind)
        _ = try await pair.a.setIfAbsent([entry("r", "1")], of: "s", until: pair.until(60))
        var before = pair.a.changeCount
        // The file's thread has to have looked once.
        try await pair.a.keepNewest(entry("p", "1"), rank: 1, of: "s", until: pair.until(60))
        before = pair.a.changeCount
        _ = try await pair.b.setIfAbsent([entry("r", "1")], of: "t", until: pair.until(60))
        let clock = ContinuousClock()
        let end = clock.now + .seconds(10)
        while pair.a.changeCount == before, clock.now < end { await Task.yield() }
        #expect(pair.a.changeCount > before)
        await pair.close()
    }
}
