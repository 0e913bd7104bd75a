internal import HLS
internal import Stitching

/// A ledger that follows a journal: what it is depends on nothing but the entries it has taken in.
struct JournalReplica: Sendable {
    private(set) var ledger: BreakLedger
    /// The number of the next entry.
    private(set) var position: Int64 = 0
    private(set) var playlists: [RenditionKey: JournalPlaylist] = [:]
    /// Since the last checkpoint.
    private(set) var entryCount = 0
    private(set) var byteCount = 0

    init(leading: RenditionKey, settings: BreakLedger.Settings) {
        ledger = BreakLedger(leading: leading, settings: settings)
    }

    // MARK: Names in the store

    static let entryPrefix = "e"
    static let checkpointPrefix = "c"

    /// Names sort as their numbers do.
    static func name(_ prefix: String, _ position: Int64) -> String {
        prefix + hexadecimal(UInt64(clamping: position))
    }

    private static func number(_ name: String, _ prefix: String) -> Int64? {
        name.hasPrefix(prefix) ? UInt64(name.dropFirst(prefix.utf8.count), radix: 16).map { Int64(clamping: $0) } : nil
    }

    /// Whether a store has what a ledger can begin with.
    static func hasCheckpoint(_ entries: [StoreEntry]) -> Bool {
        entries.contains { $0.name.hasPrefix(checkpointPrefix) }
    }

    // MARK: Taking in

    /// Begins with all that a store has of the journal.
    init(_ entries: [StoreEntry], leading: RenditionKey, settings: BreakLedger.Settings) {
        self.init(leading: leading, settings: settings)
        for entry in entries.reversed() where entry.name.hasPrefix(Self.checkpointPrefix) {
            guard let checkpoint = try? StateDecoder().value(JournalCheckpoint.self, from: entry.value) else {
                continue
            }
            ledger = checkpoint.ledger
            ledger.use(settings)
            position = checkpoint.position
            playlists = checkpoint.playlists
            break
        }
        if !follow(entries) {
            // What is there cannot be followed from anywhere: a new ledger behind its end.
            let last = entries.compactMap { Self.number($0.name, Self.entryPrefix) }.max() ?? position
            self.init(leading: leading, settings: settings)
            position = last + 1
            ledger = BreakLedger(leading: leading, settings: settings, revision: last << 8)
        }
    }

    /// Takes in what is new of the journal. False where entries are missing.
    mutating func follow(_ entries: [StoreEntry]) -> Bool {
        for entry in entries {
            guard let number = Self.number(entry.name, Self.entryPrefix), number >= position else { continue }
            guard number == position else { return false }
            take(entry.value)
        }
        return true
    }

    /// Takes in the next entry. One that cannot be read is nothing, for everybody alike.
    mutating func take(_ bytes: [UInt8], ledger made: BreakLedger? = nil) {
        position += 1
        entryCount += 1
        byteCount += bytes.count
        guard let entry = try? StateDecoder().value(JournalEntry.self, from: bytes) else { return }
        switch entry.kind {
        case .round: ledger.finishRound()
        case .origin: ledger.use(origin: entry.origin)
        case .observation:
            guard let playlist = entry.playlist(base: playlists[entry.rendition]?.bytes ?? []) else { return }
            playlists[entry.rendition] = JournalPlaylist(bytes: playlist, url: entry.url)
            if let made {
                ledger = made
            } else if let parsed = try? MediaPlaylist(parsing: playlist) {
                ledger.observe(
                    parsed, at: entry.url, as: entry.rendition, from: entry.origin,
                    after: .milliseconds(entry.silence))
            }
        case .survey:
            guard let playlist = entry.playlist(base: []), let parsed = try? MediaPlaylist(parsing: playlist) else {
                return
            }
            ledger.survey(parsed, as: entry.rendition)
        }
    }

    // MARK: Adding

    /// The entry for a playlist, and the ledger after it; nil where it brings nothing.
    func entry(
        _ playlist: MediaPlaylist, of key: RenditionKey, at url: String, from origin: Int = 0,
        after silence: Duration = .zero
    ) -> (bytes: [UInt8], ledger: BreakLedger, observation: BreakLedger.Observation)? {
        let last = playlists[key]
        if let last, last.url == url, last.bytes == playlist.source { return nil }
        var made = ledger
        var entry = JournalEntry(playlist.source, of: key, at: url, base: last?.bytes ?? [])
        entry.origin = origin
        entry.silence = silence.wholeMilliseconds
        let observation = made.observe(
            playlist, at: url, as: key, from: origin, after: .milliseconds(entry.silence))
        guard let bytes = try? StateEncoder().bytes(entry) else { return nil }
        return (bytes, made, observation)
    }

    /// The entry for a rendition's target duration and what its segments are like; nil where both are known already.
    func survey(_ playlist: MediaPlaylist, as rendition: RenditionKey) -> [UInt8]? {
        var made = ledger
        made.survey(playlist, as: rendition)
        guard
            made.targetDuration != ledger.targetDuration || made.traits(of: rendition) != ledger.traits(of: rendition)
        else { return nil }
        var entry = JournalEntry(kind: .survey, rendition: rendition)
        entry.head = playlist.source
        return try? StateEncoder().bytes(entry)
    }

    /// The entry for a change to another origin.
    func change(to origin: Int) -> [UInt8]? {
        var entry = JournalEntry(kind: .origin, rendition: ledger.leading)
        entry.origin = origin
        return try? StateEncoder().bytes(entry)
    }

    var checkpoint: JournalCheckpoint {
        JournalCheckpoint(ledger: ledger, position: position, playlists: playlists)
    }

    mutating func countAnew() {
        entryCount = 0
        byteCount = 0
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(seconds, 0), 86_400) * 1_000 + max(attoseconds, 0) / 1_000_000_000_000_000
    }
}
