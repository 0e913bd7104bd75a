internal import HLS
internal import Stitching
internal import Transport

/// What a viewer's request says beyond its address.
struct PlaylistRequest: Sendable {
    var playerParameters: [String: String]
    var originParameters = OriginParameters()
    var viewer: Viewer
}

/// Answers playlist requests. This is the table of contents of the server: everything else stands behind one of its lines.
struct PlaylistService: Sendable {
    var sources: [SourceID: Source]
    var sessions: SessionTable
    var contents: ContentReader
    var titles: TitlePlanner
    var channels: ChannelPlanner
    var tracker: BeaconTracker
    var subtitles: SubtitlePieces
    var macros: SessionMacros
    /// Scheme, host and path that viewers reach the server under.
    var publicURL: String?
    var time: any TimeSource

    /// The media playlist of a rendition, as this session sees it.
    func media(_ key: SessionKey, _ name: RenditionKey, _ request: PlaylistRequest) async throws -> StitchedPlaylist {
        let (session, source) = try await begun(key, request)
        let catalog = try await contents.catalog(of: source)
        let rendition = try rendition(name, in: catalog, of: source)
        if source.decisionTime == nil, source.options.adMarkers != .none, source.origins.count == 1,
            let playlist = try await contents.passedThrough(rendition, of: source, in: catalog)
        {
            return playlist
        }
        let ledger = try await contents.observe(rendition, of: source, in: catalog)
        await bringUp(session, of: source, with: ledger)
        channels.desk.prepareSlate(of: source, for: session, catalog: catalog, ledger: ledger)
        let budget = source.options.decisionBudget
        await titles.plan(session, of: source, catalog: catalog, ledger: ledger, patience: budget)
        switch source.id.kind {
        case .live: await channels.decide(session, of: source, catalog: catalog, ledger: ledger)
        case .vod: await titles.close(session, of: source, catalog: catalog, ledger: ledger)
        }
        let playlist = try stitched(rendition, session, of: source, ledger)
        await sessions.keepTimeline(of: session, waits: session.record.tellsPlayer)
        sessions.keepProgress(of: session, in: ledger)
        tracker.follow(session, of: source, playlist)
        return playlist
    }

    /// The multivariant playlist of a session: its links lead back here.
    ///
    /// - Parameter link: the address of a rendition, as it is to stand in the playlist.
    func multivariant(
        _ key: SessionKey, _ request: PlaylistRequest, link: (RenditionKey) -> String
    ) async throws -> [UInt8] {
        let (session, source) = try await begun(key, request)
        let catalog = try await contents.catalog(of: source)
        // The media playlists will soon be asked for: what they wait for begins here.
        source.refreshHouseMedia()
        await plan(session, of: source, in: catalog, patience: source.options.decisionBudget)
        return catalog.multivariantPlaylist(isStitched: source.decisionTime != nil, uri: link)
    }

    /// Begins a session for a player that asks before it plays. A title's breaks are given the provider's own time.
    func begin(_ key: SessionKey, _ request: PlaylistRequest) async throws {
        let (session, source) = try await begun(key, request)
        source.refreshHouseMedia()
        guard let patience = source.decisionTime, source.id.kind == .vod,
            let catalog = try? await contents.catalog(of: source)
        else { return }
        await plan(session, of: source, in: catalog, patience: patience)
    }

    private func bringUp(_ session: Session, of source: Source, with ledger: BreakLedger) async {
        guard await sessions.bringUp(session, with: ledger), source.decisionTime != nil,
            let reason = session.stitching.unstitched
        else { return }
        channels.desk.reports.unstitched(session, reason)
    }

    /// Has a source's slate and bumpers made that are files, so that they are there when its first viewer comes.
    func prepareHouseMedia(of source: Source) async {
        guard source.houseMedia.contains(where: \.awaitsContent), let catalog = try? await contents.catalog(of: source),
            let ledger = try? await contents.observe(source.leading(in: catalog), of: source, in: catalog)
        else { return }
        source.refreshHouseMedia { LadderSubject(source, catalog, ledger) }
    }

    /// Begins to decide a title's breaks, or what a channel's session opens with. An origin that fails here fails again where its
    /// playlist is asked for.
    private func plan(
        _ session: Session, of source: Source, in catalog: SourceCatalog, patience: Duration
    ) async {
        guard source.decisionTime != nil, source.id.kind == .vod || channels.opensWithAds(source),
            let ledger = try? await contents.observe(source.leading(in: catalog), of: source, in: catalog)
        else { return }
        await bringUp(session, of: source, with: ledger)
        switch source.id.kind {
        case .live:
            await channels.plan(session, of: source, catalog: catalog, ledger: ledger, patience: patience)
        case .vod: await titles.plan(session, of: source, catalog: catalog, ledger: ledger, patience: patience)
        }
    }

    /// Where a segment of an ad lies that a player asks for, whose request tells that it is seen.
    ///
    /// - Parameter isLoaded: the segment itself is wanted.
    func adSegment(
        _ key: SessionKey, _ segment: FillReference, _ name: RenditionKey, isLoaded: Bool
    ) async throws -> String {
        let source = try source(key.source)
        let session = await sessions.find(key)
        // Another server may have decided, and shown it.
        if let session { await sessions.takeDecision(for: segment.breakID, of: session) }
        guard let session, let pod = session.decision(for: segment.breakID)?.pod,
            let slot = pod.fill(for: name).slots.first(where: { $0.ad == segment.ad && $0.index == segment.segment })
        else { throw ServerError(.sessionNotFound, place: source.id.name, detail: "no such ad segment") }
        if isLoaded {
            tracker.requested(segment, in: name, by: session, of: (try? window(of: source, for: session)) ?? source)
        }
        return slot.entry.uri
    }

    /// A part of a subtitle segment that a joint of the session has cut. It is the same for all sessions.
    func subtitles(
        _ key: SessionKey, _ piece: SubtitlePiece, of name: RenditionKey
    ) async throws -> [UInt8] {
        var source = try source(key.source)
        if let session = await sessions.find(key) { source = try window(of: source, for: session) }
        let catalog = try await contents.catalog(of: source)
        let rendition = try rendition(name, in: catalog, of: source)
        guard rendition.kind == .subtitles else {
            throw ServerError(.notFound, place: source.id.name, detail: "\(name) has no subtitles")
        }
        var ledger = source.ledger
        // After a restart nothing is known of a title until its playlist is read again.
        if ledger?.place(ofSegment: piece.number, in: name) == nil {
            ledger = try await contents.observe(rendition, of: source, in: catalog)
        }
        guard let ledger else { throw ServerError(.notFound, place: source.id.name, detail: "no subtitles") }
        return try await subtitles.body(piece, of: name, in: ledger, of: source)
    }

    func source(_ id: SourceID) throws(ServerError) -> Source {
        guard let source = sources[id] else {
            throw ServerError(.notFound, place: id.name, detail: "no \(id.kind.rawValue) source of this name")
        }
        return source
    }

    /// Begins a session, or finds it; and its source, as its own parameters for the origin have it.
    private func begun(
        _ key: SessionKey, _ request: PlaylistRequest
    ) async throws(ServerError) -> (session: Session, source: Source) {
        let source = try source(key.source)
        let session = await sessions.session(key) {
            SessionRecord(
                key: key, startedAt: time.now(), playerParameters: request.playerParameters, viewer: request.viewer,
                originParameters: request.originParameters, tracking: source.options.tracking)
        }
        return (session, try window(of: source, for: session))
    }

    func window(of source: Source, for session: Session) throws(ServerError) -> Source {
        let parameters = session.record.originParameters
        guard !parameters.isEmpty, let windows = source.windows else { return source }
        guard let window = windows.source(parameters, at: time.monotonic()) else {
            throw ServerError(.overloaded, place: source.id.name, detail: "more than maxOriginWindows are in use")
        }
        return window
    }

    private func rendition(
        _ name: RenditionKey, in catalog: SourceCatalog, of source: Source
    ) throws(ServerError) -> MediaRendition {
        guard let rendition = catalog[name] else {
            throw ServerError(.playlistNotFound, place: source.id.name, detail: name.text)
        }
        return rendition
    }

    private func stitched(
        _ rendition: MediaRendition, _ session: Session, of source: Source, _ ledger: BreakLedger
    ) throws(ServerError) -> StitchedPlaylist {
        var options = StitchOptions(
            emptySubtitlesURI: EmptySubtitles.name,
            subtitlePieceURI: { SubtitlePieces.name($0, of: rendition.key) },
            // Who looks for a place to seek to does not watch; and what players report themselves need not be seen.
            fillURI: rendition.kind == .iFrames || session.record.tellsPlayer
                ? nil : AdSegmentAddress.writer(for: rendition.key))
        options.markers = source.options.adMarkers
        options.breakMarks = source.options.breakMarkers
        guard let playlist = session.stitch(rendition.key, ledger: ledger, options: options, at: time.monotonic())
        else {
            throw ServerError(
                .originUnreadable, place: session.key.source.name, detail: "\(rendition.key) has no segments")
        }
        return playlist
    }
}
