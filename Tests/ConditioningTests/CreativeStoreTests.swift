import FoundationEssentials
import Testing

@testable import Conditioning

@Suite struct CreativeStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func key(_ name: String) -> ContentKey { ContentKey(ad: name, ladder: EncodingPlanTests.ladder()) }

    private func store(_ bytes: Int = 1_000, process: String = "one") -> CreativeStore {
        CreativeStore(folder: folder.path, byteLimit: bytes, process: process)
    }

    private func put(_ name: String, bytes: Int = 100, in store: CreativeStore) throws -> Int {
        let work = try #require(store.makeWorkFolder())
        let relative = String(work.dropFirst(folder.path.utf8.count + 1))
        try folder.write(String(repeating: name, count: bytes), to: "\(relative)/result/v0/00000.ts")
        try folder.write("#EXTM3U\n", to: "\(relative)/result/v0/index.m3u8")
        let evicted = try #require(store.publish("\(work)/result", as: key(name)))
        store.discardWorkFolder(work)
        return evicted
    }

    @Test func `what was made is there, in whole and in parts, and nothing else is`() throws {
        let store = store()
        store.open()
        #expect(!store.find(key("a")))
        #expect(try put("a", in: store) == 0)
        #expect(store.find(key("a")))
        #expect(store.size(of: "v0/00000.ts", in: key("a")) == 100)
        #expect(store.read("v0/00000.ts", in: key("a"), range: 10..<14, at: .zero) == Array("aaaa".utf8))
        #expect(store.read("v0/00000.ts", in: key("a"), range: 98..<200, at: .zero)?.count == 2)
        for path in ["contents", "v0", "../\(key("a"))/v0/00000.ts", "v0/../v0/00000.ts", "", "/v0/00000.ts"] {
            #expect(store.read(path, in: key("a"), at: .zero) == nil, "\(path)")
        }
    }

    @Test func `the next process finds it, and clears away what was never finished`() throws {
        let first = store()
        _ = try put("a", in: first)
        try folder.write("half", to: "unfinished/gone/x/result/v0/00000.ts")
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
        _ = store.read("v0/00000.ts", in: key("a"), at: .zero)
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
        #expect(second.read("v0/00000.ts", in: key("a"), at: .zero) == nil)
        #expect(!second.find(key("a")) && !first.find(key("a")))
        #expect(second.totalBytes == 0)
    }

    @Test func `a folder that cannot be made is told`() throws {
        try folder.write("a file", to: "taken")
        let store = CreativeStore(folder: "\(folder.path)/taken/store", byteLimit: 1_000, process: "one")
        store.open()
        #expect(store.makeWorkFolder() == nil)
        #expect(!store.find(key("a")))
    }
}
