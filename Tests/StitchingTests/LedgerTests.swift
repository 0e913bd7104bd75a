import HLS
import Testing

@testable import Stitching

/// What is kept of the content, and what is not believed.
struct LedgerTests {
    @Test func `an older playlist is ignored (item 15)`() throws {
        var bench = try Workbench(.live)
        #expect(try bench.observe(TestContent.playlist(first: 10, Array(repeating: [], count: 5))) == .advanced)
        #expect(try bench.observe(TestContent.playlist(first: 10, Array(repeating: [], count: 5))) == .unchanged)
        #expect(
            try bench.observe(
                TestContent.playlist(first: 9, date: "2025-12-31T23:59:54.000Z", Array(repeating: [], count: 5)))
                == .stale)
        #expect(bench.ledger.renditions[RenditionKey("v0")]?.lastNumber == 14)
    }

    @Test func `the first address of a segment stays, however often the origin signs it anew (rule 404)`() throws {
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, Array(repeating: [], count: 5)))
        let again = TestContent.playlist(first: 10, Array(repeating: [], count: 6)).replacing(
            ".ts", with: ".ts?token=2")
        try bench.observe(again)
        let lines = try bench.lines().filter { !$0.hasPrefix("#") }
        #expect(lines.first == "https://origin/path/c10.ts")
        #expect(lines.last == "https://origin/path/c15.ts?token=2")
    }

    @Test func `breaks have equal ids whoever sees them, and other ids on another day`() throws {
        func id(_ date: String, first: Int) throws -> BreakID? {
            var bench = try Workbench(.live)
            let mark = ["#EXT-X-CUE-OUT:30,BREAKID=7"]
            var segments = Array(repeating: [String](), count: 6)
            segments[20 - first] = mark
            let start = DateTime(date)?.advanced(by: .seconds(6) * first)
            try bench.observe(TestContent.playlist(first: first, date: start?.formatted, segments))
            return bench.ledger.breaks.first?.id
        }
        #expect(try id("2026-01-01T00:00:00Z", first: 16) == id("2026-01-01T00:00:00Z", first: 18))
        #expect(try id("2026-01-01T00:00:00Z", first: 16) != id("2026-01-02T00:00:00Z", first: 16))
    }

    @Test func `a date that steps back does not take time back`() throws {
        var bench = try Workbench(.live)
        var text = TestContent.playlist(first: 0, Array(repeating: [], count: 8))
        text = text.replacing("00:00:24.000Z", with: "00:00:01.000Z").replacing("00:00:30.000Z", with: "00:00:07.000Z")
        try bench.observe(text)
        let times = try #require(bench.ledger.renditions[RenditionKey("v0")]).segments.map(\.time)
        #expect(times == times.sorted())
        #expect(Set(times).count == times.count)
    }

    @Test func `renditions without dates are aligned by their numbers, else by their ends`() throws {
        var bench = try Workbench(.live, multivariant: Workbench.demuxed)
        try bench.observe(TestContent.playlist(first: 50, date: nil, Array(repeating: [], count: 6)))
        try bench.observe(TestContent.playlist(first: 52, date: nil, Array(repeating: [], count: 6)), as: "a-aud-en")
        var other = bench
        let video = try #require(bench.ledger.renditions[RenditionKey("v0")])
        let audio = try #require(bench.ledger.renditions[RenditionKey("a-aud-en")])
        #expect(audio.segments[0].time == video.segments[2].time)
        other = try Workbench(.live, multivariant: Workbench.demuxed)
        try other.observe(TestContent.playlist(first: 50, date: nil, Array(repeating: [], count: 6)))
        try other.observe(
            TestContent.playlist(first: 900, date: nil, Array(repeating: ["4.000"], count: 9)), as: "a-aud-en")
        #expect(other.ledger.renditions[RenditionKey("a-aud-en")]?.edge == video.edge)
    }

    @Test func `an empty playlist and one with nothing but tags do no harm (R74)`() throws {
        var bench = try Workbench(.live)
        try bench.observe("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-ENDLIST\n")
        #expect(bench.pending().isEmpty)
        #expect(throws: Workbench.NoPlaylist.self) { try bench.playlist() }
    }

    @Test func `numbers and lengths at the ends of their ranges do not trap`() throws {
        for kind in [BreakLedger.Kind.live, .vod] {
            var bench = try Workbench(kind)
            try bench.observe(
                """
                #EXTM3U
                #EXT-X-TARGETDURATION:999999999
                #EXT-X-MEDIA-SEQUENCE:9223372032559808000
                #EXT-X-DISCONTINUITY-SEQUENCE:9223372032559808000
                #EXT-X-PROGRAM-DATE-TIME:2261-12-31T23:59:59Z
                #EXTINF:900000,
                a.ts
                #EXT-X-DISCONTINUITY
                #EXT-X-CUE-OUT:99999999999999999999
                #EXTINF:0,
                b.ts
                #EXTINF:0,
                c.ts
                #EXT-X-CUE-OUT-CONT:99999999999999999999/1
                #EXTINF:-5,
                d.ts

                """)
            while !bench.pending().isEmpty { bench.decide([try TestAd.muxed("a", ["6.000"])]) }
            _ = try bench.text()
        }
    }
}
