import HLS
import Stitching
import Testing
import Transport

@testable import Server

/// Players play on with the addresses that they have when the origin lists its variants otherwise.
struct RenditionNameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func server(_ world: FakeWorld) throws -> TestServer {
        TestServer(world, store: try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30)))
    }

    private func world() -> FakeWorld {
        let world = FakeWorld(startingAt: 100)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        return world
    }

    private static let variants = [
        "v0": "#EXT-X-STREAM-INF:BANDWIDTH=700000,CODECS=\"avc1.64001e,mp4a.40.2\",RESOLUTION=640x360\nv0.m3u8\n",
        "v1": "#EXT-X-STREAM-INF:BANDWIDTH=300000,CODECS=\"avc1.64000c,mp4a.40.2\",RESOLUTION=320x180\nv1.m3u8\n",
        "x": "#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS=\"avc1.64001e,mp4a.40.2\",RESOLUTION=960x540\nx.m3u8\n",
    ]

    private func list(_ world: FakeWorld, _ names: [String]) {
        world.fail("live/master.m3u8", .body("#EXTM3U\n" + names.map { Self.variants[$0] ?? "" }.joined()))
    }

    /// What a viewer's multivariant playlist links, in its order.
    private func links(_ server: TestServer, _ viewer: String = "a") async throws -> [String] {
        try await server.text("/live/news/\(viewer)/master.m3u8").split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map(String.init)
    }

    /// Two players play on, while the servers are asked in turn, and one that knows nothing but the file now and then.
    private func play(
        _ servers: [TestServer], _ names: [String] = ["v0", "v1"], seconds: Int,
        into checkers: inout [String: ReloadChecker]
    ) async throws {
        for second in 0..<seconds {
            for name in names {
                let target = "/live/news/a/\(name).m3u8"
                let text = try await servers[second % servers.count].text(target)
                try checkers[name, default: ReloadChecker()].read(text)
                #expect(try await servers[(second + 1) % servers.count].text(target) == text, "\(name) \(second)")
                if second % 10 == 9 {
                    #expect(try await server(servers[0].world).text(target) == text, "\(name) \(second)")
                }
            }
            servers[0].world.time.advance(by: .seconds(1))
        }
    }

    private func content(_ checker: ReloadChecker?) -> Set<Substring> {
        Set(
            (checker?.uris ?? []).filter { !$0.contains("/ads/") }.map {
                $0.split(separator: "/").dropLast().last ?? ""
            })
    }

    @Test func `another order changes nothing for who plays, on two servers and after a restart`() async throws {
        let world = world()
        let servers = [try server(world), try server(world)]
        var checkers: [String: ReloadChecker] = [:]
        try await play(servers, seconds: 10, into: &checkers)
        #expect(try await links(servers[0]) == ["v0.m3u8", "v1.m3u8"])
        list(world, ["v1", "v0"])
        try await play(servers, seconds: 60, into: &checkers)
        #expect(try await links(servers[0]) == ["v1.m3u8", "v0.m3u8"])
        #expect(try await links(try server(world), "b") == ["v1.m3u8", "v0.m3u8"])
        for (name, checker) in checkers {
            #expect(checker.problems.isEmpty, "\(name): \(checker.problems)")
            #expect(content(checker) == [Substring(name)])
            #expect(checker.uris.contains { $0.contains("/ads/ad10/") })
            // Into the pod, between the ads, and out of it.
            #expect(Set(checker.entries.values.map(\.discontinuity)).count == 4)
        }
    }

    @Test func `a first rung that is left out takes no other's place: the others play on, and so does who plays it`()
        async throws
    {
        let world = world()
        let servers = [try server(world), try server(world)]
        var checkers: [String: ReloadChecker] = [:]
        try await play(servers, seconds: 10, into: &checkers)
        list(world, ["v1"])
        world.fail("live/v0.m3u8", .status(404))
        try await play(servers, seconds: 70, into: &checkers)
        #expect(try await links(servers[1]) == ["v1.m3u8"])
        for (name, checker) in checkers { #expect(checker.problems.isEmpty, "\(name): \(checker.problems)") }
        #expect(content(checkers["v1"]) == ["v1"])
        // Breaks are still found, on the timeline that they were found on before.
        for checker in checkers.values { #expect(checker.uris.contains { $0.contains("/ads/ad10/") }) }
        #expect(content(checkers["v0"]) == ["v0", "v1"])
        // It comes back.
        list(world, ["v0", "v1"])
        world.fail("live/v0.m3u8", nil)
        try await play(servers, seconds: 30, into: &checkers)
        #expect(try await links(servers[1]) == ["v0.m3u8", "v1.m3u8"])
        for (name, checker) in checkers { #expect(checker.problems.isEmpty, "\(name): \(checker.problems)") }
        #expect(content(checkers["v1"]) == ["v1"])
    }

    @Test func `a rung that is left out and still served plays on; one that is not the leading is not found`()
        async throws
    {
        let world = world()
        let server = try server(world)
        var checkers: [String: ReloadChecker] = [:]
        try await play([server], seconds: 5, into: &checkers)
        list(world, ["v1"])
        try await play([server], seconds: 40, into: &checkers)
        for (name, checker) in checkers {
            #expect(checker.problems.isEmpty, "\(name): \(checker.problems)")
            #expect(content(checker) == [Substring(name)])
        }
        list(world, ["v0"])
        world.time.advance(by: .seconds(20))
        _ = try await server.text("/live/news/a/v0.m3u8")
        world.time.advance(by: .seconds(20))
        #expect(try await server.get("/live/news/a/v1.m3u8").status == 404)
        _ = try await server.text("/live/news/a/v0.m3u8")
    }

    @Test func `a rung that is added in front has a name of its own`() async throws {
        let world = world()
        let servers = [try server(world), try server(world)]
        var checkers: [String: ReloadChecker] = [:]
        try await play(servers, seconds: 5, into: &checkers)
        list(world, ["x", "v0", "v1"])
        try await play(servers, seconds: 20, into: &checkers)
        #expect(try await links(servers[0]) == ["v2.m3u8", "v0.m3u8", "v1.m3u8"])
        try await play(servers, ["v0", "v1", "v2"], seconds: 40, into: &checkers)
        for (name, checker) in checkers {
            #expect(checker.problems.isEmpty, "\(name): \(checker.problems)")
            #expect(content(checker) == [name == "v2" ? "x" : Substring(name)])
        }
    }

    @Test func `the operator's choice of the leading rendition stays, too`() async throws {
        let world = world()
        let server = TestServer(world) { $0.channels[0].leadingRendition = "320x180" }
        var checkers: [String: ReloadChecker] = [:]
        for second in 0..<60 {
            if second == 5 {
                list(world, ["v0"])
                world.fail("live/v1.m3u8", .status(404))
            }
            try checkers["v0", default: ReloadChecker()].read(await server.text("/live/news/a/v0.m3u8"))
            world.time.advance(by: .seconds(1))
        }
        let checker = try #require(checkers["v0"])
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        #expect(content(checker) == ["v0"] && checker.uris.contains { $0.contains("/ads/") })
        #expect(server.wiring.service.sources.values.first { $0.id.kind == .live }?.ledger?.leading.text == "v1")
    }
}
