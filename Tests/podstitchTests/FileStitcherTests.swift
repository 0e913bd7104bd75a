import FoundationEssentials
import HLS
import Stitching
import Testing

@testable import podstitch

private func playlist(_ text: String) throws -> MediaPlaylist { try MediaPlaylist(parsing: Array(text.utf8)) }

private func content(_ text: String) throws -> FileStitcher.Content {
    let catalog = SourceCatalog(mediaPlaylistURL: "c/content.m3u8")
    return FileStitcher.Content(
        catalog: catalog, wanted: catalog.leading,
        playlists: [(catalog.leading, try playlist(text), "c/content.m3u8")])
}

private func ad(_ name: String, _ durations: Int...) throws -> PodCandidate {
    let lines = durations.enumerated().map { "#EXTINF:\($1),\n\(name)\($0).ts\n" }.joined()
    let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n\(lines)#EXT-X-ENDLIST\n"
    let rendition = SourceCatalog(mediaPlaylistURL: "a/\(name).m3u8").renditions[0]
    let source = AdMedia.Source(description: rendition, playlist: try playlist(text), url: "a/\(name).m3u8")
    return PodCandidate(id: name, media: try AdMedia(id: name, sources: [source]))
}

/// The URIs of a playlist, with a bar for each discontinuity.
private func shape(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
        line == "#EXT-X-DISCONTINUITY" ? "|" : line.hasPrefix("#") ? nil : String(line)
    }.joined(separator: " ")
}

private let title = """
    #EXTM3U
    #EXT-X-TARGETDURATION:6
    #EXT-X-PLAYLIST-TYPE:VOD
    #EXTINF:6,
    0.ts
    #EXTINF:6,
    1.ts
    #EXTINF:6,
    2.ts
    #EXT-X-ENDLIST

    """

@Suite struct FileStitcherTests {
    @Test func `a title without cues gets a pre-roll, its URIs seen from where the command runs`() throws {
        let output = try FileStitcher.stitch(try content(title), ads: [try ad("x", 6, 4)], breaks: [])
        #expect(shape(output.playlist) == "a/x0.ts a/x1.ts | c/0.ts c/1.ts c/2.ts")
        #expect(output.notes == ["break-1: 1 ads, 10 s"])
    }

    @Test func `breaks are inserted, or replace content, at the boundary nearest to their offset`() throws {
        let breaks: [StitchArguments.Break] = [
            .init(offset: .seconds(7), length: .seconds(6)), .init(offset: .seconds(18)),
        ]
        let output = try FileStitcher.stitch(try content(title), ads: [try ad("x", 6)], breaks: breaks)
        #expect(shape(output.playlist) == "c/0.ts | a/x0.ts | c/2.ts | a/x0.ts")
        let again = try FileStitcher.stitch(try content(title), ads: [try ad("x", 6)], breaks: breaks)
        #expect(again == output)
    }

    @Test func `a cue of a title is replaced by the ads that fit`() throws {
        let marked = title.replacing("#EXTINF:6,\n1.ts", with: "#EXT-X-CUE-OUT:6\n#EXTINF:6,\n1.ts")
        let output = try FileStitcher.stitch(
            try content(marked), ads: [try ad("x", 6), try ad("y", 6)], breaks: [])
        #expect(shape(output.playlist) == "c/0.ts | a/x0.ts | c/2.ts")
        #expect(output.notes.count == 2)
        #expect(output.notes.first?.hasSuffix("y left out: it does not fit into the break") == true)
    }

    @Test func `a live playlist is stitched as for a viewer who was there when its break began`() throws {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:100\n"
        for number in 100..<108 {
            if number == 102 { text += "#EXT-X-CUE-OUT:12\n" }
            if number == 104 { text += "#EXT-X-CUE-IN\n" }
            text += "#EXTINF:6,\n\(number).ts\n"
        }
        let output = try FileStitcher.stitch(try content(text), ads: [try ad("x", 6, 6)], breaks: [])
        #expect(shape(output.playlist) == "c/100.ts c/101.ts | a/x0.ts a/x1.ts | c/104.ts c/105.ts c/106.ts c/107.ts")
        #expect(throws: StitchFailure.self) {
            try FileStitcher.stitch(try content(text), ads: [], breaks: [.init(offset: .zero)])
        }
    }

    @Test func `content without segments is refused`() throws {
        #expect(throws: StitchFailure(message: "the content has no segments")) {
            try FileStitcher.stitch(try content("#EXTM3U\n#EXT-X-TARGETDURATION:6\n"), ads: [], breaks: [])
        }
    }
}
