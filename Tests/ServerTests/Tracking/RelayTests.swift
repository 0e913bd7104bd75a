import Testing
import Transport

@testable import Server

/// Players report events to the server, which calls whom the ad names.
struct RelayTests {
    private static func ad(_ server: TestServer) async throws -> TrackingAnswer.Ad {
        _ = try await server.text("/vod/film/a/v0.m3u8")
        return try #require(try await server.tracking("vod/film/a").avails.first?.ads.first)
    }

    @Test func `each event has one address of ours, and what it names is called once (R-K6)`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.interactive)
        let server = TestServer.tracked(world, by: .relay)
        let ad = try await Self.ad(server)
        #expect(ad.event("clickThrough")?.urls == ["http://shop/?s=0"])
        let reported = ad.events.filter { $0.type != "clickThrough" }
        #expect(
            reported.map(\.type) == ["impression", "start", "progress", "complete", "mute", "clickTracking", "error"])
        for event in reported {
            #expect(event.urls.count == 1)
            let path = try #require(event.urls.first)
            #expect(path.hasPrefix("/v1/beacon/vod/film/a/preroll/0/"))
            #expect(!path.contains("track"))
            for method in [HTTPMethod.head, .get, .post, .get] {
                let request = try #require(HTTPRequest(method: method, target: path, headers: []))
                let response = await server.handler.respond(to: request)
                #expect(response.status == 204)
                #expect(response.body.isEmpty)
            }
        }
        await server.beaconsAreSent()
        #expect(world.sent.map(\.event) == reported.map(\.type))
        let impression = try #require(world.sent.first)
        #expect(impression.parameter("side") == "1")
        #expect(impression.parameter("n") == "1")
        #expect(impression.parameter("cb")?.count == 8)
        #expect(world.sent[1].parameter("t") == "00%3A00%3A00.000")
    }

    @Test func `what a player did not report is not called, whatever it asks for`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        let server = TestServer.tracked(world, by: .relay)
        var paths: [String] = []
        for _ in 0..<60 {
            _ = try await server.text("/live/news/a/v0.m3u8")
            paths = try await server.tracking("live/news/a").urls
            world.time.advance(by: .seconds(1))
            await server.beaconsAreSent()
        }
        #expect(paths.count == 14)
        #expect(world.sent.isEmpty)
        _ = try await server.get(paths[3])
        await server.beaconsAreSent()
        #expect(world.sent.map(\.event) == ["midpoint"])
    }

    @Test func `what is no event is not there`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.interactive)
        let server = TestServer.tracked(world, by: .relay)
        let ad = try await Self.ad(server)
        let path = try #require(ad.event("impression")?.urls.first)
        let folder = path.prefix { $0 != "?" }.split(separator: "/").dropLast().joined(separator: "/")
        let clickThrough = ad.events.count - 3
        for target in [
            "\(folder)/99", "\(folder)/\(clickThrough)", path.replacing("/preroll/0", with: "/preroll/1"),
            path.replacing("preroll", with: "other"), path.replacing("/a/", with: "/b/"),
            path.replacing("film", with: "nothing"),
        ] {
            let target = target.hasPrefix("/") ? target : "/\(target)"
            #expect(try await server.get(target).status == 404, "\(target)")
        }
        let wrong = try #require(HTTPRequest(method: .delete, target: path, headers: []))
        #expect(await server.handler.respond(to: wrong).status == 405)
        // Where players or the server call themselves there is nothing to relay.
        for mode in [SourceOptions.Tracking.client, .server] {
            let other = TestServer(world) { $0.titles[0].tracking = mode }
            _ = try await other.text("/vod/film/a/v0.m3u8")
            #expect(try await other.get(path).status == 404)
        }
        await server.beaconsAreSent()
        #expect(world.sent.isEmpty)
    }

    @Test func `two servers, and one begun anew, relay an event once`() async throws {
        let folder = try TemporaryFolder()
        let world = FakeWorld()
        world.answer(with: FakeAds.interactive)
        func begun() throws -> TestServer {
            TestServer.tracked(
                world, by: .relay,
                store: try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30)))
        }
        let servers = [try begun(), try begun()]
        let ad = try await Self.ad(servers[0])
        for event in ad.events where event.type != "clickThrough" {
            let path = try #require(event.urls.first)
            for server in [servers[1], servers[0], servers[1], try begun()] {
                #expect(try await server.get(path).status == 204)
                await server.beaconsAreSent()
            }
        }
        #expect(
            world.sent.map(\.event) == [
                "impression", "start", "progress", "complete", "mute", "clickTracking", "error",
            ])
    }

    @Test func `a tracker that cannot be reached is tried again, as when the server calls by itself (R-K8)`()
        async throws
    {
        let world = FakeWorld()
        world.answer(with: FakeAds.interactive)
        let server = TestServer.tracked(world, by: .relay)
        let ad = try await Self.ad(server)
        world.fail("track/mute", .refused)
        let path = try #require(ad.event("mute")?.urls.first)
        #expect(try await server.get(path).status == 204)
        while world.time.sleeperCount == 0 { await Task.yield() }
        world.fail("track/mute", nil)
        world.time.advance(by: .seconds(3))
        await server.wiring.outbox.becomesIdle()
        #expect(world.sent.map(\.event) == ["mute"])
    }

    @Test func `with an address of the operator's all are absolute`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.interactive)
        let server = TestServer.tracked(world, by: .relay) { $0.server.publicURL = "https://tv.example/ads" }
        let ad = try await Self.ad(server)
        let path = try #require(ad.event("impression")?.urls.first)
        #expect(path.hasPrefix("https://tv.example/ads/v1/beacon/vod/film/a/"))
    }

    @Test(arguments: [("", "900"), ("?errorCode=405", "405"), ("?errorCode=no", "900"), ("?errorCode=99999", "900")])
    func `an ad that its player could not show is reported with the player's code, once`(query: String, code: String)
        async throws
    {
        let world = FakeWorld()
        world.answer(with: FakeAds.interactive)
        let server = TestServer.tracked(world, by: .relay)
        let ad = try await Self.ad(server)
        let path = try #require(ad.event("error")?.urls.first)
        for _ in 0..<3 { #expect(try await server.get("\(path)\(query)").status == 204) }
        await server.beaconsAreSent()
        #expect(world.sent.map(\.event) == ["error"])
        #expect(world.sent.first?.parameter("code") == code)
    }

    @Test func `breakStart and breakEnd of a break without ads are relayed, too (R-V5)`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.vmap(("start", ["ad6"]), ("00:00:20", ["http://none/a"])))
        world.fail("http://none/", .body("<VAST/>"))
        let server = TestServer.tracked(world, by: .relay)
        _ = try await server.text("/vod/film/a/v0.m3u8")
        let avails = try await server.tracking("vod/film/a").avails
        #expect(avails.map(\.start) == [0, 26])
        let empty = try #require(avails.last)
        #expect(empty.ads.isEmpty && empty.duration == 0)
        #expect(empty.events.map(\.type) == ["breakStart", "breakEnd"])
        for event in empty.events + empty.events {
            #expect(try await server.get(try #require(event.urls.first)).status == 204)
        }
        await server.beaconsAreSent()
        #expect(world.sent.map(\.event) == ["breakStart", "breakEnd"])
        #expect(world.sent.map { $0.parameter("tag") } == ["b1", "b1"])
    }
}
