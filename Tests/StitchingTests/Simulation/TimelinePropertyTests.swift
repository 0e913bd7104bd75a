import FoundationEssentials
import HLS
import Testing

@testable import Stitching

/// Random origins, pods, sessions and polls against the rules that hold over reloads and across renditions.
struct TimelinePropertyTests {
    private static let seeds = 2_000

    @Test(arguments: [0, 1])
    func
        `every timeline keeps its numbers, joints and dates over reloads and renditions (rules 303-309, 403-406, 501-508, 802-804)`(
            part: Int
        ) throws
    {
        for seed in stride(from: part, to: Self.seeds, by: 2) {
            do {
                try SimulatedTimeline(seed: UInt64(seed)).run()
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
        }
    }
}

/// Prints one run: `PODSTITCH_SEED=176 swift test --filter OneTimeline`.
struct OneTimelineTests {
    @Test(.enabled(if: ProcessInfo.processInfo.environment["PODSTITCH_SEED"] != nil))
    func `one timeline, printed`() throws {
        let seed = ProcessInfo.processInfo.environment["PODSTITCH_SEED"].flatMap { UInt64($0) } ?? 0
        var timeline = SimulatedTimeline(seed: seed)
        timeline.prints = true
        try timeline.run()
    }
}

/// One random run.
struct SimulatedTimeline {
    let seed: UInt64
    var prints = false

    init(seed: UInt64) { self.seed = seed }

    func run() throws {
        var generator = SeededGenerator(seed: seed)
        let origin = SimulatedOrigin(&generator)
        let catalog = SourceCatalog(
            try MultivariantPlaylist(parsing: Array(SimulatedAds.multivariant.utf8)), url: "https://o/m.m3u8")
        var ledger = BreakLedger(
            leading: catalog.leading, settings: .init(kind: .live, maximumAdSegmentDuration: .seconds(6)))
        var viewers = (0..<2).map { _ in
            SimulatedViewer(
                session: StitchingSession(),
                joinsAt: origin.segmentDuration * Int.random(in: 4...14, using: &generator))
        }
        var answers: [BreakID: (ads: [PodAd], delay: Duration)] = [:]
        var now = origin.segmentDuration * 4
        while now < origin.length {
            now += generator.milliseconds(300...6_500)
            let index = Int.random(in: 0..<viewers.count, using: &generator)
            guard viewers[index].joinsAt <= now else { continue }
            let track = generator.pick(origin.tracks)
            try observe(origin.tracks[0], of: origin, at: now, in: &ledger)
            // Once in a while a cache in between answers an older version.
            let seenAt = generator.chance(6) ? now - .seconds(9) : now
            try observe(track, of: origin, at: seenAt, in: &ledger)
            let clock = DateTime(nanoseconds: 0).advanced(by: now)
            var viewer = viewers[index]
            for pending in viewer.session.prepare(with: ledger, now: clock).pending {
                let id = pending.opportunity.id
                if answers[id] == nil {
                    let ads = (0..<Int.random(in: 0...4, using: &generator)).map { number in
                        SimulatedAds.ad("\(id)-\(number)", &generator)
                    }
                    answers[id] = (ads, generator.milliseconds(0...3_000))
                }
                guard let answer = answers[id], pending.seenAt.advanced(by: answer.delay) <= clock else { continue }
                let planner = PodPlanner(session: viewer.session, ledger: ledger, catalog: catalog)
                viewer.session.decide(
                    planner.decision(for: pending.opportunity, candidates: answer.ads).decision, for: id)
            }
            guard let playlist = viewer.session.stitch(track.key, ledger: ledger) else { continue }
            if prints {
                print(viewer.session.plan.summary)
                print(
                    ledger.renditions[track.key]?.segments.map {
                        "\($0.number):\($0.discontinuity) \($0.time.formatted)"
                    } ?? [])
                print("edge", viewer.session.releasedEdge(in: ledger)?.formatted ?? "", ledger.breaks)
                print("\(now) viewer \(index) \(track.key)\n" + String(decoding: playlist.bytes, as: UTF8.self))
            }
            guard !playlist.entries.isEmpty else { continue }
            let known = ledger.renditions[track.key]?.segments ?? []
            let hasGap = zip(known, known.dropFirst()).contains { $0.number + 1 != $1.number }
            try viewer.check(playlist, track.key, hasGap: hasGap)
            if generator.chance(20), viewer.session.stitch(track.key, ledger: ledger)?.bytes != playlist.bytes {
                throw SimulatedViewer.Violation(description: "answers differ (item 16)")
            }
            try checkBounds(viewer.session, origin: origin, ledger: ledger)
            viewers[index] = viewer
        }
        for viewer in viewers { try viewer.checkAcross(origin) }
    }

    private func observe(
        _ track: SimulatedOrigin.Track, of origin: SimulatedOrigin, at now: Duration, in ledger: inout BreakLedger
    ) throws {
        guard let bytes = origin.playlist(track, at: now) else { return }
        ledger.observe(try MediaPlaylist(parsing: bytes), at: "https://o/\(track.key).m3u8", as: track.key)
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
