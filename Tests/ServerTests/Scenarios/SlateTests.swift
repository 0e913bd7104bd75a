import HLS
import Testing
import Transport

@testable import Server

/// A channel with a slate: whatever the ad server does, breaks are filled to their end.
@Suite(.timeLimit(.minutes(1)))
struct SlateTests {
    private func server(
        _ world: FakeWorld, store: (any StateStore)? = nil, fill: SourceOptions.Fill = .slate,
        _ change: (inout SourceOptions) -> Void = { _ in }
    ) -> TestServer {
        TestServer(world, store: store) { configuration in
            configuration.channels[0].fill = fill
            configuration.channels[0].slate = "http://o/ads/ad6/master.m3u8"
            configuration.titles[0].fill = fill
            configuration.titles[0].slate = "http://o/ads/ad6/master.m3u8"
            change(&configuration.channels[0])
        }
    }

    private func slateIsReady(_ server: TestServer) async {
        while !server.output.lines.contains(where: { $0.contains("slate.ready") }) { await Task.yield() }
    }

    /// What is shown of the renditions, polled once a second; "slate" and ads by name, content by number of segments.
    private func watch(
        _ server: TestServer, _ session: String = "a", seconds: Int = 60
    ) async throws -> (runs: [String], checker: ReloadChecker) {
        var checkers: [String: ReloadChecker] = [:]
        if session == "a", server.output.lines.allSatisfy({ !$0.contains("slate.") }) {
            _ = try await server.text("/live/news/first/master.m3u8")
            while !server.output.lines.contains(where: { $0.contains("slate.") }) { await Task.yield() }
        }
        for _ in 0..<seconds {
            for rendition in ["v0", "v1"] {
                try checkers[rendition, default: ReloadChecker()].read(
                    await server.text("/live/news/\(session)/\(rendition).m3u8"))
            }
            server.world.time.advance(by: .seconds(1))
        }
        let problems = checkers.values.flatMap(\.problems)
        #expect(problems.isEmpty, "\(problems)")
        let checker = try #require(checkers["v0"])
        return (Self.runs(checker.uris), checker)
    }

    private static func runs(_ uris: [String]) -> [String] {
        var runs: [(name: String, count: Int)] = []
        for uri in uris {
            let parts = uri.split(separator: "/")
            var name = parts.count > 3 && parts[2] == "ads" ? String(parts[3]) : "content"
            if name == "ad6" { name = "slate" }
            if runs.last?.name == name { runs[runs.count - 1].count += 1 } else { runs.append((name, 1)) }
        }
        return runs.map { $0.name == "content" ? $0.name : "\($0.name) \($0.count)" }
    }

    private static let faults: [(String, FakeWorld.Fault)] = [
        ("off", .refused), ("500", .status(500)), ("404", .status(404)), ("empty body", .body("")),
        ("no ad", .body("<VAST version=\"3.0\"/>")), ("garbage", .body("<html><body>hello</body></html>")),
        ("cut short", .body("<VAST version=\"3.0\"><Ad>")), ("timeout", .timeout),
    ]

    @Test(arguments: faults.map(\.0))
    func `whatever is wrong with the ad server, slate fills the break to its end`(name: String) async throws {
        let world = FakeWorld(startingAt: 70)
        world.fail("http://a/", try #require(Self.faults.first { $0.0 == name }?.1))
        let server = server(world)
        let (runs, checker) = try await watch(server)
        // Twenty seconds of segments of two: 6 + 6 + 6 + 2, each pass with its own joint.
        #expect(runs == ["content", "slate 10", "content"])
        let joints = Set(checker.entries.values.filter { $0.uri.contains("/ads/") }.map(\.discontinuity))
        #expect(joints.count == 4)
        await server.beaconsAreSent()
        #expect(world.sent.isEmpty)
        let line = try #require(server.output.lines.first { $0.contains("\"break.slate\"") })
        #expect(line.contains("\"slateMilliseconds\":20000"))
    }

    @Test func `slate follows the ads up to the planned end, and nothing is reported of it`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let server = server(world)
        let (runs, _) = try await watch(server)
        #expect(runs == ["content", "ad10 5", "slate 5", "content"])
        await server.beaconsAreSent()
        #expect(world.sent.map(\.event) == ["impression"] + FakeAds.events)
        let line = try #require(server.output.lines.first { $0.contains("\"break.ads\"") })
        #expect(line.contains("\"slateMilliseconds\":10000") && line.contains("[\"ad10-0\"]"))
    }

    @Test func `minimized slate ends at the next boundary of the content`() async throws {
        var channel = LiveChannelModel()
        channel.segmentSeconds = 4
        let world = FakeWorld(channel, startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let (runs, _) = try await watch(
            server(world, fill: .minimizeSlate) { $0.maxAdSegmentDuration = 4 })
        #expect(runs == ["content", "ad10 5", "slate 1", "content"])
    }

    @Test func `unfilled time above the threshold leaves the break to the content`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        #expect(try await watch(server(world) { $0.personalisationThreshold = .seconds(8) }).runs == ["content"])
        world.fail("http://a/", .status(500))
        #expect(try await watch(server(world) { $0.personalisationThreshold = .seconds(8) }).runs == ["content"])
    }

    @Test func `an ad server slower than the deadline gives slate`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let gate = SharedWork<Void>()
        world.fail("http://a/", .gate(gate))
        let server = server(world) { $0.decisionBudget = .zero }
        let (runs, _) = try await watch(server)
        #expect(runs == ["content", "slate 10", "content"])
        gate.finish(with: ())
    }

    @Test(arguments: ["other", "long", "missing"])
    func `a slate that cannot be shown is told once, and the break is content`(name: String) async throws {
        let world = FakeWorld(startingAt: 70)
        world.fail("http://a/", .status(500))
        let server = server(world) { $0.slate = "http://o/ads/\(name)/master.m3u8" }
        #expect(try await watch(server, seconds: 120).runs == ["content"])
        let lines = server.output.lines.filter { $0.contains("slate.unusable") }
        #expect(lines.count == 1 && lines[0].contains("\"reason\":"), "\(lines)")
    }

    @Test func `a slate is fetched with the first session, and again after ten minutes`() async throws {
        let world = FakeWorld(startingAt: 70)
        let server = server(world)
        #expect(!world.requests.contains { $0.contains("/ads/") })
        _ = try await server.text("/live/news/a/master.m3u8")
        await slateIsReady(server)
        for _ in 0..<30 {
            _ = try await server.text("/live/news/a/v0.m3u8")
            world.time.advance(by: .seconds(18))
        }
        #expect(world.requests.filter { $0.contains("/ads/ad6/master") }.count == 1)
        for _ in 0..<10 {
            _ = try await server.text("/live/news/a/v0.m3u8")
            world.time.advance(by: .seconds(18))
        }
        #expect(world.requests.filter { $0.contains("/ads/ad6/master") }.count == 2)
    }

    @Test func `who joins inside a break sees slate from the live edge on`() async throws {
        let world = FakeWorld(startingAt: 86)
        let server = server(world, fill: .content) { $0.join = .slate }
        _ = try await server.text("/live/news/first/master.m3u8")
        await slateIsReady(server)
        let (runs, _) = try await watch(server, seconds: 30)
        #expect(runs == ["content", "slate 7", "content"])
        #expect(world.adRequests.isEmpty)
    }

    @Test func `who joins inside a break is given ads for what is left of it`() async throws {
        let world = FakeWorld(startingAt: 86)
        world.answer(with: FakeAds.vast("ad10", "ad5"))
        let server = server(world, fill: .slate) { $0.join = .fit }
        _ = try await server.text("/live/news/first/master.m3u8")
        await slateIsReady(server)
        let (runs, _) = try await watch(server, seconds: 30)
        #expect(runs == ["content", "ad10 5", "slate 2", "content"])
        #expect(world.adRequests.map(\.url.description).count == 1)
        #expect(world.adRequests[0].url.contains("dur=14"))
    }

    @Test func `the rest of a long break is asked for again when the ad server is back`() async throws {
        var channel = LiveChannelModel()
        channel.breakSeconds = 60
        channel.periodSeconds = 120
        let world = FakeWorld(channel, startingAt: 130)
        world.answer(with: FakeAds.vast("ad20", "ad20", "ad10"))
        world.fail("http://a/", .status(500))
        let server = server(world)
        let first = try await watch(server, seconds: 14)
        #expect(first.runs.last?.hasPrefix("slate") ?? false)
        world.fail("http://a/", nil)
        let (runs, _) = try await watch(server, seconds: 80)
        let shown = runs.drop { $0 == "content" }
        #expect(shown.first?.hasPrefix("slate") ?? false, "\(runs)")
        #expect(shown.contains("ad20 20"), "\(runs)")
        #expect(server.output.lines.contains { $0.contains("break.slate") && $0.contains("\"restAt\":") })
        #expect(world.adRequests.contains { $0.url.contains("dur=") && !$0.url.contains("dur=60") })
    }

    @Test func `a break that is announced and cannot be decided yet is asked for again when it begins`() async throws {
        var channel = LiveChannelModel()
        let start = channel.date(140)
        channel.outLines = ["#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"\(start)\",PLANNED-DURATION=20,SCTE35-OUT=0xFC"]
        channel.breakOffset = 10
        channel.breakSeconds = 20
        channel.periodSeconds = 120
        let world = FakeWorld(channel, startingAt: 120)
        world.answer(with: FakeAds.vast("ad10"))
        world.fail("http://a/", .status(500))
        let server = server(world, fill: .content)
        _ = try await watch(server, seconds: 16)
        #expect(world.adRequests.count == 1)
        #expect(server.output.lines.contains { $0.contains("break.later") })
        world.fail("http://a/", nil)
        let (runs, _) = try await watch(server, seconds: 40)
        #expect(runs.contains("ad10 5"), "\(runs)")
    }

    @Test func `a title's break is filled, and its slate has its own addresses`() async throws {
        let world = FakeWorld()
        world.title(seconds: 60, cues: [20: "#EXT-X-CUE-OUT:20", 40: "#EXT-X-CUE-IN"])
        world.answer(with: FakeAds.vast("ad10"))
        let server = server(world)
        _ = try await server.text("/vod/film/first/master.m3u8")
        await slateIsReady(server)
        let text = try await server.text("/vod/film/a/v0.m3u8")
        #expect(text.matches(of: /\nad\//).count == 5)
        #expect(text.matches(of: /\nhttp:\/\/o\/ads\/ad6\/v0\//).count == 5)
        world.fail("http://a/", .status(500))
        let failed = try await server.text("/vod/film/b/v0.m3u8")
        #expect(failed.matches(of: /\nhttp:\/\/o\/ads\/ad6\/v0\//).count == 10)
    }

    @Test func `two servers on one store ask the ad server once, and show the same slate`() async throws {
        let folder = try TemporaryFolder()
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", tag: "a"), FakeAds.vast("ad5", tag: "b"))
        let gate = SharedWork<Void>()
        world.fail("http://a/", .gate(gate))
        let servers = try (0..<2).map { _ in
            server(
                world, store: try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30))
            ) { $0.decisionBudget = .zero }
        }
        for second in 0...12 {
            if second > 0 { world.time.advance(by: .seconds(1)) }
            for server in servers { _ = try await server.text("/live/news/a/v0.m3u8") }
        }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(20)
        while world.adRequests.isEmpty, clock.now < end { await Task.yield() }
        // The other one has seen that it need not ask.
        while world.time.sleeperCount < 2, clock.now < end { await Task.yield() }
        gate.finish(with: ())
        var texts = ["", ""]
        while texts.contains(where: { !$0.contains("/ads/ad10/") }), clock.now < end {
            world.time.advance(by: .milliseconds(10))
            for index in 0..<2 { texts[index] = try await servers[index].text("/live/news/a/v0.m3u8") }
        }
        #expect(world.adRequests.count == 1)
        for _ in 0..<30 {
            world.time.advance(by: .seconds(1))
            let text = try await servers[0].text("/live/news/a/v0.m3u8")
            #expect(try await servers[1].text("/live/news/a/v0.m3u8") == text)
        }
        let lines = servers.flatMap(\.output.lines)
        #expect(lines.filter { $0.contains("break.ads") && $0.contains("\"slateMilliseconds\":10000") }.count == 1)
    }
}
