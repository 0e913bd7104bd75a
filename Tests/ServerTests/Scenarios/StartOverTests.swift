import HLS
import Testing
import Transport

@testable import Server

/// Sessions whose first request has parameters for the origin: start-over windows.
struct StartOverTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func server(
        _ world: FakeWorld, isKept: Bool = false, _ change: @escaping (inout SourceOptions) -> Void = { _ in }
    ) throws -> TestServer {
        let store =
            isKept ? try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30)) : nil
        return TestServer(world, store: store) {
            $0.channels[0].originParameters = ["start", "end", "token"]
            change(&$0.channels[0])
        }
    }

    private func world() -> FakeWorld {
        let world = FakeWorld(startingAt: 190)
        world.answer(
            with: FakeAds.vast("ad10", "ad6", tag: "a"), FakeAds.vast("ad6", "ad10", tag: "b"),
            FakeAds.vast("ad20", tag: "c"))
        return world
    }

    private func uris(_ playlist: String) -> [String] {
        playlist.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }

    @Test func `allowed parameters go on to the origin with every playlist, and are kept by the session`() async throws
    {
        let world = world()
        let server = try server(world)
        _ = try await server.text("/live/news/a/master.m3u8?start=40&section=sports&other=1")
        let first = try await server.text("/live/news/a/v0.m3u8")
        #expect(first.contains("\n#EXT-X-MEDIA-SEQUENCE:20\n"))
        #expect(uris(first).count == 75)
        #expect(world.requests.contains("http://o/live/master.m3u8?start=40"))
        #expect(world.requests.contains("http://o/live/v0.m3u8?start=40"))
        #expect(!world.requests.contains { $0.contains("section") || $0.contains("other") })
        // Later ones change nothing.
        #expect(try await server.text("/live/news/a/v0.m3u8?start=100") == first)
    }

    @Test func `sessions with equal parameters share a timeline, others have their own`() async throws {
        let world = world()
        let server = try server(world) { $0.ads = [] }
        for _ in 0..<2 {
            for (session, query) in [
                ("a", "?start=40"), ("b", "?start=40"), ("c", "?start=100"), ("d", ""), ("e", "?end=80&start=40"),
            ] {
                _ = try await server.text("/live/news/\(session)/v0.m3u8\(query)")
            }
        }
        let asked = Dictionary(grouping: world.requests.filter { $0.contains("/v0.m3u8") }) { $0 }.mapValues(\.count)
        #expect(asked.count == 4)
        #expect(asked.values.allSatisfy { $0 == 1 }, "\(asked)")
        let ended = try await server.text("/live/news/e/v0.m3u8")
        #expect(uris(ended).count == 20)
        #expect(ended.hasSuffix("#EXT-X-ENDLIST\n"))
    }

    @Test func `breaks of a start-over window get pods, and their beacons come with the player's requests`()
        async throws
    {
        let world = world()
        let server = try server(world) { $0.pastBreaks = .stitch }
        var checker = ReloadChecker()
        let target = "/live/news/a/v0.m3u8?start=4"
        for _ in 0..<60 {
            try checker.read(await server.text(target))
            await server.beaconsAreSent()
            world.time.advance(by: .seconds(1))
        }
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        // Three breaks of the past and one at the edge, all seen much later than they are listed.
        #expect(Set(checker.uris.filter { $0.hasPrefix("ad/") }.map { $0.split(separator: "/")[1] }).count == 4)
        #expect(!checker.uris.contains { $0.contains("/ads/") })
        #expect(world.sent.isEmpty)
        let segment = try #require(checker.uris.first { $0.hasPrefix("ad/") })
        #expect(try await server.get("/live/news/a/\(segment)").status == 302)
        await server.wiring.outbox.becomesIdle()
        #expect(world.sent.map(\.event) == ["impression", "start"])
    }

    @Test func `windows are bounded, and free when their sessions have ended`() async throws {
        let world = world()
        let server = try server(world) { $0.maxOriginWindows = 2 }
        for start in [10, 20] { _ = try await server.text("/live/news/s\(start)/v0.m3u8?start=\(start)") }
        #expect(try await server.get("/live/news/s30/v0.m3u8?start=30").status == 503)
        #expect(try await server.get("/live/news/s40/v0.m3u8").status == 200)
        world.time.advance(by: .seconds(200))
        _ = try await server.text("/live/news/s20/v0.m3u8")
        world.time.advance(by: .seconds(200))
        #expect(try await server.get("/live/news/s30/v0.m3u8?start=30").status == 200)
        #expect(try await server.get("/live/news/s50/v0.m3u8?start=50").status == 503)
    }

    @Test func `parameters for the origin stand in no log and in no ad request`() async throws {
        let world = world()
        world.fail("v1.m3u8", .status(500))
        let server = try server(world) { $0.pastBreaks = .stitch }
        _ = try await server.text("/live/news/a/v0.m3u8?start=40&token=s3cret&section=x")
        _ = try await server.get("/live/news/a/v1.m3u8")
        #expect(world.requests.contains { $0.contains("token=s3cret") })
        #expect(server.output.lines.contains { $0.contains("origin.failed") })
        #expect(!server.output.lines.contains { $0.contains("s3cret") })
        #expect(!world.adRequests.contains { $0.url.contains("s3cret") })
        #expect(!world.adRequests.isEmpty)
        let long = String(repeating: "x", count: 1_100)
        #expect(try await server.get("/live/news/b/v0.m3u8?token=\(long)").status == 400)
    }

    @Test func `a session of MediaTailor's form takes them from its query`() async throws {
        let world = world()
        let server = try server(world)
        let answer = try await server.text("/v1/session/news?start=40&ads.section=x")
        let manifest = try #require(answer.split(separator: "\"").first { $0.hasPrefix("/live/news/") })
        let folder = manifest.dropLast("master.m3u8".count)
        #expect(try await server.text("\(folder)v0.m3u8").contains("\n#EXT-X-MEDIA-SEQUENCE:20\n"))
    }

    @Test func `two servers over one store, and one after a restart, answer alike without the parameters`() async throws
    {
        let world = world()
        let change: (inout SourceOptions) -> Void = { $0.pastBreaks = .stitch }
        let servers = [try server(world, isKept: true, change), try server(world, isKept: true, change)]
        _ = try await servers[0].text("/live/news/a/master.m3u8?start=4&token=s")
        // Another window, and the channel's own.
        _ = try await servers[1].text("/live/news/b/v0.m3u8?start=60")
        _ = try await servers[1].text("/live/news/c/v0.m3u8")
        let checkers = try await world.askInTurn(servers, seconds: 50) { try server(world, isKept: true, change) }
        for checker in checkers.values {
            #expect(checker.problems.isEmpty, "\(checker.problems)")
            #expect(Set(checker.uris.filter { $0.hasPrefix("ad/") }.map { $0.split(separator: "/")[1] }).count == 4)
        }
    }

    @Test(arguments: [
        ("http://o/a.m3u8", "http://o/a.m3u8?end=2&start=1"),
        ("http://o/a.m3u8?x=1", "http://o/a.m3u8?x=1&end=2&start=1"),
        ("http://o/a.m3u8?start=9#f", "http://o/a.m3u8?start=9&end=2#f"), ("http://o/a?", "http://o/a?end=2&start=1"),
        ("http://o/a?start=7&end=8", "http://o/a?start=7&end=8"),
    ])
    func `an address keeps the parameters it has`(url: String, expected: String) throws {
        let query = [(name: "start", value: "1"), (name: "end", value: "2"), (name: "start", value: "3")]
        #expect(try OriginParameters(query, allowed: ["start", "end"]).added(to: url) == expected)
        #expect(try OriginParameters(query, allowed: []).added(to: url) == url)
    }
}
