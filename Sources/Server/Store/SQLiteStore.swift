package import Transport

/// Keeps state in a database file, which several processes on one machine may share.
package final class SQLiteStore: StateStore {
    /// `PRAGMA user_version` of the tables below.
    static let schemaVersion: Int64 = 1
    /// `PRAGMA application_id`: "Pdst".
    static let applicationID: Int64 = 0x5064_7374

    package let isShared = true
    private let file: SQLiteFile
    let time: any TimeSource
    private let deadline: Duration

    /// Opens the file in the background; as long as it cannot be opened every operation fails.
    ///
    /// - Parameters:
    ///   - deadline: how long an operation may take.
    ///   - absencePatience: how long a file that is not there is waited for: servers that use it put it back where it was deleted.
    ///   - pageLimit: largest size of the file, pages of 4,096 bytes; nil for none.
    package init(
        path: String, time: any TimeSource = SystemTimeSource(), deadline: Duration = .milliseconds(1_000),
        retryInterval: Duration = .milliseconds(200), absencePatience: Duration = .zero, pageLimit: Int64? = nil
    ) throws(TransportError) {
        self.time = time
        self.deadline = deadline
        var options = SQLiteFile.Options(path: path)
        options.retryInterval = retryInterval
        options.absencePatience = absencePatience
        file = try SQLiteFile(options: options) { connection throws(SQLiteError) in
            try Self.prepare(connection, path: path)
            try Self.prepareBeacons(connection)
            if let pageLimit { try connection.run("PRAGMA max_page_count=\(pageLimit)") }
        }
    }

    package var changeCount: Int {
        file.watch()
        return file.changeCount
    }

    package var openingCount: Int { file.openingCount }

    private static func prepare(_ connection: SQLiteConnection, path: String) throws(SQLiteError) {
        func number(_ pragma: String) throws(SQLiteError) -> Int64 {
            try connection.run("PRAGMA \(pragma)").first?.first?.integer ?? 0
        }
        if try number("user_version") == schemaVersion, try number("application_id") == applicationID { return }
        // Another process may be making the tables just now: from here on the file is looked at as it stands.
        try connection.run("BEGIN IMMEDIATE")
        var isDone = false
        defer { if !isDone { _ = try? connection.run("ROLLBACK") } }
        let version = try number("user_version")
        let application = try number("application_id")
        if version == schemaVersion, application == applicationID { return }
        let tables = try connection.run("SELECT count(*) FROM sqlite_schema").first?.first?.integer ?? 0
        guard version == 0, application == 0, tables == 0 || application == applicationID else {
            let whose = application == applicationID ? "written by another version (\(version))" : "not Podstitch's"
            throw SQLiteError(.unknownSchema, "\(path) is \(whose)")
        }
        try connection.run(
            """
            CREATE TABLE IF NOT EXISTS entries (
              owner TEXT NOT NULL, name TEXT NOT NULL, rank INTEGER NOT NULL DEFAULT 0, value BLOB NOT NULL,
              PRIMARY KEY (owner, name))
            """)
        try connection.run(
            "CREATE TABLE IF NOT EXISTS owners (owner TEXT PRIMARY KEY, expiry INTEGER NOT NULL) WITHOUT ROWID")
        try connection.run("CREATE INDEX IF NOT EXISTS owners_by_expiry ON owners (expiry)")
        try connection.run("PRAGMA application_id=\(applicationID)")
        try connection.run("PRAGMA user_version=\(schemaVersion)")
        try connection.run("COMMIT")
        isDone = true
    }

    // MARK: Operations

    package func entries(of owner: String, from name: String) async throws(StoreError) -> [StoreEntry] {
        let now = time.now()
        return try await perform(writes: false) { connection throws(SQLiteError) in
            try connection.run(
                """
                SELECT name, value FROM entries WHERE owner = ?1 AND name >= ?2
                AND EXISTS (SELECT 1 FROM owners WHERE owner = ?1 AND expiry > ?3) ORDER BY name
                """, [.text(owner), .text(name), .integer(now)]
            ).compactMap { row in
                guard let name = row[0].text, let value = row[1].blob else { return nil }
                return StoreEntry(name: name, value: value)
            }
        }
    }

    package func value(of name: String, of owner: String) async throws(StoreError) -> [UInt8]? {
        let now = time.now()
        return try await perform(writes: false) { connection throws(SQLiteError) in
            try connection.run(
                """
                SELECT value FROM entries WHERE owner = ?1 AND name = ?2
                AND EXISTS (SELECT 1 FROM owners WHERE owner = ?1 AND expiry > ?3)
                """, [.text(owner), .text(name), .integer(now)]
            ).first?.first?.blob
        }
    }

    package func setIfAbsent(
        _ entries: [StoreEntry], of owner: String, until expiry: Int64
    ) async throws(StoreError) -> [[UInt8]] {
        try await keep(entries, of: owner, until: expiry, stopsAtForeign: false)
    }

    package func append(
        _ entries: [StoreEntry], of owner: String, until expiry: Int64
    ) async throws(StoreError) -> [[UInt8]] {
        try await keep(entries, of: owner, until: expiry, stopsAtForeign: true)
    }

    private func keep(
        _ entries: [StoreEntry], of owner: String, until expiry: Int64, stopsAtForeign: Bool
    ) async throws(StoreError) -> [[UInt8]] {
        let now = time.now()
        return try await perform(writes: true) { connection throws(SQLiteError) in
            try Self.live(owner, until: expiry, now: now, connection)
            var values: [[UInt8]] = []
            for entry in entries {
                try connection.run(
                    "INSERT OR IGNORE INTO entries (owner, name, value) VALUES (?1, ?2, ?3)",
                    [.text(owner), .text(entry.name), .blob(entry.value)])
                if connection.changes > 0 {
                    values.append(entry.value)
                } else {
                    let rows = try connection.run(
                        "SELECT value FROM entries WHERE owner = ?1 AND name = ?2", [.text(owner), .text(entry.name)])
                    let held = rows.first?.first?.blob ?? entry.value
                    values.append(held)
                    if stopsAtForeign, held != entry.value { break }
                }
            }
            return values
        }
    }

    package func keepNewest(
        _ entry: StoreEntry, rank: Int64, of owner: String, until expiry: Int64
    ) async throws(StoreError) {
        let now = time.now()
        try await perform(writes: true) { connection throws(SQLiteError) in
            try Self.live(owner, until: expiry, now: now, connection)
            try connection.run(
                """
                INSERT INTO entries (owner, name, rank, value) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (owner, name)
                DO UPDATE SET rank = excluded.rank, value = excluded.value WHERE excluded.rank > rank
                """, [.text(owner), .text(entry.name), .integer(rank), .blob(entry.value)])
        }
    }

    package func remove(_ names: Range<String>, of owner: String) async throws(StoreError) {
        try await perform(writes: true) { connection throws(SQLiteError) in
            try connection.run(
                "DELETE FROM entries WHERE owner = ?1 AND name >= ?2 AND name < ?3",
                [.text(owner), .text(names.lowerBound), .text(names.upperBound)])
        }
    }

    package func extend(_ owners: [String], until expiry: Int64) async throws(StoreError) {
        try await perform(writes: true) { connection throws(SQLiteError) in
            for owner in owners {
                try connection.run(
                    "UPDATE owners SET expiry = ?2 WHERE owner = ?1 AND expiry < ?2", [.text(owner), .integer(expiry)])
            }
        }
    }

    package func release(_ owner: String) async {}

    package func removeExpired() async throws(StoreError) {
        let now = time.now()
        // A few at a time: nobody waits long behind it.
        for _ in 0..<1_000 {
            let count = try await perform(writes: true) { connection throws(SQLiteError) -> Int in
                let expired = try connection.run(
                    "SELECT owner FROM owners WHERE expiry <= ?1 LIMIT 50", [.integer(now)])
                for row in expired {
                    try connection.run("DELETE FROM entries WHERE owner = ?1", [row[0]])
                    try connection.run("DELETE FROM owners WHERE owner = ?1", [row[0]])
                }
                return expired.count
            }
            if count < 50 { return }
        }
    }

    package func close() async { file.close(within: .seconds(2)) }

    /// Begins an owner anew whose time is over, and lets it live at least until `expiry`.
    private static func live(
        _ owner: String, until expiry: Int64, now: Int64, _ connection: SQLiteConnection
    ) throws(SQLiteError) {
        let known = try connection.run("SELECT expiry FROM owners WHERE owner = ?1", [.text(owner)])
        let before = known.first?.first?.integer
        if let before, before > now, before >= expiry { return }
        if let before, before <= now { try connection.run("DELETE FROM entries WHERE owner = ?1", [.text(owner)]) }
        try connection.run(
            "INSERT INTO owners (owner, expiry) VALUES (?1, ?2) ON CONFLICT (owner) DO UPDATE SET expiry = excluded.expiry",
            [.text(owner), .integer(expiry)])
    }

    /// Runs a job on the file's thread, and waits for it no longer than the deadline.
    @discardableResult
    func perform<Value: Sendable>(
        writes: Bool, _ body: @escaping @Sendable (SQLiteConnection) throws(SQLiteError) -> Value
    ) async throws(StoreError) -> Value {
        let work = SharedWork<Result<Value?, SQLiteError>>()
        // The machine's own clock: the file is as slow as it is, also for a server on another clock.
        let clock = SystemTimeSource()
        let ends = clock.monotonic() + deadline
        let job: @Sendable (SQLiteConnection) throws(SQLiteError) -> Value? = { connection throws(SQLiteError) in
            // Nobody counts on it any more: who asked has gone on without it.
            guard clock.monotonic() < ends else { return nil }
            return try body(connection)
        }
        file.submit(writes: writes, job) { work.finish(with: $0) }
        switch await work.value(within: deadline, on: clock) {
        case .success(let value?): return value
        case .failure(let error): throw StoreError("\(error)")
        case .success(nil), nil: throw StoreError("no answer within \(deadline)", isTimeout: true)
        }
    }
}
