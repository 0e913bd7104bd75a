import HLS
import Testing

@testable import Stitching

/// Keys, maps, ranges, gaps and bit rates at every joint, in live as in VOD: whatever stands in between, a player takes the same
/// for each segment of the content as at the origin, and for each segment of an ad as in the ad's own playlist.
struct JointRuleTests {
    struct Case: Sendable, CustomStringConvertible {
        var rules: String
        var description: String { rules }
        /// Lines before the segment of that index.
        var lines: [Int: [String]] = [:]
        var header: [String] = []
        /// Lines of the ad's playlist, before its first segment.
        var ad: [String] = []
        var adMap: String?
        /// Of each content segment, behind EXTINF.
        var range: (@Sendable (Int) -> String?)?
        /// The file that segments are ranges of.
        var file: String?
        /// Something has to stand in some answer.
        var expected: [String] = []
        /// Or must not.
        var absent: [String] = []
    }

    private static let start = 8
    private static let end = 11
    private static let count = 22

    private static func key(_ attributes: String) -> String { "#EXT-X-KEY:" + attributes }
    private static let widevine =
        "METHOD=SAMPLE-AES-CTR,URI=\"data:text/plain;base64,AAAA\",KEYFORMAT=\"urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed\",KEYFORMATVERSIONS=\"1\""
    private static let playReady =
        "METHOD=SAMPLE-AES-CTR,URI=\"data:text/plain;base64,BBBB\",KEYFORMAT=\"com.microsoft.playready\",KEYFORMATVERSIONS=\"1/2\""
    private static let fairPlay =
        "METHOD=SAMPLE-AES,URI=\"skd://a\",KEYFORMAT=\"com.apple.streamingkeydelivery\",KEYFORMATVERSIONS=\"1\""
    private static let rotating = Dictionary(
        uniqueKeysWithValues: (0..<count).map { ($0, [key("METHOD=AES-128,URI=\"https://k/\($0)\"")]) })

    static let cases: [Case] = [
        Case(
            rules: "601-604, 608, 609: AES-128 with an IV, clear ads",
            lines: [0: [key("METHOD=AES-128,URI=\"https://k/1\",IV=0x0000000000000000000000000000000A")]],
            expected: ["#EXT-X-KEY:METHOD=NONE"]),
        Case(
            rules: "605: an IV that follows from the number, AES-128",
            lines: [0: [key("METHOD=AES-128,URI=\"https://k/1\"")]], expected: [",IV=0x"]),
        Case(
            rules: "605: an IV that follows from the number, SAMPLE-AES",
            lines: [0: [key("METHOD=SAMPLE-AES,URI=\"https://k/1\"")]], expected: [",IV=0x"]),
        Case(
            rules: "606: SAMPLE-AES-CTR has no IV", lines: [0: [key(widevine)]], absent: ["IV="]),
        Case(
            rules: "606: AES-256-GCM has no IV",
            lines: [0: [key("METHOD=AES-256-GCM,URI=\"https://k/1\",KEYFORMAT=\"identity\"")]], absent: ["IV="]),
        Case(
            rules: "609: all key formats that were in force come back",
            lines: [
                0: [key(widevine), key(playReady), key(fairPlay)]
            ], absent: ["IV="]),
        Case(
            rules: "605, 609: a key of one format rotates while another holds",
            lines: [
                0: [key(fairPlay), key("METHOD=SAMPLE-AES,URI=\"https://k/1\"")],
                9: [key("METHOD=SAMPLE-AES,URI=\"https://k/2\"")],
            ], expected: ["https://k/2", "skd://a"]),
        Case(rules: "605, 608: each segment has its own key, in the break too", lines: rotating),
        Case(
            rules: "608, 609: keys change where the break begins, within it and where it ends",
            lines: [
                0: [key("METHOD=AES-128,URI=\"https://k/1\"")], start: [key("METHOD=AES-128,URI=\"https://k/2\"")],
                start + 1: [key("METHOD=AES-128,URI=\"https://k/3\"")],
                end: [key("METHOD=AES-128,URI=\"https://k/4\"")],
            ]),
        Case(
            rules: "609: the content is clear again behind a key of the break",
            lines: [
                start: [key("METHOD=AES-128,URI=\"https://k/2\"")], end: [key("METHOD=NONE")],
            ]),
        Case(
            rules: "609: the break ends a key, and the content goes on clear",
            lines: [
                0: [key("METHOD=AES-128,URI=\"https://k/1\"")], start + 1: [key("METHOD=NONE")],
            ]),
        Case(
            rules: "605, 609: an encrypted ad in clear content keeps its own IVs",
            ad: [key("METHOD=AES-128,URI=\"https://adkeys/1\"")],
            expected: [
                "URI=\"https://adkeys/1\",IV=0x00000000000000000000000000000000",
                "URI=\"https://adkeys/1\",IV=0x00000000000000000000000000000001", "#EXT-X-KEY:METHOD=NONE",
            ]),
        Case(
            rules: "605, 609: an encrypted ad in encrypted content",
            lines: [0: [key("METHOD=AES-128,URI=\"https://k/1\"")]],
            ad: [key("METHOD=AES-128,URI=\"https://adkeys/1\"")]),
        Case(
            rules: "609: an ad with a key of another format than the content's",
            lines: [0: [key(widevine), key(fairPlay)]], ad: [key("METHOD=SAMPLE-AES,URI=\"https://adkeys/1\"")]),
        Case(
            rules: "607, 610: a map under AES-128 has its IV, and stands under its key again",
            lines: [
                0: [
                    key("METHOD=AES-128,URI=\"https://k/1\",IV=0x0000000000000000000000000000000A"),
                    "#EXT-X-MAP:URI=\"i.mp4\"",
                ]
            ], adMap: "ad/init.mp4"),
        Case(
            rules: "610: a clear map before the keys of its segments",
            lines: [
                0: ["#EXT-X-MAP:URI=\"i.mp4\"", key("METHOD=AES-128,URI=\"https://k/1\"")]
            ], adMap: "ad/init.mp4"),
        Case(
            rules: "610: an encrypted map with an encrypted ad's clear one",
            lines: [
                0: [
                    key("METHOD=AES-128,URI=\"https://k/1\",IV=0x0000000000000000000000000000000A"),
                    "#EXT-X-MAP:URI=\"i.mp4\"", key("METHOD=SAMPLE-AES,URI=\"https://k/2\""),
                ]
            ], ad: ["#EXT-X-MAP:URI=\"ad/init.mp4\"", key("METHOD=AES-128,URI=\"https://adkeys/1\"")]),
        Case(
            rules: "701, 702, 706: maps with byte ranges, another one behind the break",
            lines: [
                0: ["#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"700@0\""],
                start + 1: ["#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"710@9000\""],
            ], adMap: "ad/init.mp4"),
        Case(
            rules: "701, 703, 704: one file, offsets left out, at joints and at the window's start",
            lines: [
                0: ["#EXT-X-MAP:URI=\"film.mp4\",BYTERANGE=\"700@0\""]
            ], adMap: "ad/init.mp4", range: { $0 == 0 ? "1000@700" : "\(1000 + $0)" }, file: "film.mp4"),
        Case(
            rules: "703, 704: a transport stream's ranges without offsets",
            range: { $0 == 0 ? "1000@0" : "1000" }, file: "film.ts"),
        Case(
            rules: "707, R51: gaps beside and inside the break",
            lines: [
                start - 1: ["#EXT-X-GAP"], start: ["#EXT-X-GAP"], start + 1: ["#EXT-X-GAP"], end: ["#EXT-X-GAP"],
            ], expected: ["#EXT-X-GAP"]),
        Case(
            rules: "1301: bit rates of the content would hold for ads that have none",
            lines: [
                0: ["#EXT-X-BITRATE:2000"], start + 1: ["#EXT-X-BITRATE:3000"],
            ]),
        Case(
            rules: "605, 703, 706, 707: all at once",
            lines: [
                0: [
                    key("METHOD=AES-128,URI=\"https://k/1\",IV=0x0000000000000000000000000000000A"),
                    "#EXT-X-MAP:URI=\"film.mp4\",BYTERANGE=\"700@0\"", key("METHOD=AES-128,URI=\"https://k/1\""),
                ],
                start - 1: ["#EXT-X-GAP"], start + 2: [key("METHOD=AES-128,URI=\"https://k/2\"")],
            ], ad: ["#EXT-X-MAP:URI=\"ad/init.mp4\"", key("METHOD=AES-128,URI=\"https://adkeys/1\"")],
            range: { $0 == 0 ? "1000@700" : "\(1000 + $0)" }, file: "film.mp4"),
    ]

    /// What holds at the window's start, and is said there again.
    private struct Held {
        private var keys: [(format: String, line: String)] = []
        private var map: (keys: [String], line: String)?

        mutating func read(_ line: String) {
            if line.hasPrefix("#EXT-X-MAP") { map = (keys.map(\.line), line) }
            guard line.hasPrefix("#EXT-X-KEY") else { return }
            if line.contains("METHOD=NONE") {
                keys = []
                return
            }
            let format = line.firstRange(of: ",KEYFORMAT=").map { String(line[$0.lowerBound...].prefix(30)) } ?? ""
            keys.removeAll { $0.format == format }
            keys.append((format, line))
        }

        var lines: [String] {
            guard let map else { return keys.map(\.line) }
            let none = map.keys.isEmpty || !keys.isEmpty ? [] : ["#EXT-X-KEY:METHOD=NONE"]
            return map.keys + [map.line] + (map.keys == keys.map(\.line) ? [] : none + keys.map(\.line))
        }
    }

    private static func content(_ row: Case, _ window: Range<Int>, ended: Bool) -> String {
        var text =
            "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(100 + window.lowerBound)\n"
        if ended { text += "#EXT-X-PLAYLIST-TYPE:VOD\n" }
        text += row.header.map { $0 + "\n" }.joined()
        var held = Held()
        var ranges = 0
        for index in 0..<window.upperBound {
            let own = row.lines[index] ?? []
            if index < window.lowerBound { own.forEach { held.read($0) } }
            let range = row.range?(index)
            defer { ranges += range.flatMap { Int($0.prefix { $0 != "@" }) } ?? 0 }
            guard window.contains(index) else { continue }
            if index == window.lowerBound { text += held.lines.map { $0 + "\n" }.joined() }
            if index == start { text += "#EXT-X-CUE-OUT:18\n" }
            if index == end { text += "#EXT-X-CUE-IN\n" }
            text += own.filter { $0 != "#EXT-X-GAP" }.map { $0 + "\n" }.joined()
            let date = DateTime("2026-01-01T00:00:00Z")?.advanced(by: .seconds(6) * index).formatted ?? ""
            text += "#EXT-X-PROGRAM-DATE-TIME:\(date)\n#EXTINF:6.000,\n"
            if own.contains("#EXT-X-GAP") { text += "#EXT-X-GAP\n" }
            if let range {
                let first = Int(row.range?(0)?.split(separator: "@").last ?? "") ?? 0
                text +=
                    "#EXT-X-BYTERANGE:"
                    + (index == window.lowerBound && !range.contains("@") ? "\(range)@\(first + ranges)" : range) + "\n"
            }
            text += (row.file ?? "c\(100 + index)." + (hasMap(row) ? "m4s" : "ts")) + "\n"
        }
        return text + (ended ? "#EXT-X-ENDLIST\n" : "")
    }

    private static func hasMap(_ row: Case) -> Bool {
        row.lines.values.contains { $0.contains { $0.hasPrefix("#EXT-X-MAP") } }
    }

    private static let durations = ["4.000", "4.000", "4.000", "4.000", "2.000"]

    private static func ad(_ row: Case) throws -> PodAd {
        try TestAd.muxed(
            "ad", durations, map: row.adMap ?? (hasMap(row) && row.ad.isEmpty ? "ad/init.mp4" : nil), lines: row.ad)
    }

    /// The facts of the ad's segments, by their addresses.
    private static func adFacts(_ row: Case) throws -> [SegmentFacts] {
        let map = row.adMap ?? (hasMap(row) && row.ad.isEmpty ? "ad/init.mp4" : nil)
        let text = TestAd.playlist("ad/v", durations, map: map, lines: row.ad)
        return SegmentFacts.all(
            of: try MediaPlaylist(parsing: Array(text.utf8)), base: "https://ads.example/")
    }

    /// What each content segment is to a player at the origin, by number.
    private static func contentFacts(_ row: Case) throws -> [Int64: SegmentFacts] {
        let playlist = try MediaPlaylist(parsing: Array(content(row, 0..<count, ended: true).utf8))
        let facts = SegmentFacts.all(of: playlist, base: "https://origin/path/")
        return Dictionary(uniqueKeysWithValues: zip(playlist.segments.map(\.number), facts))
    }

    private static func check(_ answer: StitchedPlaylist, _ row: Case, adCount: inout Int) throws {
        let playlist = try MediaPlaylist(parsing: answer.bytes)
        let origin = try contentFacts(row)
        let ad = try adFacts(row)
        for (entry, facts) in zip(answer.entries, SegmentFacts.all(of: playlist)) {
            switch entry.source {
            case .content(let number): #expect(facts == origin[number], "content \(number)")
            case .fill(let reference):
                adCount += 1
                #expect(facts == ad[reference.segment], "ad \(reference.segment)")
            }
        }
        let bitrates = playlist.segments.compactMap(\.bitrate)
        #expect(bitrates.isEmpty || answer.entries.allSatisfy { if case .fill = $0.source { false } else { true } })
        for finding in playlist.lint() where finding.severity == .error { Issue.record("\(finding)") }
    }

    private static func checkLines(_ lines: Set<String>, _ row: Case) {
        for text in row.expected { #expect(lines.contains { $0.contains(text) }, "\(text)") }
        for text in row.absent { #expect(!lines.contains { $0.contains(text) }, "\(text)") }
    }

    @Test(arguments: cases)
    func `a title's segments are what they are at the origin, and its ads' what they are in theirs`(row: Case) throws {
        var bench = try Workbench(.vod)
        try bench.observe(Self.content(row, 0..<Self.count, ended: true))
        bench.decide([try Self.ad(row)])
        var ads = 0
        let answer = try bench.playlist()
        try Self.check(answer, row, adCount: &ads)
        #expect(ads == 5)
        Self.checkLines(Set(String(decoding: answer.bytes, as: UTF8.self).split(separator: "\n").map(String.init)), row)
    }

    @Test(arguments: cases)
    func `a channel's segments are so in every window that slides over the break`(row: Case) throws {
        for length in [4, 6] {
            var bench = try Workbench(.live)
            var history = SessionHistory()
            var lines: Set<String> = []
            var ads = 0
            for edge in length...Self.count {
                try bench.observe(Self.content(row, edge - length..<edge, ended: false))
                if !bench.pending().isEmpty { bench.decide([try Self.ad(row)]) }
                let answer = try bench.playlist()
                let playlist = try MediaPlaylist(parsing: answer.bytes)
                try history.checkFacts(answer, playlist, RenditionKey("v0"))
                try Self.check(answer, row, adCount: &ads)
                for finding in history.lint(playlist, RenditionKey("v0"), at: .seconds(6) * edge)
                where finding.severity == .error { Issue.record("\(finding)") }
                lines.formUnion(String(decoding: answer.bytes, as: UTF8.self).split(separator: "\n").map(String.init))
            }
            #expect(ads >= 5)
            Self.checkLines(lines, row)
        }
    }
}
