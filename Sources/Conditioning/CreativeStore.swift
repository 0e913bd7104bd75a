internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// The folder of what was made. Each creative is a folder named after its key, which is there whole or not at all: it is made elsewhere
/// and renamed. Several processes may share one store: which creatives go when there is no room is told by the times at which their lists
/// of contents were touched, which all of them see. All functions block, but for those that say so.
package final class CreativeStore: Sendable {
    package struct Limits: Sendable {
        /// Of all creatives together.
        package var bytes: Int
        /// Of the file system, for whoever else writes to it: nothing is made where less is free.
        package var freeBytes = 0
        /// What was used within this time is not removed: sessions list it.
        package var use = Duration.zero

        package init(bytes: Int) { self.bytes = bytes }
    }

    /// One file of a creative.
    package struct File: Hashable, Sendable {
        package var path: String
        package var bytes: Int
    }

    /// What became of a creative that was to be put in its place.
    package enum Publication: Hashable, Sendable {
        /// It is there; so many others went for it.
        case done(evicted: Int)
        /// All that might go for it is in use, or it is too large alone.
        case noRoom
        case failed
    }

    private struct State {
        var files: [ContentKey: [String: Int]] = [:]
        var totalBytes = 0
        /// When the time of use was last written down, monotonic.
        var touchedAt: [ContentKey: Duration] = [:]

        mutating func enter(_ key: ContentKey, _ files: [File]) {
            remove(key)
            self.files[key] = Dictionary(files.map { ($0.path, $0.bytes) }, uniquingKeysWith: { first, _ in first })
            totalBytes += bytes(of: key)
        }

        mutating func remove(_ key: ContentKey) {
            totalBytes -= bytes(of: key)
            files[key] = nil
            touchedAt[key] = nil
        }

        func bytes(of key: ContentKey) -> Int { files[key]?.values.reduce(0, +) ?? 0 }
    }

    package let folder: String
    package let limits: Limits
    private let now: @Sendable () -> Duration
    private let free: @Sendable (String) -> Int?
    private let state = Mutex(State())
    private let workshop: Workshop

    /// Names what a creative's folder holds, each file with its size; written last.
    static let contents = "contents"
    private static let readyFolder = "ready"
    /// How exactly the time of use outlives the process, and is seen by others.
    private static let touchInterval = Duration.seconds(60)

    /// - Parameters:
    ///   - folder: absolute; made when it is first needed.
    ///   - name: of this process among those that share the folder.
    ///   - now: monotonic.
    ///   - free: the free bytes where a folder lies; nil where that is not known.
    package init(
        folder: String, limits: Limits, process name: String, now: @escaping @Sendable () -> Duration,
        free: @escaping @Sendable (String) -> Int? = { CreativeStore.freeBytes(at: $0) }
    ) {
        self.folder = folder
        self.limits = limits
        self.now = now
        self.free = free
        workshop = Workshop(store: folder, process: name)
    }

    package var totalBytes: Int { state.withLock { $0.totalBytes } }
    package var count: Int { state.withLock { $0.files.count } }

    // MARK: At the start

    /// Takes in what an earlier process has left, and clears away what was never finished or is damaged.
    package func open() {
        workshop.clearOthers()
        takeIn(discardsDamaged: true)
        _ = makeRoom(for: nil)
    }

    /// Enters what other processes made, and forgets what they removed.
    private func takeIn(discardsDamaged: Bool = false) {
        let found = Set(Self.names(in: "\(folder)/\(Self.readyFolder)").compactMap { ContentKey($0) })
        let known = state.withLock { Set($0.files.keys) }
        for key in known.subtracting(found) { forget(key) }
        for key in found.subtracting(known) {
            if let files = whole(key) {
                state.withLock { $0.enter(key, files) }
            } else if discardsDamaged {
                discard(key)
            }
        }
    }

    // MARK: Making

    /// A new empty folder to make something in; nil where there is none to be had.
    package func makeWorkFolder() -> String? { workshop.makeFolder() }

    package func discardWorkFolder(_ path: String) { Self.removeTree(path) }

    /// Writes a file of such a folder.
    package func write(_ bytes: [UInt8], to name: String, in folder: String) -> Bool {
        Self.write(bytes, to: "\(folder)/\(name)", isNew: true)
    }

    /// Keeps other processes from making the same, until it is closed; nil where one of them is at it.
    package func claim(_ key: ContentKey) -> Claim? { workshop.claim(key) }

    /// Whether the file system has room for something to be made. What may go goes for it.
    package func hasFreeSpace() -> Bool {
        guard Self.makeFolder(folder) else { return false }
        func isShort() -> Bool { limits.freeBytes > 0 && (free(folder).map { $0 < limits.freeBytes } ?? false) }
        guard isShort() else { return true }
        takeIn()
        for candidate in candidates(except: nil) {
            evict(candidate)
            if !isShort() { return true }
        }
        return !isShort()
    }

    /// Puts a folder of files in its place. What has to make room for it goes.
    package func publish(_ made: String, as key: ContentKey) -> Publication {
        let files = Self.files(in: made).sorted { $0.path < $1.path }
        guard !files.isEmpty, Self.makeFolder("\(folder)/\(Self.readyFolder)") else { return .failed }
        guard files.reduce(0, { $0 + $1.bytes }) <= limits.bytes else { return .noRoom }
        let list = files.map { "\($0.bytes) \($0.path)\n" }.joined()
        guard Self.write(Array(list.utf8), to: "\(made)/\(Self.contents)", isNew: true) else { return .failed }
        takeIn()
        if rename(made, path(of: key)) == 0 {
            state.withLock { $0.enter(key, files) }
        } else {
            // Another process was faster: its is as good.
            guard errno == ENOTEMPTY || errno == EEXIST, let others = whole(key) else { return .failed }
            state.withLock { $0.enter(key, others) }
        }
        guard let evicted = makeRoom(for: key) else {
            evict(key)
            return .noRoom
        }
        return .done(evicted: evicted)
    }

    /// Removes what was used least recently until the rest is within the limit; nil where all that is left is in use.
    private func makeRoom(for new: ContentKey?) -> Int? {
        var evicted = 0
        guard totalBytes > limits.bytes else { return 0 }
        for candidate in candidates(except: new) {
            evict(candidate)
            evicted += 1
            if totalBytes <= limits.bytes { return evicted }
        }
        return nil
    }

    /// What may go, the least recently used first.
    private func candidates(except new: ContentKey?) -> [ContentKey] {
        let keys = state.withLock { Array($0.files.keys) }
        let used = keys.compactMap { key in
            Self.modificationTime("\(path(of: key))/\(Self.contents)").map { (key: key, time: $0) }
        }
        let isFree = Date().timeIntervalSince1970 - limits.use.inSeconds
        return used.filter { $0.key != new && (limits.use == .zero || $0.time < isFree) }
            .sorted { ($0.time, $0.key) < ($1.time, $1.key) }.map(\.key)
    }

    private func evict(_ key: ContentKey) {
        forget(key)
        discard(key)
    }

    /// Renamed first: half of it is never seen, and who reads a file of it reads it to its end.
    private func discard(_ key: ContentKey) {
        guard let work = makeWorkFolder() else { return }
        _ = rename(path(of: key), "\(work)/gone")
        Self.removeTree(work)
    }

    // MARK: Using

    /// Whether it is there, also where another process made it or removed it. Who asks is going to use it.
    package func find(_ key: ContentKey) -> Bool {
        let isKnown = state.withLock { $0.files[key] != nil }
        guard let files = whole(key) else {
            if isKnown { forget(key) }
            return false
        }
        if !isKnown { state.withLock { $0.enter(key, files) } }
        touch(key)
        return true
    }

    private func forget(_ key: ContentKey) { state.withLock { $0.remove(key) } }

    /// The size of a file; nil for what no creative that is known holds. Does not block.
    package func size(of path: String, in key: ContentKey) -> Int? { state.withLock { $0.files[key]?[path] } }

    /// The bytes of a file, or of a part of it.
    package func read(_ path: String, in key: ContentKey, range: Range<Int>? = nil) -> [UInt8]? {
        guard let size = size(of: path, in: key) else { return nil }
        let range = (range ?? 0..<size).clamped(to: 0..<size)
        guard let bytes = Self.read("\(self.path(of: key))/\(path)", range) else {
            forget(key)
            return nil
        }
        touch(key)
        return bytes
    }

    private func touch(_ key: ContentKey) {
        let now = now()
        let isDue = state.withLock { state in
            guard state.files[key] != nil else { return false }
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

extension Duration {
    fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
