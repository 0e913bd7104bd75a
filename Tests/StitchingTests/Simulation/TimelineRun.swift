import HLS

@testable import Stitching

/// Plays a scenario and holds every answer against the rules.
struct TimelineRun {
    /// What a timeline breaks.
    struct Violation: Error, CustomStringConvertible {
        /// The rule's number in the list of HLS rules, or the item of the timeline's design: `504`, `item 16`.
        var rule: String
        var text: String
        var description: String { "\(rule): \(text)" }
    }

    /// What happened in a run.
    struct Counts {
        var answers = 0
        var pods = 0
        var cuts = 0
        var adjoining = 0
        var unseen = 0
        var epochs = 0
        var reasons: [String: Int] = [:]
        /// Timelines in which each variety shows.
        var varieties: [TimelineVariety: Int] = [:]
        /// Timelines that needed each excuse.
        var excuses: [String: Int] = [:]

        mutating func add(_ other: Counts) {
            answers += other.answers
            pods += other.pods
            cuts += other.cuts
            adjoining += other.adjoining
            unseen += other.unseen
            epochs += other.epochs
            reasons.merge(other.reasons) { $0 + $1 }
            varieties.merge(other.varieties) { $0 + $1 }
            excuses.merge(other.excuses) { $0 + $1 }
        }
    }

    let scenario: TimelineScenario
    var prints = false
    let origin: SimulatedOrigin
    let catalog: SourceCatalog
    let multivariant: MultivariantPlaylist
    let slate: AdMedia?
    let bumpers: Bumpers
    var servers: SimulatedServers
    var histories: [SessionHistory]
    private var counts = Counts()
    private var seenPods: Set<String> = []
    private var shown = TimelineVariety.Evidence()
    private var checks: AnswerChecks
    /// Which of the channel's origins is in use.
    private var place = 0
    private let log = ExcuseLog()
    /// Renditions without dates that were first seen in a count that the leading one had yet to begin.
    private var unaligned: Set<RenditionKey> = []
    private var parsed: [RenditionKey: (version: SimulatedOrigin.Version, playlist: MediaPlaylist)] = [:]
    /// The number of the first segment that was ever seen of a rendition.
    private var oldest: [RenditionKey: Int64] = [:]
    /// The last version that the journal has, and that of the leading rendition then: what has to wait for that one is tried again.
    private var journaled: [RenditionKey: [SimulatedOrigin.Version]] = [:]
    /// The first version of the leading rendition that was seen.
    private var first: SimulatedOrigin.Version?
    private var silence = LeadingSilence()
    /// Answers of the ad server that are on their way, by viewer.
    private var requests: [[BreakID: (pending: StitchingSession.PendingBreak, arrives: DateTime)]]

    init(_ scenario: TimelineScenario, prints: Bool = false) throws {
        self.scenario = scenario
        self.prints = prints
        origin = SimulatedOrigin(scenario)
        multivariant = try MultivariantPlaylist(parsing: Array(scenario.multivariant.utf8))
        catalog = SourceCatalog(multivariant, url: "https://o/m.m3u8")
        slate = try scenario.slate.map { try SimulatedAds.ad($0, id: "slate", in: scenario).media }
        bumpers = Bumpers(
            start: try scenario.startBumper.map { try SimulatedAds.ad($0, id: Bumpers.startID, in: scenario).media },
            end: try scenario.endBumper.map { try SimulatedAds.ad($0, id: Bumpers.endID, in: scenario).media })
        checks = AnswerChecks(scenario)
        var options = StitchOptions()
        options.breakMarks = scenario.breakMarks ?? .none
        options.markers = scenario.markerPassthrough ?? .unstitched
        let viewers = scenario.viewers.map { viewer in
            StitchingSession.Settings(
                personalisationThreshold: viewer.threshold.map { .seconds($0) },
                earlyReturn: viewer.completesAds ?? false ? .complete : .cut, fill: viewer.fill?.policy ?? .content,
                join: viewer.join?.policy ?? .content, retryRest: viewer.retryRest.map { .seconds($0) },
                opening: viewer.opening)
        }
        servers = SimulatedServers(
            count: scenario.replicaCount ?? 1, leading: catalog.leading,
            settings: .init(kind: .live, maximumAdSegmentDuration: .seconds(scenario.origin.maximumAdSegment)),
            viewers: viewers, options: options)
        histories = viewers.map { [log] _ in SessionHistory(log: log) }
        requests = viewers.map { _ in [:] }
    }

    mutating func run() throws -> Counts {
        for (index, poll) in scenario.polls.enumerated() { try answer(poll, index) }
        for history in histories { try history.checkAcross(origin, unaligned: unaligned) }
        for name in log.used { counts.excuses[name] = 1 }
        counts.epochs = servers.servers[0].ledger.epoch
        for kept in servers.store.sessions { shown.add(kept) }
        shown.turns = servers.servers[0].ledger.origin
        for variety in TimelineVariety.allCases where variety.shows(in: scenario, shown) {
            counts.varieties[variety] = 1
        }
        for kept in servers.store.sessions {
            for decision in kept.decisions.values {
                guard let reason = decision.reason else {
                    if decision.pod?.slate != nil { counts.reasons["ads+slate", default: 0] += 1 }
                    continue
                }
                let kind = decision.pod == nil ? "" : "slate:"
                counts.reasons["\(kind)\(reason.code)\(decision.rest == nil ? "" : "+rest")", default: 0] += 1
            }
        }
        return counts
    }

    private mutating func answer(_ poll: TimelineScenario.Poll, _ index: Int) throws {
        let now = Duration.milliseconds(poll.at)
        guard scenario.viewers.indices.contains(poll.viewer), scenario.viewers[poll.viewer].joins <= poll.at else {
            return
        }
        let key = poll.rendition.map { RenditionKey($0) } ?? catalog.leading
        guard origin[key] != nil else { return }
        let server = min(poll.replica ?? 0, servers.servers.count - 1)
        if !(poll.fails ?? false) {
            let seenAt = now - .milliseconds(poll.staleBy ?? 0)
            turn(at: now)
            silence.beginRound(at: now)
            try observe(catalog.leading, at: key == catalog.leading ? seenAt : now)
            if key != catalog.leading { try observe(key, at: seenAt) }
        }
        servers.catchUp(server, viewer: poll.viewer)
        defer { watch(server, at: now, poll) }
        let clock = DateTime(nanoseconds: 0).advanced(by: now)
        guard try decide(server, viewer: poll.viewer, clock) else { return }
        guard let answer = servers.stitch(key, server, viewer: poll.viewer), !answer.entries.isEmpty else { return }
        counts.answers += 1
        let session = servers.servers[server].sessions[poll.viewer]
        let ledger = servers.servers[server].ledger
        for (key, rendition) in ledger.renditions {
            if oldest[key] == nil { oldest[key] = rendition.segments.first?.number }
        }
        shown.add(answer, of: key)
        if prints { show(answer, of: key, at: now, session, ledger, poll.viewer) }
        if let known = ledger.renditions[key] {
            let listable = ListableEntries(
                session: session, ledger: ledger, now: clock, oldest: oldest[key] ?? .min,
                isUpToDate: isUpToDate(known, poll, edge: ledger.heldEdge),
                carriesMarkers: scenario.markerPassthrough == .all)
            try histories[poll.viewer].check(answer, key, at: now, ledger: known, listable: listable)
        }
        try TimelineBounds(session: session, ledger: ledger, origin: origin).check(answer, key)
        try TrackingAgreement(session: session, ledger: ledger).check(answer, key)
        try checks.check(answer, of: key, session, ledger, scenario.viewers[poll.viewer])
        if poll.compares ?? false {
            try compareServers(answer, key, viewer: poll.viewer, answeredBy: server)
            try compareRenditions(server, viewer: poll.viewer, at: now)
        }
        count(session, poll.viewer, key)
        if poll.restarts ?? false {
            try servers.restart(server, isWritten: index % 32 == 0)
            servers.catchUp(server, viewer: poll.viewer)
            guard servers.stitch(key, server, viewer: poll.viewer)?.bytes == answer.bytes else {
                throw Violation(rule: "restart", text: "\(now) \(key): another process answers otherwise")
            }
        }
    }

    // MARK: - The origin

    /// The channel goes over to another origin when it is time. That one's playlist may be a little older.
    private mutating func turn(at now: Duration) {
        let next = origin.place(at: now)
        guard next != place else { return }
        place = next
        servers.use(origin: next)
    }

    /// Whether a server has all that the origin had of a rendition when it was asked. More it cannot have where the request failed, or a
    /// cache answered with an older version; nor where the playlist is of another epoch than the leading rendition's at this moment:
    /// beyond the end of the epoch before nothing is listed until both have gone over.
    private func isUpToDate(_ known: RenditionLedger, _ poll: TimelineScenario.Poll, edge: DateTime?) -> Bool {
        let now = Duration.milliseconds(poll.at)
        guard !(poll.fails ?? false), poll.staleBy == nil, let track = origin[known.key],
            let version = origin.version(track, at: now, from: place),
            version.epoch == origin.version(origin.tracks[0], at: now, from: place)?.epoch,
            let last = known.segments.last
        else { return true }
        // What lies beyond the leading rendition is not listed, nor the half of a segment.
        let isLeading = known.key == catalog.leading
        if !isLeading, let edge, last.end.advanced(by: last.duration / 2) >= edge { return true }
        guard let jitter = scenario.origin.dateJitter, let end = last.originEnd else {
            return isLeading || last.originNumber == version.number
        }
        let wrong = Duration.milliseconds(jitter * 2) + last.duration / 2
        let newest = origin.newestEnd(track, at: now, from: place) ?? .zero
        return end.advanced(by: wrong) >= SimulatedOrigin.epoch.advanced(by: newest)
    }

    private mutating func observe(_ key: RenditionKey, at time: Duration) throws {
        guard let track = origin[key], let version = origin.version(track, at: time, from: place) else { return }
        let versions = [version] + (key == catalog.leading ? [] : journaled[catalog.leading]?.prefix(1) ?? [])
        guard versions != journaled[key], let playlist = try playlist(track, version, at: time) else { return }
        if key == catalog.leading {
            first = first ?? version
            if let end = origin.newestEnd(track, at: time, from: place) { silence.see(end) }
        } else if scenario.origin.dateJitter == nil, journaled[key] == nil, version.epoch ?? -1 < first?.epoch ?? -1 {
            // Without dates nothing tells that what is seen first of a rendition is of a count that ended before anything was seen of
            // the leading one.
            return
        }
        // Nor by what numbers it could stand beside the leading one's, that has yet to begin this count.
        if scenario.origin.dateJitter == nil, journaled[key] == nil, let leading = journaled[catalog.leading]?.first,
            version.epoch ?? -1 > leading.epoch ?? -1
        {
            unaligned.insert(key)
        }
        journaled[key] = versions
        servers.see(playlist, as: key, after: silence.length)
        checks.see(playlist, at: "https://o/\(key).m3u8", as: key)
    }

    /// What nobody asked for, but has to be seen, is read in the background.
    private mutating func watch(_ server: Int, at now: Duration, _ poll: TimelineScenario.Poll) {
        guard !(poll.fails ?? false) else { return }
        silence.beginRound(at: now)
        for key in servers.servers[server].ledger.renditionsToWatch(among: origin.tracks.map(\.key)) {
            try? observe(key, at: now)
        }
    }

    private mutating func playlist(
        _ track: SimulatedOrigin.Track, _ version: SimulatedOrigin.Version, at time: Duration
    ) throws -> MediaPlaylist? {
        if let known = parsed[track.key], known.version == version { return known.playlist }
        guard let bytes = origin.playlist(track, at: time, from: version.origin) else { return nil }
        let playlist = try MediaPlaylist(parsing: bytes)
        parsed[track.key] = (version, playlist)
        return playlist
    }

    // MARK: - Decisions

    /// False where the session's first playlist has to wait for a decision.
    private mutating func decide(_ server: Int, viewer: Int, _ clock: DateTime) throws -> Bool {
        for (id, request) in requests[viewer].sorted(by: { $0.key < $1.key }) where request.arrives <= clock {
            requests[viewer][id] = nil
            try decide(request.pending, server, viewer: viewer)
        }
        let (catalog, slate, bumpers) = (catalog, slate, bumpers)
        let found = servers.prepare(server, viewer: viewer, now: clock) { session, ledger, decided in
            PodPlanner(session: session, ledger: ledger, catalog: catalog, slate: slate, bumpers: bumpers)
                .fallbacks(for: decided)
        }
        for pending in found.pending {
            let id = pending.opportunity.id
            guard requests[viewer][id] == nil else { continue }
            let delays = scriptedBreak(pending.opportunity)?.answersAfter ?? []
            let delay = delays.indices.contains(viewer) ? delays[viewer] : 0
            if delay == 0 {
                try decide(pending, server, viewer: viewer)
            } else {
                requests[viewer][id] = (pending, pending.seenAt.advanced(by: .milliseconds(delay)))
            }
        }
        let decisions = servers.servers[server].sessions[viewer].decisions
        return found.opening.allSatisfy { decisions[$0] != nil }
    }

    private mutating func decide(_ pending: StitchingSession.PendingBreak, _ server: Int, viewer: Int) throws {
        let opportunity = pending.opportunity
        let planned = scriptedBreak(opportunity)
        let planner = PodPlanner(
            session: servers.servers[server].sessions[viewer], ledger: servers.servers[server].ledger, catalog: catalog,
            slate: slate, bumpers: bumpers)
        if planned?.fails ?? false {
            // It is asked for again when it begins.
            guard !pending.isAhead else { return }
            let fallback = planner.fallback(opportunity, .providerFailed("status 500"))
            servers.decide(fallback, for: opportunity.id, server, viewer: viewer)
            return
        }
        let ads = try (planned?.ads ?? []).enumerated().map { index, ad in
            try SimulatedAds.ad(ad, id: "\(opportunity.id)-\(index)", in: scenario)
        }
        let decision = planner.decision(for: opportunity, candidates: ads).decision
        servers.decide(decision, for: opportunity.id, server, viewer: viewer)
    }

    /// The break of the scenario that a session asks about: the one nearest to it.
    private func scriptedBreak(_ opportunity: Opportunity) -> TimelineScenario.Break? {
        let first =
            scenario.origin.dateJitter == nil
            ? servers.servers[0].ledger.renditions[catalog.leading]?.segments.first : nil
        // Without dates the ledger's clock begins with the first segment that was seen.
        var zero = SimulatedOrigin.epoch
        if let first, let segment = origin.tracks[0].segments.first(where: { $0.number == first.originNumber }) {
            zero = first.time.advanced(by: .zero - segment.start)
        }
        let time = zero.duration(to: opportunity.start)
        return scenario.breaks.min { left, right in
            (time - .milliseconds(left.start)).magnitude < (time - .milliseconds(right.start)).magnitude
        }
    }

    // MARK: - Comparing

    /// Servers that share the store answer byte for byte alike, and one server does so again (item 16).
    private mutating func compareServers(
        _ answer: StitchedPlaylist, _ key: RenditionKey, viewer: Int, answeredBy server: Int
    ) throws {
        for other in servers.servers.indices {
            servers.catchUp(other, viewer: viewer)
            guard servers.stitch(key, other, viewer: viewer)?.bytes == answer.bytes else {
                throw Violation(
                    rule: other == server ? "item 16" : "replicas", text: "\(key): server \(other) answers otherwise")
            }
        }
    }

    /// The rules across renditions, for all of them as they are at this moment: on copies, so that the run itself goes on with
    /// what it has seen.
    private func compareRenditions(_ server: Int, viewer: Int, at now: Duration) throws {
        var copy = self
        copy.silence.beginRound(at: now)
        for track in origin.tracks { try copy.observe(track.key, at: now) }
        copy.servers.catchUp(server, viewer: viewer)
        var playlists: [RenditionKey: MediaPlaylist] = [:]
        var answers: [RenditionKey: StitchedPlaylist] = [:]
        for track in origin.tracks {
            guard let answer = copy.servers.stitch(track.key, server, viewer: viewer) else { continue }
            answers[track.key] = answer
            playlists[track.key] = try MediaPlaylist(parsing: answer.bytes)
        }
        let sources = multivariant.mediaPlaylistReferences.map { reference in
            RenditionsLint.Source(
                reference, url: "https://o/\(reference.uri)",
                playlist: playlists[RenditionKey(String(reference.uri.dropLast(5)))])
        }
        let excuses = RenditionExcuses(
            copy.servers.servers[server].ledger, copy.servers.servers[server].sessions[viewer], answers: answers,
            playlists: playlists, origin: origin)
        for found in RenditionsLint(multivariant, url: "https://o/m.m3u8", sources: sources).findings()
        where found.finding.severity == .error {
            let uri = found.source.map { sources[$0].reference.uri } ?? ""
            if let excuse = excuses.excuse(for: found.finding, in: RenditionKey(String(uri.dropLast(5)))) {
                log.note(excuse, found.finding.rule)
                continue
            }
            if prints {
                print(copy.servers.servers[server].sessions[viewer].plan.summary)
                for source in sources {
                    print(source.playlist.map { String(decoding: $0.serialized(), as: UTF8.self) } ?? "")
                }
            }
            let name = found.source.map { sources[$0].reference.uri } ?? ""
            throw Violation(rule: "\(found.finding.rule)", text: "\(now) \(name): \(found.finding)")
        }
    }

    // MARK: - Telling

    private mutating func count(_ session: StitchingSession, _ viewer: Int, _ key: RenditionKey) {
        for (key, plan) in session.plan.renditions {
            for placement in plan.placements where placement.end != nil {
                guard seenPods.insert("\(viewer) \(key) \(placement.breakID)").inserted else { continue }
                if placement.isUnseen { counts.unseen += 1 }
                guard key == catalog.leading else { continue }
                counts.pods += 1
                if placement.cut != nil { counts.cuts += 1 }
                if placement.isJoined { counts.adjoining += 1 }
            }
        }
    }

    private func show(
        _ answer: StitchedPlaylist, of key: RenditionKey, at now: Duration, _ session: StitchingSession,
        _ ledger: BreakLedger, _ viewer: Int
    ) {
        print(session.plan.summary)
        print(ledger.renditions[key]?.segments.map { "\($0.number):\($0.discontinuity) \($0.time.formatted)" } ?? [])
        print("edge", session.releasedEdge(in: ledger)?.formatted ?? "", ledger.breaks)
        print("\(now) viewer \(viewer) \(key)\n" + String(decoding: answer.bytes, as: UTF8.self))
    }
}
