import Testing
import Transport

@testable import Server

/// Beacons over the end of a process: none that was due is lost (DESIGN: state), none is sent twice.
struct BeaconRestartTests {
    private static let all = ["impression"] + FakeAds.events

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func begun(_ world: FakeWorld, redirects: Bool = false) throws -> TestServer {
        TestServer(
            world, store: try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30))
        ) { $0.channels[0].segmentRedirect = redirects }
    }

    @Test(arguments: 1...25)
    func `a server that is killed in a break and begun anew tells each event once, in order`(second: Int) async throws {
        let world = FakeWorld(startingAt: 78)
        world.answer(with: FakeAds.vast("ad10", "ad10"))
        var server = try begun(world)
        for now in 0..<50 {
            if now == second { server = try begun(world) }
            _ = try await server.text("/live/news/a/v0.m3u8")
            await server.beaconsAreSent()
            world.time.advance(by: .seconds(1))
        }
        #expect(world.sent.map(\.event) == Self.all + Self.all)
    }

    @Test func `what could not be sent when a server was killed is sent by the next one, with what it said`()
        async throws
    {
        let world = FakeWorld(startingAt: 78)
        world.answer(with: FakeAds.vast("ad10"))
        let gate = SharedWork<Void>()
        world.fail("http://track/", .gate(gate))
        do {
            let server = try begun(world)
            for _ in 0..<12 {
                _ = try await server.text("/live/news/a/v0.m3u8")
                world.time.advance(by: .seconds(1))
            }
            // Kept, and not sent.
            while server.wiring.outbox.count < 3 { await Task.yield() }
            for _ in 0..<2_000 { await Task.yield() }
        }
        #expect(world.sent.isEmpty)
        world.fail("http://track/", nil)
        let next = try begun(world)
        world.time.advance(by: .seconds(20))
        while world.sent.count < 3 {
            await next.wiring.outbox.attend { _ in CookieJar() }
            await next.beaconsAreSent()
        }
        #expect(world.sent.map(\.event) == ["impression", "start", "firstQuartile"])
        #expect(world.sent.last?.parameter("t") == "00%3A00%3A02.500")
        #expect(next.metrics.beaconsAdopted.value == 3)
    }

    @Test func `an ad of a title that was asked for to its end is told to its end by the next server`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.vmap(("start", ["ad10"])))
        let server = try begun(world)
        let text = try await server.text("/vod/film/a/v0.m3u8")
        for segment in text.split(separator: "\n") where segment.hasPrefix("ad/") {
            #expect(try await server.get("/vod/film/a/\(segment)").status == 302)
        }
        await server.wiring.outbox.becomesIdle()
        #expect(world.sent.map(\.event) == ["breakStart", "impression", "start"])
        // Of the first one nothing is heard any more.
        world.fail("http://track/", .gate(SharedWork<Void>()))
        let next = try begun(world)
        while server.wiring.outbox.isTicking {
            world.time.advance(by: .seconds(1))
            await Task.yield()
        }
        for _ in 0..<2_000 { await Task.yield() }
        world.time.advance(by: .seconds(20))
        world.fail("http://track/", nil)
        while world.sent.count < 8 {
            await next.wiring.outbox.attend { _ in CookieJar() }
            await next.beaconsAreSent()
        }
        #expect(world.sent.map(\.event) == ["breakStart"] + Self.all + ["breakEnd"])
    }

    @Test func `a session that this server had to forget is not reported twice`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", tag: "a"), FakeAds.vast("ad10", tag: "b"))
        let server = TestServer(
            world, store: try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30))
        ) { $0.server.maxSessions = 1 }
        for second in 0..<40 {
            _ = try await server.text("/live/news/a/v0.m3u8")
            if second % 5 == 3 { _ = try await server.text("/live/news/b\(second)/v0.m3u8") }
            await server.beaconsAreSent()
            world.time.advance(by: .seconds(1))
        }
        #expect(world.sent.filter { $0.parameter("tag") == "a" }.map(\.event) == Self.all)
    }
}
