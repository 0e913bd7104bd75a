import FoundationEssentials
import HLS
import Testing

@testable import Stitching

/// What a session without ads is served: the origin's playlist, byte for byte but for URLs.
struct PassthroughTests {
    /// Playlists met in the wild, in a folder beside the package or where `PODSTITCH_SHARED` points.
    private static func fixtures() -> [(name: String, bytes: [UInt8])] {
        var folders: [String] = []
        if let path = ProcessInfo.processInfo.environment["PODSTITCH_SHARED"] { folders.append(path) }
        var parts = #filePath.split(separator: "/")
        while !parts.isEmpty {
            parts.removeLast()
            folders.append(parts.reduce("") { $0 + "/" + $1 } + "/shared")
        }
        for folder in folders {
            let root = "\(folder)/fixtures/hls"
            guard let names = try? FileManager.default.subpathsOfDirectory(atPath: root) else { continue }
            return names.sorted().filter { $0.hasSuffix(".m3u8") || $0.hasSuffix(".m3u") }.compactMap { name in
                FileManager.default.contents(atPath: "\(root)/\(name)").map { (name, Array($0)) }
            }
        }
        return []
    }

    /// The text with the URIs of lines and attributes taken out.
    private static func skeleton(_ bytes: [UInt8]) throws -> [UInt8] {
        let playlist = try MediaPlaylist(parsing: bytes)
        var editor = PlaylistEditor(playlist)
        for uri in playlist.uris where uri.kind != .renditionReport { editor.replace(uri, with: "u") }
        return editor.applied()
    }

    @Test func `every readable fixture passes through byte for byte but for URLs`() throws {
        let fixtures = Self.fixtures()
        if fixtures.isEmpty { print("skipped: no fixtures") }
        var count = 0
        for fixture in fixtures {
            guard let playlist = try? MediaPlaylist(parsing: fixture.bytes) else { continue }
            let output = PassthroughPlaylist.bytes(of: playlist, at: "https://origin/a/b.m3u8?x=y")
            let before = try Self.skeleton(fixture.bytes)
            let after = try Self.skeleton(output)
            #expect(before == after, "\(fixture.name)")
            count += 1
        }
        print("passed through: \(count) of \(fixtures.count)")
    }

    /// A stitched session in which nothing was decided lists the origin's segments with the origin's lines.
    @Test func `every readable fixture is listed line for line in a stitched session without ads`() throws {
        var count = 0
        for fixture in Self.fixtures() {
            guard let playlist = try? MediaPlaylist(parsing: fixture.bytes), !playlist.segments.isEmpty,
                !playlist.isLowLatency, playlist.skippedSegments == 0
            else { continue }
            for kind in [BreakLedger.Kind.vod, .live] {
                var ledger = BreakLedger(leading: RenditionKey("v0"), settings: .init(kind: kind))
                ledger.observe(playlist, at: "https://origin/a/b.m3u8", as: RenditionKey("v0"))
                var session = StitchingSession()
                _ = session.prepare(with: ledger, now: DateTime(nanoseconds: 0))
                for contentBreak in session.breaks(in: ledger) {
                    session.decide(.content(.noAds), for: contentBreak.id)
                }
                let stitchedAnswer = session.stitch(RenditionKey("v0"), ledger: ledger)
                let answer = try #require(stitchedAnswer)
                let stitched = try MediaPlaylist(parsing: answer.bytes)
                #expect(stitched.segments.count == playlist.segments.count, "\(fixture.name)")
                let base = BaseURI("https://origin/a/b.m3u8")
                for (before, after) in zip(playlist.segments, stitched.segments) {
                    #expect(after.number == before.number, "\(fixture.name)")
                    #expect(after.discontinuityNumber == before.discontinuityNumber, "\(fixture.name)")
                    #expect(stitched.text(after.durationText) == playlist.text(before.durationText))
                    #expect(stitched.text(after.uri) == base.resolve(playlist.text(before.uri)))
                    #expect(after.programDateTime == before.programDateTime || before.programDateTime == nil)
                }
            }
            count += 1
        }
        print("listed: \(count)")
    }
}
