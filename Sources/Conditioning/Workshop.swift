internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// Where this process makes what a store is to hold, apart from what other processes make there. What they leave behind when they end
/// is cleared away by the next one that starts.
final class Workshop: Sendable {
    private let folder: String
    private let claims: String
    private let own: String
    /// Held while this process lives, so that others leave its unfinished work alone.
    private let lock = Mutex<Int32>(-1)

    /// Below a store's folder, as is that of claims.
    private static let unfinished = "unfinished"
    private static let claimFolder = "claims"
    /// A folder as young as this may be of a process that has not yet come to locking it.
    private static let youth = 60.0

    init(store: String, process name: String) {
        folder = "\(store)/\(Self.unfinished)"
        claims = "\(store)/\(Self.claimFolder)"
        own = "\(folder)/\(name)"
    }

    deinit {
        let descriptor = lock.withLock { $0 }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Removes the work of processes that are no more.
    func clearOthers() {
        for name in CreativeStore.names(in: folder) {
            let other = "\(folder)/\(name)"
            guard other != own else { continue }
            guard let lock = Self.locked("\(other)/lock", makes: false) else { continue }
            if lock < 0, let time = CreativeStore.modificationTime(other),
                Date().timeIntervalSince1970 - time < Self.youth
            {
                continue
            }
            CreativeStore.removeTree(other)
            if lock >= 0 { close(lock) }
        }
    }

    /// A descriptor whose closing frees the lock; -1 where there is no lock file; nil where another has it.
    fileprivate static func locked(_ path: String, makes: Bool) -> Int32? {
        let descriptor = Glibc.open(path, makes ? O_RDWR | O_CREAT | O_CLOEXEC : O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return -1 }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    /// A new empty folder; nil where there is none to be had.
    func makeFolder() -> String? {
        guard CreativeStore.makeFolder(own) else { return nil }
        lock.withLock { lock in
            if lock < 0 { lock = Self.locked("\(own)/lock", makes: true) ?? -1 }
        }
        for _ in 0..<8 {
            let path = "\(own)/\(String(UInt64.random(in: .min ... .max), radix: 36))"
            if mkdir(path, 0o700) == 0 { return path }
            guard errno == EEXIST else { return nil }
        }
        return nil
    }

    func claim(_ key: ContentKey) -> Claim? {
        // Without the folder nobody's work is known: better twice than not at all.
        guard CreativeStore.makeFolder(claims) else { return Claim(nil, descriptor: -1) }
        let path = "\(claims)/\(key)"
        return Self.locked(path, makes: true).map { Claim(path, descriptor: $0) }
    }
}

/// The right to make a creative, among the processes that share a store.
package final class Claim: Sendable {
    private let path: String?
    private let descriptor: Int32

    fileprivate init(_ path: String?, descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        if let path, descriptor >= 0 { unlink(path) }
        if descriptor >= 0 { close(descriptor) }
    }
}
