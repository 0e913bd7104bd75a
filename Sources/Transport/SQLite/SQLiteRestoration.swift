internal import Glibc

/// Puts a database file back that was deleted while it was in use: what it held is still there for those who have it open. Puts one aside
/// that is damaged.
struct SQLiteRestoration {
    let path: String

    /// Where another file has taken its place, or another process has put it back already, nothing is done.
    func restore(from connection: SQLiteConnection) {
        // Of the processes that have the file open one does it.
        guard !isThere, let folder = lockFolder() else { return }
        defer { close(folder) }
        guard !isThere else { return }
        let copy = "\(path).\(getpid()).copy"
        unlink(copy)
        defer { unlink(copy) }
        guard (try? connection.run("VACUUM INTO ?1", [.text(copy)])) != nil, !isThere else { return }
        // They belong to the deleted file.
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        link(copy, path)
    }

    /// Gives a damaged file another name, with `.damaged` behind it, and leaves an empty one in its place, unless another process has.
    func putAside(_ connection: SQLiteConnection) {
        guard let folder = lockFolder() else { return }
        defer { close(folder) }
        guard isThere, !connection.hasMoved else { return }
        let aside = "\(path).damaged"
        guard rename(path, aside) == 0 else { return }
        // What was written last stands there.
        unlink("\(aside)-wal")
        rename("\(path)-wal", "\(aside)-wal")
        unlink("\(path)-shm")
        let made = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if made >= 0 { close(made) }
    }

    /// Gives those who have a file open that is not there the time to put it back.
    ///
    /// - Parameter limit: how long for them to begin.
    func await(atMost limit: Duration) {
        var left = limit.clampedNanoseconds / Self.stepNanoseconds
        while left > 0, !isThere, access(folder, F_OK) == 0 {
            usleep(UInt32(clamping: Self.stepNanoseconds / 1_000))
            left -= 1
        }
        guard limit > .zero, !isThere, let folder = lockFolder() else { return }
        close(folder)
    }

    /// A file stands there.
    var isThere: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    private static let stepNanoseconds: UInt64 = 5_000_000
    /// How often a folder's lock is tried for.
    private static let lockAttempts = 400

    /// The folder, opened and locked until it is closed. Nil where there is none, or another process holds it for long.
    private func lockFolder() -> Int32? {
        let folder = open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        for _ in 0..<Self.lockAttempts {
            if flock(folder, LOCK_EX | LOCK_NB) == 0 { return folder }
            usleep(UInt32(clamping: Self.stepNanoseconds / 1_000))
        }
        close(folder)
        return nil
    }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
