internal import CLinux
internal import FoundationEssentials
internal import Glibc

/// The few calls of the file system that a store needs.
extension CreativeStore {
    /// The free bytes where a folder lies; nil where that is not known.
    package static func freeBytes(at path: String) -> Int? {
        let free = clinux_free_bytes(path)
        return free < 0 ? nil : Int(clamping: free)
    }

    static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    static func makeFolder(_ path: String) -> Bool {
        (try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])) != nil
    }

    static func removeTree(_ path: String) { try? FileManager.default.removeItem(atPath: path) }

    private static func status(_ path: String) -> stat? {
        var found = stat()
        return lstat(path, &found) == 0 ? found : nil
    }

    /// Of a plain file.
    static func size(_ path: String) -> Int? {
        guard let found = status(path), found.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(found.st_size)
    }

    /// Seconds since 1970.
    static func modificationTime(_ path: String) -> Double? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970
    }

    /// The plain files in a folder and in the folders in it.
    static func files(in folder: String, below prefix: String = "", depth: Int = 0) -> [File] {
        guard depth < 4 else { return [] }
        return names(in: folder).flatMap { name -> [File] in
            let path = "\(folder)/\(name)"
            if let bytes = size(path) { return [File(path: prefix + name, bytes: bytes)] }
            guard let found = status(path), found.st_mode & S_IFMT == S_IFDIR else { return [] }
            return files(in: path, below: "\(prefix)\(name)/", depth: depth + 1)
        }
    }

    /// Bytes of a file, fewer where it ends before; nil where it cannot be read.
    static func read(_ path: String, _ range: Range<Int>) -> [UInt8]? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { return nil }
        let wanted = range.clamped(to: 0..<max(Int(found.st_size), 0))
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: wanted.count) { buffer, count in
            while count < wanted.count {
                guard let base = buffer.baseAddress else { break }
                let more = pread(descriptor, base + count, wanted.count - count, off_t(wanted.lowerBound + count))
                if more < 0, errno == EINTR { continue }
                failed = more < 0
                guard more > 0 else { break }
                count += more
            }
        }
        return failed || bytes.count < wanted.count ? nil : bytes
    }

    /// Writes a file, or adds to its end.
    static func write(_ bytes: [UInt8], to path: String, isNew: Bool) -> Bool {
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (isNew ? O_TRUNC : O_APPEND), 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }
}
