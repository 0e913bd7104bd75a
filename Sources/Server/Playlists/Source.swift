internal import HLS
internal import Stitching
internal import Synchronization

/// A channel or title while it is served: its options, its ad provider, and what is known of its content.
final class Source: Sendable {
    private struct Observed {
        var ledger: BreakLedger
        /// The versions of the playlists that the ledger has taken in.
        var versions: [RenditionKey: UInt64] = [:]
        /// Monotonic time at which the leading rendition's edge was last seen to move.
        var edgeMovedAt: Duration = .zero
    }

    let id: SourceID
    let options: SourceOptions
    let providers: ProviderChain
    /// Who is asked for the ads that a live session begins with; empty for none.
    let preroll: ProviderChain
    /// Nil where no parameters go on to the origin, and for a window itself.
    let windows: SourceWindows?
    /// Of a window.
    private let parameters: OriginParameters
    /// Longest time that decisions may take; `nil` where nobody is asked for ads.
    let decisionTime: Duration?
    /// What fills; nil: the content.
    let slate: Slate?
    /// Media before and after the ads of each pod.
    let bumpers: (start: Slate?, end: Slate?)
    private let observed = Mutex<Observed?>(nil)
    private let survey = Mutex<SharedWork<Void>?>(nil)
    /// By origin.
    private let read = Mutex<[Int: (version: UInt64, catalog: SourceCatalog)]>([:])
    /// The origin in use while no ledger tells.
    private let chosenOrigin = Mutex(0)
    let health = Mutex(OriginHealth())
    /// The ledger of a channel whose store outlives the process; without it, and for titles, the ledger is this process' own.
    private let journal: LedgerJournal?
    /// What its renditions are called.
    let register: RenditionRegister

    init(
        id: SourceID, options: SourceOptions, providers: ProviderChain, preroll: ProviderChain = ProviderChain(),
        decisionTime: Duration?, slate: Slate? = nil, bumpers: (start: Slate?, end: Slate?) = (nil, nil),
        journal: LedgerJournal? = nil, register: RenditionRegister,
        parameters: OriginParameters = OriginParameters(), windows: SourceWindows? = nil
    ) {
        self.parameters = parameters
        self.windows = windows
        self.preroll = preroll
        self.id = id
        self.slate = slate
        self.bumpers = bumpers
        self.journal = journal
        self.register = register
        self.decisionTime = decisionTime
        self.options = options
        self.providers = providers
    }

    /// Who is asked for the ads of a break.
    func providers(for opportunity: Opportunity) -> ProviderChain {
        opportunity.id == .preroll && !preroll.isEmpty ? preroll : providers
    }

    /// Slate and bumpers, as far as there are any.
    var houseMedia: [Slate] { [slate, bumpers.start, bumpers.end].compactMap { $0 } }

    /// Has slate and bumpers fetched that are due.
    ///
    /// - Parameter content: what the source is like, once it is known.
    func refreshHouseMedia(for content: (() -> LadderSubject)? = nil) {
        for media in houseMedia { media.refresh(for: content) }
    }

    /// The address at which a playlist of the origin's is asked for.
    func upstreamURL(_ url: String) -> String { parameters.added(to: url) }

    /// The renditions of a version of the multivariant playlist, where that was read.
    func catalog(version: UInt64, origin: Int) -> SourceCatalog? {
        read.withLock { $0[origin].flatMap { $0.version == version ? $0.catalog : nil } }
    }

    func keep(_ catalog: SourceCatalog, version: UInt64, origin: Int) {
        read.withLock { $0[origin] = (version, catalog) }
    }

    /// Where the content can be had, the first one first.
    var origins: [String] { [options.origin] + options.backupOrigins }

    /// Which of ``origins`` is asked. All processes that share a store agree about it.
    var origin: Int {
        let origin = ledger?.origin ?? chosenOrigin.withLock { $0 }
        return origins.indices.contains(origin) ? origin : 0
    }

    /// From now on another origin is asked.
    func use(origin: Int, leading: RenditionKey) async {
        chosenOrigin.withLock { $0 = origin }
        health.withLock { $0.switched() }
        if let journal { return await journal.use(origin: origin, leading: leading, settings: ledgerSettings) }
        observed.withLock { observed in
            observed?.ledger.use(origin: origin)
            observed?.versions = [:]
        }
    }

    /// What is known after the playlists in `snapshots` were taken in, in their order: the leading rendition's comes first.
    ///
    /// - Parameters:
    ///   - variables: what the playlists may import.
    ///   - origin: which one they are from.
    ///   - now: monotonic.
    ///   - oddity: hears of each playlist that does not follow on what is known.
    func observe(
        _ snapshots: [(rendition: RenditionKey, snapshot: OriginSnapshot)], leading: RenditionKey,
        variables: PlaylistVariables, origin: Int, now: Duration,
        oddity: (RenditionKey, BreakLedger.Observation) -> Void
    ) async -> BreakLedger {
        let silence = edge.map { now - $0.movedAt } ?? .zero
        if let journal {
            let seen = snapshots.compactMap { rendition, snapshot in
                snapshot.media.map { media in
                    LedgerJournal.Seen(
                        rendition: rendition, version: snapshot.version, url: snapshot.finalURL,
                        playlist: media.plain(importing: variables, uri: snapshot.finalURL), origin: origin,
                        silence: silence)
                }
            }
            return await journal.observe(seen, leading: leading, settings: ledgerSettings)
        }
        return observed.withLock { observed in
            var known = observed ?? Observed(ledger: BreakLedger(leading: leading, settings: ledgerSettings))
            if observed == nil { known.ledger.use(origin: chosenOrigin.withLock { $0 }) }
            for (rendition, snapshot) in snapshots where origin == known.ledger.origin {
                guard let playlist = snapshot.media, known.versions[rendition] != snapshot.version else { continue }
                // Of two requests that cross, the one with the older playlist must not take the ledger back.
                if let version = known.versions[rendition], version > snapshot.version { continue }
                known.versions[rendition] = snapshot.version
                let edge = known.ledger.heldEdge
                let observation = known.ledger.observe(
                    playlist.plain(importing: variables, uri: snapshot.finalURL), at: snapshot.finalURL, as: rendition,
                    from: origin, after: silence)
                if known.ledger.heldEdge != edge { known.edgeMovedAt = now }
                if observation == .stale || observation == .restarted { oddity(rendition, observation) }
                // Held against the leading rendition's next one again.
                if observation == .waiting { known.versions[rendition] = nil }
            }
            known.ledger.finishRound()
            observed = known
            return known.ledger
        }
    }

    /// The first look at every rendition, and whether the caller is the one to take it.
    func claimSurvey() -> (work: SharedWork<Void>, isNew: Bool) {
        survey.withLock { survey in
            if let survey { return (survey, false) }
            let work = SharedWork<Void>()
            survey = work
            return (work, true)
        }
    }

    /// Takes in the target durations of renditions that no session may have asked for yet, and what their segments are like.
    func survey(_ snapshots: [(rendition: RenditionKey, snapshot: OriginSnapshot)], leading: RenditionKey) async {
        let playlists = snapshots.compactMap { rendition, snapshot in
            snapshot.media.map { (rendition: rendition, playlist: $0) }
        }
        if let journal {
            await journal.survey(playlists, leading: leading, settings: ledgerSettings)
            return
        }
        observed.withLock { observed in
            var known = observed ?? Observed(ledger: BreakLedger(leading: leading, settings: ledgerSettings))
            if observed == nil { known.ledger.use(origin: chosenOrigin.withLock { $0 }) }
            for (rendition, playlist) in playlists { known.ledger.survey(playlist, as: rendition) }
            observed = known
        }
    }

    /// What is known of the content so far.
    var ledger: BreakLedger? { journal?.ledger ?? observed.withLock { $0?.ledger } }

    /// What is known, and the monotonic time at which the live edge last moved.
    var edge: (ledger: BreakLedger, movedAt: Duration)? {
        journal?.edge ?? observed.withLock { $0.map { ($0.ledger, $0.edgeMovedAt) } }
    }

    var sessionSettings: StitchingSession.Settings {
        var settings = StitchingSession.Settings(
            decisionDeadline: options.decisionDeadline, personalisationThreshold: options.personalisationThreshold,
            earlyReturn: options.earlyReturn == .complete ? .complete : .cut, fill: options.fill.policy,
            join: options.join.policy, retryRest: options.retryRest, opening: opening)
        settings.isSeenByRequest = options.segmentRedirect
        return settings
    }

    private var opening: StitchingSession.Opening {
        let suppression: StitchingSession.Suppression? =
            switch options.suppression {
            case .off: nil
            case .behindLiveEdge: .behindEdge(options.suppressionDistance)
            case .afterLiveEdge:
                .untilAfterEdge(options.suppressionDistance, fillsRest: options.suppressionFill == .partialBreak)
            }
        return StitchingSession.Opening(
            stitchesPastBreaks: options.pastBreaks == .stitch, suppression: suppression,
            longestPreroll: preroll.isEmpty ? nil : options.longestPreroll)
    }

    /// The rendition on whose timeline breaks are chosen.
    func leading(in catalog: SourceCatalog) -> MediaRendition {
        catalog[catalog.leading]
            ?? MediaRendition(key: catalog.leading, kind: .variant, upstreamURL: options.origin)
    }

    /// Which one that is when the source is first seen: the operator's choice by NAME, GROUP-ID, RESOLUTION, key or a folder of its
    /// address, else the first video rendition.
    func firstLeading(in catalog: SourceCatalog) -> RenditionKey {
        let chosen = options.leadingRendition.flatMap { name in
            catalog.renditions.first { rendition in
                guard rendition.kind == .variant || rendition.kind == .audio else { return false }
                if rendition.name == name || rendition.groupID == name || rendition.key.text == name { return true }
                if let size = rendition.resolution, "\(size.width)x\(size.height)" == name { return true }
                let path = rendition.upstreamURL.prefix { $0 != "?" && $0 != "#" }
                return path.split(separator: "/").dropLast().contains { $0 == name }
            }
        }
        return chosen?.key ?? catalog.leading
    }

    private var ledgerSettings: BreakLedger.Settings {
        var settings = BreakLedger.Settings(
            kind: id.kind == .live ? .live : .vod,
            maximumAdSegmentDuration: .seconds(options.maxAdSegmentDuration ?? 0),
            unknownLengthCap: options.cueOutCap)
        settings.levels = BreakLevels(opening: options.breakSegmentationTypes)
        settings.dateRangePlacing = options.dateRangePlacing
        settings.readsAllRenditions = options.markerRenditions == .all
        return settings
    }
}

extension SourceOptions.Fill {
    fileprivate var policy: FillPolicy {
        switch self {
        case .content: .content
        case .slate: .slate
        case .minimizeSlate: .minimizeSlate
        }
    }
}

extension SourceOptions.Join {
    fileprivate var policy: JoinPolicy {
        switch self {
        case .content: .content
        case .slate: .slate
        case .fit: .fit
        }
    }
}
