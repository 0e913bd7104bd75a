import HLS
import Testing

/// The stitched playlists of the golden folders keep the rules of HLS.
@Suite struct ScenarioLintTests {
    @Test(arguments: ScenarioFolder.all())
    func `what is served has no fault`(folder: ScenarioFolder) throws {
        let names = folder.names.filter { $0.hasPrefix("expected") }
        #expect(!names.isEmpty)
        for name in names {
            let findings: [PlaylistFinding]
            switch try Playlist(parsing: folder.bytes(name) ?? []) {
            case .media(let playlist): findings = playlist.lint()
            case .multivariant(let playlist): findings = playlist.lint()
            }
            for finding in findings where finding.severity == .error { Issue.record("\(name): \(finding)") }
        }
    }

    @Test(arguments: ScenarioFolder.all())
    func `what is served one after another, and in several renditions, agrees`(folder: ScenarioFolder) throws {
        var reloads: [Substring: ReloadLint] = [:]
        var steps: [Substring: [(key: Substring, playlist: MediaPlaylist)]] = [:]
        var time = Duration.zero
        for name in folder.names where name.hasPrefix("expected") {
            guard case .media(let playlist) = try Playlist(parsing: folder.bytes(name) ?? []) else { continue }
            let parts = name.split(separator: ".")
            let key = parts.count > 2 ? parts[1] : "v0"
            // How much time is between them nothing says.
            time += .seconds(30)
            for finding in reloads[key, default: ReloadLint()].receive(playlist, at: time)
            where finding.severity == .error && finding.rule != 310 {
                Issue.record("\(name): \(finding)")
            }
            steps[parts[0], default: []].append((key, playlist))
        }
        for (step, playlists) in steps where playlists.count > 1 {
            let sources = playlists.sorted { $0.key > $1.key }.map { key, playlist in
                RenditionsLint.Source(
                    MediaPlaylistReference(uri: "\(key).m3u8", kind: Self.kind(key), line: 1),
                    url: "https://o/\(key).m3u8", playlist: playlist)
            }
            for found in RenditionsLint(nil, url: "https://o/m.m3u8", sources: sources).findings()
            where found.finding.severity == .error {
                Issue.record("\(step): \(found.source.map { sources[$0].reference.uri } ?? "") \(found.finding)")
            }
        }
    }

    private static func kind(_ key: Substring) -> MediaPlaylistReference.Kind {
        switch key.first {
        case "a": .audio
        case "s": .subtitles
        case "i": .iFrames
        default: .video
        }
    }
}
