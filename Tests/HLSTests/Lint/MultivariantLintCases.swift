@testable import HLS

extension LintCases {
    static let multivariantCases: [LintCase] = [
        LintCase(
            1103, "a group that nobody has", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nv\n", breaksAt: 2),
        LintCase(
            1103, "a group that is there",
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=\"u\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nv\n"
        ),
    ]
}
