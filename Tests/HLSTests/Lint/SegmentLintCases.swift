@testable import HLS

extension LintCases {
    /// Keys, init sections, byte ranges, gaps, bit rates and start: chapters 1.6 and 1.7.
    static let segmentCases: [LintCase] = keyCases + mapCases + rangeCases + gapCases

    private static func key(_ attributes: String, then body: String = segment) -> String {
        list("#EXT-X-KEY:\(attributes)\n" + body)
    }

    private static let keyCases: [LintCase] =
        [
            LintCase(601, "a method of a vendor", key("METHOD=ISO-23001-7,URI=\"k\""), breaksAt: 4),
            LintCase(602, "NONE with a URI", key("METHOD=NONE,URI=\"k\""), breaksAt: 4),
            LintCase(602, "NONE with an IV", key("METHOD=NONE,IV=\(vector)"), breaksAt: 4),
            LintCase(602, "NONE with a key format", key("METHOD=NONE,KEYFORMAT=\"identity\""), breaksAt: 4),
            LintCase(602, "NONE with its versions", key("METHOD=NONE,KEYFORMATVERSIONS=\"1\""), breaksAt: 4),
            LintCase(602, "NONE alone", key("METHOD=NONE")),
            LintCase(603, "AES-128 without URI", key("METHOD=AES-128,IV=\(vector)"), breaksAt: 4),
            LintCase(603, "SAMPLE-AES-CTR without URI", key("METHOD=SAMPLE-AES-CTR,KEYFORMAT=\"f\""), breaksAt: 4),
            LintCase(603, "with URI", key("METHOD=AES-128,URI=\"k\",IV=\(vector)")),
            LintCase(604, "fewer digits", key("METHOD=AES-128,URI=\"k\",IV=0x1"), breaksAt: 4),
            LintCase(604, "more digits", key("METHOD=AES-128,URI=\"k\",IV=\(vector)0"), breaksAt: 4),
            LintCase(
                604, "other digits", key("METHOD=AES-128,URI=\"k\",IV=0x0000000000000000000000000000000g"), breaksAt: 4),
            LintCase(604, "128 bits", key("METHOD=AES-128,URI=\"k\",IV=\(vector)")),
            LintCase(605, "AES-128", key("METHOD=AES-128,URI=\"k\""), breaksAt: 4),
            LintCase(605, "SAMPLE-AES", key("METHOD=SAMPLE-AES,URI=\"k\",KEYFORMAT=\"identity\""), breaksAt: 4),
            LintCase(
                605, "another key format",
                key("METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"")),
            LintCase(605, "an IV", key("METHOD=AES-128,URI=\"k\",IV=\(vector)")),
            LintCase(606, "AES-256-GCM", key("METHOD=AES-256-GCM,URI=\"k\",IV=\(vector)"), breaksAt: 4),
            LintCase(
                606, "SAMPLE-AES-CTR", key("METHOD=SAMPLE-AES-CTR,URI=\"k\",IV=\(vector),KEYFORMAT=\"f\""), breaksAt: 4),
            LintCase(606, "AES-256-GCM without", key("METHOD=AES-256-GCM,URI=\"k\"")),
            LintCase(
                607, "no IV", key("METHOD=AES-128,URI=\"k\"", then: "#EXT-X-MAP:URI=\"i\"\n" + segment), breaksAt: 5),
            LintCase(
                607, "an IV", key("METHOD=AES-128,URI=\"k\",IV=\(vector)", then: "#EXT-X-MAP:URI=\"i\"\n" + segment)),
            LintCase(
                607, "clear again",
                key(
                    "METHOD=AES-128,URI=\"k\"",
                    then: segment + "#EXT-X-DISCONTINUITY\n#EXT-X-KEY:METHOD=NONE\n"
                        + "#EXT-X-MAP:URI=\"i\"\n#EXTINF:6,\nb.mp4\n")),
        ]
        + ["NONE", "AES-128,URI=\"k\"", "SAMPLE-AES,URI=\"k\"", "SAMPLE-AES-CTR,URI=\"k\"", "AES-256-GCM,URI=\"k\""].map
    {
        LintCase(601, $0, key("METHOD=\($0)"))
    }

    private static let mapCases: [LintCase] = [
        LintCase(701, "without URI", list("#EXT-X-MAP:BYTERANGE=\"1@0\"\n" + segment), breaksAt: 4),
        LintCase(
            701, "a range without offset", list("#EXT-X-MAP:URI=\"i\",BYTERANGE=\"720\"\n" + segment), breaksAt: 4),
        LintCase(701, "both", list("#EXT-X-MAP:URI=\"i\",BYTERANGE=\"720@0\"\n" + segment)),
        LintCase(702, "m4s without", list("#EXTINF:6,\na.m4s?b=c.ts\n"), breaksAt: 5),
        LintCase(
            702, "from the second segment on", list(segment + "#EXT-X-DISCONTINUITY\n#EXTINF:6,\nb.MP4\n"), breaksAt: 8),
        LintCase(702, "m4s with", list("#EXT-X-MAP:URI=\"i\"\n#EXTINF:6,\na.m4s\n")),
        LintCase(702, "an I-frame playlist", list("#EXT-X-I-FRAMES-ONLY\n#EXT-X-BYTERANGE:1@0\n#EXTINF:6,\na.mp4\n")),
        LintCase(702, "a gap", list("#EXT-X-GAP\n#EXTINF:6,\nnothing.mp4\n")),
        LintCase(
            705, "a transport stream behind fragmented MP4",
            list("#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:6,\na.mp4\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\nad.ts\n"), breaksAt: 9),
        LintCase(
            705, "a transport stream under an init section without ending",
            list("#EXT-X-MAP:URI=\"i\"\n#EXTINF:6,\na.mp4\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\nad.ts\n"), breaksAt: 9),
        LintCase(705, "packed audio", list("#EXT-X-MAP:URI=\"i\"\n#EXTINF:6,\na.aac\n"), breaksAt: 6),
        LintCase(705, "WebVTT", list("#EXT-X-MAP:URI=\"i\"\n#EXTINF:6,\na.vtt\n"), breaksAt: 6),
        LintCase(705, "the tables of a transport stream", list("#EXT-X-MAP:URI=\"i.ts\"\n" + segment)),
        LintCase(705, "fragmented MP4", list("#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:6,\na.mp4\n")),
        LintCase(706, "content under the init section of the ad", list(pod + "#EXTINF:6,\nc/b.mp4\n"), breaksAt: 13),
        LintCase(706, "content under its own", list(pod + "#EXT-X-MAP:URI=\"c/i.mp4\"\n#EXTINF:6,\nc/b.mp4\n")),
        LintCase(
            706, "all under one",
            list("#EXT-X-MAP:URI=\"i.mp4\"\n#EXTINF:6,\na.mp4\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\nb.mp4\n")),
    ]

    private static let pod =
        "#EXT-X-MAP:URI=\"c/i.mp4\"\n#EXTINF:6,\nc/a.mp4\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"ad/i.mp4\"\n"
        + "#EXTINF:6,\nad/a.mp4?c/\n#EXT-X-DISCONTINUITY\n"

    private static func ranges(_ lines: (range: String, uri: String)...) -> String {
        list(
            lines.map { ($0.range.isEmpty ? "" : "#EXT-X-BYTERANGE:\($0.range)\n") + "#EXTINF:6,\n\($0.uri)\n" }
                .joined())
    }

    private static let rangeCases: [LintCase] = [
        LintCase(703, "nothing before", ranges(("10", "a.ts")), breaksAt: 4),
        LintCase(703, "another resource before", ranges(("10@0", "a.ts"), ("10", "b.ts")), breaksAt: 7),
        LintCase(
            703, "a part that continues nothing",
            list(lowLatency + "#EXT-X-PART:DURATION=1,URI=\"p\",BYTERANGE=\"10\"\n", isLive: true),
            breaksAt: 6),
        LintCase(
            703, "a part that continues one of another segment",
            list(
                lowLatency + "#EXT-X-PART:DURATION=1,URI=\"p\",BYTERANGE=\"10@0\"\n#EXTINF:1,\na.ts\n"
                    + "#EXT-X-PART:DURATION=1,URI=\"p\",BYTERANGE=\"10\"\n", isLive: true), breaksAt: 9),
        LintCase(703, "continued", ranges(("10@0", "a.ts"), ("10", "a.ts"), ("10", "a.ts"))),
        LintCase(
            703, "parts continued",
            list(
                lowLatency + "#EXT-X-PART:DURATION=1,URI=\"p\",BYTERANGE=\"10@0\"\n"
                    + "#EXT-X-PART:DURATION=1,URI=\"p\",BYTERANGE=\"10\"\n", isLive: true)),
        LintCase(704, "an ad between", ranges(("10@0", "a.ts"), ("", "ad.ts"), ("10", "a.ts")), breaksAt: 9),
        LintCase(
            704, "a range of an ad between", ranges(("10@0", "a.ts"), ("9@0", "ad.ts"), ("10", "a.ts")), breaksAt: 10),
        LintCase(704, "written out", ranges(("10@0", "a.ts"), ("", "ad.ts"), ("10@10", "a.ts"), ("10", "a.ts"))),
    ]

    private static let gapCases: [LintCase] = [
        LintCase(707, "no segment", list(segment + "#EXT-X-GAP\n"), breaksAt: 6),
        LintCase(707, "twice", list("#EXT-X-GAP\n#EXT-X-GAP\n" + segment), breaksAt: 5),
        LintCase(707, "each with its segment", list("#EXT-X-GAP\n" + segment + "#EXT-X-GAP\n" + segment)),
        LintCase(1301, "zero", list("#EXT-X-BITRATE:0\n" + segment), breaksAt: 4),
        LintCase(1301, "before a byte range", list("#EXT-X-BITRATE:8\n#EXT-X-BYTERANGE:1@0\n" + segment), breaksAt: 4),
        LintCase(
            1301, "behind a discontinuity", list("#EXT-X-BITRATE:8\n" + segment + "#EXT-X-DISCONTINUITY\n" + segment),
            breaksAt: 9),
        LintCase(
            1301, "given anew",
            list("#EXT-X-BITRATE:8\n" + segment + "#EXT-X-DISCONTINUITY\n#EXT-X-BITRATE:9\n" + segment)),
        LintCase(1302, "behind the end", list("#EXT-X-START:TIME-OFFSET=6.1\n" + segment), breaksAt: 4),
        LintCase(1302, "before the start", list("#EXT-X-START:TIME-OFFSET=-7\n" + segment), breaksAt: 4),
        LintCase(1302, "near the edge", list("#EXT-X-START:TIME-OFFSET=-17\n" + four, isLive: true), breaksAt: 4),
        LintCase(
            1302, "near the edge from the start", list("#EXT-X-START:TIME-OFFSET=7\n" + four, isLive: true), breaksAt: 4
        ),
        LintCase(
            1302, "three target durations from the edge", list("#EXT-X-START:TIME-OFFSET=-18\n" + four, isLive: true)),
        LintCase(1302, "the end of an ended one", list("#EXT-X-START:TIME-OFFSET=-1\n" + segment)),
    ]

    private static let four = String(repeating: segment, count: 4)

    /// What parts of a second need: two lines.
    static let lowLatency = "#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=3\n#EXT-X-PART-INF:PART-TARGET=1\n"
}
