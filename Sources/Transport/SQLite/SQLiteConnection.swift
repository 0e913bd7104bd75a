internal import CSQLite
internal import Glibc

/// A value that is bound to a parameter of a statement, or read from a column.
package enum SQLiteValue: Sendable, Equatable {
    case integer(Int64)
    case text(String)
    case blob([UInt8])
    case null

    package var integer: Int64? {
        if case .integer(let number) = self { return number }
        return nil
    }

    package var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    package var blob: [UInt8]? {
        if case .blob(let bytes) = self { return bytes }
        return nil
    }
}

/// One connection to a database file. Its calls block, so it lives on a thread of its own: see ``SQLiteFile``.
package final class SQLiteConnection {
    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]
    /// How long a lock of another process is waited for.
    package var patience: Duration {
        didSet { if patience != oldValue { setPatience() } }
    }

    /// Opens a file, or makes it. Other processes may have it open too.
    ///
    /// WAL with `synchronous=NORMAL`: a commit is in the page cache of the kernel when it returns, so the death of the process
    /// loses nothing. A power cut may lose the last commits, and never damages the file.
    ///
    /// - Parameter patience: how long a lock of another process is waited for, where SQLite waits at all: not always for those that
    ///   turning to WAL needs, and taking up the log of a process that has ended.
    package init(path: String, patience: Duration) throws(SQLiteError) {
        Self.makePrivate(path)
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2(path, &opened, flags, nil)
        guard result == SQLITE_OK, let opened else {
            let text = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
            sqlite3_close_v2(opened)
            throw Self.error(result, "\(path): \(text)")
        }
        handle = opened
        self.patience = patience
        setPatience()
        try run("PRAGMA journal_mode=WAL")
        try run("PRAGMA synchronous=NORMAL")
        try run("PRAGMA cache_size=-4096")
    }

    /// What is kept is nobody else's business: only the user that owns a new file may read it, and what SQLite puts beside it, which has
    /// the file's own mode. One that is there and belongs to this user is closed to others, too.
    private static func makePrivate(_ path: String) {
        // Where another process makes the file just now it is the other's to do.
        let made = Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 {
            close(made)
            return
        }
        // Not opened: closing it would let go of the locks that this process has on it.
        for name in [path, "\(path)-wal", "\(path)-shm"] {
            var status = stat()
            guard stat(name, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0,
                status.st_uid == geteuid()
            else { continue }
            chmod(name, status.st_mode & 0o700)
        }
    }

    private func setPatience() {
        let (seconds, attoseconds) = patience.components
        sqlite3_busy_timeout(handle, Int32(clamping: seconds &* 1_000 &+ attoseconds / 1_000_000_000_000_000))
    }

    /// Whether the file was deleted or renamed since it was opened: what is written then, nobody finds who opens it later.
    package var hasMoved: Bool {
        var moved: Int32 = 0
        return sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    /// Runs one statement, which is prepared once, and returns its rows.
    @discardableResult
    package func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let place = Int32(index + 1)
            let result: Int32
            switch value {
            case .integer(let number): result = sqlite3_bind_int64(statement, place, number)
            case .text(let text):
                var text = text
                result = text.withUTF8 { bytes in
                    bytes.withMemoryRebound(to: CChar.self) {
                        csqlite_bind_text(statement, place, $0.baseAddress, Int32(clamping: $0.count))
                    }
                }
            case .blob(let blob):
                result = blob.withUnsafeBytes {
                    csqlite_bind_blob(statement, place, $0.baseAddress, Int32(clamping: $0.count))
                }
            case .null: result = sqlite3_bind_null(statement, place)
            }
            try check(result)
        }
        var rows: [[SQLiteValue]] = []
        while true {
            let result = sqlite3_step(statement)
            if result == SQLITE_DONE { return rows }
            guard result == SQLITE_ROW else { throw error(result) }
            rows.append((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
        }
    }

    /// Rows that the last statement inserted, changed or deleted.
    package var changes: Int { Int(sqlite3_changes(handle)) }

    private func prepared(_ sql: String) throws(SQLiteError) -> OpaquePointer {
        if let known = statements[sql] { return known }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
        guard let statement else { throw SQLiteError(.system, "an empty statement") }
        statements[sql] = statement
        return statement
    }

    private static func value(_ statement: OpaquePointer, _ column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_TEXT:
            guard let text = sqlite3_column_text(statement, column) else { return .null }
            let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column)))
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(statement, column))
            guard let bytes = sqlite3_column_blob(statement, column) else { return .blob([]) }
            return .blob([UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
        default: return .null
        }
    }

    private func check(_ result: Int32) throws(SQLiteError) {
        if result != SQLITE_OK { throw error(result) }
    }

    private func error(_ result: Int32) -> SQLiteError {
        Self.error(result, String(cString: sqlite3_errmsg(handle)))
    }

    private static func error(_ result: Int32, _ text: String) -> SQLiteError {
        let code: SQLiteError.Code =
            switch result & 0xFF {
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .cannotOpen
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            case SQLITE_FULL: .full
            case SQLITE_READONLY: .readOnly
            case SQLITE_IOERR: .inputOutput
            default: .system
            }
        return SQLiteError(code, "\(text) (SQLite \(result))")
    }
}
