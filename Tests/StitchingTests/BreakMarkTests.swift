import HLS
import Testing

@testable import Stitching

/// Which ad markers stand in a stitched playlist: the origin's, and the session's own.
struct BreakMarkTests {
    /// A line of each family of markers, the origin's.
    private static let families = [
        "#EXT-X-CUE-OUT:12", "#EXT-X-CUE-OUT-CONT:6/12", "#EXT-X-CUE-SPAN:TIMEFROMSIGNAL=PT6S", "#EXT-X-CUE-IN",
        "#EXT-OATCLS-SCTE35:/DAl", "#EXT-X-ASSET:CAID=0x01", "#EXT-X-CUE:TYPE=\"SpliceOut\",ID=\"7\",DURATION=\"12\"",
        "#EXT-X-CUE-CONT:ID=7,AVAIL-DUR-ELAPSED=6", "#EXT-X-SCTE35:TYPE=0x34,CUE-OUT=YES,CUE=\"/DA\"",
        "#EXT-SCTE35: CUE=\"/DA\"", "#EXT-X-SPLICEPOINT-SCTE35:/DA",
        "#EXT-X-DATERANGE:ID=\"5\",START-DATE=\"2026-01-01T00:00:06Z\",SCTE35-OUT=0xFC30", "#EXT-X-SIGNAL-EXIT:12",
        "#EXT-X-SIGNAL-SPAN:6/12", "#EXT-X-SIGNAL-RETURN", "#EXT-X-PLACEMENT-OPPORTUNITY", "#EXT-X-AD-START",
        "#EXT-X-VMAP-AD-BREAK:x", "#EXT-X-CUEPOINT:x", "#EXT-X-BLACKOUT", "#EXT-X-MAMBA-AD-START",
        "#EXT-X-DATERANGE:ID=\"6\",CLASS=\"twitch-stitched-ad\",START-DATE=\"2026-01-01T00:00:06Z\"",
    ]

    @Test(arguments: families)
    func `with none no marker passes, and nothing else goes`(marker: String) throws {
        let other = ["#EXT-X-UNKNOWN:1", "# comment", "#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"2026-01-01T00:00:06Z\""]
        let segments = [[], other + [marker], [], [], []]
        var texts: [MarkerPassthrough: [String]] = [:]
        for passthrough in MarkerPassthrough.allCases {
            for kind in [BreakLedger.Kind.live, .vod] {
                var bench = try Workbench(kind)
                bench.options.markers = passthrough
                try bench.observe(TestContent.playlist(first: 0, ended: kind == .vod, segments))
                let lines = try bench.lines()
                #expect(lines.contains(marker) == (passthrough != .none), "\(passthrough), \(kind)")
                for line in other { #expect(lines.contains(line)) }
                texts[passthrough] = lines
            }
        }
        #expect(texts[.none] == texts[.all]?.filter { $0 != marker })
    }

    @Test func `with all the markers around an insertion stay with their segment, and those behind the last one too`()
        throws
    {
        var bench = try Workbench(.vod)
        bench.options.markers = .all
        let pair = ["#EXT-X-CUE-OUT:0", "#EXT-X-CUE-IN"]
        let content = TestContent.playlist(first: 0, date: nil, [[], pair, []]) + pair.joined(separator: "\n")
        try bench.observe(content + "\n#EXT-X-ENDLIST\n")
        while !bench.pending().isEmpty { bench.decide([try TestAd.muxed("ad", ["4.0"])]) }
        let lines = try bench.lines().filter { $0.contains("CUE") || !$0.hasPrefix("#") || $0.contains("ENDLIST") }
        #expect(
            lines == [
                "https://origin/path/c0.ts", "https://ads.example/ad/v0.ts", "#EXT-X-CUE-OUT:0", "#EXT-X-CUE-IN",
                "https://origin/path/c1.ts", "https://origin/path/c2.ts", "https://ads.example/ad/v0.ts",
                "#EXT-X-CUE-OUT:0", "#EXT-X-CUE-IN", "#EXT-X-ENDLIST",
            ])
    }

    @Test func `own date ranges tell the same in video and in audio of other segment lengths (rule 821)`() throws {
        var bench = try Workbench(.live, multivariant: Workbench.demuxed)
        bench.options.breakMarks = .dateRange
        let audio = Array(repeating: ["5.500"], count: 8)
        var shown: [String: Set<String>] = [:]
        for count in 4...9 {
            var video = Array(repeating: [String](), count: count)
            if count > 4 { video[4] = ["#EXT-X-CUE-OUT:12"] }
            if count > 6 { video[6] = ["#EXT-X-CUE-IN"] }
            try bench.observe(TestContent.playlist(first: 0, video))
            try bench.observe(TestContent.playlist(first: 0, Array(audio.prefix(count - 1))), as: "a-aud-en")
            if !bench.pending().isEmpty {
                bench.decide([try TestAd.demuxed("ad", ["6.0", "6.0"], audio: ["5.9", "6.1"])])
            }
            for key in ["v0", "a-aud-en"] {
                shown[key, default: []].formUnion(try bench.lines(key).filter { $0.contains("DATERANGE") })
            }
        }
        #expect(shown["v0"]?.count == 2)
        #expect(shown["v0"] == shown["a-aud-en"])
    }

    @Test func `content without dates gets no own date range (rule 812)`() throws {
        var bench = try Workbench(.vod)
        bench.options.breakMarks = .dateRange
        try bench.observe(
            TestContent.playlist(first: 0, date: nil, ended: true, [[], ["#EXT-X-CUE-OUT:0", "#EXT-X-CUE-IN"], []]))
        bench.decide([try TestAd.muxed("ad", ["4.0"])])
        let text = try bench.text()
        #expect(text.contains("ads.example") && !text.contains("DATERANGE"))
    }

    @Test func `ids of ad servers cannot break a line`() {
        #expect(BreakMarkWriter.escaped("a\"b,c\r\n%ü") == "a%22b%2Cc%0D%0A%25%C3%BC")
    }
}
