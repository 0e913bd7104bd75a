internal import HLS
internal import Stitching
internal import Transport

/// A playlist request of a viewer, as far as it matters what it says.
struct PlaylistRequest: Sendable {
    var playerParameters: [String: String]
    var viewer: Viewer
}

/// Answers playlist requests. The table of contents of the server: everything else is behind one of its lines.
struct PlaylistService: Sendable {
    var sources: [SourceID: Source]
    var sessions: SessionTable
    var contents: ContentReader
    var desk: DecisionDesk
    var titles: TitlePlanner
    var tracker: BeaconTracker
    var time: any TimeSource
    var metrics: Metrics

    /// The media playlist of a rendition, as this session sees it.
    func media(
        _ key: SessionKey, rendition name: String, request: PlaylistRequest
    ) async throws -> StitchedPlaylist {
        let source = try source(key.source)
        let session = try await session(key, source, request)
        let content = try await contents.content(of: source)
        let rendition = try content.rendition(named: name)
        let ledger = try await contents.observe(rendition, of: source, in: content)
        try await titles.plan(session, of: source, content: content, ledger: ledger)
        let now = DateTime(nanoseconds: time.now())
        let undecided = session.prepare(with: ledger, now: now)
        desk.keep(undecided.decided, of: session)
        await desk.decide(undecided.pending, for: session, of: source, content: content.forAds(ledger))
        guard let playlist = session.stitch(rendition.key, ledger: ledger, options: links(key, rendition)) else {
            throw ServerError(.playlistNotFound, place: source.id.name, detail: rendition.key.text)
        }
        tracker.follow(session, of: source, rendition: rendition, playlist, ledger: ledger)
        metrics.playlists.increment()
        return playlist
    }
