import FoundationEssentials
import HLS
import Testing

@testable import Stitching

/// Random channels and titles with subtitle segments on a grid of their own, often far longer than a pod: their joints lie where
/// video's do, and nothing comes late by a pod's length (rules 504, 508, 1115).
struct SubtitlePropertyTests {
    private static let seeds =
        ProcessInfo.processInfo.environment["PODSTITCH_TIMELINES"].flatMap { Int($0) }.map { $0 / 5 } ?? 400
    private static let key = RenditionKey("s-subs-en")

    private static let multivariant = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="en",LANGUAGE="en",URI="s.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="a.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="aud",SUBTITLES="subs"
        v0.m3u8

        """

    /// A channel with subtitles as long as video's segments, or longer than its breaks; nil where nothing tells where in it a file of
    /// another length belongs.
    private static func scenario(_ seed: Int, _ generator: inout SeededGenerator) -> TimelineScenario? {
        var scenario = TimelineGenerator.scenario(seed: UInt64(seed) &+ 1 << 40, varieties: [])
        guard scenario.origin.dateJitter == 0, scenario.origin.epochs?.isEmpty ?? true else { return nil }
        scenario.slate = nil
        scenario.origin.media = nil
        scenario.origin.keys = nil
        scenario.origin.maximumAdSegment = max(scenario.origin.maximumAdSegment, 6)
        let length = scenario.origin.segments.map(\.duration).max() ?? 0
        scenario.origin.renditions = [
            .init(key: "a-aud-en", grid: nil, firstNumber: 0, delay: 0),
            .init(
                key: key.text, grid: generator.pick([length, length * 2, 17_000, 30_000, 60_000]), firstNumber: 0,
                delay: generator.number(0...900)),
        ]
        // Three target durations are listed, which are those of the longest segments: with less there are no pods (rule 309).
        let longest = scenario.origin.renditions.reduce(length) { max($0, $1.grid ?? 0) }
        scenario.origin.window = max(scenario.origin.window, longest * 3)
        return scenario
    }

    @Test func `subtitles of a channel keep to video, whatever their segments last`() throws {
        var pieces = 0
        for seed in 0..<Self.seeds {
            if let only = ProcessInfo.processInfo.environment["PODSTITCH_SEED"], only != "\(seed)" { continue }
            var generator = SeededGenerator(seed: UInt64(seed) &+ 1 << 40)
            guard let scenario = Self.scenario(seed, &generator) else { continue }
            do {
                pieces += try run(scenario, &generator)
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
        }
        #expect(pieces > Self.seeds / 2)
    }

    /// Returns how many parts of segments were listed.
    private func run(_ scenario: TimelineScenario, _ generator: inout SeededGenerator) throws -> Int {
        let origin = SimulatedOrigin(scenario)
        let catalog = SourceCatalog(
            try MultivariantPlaylist(parsing: Array(Self.multivariant.utf8)), url: "https://o/m.m3u8")
        var ledger = BreakLedger(
            leading: catalog.leading,
            settings: .init(kind: .live, maximumAdSegmentDuration: .seconds(scenario.origin.maximumAdSegment)))
        // As the server does before the first session: the target duration is that of all.
        let longest = origin.tracks.flatMap(\.segments).reduce(Duration.zero) { max($0, $1.duration) }
        let survey = "#EXTM3U\n#EXT-X-TARGETDURATION:\(longest.roundedToSeconds.components.seconds)\n"
        ledger.survey(try MediaPlaylist(parsing: Array(survey.utf8)), as: RenditionKey("v1"))
        var session = StitchingSession()
        var history = SessionHistory()
        var pieces: Set<String> = []
        var now = origin.segmentDuration * 4
        while now < origin.length {
            now += generator.milliseconds(500...2_500)
            for key in [ledger.leading, Self.key] {
                guard let track = origin[key], let version = origin.version(track, at: now),
                    version.number != ledger.renditions[key]?.lastNumber, let bytes = origin.playlist(track, at: now)
                else { continue }
                ledger.observe(try MediaPlaylist(parsing: bytes), at: "https://o/\(key).m3u8", as: key)
            }
            for pending in session.prepare(with: ledger, now: DateTime(nanoseconds: 0).advanced(by: now)).pending {
                let id = pending.opportunity.id
                let planned = generator.pick(scenario.breaks)
                let ads = try planned.ads.enumerated().map { try SimulatedAds.ad($1, id: "\(id)-\($0)", in: scenario) }
                let planner = PodPlanner(session: session, ledger: ledger, catalog: catalog)
                session.decide(planner.decision(for: pending.opportunity, candidates: ads).decision, for: id)
            }
            guard let video = session.stitch(ledger.leading, ledger: ledger),
                let subtitles = session.stitch(Self.key, ledger: ledger), !subtitles.entries.isEmpty
            else { continue }
            let known = ledger.renditions[Self.key]?.segments ?? []
            let hasGap = !(ledger.renditions[Self.key]?.gaps.isEmpty ?? true)
            try history.checkFacts(video, try MediaPlaylist(parsing: video.bytes), ledger.leading)
            try history.checkFacts(subtitles, try MediaPlaylist(parsing: subtitles.bytes), Self.key)
            guard !hasGap else { continue }
            if ProcessInfo.processInfo.environment["PODSTITCH_PRINT"] != nil {
                print(session.plan.summary)
                print(known.map { "\($0.number):\($0.discontinuity) \($0.time.formatted) \($0.duration)" })
                print(String(decoding: subtitles.bytes, as: UTF8.self), String(decoding: video.bytes, as: UTF8.self))
            }
            try check(subtitles, against: video, session)
            for finding in try MediaPlaylist(parsing: subtitles.bytes).lint() where finding.severity == .error {
                throw TimelineRun.Violation(rule: "\(finding.rule)", text: "\(finding)")
            }
            for line in String(decoding: subtitles.bytes, as: UTF8.self).split(separator: "\n")
            where line.hasPrefix("piece-") { pieces.insert(String(line)) }
        }
        return pieces.count
    }

    private func check(_ subtitles: StitchedPlaylist, against video: StitchedPlaylist, _ session: StitchingSession)
        throws
    {
        let cutTolerance = RenditionPlacer.cutTolerance + .milliseconds(100)
        for entry in subtitles.entries {
            let middle = entry.time.advanced(by: entry.duration / 2)
            guard case .content = entry.source, entry.duration > cutTolerance * 2,
                let twin = video.entries.last(where: { other in
                    guard case .content = other.source else { return false }
                    return other.time <= middle && middle < other.time.advanced(by: other.duration)
                })
            else { continue }
            // What stood before each of them on the session's own timeline is as long: neither comes late.
            if twin.discontinuity != entry.discontinuity {
                throw TimelineRun.Violation(
                    rule: "504",
                    text:
                        "\(entry.time.formatted): discontinuity \(entry.discontinuity), video \(twin.discontinuity)")
            }
        }
        guard let leading = session.plan.renditions[RenditionKey("v0")], let own = session.plan.renditions[Self.key],
            leading.nextPod == own.nextPod
        else { return }
        let late = (own.drift - leading.drift).magnitude
        guard late <= cutTolerance * 2 else {
            throw TimelineRun.Violation(rule: "1115", text: "subtitles are \(late) from video")
        }
    }

    @Test func `subtitles of a title keep to video, insertion or replacement`() throws {
        for seed in 0..<Self.seeds / 4 {
            var generator = SeededGenerator(seed: UInt64(seed) &+ 1 << 41)
            let count = Int.random(in: 20...60, using: &generator)
            let marks = (0..<count).map { _ -> [String] in
                guard generator.chance(12) else { return [] }
                return generator.chance(50) ? ["#EXT-X-CUE-OUT:0", "#EXT-X-CUE-IN"] : ["#EXT-X-CUE-OUT:18"]
            }
            let length = generator.pick([9, 25, 40, 100, 600])
            var left = count * 6
            var grid: [[String]] = []
            while left > 0 {
                grid.append(["\(min(length, left)).000"])
                left -= length
            }
            var bench = try Workbench(.vod, multivariant: Self.multivariant)
            try bench.observe(TestContent.playlist(first: 0, ended: true, marks))
            try bench.observe(
                TestContent.playlist(first: 0, ended: true, target: length, grid), as: Self.key.text)
            while !bench.pending().isEmpty {
                bench.decide([
                    try TestAd.demuxed("ad\(bench.session.decisions.count)", ["5.0", "4.0"], audio: ["5.0", "4.0"])
                ])
            }
            let video = try bench.playlist()
            let subtitles = try bench.playlist(Self.key.text)
            if ProcessInfo.processInfo.environment["PODSTITCH_SEED"] == "\(seed)" {
                print(
                    bench.session.plan.summary,
                    bench.ledger.breaks.map { "\($0.id) \($0.start.formatted) \($0.isInsertion)" })
                print(String(decoding: video.bytes, as: UTF8.self), String(decoding: subtitles.bytes, as: UTF8.self))
            }
            do {
                try check(subtitles, against: video, bench.session)
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
            let lengths = [video, subtitles].map { $0.entries.reduce(Duration.zero) { $0 + $1.duration } }
            #expect((lengths[0] - lengths[1]).magnitude <= .milliseconds(1), "seed \(seed): \(lengths)")
            // What comes before an ad is as long in both.
            for (reference, start) in Self.starts(of: subtitles) {
                let other = try #require(Self.starts(of: video)[reference])
                #expect((start - other).magnitude <= RenditionPlacer.cutTolerance, "seed \(seed): \(reference)")
            }
        }
    }

    /// Where ads begin on the session's own timeline.
    private static func starts(of playlist: StitchedPlaylist) -> [FillReference: Duration] {
        var time = Duration.zero
        var starts: [FillReference: Duration] = [:]
        for entry in playlist.entries {
            if case .fill(let reference) = entry.source { starts[reference] = time }
            time += entry.duration
        }
        return starts
    }
}
