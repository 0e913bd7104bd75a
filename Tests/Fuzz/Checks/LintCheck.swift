import HLS

/// What holds for what lint finds.
enum LintCheck {
    static func run(_ bytes: [UInt8]) throws(FuzzFailure) {
        if let playlist = try? MediaPlaylist(parsing: bytes) { try check(playlist.lint(), bytes) }
        if let playlist = try? MultivariantPlaylist(parsing: bytes) { try check(playlist.lint(), bytes) }
    }

    static func check(_ findings: [PlaylistFinding], _ bytes: [UInt8]) throws(FuzzFailure) {
        let lines = max(1, bytes.reduce(bytes.last == 0x0A ? 0 : 1) { $1 == 0x0A ? $0 + 1 : $0 })
        var previous = 0
        for finding in findings {
            try require((1...lines).contains(finding.line), "\(finding) at line \(finding.line) of \(lines)")
            try require(finding.line >= previous, "\(finding) after line \(previous)")
            previous = finding.line
            try require(
                finding.rule == LintReport.omissionRule || LintRule.numbered(finding.rule) != nil,
                "\(finding) of no rule")
            try require(!finding.message.isEmpty, "rule \(finding.rule) without a message")
            try require(finding.message.utf8.count <= 1_024, "a message of \(finding.message.utf8.count) bytes")
        }
        try require(findings.count <= LintReport.limit + 1, "\(findings.count) findings")
    }
}
