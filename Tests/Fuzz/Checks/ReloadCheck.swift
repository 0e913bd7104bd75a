import HLS

/// Lint over reloads. The input is the versions of one media playlist, with a NUL between two.
enum ReloadCheck {
    static func run(_ input: [UInt8]) throws(FuzzFailure) {
        var lint = ReloadLint()
        var time = Duration.zero
        for part in input.split(separator: 0x00, maxSplits: 7, omittingEmptySubsequences: true) {
            let bytes = Array(part)
            time += .seconds(4)
            guard let playlist = try? MediaPlaylist(parsing: bytes) else { continue }
            try LintCheck.check(lint.receive(playlist, at: time), bytes)
        }
    }
}
