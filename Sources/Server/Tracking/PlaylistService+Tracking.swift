internal import HLS
internal import Stitching
internal import Transport
internal import VAST

extension PlaylistService {
    /// What the session's breaks hold, for its player.
    ///
    /// - Parameter text: `nextToken` of an earlier answer.
    func tracking(_ key: SessionKey, after text: String?) async throws -> String {
        let (session, source) = try await living(key)
        let token = try text.map { text throws(ServerError) in
            guard let token = TrackingToken(text), token.session == key.publicName else {
                throw ServerError(.badToken, place: key.source.name)
            }
            return token
        }
        var breaks: [StitchedBreak] = []
        if source.decisionTime != nil {
            let ledger = try await known(of: source)
            await sessions.catchUp(session)
            breaks = session.stitchedBreaks(in: ledger)
        }
        // Before a playlist is shown a break may still come before one that is told.
        return TrackingDocument(session: session, macros: macros, publicURL: publicURL)
            .json(breaks, isFinal: session.timelineStart != nil, after: token)
    }

    /// Sends what an event names that a player reports, once.
    ///
    /// - Parameter isReport: false for a player that only looks: nothing is sent.
    func relay(_ reported: RelayedEvent, of key: SessionKey, code: Int?, isReport: Bool) async throws {
        let (session, source) = try await living(key)
        guard session.record.tracking == .relay, source.decisionTime != nil else {
            throw ServerError(.notFound, place: key.source.name, detail: "nothing is relayed")
        }
        if session.decision(for: reported.breakID) == nil { await lookUp(session) }
        guard let known = Self.event(reported, of: session), !known.event.isOpened else {
            throw ServerError(.notFound, place: key.source.name, detail: "no such event")
        }
        guard isReport, session.takeReport(of: reported) else { return }
        // What a player says of an error is taken as far as it can be a code.
        let error =
            known.event.isError
            ? VASTErrorCode(rawValue: code.flatMap { (100...999).contains($0) ? $0 : nil } ?? 900) : nil
        await tracker.relay(reported, known.event, playhead: known.playhead, error: error, of: session)
    }

    /// Sees once more what the store has, for a break that is not known here: bounded, whatever a player asks for.
    private func lookUp(_ session: Session) async {
        guard let (work, isNew) = session.claimLookUp(at: time.monotonic()) else { return }
        if isNew {
            await sessions.catchUp(session)
            work.finish(with: ())
        } else {
            _ = await work.value(within: .seconds(1), on: time)
        }
    }

    private static func event(
        _ reported: RelayedEvent, of session: Session
    ) -> (event: AdTracking.Event, playhead: Duration?)? {
        guard let pod = session.decision(for: reported.breakID)?.pod, !pod.ads.isEmpty else {
            let events = session.breakHandout(of: reported.breakID)?.events ?? []
            guard reported.ad == 0, events.indices.contains(reported.event) else { return nil }
            return (events[reported.event], nil)
        }
        guard pod.ads.indices.contains(reported.ad) else { return nil }
        let timed = pod.ads[reported.ad].tracking
        let handouts = session.handouts(of: reported.breakID)
        let actions = handouts.indices.contains(reported.ad) ? handouts[reported.ad]?.actions ?? [] : []
        let events = timed.events + actions
        guard events.indices.contains(reported.event) else { return nil }
        let playhead = timed.order(in: pod.length(ofAd: reported.ad)).first { $0.event == reported.event }?.offset
        return (events[reported.event], playhead)
    }

    /// The session with this stream ID alone.
    func session(of id: StreamID) async throws(ServerError) -> SessionKey {
        let keys = await sessions.living(id, among: Array(sources.keys))
        guard let key = keys.first else { throw ServerError(.sessionNotFound, place: "tracking") }
        guard keys.count == 1 else {
            throw ServerError(.ambiguous, place: "tracking", detail: "\(keys.count) sources have a session of it")
        }
        return key
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
