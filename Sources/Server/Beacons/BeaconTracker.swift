internal import HLS
internal import Stitching
internal import Synchronization
internal import Transport
internal import VAST

/// Sends the beacons of ads at the time at which their viewers see them, as well as a server can know it.
///
/// Live: players play a hold-back behind the edge, and the edge moves with the wall clock between the origin's segments. A session
/// that has stopped asking gets no more events (R-K5). VOD: from the first segment of an ad that was asked for, the ad plays in real time.
final class BeaconTracker: Sendable {
    private struct Live {
        var session: Session
        var source: Source
        /// Monotonic time of the last playlist.
        var seenAt: Duration
        /// Monotonic time after which nothing of what its playlists have shown can fall due.
        var until: Duration
        var hasEnded: Bool
    }

    private struct Delayed {
        var at: Duration
        var beacons: [Beacon]
    }

    private struct State {
        var live: [SessionKey: Live] = [:]
        /// By time, the latest first.
        var delayed: [Delayed] = []
        /// When each VOD session's ads began, by the ad's place.
        var began: [AdPlace: Duration] = [:]
        /// Addresses of beacons that wait for the store.
        var unclaimed = 0
        var isTicking = false
        var isClosed = false
    }

    private struct AdPlace: Hashable {
        var session: SessionKey
        var adBreak: BreakID
        var ad: Int
    }

    /// Between two looks at the clock.
    private static let interval = Duration.milliseconds(200)
    private static let delayedLimit = 50_000
    /// How late a beacon may be sent.
    private static let usefulLife = Duration.seconds(600)
    private static let rememberedAds = 20_000

    private let queue: BeaconQueue
    private let macros: SessionMacros
    private let time: any TimeSource
    private let metrics: Metrics
    private let archive: SessionArchive
    /// This process among those that share the store.
    private let process: String
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let state = Mutex(State())

    init(
        queue: BeaconQueue, macros: SessionMacros, archive: SessionArchive, time: any TimeSource, metrics: Metrics,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) {
        self.queue = queue
        self.macros = macros
        self.time = time
        self.metrics = metrics
        self.archive = archive
        process = hexadecimal(macros.random())
        self.start = start
    }

    /// Takes note of a playlist that a live session was given, and sends what is due.
    func follow(_ session: Session, of source: Source, _ playlist: StitchedPlaylist) {
        guard source.id.kind == .live, session.record.tracking == .server, let target = session.targetDuration else {
            return
        }
        let now = time.monotonic()
        let showsAds = playlist.entries.contains { if case .fill = $0.source { true } else { false } }
        // From the edge through the hold-back, and once more as long for what the edge still has to bring.
        let until = now + holdBack(source, target) + target * 4
        // What fell due while nobody asked was not seen by anybody.
        if let last = session.follow(at: now), now - last > Self.patience(target) {
            _ = due(session, source, target, at: now)
        }
        let isFollowed = state.withLock { state in
            guard !state.isClosed else { return false }
            let last = state.live[session.key]
            guard showsAds || last != nil else { return false }
            state.live[session.key] = Live(
                session: session, source: source, seenAt: now, until: showsAds ? until : last?.until ?? until,
                hasEnded: playlist.hasEnded)
            return true
        }
        guard isFollowed else { return }
        sendDue(session, source, target, at: now)
        tickOn()
    }

    /// Takes note that a player asked for a segment of an ad in a VOD session.
    func requested(_ segment: FillReference, in rendition: RenditionKey, by session: Session, of source: Source) {
        guard session.record.tracking == .server else { return }
        let now = time.monotonic()
        session.beaconOrder.withLock { last in
            let due = session.dueBeacons(afterRequestOf: segment, in: rendition)
            claim(due, of: session, after: &last) { [self] in delay($0, segment, of: session, at: now) }
        }
    }

    private func delay(_ due: [DueBeacon], _ segment: FillReference, of session: Session, at now: Duration) {
        state.withLock { state in
            guard !state.isClosed else { return }
            let place = AdPlace(session: session.key, adBreak: segment.breakID, ad: segment.ad)
            if state.began.count >= Self.rememberedAds { state.began.removeAll() }
            let began = state.began[place] ?? now
            state.began[place] = began
            for beacon in due {
                guard state.delayed.count < Self.delayedLimit else {
                    metrics.beaconsLost.increment(by: beacon.event.urls.count)
                    continue
                }
                let at = max(time.monotonic(), began + beacon.adPlayhead)
                let entry = Delayed(at: at, beacons: beacons(beacon, of: session))
                // Behind those of the same time.
                let index = state.delayed.partitioningIndex { $0.at <= at }
                state.delayed.insert(entry, at: index)
            }
        }
        sendDelayed(upTo: time.monotonic())
        tickOn()
    }

    /// Sends what an event names that a player reports, at once; it is the caller's to know that it is the first time here.
    ///
    /// - Parameters:
    ///   - playhead: in the ad; nil where the event may happen at any time.
    ///   - error: what its macros tell of an ad that could not be shown.
    func relay(
        _ reported: RelayedEvent, _ event: AdTracking.Event, playhead: Duration?, error: VASTErrorCode? = nil,
        of session: Session
    ) async {
        // Each report claims for itself: a session that this process has forgotten meanwhile is not reported twice.
        let process = hexadecimal(macros.random())
        guard let own = await archive.claim([reported.claim], session.key, by: process) else {
            // The player is not to wait for the store.
            start { [self] in
                let own = await claimed([reported.claim], session.key, by: process, count: event.urls.count)
                if !own.isEmpty { send(reported, event, playhead: playhead, error: error, of: session) }
            }
            return
        }
        if !own.isEmpty { send(reported, event, playhead: playhead, error: error, of: session) }
    }

    private func send(
        _ reported: RelayedEvent, _ event: AdTracking.Event, playhead: Duration?, error: VASTErrorCode?,
        of session: Session
    ) {
        let (facts, ad) = knowledge(of: reported.breakID, ad: reported.ad, playhead: playhead, session)
        queue.enqueue(
            event.urls.map {
                beacon(
                    $0, event.name, use: error.map(MacroUse.error) ?? .tracker, session, facts, ad, isRelayed: true)
            })
    }

    /// Sends error beacons.
    func report(_ errors: [ErrorReport], session: Session, facts: BreakFacts) {
        queue.enqueue(
            errors.flatMap { error in
                error.urls.map { url in beacon(url, "error", use: .error(error.code), session, facts, nil) }
            })
    }

    /// Sends the error beacons of a break as a whole (R-V5).
    func report(_ urls: [String], code: VASTErrorCode, session: Session, facts: BreakFacts) {
        queue.enqueue(urls.map { beacon($0, "error", use: .error(code), session, facts, nil) })
    }

    /// Takes nothing more, and waits until what is due is sent, at most `limit`.
    func drain(within limit: Duration) async {
        state.withLock { state in
            state.isClosed = true
            state.live = [:]
            state.delayed = []
        }
        await queue.drain(within: limit)
    }

    /// Whether anything may still fall due without a request.
    var isTicking: Bool { state.withLock { $0.isTicking } }

    // MARK: The clock

    private func tickOn() {
        let begins = state.withLock { state in
            guard !state.isTicking, !state.isClosed, !(state.live.isEmpty && state.delayed.isEmpty) else {
                return false
            }
            state.isTicking = true
            return true
        }
        guard begins else { return }
        start { [self] in
            while true {
                do { try await time.sleep(for: Self.interval) } catch { break }
                guard tick() else { return }
            }
            state.withLock { $0.isTicking = false }
        }
    }

    /// Sends what is due; false when there is nothing left to wait for.
    private func tick() -> Bool {
        let now = time.monotonic()
        let live = state.withLock { state in
            state.live = state.live.filter { isAlive($0.value, at: now) }
            return Array(state.live.values)
        }
        for one in live {
            guard let target = one.session.targetDuration else { continue }
            sendDue(one.session, one.source, target, at: now)
        }
        sendDelayed(upTo: now)
        return state.withLock { state in
            state.isTicking = !state.isClosed && !(state.live.isEmpty && state.delayed.isEmpty)
            return state.isTicking
        }
    }

    private func isAlive(_ live: Live, at now: Duration) -> Bool {
        guard now <= live.until else { return false }
        guard let target = live.session.targetDuration else { return false }
        // A stream that has ended is not asked for again: its last ads are taken to be seen.
        return live.hasEnded || now - live.seenAt <= Self.patience(target)
    }

    /// A player asks again at least every one and a half target durations.
    private static func patience(_ target: Duration) -> Duration { target * 3 }

    private func holdBack(_ source: Source, _ target: Duration) -> Duration { source.options.holdBack ?? target * 3 }

    private func due(_ session: Session, _ source: Source, _ target: Duration, at now: Duration) -> [DueBeacon] {
        guard let edge = source.edge else { return [] }
        // Between two segments of the origin's players play on.
        let moved = min(max(now - edge.movedAt, .zero), target)
        return session.dueBeacons(ledger: edge.ledger, holdBack: max(holdBack(source, target) - moved, .zero))
    }

    private func sendDue(_ session: Session, _ source: Source, _ target: Duration, at now: Duration) {
        session.beaconOrder.withLock { last in
            claim(due(session, source, target, at: now), of: session, after: &last) { [self] due in
                queue.enqueue(due.flatMap { beacons($0, of: session) })
            }
        }
    }

    /// Hands on the beacons that no other process has taken, also none before this one began; in order behind those before them.
    private func claim(
        _ due: [DueBeacon], of session: Session, after last: inout SharedWork<Void>?,
        then send: @escaping @Sendable ([DueBeacon]) -> Void
    ) {
        guard !due.isEmpty else { return }
        guard archive.isShared else { return send(due) }
        let (before, work) = (last, SharedWork<Void>())
        last = work
        start { [self, process] in
            _ = await before?.value()
            let count = due.reduce(0) { $0 + $1.event.urls.count }
            let own = await claimed(due.map(\.claim), session.key, by: process, count: count)
            send(due.indices.filter(own.contains).map { due[$0] })
            work.finish(with: ())
        }
    }

    /// Those of `names` that no other process has taken. While the store is away that others use, too, nobody can know: then it is
    /// waited for, as long as a beacon is worth anything. One that is late is worth more than one that is counted twice, or not at all.
    ///
    /// - Parameter count: of the addresses that are to be called.
    private func claimed(_ names: [String], _ key: SessionKey, by process: String, count: Int) async -> Set<Int> {
        let ends = time.monotonic() + Self.usefulLife
        var waits = false
        defer { if waits { state.withLock { $0.unclaimed -= count } } }
        while true {
            if let own = await archive.claim(names, key, by: process) { return own }
            if !waits {
                waits = state.withLock { state in
                    guard !state.isClosed, state.unclaimed + count <= Self.delayedLimit else { return false }
                    state.unclaimed += count
                    return true
                }
            }
            let isClosed = state.withLock { $0.isClosed }
            guard waits, !isClosed, time.monotonic() < ends, (try? await time.sleep(for: Self.interval)) != nil else {
                metrics.beaconsLost.increment(by: count)
                return []
            }
        }
    }

    private func sendDelayed(upTo now: Duration) {
        // Into the queue while the lock is held: two who do this at one time must not change the order.
        state.withLock { state in
            var due: [Beacon] = []
            while let next = state.delayed.last, next.at <= now {
                due += next.beacons
                state.delayed.removeLast()
            }
            queue.enqueue(due)
        }
    }

    // MARK: Beacons

    private func beacons(_ due: DueBeacon, of session: Session) -> [Beacon] {
        let (facts, ad) = knowledge(of: due.breakID, ad: due.ad, playhead: due.adPlayhead, session)
        // No script runs in a server (R-C6): not supported.
        let use = due.event.isNotExecuted ? MacroUse.verificationNotExecuted(reason: 2) : .tracker
        return due.event.urls.map { beacon($0, due.event.name, use: use, session, facts, ad) }
    }

    private func knowledge(
        of adBreak: BreakID, ad index: Int, playhead: Duration?, _ session: Session
    ) -> (facts: BreakFacts, ad: AdMacroValues) {
        let known = session.facts(of: adBreak)
        var ad = known.flatMap { $0.ads.indices.contains(index) ? $0.ads[index] : nil } ?? AdMacroValues()
        ad.playhead = playhead
        return (known?.facts ?? BreakFacts(unknown: adBreak), ad)
    }

    private func beacon(
        _ url: String, _ event: String, use: MacroUse, _ session: Session, _ facts: BreakFacts,
        _ ad: AdMacroValues?, isRelayed: Bool = false
    ) -> Beacon {
        let record = session.record
        return Beacon(
            event: event, adBreak: facts.id,
            lane: Beacon.Lane(session: record.key, host: Self.host(of: url)),
            url: { [macros] in
                var context = macros.context(record, facts)
                context.ad = ad
                // We call on a signal of the player's.
                if isRelayed { context.values["SERVERSIDE"] = .text("1") }
                return Macros.requestURL(url, in: context, for: use)
            }, headers: record.viewer.requestHeaders, cookies: session.cookies)
    }

    /// What stands between the scheme, or the user, and the path.
    static func host(of url: String) -> String {
        guard let slashes = url.firstRange(of: "//") else { return "" }
        let authority = url[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        return (authority.split(separator: "@").last ?? "").lowercased()
    }
}

extension DueBeacon {
    /// Names it among all of the session.
    fileprivate var claim: String {
        "\(breakID)/\(ad)/\(event.name)/\(fingerprint(event.urls.joined(separator: " ") + "\(adPlayhead)"))"
    }
}
