@testable import HLS

extension LintCases {
    static let versionCases: [LintCase] =
        [
            LintCase(201, "none, and nothing needs it", "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + segment, breaksAt: 1),
            LintCase(201, "none, with decimals", "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:5.5,\na.ts\n", breaksAt: 1),
            LintCase(201, "there", list(segment)),
            LintCase(
                202, "captions of a service in version 6",
                "#EXTM3U\n#EXT-X-VERSION:6\n"
                    + "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"n\",INSTREAM-ID=\"SERVICE1\"\n",
                breaksAt: 3),
            LintCase(
                202, "an instream ID of audio in version 12",
                "#EXTM3U\n#EXT-X-VERSION:12\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"c\",NAME=\"n\",INSTREAM-ID=\"1\"\n",
                breaksAt: 3),
            LintCase(202, "high enough", list(segment, version: 1)),
            LintCase(203, "higher than needed", list(segment), breaksAt: 2),
            LintCase(203, "as high as needed", list("#EXTINF:5.5,\na.ts\n", version: 3)),
            LintCase(203, "what rounding needs", list("#EXTINF:6.4,\na.ts\n", version: 6)),
            LintCase(204, "allow cache", list("#EXT-X-ALLOW-CACHE:YES\n" + segment), breaksAt: 4),
            LintCase(
                204, "program ID", "#EXTM3U\n#EXT-X-STREAM-INF:PROGRAM-ID=1,BANDWIDTH=1,CODECS=\"c\"\nv.m3u8\n",
                breaksAt: 2),
            LintCase(204, "neither", list(segment)),
        ]
        + [
            (1, "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=\(vector)"), (3, "#EXT-X-BYTERANGE:1@0"),
            (3, "#EXT-X-I-FRAMES-ONLY"),
            (4, "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\""),
            (4, "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"identity\""),
            (4, "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMATVERSIONS=\"1\""), (5, "#EXT-X-MAP:URI=\"i.mp4\""),
            (7, "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\""), (8, "#EXT-X-SKIP:SKIPPED-SEGMENTS=1"),
            (9, "#EXT-X-SKIP:SKIPPED-SEGMENTS=1,RECENTLY-REMOVED-DATERANGES=\"a\""),
            (10, "#EXT-X-DEFINE:QUERYPARAM=\"a\""),
            (11, "#EXT-X-START:TIME-OFFSET=0,REQ-NEW=1"),
        ].map { version, line in
            LintCase(202, "\(line) in version \(version)", list(line + "\n" + segment, version: version), breaksAt: 4)
        }
}
