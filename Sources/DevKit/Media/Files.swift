internal import Glibc

/// The few file operations that the demo needs.
enum Files {
    /// Contents of a file of at most `byteLimit` bytes from `offset` on; `nil` when it cannot be read.
    static func read(_ path: String, offset: Int = 0, count: Int? = nil) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let size = size(of: descriptor), offset <= size else { return nil }
        let wanted = min(count ?? size, size - offset)
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
            while filled < wanted, let base = buffer.baseAddress {
                let got = pread(descriptor, base + filled, wanted - filled, off_t(offset + filled))
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { break }
                filled += got
            }
        }
        return bytes.count == wanted ? bytes : nil
    }

    /// Size of a regular file in bytes; `nil` where there is none.
    static func size(_ path: String) -> Int? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return size(of: descriptor)
    }

    private static func size(of descriptor: Int32) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    static func write(_ text: String, to path: String) throws(DemoError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure("write", path) }
        defer { close(descriptor) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { throw failure("write", path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Makes a folder and those above it.
    static func makeFolder(_ path: String) throws(DemoError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for name in path.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? "\(name)" : "/\(name)"
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw failure("make the folder", made) }
        }
    }

    /// A new empty folder whose name begins with `prefix`.
    static func makeTemporaryFolder(_ prefix: String) throws(DemoError) -> String {
        var template = Array("\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw failure("make a folder beside", prefix) }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    static func rename(_ from: String, to: String) throws(DemoError) {
        guard Glibc.rename(from, to) == 0 else { throw failure("rename to", to) }
    }

    /// Removes a folder with all that is in it; does not follow links.
    static func removeTree(_ path: String) {
        for name in names(in: path) {
            let entry = "\(path)/\(name)"
            if unlink(entry) != 0 { removeTree(entry) }
        }
        rmdir(path)
    }

    /// Names of what is in a folder, in no order; none when it cannot be read.
    static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Value of an environment variable; `nil` when it is not set or empty.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    private static func failure(_ what: String, _ path: String) -> DemoError {
        let reason = strerror(errno).map { String(cString: $0) } ?? "unknown error"
        return DemoError(.mediaFolder, "cannot \(what) \(path): \(reason)")
    }
}
