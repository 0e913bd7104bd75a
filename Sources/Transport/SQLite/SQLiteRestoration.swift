internal import Glibc

/// Puts a database file back that was deleted while it was in use: what it held is still there for those who have it open.
struct SQLiteRestoration {
    let path: String

    /// Where another file has taken its place, or another process has put it back already, nothing is done.
    func restore(from connection: SQLiteConnection) {
        // Of the processes that have the file open one does it.
        let folder = open(self.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        defer { close(folder) }
        guard flock(folder, LOCK_EX) == 0, !isThere else { return }
        let copy = "\(path).\(getpid()).copy"
        unlink(copy)
        defer { unlink(copy) }
        guard (try? connection.run("VACUUM INTO ?1", [.text(copy)])) != nil, !isThere else { return }
        // They belong to the deleted file.
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
        link(copy, path)
    }

    private var isThere: Bool { access(path, F_OK) == 0 }

    private var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
