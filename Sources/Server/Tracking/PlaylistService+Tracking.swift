internal import HLS
internal import Stitching

extension PlaylistService {
    /// What the session's breaks hold, for its player.
    func tracking(_ key: SessionKey, after token: String?) async throws -> String {
        let (session, source) = try await living(key)
        var breaks: [StitchedBreak] = []
        if source.decisionTime != nil {
            let ledger = try await known(of: source)
            await sessions.catchUp(session)
            breaks = session.stitchedBreaks(in: ledger)
        }
        return TrackingDocument(
            mode: source.options.tracking, session: session, macros: macros, publicURL: publicURL
        ).json(breaks, after: token)
    }

    /// Sends what an event names that a player reports, once.
    func relay(_ reported: RelayedEvent, of key: SessionKey) async throws {
        let (session, source) = try await living(key)
        if session.decision(for: reported.breakID) == nil { await sessions.catchUp(session) }
        guard source.options.tracking == .relay, let pod = session.decision(for: reported.breakID)?.pod,
            pod.ads.indices.contains(reported.ad)
        else { throw ServerError(.notFound, place: key.source.name, detail: "no such ad") }
        let timed = pod.ads[reported.ad].tracking
        let handouts = session.handouts(of: reported.breakID)
        let actions = handouts.indices.contains(reported.ad) ? handouts[reported.ad]?.actions ?? [] : []
        let events = timed.events + actions
        guard events.indices.contains(reported.event), !events[reported.event].isOpened else {
            throw ServerError(.notFound, place: key.source.name, detail: "no such event")
        }
        guard session.takeReport(of: reported) else { return }
        let playhead = timed.order(in: pod.length(ofAd: reported.ad)).first { $0.event == reported.event }?.offset
        await tracker.relay(reported, events[reported.event], playhead: playhead, of: session)
    }

    /// The session with this stream ID, of whatever source.
    func session(of id: StreamID) async -> SessionKey? {
        let keys = sources.keys.sorted { ($0.kind.rawValue, $0.name) < ($1.kind.rawValue, $1.name) }.map {
            SessionKey(source: $0, streamID: id)
        }
        if let known = keys.first(where: { sessions.known($0) != nil }) { return known }
        for key in keys where await sessions.find(key) != nil { return key }
        return nil
    }

    private func living(_ key: SessionKey) async throws(ServerError) -> (session: Session, source: Source) {
        let source = try source(key.source)
        guard let session = await sessions.find(key) else {
            throw ServerError(.sessionNotFound, place: key.source.name, detail: "tracking")
        }
        return (session, try window(of: source, for: session))
    }

    /// What is known of the content, and of its newest playlist if that can be had.
    private func known(of source: Source) async throws -> BreakLedger {
        do {
            let catalog = try await contents.catalog(of: source)
            return try await contents.observe(source.leading(in: catalog), of: source, in: catalog)
        } catch {
            guard let ledger = source.ledger else { throw error }
            return ledger
        }
    }
}
