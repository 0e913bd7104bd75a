import FoundationEssentials
import Synchronization
import Testing

@testable import Conditioning

@Suite struct CreativeStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func key(_ name: String) -> ContentKey { ContentKey(ad: name, ladder: EncodingPlanTests.ladder()) }

    private func store(
        _ bytes: Int = 1_000, process: String = "one", free: @escaping @Sendable (String) -> Int? = { _ in nil },
        change: (inout CreativeStore.Limits) -> Void = { _ in }
    ) -> CreativeStore {
        var limits = CreativeStore.Limits(bytes: bytes)
        change(&limits)
        return CreativeStore(folder: folder.path, limits: limits, process: process, now: { .zero }, free: free)
    }

    private func publish(
        _ name: String, bytes: Int = 100, in store: CreativeStore
    ) throws -> CreativeStore.Publication {
        let work = try #require(store.makeWorkFolder())
        let relative = String(work.dropFirst(folder.path.utf8.count + 1))
        try folder.write(String(repeating: name, count: bytes), to: "\(relative)/result/v0/00000.ts")
        try folder.write("#EXTM3U\n", to: "\(relative)/result/v0/index.m3u8")
        defer { store.discardWorkFolder(work) }
        return store.publish("\(work)/result", as: key(name))
    }

    /// - Returns: how many others went for it.
    private func put(_ name: String, bytes: Int = 100, in store: CreativeStore) throws -> Int {
        guard case .done(let evicted) = try publish(name, bytes: bytes, in: store) else {
            throw ConditioningFailure(.machine, "not published")
        }
        return evicted
    }

    /// Seconds since it was used last.
    private func age(_ name: String, by seconds: Double) throws {
        let path = "\(folder.path)/ready/\(key(name))/contents"
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -seconds)], ofItemAtPath: path)
    }

    @Test func `what was made is there, in whole and in parts, and nothing else is`() throws {
        let store = store()
        store.open()
        #expect(!store.find(key("a")))
        #expect(try put("a", in: store) == 0)
        #expect(store.find(key("a")))
        #expect(store.size(of: "v0/00000.ts", in: key("a")) == 100)
        #expect(store.read("v0/00000.ts", in: key("a"), range: 10..<14) == Array("aaaa".utf8))
        #expect(store.read("v0/00000.ts", in: key("a"), range: 98..<200)?.count == 2)
        for path in ["contents", "v0", "../\(key("a"))/v0/00000.ts", "v0/../v0/00000.ts", "", "/v0/00000.ts"] {
            #expect(store.read(path, in: key("a")) == nil, "\(path)")
        }
    }

    @Test func `the next process finds it, and clears away what was never finished`() throws {
        let first = store()
        _ = try put("a", in: first)
        try folder.write("half", to: "unfinished/gone/x/result/v0/00000.ts")
        try folder.write("", to: "unfinished/gone/lock")
        let second = store(process: "two")
        second.open()
        #expect(second.find(key("a")))
        #expect(second.totalBytes == 108)
        #expect(folder.files(in: "unfinished/gone").isEmpty)
    }

    @Test func `work of a process that lives is left alone`() throws {
        let first = store()
        let work = try #require(first.makeWorkFolder())
        let relative = String(work.dropFirst(folder.path.utf8.count + 1))
        try folder.write("half", to: "\(relative)/source")
        store(process: "two").open()
        #expect(folder.files(in: relative) == ["source"])
        withExtendedLifetime(first) {}
    }

    @Test func `what is damaged is not taken for whole`() throws {
        let first = store()
        _ = try put("a", in: first)
        _ = try put("b", in: first)
        try folder.write("shorter", to: "ready/\(key("a"))/v0/00000.ts")
        #expect(!first.find(key("a")))
        let second = store(process: "two")
        second.open()
        #expect(!second.find(key("a")) && second.find(key("b")))
        #expect(folder.files(in: "ready").allSatisfy { $0.hasPrefix(key("b").text) })
    }

    @Test func `the least recently used goes when there is no room`() throws {
        let store = store(250)
        _ = try put("a", in: store)
        _ = try put("b", in: store)
        _ = store.read("v0/00000.ts", in: key("a"))
        #expect(try put("c", in: store) == 1)
        #expect(store.find(key("a")) && store.find(key("c")) && !store.find(key("b")))
        #expect(!folder.files(in: "ready").contains { $0.hasPrefix(key("b").text) })
        #expect(store.totalBytes <= 250)
    }

    @Test func `what another process made is found, and what it removed is missed`() throws {
        let first = store()
        let second = store(process: "two")
        _ = try put("a", in: first)
        #expect(second.find(key("a")))
        // Both made it: one is enough.
        #expect(try put("a", in: second) == 0)
        try FileManager.default.removeItem(atPath: "\(folder.path)/ready/\(key("a"))")
        #expect(second.read("v0/00000.ts", in: key("a")) == nil)
        #expect(!second.find(key("a")) && !first.find(key("a")))
        #expect(second.totalBytes == 0)
    }

    @Test func `a folder that cannot be made is told`() throws {
        try folder.write("a file", to: "taken")
        let store = CreativeStore(
            folder: "\(folder.path)/taken/store", limits: CreativeStore.Limits(bytes: 1_000), process: "one",
            now: { .zero })
        store.open()
        #expect(store.makeWorkFolder() == nil)
        #expect(!store.find(key("a")))
    }

    @Test func `what sessions list stays, and what finds no room beside it is not kept`() throws {
        let store = store(250, change: { $0.use = .seconds(900) })
        _ = try put("a", in: store)
        _ = try put("b", in: store)
        #expect(try publish("c", in: store) == .noRoom)
        #expect(store.find(key("a")) && store.find(key("b")) && !store.find(key("c")))
        #expect(folder.files(in: "unfinished").allSatisfy { $0.hasSuffix("/lock") })
        try age("a", by: 1_000)
        #expect(try put("c", in: store) == 1)
        #expect(!store.find(key("a")) && store.find(key("b")) && store.find(key("c")))
        #expect(try publish("large", bytes: 300, in: store) == .noRoom)
        #expect(store.find(key("b")) && store.find(key("c")))
    }

    @Test func `the limit is of the folder, whoever makes what is in it`() throws {
        let first = store(250)
        let second = store(250, process: "two")
        _ = try put("a", in: first)
        _ = try put("b", in: second)
        try age("a", by: 10)
        try age("b", by: 20)
        // Of the two it has made none of, and seen none: the older one goes.
        let third = store(250, process: "three")
        #expect(try put("c", in: third) == 1)
        #expect(third.find(key("a")) && !third.find(key("b")) && third.totalBytes <= 250)
        #expect(!second.find(key("b")) && first.totalBytes + 108 <= 250)
    }

    @Test func `a smaller limit is kept from the next start on`() throws {
        let first = store()
        for (index, name) in ["a", "b", "c"].enumerated() {
            _ = try put(name, in: first)
            try age(name, by: Double(100 - index))
        }
        let second = store(150, process: "two")
        second.open()
        #expect(second.count == 1 && second.find(key("c")))
    }

    @Test func `where the disk is short what is not used goes, and nothing is made while it stays short`() throws {
        let free = Mutex(50)
        let store = store(
            free: { _ in free.withLock { $0 } },
            change: {
                $0.freeBytes = 100
                $0.use = .seconds(900)
            })
        _ = try put("a", in: store)
        #expect(!store.hasFreeSpace())
        #expect(store.find(key("a")))
        try age("a", by: 1_000)
        #expect(!store.hasFreeSpace())
        #expect(!store.find(key("a")))
        free.withLock { $0 = 100 }
        #expect(store.hasFreeSpace())
    }

    @Test func `one process at a time makes an ad`() throws {
        let first = store()
        let second = store(process: "two")
        var claim = first.claim(key("a"))
        #expect(claim != nil && second.claim(key("a")) == nil && second.claim(key("b")) != nil)
        claim = nil
        #expect(second.claim(key("a")) != nil)
        #expect(folder.files(in: "claims").isEmpty)
    }

    @Test func `who reads a file reads it to its end, while others make room`() async throws {
        let store = store(60_000)
        _ = try put("a", bytes: 50_000, in: store)
        let key = key("a")
        let found = await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<200).map { _ in store.read("v0/00000.ts", in: key)?.count ?? 0 }
                }
            }
            for number in 0..<20 { _ = try? publish("b\(number)", bytes: 10_000, in: store) }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(found).isSubset(of: [0, 50_000]))
    }
}
