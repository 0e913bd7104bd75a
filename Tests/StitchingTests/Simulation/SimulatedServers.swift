import FoundationEssentials
import HLS

@testable import Stitching

/// What a store keeps, and the servers that share it and nothing else.
struct SimulatedServers {
    /// What every server can read: the playlists that were seen, in one order, and what was kept of each session.
    struct Store {
        enum Entry {
            /// And how long the leading rendition had brought nothing new.
            case seen(MediaPlaylist, RenditionKey, silence: Duration)
            case origin(Int)
        }

        struct Kept {
            var start: StitchingSession.Start?
            /// The session's own breaks, once its first playlist was made.
            var opening: [ContentBreak]?
            var decisions: [BreakID: Decision] = [:]
            var progress: StitchingSession.Progress?
            var milestones: Int?
        }

        var journal: [Entry] = []
        var sessions: [Kept]
    }

    /// One process.
    struct Server {
        var ledger: BreakLedger
        var read = 0
        var sessions: [StitchingSession]
    }

    private(set) var store: Store
    private(set) var servers: [Server]
    private let settings: BreakLedger.Settings
    private let leading: RenditionKey
    private let viewers: [StitchingSession.Settings]
    private let options: StitchOptions

    init(
        count: Int, leading: RenditionKey, settings: BreakLedger.Settings, viewers: [StitchingSession.Settings],
        options: StitchOptions = StitchOptions()
    ) {
        self.options = options
        self.settings = settings
        self.leading = leading
        self.viewers = viewers
        store = Store(sessions: viewers.map { _ in Store.Kept() })
        let server = Server(
            ledger: BreakLedger(leading: leading, settings: settings),
            sessions: viewers.map { StitchingSession(settings: $0) })
        servers = Array(repeating: server, count: count)
    }

    mutating func see(_ playlist: MediaPlaylist, as key: RenditionKey, after silence: Duration) {
        store.journal.append(.seen(playlist, key, silence: silence))
    }

    /// The channel goes over to another of its origins.
    mutating func use(origin: Int) { store.journal.append(.origin(origin)) }

    /// Brings a server up to what the store has for a viewer.
    mutating func catchUp(_ index: Int, viewer: Int) {
        let kept = store.sessions[viewer]
        for entry in store.journal[servers[index].read...] {
            switch entry {
            case .seen(let playlist, let key, let silence):
                servers[index].ledger.observe(playlist, at: "https://o/\(key).m3u8", as: key, after: silence)
            case .origin(let origin): servers[index].ledger.use(origin: origin)
            }
        }
        servers[index].read = store.journal.count
        if let start = kept.start { servers[index].sessions[viewer].begin(start) }
        if let opening = kept.opening { servers[index].sessions[viewer].open(with: opening) }
        for (id, decision) in kept.decisions { servers[index].sessions[viewer].decide(decision, for: id) }
        if let progress = kept.progress { servers[index].sessions[viewer].resume(progress) }
    }

    /// The undecided breaks. What needs no ad server is decided in the store first.
    ///
    /// - Parameter fallbacks: what is decided where there are no ads.
    mutating func prepare(
        _ index: Int, viewer: Int, now: DateTime,
        fallbacks: (StitchingSession, BreakLedger, [(id: BreakID, reason: ContentReason)]) -> [Decision]
    ) -> StitchingSession.Preparation {
        if store.sessions[viewer].start == nil,
            let start = servers[index].sessions[viewer].start(with: servers[index].ledger)
        {
            store.sessions[viewer].start = start
            servers[index].sessions[viewer].begin(start)
        }
        if let own = servers[index].sessions[viewer].openingBreaks(with: servers[index].ledger) {
            let kept = store.sessions[viewer].opening ?? own
            store.sessions[viewer].opening = kept
            servers[index].sessions[viewer].open(with: kept)
        }
        while true {
            let found = servers[index].sessions[viewer].propose(with: servers[index].ledger, now: now)
            if found.decided.isEmpty { return found }
            let decisions = fallbacks(servers[index].sessions[viewer], servers[index].ledger, found.decided)
            for (decided, decision) in zip(found.decided, decisions) {
                decide(decision, for: decided.id, index, viewer: viewer)
            }
        }
    }

    /// Set if absent.
    mutating func decide(_ decision: Decision, for id: BreakID, _ index: Int, viewer: Int) {
        let held = store.sessions[viewer].decisions[id] ?? decision
        store.sessions[viewer].decisions[id] = held
        servers[index].sessions[viewer].decide(held, for: id)
    }

    /// The playlist of a rendition; what a session could not work out again is kept.
    mutating func stitch(_ key: RenditionKey, _ index: Int, viewer: Int) -> StitchedPlaylist? {
        guard
            let answer = servers[index].sessions[viewer].stitch(
                key, ledger: servers[index].ledger, options: options)
        else {
            return nil
        }
        let session = servers[index].sessions[viewer]
        if session.hasPlaces, store.sessions[viewer].milestones != session.milestones,
            session.progress.revision > store.sessions[viewer].progress?.revision ?? .min
        {
            store.sessions[viewer].milestones = session.milestones
            store.sessions[viewer].progress = session.progress
        }
        return answer
    }

    /// The process ends and begins anew with what the store has.
    mutating func restart(_ index: Int, isWritten: Bool) throws {
        if isWritten {
            servers[index].ledger = try Self.written(servers[index].ledger)
            for viewer in store.sessions.indices {
                store.sessions[viewer].progress = try store.sessions[viewer].progress.map(Self.written)
            }
        }
        servers[index].sessions = viewers.map { StitchingSession(settings: $0) }
    }

    private static func written<T: Codable>(_ value: T) throws -> T {
        try JSONDecoder().decode(T.self, from: JSONEncoder().encode(value))
    }
}
