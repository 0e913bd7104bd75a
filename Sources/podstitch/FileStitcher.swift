import HLS
import Stitching

/// Stitches once, as a viewer would see it who was there when each break began. Pure.
struct FileStitcher {
    struct Content {
        var catalog: SourceCatalog
        /// The rendition to be written.
        var wanted: RenditionKey
        /// The leading rendition's first.
        var playlists: [(key: RenditionKey, playlist: MediaPlaylist, location: String)]
    }

    struct Output: Equatable {
        var playlist: [UInt8]
        /// What became of breaks and ads, a line each.
        var notes: [String]
    }

    private let content: Content
    private let ads: [PodCandidate]
    private let breaks: [StitchArguments.Break]
    private var ledger: BreakLedger
    private var session: StitchingSession
    private var notes: [String] = []

    /// - Parameter breaks: of a title; empty takes those that the content marks, or a pre-roll where it marks none.
    static func stitch(
        _ content: Content, ads: [PodCandidate], breaks: [StitchArguments.Break]
    ) throws(StitchFailure) -> Output {
        var stitcher = try FileStitcher(content, ads: ads, breaks: breaks)
        return try stitcher.output()
    }

    private init(
        _ content: Content, ads: [PodCandidate], breaks: [StitchArguments.Break]
    ) throws(StitchFailure) {
        guard let leading = content.playlists.first, !leading.playlist.segments.isEmpty else {
            throw StitchFailure(message: "the content has no segments")
        }
        let isTitle = leading.playlist.hasEndList || leading.playlist.playlistType == .vod
        guard isTitle || breaks.isEmpty else {
            throw StitchFailure(message: "--break: a live playlist has the breaks that it marks")
        }
        self.content = content
        self.ads = ads
        self.breaks = breaks
        var settings = StitchingSession.Settings()
        // Whoever was there has seen what came before the file.
        settings.needsWindow = false
        session = StitchingSession(settings: settings)
        let longest = ads.flatMap(\.media.renditions).map(\.longestEntry).max() ?? .zero
        // EXT-X-TARGETDURATION is rounded, so half a second more still counts as the whole one.
        let target = Duration.seconds((longest + .milliseconds(500)).components.seconds)
        ledger = BreakLedger(
            leading: leading.key,
            settings: .init(
                kind: isTitle ? .vod : .live, maximumAdSegmentDuration: target, unknownLengthCap: .seconds(180)))
    }

    private mutating func output() throws(StitchFailure) -> Output {
        try watch()
        if ledger.settings.kind == .vod { try addBreaks() }
        decide()
        guard let stitched = session.stitch(content.wanted, ledger: ledger) else {
            throw StitchFailure(message: "nothing to stitch")
        }
        return Output(playlist: stitched.bytes, notes: notes)
    }

    /// Shows the ledger the content: a title at once, a live playlist growing, so that the session begins before its breaks.
    private mutating func watch() throws(StitchFailure) {
        guard let leading = content.playlists.first else { return }
        if ledger.settings.kind == .live {
            var preview = ledger
            preview.observe(leading.playlist, at: leading.location, as: leading.key)
            let first = leading.playlist.segments[0].number
            let ends = Set([first] + preview.breaks.compactMap(\.startNumber)).sorted()
            for end in ends where end >= first && end < first &+ Int64(leading.playlist.segments.count) {
                let part = try Self.part(of: leading.playlist, to: Int(end &- first))
                ledger.observe(part, at: leading.location, as: leading.key)
                decide()
            }
        }
        for (key, playlist, location) in content.playlists { ledger.observe(playlist, at: location, as: key) }
    }

    /// The playlist as it was when its last segment was that one.
    private static func part(of playlist: MediaPlaylist, to index: Int) throws(StitchFailure) -> MediaPlaylist {
        let end = playlist.segments[index].uri.upperBound
        do {
            return try MediaPlaylist(parsing: playlist.source[..<end] + [0x0A])
        } catch {
            throw StitchFailure(message: "the content cannot be read in parts: \(error)")
        }
    }

    private mutating func addBreaks() throws(StitchFailure) {
        session.begin(with: ledger)
        var wanted = breaks
        if wanted.isEmpty && ledger.breaks.isEmpty { wanted = [StitchArguments.Break(offset: .zero)] }
        if !breaks.isEmpty {
            for marked in ledger.breaks { session.decide(.content(.noAds), for: marked.id) }
        }
        for (index, wanted) in wanted.enumerated() {
            let id = BreakID("break-\(index + 1)")
            guard let insertion = ledger.ownBreak(id: id, at: wanted.offset == .zero ? .start : .offset(wanted.offset))
            else { throw StitchFailure(message: "--break: the content has no such place") }
            guard wanted.length > .zero else {
                session.add(insertion)
                continue
            }
            session.add(
                ContentBreak(
                    id: id, startNumber: insertion.startNumber, start: insertion.start,
                    plannedDuration: wanted.length, availableDuration: wanted.length, isInsertion: false))
        }
    }

    /// Gives every undecided break the ads.
    private mutating func decide() {
        let preparation = session.prepare(with: ledger, now: DateTime(nanoseconds: 0))
        for decided in preparation.decided { note(decided.id, .content(decided.reason)) }
        for pending in preparation.pending {
            // The planner is gone before the session changes: its copy would make each decision copy all others.
            let result = PodPlanner(session: session, ledger: ledger, catalog: content.catalog)
                .decision(for: pending.opportunity, candidates: ads)
            for skip in result.skipped {
                notes.append("\(pending.opportunity.id): \(skip.id) left out: \(skip.reason.text)")
            }
            session.decide(result.decision, for: pending.opportunity.id)
            note(pending.opportunity.id, result.decision)
        }
    }

    private mutating func note(_ id: BreakID, _ decision: Decision) {
        switch decision {
        case .ads(let pod):
            notes.append("\(id): \(pod.ads.count) ads, \(DecimalText.text(pod.duration)) s")
        case .content(let reason):
            notes.append("\(id): content, \(reason.code)\(reason.detail.map { " (\($0))" } ?? "")")
        case .fallback(let fallback): note(id, .content(fallback.reason))
        }
    }
}
