internal import HLS
internal import Stitching
internal import Synchronization
internal import Transport
internal import VAST

/// Hands the beacons of ads to the outbox when their viewers see them, as well as a server can know it.
///
/// Live: players play a hold-back behind the edge, and the edge moves with the wall clock between the origin's segments. What is due by
/// then is told when the session asks for a playlist: one that has stopped asking gets no more events (R-K5). Where ads are seen by
/// request, a session has to ask for their segments, too: see ``SessionPlayback``.
struct BeaconTracker: Sendable {
    let outbox: BeaconOutbox
    let macros: SessionMacros
    let time: any TimeSource
    /// Other servers may answer requests of a session: what this one was not asked for may have been asked for there.
    var isOneOfSeveral: @Sendable () -> Bool = { false }

    /// Anything waits for its time.
    var isTicking: Bool { outbox.isTicking }

    // MARK: What is seen

    /// Takes note of a playlist that a session was given, and tells what is due.
    func follow(_ session: Session, of source: Source, _ playlist: StitchedPlaylist) {
        guard session.record.tracking == .server else { return }
        let now = time.monotonic()
        session.playback.withLock { playback in
            guard source.id.kind == .live else {
                // Titles are played from their beginning, until requests tell otherwise.
                playback.begin(at: now, position: .zero)
                return
            }
            guard let target = session.targetDuration else { return }
            let last = session.follow(at: now)
            let isBack = last.map { now - $0 > Self.patience(target) } ?? false
            // What fell due while nobody asked was not seen by anybody.
            if isBack { playback.drop(upTo: now) }
            let known = playback
            send(playback.take(by: .playlist, at: now) { isPassedOver($0, session, known) }, of: session)
            if playlist.hasEnded { sendRest(&playback, session, at: now) }
            guard let edge = source.edge, session.hasPodsAtEdge(in: edge.ledger),
                let playhead = playhead(session, source, edge, target, at: now)
            else { return }
            // A stream that has ended is not asked for again: its last ads are taken to be seen.
            let end = playlist.hasEnded ? playhead.advanced(by: Self.longestRest) : playhead
            let due = session.dueBeacons(ledger: edge.ledger, upTo: end)
            let position = Duration.nanoseconds(playhead.nanoseconds)
            let oldest = isBack ? position : position - Self.patience(target)
            let seen = due.filter { $0.position > oldest || $0.position >= position }
            send(seen.filter { $0.position <= position }, of: session)
            sendLater(seen.filter { $0.position > position }.map { ($0, $0.position - position) }, of: session)
        }
    }

    /// Takes note that a player asked for a segment of an ad.
    func requested(_ segment: FillReference, in rendition: RenditionKey, by session: Session, of source: Source) {
        guard session.record.tracking == .server else { return }
        let now = time.monotonic()
        let edge = source.edge
        session.playback.withLock { playback in
            if !playback.hasBegun, source.id.kind == .live, session.beginsAtEdge, let edge,
                let target = session.targetDuration,
                let playhead = playhead(session, source, edge, target, at: now)
            {
                playback.begin(at: now, position: .nanoseconds(playhead.nanoseconds))
            }
            let adBreak = segment.breakID
            let start = playback.start(of: adBreak, offset: session.offset(of: segment, in: rendition), at: now) {
                edge.flatMap { session.podStart(of: adBreak, in: $0.ledger) }
            }
            guard let asked = session.ask(for: segment, in: rendition, podStart: start) else { return }
            playback.ask(
                for: start + asked.span.lowerBound..<start + asked.span.upperBound, of: adBreak, isLast: asked.isLast,
                at: now)
            playback.wait(for: asked.due)
            let known = playback
            send(playback.take(by: .segment(of: adBreak), at: now) { isPassedOver($0, session, known) }, of: session)
            // In live there will be playlists to go by.
            guard source.id.kind == .vod || edge?.ledger.isOver ?? false else { return }
            sendRest(&playback, session, at: now)
        }
    }

    /// No playlist is asked for any more, and of these breaks no segment.
    private func sendRest(_ playback: inout SessionPlayback, _ session: Session, at now: Duration) {
        let known = playback
        let rest = playback.takeRest(at: now) { isPassedOver($0, session, known) }
        sendLater(rest.map { ($0.due, $0.at - now) }, of: session)
    }

    /// All by one look at the clock: those of one time keep their order.
    private func sendLater(_ beacons: [(due: DueBeacon, wait: Duration)], of session: Session) {
        let now = time.now()
        for (due, wait) in beacons { send([due], of: session, after: wait, now: now) }
    }

    /// Where others may have been asked, or this process' forerunner, nothing is known to be left out.
    private func isPassedOver(_ due: DueBeacon, _ session: Session, _ playback: SessionPlayback) -> Bool {
        if session.isResumed, due.breakID == playback.firstBreak { return false }
        return !isOneOfSeveral() && session.isPassedOver(due)
    }

    /// A player asks again at least every one and a half target durations.
    private static func patience(_ target: Duration) -> Duration { target * 3 }

    /// More than any stream goes on behind its playhead.
    private static let longestRest = Duration.seconds(86_400)

    private func playhead(
        _ session: Session, _ source: Source, _ edge: (ledger: BreakLedger, movedAt: Duration), _ target: Duration,
        at now: Duration
    ) -> DateTime? {
        // Between two segments of the origin's players play on.
        let moved = min(max(now - edge.movedAt, .zero), target)
        let holdBack = source.options.holdBack ?? target * 3
        return session.playhead(in: edge.ledger, holdBack: max(holdBack - moved, .zero))
    }

    // MARK: What is reported

    /// Sends what an event names that a player reports, at once; it is the caller's to know that it is the first time here.
    ///
    /// - Parameters:
    ///   - playhead: in the ad; nil where the event may happen at any time.
    ///   - error: what its macros tell of an ad that could not be shown.
    func relay(
        _ reported: RelayedEvent, _ event: AdTracking.Event, playhead: Duration?, error: VASTErrorCode? = nil,
        of session: Session
    ) async {
        let (facts, ad) = knowledge(of: reported.breakID, ad: reported.ad, playhead: playhead, session)
        let call = Call(
            event: event.name, use: error.map(MacroUse.error) ?? .tracker, name: reported.claim, isRelayed: true)
        // Whoever reports may forget it once that is answered.
        await outbox.submitted(beacons(event.urls, call, session, facts, ad))
    }

    /// Sends error beacons.
    func report(_ errors: [ErrorReport], session: Session, facts: BreakFacts) {
        for error in errors { report(error.urls, code: error.code, session: session, facts: facts) }
    }

    /// Sends the error beacons of a break as a whole (R-V5).
    func report(_ urls: [String], code: VASTErrorCode, session: Session, facts: BreakFacts) {
        let name = "error/\(facts.id)/\(code.rawValue)/\(fingerprint(urls.joined(separator: " ")))"
        outbox.submit(beacons(urls, Call(event: "error", use: .error(code), name: name), session, facts, nil))
    }

    // MARK: Beacons

    /// What the beacons of one event have in common.
    private struct Call {
        var event: String
        var use: MacroUse
        /// Names it among all of the session.
        var name: String
        var isRelayed = false
        /// Wall clock, nanoseconds since 1970; nil for now.
        var due: Int64?
    }

    /// - Parameter wait: how long after now it is seen.
    private func send(_ due: [DueBeacon], of session: Session, after wait: Duration = .zero, now: Int64? = nil) {
        guard !due.isEmpty else { return }
        let when = wait > .zero ? DateTime(nanoseconds: now ?? time.now()).advanced(by: wait).nanoseconds : nil
        outbox.submit(
            due.flatMap { due in
                let (facts, ad) = knowledge(of: due.breakID, ad: due.ad, playhead: due.adPlayhead, session)
                // No script runs in a server (R-C6): not supported.
                let use = due.event.isNotExecuted ? MacroUse.verificationNotExecuted(reason: 2) : .tracker
                let call = Call(
                    event: due.event.name, use: use, name: "\(due.breakID)/\(due.ad)/\(due.index)", due: when)
                return beacons(due.event.urls, call, session, facts, ad)
            })
    }

    private func knowledge(
        of adBreak: BreakID, ad index: Int, playhead: Duration?, _ session: Session
    ) -> (facts: BreakFacts, ad: AdMacroValues) {
        let known = session.facts(of: adBreak)
        var ad = known.flatMap { $0.ads.indices.contains(index) ? $0.ads[index] : nil } ?? AdMacroValues()
        ad.playhead = playhead
        return (known?.facts ?? BreakFacts(unknown: adBreak), ad)
    }

    private func beacons(
        _ urls: [String], _ call: Call, _ session: Session, _ facts: BreakFacts, _ ad: AdMacroValues?
    ) -> [Beacon] {
        guard !urls.isEmpty else { return [] }
        let record = session.record
        let headers = record.viewer.requestHeaders
        var context = macros.context(record, facts)
        context.ad = ad
        if let due = call.due { context.timeSince1970 = .nanoseconds(due) }
        // We call on a signal of the player's.
        if call.isRelayed { context.values["SERVERSIDE"] = .text("1") }
        return urls.enumerated().map { index, url in
            Beacon(
                event: call.event, adBreak: facts.id,
                lane: Beacon.Lane(session: record.key, host: URIReference.host(of: url)),
                url: Macros.requestURL(url, in: context, for: call.use), headers: headers, cookies: session.cookies,
                name: "\(call.name)#\(index)", due: call.due ?? 0)
        }
    }
}
