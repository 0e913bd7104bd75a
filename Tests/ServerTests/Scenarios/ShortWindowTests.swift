import HLS
import Testing
import Transport

@testable import Server

/// Channels whose windows are too short for three target durations (rule 309): what viewers get, and what operators are told.
struct ShortWindowTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func server(_ world: FakeWorld, isKept: Bool = false) throws -> TestServer {
        let store =
            isKept ? try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30)) : nil
        return TestServer(world, store: store) { $0.channels[0].maxAdSegmentDuration = 6 }
    }

    private func world(window: Int, startingAt second: Int) -> FakeWorld {
        var channel = LiveChannelModel()
        channel.windowSegments = window
        let world = FakeWorld(channel, startingAt: second)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        return world
    }

    private func report(_ server: TestServer) async throws -> String {
        let admin = AdminHandler(debugger: server.wiring.debugger, sources: Array(server.wiring.service.sources.keys))
        let list = await admin.respond(to: try #require(HTTPRequest(target: "/sessions", headers: [])))
        return String(decoding: list.body, as: UTF8.self)
    }

    @Test func `a session of an origin that need not serve three target durations gets no ads, and operators know why`()
        async throws
    {
        let world = world(window: 3, startingAt: 100)
        let servers = [try server(world, isKept: true), try server(world, isKept: true)]
        // The first viewer comes before anything has left the origin's list.
        _ = try await servers[0].text("/live/news/early/v0.m3u8")
        world.time.advance(by: .seconds(4))
        var checker = ReloadChecker()
        for second in 0..<60 {
            let text = try await servers[second % 2].text("/live/news/a/v0.m3u8")
            #expect(text == (try await servers[(second + 1) % 2].text("/live/news/a/v0.m3u8")))
            #expect(text.contains("#EXT-X-TARGETDURATION:2\n"))
            try checker.read(text)
            world.time.advance(by: .seconds(1))
        }
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        #expect(!checker.uris.contains { $0.contains("/ads/") })
        #expect(world.adRequests.isEmpty)
        // Another process goes on with what was fixed then.
        let late = try server(world, isKept: true)
        #expect(try await late.text("/live/news/a/v0.m3u8").contains("#EXT-X-TARGETDURATION:2\n"))
        let lines = servers.flatMap(\.output.lines)
        let told = lines.filter { $0.contains("session.unstitched") }
        #expect(told.count == 1 && told.allSatisfy { $0.contains("has to serve 14 s") })
        #expect(lines.contains { $0.contains("break.content") && $0.contains("\"not_stitchable\"") })
        #expect(servers.map(\.metrics.sessionsUnstitched.value) == [1, 0])
        #expect(servers.map(\.metrics.breaksUnstitched.value).reduce(0, +) >= 1)
        #expect(try await report(servers[0]).contains("\"unstitched\":\"the origin lists and has to serve 14 s"))
    }

    @Test func `a server that has just started leaves a break to the content, and fills the next one`() async throws {
        let world = world(window: 4, startingAt: 139)
        let server = try server(world)
        var checker = ReloadChecker()
        for _ in 0..<100 {
            try checker.read(await server.text("/live/news/a/v0.m3u8"))
            world.time.advance(by: .seconds(1))
        }
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        // Breaks begin at 140 and 200.
        #expect(checker.uris.contains { $0.hasSuffix("v0/seg-72.ts") })
        #expect(!checker.uris.contains { $0.hasSuffix("v0/seg-102.ts") })
        #expect(checker.uris.contains { $0.contains("/ads/ad10/") })
        #expect(server.metrics.sessionsUnstitched.value == 0)
        #expect(server.metrics.breaksUnstitched.value == 1)
        #expect(server.output.lines.contains { $0.contains("break.content") && $0.contains("were seen in one piece") })
    }

    @Test func `sessions without ads and without breaks are kept within the bound`() throws {
        let debugger = AdDebugger(options: AdDebuggingOptions(bytes: 10_000), time: ManualTimeSource())
        for index in 0..<1_000 {
            let stream = try #require(StreamID("s\(index)"))
            let key = SessionKey(source: SourceID(kind: .live, name: "news"), streamID: stream)
            debugger.unstitched(key, "too short")
            debugger.unstitched(key, "too short")
        }
        let kept = debugger.latest(1_000)
        #expect((10...30).contains(kept.count), "\(kept.count)")
    }
}
