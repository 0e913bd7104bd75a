import FoundationEssentials
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

    @Test func `a write that came to no answer in its time is not done later`() async throws {
        let store = try SQLiteStore(path: path, deadline: .milliseconds(30))
        while (try? await store.setIfAbsent([entry("r")], of: "s", until: later)) == nil {}
        let other = try SQLiteConnection(path: path, patience: .seconds(1))
        try other.run("BEGIN EXCLUSIVE")
        let error = await #expect(throws: StoreError.self) {
            _ = try await store.setIfAbsent([entry("q")], of: "s", until: later)
        }
        #expect(error?.isTimeout == true)
        try other.run("COMMIT")
        let second = try open()
        #expect(try await second.setIfAbsent([entry("p")], of: "s", until: later) == [entry("p").value])
        await store.close()
        #expect(try await second.entries(of: "s") == [entry("p"), entry("r")])
        await second.close()
    }
}
