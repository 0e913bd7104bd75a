internal import HLS
internal import Stitching
internal import Synchronization
internal import Transport

/// Keeps what happened to the ads of the latest sessions, for operators who ask why a viewer saw what he saw.
///
/// In memory, within a number of bytes: the sessions that began first make room. Queries and the device's data are never kept, bodies of
/// answers only where the operator wants them.
final class AdDebugger: Sendable {
    /// What is known of a session.
    struct SessionReport: Sendable {
        var name: String
        var source: SourceID
        /// In the order in which they came up.
        var breaks: [BreakReport] = []
        /// Breaks that made room for later ones.
        var dropped = 0
        /// Why the session gets no ads.
        var unstitched: String?
        var changedAt: Int64

        /// About what it takes up, bytes.
        var cost: Int { breaks.reduce(unstitched.map { 400 + $0.utf8.count } ?? 0) { $0 + $1.cost } }
    }

    /// Of one session.
    private static let breakLimit = 200
    private static let requestLimit = 50
    private static let beaconLimit = 200
    private static let bodyLimit = 64 << 10

    private struct State {
        var sessions: [String: SessionReport] = [:]
        /// Names, the oldest first, from `first` on.
        var order: [String] = []
        var first = 0
        var bytes = 0
    }

    private let options: AdDebuggingOptions
    private let time: any TimeSource
    private let state = Mutex(State())

    init(options: AdDebuggingOptions, time: any TimeSource) {
        self.options = options
        self.time = time
    }

    // MARK: What happens

    func asked(for opportunity: Opportunity, _ key: SessionKey) {
        change(opportunity.id, key) { report, _ in
            report.opportunity = report.opportunity ?? BreakReport.Facts(opportunity)
        }
    }

    func requested(
        _ url: String, for adBreak: BreakID, _ key: SessionKey, isNamedByAnswer: Bool, began: Int64, elapsed: Duration,
        outcome: String, body: [UInt8]
    ) {
        guard options.bytes > 0 else { return }
        let request = BreakReport.Request(
            url: maskedURL(url), at: began, elapsed: elapsed, outcome: outcome, bytes: body.count,
            isNamedByAnswer: isNamedByAnswer,
            body: options.keepsBodies && !body.isEmpty
                ? String(decoding: body.prefix(Self.bodyLimit), as: UTF8.self) : nil)
        change(adBreak, key) { report, _ in
            if report.requests.count < Self.requestLimit {
                report.requests.append(request)
            } else {
                report.dropped += 1
            }
        }
    }

    /// The ads that the answers named and did not give, with reasons, and what else was odd.
    func learned(_ skipped: [SkippedAd], _ notes: [String], for adBreak: BreakID, _ key: SessionKey) {
        change(adBreak, key) { report, _ in
            report.ads += skipped.prefix(100).map { BreakReport.Ad(id: Self.cut($0.id), skipped: Self.cut($0.reason)) }
            report.notes += notes.prefix(100).map(Self.cut)
        }
    }

    /// Of what ad servers say.
    private static func cut(_ text: String) -> String { text.utf8.count <= 500 ? text : text.prefix(500) + "…" }

    func decided(_ decision: Decision, for adBreak: BreakID, _ key: SessionKey) {
        change(adBreak, key) { report, now in
            guard report.decision == nil else { return }
            report.decision = BreakReport.Outcome(decision, at: now)
            let shown = (decision.pod?.ads ?? []).prefix(100)
            report.ads.insert(
                contentsOf: shown.map {
                    BreakReport.Ad(id: Self.cut($0.id), duration: $0.media.renditions.first?.duration)
                },
                at: 0)
        }
    }

    func sent(_ beacon: Beacon, outcome: String) {
        guard options.bytes > 0 else { return }
        let sent = BreakReport.Beacon(
            event: beacon.event, url: maskedURL(beacon.url), at: time.now(), outcome: outcome)
        change(beacon.adBreak, beacon.lane.session) { report, _ in
            if report.beacons.count < Self.beaconLimit { report.beacons.append(sent) } else { report.dropped += 1 }
        }
    }

    /// The session gets no ads.
    func unstitched(_ key: SessionKey, _ reason: String) {
        change(key) { session, bytes, _ in
            let before = session.cost
            session.unstitched = reason
            bytes += session.cost - before
        }
    }

    private func change(_ adBreak: BreakID, _ key: SessionKey, _ body: (inout BreakReport, _ now: Int64) -> Void) {
        change(key) { session, bytes, now in
            let index = session.breaks.lastIndex { $0.id == adBreak } ?? Self.append(adBreak, to: &session, &bytes)
            let before = session.breaks[index].cost
            body(&session.breaks[index], now)
            bytes += session.breaks[index].cost - before
        }
    }

    private func change(_ key: SessionKey, _ body: (inout SessionReport, _ bytes: inout Int, _ now: Int64) -> Void) {
        guard options.bytes > 0 else { return }
        let now = time.now()
        let name = key.publicName
        state.withLock { state in
            var session =
                state.sessions.removeValue(forKey: name)
                ?? {
                    state.order.append(name)
                    return SessionReport(name: name, source: key.source, changedAt: now)
                }()
            session.changedAt = now
            body(&session, &state.bytes, now)
            state.sessions[name] = session
            makeRoom(&state)
        }
    }

    private static func append(_ adBreak: BreakID, to session: inout SessionReport, _ bytes: inout Int) -> Int {
        if session.breaks.count >= breakLimit {
            bytes -= session.breaks.removeFirst().cost
            session.dropped += 1
        }
        let report = BreakReport(adBreak)
        bytes += report.cost
        session.breaks.append(report)
        return session.breaks.count - 1
    }

    private func makeRoom(_ state: inout State) {
        while state.bytes > options.bytes, state.first < state.order.count {
            let removed = state.sessions.removeValue(forKey: state.order[state.first])
            state.first += 1
            state.bytes -= removed?.cost ?? 0
        }
        if state.first > 1_024, state.first * 2 > state.order.count {
            state.order.removeFirst(state.first)
            state.first = 0
        }
    }

    // MARK: What is told

    /// By the name that the log has for the session, or the stream's ID: several sources may have sessions with it.
    func reports(of name: String, in sources: [SourceID]) -> [SessionReport] {
        let names =
            StreamID(name).map { id in sources.map { SessionKey(source: $0, streamID: id).publicName } } ?? []
        return state.withLock { state in
            if let report = state.sessions[name] { return [report] }
            return names.compactMap { state.sessions[$0] }
        }
    }

    /// The sessions that something happened to last, at most so many.
    func latest(_ count: Int) -> [SessionReport] {
        let sessions = state.withLock { Array($0.sessions.values) }
        return Array(sessions.sorted { ($1.changedAt, $0.name) < ($0.changedAt, $1.name) }.prefix(count))
    }
}
