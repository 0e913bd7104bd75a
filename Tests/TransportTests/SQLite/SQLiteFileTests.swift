import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import Transport

struct SQLiteFileTests {
    private let folder: String

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(component: "podstitch-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    /// Runs a job and waits for its result.
    private func run<Value: Sendable>(
        _ file: SQLiteFile, writes: Bool,
        _ body: @escaping @Sendable (SQLiteConnection) throws(SQLiteError) -> Value
    ) async -> Result<Value, SQLiteError> {
        await withCheckedContinuation { waiter in file.submit(writes: writes, body) { waiter.resume(returning: $0) } }
    }

    private func open(_ change: (inout SQLiteFile.Options) -> Void = { _ in }) throws -> SQLiteFile {
        var options = SQLiteFile.Options(path: "\(folder)/t.db")
        change(&options)
        return try SQLiteFile(options: options) { connection throws(SQLiteError) in
            try connection.run("CREATE TABLE IF NOT EXISTS t (name TEXT PRIMARY KEY, value BLOB)")
        }
    }

    @Test func `every kind of value comes back as it was bound`() throws {
        let connection = try SQLiteConnection(path: "\(folder)/v.db", patience: .seconds(1))
        let values: [SQLiteValue] = [.integer(.min), .text("é\u{0}x"), .text(""), .blob([0, 255]), .blob([]), .null]
        let rows = try connection.run("SELECT ?1, ?2, ?3, ?4, ?5, ?6", values)
        #expect(rows == [values])
    }

    @Test(arguments: [false, true])
    func `a file that is deleted while it is used is put back, unless another has taken its place`(isReplaced: Bool)
        async throws
    {
        let file = try open()
        _ = await run(file, writes: true) { c throws(SQLiteError) in try c.run("INSERT INTO t VALUES ('a', NULL)") }
        for suffix in ["-wal", "-shm"] { unlink("\(folder)/t.db\(suffix)") }
        if isReplaced {
            do {
                let other = try SQLiteConnection(path: "\(folder)/other.db", patience: .seconds(1))
                try other.run("CREATE TABLE t (name TEXT PRIMARY KEY, value BLOB)")
                try other.run("INSERT INTO t VALUES ('other', NULL)")
            }
            rename("\(folder)/other.db", "\(folder)/t.db")
        } else {
            unlink("\(folder)/t.db")
        }
        // Noticed with the write, or before.
        while true {
            let written = await run(file, writes: true) { c throws(SQLiteError) in
                try c.run("INSERT INTO t VALUES ('b', NULL)")
            }
            guard case .failure(let error) = written else { break }
            try #require(error.code == .moved)
        }
        let later = try SQLiteConnection(path: "\(folder)/t.db", patience: .seconds(1))
        let names = try later.run("SELECT name FROM t ORDER BY name").compactMap { $0.first?.text }
        #expect(names == (isReplaced ? ["b", "other"] : ["a", "b"]))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.contains("copy") })
        file.close(within: .seconds(2))
    }

    private func names(_ file: SQLiteFile) async throws -> [String] {
        try await run(file, writes: false) { connection throws(SQLiteError) in
            try connection.run("SELECT name FROM t ORDER BY name").compactMap { $0.first?.text }
        }.get()
    }

    @Test
    func `who opens a file that was deleted waits for those who have it open, and they need no reason to put it back`()
        async throws
    {
        let first = try open()
        _ = await run(first, writes: true) { c throws(SQLiteError) in try c.run("INSERT INTO t VALUES ('a', NULL)") }
        for suffix in ["", "-wal", "-shm"] { unlink("\(folder)/t.db\(suffix)") }
        let second = try open { $0.absencePatience = .seconds(60) }
        #expect(try await names(second) == ["a"])
        _ = await run(second, writes: true) { c throws(SQLiteError) in try c.run("INSERT INTO t VALUES ('b', NULL)") }
        #expect(try await names(first) == ["a", "b"])
        for file in [first, second] { file.close(within: .seconds(2)) }
    }

    @Test func `a file whose folder is away can be read, and is the same when it is back`() async throws {
        let place = "\(folder)/in"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let file = try open { $0.path = "\(place)/t.db" }
        _ = await run(file, writes: true) { c throws(SQLiteError) in try c.run("INSERT INTO t VALUES ('a', NULL)") }
        rename(place, "\(folder)/out")
        let failed = await run(file, writes: true) { c throws(SQLiteError) in
            try c.run("INSERT INTO t VALUES ('b', NULL)")
        }
        #expect(throws: SQLiteError(.moved, "")) { try failed.get() }
        #expect(try await names(file) == ["a"])
        rename("\(folder)/out", place)
        let taken = await run(file, writes: true) { c throws(SQLiteError) in
            try c.run("INSERT INTO t VALUES ('c', NULL)")
        }
        #expect(throws: Never.self) { try taken.get() }
        #expect(try await names(file) == ["a", "c"])
        file.close(within: .seconds(2))
    }

    @Test func `a file that turns out to be damaged is put aside, and all who use it go on with a new one`()
        async throws
    {
        let first = try open()
        for name in ["a", "b"] {
            _ = await run(first, writes: true) { c throws(SQLiteError) in
                try c.run("INSERT INTO t VALUES (?1, zeroblob(20000))", [.text(name)])
            }
        }
        _ = await run(first, writes: false) { c throws(SQLiteError) in try c.run("PRAGMA wal_checkpoint(TRUNCATE)") }
        let size = try Data(contentsOf: URL(filePath: "\(folder)/t.db")).count
        // Behind the first page.
        let damaged = Glibc.open("\(folder)/t.db", O_WRONLY)
        let noise = [UInt8](repeating: 0xA5, count: size - 4_096)
        try #require(pwrite(damaged, noise, noise.count, 4_096) == noise.count)
        close(damaged)
        let second = try open()
        await #expect(throws: SQLiteError(.damaged, "")) { try await names(second) }
        for (file, name) in [(second, "c"), (first, "d"), (second, "e")] {
            while case .failure(let error) = await run(
                file, writes: true,
                { c throws(SQLiteError) in try c.run("INSERT INTO t VALUES (?1, x'')", [.text(name)]) })
            {
                try #require(error.code == .moved)
            }
        }
        for file in [first, second] { #expect(try await names(file) == ["c", "d", "e"]) }
        #expect(try Data(contentsOf: URL(filePath: "\(folder)/t.db.damaged")).count == size)
        for file in [first, second] { file.close(within: .seconds(2)) }
    }

    @Test func `jobs are done in their order, and a reader sees the writes before it`() async throws {
        let file = try open()
        let results = Mutex<[Int]>([])
        for number in 0..<100 {
            file.submit(writes: true) { connection throws(SQLiteError) in
                try connection.run("INSERT INTO t VALUES (?1, x'')", [.text("\(number)")])
            } done: { _ in
                results.withLock { $0.append(number) }
            }
        }
        let count = await run(file, writes: false) { connection throws(SQLiteError) in
            try connection.run("SELECT count(*) FROM t").first?.first?.integer
        }
        #expect(try count.get() == 100)
        #expect(results.withLock { $0 } == Array(0..<100))
        file.close(within: .seconds(10))
    }

    @Test func `a statement that fails undoes the commit it is in, and the file goes on`() async throws {
        let file = try open()
        let failed = await run(file, writes: true) { connection throws(SQLiteError) in
            try connection.run("INSERT INTO t VALUES ('a', x'')")
            try connection.run("INSERT INTO t VALUES ('a', x'')")
        }
        #expect(throws: SQLiteError(.system, "")) { try failed.get() }
        let count = await run(file, writes: false) { connection throws(SQLiteError) in
            try connection.run("SELECT count(*) FROM t").first?.first?.integer
        }
        #expect(try count.get() == 0)
        file.close(within: .seconds(10))
    }

    @Test func `beyond the bound a job fails at once, and after the end every one`() async throws {
        let file = try open { $0.queueLimit = 0 }
        let refused = await run(file, writes: true) { _ throws(SQLiteError) in 1 }
        #expect(throws: SQLiteError(.overloaded, "")) { try refused.get() }
        file.close(within: .seconds(10))
        let late = await run(file, writes: true) { _ throws(SQLiteError) in 1 }
        #expect(throws: SQLiteError(.closed, "")) { try late.get() }
    }

    @Test func `a damaged file and a missing folder are told apart`() throws {
        #expect(throws: SQLiteError(.cannotOpen, "")) {
            _ = try SQLiteConnection(path: "\(folder)/missing/t.db", patience: .zero)
        }
        try Data(repeating: 0x41, count: 4_096).write(to: URL(filePath: "\(folder)/d.db"))
        #expect(throws: SQLiteError(.damaged, "")) { _ = try SQLiteConnection(path: "\(folder)/d.db", patience: .zero) }
    }
}
