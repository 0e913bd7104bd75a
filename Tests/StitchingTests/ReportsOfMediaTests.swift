import HLS
import Testing

@testable import Stitching

/// Reports about keys, maps, byte ranges, dates and subtitles: R36 to R51.
struct ReportsOfMediaTests {
    private static let out = "#EXT-X-CUE-OUT:12.000"
    private static let back = "#EXT-X-CUE-IN"

    private static func stitched(
        _ segments: [[String]], ads: [PodAd], header: [String] = [], first: Int = 0, date: String? = nil
    ) throws -> [String] {
        var bench = try Workbench(.vod)
        try bench.observe(TestContent.playlist(first: first, date: date, header: header, ended: true, segments))
        while !bench.pending().isEmpty { bench.decide(ads) }
        return try bench.lines()
    }

    /// The lines between two URIs, the second one included.
    private static func lines(_ lines: [String], from start: String, to end: String) throws -> [String] {
        let first = try #require(lines.firstIndex { $0.hasSuffix(start) }, "\(start) in \(lines)")
        let last = try #require(lines.firstIndex { $0.hasSuffix(end) }, "\(end) in \(lines)")
        return Array(lines[(first + 1)...last])
    }

    @Test func `R36: clear ads in encrypted content stand under METHOD=NONE, and the key comes back`() throws {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"https://keys/1\",IV=0x00000000000000000000000000000001"
        let lines = try Self.stitched(
            [[key], [Self.out], [], [Self.back], []], ads: [try TestAd.muxed("a", ["6.000", "6.000"])])
        #expect(
            try Self.lines(lines, from: "c0.ts", to: "a/v0.ts") == [
                "#EXT-X-DISCONTINUITY", "#EXT-X-KEY:METHOD=NONE", "#EXTINF:6.000,", "https://ads.example/a/v0.ts",
            ])
        #expect(try Self.lines(lines, from: "a/v0.ts", to: "a/v1.ts").count == 2)
        #expect(
            try Self.lines(lines, from: "a/v1.ts", to: "c3.ts") == [
                "#EXT-X-DISCONTINUITY", key, "#EXTINF:6.000,", "https://origin/path/c3.ts",
            ])
        #expect(lines.filter { $0.contains("EXT-X-KEY") }.count == 3)
    }

    @Test func `R36: the key comes back in a window whose own key line has scrolled out`() throws {
        let key = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\""
        var bench = try Workbench(.live)
        for edge in 14...22 {
            let segments = (edge - 4...edge).map { number -> [String] in
                (number == edge - 4 ? [key] : []) + (number == 16 ? [Self.out] : []) + (number == 18 ? [Self.back] : [])
            }
            let date = DateTime("2026-01-01T00:00:00Z")?.advanced(by: .seconds(6) * edge)
            try bench.observe(TestContent.playlist(first: edge - 4, date: date?.formatted, segments))
            if !bench.pending().isEmpty { bench.decide([try TestAd.muxed("a", ["6.000", "6.000"])]) }
            let playlist = try MediaPlaylist(parsing: try bench.playlist().bytes)
            for segment in playlist.segments {
                let isAd = playlist.text(segment.uri).contains("ads.example")
                let keys = playlist.keyGroups[segment.keyGroup].keys
                #expect(keys.isEmpty == isAd)
            }
        }
    }

    @Test func `R38: an origin's own NONE lines are kept`() throws {
        let lines = try Self.stitched(
            [["#EXT-X-KEY:METHOD=NONE"], [Self.out], [], [Self.back]], ads: [try TestAd.muxed("a", ["6.000", "6.000"])])
        #expect(lines.filter { $0 == "#EXT-X-KEY:METHOD=NONE" }.count == 1)
    }

    @Test func `R39: one NONE at the splice, and all key lines that were in force on return`() throws {
        let keys = [
            "#EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI=\"data:,x\",KEYFORMAT=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\"",
            "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://1\",KEYFORMAT=\"com.apple.streamingkeydelivery\"",
        ]
        let lines = try Self.stitched(
            [keys, [Self.out], [], [Self.back], []], ads: [try TestAd.muxed("a", ["6.000", "6.000"])])
        let into = try Self.lines(lines, from: "c0.ts", to: "a/v0.ts")
        #expect(into.filter { $0.contains("KEY") } == ["#EXT-X-KEY:METHOD=NONE"])
        let back = try Self.lines(lines, from: "a/v1.ts", to: "c3.ts")
        #expect(back == ["#EXT-X-DISCONTINUITY"] + keys + ["#EXTINF:6.000,", "https://origin/path/c3.ts"])
    }

    @Test func `R41, R45: an implicit IV becomes the origin's number wherever numbers move`() throws {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k.bin\""
        var bench = try Workbench(.vod)
        try bench.observe(
            TestContent.playlist(
                first: 7, date: nil, ended: true,
                [[key], ["#EXT-X-CUE-OUT:0", Self.back], [], [Self.out], [], [Self.back], []]))
        while !bench.pending().isEmpty { bench.decide([try TestAd.muxed("a", ["4.000", "4.000", "4.000"])]) }
        let answer = try bench.playlist()
        let playlist = try MediaPlaylist(parsing: answer.bytes)
        for (entry, segment) in zip(answer.entries, playlist.segments) {
            guard case .content(let number) = entry.source else { continue }
            let group = playlist.keyGroups[segment.keyGroup]
            let iv = group.keys.first?.attributes(in: playlist.source)["IV"]?.text
            if segment.number == number {
                #expect(iv == nil)
            } else {
                let hexadecimal = String(number, radix: 16, uppercase: true)
                #expect(iv == "0x" + String(repeating: "0", count: 32 - hexadecimal.count) + hexadecimal)
            }
            #expect(group.keys.first?.attributes(in: playlist.source)["URI"]?.text == "https://origin/path/k.bin")
        }
        #expect(String(decoding: answer.bytes, as: UTF8.self).contains("#EXT-X-VERSION:3\n"))
    }

    @Test func `R42: MAP is repeated after every discontinuity, on return too`() throws {
        let lines = try Self.stitched(
            [["#EXT-X-MAP:URI=\"init.mp4\""], [Self.out], [], [Self.back], []],
            ads: [try TestAd.muxed("a", ["6.000"], map: "a.mp4"), try TestAd.muxed("b", ["6.000"], map: "a.mp4")])
        var maps: [String] = []
        for (index, line) in lines.enumerated() where line == "#EXT-X-DISCONTINUITY" { maps.append(lines[index + 1]) }
        #expect(
            maps == [
                "#EXT-X-MAP:URI=\"https://ads.example/a.mp4\"", "#EXT-X-MAP:URI=\"https://ads.example/a.mp4\"",
                "#EXT-X-MAP:URI=\"https://origin/path/init.mp4\"",
            ])
        #expect(lines[1] == "#EXT-X-VERSION:6")
    }

    @Test func `the version is what the content needs, too, whatever the origin says of it (rule 201)`() throws {
        let keys = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\",IV=0x00000000000000000000000000000001"
        let lines = try Self.stitched(
            [[keys], [Self.out], [], [Self.back], []], ads: [try TestAd.muxed("a", ["6.000"])])
        #expect(lines[1] == "#EXT-X-VERSION:5")
    }

    @Test func `a map stands under its own keys wherever it is said again (rule 610)`() throws {
        func key(_ number: Int) -> String {
            "#EXT-X-KEY:METHOD=AES-128,URI=\"https://keys/\(number)\",IV=0x0000000000000000000000000000000\(number)"
        }
        let map = "#EXT-X-MAP:URI=\"https://origin/path/init.mp4\""
        let ad = try TestAd.muxed("a", ["6.000", "6.000"], map: "a.mp4")
        let end = "#EXTINF:6.000,"
        let clear = try Self.stitched([[map, key(1)], [Self.out], [], [Self.back], []], ads: [ad])
        #expect(
            try Self.lines(clear, from: "a/v1.m4s", to: "c3.ts").dropLast() == [
                "#EXT-X-DISCONTINUITY", map, key(1), end,
            ])
        let rotated = try Self.stitched([[key(1), map], [Self.out], [key(2)], [Self.back], []], ads: [ad])
        #expect(
            try Self.lines(rotated, from: "a/v1.m4s", to: "c3.ts").dropLast() == [
                "#EXT-X-DISCONTINUITY", key(1), map, key(2), end,
            ])
        let alike = try Self.stitched([[key(1), map], [Self.out, key(1)], [], [Self.back], []], ads: [ad])
        #expect(
            try Self.lines(alike, from: "a/v1.m4s", to: "c3.ts").dropLast() == [
                "#EXT-X-DISCONTINUITY", key(1), map, end,
            ])
    }

    @Test func `R43: a byte range without offset gets one behind a splice and at the window's head`() throws {
        let range = "#EXT-X-BYTERANGE:1000"
        let segments = [
            ["#EXT-X-BYTERANGE:1000@500"], [range], [Self.out, range], [range], [Self.back, range], [range],
        ]
        // One file: the URIs are equal.
        var text = TestContent.playlist(first: 0, date: nil, ended: true, segments)
        for number in 0..<6 { text = text.replacing("c\(number).ts", with: "all.ts") }
        var bench = try Workbench(.vod)
        try bench.observe(text)
        bench.decide([try TestAd.muxed("a", ["6.000", "6.000"])])
        let ranges = try bench.lines().filter { $0.hasPrefix("#EXT-X-BYTERANGE") }
        #expect(ranges == ["#EXT-X-BYTERANGE:1000@500", range, "#EXT-X-BYTERANGE:1000@4500", range])
    }

    @Test func `R46: dates of the replaced time stand on the ads, and the content returns with its own`() throws {
        let lines = try Self.stitched(
            [[], [Self.out], [], [Self.back], []],
            ads: [
                try TestAd.muxed(
                    "a", ["4.000", "4.000", "3.500"], lines: ["#EXT-X-PROGRAM-DATE-TIME:2019-05-05T00:00:00Z"])
            ],
            date: "2026-01-01T00:00:00.000Z")
        #expect(
            lines.filter { $0.contains("DATE-TIME") }.map { String($0.suffix(13)) } == [
                "00:00:00.000Z", "00:00:06.000Z", "00:00:10.000Z", "00:00:14.000Z", "00:00:18.000Z", "00:00:24.000Z",
            ])
    }

    @Test func `rule 807: an insertion moves the later dates and date ranges`() throws {
        let lines = try Self.stitched(
            [
                [], ["#EXT-X-CUE-OUT:0", Self.back],
                ["#EXT-X-DATERANGE:ID=\"p\",CLASS=\"program\",START-DATE=\"2026-01-01T00:00:12.000Z\",DURATION=6"],
            ],
            ads: [try TestAd.muxed("a", ["5.000", "5.000"])], date: "2026-01-01T00:00:00.000Z")
        #expect(
            lines.filter { $0.contains("DATE-TIME") }.map { String($0.suffix(13)) } == [
                "00:00:00.000Z", "00:00:06.000Z", "00:00:11.000Z", "00:00:16.000Z", "00:00:22.000Z",
            ])
        #expect(lines.contains { $0.contains("START-DATE=\"2026-01-01T00:00:22.000Z\"") })
    }

    @Test func `rule 807: date ranges move by what lies before their dates, wherever their lines stand`() throws {
        let range = { (id: String, second: String, more: String) in
            "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"2026-01-01T00:00:\(second).000Z\"\(more)"
        }
        let lines = try Self.stitched(
            [
                [range("early", "00", ",END-DATE=\"2026-01-01T00:00:06.000Z\""), range("late", "12", "")],
                ["#EXT-X-CUE-OUT:0", Self.back], [range("cue", "12", ",SCTE35-CMD=0xFC30")],
            ],
            ads: [try TestAd.muxed("a", ["5.000", "5.000"])], date: "2026-01-01T00:00:00.000Z")
        #expect(
            lines.filter { $0.contains("DATERANGE") } == [
                range("early", "00", ",END-DATE=\"2026-01-01T00:00:06.000Z\""), range("late", "22", ""),
                range("cue", "22", ",SCTE35-CMD=0xFC30"),
            ])
    }

    @Test func `R48: a subtitle playlist gets the same breaks, its entries an empty file`() throws {
        let multivariant = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="English",LANGUAGE="en",URI="s.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.64001f,mp4a.40.2",SUBTITLES="subs"
            v0.m3u8

            """
        var bench = try Workbench(.vod, multivariant: multivariant)
        let segments = [[], [Self.out], [], [Self.back], []]
        try bench.observe(TestContent.playlist(first: 0, ended: true, segments))
        try bench.observe(TestContent.playlist(first: 0, ended: true, [[], [], [], [], []]), as: "s-subs-en")
        bench.decide([try TestAd.muxed("a", ["4.000", "4.000"]), try TestAd.muxed("b", ["4.000"])])
        let video = try bench.playlist()
        let subtitles = try bench.playlist("s-subs-en")
        #expect(video.entries.map(\.duration) == subtitles.entries.map(\.duration))
        #expect(video.entries.map(\.discontinuity) == subtitles.entries.map(\.discontinuity))
        let lines = try bench.lines("s-subs-en")
        #expect(lines.filter { $0 == "empty.vtt" }.count == 3)
        #expect(!lines.contains { $0.contains("ads.example") })
    }

    @Test func `R51: GAP passes outside the break and goes with what is replaced`() throws {
        let lines = try Self.stitched(
            [["#EXT-X-GAP"], [Self.out, "#EXT-X-GAP"], ["#EXT-X-GAP"], [Self.back], ["#EXT-X-GAP"]],
            ads: [try TestAd.muxed("a", ["6.000", "6.000"])])
        #expect(lines.filter { $0 == "#EXT-X-GAP" }.count == 2)
    }

    @Test func `rule 1301: with ads in the playlist no bit rate is written that would hold for them`() throws {
        let lines = try Self.stitched(
            [["#EXT-X-BITRATE:2000"], [Self.out], [], [Self.back]], ads: [try TestAd.muxed("a", ["6.000", "6.000"])])
        #expect(!lines.contains { $0.hasPrefix("#EXT-X-BITRATE") })
    }

    @Test(arguments: [("0", [String]()), ("8.5", ["#EXT-X-START:TIME-OFFSET=8.5"])])
    func `rule 1302: a start offset moves with what is inserted before it, and a pre-roll is not skipped`(
        offset: String, expected: [String]
    ) throws {
        var bench = try Workbench(.vod)
        try bench.observe(
            TestContent.playlist(
                first: 0, header: ["#EXT-X-START:TIME-OFFSET=\(offset)"], ended: true,
                [[], [], ["#EXT-X-CUE-OUT:0", Self.back], []]))
        if expected.isEmpty, let preroll = bench.ledger.ownBreak(id: BreakID("pre"), at: .start) {
            bench.session.add(preroll)
        }
        while !bench.pending().isEmpty { bench.decide([try TestAd.muxed("a", ["5.000"])]) }
        #expect(try bench.lines().filter { $0.hasPrefix("#EXT-X-START") } == expected)
    }

    @Test func `rule 906: ENDLIST is the content's own, behind the post-roll`() throws {
        var bench = try Workbench(.vod)
        try bench.observe(TestContent.playlist(first: 0, ended: true, [[], []]))
        for (id, place) in [("pre", InsertionPlace.start), ("post", .end)] {
            if let own = bench.ledger.ownBreak(id: BreakID(id), at: place) { bench.session.add(own) }
        }
        while let pending = bench.pending().first {
            bench.decide([try TestAd.muxed(pending.opportunity.id.text, ["5.000"])])
        }
        let lines = try bench.lines()
        #expect(lines.filter { $0 == "#EXT-X-ENDLIST" }.count == 1)
        #expect(lines.last == "#EXT-X-ENDLIST")
        #expect(
            lines.filter { !$0.hasPrefix("#") }.map { $0.split(separator: "/").suffix(2).joined(separator: "/") } == [
                "pre/v0.ts", "path/c0.ts", "path/c1.ts", "post/v0.ts",
            ])
        // Nothing stands before a pre-roll, so nothing is discontinuous there.
        #expect(lines.filter { $0 == "#EXT-X-DISCONTINUITY" }.count == 2)
    }
}
