@testable import HLS

extension LintCases {
    /// Kind and end of the playlist, low latency and variables: chapters 1.9, 1.10 and 1.12.
    static let presentationCases: [LintCase] =
        typeCases + partCases + controlCases + hintCases + reportCases + skipCases + variableCases

    private static let typeCases: [LintCase] = [
        LintCase(901, "another word", list("#EXT-X-PLAYLIST-TYPE:LIVE\n" + segment), breaksAt: 4),
        LintCase(901, "lower case", list("#EXT-X-PLAYLIST-TYPE:vod\n" + segment), breaksAt: 4),
        LintCase(901, "EVENT", list("#EXT-X-PLAYLIST-TYPE:EVENT\n" + segment)),
        LintCase(901, "VOD", list("#EXT-X-PLAYLIST-TYPE:VOD\n" + segment)),
        LintCase(902, "VOD without end", list("#EXT-X-PLAYLIST-TYPE:VOD\n" + segment, isLive: true), breaksAt: 6),
        LintCase(902, "VOD with end", list("#EXT-X-PLAYLIST-TYPE:VOD\n" + segment)),
        LintCase(902, "EVENT without end", list("#EXT-X-PLAYLIST-TYPE:EVENT\n" + segment, isLive: true)),
        LintCase(
            903, "a sliding EVENT", list("#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-MEDIA-SEQUENCE:7\n" + segment), breaksAt: 4
        ),
        LintCase(903, "from 1", list("#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MEDIA-SEQUENCE:1\n" + segment)),
        LintCase(903, "no type", list("#EXT-X-MEDIA-SEQUENCE:7\n" + segment)),
        LintCase(906, "the end of an ad", list(segment + "#EXT-X-ENDLIST\n" + segment, isLive: true), breaksAt: 6),
        LintCase(906, "at the end", list(segment)),
    ]

    private static func parts(_ parts: String, _ rest: String = "") -> String {
        list(lowLatency + parts + rest, isLive: true)
    }

    private static func part(_ duration: String, _ more: String = "") -> String {
        "#EXT-X-PART:DURATION=\(duration),URI=\"p\"\(more)\n"
    }

    private static let partCases: [LintCase] = [
        LintCase(
            1001, "no PART-INF", list("#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=3\n" + part("1"), isLive: true), breaksAt: 5
        ),
        LintCase(
            1001, "no SERVER-CONTROL", list("#EXT-X-PART-INF:PART-TARGET=1\n" + part("1"), isLive: true), breaksAt: 4),
        LintCase(
            1001, "no PART-HOLD-BACK",
            list(
                "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n#EXT-X-PART-INF:PART-TARGET=1\n" + part("1"), isLive: true),
            breaksAt: 5),
        LintCase(1001, "both", parts(part("1"))),
        LintCase(1002, "too long", parts(part("1.0001")), breaksAt: 6),
        LintCase(1002, "as long", parts(part("1.000"))),
        LintCase(1003, "too short", parts(part("0.84") + part("1")), breaksAt: 6),
        LintCase(
            1003, "too short in a whole segment", parts(part("1") + part("0.5") + part("1") + "#EXTINF:2.5,\na.ts\n"),
            breaksAt: 7),
        LintCase(1003, "85 %", parts(part("0.85") + part("1"))),
        LintCase(1003, "the last of a segment", parts(part("1") + part("0.5") + "#EXTINF:1.5,\na.ts\n" + part("1"))),
        LintCase(1003, "independent", parts(part("0.5", ",INDEPENDENT=YES") + part("1"))),
        LintCase(1003, "a gap, and one before it", parts(part("0.5") + part("0.5", ",GAP=YES") + part("1"))),
        LintCase(1009, "more than the segment", parts(part("1") + part("1") + "#EXTINF:1.5,\na.ts\n"), breaksAt: 9),
        LintCase(
            1009, "less than the segment", parts(part("1") + "#EXTINF:1,\na.ts\n" + part("1") + "#EXTINF:2,\nb.ts\n"),
            breaksAt: 11),
        LintCase(1009, "as much", parts(part("1") + part("0.9999") + "#EXTINF:2,\na.ts\n")),
        LintCase(
            1009, "the first segment that has any, near the end", parts(part("1") + "#EXTINF:2,\na.ts\n"), breaksAt: 8),
        LintCase(
            1009, "the first segment that has any, whose first part may have left",
            parts(part("1") + "#EXTINF:2,\na.ts\n" + segment + segment + segment)),
        LintCase(
            1012, "DISCONTINUITY", parts(part("1") + "#EXT-X-DISCONTINUITY\n" + "#EXTINF:1,\na.ts\n"), breaksAt: 7),
        LintCase(1012, "KEY", parts(part("1") + "#EXT-X-KEY:METHOD=NONE\n" + "#EXTINF:1,\na.ts\n"), breaksAt: 7),
        LintCase(1012, "MAP", parts(part("1") + "#EXT-X-MAP:URI=\"i\"\n" + "#EXTINF:1,\na.ts\n"), breaksAt: 7),
        LintCase(1012, "PROGRAM-DATE-TIME", parts(part("1") + date("00:00.000") + "#EXTINF:1,\na.ts\n"), breaksAt: 7),
        LintCase(
            1012, "all before",
            parts(
                "#EXT-X-KEY:METHOD=NONE\n#EXT-X-MAP:URI=\"i\"\n" + date("00:00.000") + part("1") + "#EXTINF:1,\na.mp4\n"
                    + "#EXT-X-DISCONTINUITY\n" + date("00:01.000") + part("1"))),
    ]

    private static func control(_ attributes: String) -> String {
        list("#EXT-X-SERVER-CONTROL:\(attributes)\n#EXT-X-PART-INF:PART-TARGET=1\n" + segment, isLive: true)
    }

    private static let controlCases: [LintCase] = [
        LintCase(1004, "below two part targets", control("PART-HOLD-BACK=1.9"), breaksAt: 4),
        LintCase(1004, "below three part targets", control("PART-HOLD-BACK=2.9"), breaksAt: 4),
        LintCase(1004, "CAN-SKIP-DATERANGES alone", control("PART-HOLD-BACK=3,CAN-SKIP-DATERANGES=YES"), breaksAt: 4),
        LintCase(1004, "as it should be", control("PART-HOLD-BACK=3,CAN-SKIP-UNTIL=36,CAN-SKIP-DATERANGES=YES")),
    ]

    private static func hint(_ attributes: String) -> String { "#EXT-X-PRELOAD-HINT:\(attributes)\n" }

    private static let hintCases: [LintCase] = [
        LintCase(1005, "in an ended playlist", list(lowLatency + segment + hint("TYPE=PART,URI=\"q\"")), breaksAt: 8),
        LintCase(1005, "two of a type", parts(hint("TYPE=PART,URI=\"q\"") + hint("TYPE=PART,URI=\"r\"")), breaksAt: 7),
        LintCase(1005, "what is listed", parts(part("1") + hint("TYPE=PART,URI=\"p\"")), breaksAt: 7),
        LintCase(1005, "one of each type", parts(part("1") + hint("TYPE=PART,URI=\"q\"") + hint("TYPE=MAP,URI=\"i\""))),
    ]

    private static func report(_ attributes: String...) -> String {
        parts(part("1"), attributes.map { "#EXT-X-RENDITION-REPORT:\($0)\n" }.joined())
    }

    private static let reportCases: [LintCase] = [
        LintCase(1006, "no URI", report("LAST-MSN=1"), breaksAt: 7),
        LintCase(1006, "an absolute URI", report("URI=\"https://a/b\",LAST-MSN=1"), breaksAt: 7),
        LintCase(
            1006, "two of one rendition", report("URI=\"../b\",LAST-MSN=1", "URI=\"../b\",LAST-MSN=2"), breaksAt: 8),
        LintCase(1006, "one of each", report("URI=\"../b\",LAST-MSN=1,LAST-PART=0", "URI=\"/c\"")),
    ]

    /// A delta update: control, skip, and so many segments of six seconds.
    private static func delta(
        _ skip: String, segments: Int = 6, control: String = "CAN-SKIP-UNTIL=36", before: String = "", end: String = ""
    ) -> String {
        list(
            "#EXT-X-SERVER-CONTROL:\(control)\n\(before)#EXT-X-SKIP:\(skip)\n"
                + String(repeating: segment, count: segments) + end, version: 10, isLive: true)
    }

    private static let skipCases: [LintCase] = [
        LintCase(1007, "behind a segment", delta("SKIPPED-SEGMENTS=3", before: segment), breaksAt: 7),
        LintCase(1007, "of nothing", delta("SKIPPED-SEGMENTS=0"), breaksAt: 5),
        LintCase(1007, "not announced", delta("SKIPPED-SEGMENTS=3", control: "CAN-BLOCK-RELOAD=YES"), breaksAt: 5),
        LintCase(
            1007, "an empty ID", delta("SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES=\"a\t\""), breaksAt: 5),
        LintCase(1007, "as announced", delta("SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES=\"a\tb\"")),
        LintCase(1007, "no date range removed", delta("SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES=\"\"")),
        LintCase(1008, "in an ended playlist", delta("SKIPPED-SEGMENTS=3", end: "#EXT-X-ENDLIST\n"), breaksAt: 5),
        LintCase(1008, "nearer than the boundary", delta("SKIPPED-SEGMENTS=3", segments: 4), breaksAt: 5),
        LintCase(1008, "further than the boundary", delta("SKIPPED-SEGMENTS=3")),
    ]

    private static func define(_ lines: String..., use: String = "") -> String {
        list(lines.map { "#EXT-X-DEFINE:\($0)\n" }.joined() + use + segment, version: 11)
    }

    private static let variableCases: [LintCase] = [
        LintCase(1201, "nothing", define("X-A=1"), breaksAt: 4),
        LintCase(1201, "two sources", define("NAME=\"a\",VALUE=\"b\",IMPORT=\"c\""), breaksAt: 4),
        LintCase(1201, "no value", define("NAME=\"a\""), breaksAt: 4),
        LintCase(1201, "a value of what is imported", define("IMPORT=\"a\",VALUE=\"b\""), breaksAt: 4),
        LintCase(1201, "each source", define("NAME=\"a\",VALUE=\"b\"", "IMPORT=\"c\"", "QUERYPARAM=\"d\"")),
        LintCase(1202, "twice", define("NAME=\"a\",VALUE=\"b\"", "IMPORT=\"a\""), breaksAt: 5),
        LintCase(1202, "once each", define("NAME=\"a\",VALUE=\"b\"", "NAME=\"A\",VALUE=\"b\"")),
        LintCase(1203, "in a URI line", define("NAME=\"a\",VALUE=\"b\"", use: "#EXTINF:6,\n{$b}.ts\n"), breaksAt: 6),
        LintCase(1203, "in a quoted string", define(use: "#EXT-X-MAP:URI=\"{$b}\"\n"), breaksAt: 4),
        LintCase(
            1203, "in a hexadecimal value", define(use: "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x{$iv}\n"), breaksAt: 4
        ),
        LintCase(
            1203, "before the definition",
            list("#EXTINF:6,\n{$a}.ts\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n", version: 8), breaksAt: 5),
        LintCase(1203, "in its own definition", define("NAME=\"a\",VALUE=\"{$a}\""), breaksAt: 4),
        LintCase(
            1203, "behind the definition",
            define("NAME=\"a\",VALUE=\"b\"", "NAME=\"c\",VALUE=\"{$a}\"", use: "#EXTINF:6,\n{$a}/{$c}/{x}/{$}.ts\n")),
        LintCase(1204, "a name with a dot", define("NAME=\"a.b\",VALUE=\"c\""), breaksAt: 4),
        LintCase(1204, "an empty name", define("QUERYPARAM=\"\""), breaksAt: 4),
        LintCase(
            1204, "IMPORT in a multivariant playlist",
            "#EXTM3U\n#EXT-X-VERSION:8\n#EXT-X-DEFINE:IMPORT=\"a\"\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"c\"\nv.m3u8\n",
            breaksAt: 3),
        LintCase(1204, "names of all characters", define("NAME=\"a-Z_09\",VALUE=\"c\"", "IMPORT=\"x\"")),
    ]
}
