import FoundationEssentials
import HLS
import Testing

@testable import Stitching

/// Random channels and titles with subtitle segments on a grid of their own, often far longer than a pod: their joints lie where
/// video's do, and nothing comes late by a pod's length (rules 504, 508, 1115).
struct SubtitlePropertyTests {
    private static let seeds =
        ProcessInfo.processInfo.environment["PODSTITCH_TIMELINES"].flatMap { Int($0) }.map { $0 / 5 } ?? 400
    private static let key = RenditionKey("s-sub-en")

    private static let multivariant = SimulatedAds.multivariant.replacing(
        "AUDIO=\"aud\"", with: "AUDIO=\"aud\",SUBTITLES=\"sub\""
    ).replacing(
        "#EXTM3U\n",
        with: "#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"sub\",NAME=\"en\",LANGUAGE=\"en\",URI=\"s.m3u8\"\n")

    /// Subtitles of a channel: as long as video's segments, or longer than its breaks; begun anew at each discontinuity.
    private static func track(of origin: SimulatedOrigin, _ generator: inout SeededGenerator) -> SimulatedOrigin.Track {
        let video = origin.tracks[0].segments
        let cuts = video.filter(\.isDiscontinuity).map(\.start) + [origin.length * 2]
        let length = generator.pick([
            origin.segmentDuration, origin.segmentDuration * 2, .seconds(17), .seconds(30), .seconds(60),
        ])
        var segments: [SimulatedOrigin.Segment] = []
        var time = Duration.zero
        var cut = 0
        let end = video.last?.end ?? .zero
        while time < end {
            let isDiscontinuity = cuts[cut] <= time
            if isDiscontinuity { cut += 1 }
            let next = min(time + length, cuts[cut], end)
            segments.append(
                SimulatedOrigin.Segment(
                    number: Int64(segments.count), start: time, duration: next - time, isDiscontinuity: isDiscontinuity)
            )
            time = next
        }
        return SimulatedOrigin.Track(key: key, segments: segments, delay: generator.milliseconds(0...900))
    }

    @Test func `subtitles of a channel keep to video, whatever their segments last`() throws {
        var pieces = 0
        for seed in 0..<Self.seeds {
            if let only = ProcessInfo.processInfo.environment["PODSTITCH_SEED"], only != "\(seed)" { continue }
            var generator = SeededGenerator(seed: UInt64(seed) &+ 1 << 40)
            var faults = SeededGenerator(seed: UInt64(seed))
            var origin = SimulatedOrigin(&generator, faults: &faults)
            // Without dates nothing tells where in a channel a file of another length belongs.
            guard origin.hasDates, origin.epochs.isEmpty else { continue }
            let track = Self.track(of: origin, &generator)
            origin.tracks.append(track)
            do {
                pieces += try run(origin, &generator)
            } catch {
                Issue.record("seed \(seed): \(error)")
                return
            }
        }
        #expect(pieces > Self.seeds / 2)
    }

    /// Returns how many parts of segments were listed.
    private func run(_ origin: SimulatedOrigin, _ generator: inout SeededGenerator) throws -> Int {
        let catalog = SourceCatalog(
            try MultivariantPlaylist(parsing: Array(Self.multivariant.utf8)), url: "https://o/m.m3u8")
        var ledger = BreakLedger(
            leading: catalog.leading, settings: .init(kind: .live, maximumAdSegmentDuration: .seconds(6)))
        // As the server does before the first session: the target duration is that of all.
        let longest = origin.tracks.flatMap(\.segments).reduce(Duration.zero) { max($0, $1.duration) }
        let survey = "#EXTM3U\n#EXT-X-TARGETDURATION:\(longest.roundedToSeconds.components.seconds)\n"
        ledger.survey(try MediaPlaylist(parsing: Array(survey.utf8)), as: RenditionKey("v1"))
        var viewer = SimulatedViewer(session: StitchingSession(), joinsAt: .zero)
        var pieces: Set<String> = []
        var now = origin.segmentDuration * 4
        while now < origin.length {
            now += generator.milliseconds(500...2_500)
            for track in [origin.tracks[0], origin.tracks[3]] {
                guard let last = origin.lastNumber(track, at: now), last != ledger.renditions[track.key]?.lastNumber,
                    let bytes = origin.playlist(track, at: now)
                else { continue }
                let text = String(decoding: bytes, as: UTF8.self).replacing(
                    ".m4s", with: track.key == Self.key ? ".vtt" : ".ts")
                ledger.observe(
                    try MediaPlaylist(parsing: Array(text.utf8)), at: "https://o/\(track.key).m3u8", as: track.key)
            }
            for pending in viewer.session.prepare(with: ledger, now: DateTime(nanoseconds: 0).advanced(by: now)).pending
            {
                let ads = (0..<Int.random(in: 1...4, using: &generator)).map {
                    SimulatedAds.ad("\(pending.opportunity.id)-\($0)", &generator)
                }
                let planner = PodPlanner(session: viewer.session, ledger: ledger, catalog: catalog)
                viewer.session.decide(
                    planner.decision(for: pending.opportunity, candidates: ads).decision, for: pending.opportunity.id)
            }
            guard let video = viewer.session.stitch(ledger.leading, ledger: ledger),
                let subtitles = viewer.session.stitch(Self.key, ledger: ledger), !subtitles.entries.isEmpty
            else { continue }
            let known = ledger.renditions[Self.key]?.segments ?? []
            let hasGap = zip(known, known.dropFirst()).contains { $0.number + 1 != $1.number }
            // What an origin lists of very long segments is less than three target durations.
            try viewer.check(video, ledger.leading, hasGap: true)
            try viewer.check(subtitles, Self.key, hasGap: true)
            guard !hasGap else { continue }
            if ProcessInfo.processInfo.environment["PODSTITCH_PRINT"] != nil {
                print(viewer.session.plan.summary)
                print(known.map { "\($0.number):\($0.discontinuity) \($0.time.formatted) \($0.duration)" })
                print(String(decoding: subtitles.bytes, as: UTF8.self), String(decoding: video.bytes, as: UTF8.self))
            }
            try check(subtitles, against: video, viewer.session)
            for finding in try MediaPlaylist(parsing: subtitles.bytes).lint() where finding.severity == .error {
                throw SimulatedViewer.Violation(description: "\(finding)")
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
                throw SimulatedViewer.Violation(
                    description:
                        "\(entry.time.formatted): discontinuity \(entry.discontinuity), video \(twin.discontinuity)")
            }
        }
        guard let leading = session.plan.renditions[RenditionKey("v0")], let own = session.plan.renditions[Self.key],
            leading.nextPod == own.nextPod
        else { return }
        let late = (own.drift - leading.drift).magnitude
        guard late <= cutTolerance * 2 else {
            throw SimulatedViewer.Violation(description: "subtitles are \(late) from video")
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
