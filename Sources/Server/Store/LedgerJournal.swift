internal import HLS
internal import Stitching
internal import Synchronization
internal import Transport

/// The ledger of a channel for all processes that share a store: what each sees of the origin goes into one journal, and each takes
/// in the whole journal in its order. So the same segment has the same number, time and discontinuity everywhere, also after a
/// restart, and whoever answers a viewer answers alike.
final class LedgerJournal: Sendable {
    /// A playlist that was fetched.
    struct Seen: Sendable {
        var rendition: RenditionKey
        var version: UInt64
        var url: String
        /// Without variables.
        var playlist: MediaPlaylist
        /// Which of the channel's origins it is from.
        var origin = 0
        /// How long the leading rendition had brought nothing new.
        var silence = Duration.zero
    }

    /// What requests have brought while others were taken in.
    private struct Wanted {
        var leading: RenditionKey
        var settings: BreakLedger.Settings
        /// The newest playlist of each rendition.
        var seen: [RenditionKey: Seen] = [:]
        /// The origin to be asked from now on.
        var origin: Int?
        /// Playlists whose target durations count.
        var surveyed: [(rendition: RenditionKey, playlist: MediaPlaylist)] = []
        /// Ends when all of this was taken in.
        let work = SharedWork<Void>()

        mutating func add(_ playlists: [Seen]) {
            for one in playlists where seen[one.rendition].map({ $0.version < one.version }) ?? true {
                seen[one.rendition] = one
            }
        }

        /// The leading rendition's comes first.
        var inOrder: [Seen] {
            seen.values.sorted { left, right in
                if left.rendition == leading || right.rendition == leading { return left.rendition == leading }
                return left.rendition < right.rendition
            }
        }
    }

    private struct State {
        var replica: JournalReplica?
        var versions: [RenditionKey: UInt64] = [:]
        /// Monotonic time at which the leading rendition's edge was last seen to move.
        var edgeMovedAt = Duration.zero
        /// Monotonic time at which a request's playlists were last taken in.
        var takenAt: Duration?
        /// ``StateStore/changeCount`` before the journal was last read.
        var readAt: Int?
        /// Playlists are being taken in.
        var isRunning = false
        /// What is to be taken in next.
        var wanted: Wanted?
        var checkpointBytes = 0
        /// ``StateStore/openingCount`` of the store that has the entries.
        var keptIn: Int?
        /// It was made, or left alone, while the store was away that others use: what it has seen since, with a gap in it, is this
        /// process' own, until it is made anew from what the others have seen.
        var isProvisional = false
        /// Playlists of renditions that have begun to count anew before the leading one.
        var waiting: [RenditionKey: Seen] = [:]
    }

    private let owner: String
    private let store: ResilientStore
    private let time: any TimeSource
    private let lifetime: Duration
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let oddity: @Sendable (RenditionKey, BreakLedger.Observation) -> Void
    private let encode: @Sendable (@escaping @Sendable () -> Void) -> Void
    private let state = Mutex(State())

    /// Entries that are kept behind a checkpoint, for processes that are a little behind.
    private static let keptEntries: Int64 = 256
    /// How long a request waits for the store while there is an older ledger to answer with.
    private static let patience = Duration.milliseconds(300)

    /// - Parameters:
    ///   - lifetime: of the ledger while nobody asks for the channel.
    ///   - start: runs a job in the background.
    ///   - encode: runs what takes too long for an event loop.
    ///   - oddity: hears of each playlist that does not follow on what is known.
    init(
        _ source: SourceID, window: OriginParameters = OriginParameters(), store: ResilientStore, time: any TimeSource,
        lifetime: Duration,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
        encode: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = startThread,
        oddity: @escaping @Sendable (RenditionKey, BreakLedger.Observation) -> Void
    ) {
        owner = "c/\(source.kind.rawValue)/\(source.name)" + (window.isEmpty ? "" : "?\(window.text)")
        self.store = store
        self.time = time
        self.lifetime = lifetime
        self.start = start
        self.encode = encode
        self.oddity = oddity
    }

    var ledger: BreakLedger? { state.withLock { $0.replica?.ledger } }

    var edge: (ledger: BreakLedger, movedAt: Duration)? {
        state.withLock { state in state.replica.map { ($0.ledger, state.edgeMovedAt) } }
    }

    /// The ledger after these playlists, and all that other processes have seen until now.
    func observe(_ seen: [Seen], leading: RenditionKey, settings: BreakLedger.Settings) async -> BreakLedger {
        let changes = store.changeCount
        for _ in 0..<4 {
            if let ledger = known(seen, changes: changes) { return ledger }
            let work = want(leading: leading, settings: settings) { $0.add(seen) }
            if let ledger = recent, seen.allSatisfy({ ledger.renditions[$0.rendition] != nil }) {
                guard await work.value(within: Self.patience, on: time) != nil else { return ledger }
            } else {
                _ = await work.value()
            }
        }
        return ledger ?? BreakLedger(leading: leading, settings: settings)
    }

    /// Takes in the target durations of renditions that nobody may ask for.
    func survey(
        _ playlists: [(rendition: RenditionKey, playlist: MediaPlaylist)], leading: RenditionKey,
        settings: BreakLedger.Settings
    ) async {
        _ = await want(leading: leading, settings: settings) { $0.surveyed += playlists }.value()
    }

    /// Another origin is asked from now on, by all.
    func use(origin: Int, leading: RenditionKey, settings: BreakLedger.Settings) async {
        _ = await want(leading: leading, settings: settings) { $0.origin = origin }.value()
    }

    // MARK: One at a time

    /// The ledger, unless nobody has asked for so long that the segments it lists may be gone: no session is to begin there.
    private var recent: BreakLedger? {
        let now = time.monotonic()
        return state.withLock { state in
            guard let ledger = state.replica?.ledger, let takenAt = state.takenAt,
                now - takenAt <= ledger.targetDuration * 3
            else { return nil }
            return ledger
        }
    }

    /// The ledger, where nothing is new.
    private func known(_ seen: [Seen], changes: Int) -> BreakLedger? {
        state.withLock { state in
            guard let ledger = state.replica?.ledger, let readAt = state.readAt, readAt >= changes else { return nil }
            let isKnown = seen.allSatisfy { one in state.versions[one.rendition].map { $0 >= one.version } ?? false }
            return isKnown ? ledger : nil
        }
    }

    /// Adds to what is to be taken in next. The work ends when it was.
    private func want(
        leading: RenditionKey, settings: BreakLedger.Settings, _ add: (inout Wanted) -> Void
    ) -> SharedWork<Void> {
        let (work, isFirst) = state.withLock { state in
            var wanted = state.wanted ?? Wanted(leading: leading, settings: settings)
            wanted.leading = leading
            wanted.settings = settings
            add(&wanted)
            state.wanted = wanted
            defer { state.isRunning = true }
            return (wanted.work, !state.isRunning)
        }
        if isFirst { start { [self] in await run() } }
        return work
    }

    /// Takes in what is wanted until nothing more is.
    private func run() async {
        while let wanted = nextWanted() {
            let replica = await advance(wanted)
            // Nobody waits for a checkpoint.
            wanted.work.finish(with: ())
            await keepCheckpoint(of: replica)
        }
    }

    private func nextWanted() -> Wanted? {
        state.withLock { state in
            defer { state.wanted = nil }
            state.isRunning = state.wanted != nil
            return state.wanted
        }
    }

    private func advance(_ wanted: Wanted) async -> JournalReplica {
        let leading = wanted.leading
        let changes = store.changeCount
        var replica = await followed(leading: leading, settings: wanted.settings)
        for (rendition, playlist) in wanted.surveyed {
            while let entry = replica.survey(playlist, as: rendition) { await append(entry, made: nil, to: &replica) }
        }
        if let origin = wanted.origin {
            while replica.ledger.origin != origin, let entry = replica.change(to: origin) {
                if await append(entry, made: nil, to: &replica) { break }
            }
        }
        state.withLock { state in
            guard state.replica?.ledger.origin != replica.ledger.origin else { return }
            // Of another origin nothing is known.
            state.versions = [:]
            state.waiting = [:]
        }
        let new = wanted.inOrder.filter(isNew)
        for one in new {
            let isTaken = await take(one, into: &replica)
            state.withLock { $0.waiting[one.rendition] = isTaken ? nil : one }
        }
        for one in state.withLock({ $0.waiting.values.sorted { $0.rendition < $1.rendition } }) {
            guard await take(one, into: &replica) else { continue }
            state.withLock { $0.waiting[one.rendition] = nil }
        }
        while replica.ledger.hasUnreadMarkers,
            let bytes = try? StateEncoder().bytes(JournalEntry(kind: .round, rendition: leading))
        {
            if await append(bytes, made: nil, to: &replica) { break }
        }
        publish(replica, with: new, readAt: changes)
        if !wanted.seen.isEmpty { state.withLock { $0.takenAt = time.monotonic() } }
        return replica
    }

    /// Of two requests that cross, the one with the older playlist must not take the ledger back.
    private func isNew(_ one: Seen) -> Bool {
        state.withLock { state in state.versions[one.rendition].map { $0 < one.version } ?? true }
    }

    /// Takes in a playlist; false where it has to wait for the leading rendition's.
    private func take(_ one: Seen, into replica: inout JournalReplica) async -> Bool {
        // Of several processes that see the origin move one is first; then there may be nothing left to add.
        while let new = replica.entry(
            one.playlist, of: one.rendition, at: one.url, from: one.origin, after: one.silence)
        {
            switch new.observation {
            case .waiting: return false
            case .stale:
                if one.origin == replica.ledger.origin { oddity(one.rendition, .stale) }
                return true
            case .restarted: oddity(one.rendition, .restarted)
            case .advanced, .unchanged: break
            }
            if await append(new.bytes, made: new.ledger, to: &replica) { break }
        }
        return true
    }

    /// The replica with all that other processes have added.
    private func followed(leading: RenditionKey, settings: BreakLedger.Settings) async -> JournalReplica {
        if let replica = await movedOn(leading: leading, settings: settings) { return replica }
        let now = time.monotonic()
        let isProvisional = state.withLock { state in
            if store.holdsBack {
                let isWhole = state.replica.flatMap { replica in
                    state.takenAt.map { now - $0 <= replica.ledger.unwatchedTime }
                }
                state.isProvisional = state.isProvisional || isWhole != true
            }
            return state.isProvisional
        }
        if isProvisional {
            if store.holdsBack, let replica = state.withLock({ $0.replica }), replica.ledger.leading == leading {
                return replica
            }
            if !store.holdsBack {
                state.withLock { $0.isProvisional = false }
                forgetVersions()
                return JournalReplica(
                    await store.entries(of: owner(leading)), leading: leading, settings: settings)
            }
        }
        // Where another process has taken the place of what the store did not take in time, its word holds.
        if await !store.holdsOwnWord(of: owner(leading)) {
            forgetVersions()
        } else if var replica = state.withLock({ $0.replica }), replica.ledger.leading == leading {
            let from = JournalReplica.name(JournalReplica.entryPrefix, replica.position)
            if replica.follow(await store.entries(of: owner(leading), from: from)) { return replica }
        }
        return JournalReplica(await store.entries(of: owner(leading)), leading: leading, settings: settings)
    }

    /// Where the store is another one than before: the replica that another process has begun there with, or this process', which is kept
    /// there first of all. Nil where it is the same one, or does not take it yet.
    private func movedOn(leading: RenditionKey, settings: BreakLedger.Settings) async -> JournalReplica? {
        let opening = store.openingCount
        let own = state.withLock { state in
            if state.keptIn == nil { state.keptIn = opening }
            return state.keptIn == opening ? nil : state.replica
        }
        guard var replica = own, replica.ledger.leading == leading else { return nil }
        let entries = await store.entries(of: owner(leading))
        if JournalReplica.hasCheckpoint(entries) {
            replica = JournalReplica(entries, leading: leading, settings: settings)
            forgetVersions()
        } else {
            _ = replica.follow(entries)
            guard await offerCheckpoint(of: replica) else { return nil }
        }
        state.withLock { state in
            state.keptIn = opening
            state.isProvisional = false
        }
        return replica
    }

    /// Adds an entry, or takes in the one that another process has put in its place. Whether it was added.
    @discardableResult
    private func append(_ bytes: [UInt8], made: BreakLedger?, to replica: inout JournalReplica) async -> Bool {
        let owner = owner(replica.ledger.leading)
        if state.withLock({ $0.isProvisional }) {
            replica.take(bytes, ledger: made)
            return true
        }
        guard await store.holdsOwnWord(of: owner) else {
            forgetVersions()
            replica = JournalReplica(
                await store.entries(of: owner), leading: replica.ledger.leading, settings: replica.ledger.settings)
            return false
        }
        let name = JournalReplica.name(JournalReplica.entryPrefix, replica.position)
        let held = await store.append([StoreEntry(name: name, value: bytes)], of: owner, until: expiry).first
        let isOwn = held == nil || held == bytes
        replica.take(held ?? bytes, ledger: isOwn ? made : nil)
        return isOwn
    }

    /// What was taken in before may not be in the ledger.
    private func forgetVersions() { state.withLock { $0.versions = [:] } }

    /// Ledger and what it has taken in at once, else a request would find its playlist known and the ledger without it.
    private func publish(_ replica: JournalReplica, with new: [Seen], readAt changes: Int) {
        let now = time.monotonic()
        state.withLock { state in
            if state.replica?.ledger.heldEdge != replica.ledger.heldEdge { state.edgeMovedAt = now }
            state.replica = replica
            state.readAt = changes
            for one in new { state.versions[one.rendition] = one.version }
        }
    }

    /// Now and then, so that who comes later need not read from the beginning: when the entries since the last checkpoint have
    /// grown to half of its size.
    private func keepCheckpoint(of replica: JournalReplica) async {
        let isDue = state.withLock { state in
            // Of a window of hours it is megabytes, and most of it stays as it is.
            guard
                replica.entryCount >= max(240, state.checkpointBytes >> 13)
                    || replica.entryCount >= 24 && replica.byteCount * 2 >= state.checkpointBytes
            else { return false }
            state.replica?.countAnew()
            return true
        }
        guard isDue, !store.holdsBack, !state.withLock({ $0.isProvisional }) else { return }
        _ = await offerCheckpoint(of: replica)
    }

    /// Keeps a checkpoint if the store takes it now. Whether it did.
    private func offerCheckpoint(of replica: JournalReplica) async -> Bool {
        // That takes so long then that an event loop is not to wait for it.
        let encoded = SharedWork<[UInt8]?>()
        encode { encoded.finish(with: try? StateEncoder().bytes(replica.checkpoint)) }
        guard let bytes = await encoded.value() ?? nil else { return false }
        state.withLock { $0.checkpointBytes = bytes.count }
        let (entry, checkpoint) = (JournalReplica.entryPrefix, JournalReplica.checkpointPrefix)
        let name = JournalReplica.name(checkpoint, replica.position)
        let owner = owner(replica.ledger.leading)
        // While the store is away the entries wait for it: who comes back first with its own goes on, and only then is there a
        // ledger that holds for all.
        guard await store.offer(StoreEntry(name: name, value: bytes), of: owner, until: expiry) else {
            return false
        }
        let first = max(replica.position - Self.keptEntries, 0)
        await store.remove(JournalReplica.name(checkpoint, 0)..<name, of: owner)
        await store.remove(
            JournalReplica.name(entry, 0)..<JournalReplica.name(entry, first), of: owner)
        return true
    }

    private func owner(_ leading: RenditionKey) -> String { "\(owner)/\(leading)" }

    private var expiry: Int64 { DateTime(nanoseconds: time.now()).advanced(by: lifetime).nanoseconds }
}
