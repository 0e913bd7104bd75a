@testable import HLS

extension LintCases {
    /// Target durations, lengths and numbers: chapters 1.3 to 1.5.
    static let durationCases: [LintCase] = targetCases + lengthCases + windowCases + numberCases + discontinuityCases

    private static let targetCases: [LintCase] = [
        LintCase(301, "none", "#EXTM3U\n#EXT-X-VERSION:3\n" + segment, breaksAt: 1),
        LintCase(301, "there", list(segment)),
        LintCase(
            302, "with a fraction", "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6.006\n" + segment, breaksAt: 3),
        LintCase(302, "no number", "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:six\n" + segment, breaksAt: 3),
        LintCase(302, "zero", list("", target: 0), breaksAt: 3),
        LintCase(302, "a whole number", list(segment)),
    ]

    private static let lengthCases: [LintCase] = [
        LintCase(303, "rounded up above it", list("#EXTINF:6,\na.ts\n#EXTINF:6.5,\nb.ts\n"), breaksAt: 6),
        LintCase(303, "above it below version 6", list("#EXTINF:6.4,\na.ts\n", version: 5), breaksAt: 4),
        LintCase(303, "rounded down to it", list("#EXTINF:6.499,\na.ts\n")),
        LintCase(303, "equal below version 6", list("#EXTINF:6.000,\na.ts\n", version: 3)),
        LintCase(304, "without comma", list("#EXTINF:6\na.ts\n"), breaksAt: 4),
        LintCase(304, "no number", list("#EXTINF:six,\na.ts\n"), breaksAt: 4),
        LintCase(304, "negative", list("#EXTINF:-1,\na.ts\n"), breaksAt: 4),
        LintCase(304, "with a plus sign", list("#EXTINF:+6,\na.ts\n"), breaksAt: 4),
        LintCase(304, "twice", list("#EXTINF:6,\n#EXTINF:5,\na.ts\n"), breaksAt: 5),
        LintCase(304, "without a URI", list(segment + "#EXTINF:6,\n"), breaksAt: 6),
        LintCase(304, "a URI without it", list(segment + "b.ts\n"), breaksAt: 6),
        LintCase(304, "one for each, with title", list("#EXTINF:6,a, b\n#EXT-X-GAP\na.ts\n" + segment)),
        LintCase(305, "decimals in version 2", list("#EXTINF:5.5,\na.ts\n", version: 2), breaksAt: 4),
        LintCase(305, "decimals in version 3", list("#EXTINF:5.5,\na.ts\n", version: 3)),
        LintCase(305, "whole numbers in version 2", list(segment, version: 2)),
    ]

    private static let windowCases: [LintCase] = [
        LintCase(309, "two segments", list("#EXT-X-MEDIA-SEQUENCE:7\n" + segment + segment, isLive: true), breaksAt: 4),
        LintCase(309, "three", list("#EXT-X-MEDIA-SEQUENCE:7\n" + segment + segment + segment, isLive: true)),
        LintCase(309, "the beginning of a stream", list(segment, isLive: true)),
        LintCase(309, "an ended stream", list("#EXT-X-MEDIA-SEQUENCE:7\n" + segment)),
        LintCase(311, "HOLD-BACK", list("#EXT-X-SERVER-CONTROL:HOLD-BACK=17.9\n" + segment), breaksAt: 4),
        LintCase(311, "CAN-SKIP-UNTIL", list("#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=35\n" + segment), breaksAt: 4),
        LintCase(311, "both", list("#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=36,HOLD-BACK=18\n" + segment)),
    ]

    private static let numberCases: [LintCase] = [
        LintCase(401, "after a segment", list(segment + "#EXT-X-MEDIA-SEQUENCE:7\n" + segment), breaksAt: 6),
        LintCase(401, "before", list("#EXT-X-MEDIA-SEQUENCE:7\n" + segment)),
        LintCase(402, "no number", list("#EXT-X-MEDIA-SEQUENCE:x\n" + segment), breaksAt: 4),
        LintCase(402, "negative", list("#EXT-X-MEDIA-SEQUENCE:-1\n" + segment), breaksAt: 4),
        LintCase(402, "absent", list(segment)),
        LintCase(402, "a whole number", list("#EXT-X-MEDIA-SEQUENCE:0\n" + segment)),
        LintCase(501, "after a segment", list(segment + "#EXT-X-DISCONTINUITY-SEQUENCE:7\n" + segment), breaksAt: 6),
        LintCase(
            501, "after a discontinuity", list("#EXT-X-DISCONTINUITY\n#EXT-X-DISCONTINUITY-SEQUENCE:7\n" + segment),
            breaksAt: 5),
        LintCase(501, "no number", list("#EXT-X-DISCONTINUITY-SEQUENCE:x\n" + segment), breaksAt: 4),
        LintCase(501, "before", list("#EXT-X-DISCONTINUITY-SEQUENCE:7\n#EXT-X-DISCONTINUITY\n" + segment)),
        LintCase(
            503, "sliding without it",
            list("#EXT-X-MEDIA-SEQUENCE:7\n" + segment + "#EXT-X-DISCONTINUITY\n" + segment + segment, isLive: true),
            breaksAt: 7),
        LintCase(
            503, "sliding with it",
            list(
                "#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n" + segment + "#EXT-X-DISCONTINUITY\n"
                    + segment + segment, isLive: true)),
        LintCase(503, "not sliding", list(segment + "#EXT-X-DISCONTINUITY\n" + segment + segment, isLive: true)),
    ]

    private static let discontinuityCases: [LintCase] = [
        LintCase(505, "another container", list(segment + "#EXTINF:6,\nb.aac?x=1\n"), breaksAt: 7),
        LintCase(
            505, "another init section",
            list("#EXT-X-MAP:URI=\"i\"\n#EXTINF:6,\na.mp4\n#EXT-X-MAP:URI=\"j\"\n#EXTINF:6,\nb.mp4\n"), breaksAt: 7),
        LintCase(
            505, "another range of an init section",
            list(
                "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"1@0\"\n#EXTINF:6,\na.mp4\n#EXT-X-MAP:URI=\"i\",BYTERANGE=\"1@1\"\n"
                    + "#EXTINF:6,\nb.mp4\n"), breaksAt: 7),
        LintCase(
            505, "dates that jump ahead",
            list("\(date("00:00.000"))#EXTINF:6,\na.ts\n\(date("00:07.000"))#EXTINF:6,\nb.ts\n"), breaksAt: 7),
        LintCase(
            505, "all of it behind discontinuities",
            list(
                "\(date("00:00.000"))#EXTINF:6,\na.ts\n#EXT-X-DISCONTINUITY\n\(date("00:30.000"))#EXTINF:6,\nb.aac\n"
                    + "#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI=\"i\"\n\(date("00:36.000"))#EXTINF:6,\na.mp4\n"
                    + "#EXT-X-MAP:URI=\"i\"\n\(date("00:42.500"))#EXTINF:6,\nb.mp4\n")),
        LintCase(506, "two", list("#EXT-X-DISCONTINUITY\n#EXT-X-DISCONTINUITY\n" + segment), breaksAt: 5),
        LintCase(
            506, "one for each of two", list("#EXT-X-DISCONTINUITY\n" + segment + "#EXT-X-DISCONTINUITY\n" + segment)),
        LintCase(507, "at the end", list(segment + "#EXT-X-DISCONTINUITY\n", isLive: true), breaksAt: 6),
        LintCase(507, "before a segment", list("#EXT-X-DISCONTINUITY\n" + segment)),
        LintCase(
            507, "before a partial segment",
            list(
                "#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=3\n#EXT-X-PART-INF:PART-TARGET=1\n" + segment
                    + "#EXT-X-DISCONTINUITY\n#EXT-X-PART:DURATION=1,URI=\"p\"\n", isLive: true)),
    ]

    /// A date tag of one hour, by minute and second.
    static func date(_ time: String) -> String { "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T08:\(time)Z\n" }
}
