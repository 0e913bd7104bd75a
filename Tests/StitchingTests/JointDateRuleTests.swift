import HLS
import Testing

@testable import Stitching

/// Dates, date ranges and tags of the whole playlist beside joints, in live as in VOD.
struct JointDateRuleTests {
    private static let kinds = [BreakLedger.Kind.live, .vod]
    private static let break12 = [4: "#EXT-X-CUE-OUT:12", 6: "#EXT-X-CUE-IN"]

    /// All playlists of a session that watches a break of twelve seconds from its first segments on, by rendition.
    private static func answers(
        _ kind: BreakLedger.Kind, multivariant: String = Workbench.muxed, lines: [Int: [String]] = [:],
        header: [String] = [], date: String? = "2026-01-01T00:00:00.000Z", others: [String] = [],
        change: (inout Workbench) -> Void = { _ in }
    ) throws -> [String: [[String]]] {
        var bench = try Workbench(kind, multivariant: multivariant)
        change(&bench)
        let all = (0..<10).map { index in
            (break12[index].map { [$0] } ?? []) + (lines[index] ?? [])
        }
        let plain = Array(repeating: [String](), count: 10)
        var result: [String: [[String]]] = [:]
        for count in kind == .live ? 3...10 : 10...10 {
            let first = kind == .live ? max(0, count - 6) : 0
            let start = date.flatMap { DateTime($0) }?.advanced(by: .seconds(6) * first).formatted
            func playlist(_ segments: [[String]]) -> String {
                TestContent.playlist(
                    first: first, date: start, header: header, ended: kind == .vod, Array(segments[first..<count]))
            }
            try bench.observe(playlist(all))
            for key in others { try bench.observe(playlist(plain), as: key) }
            if !bench.pending().isEmpty { bench.decide([try TestAd.muxed("ad", ["4.000", "4.000", "4.000"])]) }
            for key in ["v0"] + others { result[key, default: []].append(try bench.lines(key)) }
        }
        #expect(result["v0"]?.contains { $0.contains { $0.contains("ads.example") } } ?? false)
        return result
    }

    @Test(arguments: kinds, ["2026-01-01T01:00:06.5+01:00", "2026-01-01T00:00:06Z", "2026-01-01T00:00:06.123456Z"])
    func `a date of the content keeps its spelling, those of ads have zone and milliseconds (rule 801)`(
        kind: BreakLedger.Kind, spelling: String
    ) throws {
        let line = "#EXT-X-PROGRAM-DATE-TIME:\(spelling)"
        let content = (0..<10).map { (Self.break12[$0].map { [$0] } ?? []) + ($0 == 1 ? [line] : []) }
        var bench = try Workbench(kind)
        for count in kind == .live ? [3, 5, 7, 10] : [10] {
            try bench.observe(
                TestContent.playlist(first: 0, date: nil, ended: kind == .vod, Array(content.prefix(count))))
            if !bench.pending().isEmpty { bench.decide([try TestAd.muxed("ad", ["4.000", "4.000", "4.000"])]) }
            #expect(try bench.lines().contains(line))
        }
        let dates = try bench.lines().filter { $0.hasPrefix("#EXT-X-PROGRAM-DATE-TIME:") && $0 != line }
        // The first segment's own is told by that of the next.
        #expect(dates.count == 5)
        for date in dates { #expect(date.wholeMatch(of: #/.*T[0-9:]{8}\.[0-9]{3,}Z/#) != nil, "\(date)") }
    }

    @Test(arguments: kinds)
    func `all renditions have the dates of their entries, and the same ones (rules 803, 805, 806)`(
        kind: BreakLedger.Kind
    ) throws {
        let multivariant = """
            #EXTM3U
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="en",LANGUAGE="en",URI="s.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.64001f,mp4a.40.2",SUBTITLES="s"
            v0.m3u8
            #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.64001f",URI="i.m3u8"

            """
        let answers = try Self.answers(kind, multivariant: multivariant, others: ["s-s-en", "i0"])
        let video = try #require(answers["v0"])
        for key in ["s-s-en", "i0"] {
            for (other, leading) in zip(try #require(answers[key]), video) {
                let dates = { (lines: [String]) in lines.filter { $0.hasPrefix("#EXT-X-PROGRAM-DATE-TIME") } }
                #expect(dates(other) == dates(leading), "\(key)")
            }
        }
    }

    private static let ranges = [
        "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:06Z\",DURATION=60",
        "#EXT-X-DATERANGE:ID=\"b\",START-DATE=\"2026-01-01T00:00:06.000Z\",END-DATE=\"2026-01-01T00:01:06.000Z\",DURATION=60",
        "#EXT-X-DATERANGE:ID=\"c\",CLASS=\"x\",START-DATE=\"2026-01-01T00:00:06.000Z\",END-ON-NEXT=YES",
        "#EXT-X-DATERANGE:ID=\"d\",CLASS=\"com.apple.hls.interstitial\",CUE=\"PRE,ONCE\",START-DATE=\"2026-01-01T00:00:06.000Z\",X-ASSET-URI=\"https://x/a.m3u8\",DURATION=60",
        "#EXT-X-DATERANGE:ID=\"e\",START-DATE=\"2026-01-01T00:00:06.000Z\",DURATION=60.0,PLANNED-DURATION=60,X-OWN=\"a,b\"",
    ]

    @Test(arguments: kinds)
    func `date ranges of the content pass as they are, wherever their lines stand (rules 811, 813-816, 820)`(
        kind: BreakLedger.Kind
    ) throws {
        for place in [1, 4, 5, 6] {
            let answers = try #require(try Self.answers(kind, lines: [place: Self.ranges])["v0"])
            // Those of a replaced segment come with the content's return.
            let last = try #require(answers.last)
            for range in Self.ranges { #expect(last.contains(range), "\(place): \(range)") }
            for lines in answers {
                let listed = lines.filter { $0.hasPrefix("#EXT-X-DATERANGE") }
                #expect(Set(listed).count == listed.count && Set(listed).isSubset(of: Self.ranges))
            }
        }
    }

    @Test(arguments: kinds)
    func `SCTE-35 date ranges that pass are whole, out and in of one id (rules 817, 818)`(kind: BreakLedger.Kind) throws
    {
        let message = TestSplice.out(5, seconds: 12).hexadecimal
        let range = "#EXT-X-DATERANGE:ID=\"5\",START-DATE=\"2026-01-01T00:00:24.000Z\","
        let out = range + "PLANNED-DURATION=12,SCTE35-OUT=\(message)"
        let back = range + "DURATION=12,SCTE35-IN=\(message)"
        var seen: Set<String> = []
        for lines in try #require(
            try Self.answers(kind, lines: [4: [out], 6: [back]], change: { $0.options.markers = .all })["v0"])
        {
            seen.formUnion(lines.filter { $0.hasPrefix("#EXT-X-DATERANGE") })
        }
        #expect(seen == [out, back])
    }

    @Test func `attributes of an own date range are added to, and none changes or goes (rule 820)`() throws {
        var before: [String: String] = [:]
        var sizes: Set<Int> = []
        for lines in try #require(try Self.answers(.live, change: { $0.options.breakMarks = .dateRange })["v0"]) {
            guard let line = lines.first(where: { $0.hasPrefix("#EXT-X-DATERANGE:") }) else { continue }
            let bytes = Array(line.utf8)
            let attributes = Dictionary(
                uniqueKeysWithValues: AttributeList(bytes, in: 17..<bytes.count).map { ($0.name, $0.value.text) })
            for (name, value) in before { #expect(attributes[name] == value) }
            before = attributes
            sizes.insert(attributes.count)
        }
        #expect(before["DURATION"] == "12" && sizes.count == 2)
    }

    @Test(arguments: kinds)
    func `tags of the whole playlist stay, each once (rules 107, 1302, 1303)`(kind: BreakLedger.Kind) throws {
        let header = ["#EXT-X-INDEPENDENT-SEGMENTS", "#EXT-X-START:TIME-OFFSET=-30,PRECISE=YES"]
        for lines in try #require(try Self.answers(kind, header: header)["v0"]) {
            for line in header { #expect(lines.filter { $0 == line }.count == 1) }
        }
    }

    @Test func `a session key and the key of that address stay the same (rule 611)`() throws {
        let attributes =
            "METHOD=SAMPLE-AES,URI=\"keys/1\",KEYFORMAT=\"com.example\",KEYFORMATVERSIONS=\"1/2\",IV=0x0000000000000000000000000000000A"
        let multivariant = Workbench.muxed + "#EXT-X-SESSION-KEY:\(attributes)\n"
        for kind in Self.kinds {
            let bench = try Workbench(kind, multivariant: multivariant)
            let lines = String(
                decoding: bench.catalog.multivariantPlaylist(isStitched: true) { "\($0).m3u8" }, as: UTF8.self)
            let absolute = attributes.replacing("keys/1", with: "https://origin/path/keys/1")
            #expect(lines.contains("#EXT-X-SESSION-KEY:\(absolute)\n"))
            let answers = try Self.answers(kind, multivariant: multivariant, lines: [0: ["#EXT-X-KEY:\(attributes)"]])
            for lines in try #require(answers["v0"]) where lines.contains("https://origin/path/c0.ts") {
                #expect(lines.contains("#EXT-X-KEY:\(absolute)"))
            }
        }
    }
}
