@testable import HLS

extension LintCases {
    /// The beginning of a playlist that keeps all rules.
    static let head = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n"

    static let fileCases: [LintCase] = [
        LintCase(103, "a comment first", "# a comment\n\(head)#EXTINF:6,\na.ts\n", breaksAt: 1),
        LintCase(103, "the signature first", "\(head)#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n"),
    ]
}
