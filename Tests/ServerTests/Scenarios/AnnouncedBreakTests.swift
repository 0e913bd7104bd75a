import Testing
import Transport

@testable import Server

/// Breaks that the origin announces are asked for before they begin, and again when they do if that gave nothing.
@Suite(.timeLimit(.minutes(1)))
struct AnnouncedBreakTests {
    /// A break that begins at second 146 and is known 14 s before.
    private func world(seconds: Int = 20) -> FakeWorld {
        var channel = LiveChannelModel()
        let start = channel.date(146)
        channel.outLines = [
            "#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"\(start)\",PLANNED-DURATION=\(seconds),SCTE35-OUT=0xFC"
        ]
        channel.breakOffset = 130
        channel.breakSeconds = 2
        channel.periodSeconds = 600
        return FakeWorld(channel, startingAt: 120)
    }

    private func watch(_ server: TestServer, sessions: Int = 1, seconds: Int = 60) async throws -> [ReloadChecker] {
        var checkers = [ReloadChecker](repeating: ReloadChecker(), count: sessions)
        for _ in 0..<seconds {
            for session in 0..<sessions {
                try checkers[session].read(await server.text("/live/news/s\(session)/v0.m3u8?section=s\(session)"))
            }
            server.world.time.advance(by: .seconds(1))
        }
        await server.beaconsAreSent()
        for checker in checkers { #expect(checker.problems.isEmpty, "\(checker.problems)") }
        return checkers
    }

    /// How often each session has asked the ad server.
    private func requests(_ world: FakeWorld) -> [String: Int] {
        world.adRequests.reduce(into: [:]) { counts, request in
            let session = request.url.split(separator: "&").first { $0.hasPrefix("sec=") }
            counts[session.map(String.init) ?? "", default: 0] += 1
        }
    }

    private static let faults: [(String, FakeWorld.Fault)] = [
        ("500", .status(500)), ("timeout", .timeout), ("off", .refused), ("garbage", .body("<html>")),
        ("404", .status(404)),
    ]

    @Test(arguments: faults.map(\.0))
    func `an ad server that fails before a break begins is asked once more, and only tried while it does not answer`(
        name: String
    ) async throws {
        let fault = try #require(Self.faults.first { $0.0 == name }?.1)
        let world = world()
        world.fail("http://a/", fault)
        let server = TestServer(world)
        let sessions = 12
        _ = try await watch(server, sessions: sessions)
        #expect(server.output.lines.count { $0.contains("break.later") } == sessions)
        #expect(server.output.lines.count { $0.contains("\"break.content\"") } == sessions)
        if name == "garbage" || name == "404" {
            #expect(requests(world).values.allSatisfy { $0 == 2 } && requests(world).count == sessions)
        } else {
            // Three before it is left alone, and one that tries it when the break begins.
            #expect(world.adRequests.count == 4)
            #expect(server.metrics.adRequestsHeldBack.value == 2 * sessions - 4)
        }
    }

    @Test(arguments: ["500", "garbage"])
    func `a long break of which every rest fails as well is no storm of requests`(name: String) async throws {
        let fault = try #require(Self.faults.first { $0.0 == name }?.1)
        let world = world(seconds: 120)
        world.fail("http://a/", fault)
        let server = TestServer(world)
        let sessions = 12
        _ = try await watch(server, sessions: sessions, seconds: 160)
        // The break and three rests of it, before each begins and when it does.
        let most = 4 * 2
        if name == "garbage" {
            #expect(requests(world).values.allSatisfy { $0 == most } && requests(world).count == sessions)
        } else {
            // Three before it is left alone, then one at each of these times, whoever comes first.
            #expect(world.adRequests.count <= 3 + most - 1)
            #expect(server.metrics.adRequestsHeldBack.value == sessions * most - world.adRequests.count)
        }
    }

    @Test func `media of an ad that cannot be had are not fetched for each session, before the break and in it`()
        async throws
    {
        let world = world()
        world.answer(with: FakeAds.vast("gone"))
        let server = TestServer(world)
        _ = try await watch(server, sessions: 12)
        #expect(requests(world).values.allSatisfy { $0 == 2 })
        // Ten seconds after the first failure once more, for all.
        #expect(world.requests.count { $0.contains("/ads/gone/") } == 2)
    }

    @Test func `an ad that expires before the break begins is not kept until then (Expires)`() async throws {
        for (expires, count) in [(5, 2), (60, 1)] {
            let world = world()
            func answer(_ tag: String) -> String {
                FakeAds.vast("ad10", tag: tag)
                    .replacing("<AdTitle>", with: "<Expires>\(expires)</Expires><AdTitle>")
            }
            world.answer(with: answer("first"), answer("second"))
            let server = TestServer(world)
            let checkers = try await watch(server)
            #expect(world.adRequests.count == count)
            #expect(checkers[0].uris.contains { $0.contains("/ads/ad10/") })
            let told = world.sent.filter { $0.event == "impression" }.map { $0.parameter("tag") }
            #expect(told == [count == 2 ? "second" : "first"])
            #expect(!world.sent.contains { $0.event == "error" })
        }
    }

    @Test func `a pre-roll's ad that has expired since it was asked for ahead is asked for again (Expires)`()
        async throws
    {
        for (expires, count) in [(5, 2), (60, 1)] {
            let world = FakeWorld(startingAt: 65)
            func answer(_ tag: String) -> String {
                FakeAds.vast("ad10", tag: tag)
                    .replacing("<AdTitle>", with: "<Expires>\(expires)</Expires><AdTitle>")
            }
            world.answer(with: answer("first"), answer("second"))
            let server = TestServer(world) {
                $0.channels[0].ads = []
                $0.channels[0].preroll = ["main"]
            }
            _ = try await server.text("/live/news/s0/master.m3u8")
            #expect(world.adRequests.count == 1)
            world.time.advance(by: .seconds(20))
            let checkers = try await watch(server)
            #expect(checkers[0].uris.contains { $0.contains("/ads/ad10/") })
            #expect(world.adRequests.count == count)
            let told = world.sent.filter { $0.event == "impression" }.map { $0.parameter("tag") }
            #expect(told == [count == 2 ? "second" : "first"])
        }
    }
}
