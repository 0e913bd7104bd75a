import HLS
import Testing

@testable import Stitching

/// Reports about cue tags and fit: R20 to R35.
struct ReportsOfBreaksTests {
    private static func breaks(
        _ segments: [[String]], kind: BreakLedger.Kind = .live, trailer: String = ""
    ) throws -> [ContentBreak] {
        var bench = try Workbench(kind)
        try bench.observe(TestContent.playlist(first: 10, segments) + trailer)
        return bench.ledger.breaks
    }

    @Test(arguments: [
        "#EXT-X-CUE-OUT:11.52", "#EXT-X-CUE-OUT:\"11.52\"", "#EXT-X-CUE-OUT:DURATION=11.52",
        "#EXT-X-CUE-OUT:DURATION=\"11.52\"", "#EXT-X-CUE-OUT: 11.52", "#EXT-X-CUE-OUT:DURATION=11.52,BREAKID=7",
        "#EXT-X-CUE-OUT:11.52,BreakID=7",
    ])
    func `R20, R21, R26: every spelling of CUE-OUT is the same break`(line: String) throws {
        let found = try Self.breaks([[], [line], [], []])
        #expect(found.count == 1)
        #expect(found.first?.plannedDuration == .milliseconds(11_520))
        #expect(found.first?.startNumber == 11)
        if line.contains("7") { #expect(found.first?.attributes["BREAKID"] == "7") }
    }

    @Test func `R23: cue lines of a break that stays content keep their kind, value and place`() throws {
        let text = TestContent.playlist(
            first: 10,
            [
                [], ["#EXT-X-CUE-OUT:18.0"], ["#EXT-X-CUE-OUT-CONT:6.0/18.0"], ["#EXT-X-CUE-OUT-CONT:12.0/18.0"],
                ["#EXT-X-CUE-IN"],
            ])
        var bench = try Workbench(.live)
        try bench.observe(text)
        let answer = try bench.text()
        for line in text.split(separator: "\n") where line.hasPrefix("#EXT-X-CUE") {
            #expect(answer.contains(line))
        }
        #expect(bench.notes.map { $0.split(separator: " ").last.map(String.init) } == ["before_session"])
    }

    @Test(arguments: [
        ("#EXT-X-CUE-OUT-CONT:10/30", 20), ("#EXT-X-CUE-OUT-CONT:ElapsedTime=10.0,Duration=30.0,SCTE35=/DA0", 20),
        ("#EXT-X-CUE-OUT-CONT: 10.000/30", 20), ("#EXT-X-CUE-OUT-CONT", 120),
    ])
    func `R25: a window that begins inside a break tells elapsed and remaining time`(line: String, left: Int) throws {
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, [[line], [], []]))
        let found = try #require(bench.ledger.breaks.first)
        let join = try #require(bench.ledger.renditions[RenditionKey("v0")]?.segments.first?.time)
        #expect(found.startNumber == nil)
        #expect(join.duration(to: found.plannedEnd) == .seconds(left))
        #expect(bench.pending().isEmpty)
        #expect(bench.notes == ["\(found.id): joined_inside"])
    }

    @Test func `R26: CUE-OUT 0 with CUE-IN inserts, and a pair at the end is a post-roll`() throws {
        let found = try Self.breaks(
            [[], ["#EXT-X-CUE-OUT: 0", "#EXT-X-CUE-IN"], []], kind: .vod,
            trailer: "#EXT-X-CUE-OUT:0\n#EXT-X-CUE-IN\n#EXT-X-ENDLIST\n")
        #expect(found.map(\.startNumber) == [11, 13])
        #expect(found.map(\.isInsertion) == [true, true])
        var bench = try Workbench(.vod)
        try bench.observe(
            TestContent.playlist(first: 0, [[], ["#EXT-X-CUE-OUT: 0", "#EXT-X-CUE-IN"], []])
                + "#EXT-X-CUE-OUT:0\n#EXT-X-CUE-IN\n#EXT-X-ENDLIST\n")
        let positions = bench.pending().map(\.opportunity.position)
        #expect(positions == [.midroll, .postroll])
        bench.decide([try TestAd.muxed("mid", ["4.000"])])
        bench.decide([try TestAd.muxed("post", ["4.000"])])
        let lines = try bench.lines()
        #expect(
            lines.filter { !$0.hasPrefix("#") } == [
                "https://origin/path/c0.ts", "https://ads.example/mid/v0.ts", "https://origin/path/c1.ts",
                "https://origin/path/c2.ts", "https://ads.example/post/v0.ts",
            ])
        #expect(lines.last == "#EXT-X-ENDLIST")
        #expect(!lines.contains { $0.contains("CUE") })
    }

    @Test func `R28: several dialects on one segment are one break, their attributes kept`() throws {
        let found = try Self.breaks([
            [],
            [
                "#EXT-OATCLS-SCTE35:/DAlAAAA", "#EXT-X-ASSET:CAID=0x0000000020FB6501,GENRE=CV", "#EXT-X-CUE-OUT:18.000",
                "#EXT-X-CUE-OUT:DURATION=18", "#EXT-X-CUE:TYPE=\"SpliceOut\",ID=\"7\"",
                "#EXT-X-SCTE35:CUE=\"/DA\",CUE-OUT=YES",
            ], [],
        ])
        #expect(found.count == 1)
        #expect(found.first?.plannedDuration == .seconds(18))
        #expect(found.first?.attributes["CAID"] == "0x0000000020FB6501")
        #expect(found.first?.attributes["GENRE"] == "CV")
        #expect(found.first?.attributes["SCTE35"] == "/DAlAAAA")
    }

    @Test func `a segment with CUE-IN and CUE-OUT ends one break and begins the next`() throws {
        let found = try Self.breaks([
            [], ["#EXT-X-CUE-OUT"], ["#EXT-X-CUE-OUT:6", "#EXT-X-CUE-IN"], ["#EXT-X-CUE-IN"],
        ])
        #expect(found.map(\.startNumber) == [11, 12])
        #expect(found[0].end?.number == 12)
        #expect(found[0].plannedDuration == nil)
    }

    @Test func `a break whose CUE-IN is missing ends at its planned length`() throws {
        let found = try Self.breaks([[], ["#EXT-X-CUE-OUT:12"], [], [], [], []])
        #expect(found.count == 1)
        #expect(found.first?.end == ContentBreak.End(time: found[0].plannedEnd, number: nil))
    }

    @Test func `R30: an ad whose segments exceed the target duration is not used, with the reason`() throws {
        var bench = try Workbench(.vod)
        try bench.observe(
            TestContent.playlist(first: 0, ended: true, [[], ["#EXT-X-CUE-OUT:18"], [], [], ["#EXT-X-CUE-IN"]]))
        bench.decide([try TestAd.muxed("long", ["8.138"]), try TestAd.muxed("good", ["6.400", "6.400", "5.200"])])
        #expect(bench.notes == ["long: a segment of 8.138 s is longer than the target duration of 6 s"])
        #expect(try bench.text().contains("good/v0.ts"))
        #expect(try bench.text().contains("#EXT-X-TARGETDURATION:6\n"))
    }

    @Test func `R31: every content playlist gets a rendition of the ad`() throws {
        var text = "#EXTM3U\n"
        for language in ["en", "de", "fr"] {
            text +=
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"\(language)\",LANGUAGE=\"\(language)\",URI=\"\(language).m3u8\"\n"
        }
        text += "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"en\",LANGUAGE=\"en\",URI=\"s.m3u8\"\n"
        for (index, bandwidth) in [400, 800, 1600, 3200, 6400].enumerated() {
            text +=
                "#EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth)000,CODECS=\"avc1.64001f,mp4a.40.2\",AUDIO=\"a\",SUBTITLES=\"s\","
            text += "RESOLUTION=\(320 * (index + 1))x\(180 * (index + 1))\nv\(index).m3u8\n"
        }
        let catalog = SourceCatalog(try MultivariantPlaylist(parsing: Array(text.utf8)), url: "https://o/m.m3u8")
        let ad = try TestAd.demuxed("a", ["6.000"], audio: ["6.000"])
        let content = catalog.renditions.map { RenditionMatcher.Content(rendition: $0, container: nil) }
        let matches = try RenditionMatcher(ad.media).matches(for: content, container: .selfInitializing)
        #expect(matches.count == 9)
        for rendition in catalog.renditions {
            switch rendition.kind {
            case .variant: #expect(matches[rendition.key] == .rendition(0))
            case .audio: #expect(matches[rendition.key] == .rendition(1))
            default: #expect(matches[rendition.key] == .emptySubtitles(like: 0))
            }
        }
    }

    @Test func `R32: a muxed ad is never put into content with separate audio`() throws {
        var bench = try Workbench(.vod, multivariant: Workbench.demuxed)
        try bench.observe(
            TestContent.playlist(first: 0, ended: true, [[], ["#EXT-X-CUE-OUT:12"], [], ["#EXT-X-CUE-IN"]]))
        bench.decide([try TestAd.muxed("muxed", ["6.000", "6.000"])])
        #expect(bench.notes.first == "muxed: v0 needs an ad with separate audio")
        #expect(try !bench.text().contains("ads.example"))
    }

    @Test func `R34: over many breaks the return keeps to the content's timeline`() throws {
        var segments: [[String]] = [[], []]
        for _ in 0..<40 {
            segments += [["#EXT-X-CUE-OUT:120.000"]] + Array(repeating: [], count: 19) + [["#EXT-X-CUE-IN"], []]
        }
        var bench = try Workbench(.vod)
        try bench.observe(TestContent.playlist(first: 0, ended: true, segments))
        while !bench.pending().isEmpty {
            bench.decide(
                try (0..<4).map { try TestAd.muxed("a\($0)", Array(repeating: "3.000", count: 10) + ["0.050"]) })
        }
        let answer = try bench.playlist()
        let plan = try #require(bench.session.plan.renditions[RenditionKey("v0")])
        #expect(plan.placements.count == 40)
        for placement in plan.placements {
            #expect(placement.driftAfter <= .seconds(3))
            #expect(placement.driftAfter >= .seconds(-3))
        }
        // What forty pods were too long by was given back with one content segment.
        #expect(answer.entries.count == 2 + 40 * 46 - 1)
    }
}
