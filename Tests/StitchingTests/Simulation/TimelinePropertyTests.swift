import FoundationEssentials
import HLS
import Testing

@testable import Stitching

/// Random origins, pods, sessions and polls against the rules that hold over reloads and across renditions.
struct TimelinePropertyTests {
    /// `PODSTITCH_TIMELINES=100000` runs more.
    private static let seeds =
        ProcessInfo.processInfo.environment["PODSTITCH_TIMELINES"].flatMap { Int($0) } ?? 2_000

    @Test(arguments: [0, 1])
    func
        `every timeline keeps its numbers, joints and dates over reloads and renditions (rules 303-309, 403-406, 501-508, 802-804)`(
            part: Int
        ) throws
    {
        var counts = SimulatedTimeline.Counts()
        var failures = 0
        for seed in stride(from: part, to: Self.seeds, by: 2) {
            do {
                counts.add(try SimulatedTimeline(seed: UInt64(seed)).run())
            } catch {
                Issue.record("seed \(seed): \(error)")
                failures += 1
                if failures > 5 { return }
            }
        }
        print("part \(part): \(counts)")
        // The runs have to show what they are for.
        #expect(counts.answers > Self.seeds * 15)
        #expect(counts.pods > Self.seeds)
        #expect(counts.cuts > Self.seeds / 10)
        #expect(counts.adjoining > Self.seeds / 40)
        #expect(counts.epochs > Self.seeds / 10)
    }
}

/// Prints one run: `PODSTITCH_SEED=176 swift test --filter OneTimeline`.
struct OneTimelineTests {
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PODSTITCH_SEED"] != nil))
    func `one timeline, printed`() throws {
        let seed = ProcessInfo.processInfo.environment["PODSTITCH_SEED"].flatMap { UInt64($0) } ?? 0
        var timeline = SimulatedTimeline(seed: seed)
        timeline.prints = true
        print(try timeline.run())
    }
}

/// One random run.
struct SimulatedTimeline {
    let seed: UInt64
    var prints = false

    init(seed: UInt64) { self.seed = seed }

    /// What happened in a run.
    struct Counts {
        var answers = 0
        var pods = 0
        var cuts = 0
        var adjoining = 0
        var unseen = 0
        var epochs = 0
        var reasons: [String: Int] = [:]

        mutating func add(_ other: Counts) {
            answers += other.answers
            pods += other.pods
            cuts += other.cuts
            adjoining += other.adjoining
            unseen += other.unseen
            epochs += other.epochs
            reasons.merge(other.reasons) { $0 + $1 }
        }
    }

    func run() throws -> Counts {
        var counts = Counts()
        var seenPods: Set<String> = []
        var generator = SeededGenerator(seed: seed)
        var restarts = SimulatedRestarts(seed: seed)
        var slate = SimulatedSlate(seed: seed)
        var faults = SeededGenerator(seed: seed ^ 0x0FA1_7000)
        let origin = SimulatedOrigin(&generator, faults: &faults)
        let catalog = SourceCatalog(
            try MultivariantPlaylist(parsing: Array(SimulatedAds.multivariant.utf8)), url: "https://o/m.m3u8")
        var ledger = BreakLedger(
            leading: catalog.leading, settings: .init(kind: .live, maximumAdSegmentDuration: .seconds(6)))
        var viewers = (0..<2).map { _ in
            SimulatedViewer(
                session: StitchingSession(settings: slate.settings),
                joinsAt: origin.segmentDuration * Int.random(in: 4...8, using: &generator))
        }
        var answers: [BreakID: [PodAd]] = [:]
        var requests = Array(
            repeating: [BreakID: (pending: StitchingSession.PendingBreak, arrives: DateTime)](), count: viewers.count)
        var now = origin.segmentDuration * 4
        while now < origin.length {
            now += generator.milliseconds(200...generator.pick([1_500, 3_000, 6_000]))
            let index = Int.random(in: 0..<viewers.count, using: &generator)
            guard viewers[index].joinsAt <= now else { continue }
            let track = generator.pick(origin.tracks)
            let age =
                origin.hasDates && ledger.heldEdge != nil && faults.chance(4)
                ? faults.milliseconds(1_000...20_000) : .zero
            try observe(origin.tracks[0], of: origin, at: now - age, in: &ledger)
            // Once in a while a cache in between answers an older version.
            // Without dates an old version cannot be told from a new one when it is the first that is seen.
            let seenAt = origin.hasDates && generator.chance(6) ? now - .seconds(9) : now
            try observe(track, of: origin, at: seenAt, in: &ledger)
            let clock = DateTime(nanoseconds: 0).advanced(by: now)
            var viewer = viewers[index]
            // Answers of the ad server that came in since.
            for (id, request) in requests[index].sorted(by: { $0.key < $1.key }) where request.arrives <= clock {
                requests[index][id] = nil
                slate.decision(request.pending, answers[id] ?? [], viewer.session, ledger, catalog)
                    .map { _ = viewer.session.decide($0, for: id) }
            }
            for pending in slate.pending(&viewer.session, ledger, catalog, now: clock) {
                let id = pending.opportunity.id
                if answers[id] == nil {
                    answers[id] = (0..<Int.random(in: generator.chance(10) ? 0...0 : 1...5, using: &generator)).map {
                        SimulatedAds.ad("\(id)-\($0)", &generator)
                    }
                }
                guard requests[index][id] == nil else { continue }
                let delay = generator.chance(40) ? .zero : generator.milliseconds(100...2_400)
                if delay == .zero {
                    slate.decision(pending, answers[id] ?? [], viewer.session, ledger, catalog)
                        .map { _ = viewer.session.decide($0, for: id) }
                } else if pending.seenAt.advanced(by: delay) < pending.deadline {
                    requests[index][id] = (pending, pending.seenAt.advanced(by: delay))
                }
            }
            guard let playlist = viewer.session.stitch(track.key, ledger: ledger) else { continue }
            if prints {
                print(origin.log, ledger.epoch)
                print(viewer.session.plan.summary)
                print(
                    ledger.renditions[track.key]?.segments.map {
                        "\($0.number):\($0.discontinuity) \($0.time.formatted)"
                    } ?? [])
                print("edge", viewer.session.releasedEdge(in: ledger)?.formatted ?? "", ledger.breaks)
                print("\(now) viewer \(index) \(track.key)\n" + String(decoding: playlist.bytes, as: UTF8.self))
            }
            try restarts.restart(&viewer.session, index, after: playlist, of: track.key, ledger: &ledger)
            guard !playlist.entries.isEmpty else { continue }
            counts.answers += 1
            let known = ledger.renditions[track.key]?.segments ?? []
            let hasGap = zip(known, known.dropFirst()).contains { $0.number + 1 != $1.number }
            try viewer.check(playlist, track.key, hasGap: hasGap)
            if prints || seed / 2 % 2 == 0 {
                try lint(
                    playlist, track.key, &viewer, at: now, origin: origin, ledger: ledger,
                    looksAtRenditions: prints || counts.answers % 6 == 0)
            }
            if generator.chance(20), viewer.session.stitch(track.key, ledger: ledger)?.bytes != playlist.bytes {
                throw SimulatedViewer.Violation(description: "answers differ (item 16)")
            }
            try checkBounds(viewer.session, origin: origin, ledger: ledger)
            if track.key == ledger.leading {
                try checkRelease(playlist, origin: origin, ledger: ledger, session: viewer.session)
            }
            for placement in viewer.session.plan.renditions.values.flatMap(\.placements) where placement.end != nil {
                guard seenPods.insert("\(index) \(track.key) \(placement.breakID)").inserted else { continue }
                counts.pods += 1
                if placement.cut != nil { counts.cuts += 1 }
                if placement.isJoined { counts.adjoining += 1 }
                if placement.isUnseen { counts.unseen += 1 }
            }
            viewers[index] = viewer
        }
        counts.epochs = ledger.epoch
        for viewer in viewers { try viewer.checkAcross(origin) }
        for viewer in viewers {
            for decision in viewer.session.decisions.values {
                if let reason = decision.reason {
                    let kind = decision.pod == nil ? "" : "slate:"
                    counts.reasons["\(kind)\(reason.code)\(decision.rest == nil ? "" : "+rest")", default: 0] += 1
                } else if decision.pod?.slate != nil {
                    counts.reasons["ads+slate", default: 0] += 1
                }
            }
        }
        return counts
    }

    /// The linter's rules over reloads, and over all renditions as they are at this moment.
    private func lint(
        _ answer: StitchedPlaylist, _ key: RenditionKey, _ viewer: inout SimulatedViewer, at now: Duration,
        origin: SimulatedOrigin, ledger: BreakLedger, looksAtRenditions: Bool
    ) throws {
        // A viewer who does not come for longer than the origin's window lasts loses numbers (405) and time (309); entries
        // come by the origin's clock (item 5), which may be later than 310 wants.
        let excused: Set<Int> = [309, 310, 405]
        for finding in viewer.lint(try MediaPlaylist(parsing: answer.bytes), key, at: now)
        where finding.severity == .error && !excused.contains(finding.rule) {
            throw SimulatedViewer.Violation(description: "\(now) \(key): \(finding)")
        }
        guard looksAtRenditions else { return }
        // All renditions at once: a copy, so that the run itself goes on with what it has seen.
        var ledger = ledger
        for track in origin.tracks { try observe(track, of: origin, at: now, in: &ledger) }
        var session = viewer.session
        let multivariant = try MultivariantPlaylist(parsing: Array(SimulatedAds.multivariant.utf8))
        let sources = try multivariant.mediaPlaylistReferences.map { reference in
            let name = reference.uri == "a.m3u8" ? "a-aud-en" : String(reference.uri.dropLast(5))
            let playlist = try session.stitch(RenditionKey(name), ledger: ledger).map {
                try MediaPlaylist(parsing: $0.bytes)
            }
            return RenditionsLint.Source(reference, url: "https://o/\(reference.uri)", playlist: playlist)
        }
        // A rendition that nobody watched for longer than its window lasts may not know of any date range yet (821).
        // Where a pod was cut, audio may come back so much earlier or later that its D is the video's (item 6); and where it
        // came back nobody knows whose window slid over it unseen.
        let audio = ledger.renditions[origin.tracks[2].key]?.segments ?? []
        // Nor has a rendition all joints if its origin began anew, or its window went on, before anybody asked (504, 508).
        let hasLost = ledger.renditions.values.contains { rendition in
            rendition.key != ledger.leading
                && zip(rendition.segments, rendition.segments.dropFirst()).contains { $1.isBehindGap($0) }
        }
        let isExcused =
            session.plan.renditions.values.contains { $0.placements.contains { $0.cut != nil } }
            || zip(audio, audio.dropFirst()).contains { $0.number + 1 != $1.number }
        // Audio may be up to two of its segments away from video; by more than half a one, and what the lint looks for at one date is
        // found at another.
        let leading = session.plan.renditions[ledger.leading]
        let isApart = session.plan.renditions.values.flatMap(\.placements).contains { place in
            guard let model = leading?.placement(ofPod: place.podIndex) else { return false }
            return max((place.drift - model.drift).magnitude, (place.driftAfter - model.driftAfter).magnitude) * 2
                > origin.audioDuration
        }
        for found in RenditionsLint(multivariant, url: "https://o/m.m3u8", sources: sources).findings()
        where found.finding.severity == .error && found.finding.rule != 821
            && !((isExcused || isApart) && [504, 1115].contains(found.finding.rule))
            && !(hasLost && [504, 508, 1115].contains(found.finding.rule))
        {
            if prints {
                print(session.plan.summary)
                for source in sources {
                    print(source.playlist.map { String(decoding: $0.serialized(), as: UTF8.self) } ?? "")
                }
            }
            let name = found.source.map { sources[$0].reference.uri } ?? ""
            throw SimulatedViewer.Violation(description: "\(now) \(name): \(found.finding)")
        }
    }

    private func observe(
        _ track: SimulatedOrigin.Track, of origin: SimulatedOrigin, at now: Duration, in ledger: inout BreakLedger
    ) throws {
        guard let last = origin.lastNumber(track, at: now),
            last != ledger.renditions[track.key]?.segments.last?.originNumber,
            let bytes = origin.playlist(track, at: now)
        else { return }
        ledger.observe(try MediaPlaylist(parsing: bytes), at: "https://o/\(track.key).m3u8", as: track.key)
    }

    /// Item 5: what is listed behind a content segment is no longer than the time the origin has had since, but for D.
    private func checkRelease(
        _ playlist: StitchedPlaylist, origin: SimulatedOrigin, ledger: BreakLedger, session: StitchingSession
    ) throws {
        guard let edge = ledger.heldEdge, let plan = session.plan.renditions[ledger.leading],
            let first = playlist.entries.firstIndex(where: { if case .content = $0.source { true } else { false } })
        else { return }
        let listed = playlist.entries[first...].reduce(Duration.zero) { $0 + $1.duration }
        let passed = playlist.entries[first].time.duration(to: edge)
        let drifts = plan.placements.flatMap { [$0.drift, $0.driftAfter] } + [plan.drift]
        let largest = max(drifts.max() ?? .zero, .zero) - min(drifts.min() ?? .zero, .zero)
        if listed > passed + largest + .milliseconds(1) {
            throw SimulatedViewer.Violation(description: "\(listed) listed in \(passed), D spans \(largest) (item 5)")
        }
    }

    /// The bounds of the timeline: release in real time, D of the leading rendition, audio against video.
    private func checkBounds(_ session: StitchingSession, origin: SimulatedOrigin, ledger: BreakLedger) throws {
        guard let leading = session.plan.renditions[ledger.leading] else { return }
        let hasCut = leading.placements.contains { $0.cut != nil }
        let bound = origin.segmentDuration + .milliseconds(60)
        if !hasCut, leading.drift > bound {
            throw SimulatedViewer.Violation(description: "D = \(leading.drift), segment \(origin.segmentDuration)")
        }
        for (key, plan) in session.plan.renditions where key != ledger.leading && plan.nextPod == leading.nextPod {
            let difference = plan.drift - leading.drift
            let limit = max(origin.audioDuration, origin.segmentDuration) * 2 + .milliseconds(200)
            if difference > limit || difference < .zero - limit {
                throw SimulatedViewer.Violation(
                    description: "\(key) is \(difference) from the leading rendition, audio \(origin.audioDuration)")
            }
        }
    }
}

extension SessionPlan {
    var summary: String {
        var result = ""
        for (key, plan) in renditions.sorted(by: { $0.key < $1.key }) {
            for place in plan.placements {
                result += "    \(key) [\(place.start), \(place.end.map { "\($0)" } ?? "?")) f \(place.fillCount) at "
                result +=
                    "\(place.startTime.formatted) D \(place.drift) -> \(place.driftAfter) tags \(place.startTags) "
                result += "\(place.endTags) number \(place.numberOffset) -> \(place.numberOffsetAfter) discontinuity "
                result += "\(place.discontinuityOffset) -> \(place.discontinuityOffsetAfter) q \(place.dateShortening)"
                result += "\(place.isUnseen ? " unseen" : "")\(place.cut == nil ? "" : " cut")\n"
            }
        }
        return result
    }
}
