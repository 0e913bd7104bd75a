internal import Transport

/// Beacons in the store's file. A table of their own: they are found by who is to send them.
extension SQLiteStore: BeaconStore {
    /// Of files of this version and of those that had no beacons yet.
    static func prepareBeacons(_ connection: SQLiteConnection) throws(SQLiteError) {
        // `beacon` and `holder` are NULL once it is sent.
        try connection.run(
            """
            CREATE TABLE IF NOT EXISTS beacons (
              owner TEXT NOT NULL, name TEXT NOT NULL, expiry INTEGER NOT NULL, outlasts INTEGER NOT NULL,
              due INTEGER NOT NULL, attempts INTEGER NOT NULL, holder TEXT, beacon BLOB,
              PRIMARY KEY (owner, name))
            """)
        try connection.run(
            "CREATE INDEX IF NOT EXISTS beacons_unsent ON beacons (holder, due) WHERE holder IS NOT NULL")
        try connection.run("CREATE INDEX IF NOT EXISTS beacons_sent ON beacons (expiry) WHERE holder IS NULL")
        try connection.run(
            "CREATE TABLE IF NOT EXISTS beacon_holders (holder TEXT PRIMARY KEY, lease INTEGER NOT NULL) WITHOUT ROWID")
    }

    func keep(_ rows: [BeaconRow], for holder: String, until lease: Int64) async throws(StoreError) -> [Bool] {
        try await perform(writes: true) { connection throws(SQLiteError) in
            try Self.renew(holder, until: lease, connection)
            var isNew: [Bool] = []
            for row in rows {
                try connection.run(
                    """
                    INSERT OR IGNORE INTO beacons (owner, name, expiry, outlasts, due, attempts, holder, beacon)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                    """,
                    [
                        .text(row.owner), .text(row.name), .integer(row.expiry),
                        .integer(row.isKeptWithOwner ? 1 : 0), .integer(row.due), .integer(Int64(row.attempts)),
                        .text(holder), .blob(row.value),
                    ])
                isNew.append(connection.changes > 0)
            }
            return isNew
        }
    }

    func mark(_ marks: [BeaconMark]) async throws(StoreError) {
        try await perform(writes: true) { connection throws(SQLiteError) in
            for mark in marks {
                switch mark.fate {
                case .done:
                    try connection.run(
                        "UPDATE beacons SET holder = NULL, beacon = NULL WHERE owner = ?1 AND name = ?2",
                        [.text(mark.owner), .text(mark.name)])
                case .attempted(let attempts):
                    try connection.run(
                        "UPDATE beacons SET attempts = ?3 WHERE owner = ?1 AND name = ?2",
                        [.text(mark.owner), .text(mark.name), .integer(Int64(attempts))])
                }
            }
        }
    }

    func renew(_ holder: String, until lease: Int64) async throws(StoreError) {
        try await perform(writes: true) { connection throws(SQLiteError) in
            try Self.renew(holder, until: lease, connection)
        }
    }

    func adopt(
        for holder: String, limit: Int, oldest: Int64, until lease: Int64
    ) async throws(StoreError) -> (rows: [BeaconRow], tooOld: Int) {
        let now = time.now()
        let ended = "SELECT holder FROM beacon_holders WHERE lease <= ?1 AND holder != ?2 LIMIT 10"
        // Nothing is written as long as everybody lives.
        let isThereAny = try await perform(writes: false) { connection throws(SQLiteError) in
            try !connection.run(ended, [.integer(now), .text(holder)]).isEmpty
        }
        guard isThereAny, limit > 0 else { return ([], 0) }
        return try await perform(writes: true) { connection throws(SQLiteError) in
            try Self.renew(holder, until: lease, connection)
            var rows: [BeaconRow] = []
            var tooOld = 0
            for other in try connection.run(ended, [.integer(now), .text(holder)]) {
                try connection.run(
                    "UPDATE beacons SET holder = NULL, beacon = NULL WHERE holder = ?1 AND due < ?2",
                    [other[0], .integer(oldest)])
                tooOld += connection.changes
                let found = try connection.run(
                    """
                    SELECT owner, name, expiry, outlasts, due, attempts, beacon FROM beacons
                    WHERE holder = ?1 ORDER BY due, rowid LIMIT ?2
                    """, [other[0], .integer(Int64(limit - rows.count))])
                for row in found {
                    guard let owner = row[0].text, let name = row[1].text else { continue }
                    try connection.run(
                        "UPDATE beacons SET holder = ?3 WHERE owner = ?1 AND name = ?2",
                        [row[0], row[1], .text(holder)])
                    rows.append(
                        BeaconRow(
                            owner: owner, name: name, value: row[6].blob ?? [], due: row[4].integer ?? 0,
                            expiry: row[2].integer ?? 0, isKeptWithOwner: row[3].integer == 1,
                            attempts: Int(row[5].integer ?? 0)))
                }
                if rows.count >= limit { break }
                try connection.run("DELETE FROM beacon_holders WHERE holder = ?1", [other[0]])
            }
            return (rows, tooOld)
        }
    }

    func leave(_ holder: String) async throws(StoreError) {
        try await perform(writes: true) { connection throws(SQLiteError) in
            try connection.run("UPDATE beacon_holders SET lease = 0 WHERE holder = ?1", [.text(holder)])
        }
    }

    func removeSent() async throws(StoreError) {
        let now = time.now()
        // A few at a time: nobody waits long behind it.
        for _ in 0..<1_000 {
            let count = try await perform(writes: true) { connection throws(SQLiteError) -> Int in
                try connection.run(
                    """
                    DELETE FROM beacons WHERE rowid IN (
                      SELECT rowid FROM beacons WHERE holder IS NULL AND expiry <= ?1
                      AND (outlasts = 0 OR NOT EXISTS (
                        SELECT 1 FROM owners WHERE owners.owner = beacons.owner AND owners.expiry > ?1)) LIMIT 500)
                    """, [.integer(now)])
                return connection.changes
            }
            if count < 500 { return }
        }
    }

    private static func renew(
        _ holder: String, until lease: Int64, _ connection: SQLiteConnection
    ) throws(SQLiteError) {
        try connection.run(
            """
            INSERT INTO beacon_holders (holder, lease) VALUES (?1, ?2)
            ON CONFLICT (holder) DO UPDATE SET lease = excluded.lease
            """, [.text(holder), .integer(lease)])
    }
}
