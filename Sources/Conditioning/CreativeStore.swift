internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// The folder of what was made. Each creative is a folder named after its key, which is there whole or not at all: it is made elsewhere
/// and renamed. Several processes may share one store. All functions block, but for those that say so.
package final class CreativeStore: Sendable {
    /// One file of a creative.
    package struct File: Hashable, Sendable {
        package var path: String
        package var bytes: Int
    }

    private struct State {
        var index: StorageIndex<ContentKey>
        var files: [ContentKey: [String: Int]] = [:]
        /// When the time of use was last written down.
        var touchedAt: [ContentKey: Duration] = [:]
    }

    package let folder: String
    private let state: Mutex<State>
    /// Held while this process lives, so that others leave its unfinished work alone.
    private let workshopLock = Mutex<Int32>(-1)
    private let workshop: String

    /// Names what a creative's folder holds, each file with its size; written last.
    static let contents = "contents"
    private static let readyFolder = "ready"
    private static let workFolder = "unfinished"
    /// How exactly the time of use outlives the process.
    private static let touchInterval = Duration.seconds(60)

    /// - Parameters:
    ///   - folder: absolute; made when it is first needed.
    ///   - name: of this process among those that share the folder.
    package init(folder: String, byteLimit: Int, process name: String) {
        self.folder = folder
        workshop = "\(folder)/\(Self.workFolder)/\(name)"
        state = Mutex(State(index: StorageIndex(byteLimit: byteLimit)))
    }

    deinit {
        let lock = workshopLock.withLock { $0 }
        if lock >= 0 { close(lock) }
    }

    package var totalBytes: Int { state.withLock { $0.index.totalBytes } }
    package var count: Int { state.withLock { $0.index.count } }

    // MARK: At the start

    /// Takes in what an earlier process has left, and clears away what was never finished or is damaged.
    package func open() {
        clearWorkshops()
        var found: [(key: ContentKey, files: [File], usedAt: Double)] = []
        for name in Self.names(in: "\(folder)/\(Self.readyFolder)") {
            guard let key = ContentKey(name) else { continue }
            if let files = whole(key), let usedAt = Self.modificationTime("\(path(of: key))/\(Self.contents)") {
                found.append((key, files, usedAt))
            } else {
                discard(key)
            }
        }
        for (key, files, _) in found.sorted(by: { ($0.usedAt, $0.key) < ($1.usedAt, $1.key) }) { enter(key, files) }
    }

    /// What processes were at that are no more.
    private func clearWorkshops() {
        let parent = "\(folder)/\(Self.workFolder)"
        for name in Self.names(in: parent) {
            let other = "\(parent)/\(name)"
            guard other != workshop else { continue }
            let lock = Self.locked("\(other)/lock", makes: false)
            // Somebody lives there.
            if lock == nil { continue }
            Self.removeTree(other)
            if let lock, lock >= 0 { close(lock) }
        }
    }

    /// A descriptor whose closing frees the lock; -1 where there is no lock file; nil where another has it.
    private static func locked(_ path: String, makes: Bool) -> Int32? {
        let descriptor = Glibc.open(path, makes ? O_RDWR | O_CREAT | O_CLOEXEC : O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return -1 }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    // MARK: Making

    /// A new empty folder to make something in; nil where there is none to be had.
    package func makeWorkFolder() -> String? {
        guard Self.makeFolder(workshop) else { return nil }
        workshopLock.withLock { lock in
            if lock < 0 { lock = Self.locked("\(workshop)/lock", makes: true) ?? -1 }
        }
        for _ in 0..<8 {
            let path = "\(workshop)/\(String(UInt64.random(in: .min ... .max), radix: 36))"
            if mkdir(path, 0o700) == 0 { return path }
            guard errno == EEXIST else { return nil }
        }
        return nil
    }

    /// Writes a file of such a folder.
    package func write(_ bytes: [UInt8], to name: String, in folder: String) -> Bool {
        Self.write(bytes, to: "\(folder)/\(name)", isNew: true)
    }

    package func discardWorkFolder(_ path: String) { Self.removeTree(path) }

    /// Puts a folder of files in its place. What has to make room for it goes.
    ///
    /// - Returns: the number of creatives that went; nil where it could not be done.
    package func publish(_ made: String, as key: ContentKey) -> Int? {
        let files = Self.files(in: made).sorted { $0.path < $1.path }
        guard !files.isEmpty, Self.makeFolder("\(folder)/\(Self.readyFolder)") else { return nil }
        let list = files.map { "\($0.bytes) \($0.path)\n" }.joined()
        guard Self.write(Array(list.utf8), to: "\(made)/\(Self.contents)", isNew: true) else { return nil }
        if rename(made, path(of: key)) != 0 {
            // Another process was faster: its is as good.
            guard errno == ENOTEMPTY || errno == EEXIST, let others = whole(key) else { return nil }
            return evict(enter(key, others))
        }
        return evict(enter(key, files))
    }

    @discardableResult
    private func enter(_ key: ContentKey, _ files: [File]) -> [ContentKey] {
        state.withLock { state in
            state.files[key] = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
            let gone = state.index.insert(key, bytes: files.reduce(0) { $0 + $1.bytes })
            for key in gone {
                state.files[key] = nil
                state.touchedAt[key] = nil
            }
            return gone
        }
    }

    private func evict(_ keys: [ContentKey]) -> Int {
        for key in keys { discard(key) }
        return keys.count
    }

    /// Renamed first: half of it is never seen.
    private func discard(_ key: ContentKey) {
        guard let work = makeWorkFolder() else { return }
        _ = rename(path(of: key), "\(work)/gone")
        Self.removeTree(work)
    }

    // MARK: Using

    /// Whether it is there, as far as this process knows. Does not block.
    package func knows(_ key: ContentKey) -> Bool { state.withLock { $0.index.use(key) } }

    /// Whether it is there, also where another process made it or removed it.
    package func find(_ key: ContentKey) -> Bool {
        let isKnown = knows(key)
        if let files = whole(key) {
            if !isKnown { _ = evict(enter(key, files)) }
            return true
        }
        if isKnown { forget(key) }
        return false
    }

    private func forget(_ key: ContentKey) {
        state.withLock { state in
            state.index.remove(key)
            state.files[key] = nil
            state.touchedAt[key] = nil
        }
    }

    /// The size of a file; nil for what no creative that is known holds. Does not block.
    package func size(of path: String, in key: ContentKey) -> Int? {
        state.withLock { state in
            guard state.index.use(key) else { return nil }
            return state.files[key]?[path]
        }
    }

    /// The bytes of a file, or of a part of it.
    ///
    /// - Parameter now: monotonic, for the order in which creatives go when there is no room.
    package func read(_ path: String, in key: ContentKey, range: Range<Int>? = nil, at now: Duration) -> [UInt8]? {
        guard let size = size(of: path, in: key) else { return nil }
        let range = (range ?? 0..<size).clamped(to: 0..<size)
        guard let bytes = Self.read("\(self.path(of: key))/\(path)", range) else {
            forget(key)
            return nil
        }
        touch(key, at: now)
        return bytes
    }

    private func touch(_ key: ContentKey, at now: Duration) {
        let isDue = state.withLock { state in
            guard state.touchedAt[key].map({ now - $0 >= Self.touchInterval }) ?? true else { return false }
            state.touchedAt[key] = now
            return true
        }
        if isDue { utimensat(AT_FDCWD, "\(path(of: key))/\(Self.contents)", nil, 0) }
    }

    private func path(of key: ContentKey) -> String { "\(folder)/\(Self.readyFolder)/\(key.text)" }

    /// What a creative holds; nil where something of it is missing or of another size.
    private func whole(_ key: ContentKey) -> [File]? {
        let place = path(of: key)
        guard let list = Self.read("\(place)/\(Self.contents)", 0..<(1 << 20)), list.last == 0x0A else { return nil }
        var files: [File] = []
        for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let bytes = Int(parts[0]), bytes >= 0, !parts[1].contains("..") else { return nil }
            guard Self.size("\(place)/\(parts[1])") == bytes else { return nil }
            files.append(File(path: String(parts[1]), bytes: bytes))
        }
        return files.isEmpty ? nil : files
    }
}
