import RawSockets
import Synchronization
import Testing
import Transport

@testable import Server

/// The addresses that players ask and report to, over HTTP and without.
struct TrackingAddressTests {
    @Test
    func
        `a stream ID alone is enough while one source has a session of it; of two it is told that the name is missing`()
        async throws
    {
        let folder = try TemporaryFolder()
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad6"))
        func begun() throws -> TestServer {
            TestServer.tracked(
                world, store: try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30)))
        }
        let server = try begun()
        _ = try await server.text("/vod/film/a:LOC/v0.m3u8")
        for other in [server, try begun()] { #expect(try await other.tracking("a:LOC").avails.count == 1) }
        _ = try await server.text("/live/news/a:LOC/v0.m3u8")
        for other in [server, try begun()] {
            let response = try await other.get("/v1/tracking/a%3ALOC")
            #expect(response.status == 409)
            let error = try #require(try JSON5Parser.parse(response.body)["error"])
            #expect(error.string("code") == "ambiguous")
            #expect(error.string("message").contains("/v1/tracking/{live or vod}/{name}/{stream ID}"))
            #expect(try await other.tracking("vod/film/a:LOC").avails.count == 1)
        }
        // The channel's session has ended: the title's is meant.
        world.time.advance(by: .seconds(380))
        #expect(try await server.tracking("a:LOC").avails.count == 1)
        #expect(try await begun().tracking("a:LOC").avails.count == 1)
        #expect(try await server.get("/v1/tracking/nobody").status == 404)
    }

    @Test func `HEAD is GET without a body, OPTIONS tells what may be asked, and other methods are refused with it`()
        async throws
    {
        let world = FakeWorld()
        world.answer(with: FakeAds.interactive)
        let setup = try await SocketWorld.setUp(world) { $0.titles[0].tracking = .relay }
        _ = try await setup.get("/vod/film/a/v0.m3u8")
        let told = try TrackingAnswer(
            String(decoding: try await setup.get("/v1/tracking/vod/film/a").body, as: UTF8.self))
        let event = try #require(told.avails.first?.ads.first?.event("impression")?.urls.first)
        func ask(_ method: HTTPMethod, _ path: String, _ headers: [(String, String)] = []) async throws -> RawResponse {
            try await RawResponse(method, path, headers: [("Origin", "https://tv.example")] + headers, at: setup.base)
        }
        let both = "GET, HEAD, POST, OPTIONS"
        for (path, allow) in [
            ("/v1/tracking/vod/film/a", both), ("/v1/tracking/a", both), (event, both),
            ("/v1/session/film", "GET, POST, OPTIONS"),
            ("/vod/film/a/master.m3u8", "GET, HEAD, OPTIONS"), ("/vod/film/a/v0.m3u8", "GET, HEAD, OPTIONS"),
        ] {
            for method in [HTTPMethod.put, .patch, .delete, .post] where !allow.contains(method.rawValue) {
                let answer = try await ask(method, path)
                #expect(answer.status == 405, "\(method) \(path)")
                #expect(answer.header("Allow") == allow, "\(method) \(path)")
                #expect(answer.header("Access-Control-Allow-Origin") == "*")
                #expect(try JSON5Parser.parse(answer.body)["error"]?.string("code") == "method_not_allowed")
            }
            let options = try await ask(.options, path)
            #expect(options.status == 204 && options.body.isEmpty && options.header("Allow") == allow, "\(path)")
            let preflight = try await ask(.options, path, [("Access-Control-Request-Method", "POST")])
            #expect(
                preflight.status == 204 && preflight.header("Access-Control-Allow-Methods")?.contains("POST") == true)
            let head = try await ask(.head, path)
            #expect(head.body.isEmpty, "\(path)")
            // A session is begun by who asks for one, not by who looks.
            if path == "/v1/session/film" { #expect(head.status == 405 && head.header("Allow") == allow) }
            guard path != event, path != "/v1/session/film" else { continue }
            let get = try await ask(.get, path)
            #expect(head.status == 200 && get.status == 200)
            #expect(head.header("Content-Length") == "\(get.body.count)", "\(path)")
            #expect(head.header("Content-Type") == get.header("Content-Type"))
        }
        // Who only looks reports nothing, and sees what there is.
        #expect(try await ask(.head, event).status == 204)
        #expect(try await ask(.head, "\(event)9").status == 404)
        #expect(try await ask(.options, "/v1/nothing").status == 404)
        #expect(try await ask(.delete, "/v1/nothing").status == 404)
        #expect(setup.site.tracked().isEmpty)
        #expect(try await ask(.get, event).status == 204)
        while setup.site.tracked().isEmpty { await Task.yield() }
        #expect(setup.site.tracked() == ["imp"])
        await setup.stop()
    }

    @Test func `events of breaks that nobody knows cost the store one look a second, and a new break's is found`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad6"))
        let own = FragileStore(time: world.time)
        let first = TestServer.tracked(world, by: .relay, store: own)
        let counting = FragileStore(beside: own)
        let second = TestServer.tracked(world, by: .relay, store: counting)
        _ = try await first.text("/live/news/a/v0.m3u8")
        #expect(try await second.get("/v1/beacon/live/news/a/nothing/0/0").status == 404)
        let before = counting.sessionReads.withLock { $0 }
        for number in 0..<200 { #expect(try await second.get("/v1/beacon/live/news/a/b\(number)/0/0").status == 404) }
        #expect(counting.sessionReads.withLock { $0 } == before)
        // The break is decided by the other server; its events are reported here, several at once.
        var paths: [String] = []
        for _ in 0..<25 {
            world.time.advance(by: .seconds(1))
            _ = try await first.text("/live/news/a/v0.m3u8")
            paths = try await first.tracking("live/news/a").urls
            if !paths.isEmpty { break }
        }
        #expect(paths.count == 7)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for path in paths { group.addTask { try await second.get(path).status } }
            for try await status in group { #expect(status == 204) }
        }
        await second.beaconsAreSent()
        #expect(Set(world.sent.map(\.event)) == Set(["impression", "error"] + FakeAds.events))
        #expect(world.sent.count == 7)
    }
}
