import Testing
import Transport

@testable import Server

/// What viewers ask for, rightly and wrongly.
struct RequestTests {
    @Test(arguments: [
        ("/", 404), ("/favicon.ico", 404), ("/live", 404), ("/live/news", 404), ("/live/news/", 404),
        ("/live/nothere/master.m3u8?stream_id=a", 404), ("/vod/news/master.m3u8?stream_id=a", 404),
        ("/live/film/master.m3u8?stream_id=a", 404), ("/live/news/master.m3u8?stream_id=", 400),
        ("/live/news/master.m3u8?stream_id=..", 400), ("/live/news/index.m3u8?stream_id=a", 404),
        ("/live/news/a/v7.m3u8", 404), ("/live/news/a/v0", 404), ("/live/news/a/v0.ts", 404),
        ("/live/news/a/b/v0.m3u8", 404), ("/live/news//v0.m3u8", 400), ("/v1/session/nothere", 404),
        ("/v1/session", 404), ("/v1/tracking/a", 404), ("/healthz", 404), ("/live/news/a/.m3u8", 404),
        ("/live/news/master.m3u8?stream_id=\(String(repeating: "x", count: 300))", 400),
        ("/live/news/a/v0.m3u8?p=\(String(repeating: "x", count: 3_000))", 400),
    ])
    func `a bad request gets the right status and a JSON body`(target: String, status: Int) async throws {
        let response = try await TestServer(FakeWorld()).get(target)
        #expect(response.status == status, "\(target)")
        #expect(String(decoding: response.body, as: UTF8.self).hasPrefix("{\"error\":{\"code\":\""))
        #expect(response.headers.contains { $0 == ("Content-Type", "application/json") })
    }

    @Test(arguments: [HTTPMethod.post, .put, .delete])
    func `a playlist is read only`(method: HTTPMethod) async throws {
        let request = try #require(HTTPRequest(method: method, target: "/live/news/a/v0.m3u8"))
        let response = await TestServer(FakeWorld()).handler.respond(to: request)
        #expect(response.status == 405)
        #expect(response.headers.contains { $0.0 == "Allow" })
    }

    @Test func `playlists have their type and are one viewer's own (rules 101, 1503)`() async throws {
        let server = TestServer(FakeWorld())
        for target in ["/live/news/master.m3u8?stream_id=a", "/live/news/a/v0.m3u8", "/vod/film/a/v0.m3u8"] {
            let response = try await server.get(target)
            #expect(response.headers.contains { $0 == ("Content-Type", "application/vnd.apple.mpegurl") })
            #expect(response.headers.contains { $0.0 == "Cache-Control" && $0.1.hasPrefix("private") })
        }
    }

    @Test func `subtitle filler is an empty WebVTT with a timestamp map (rule 1115)`() async throws {
        let response = try await TestServer(FakeWorld()).get("/live/news/a/empty.vtt")
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self).hasPrefix("WEBVTT\nX-TIMESTAMP-MAP="))
    }

    @Test func `a player written for MediaTailor gets its addresses, and its parameters reach the ad server`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let server = TestServer(world)
        let request = try #require(
            HTTPRequest(
                method: .post, target: "/v1/session/news", headers: [("User-Agent", "TV/1")],
                body: Array(#"{"adsParams":{"section":"sport & more"}}"#.utf8)))
        let response = await server.handler.respond(to: request)
        #expect(response.status == 200)
        let body = String(decoding: response.body, as: UTF8.self)
        let path = try #require(body.split(separator: "\"").first { $0.hasSuffix("master.m3u8") })
        #expect(body.contains("\"trackingUrl\":\"/v1/tracking/"))
        let folder = path.dropLast("master.m3u8".utf8.count)
        _ = try await server.text(String(path))
        _ = try await server.text("\(folder)v0.m3u8?section=other")
        world.time.advance(by: .seconds(12))
        _ = try await server.text("\(folder)v0.m3u8")
        let asked = try #require(world.adRequests.first)
        #expect(asked.url.contains("sec=sport%20%26%20more&"))
        #expect(asked.headers.contains { $0 == ("X-Device-User-Agent", "TV/1") })
        #expect(asked.headers.contains { $0 == ("X-Device-IP", "127.0.0.1") })
        #expect(asked.headers.contains { $0 == ("X-Forwarded-For", "127.0.0.1") })
    }

    @Test func `neither stream IDs nor queries stand in the log`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let server = TestServer(world)
        for _ in 0..<30 {
            _ = try await server.text("/live/news/secret-stream/v0.m3u8?token=secret-token")
            world.time.advance(by: .seconds(1))
        }
        await server.beaconsAreSent()
        #expect(!server.output.lines.contains { $0.contains("secret") })
        #expect(server.output.lines.contains { $0.contains("break.ads") })
    }
}
