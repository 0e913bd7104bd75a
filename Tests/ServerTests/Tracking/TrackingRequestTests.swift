import HLS
import Testing
import Transport

@testable import Server

/// How players ask what their streams' breaks hold, and whom.
struct TrackingRequestTests {
    @Test func `pages: a token leads to what was not told, and breaks that may yet change are told again`() async throws
    {
        let world = FakeWorld()
        world.title(seconds: 5_000)
        world.answer(with: FakeAds.vmap((1...130).map { ("00:\(10 + $0 / 6):\($0 % 6)0", ["ad5"]) }))
        let server = TestServer.tracked(world) { $0.titles[0].decisionBudget = .seconds(60) }
        _ = try await server.text("/vod/film/a/v0.m3u8")
        let first = try await server.tracking("vod/film/a")
        #expect(first.avails.count == 100)
        let token = try #require(first.nextToken)
        let second = try await server.tracking("vod/film/a", "?nextToken=\(token)")
        #expect(second.avails.count == 30)
        #expect(Set((first.avails + second.avails).map(\.id)).count == 130)
        let request = try #require(
            HTTPRequest(
                method: .post, target: "/v1/tracking/vod/film/a", headers: [],
                body: Array("{\"NextToken\":\"\(token)\"}".utf8)))
        let posted = await server.handler.respond(to: request)
        #expect(try TrackingAnswer(String(decoding: posted.body, as: UTF8.self)) == second)
        let end = try #require(second.nextToken)
        let third = try await server.tracking("vod/film/a", "?aws.nextToken=\(end)")
        #expect(third.avails.isEmpty)
        #expect(third.nextToken == second.nextToken)

        let live = FakeWorld(startingAt: 70)
        live.answer(with: FakeAds.vast("ad10"))
        let channel = TestServer.tracked(live)
        _ = try await channel.text("/live/news/a/v0.m3u8")
        live.time.advance(by: .seconds(14))
        _ = try await channel.text("/live/news/a/v0.m3u8")
        let open = try await channel.tracking("live/news/a")
        #expect(open.avails.count == 1 && open.nextToken == nil)
        for _ in 0..<16 {
            live.time.advance(by: .seconds(1))
            _ = try await channel.text("/live/news/a/v0.m3u8")
        }
        let closed = try await channel.tracking("live/news/a")
        #expect(closed.avails == open.avails)
        let settled = try #require(closed.nextToken)
        #expect(try await channel.tracking("live/news/a", "?nextToken=\(settled)").avails.isEmpty)
    }

    @Test func `breaks stay told as long as a playlist may show them, and are then forgotten`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.interactive)
        let server = TestServer.tracked(world)
        var most = 0
        for second in 0..<300 {
            let text = try await server.text("/live/news/a/v0.m3u8")
            let answer = try await server.tracking("live/news/a")
            most = max(most, answer.avails.count)
            if text.contains("/ads/") { #expect(!answer.avails.isEmpty, "\(second)") }
            for ad in answer.avails.flatMap(\.ads) { #expect(ad.event("mute") != nil, "\(second)") }
            world.time.advance(by: .seconds(1))
        }
        #expect(most <= 2)
        let id = try #require(StreamID("a"))
        let session = try #require(
            server.wiring.sessions.known(SessionKey(source: SourceID(kind: .live, name: "news"), streamID: id)))
        let decided = session.decisions.keys
        #expect(decided.count >= 4)
        #expect(decided.count { !session.handouts(of: $0).isEmpty } <= 2)
    }

    @Test func `a session is found by its address, or its stream ID alone; others are not there`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.vast("ad6"))
        let server = TestServer.tracked(world)
        let request = try #require(HTTPRequest(method: .post, target: "/v1/session/film", headers: [], body: []))
        let body = String(decoding: await server.handler.respond(to: request).body, as: UTF8.self)
        let path = try #require(body.split(separator: "\"").first { $0.hasPrefix("/v1/tracking/") })
        #expect(path.hasPrefix("/v1/tracking/vod/film/"))
        let response = try await server.get("\(path)?aws.sessionId=x")
        #expect(response.status == 200)
        #expect(response.headers.contains { $0 == ("Content-Type", "application/json") })
        #expect(response.headers.contains { $0 == ("Cache-Control", "no-store") })
        // A title's ads are there before its playlist.
        let answer = try TrackingAnswer(String(decoding: response.body, as: UTF8.self))
        #expect(answer.avails.count == 1)
        #expect(try await server.tracking(String(path.split(separator: "/").last ?? "")) == answer)
        for target in ["vod/film/other", "live/news/a", "other", "vod/nothing/a"] {
            let missing = try await server.get("/v1/tracking/\(target)")
            #expect(missing.status == 404)
            #expect(String(decoding: missing.body, as: UTF8.self).hasPrefix("{\"error\":"))
        }
    }

    @Test func `nothing of what an ad carries, and no stream ID, stands in the log (R-I9)`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.interactive)
        let server = TestServer.tracked(world)
        _ = try await server.text("/vod/film/secret-id/v0.m3u8")
        _ = try await server.tracking("vod/film/secret-id")
        for line in server.output.lines {
            #expect(!line.contains("user") && !line.contains("eyJ") && !line.contains("secret-id"), "\(line)")
        }
        #expect(!server.output.lines.isEmpty)
    }

    @Test func `an ad that carries too much is told without, and the log says so`() async throws {
        let world = FakeWorld()
        let file = String(repeating: "x", count: 1_200_000)
        world.answer(
            with: FakeAds.interactive.replacing("<a:Country", with: "<b>\(file)</b><a:Country"))
        let server = TestServer.tracked(world)
        _ = try await server.text("/vod/film/a/v0.m3u8")
        let answer = try await server.tracking("vod/film/a")
        let ad = try #require(answer.json.list("avails").first?.list("ads").first)
        #expect(ad.list("extensions").isEmpty)
        #expect(ad.list("companionAds").count == 1)
        #expect(ad.string("adParameters").contains("user"))
        #expect(server.output.lines.contains { $0.contains("tracking.shortened") })
    }

    @Test func `an ad that carries too much costs the others nothing`() async throws {
        let world = FakeWorld()
        let file = String(repeating: "x", count: 900_000)
        let ads = InteractiveTags.vast(
            InteractiveTags.generic("tx", "trueX", sequence: 1, media: InteractiveTags.hls("ad6")).replacing(
                InteractiveTags.payload, with: "{\"a\":\"\(file)\"}"),
            InteractiveTags.companion("ix", "IDVx", sequence: 2, media: InteractiveTags.hls("ad5")))
        world.answer(with: ads)
        let server = TestServer.tracked(world)
        _ = try await server.text("/vod/film/a/v0.m3u8")
        let told = try await server.tracking("vod/film/a").json.list("avails").first?.list("ads") ?? []
        // Nearly all of the room is one ad's, and that is no fault.
        #expect(told.first?.string("adParameters").utf8.count == 900_008)
        #expect(told.last?.list("companionAds").first?.string("staticResource") == InteractiveTags.companion)
        #expect(!server.output.lines.contains { $0.contains("tracking.shortened") })
        // Two of them are more than there is room for: the larger one goes.
        world.answer(
            with: ads.replacing(
                "</Creative></Creatives></InLine></Ad></VAST>",
                with:
                    "<CreativeExtensions><CreativeExtension>\(file.prefix(400_000))</CreativeExtension></CreativeExtensions></Creative></Creatives></InLine></Ad></VAST>"
            ))
        _ = try await server.text("/vod/film/b/v0.m3u8")
        let both = try await server.tracking("vod/film/b").json.list("avails").first?.list("ads") ?? []
        #expect(both.map { $0.string("vastAdId") } == ["tx", "ix"])
        #expect(both.first?.string("adParameters") == "")
        #expect(both.last?.list("companionAds").first?.string("staticResource") == InteractiveTags.companion)
        #expect(both.last?.list("extensions").first?.string("content").utf8.count == 400_000)
        #expect(server.output.lines.contains { $0.contains("tracking.shortened") })
    }

    // MARK: Several servers

    @Test func `two servers on one store, and one that has just begun, tell the same`() async throws {
        let folder = try TemporaryFolder()
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.interactive, FakeAds.vast("ad10", "ad6"), FakeAds.vast("ad5"))
        func begun() throws -> TestServer {
            TestServer.tracked(
                world, store: try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30)))
        }
        let servers = [try begun(), try begun()]
        // Asked before anything is shown.
        _ = try await servers[0].text("/live/news/a/master.m3u8")
        #expect(try await servers[1].tracking("live/news/a").avails.isEmpty)
        var told = 0
        for second in 0..<90 {
            // One makes the playlists, then the other.
            _ = try await servers[second / 40 % 2].text("/live/news/a/v0.m3u8")
            let target = "/v1/tracking/live/news/a"
            let first = try await servers[0].text(target)
            #expect(try await servers[1].text(target) == first, "\(second)")
            if second % 15 == 7 { #expect(try await begun().text(target) == first, "\(second)") }
            told = max(told, try TrackingAnswer(first).avails.count)
            world.time.advance(by: .seconds(1))
        }
        #expect(told > 0)

        _ = try await servers[0].text("/vod/film/b/v0.m3u8")
        let answer = try await servers[0].text("/v1/tracking/vod/film/b")
        #expect(try await servers[1].text("/v1/tracking/vod/film/b") == answer)
        #expect(try await begun().text("/v1/tracking/b") == answer)
        #expect(answer.contains("\"vastAdId\""))
    }
}
