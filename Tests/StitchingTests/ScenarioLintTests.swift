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
}
