import HLS
import Testing
import Transport

@testable import Server

/// What a live session begins with: breaks of the past, suppression, and a pre-roll.
struct OpeningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func server(
        _ world: FakeWorld, isKept: Bool = false, _ change: @escaping (inout SourceOptions) -> Void
    ) throws -> TestServer {
        let store =
            isKept ? try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30)) : nil
        return TestServer(world, store: store) { change(&$0.channels[0]) }
    }

    /// The order of content and ads: runs of one kind as one word. Ads that are asked for through the server by their break's place.
    private func runs(_ uris: [String]) -> [String] {
        var runs: [String] = []
        for uri in uris {
            let parts = uri.split(separator: "/").map(String.init)
            let name =
                parts.first == "ad" ? "past/\(parts[2])" : parts.count > 3 && parts[2] == "ads" ? parts[3] : "content"
            if runs.last != name { runs.append(name) }
        }
        return runs
    }

    private func uris(_ playlist: String) -> [String] {
        playlist.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }

    private func poll(_ server: TestServer, _ renditions: [String] = ["v0", "v1"], seconds: Int) async throws
        -> [String: ReloadChecker]
    {
        var checkers: [String: ReloadChecker] = [:]
        for _ in 0..<seconds {
            for rendition in renditions {
                try checkers[rendition, default: ReloadChecker()].read(
                    await server.text("/live/news/a/\(rendition).m3u8"))
            }
            await server.beaconsAreSent()
            server.world.time.advance(by: .seconds(1))
        }
        return checkers
    }

    /// Breaks at 20, 80 and 140; the session begins at 190 with all of them in the window.
    private func dvr() -> FakeWorld {
        var channel = LiveChannelModel()
        channel.windowSegments = 95
        return FakeWorld(channel, startingAt: 190)
    }

    // MARK: Breaks of the past

    @Test func `breaks of the window get pods before the first playlist, in all renditions, and stay`() async throws {
        let world = dvr()
        world.answer(with: FakeAds.vast("ad20"))
        let server = try server(world) { $0.pastBreaks = .stitch }
        let first = try await server.text("/live/news/a/v0.m3u8")
        let expected = ["content", "past/0", "content", "past/0", "content", "past/0", "content"]
        #expect(runs(uris(first)) == expected)
        #expect(runs(uris(try await server.text("/live/news/a/v1.m3u8"))) == expected)
        #expect(world.adRequests.count == 3)
        let checkers = try await poll(server, seconds: 60)
        for (rendition, checker) in checkers { #expect(checker.problems.isEmpty, "\(rendition): \(checker.problems)") }
        // The break that comes is one of the live edge.
        #expect(world.adRequests.count == 4)
        #expect(try #require(checkers["v0"]).uris.contains { $0.hasPrefix("http://o/ads/ad20/") })
    }

    @Test func `by default they stay content, and one line of the log says so for all`() async throws {
        var channel = LiveChannelModel()
        channel.windowSegments = 400
        let world = FakeWorld(channel, startingAt: 790)
        let server = try server(world, isKept: true) { _ in }
        #expect(runs(uris(try await server.text("/live/news/a/v0.m3u8"))) == ["content"])
        let lines = server.output.lines.filter { $0.contains("break.content") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("before_session") ?? false)
        #expect(lines.first?.contains("\"breaks\":13") ?? false, "\(lines)")
        #expect(world.adRequests.isEmpty)
    }

    @Test func `what is undecided when the first playlist is answered stays content`() async throws {
        let world = dvr()
        world.answer(with: FakeAds.vast("ad20"))
        let gate = SharedWork<Void>()
        world.fail("http://a/", .gate(gate))
        let server = try server(world) {
            $0.pastBreaks = .stitch
            $0.decisionBudget = .zero
        }
        let first = try await server.text("/live/news/a/v0.m3u8")
        #expect(runs(uris(first)) == ["content"])
        gate.finish(with: ())
        let checkers = try await poll(server, seconds: 5)
        for checker in checkers.values {
            #expect(checker.problems.isEmpty)
            #expect(runs(checker.uris) == ["content"])
        }
        #expect(server.output.lines.filter { $0.contains("\"code\":\"deadline\"") }.count == 3)
    }

    @Test func `a long window's breaks are asked for a few at a time`() async throws {
        var channel = LiveChannelModel()
        channel.windowSegments = 1_000
        let world = FakeWorld(channel, startingAt: 1_990)
        world.answer(with: FakeAds.vast("ad20"))
        let gate = SharedWork<Void>()
        world.fail("http://a/", .gate(gate))
        let server = try server(world) { $0.pastBreaks = .stitch }
        async let master = server.text("/live/news/a/master.m3u8")
        while world.adRequests.count < 6 { await Task.yield() }
        for _ in 0..<100 { await Task.yield() }
        #expect(world.adRequests.count == 6)
        gate.finish(with: ())
        _ = try await master
        #expect(world.adRequests.count == 33)
        let playlist = try await server.text("/live/news/a/v0.m3u8")
        #expect(runs(uris(playlist)).count { $0 == "past/0" } == 33)
    }

    @Test func `their beacons are sent when a player asks for their segments, not before`() async throws {
        let world = dvr()
        world.answer(with: FakeAds.vast("ad20"))
        let server = try server(world) { $0.pastBreaks = .stitch }
        let first = try await server.text("/live/news/a/v0.m3u8")
        await server.beaconsAreSent()
        #expect(world.sent.isEmpty)
        let segment = try #require(uris(first).first { $0.hasPrefix("ad/") })
        let answer = try await server.get("/live/news/a/\(segment)")
        #expect(answer.status == 302)
        #expect(answer.location == "http://o/ads/ad20/v0/seg-0.ts")
        await server.wiring.outbox.becomesIdle()
        #expect(world.sent.map(\.event) == ["impression", "start"])
    }

    @Test(arguments: [
        (SourceOptions.Suppression.behindLiveEdge, 60, ["content", "past/0", "content"]),
        (.behindLiveEdge, 0, ["content"]), (.afterLiveEdge, 0, ["content"]),
    ])
    func `suppression leaves breaks behind the live edge to the content`(
        mode: SourceOptions.Suppression, seconds: Int, expected: [String]
    ) async throws {
        let world = dvr()
        world.answer(with: FakeAds.vast("ad20"))
        let server = try server(world) {
            $0.pastBreaks = .stitch
            $0.suppression = mode
            $0.suppressionDistance = .seconds(seconds)
        }
        #expect(runs(uris(try await server.text("/live/news/a/v0.m3u8"))) == expected)
        #expect(server.output.lines.contains { $0.contains("\"code\":\"suppressed\"") })
    }

    @Test func `no ads come so soon after a session begins`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad20"))
        let server = try server(world) {
            $0.suppression = .afterLiveEdge
            $0.suppressionDistance = .seconds(60)
        }
        let checkers = try await poll(server, seconds: 110)
        let checker = try #require(checkers["v0"])
        #expect(checker.problems.isEmpty)
        #expect(runs(checker.uris) == ["content", "ad20", "content"])
        #expect(world.adRequests.count == 1)
    }

    // MARK: Pre-roll

    @Test(arguments: [false, true])
    func `a session begins with the pre-roll, then the live edge, and breaks come as ever`(hasAudio: Bool) async throws
    {
        let world = FakeWorld(LiveChannelModel(hasSeparateAudio: hasAudio), startingAt: 65)
        world.answer(with: FakeAds.vast("ad10", tag: "p"), FakeAds.vast("ad20", tag: "b"))
        let server = try server(world) { $0.preroll = ["main"] }
        let renditions = hasAudio ? ["v0", "v1", "a-aud-en"] : ["v0", "v1"]
        let checkers = try await poll(server, renditions, seconds: 70)
        for (rendition, checker) in checkers {
            #expect(checker.problems.isEmpty, "\(rendition): \(checker.problems)")
            #expect(runs(checker.uris) == ["content", "ad10", "content", "ad20", "content"], "\(rendition)")
        }
        #expect(world.adRequests.count == 2)
        #expect(world.adRequests.first?.url.contains("dur=30") ?? false)
        let wanted =
            (["impression"] + FakeAds.events).map { "\($0) p" } + (["impression"] + FakeAds.events).map { "\($0) b" }
        #expect(world.sent.map { "\($0.event) \($0.parameter("tag") ?? "")" } == wanted)
        // Players begin three target durations behind the edge: there the pre-roll begins to be seen.
        #expect(try #require(world.sent.first).second <= 67)
    }

    @Test func `an ad tag of its own may be asked, from the multivariant playlist on`() async throws {
        let world = FakeWorld(startingAt: 65)
        world.answer(with: FakeAds.vast("ad10"))
        let server = try server(world) {
            $0.ads = []
            $0.preroll = ["http://b/vast?d=[session.avail_duration_ms]&s=[player_params.section]"]
            $0.longestPreroll = .seconds(12)
        }
        _ = try await server.text("/live/news/a/master.m3u8?section=sports")
        #expect(world.adRequests.map(\.url) == ["http://b/vast?d=12000&s=sports"])
        let checkers = try await poll(server, seconds: 60)
        for checker in checkers.values {
            #expect(checker.problems.isEmpty)
            // Its breaks have nobody to ask.
            #expect(runs(checker.uris) == ["content", "ad10", "content"])
        }
        #expect(world.adRequests.count == 1)
    }

    @Test func `a pre-roll longer than its maximum is left out, and the session begins with the content`() async throws
    {
        let world = FakeWorld(startingAt: 65)
        world.answer(with: FakeAds.vast("ad20"))
        let server = try server(world) {
            $0.preroll = ["main"]
            $0.longestPreroll = .seconds(12)
        }
        #expect(runs(uris(try await server.text("/live/news/a/v0.m3u8"))) == ["content"])
        // The line follows the answer.
        let clock = ContinuousClock()
        let end = clock.now + .seconds(10)
        func isSaid() -> Bool {
            server.output.lines.contains { $0.contains("\"break\":\"preroll\"") && $0.contains("nothing_fits") }
        }
        while !isSaid(), clock.now < end { await Task.yield() }
        #expect(isSaid())
    }

    @Test func `a pre-roll that does not come within the budget is none, and the log says so`() async throws {
        let world = FakeWorld(startingAt: 65)
        world.answer(with: FakeAds.vast("ad10"))
        let gate = SharedWork<Void>()
        world.fail("http://b/", .gate(gate))
        let server = try server(world) {
            $0.preroll = ["http://b/vast"]
            $0.decisionBudget = .zero
        }
        let first = try await server.text("/live/news/a/v0.m3u8")
        #expect(runs(uris(first)) == ["content"])
        // The live edge is not held.
        #expect(uris(first).count == 10)
        #expect(
            server.output.lines.contains {
                $0.contains("\"break\":\"preroll\"") && $0.contains("\"code\":\"deadline\"")
            })
        gate.finish(with: ())
        let checkers = try await poll(server, seconds: 10)
        for checker in checkers.values {
            #expect(checker.problems.isEmpty)
            #expect(runs(checker.uris) == ["content"])
        }
    }

    @Test func `a player that comes back long after the multivariant playlist gets its pre-roll at the live edge`()
        async throws
    {
        let world = FakeWorld(startingAt: 42)
        world.answer(with: FakeAds.vast("ad10"))
        let server = try server(world) { $0.preroll = ["main"] }
        _ = try await server.text("/live/news/a/master.m3u8")
        world.time.advance(by: .seconds(30))
        let playlist = try await server.text("/live/news/a/v0.m3u8")
        #expect(runs(uris(playlist)) == ["content", "ad10"])
        #expect(world.adRequests.count == 1)
    }

    // MARK: Several servers

    @Test(arguments: [false, true])
    func `two servers over one store open a session alike, and one that takes their place`(hasPreroll: Bool)
        async throws
    {
        var channel = LiveChannelModel()
        channel.windowSegments = 95
        let world = FakeWorld(channel, startingAt: 190)
        world.answer(
            with: FakeAds.vast("ad10", "ad6", tag: "a"), FakeAds.vast("ad6", "ad10", tag: "b"),
            FakeAds.vast("ad5", "ad10", tag: "c"), FakeAds.vast("ad10", "ad5", tag: "d"))
        let change: (inout SourceOptions) -> Void = {
            $0.pastBreaks = .stitch
            $0.preroll = hasPreroll ? ["main"] : []
        }
        let servers = [
            try server(world, isKept: true, change), try server(world, isKept: true, change),
        ]
        async let one = servers[0].text("/live/news/a/master.m3u8")
        async let other = servers[1].text("/live/news/a/master.m3u8")
        _ = try await (one, other)
        let checkers = try await world.askInTurn(servers, seconds: 90) { try server(world, isKept: true, change) }
        for checker in checkers.values {
            #expect(checker.problems.isEmpty, "\(checker.problems)")
            #expect(checker.uris.count { $0.hasPrefix("ad/") } >= 15)
            #expect(checker.uris.contains { $0.hasPrefix("http://o/ads/") })
        }
    }
}
