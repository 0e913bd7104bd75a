import Testing
import Transport

@testable import Server

/// Subtitles and I-frame playlists of stitched sessions, as a player finds them.
struct RenditionTests {
    private static let film = """
        WEBVTT
        X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

        00:00:05.000 --> 00:00:07.000
        early

        00:00:19.000 --> 00:00:22.000
        over the joint

        00:00:40.000 --> 00:00:41.000
        late

        """

    /// The first packet of a segment, with the time that it begins at.
    private static func stream(_ timestamp: Int64) -> [UInt8] {
        let t = UInt64(timestamp)
        let head: [UInt8] = [0x47, 0x41, 0, 0x10, 0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5]
        let parts: [UInt64] = [0x21 | (t >> 29 & 0x0E), t >> 22, t >> 14 | 1, t >> 7, t << 1 | 1]
        let field = parts.map { UInt8(truncatingIfNeeded: $0) }
        return head + field + [UInt8](repeating: 0xFF, count: 188 - head.count - field.count)
    }

    /// A title of a minute with one subtitle file for all of it, and I-frames.
    private static func world() -> FakeWorld {
        let world = FakeWorld()
        world.title(seconds: 60)
        world.fail(
            "vod/master.m3u8",
            .body(
                """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="sub",NAME="English",LANGUAGE="en",URI="s.m3u8"
                #EXT-X-STREAM-INF:BANDWIDTH=700000,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360,SUBTITLES="sub"
                v0.m3u8
                #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=70000,CODECS="avc1.64001e",RESOLUTION=640x360,URI="i.m3u8"

                """))
        world.fail(
            "vod/s.m3u8",
            .body(
                "#EXTM3U\n#EXT-X-TARGETDURATION:60\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:60,\nfilm.vtt\n#EXT-X-ENDLIST\n"))
        world.fail("vod/film.vtt", .body(film))
        var iFrames =
            "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-I-FRAMES-ONLY\n"
        for index in 0..<30 { iFrames += "#EXTINF:2.000,\n#EXT-X-BYTERANGE:900@564\nv0/seg-\(index).ts\n" }
        world.fail("vod/i.m3u8", .body(iFrames + "#EXT-X-ENDLIST\n"))
        world.media("vod/v0/seg-0.ts", stream(900_000))
        world.media("ads/ad10/v0/seg-0.ts", stream(126_000))
        world.answer(with: FakeAds.vmap(("00:00:20.000", ["ad10"])))
        return world
    }

    private func entries(_ text: String) -> [Substring] { text.split(separator: "\n").filter { !$0.hasPrefix("#") } }

    @Test func `a subtitle file of a whole title is cut at the breaks, and ads get empty files with their times`()
        async throws
    {
        let server = TestServer(Self.world())
        let master = try await server.text("/vod/film/master.m3u8?stream_id=a")
        #expect(master.contains("URI=\"a/s-sub-en.m3u8\""))
        let video = try await server.text("/vod/film/a/v0.m3u8")
        // What one subtitle file lasts is not what video's segments may last (rule 308).
        #expect(video.contains("#EXT-X-TARGETDURATION:2\n"))
        let text = try await server.text("/vod/film/a/s-sub-en.m3u8")
        #expect(
            entries(text) == [
                "sub/s-sub-en/0-0-20000.vtt", "empty-126000.vtt", "empty-306000.vtt", "empty-486000.vtt",
                "empty-666000.vtt", "empty-846000.vtt", "sub/s-sub-en/0-20000-.vtt",
            ])
        #expect(text.contains("#EXT-X-TARGETDURATION:60\n") && text.contains("#EXTINF:40,\nsub/"))
        let head = try await server.text("/vod/film/a/sub/s-sub-en/0-0-20000.vtt")
        #expect(
            head.contains("early") && head.contains("00:00:19.000 --> 00:00:20.000\nover") && !head.contains("late"))
        let rest = try await server.text("/vod/film/a/sub/s-sub-en/0-20000-.vtt")
        #expect(
            !rest.contains("early") && rest.contains("00:00:20.000 --> 00:00:22.000\nover") && rest.contains("late"))
        for part in [head, rest] { #expect(part.contains("MPEGTS:900000\n")) }
        let empty = try await server.text("/vod/film/a/empty-306000.vtt")
        #expect(empty == "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:306000\n\n")
    }

    @Test func `another process serves the parts too, and what is no part is not found`() async throws {
        let world = Self.world()
        let server = TestServer(world)
        #expect(try await server.text("/vod/film/b/sub/s-sub-en/0-20000-.vtt").contains("late"))
        for path in ["s-sub-en/1-0-.vtt", "s-sub-en/0-5-1.vtt", "v0/0-0-.vtt", "x/0-0-.vtt", "s-sub-en/x.vtt"] {
            #expect(try await server.get("/vod/film/b/sub/\(path)").status == 404, "\(path)")
        }
        world.fail("vod/film.vtt", .status(404))
        let other = TestServer(world)
        #expect(try await other.get("/vod/film/b/sub/s-sub-en/0-20000-.vtt").status == 404)
        world.fail("vod/film.vtt", .body("<html>"))
        let third = TestServer(world)
        #expect(try await third.get("/vod/film/b/sub/s-sub-en/0-20000-.vtt").status == 502)
    }

    @Test func `the file is asked for once, however many parts and viewers there are`() async throws {
        let world = Self.world()
        let server = TestServer(world)
        for viewer in 0..<5 {
            for part in ["0-0-20000", "0-20000-"] {
                _ = try await server.text("/vod/film/\(viewer)/sub/s-sub-en/\(part).vtt")
            }
        }
        #expect(world.requests.count { $0.contains("film.vtt") } == 1)
    }

    @Test func `I-frame playlists are stitched, have gaps for ads without I-frames, and count no views`() async throws {
        let world = Self.world()
        let server = TestServer(world)
        #expect(try await server.text("/vod/film/master.m3u8?stream_id=a").contains("URI=\"a/i0.m3u8\""))
        let text = try await server.text("/vod/film/a/i0.m3u8")
        #expect(text.contains("#EXT-X-I-FRAMES-ONLY\n"))
        #expect(text.split(separator: "\n").count { $0 == "#EXT-X-GAP" } == 5)
        #expect(text.split(separator: "\n").count { $0 == "#EXT-X-DISCONTINUITY" } == 2)
        #expect(!text.contains("\nad/"))
        await server.beaconsAreSent()
        #expect(world.sent.isEmpty)
    }

    @Test func `where I-frames are removed the multivariant playlist has none, and none are served`() async throws {
        let server = TestServer(Self.world()) { $0.titles[0].iFrames = .remove }
        #expect(try await !server.text("/vod/film/master.m3u8?stream_id=a").contains("I-FRAME"))
        #expect(try await server.get("/vod/film/a/i0.m3u8").status == 404)
        // Without ads nobody is shown anything in the wrong place.
        let plain = TestServer(Self.world()) {
            $0.titles[0].iFrames = .remove
            $0.titles[0].ads = []
        }
        #expect(try await plain.text("/vod/film/master.m3u8?stream_id=a").contains("I-FRAME"))
    }

    @Test func `subtitles in fragments leave breaks to the content, with the reason`() async throws {
        let world = Self.world()
        world.fail(
            "vod/s.m3u8",
            .body(
                "#EXTM3U\n#EXT-X-TARGETDURATION:60\n#EXT-X-MAP:URI=\"s.mp4\"\n#EXTINF:60,\nfilm.m4s\n#EXT-X-ENDLIST\n"))
        let server = TestServer(world)
        let text = try await server.text("/vod/film/a/v0.m3u8")
        #expect(!text.contains("ad/"))
        #expect(server.output.lines.contains { $0.contains("no filler for subtitles in fragments (s-sub-en)") })
    }
}
