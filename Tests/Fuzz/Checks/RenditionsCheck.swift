import HLS

/// Lint of a whole presentation. The input is the multivariant playlist, and its media playlists, a NUL before each.
enum RenditionsCheck {
    static func run(_ input: [UInt8]) throws(FuzzFailure) {
        let parts = input.split(separator: 0x00, maxSplits: 6, omittingEmptySubsequences: false).map { Array($0) }
        let multivariant = try? MultivariantPlaylist(parsing: parts[0])
        let references = multivariant?.mediaPlaylistReferences ?? []
        let sources = parts.dropFirst().enumerated().map { index, bytes in
            let named = references.indices.contains(index) ? references[index] : nil
            let reference = named ?? MediaPlaylistReference(uri: "v\(index).m3u8", kind: .video, line: 1)
            let url = PlaylistCheck.base.resolve(reference.uri)
            return RenditionsLint.Source(reference, url: url, playlist: try? MediaPlaylist(parsing: bytes))
        }
        let lint = RenditionsLint(multivariant, url: PlaylistCheck.base.text, sources: sources)
        for finding in lint.findings() {
            let source = finding.source
            try require(source.map { sources.indices.contains($0) } ?? true, "\(finding) of no source")
            let bytes = source.map { parts[$0 + 1] } ?? parts[0]
            try LintCheck.check([finding.finding], bytes)
        }
    }
}
