import Testing
import Transport

@testable import Server

/// Never two modes at once for one event (R-K6).
struct TrackingModeTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        var begun: SourceOptions.Tracking
        var then: SourceOptions.Tracking
        var testDescription: String { "\(begun.rawValue), then \(then.rawValue)" }
    }

    private static let pairs = SourceOptions.Tracking.allCases.flatMap { begun in
        SourceOptions.Tracking.allCases.filter { $0 != begun }.map { Pair(begun: begun, then: $0) }
    }

    /// A player that does what the tracking answer asks of it, once for each event: calls what is not the server's own.
    private final class Player {
        private var reported: Set<String> = []
        private(set) var called: [String] = []

        func report(_ answer: TrackingAnswer, to server: TestServer, at time: Double) async throws {
            for event in answer.avails.flatMap({ $0.ads.flatMap(\.events) })
            where FakeAds.events.contains(event.type) || event.type == "impression" {
                guard event.start <= time, reported.insert("\(event.id) \(event.type) \(event.start)").inserted else {
                    continue
                }
                for url in event.urls {
                    if url.hasPrefix("/") {
                        #expect(try await server.get(url).status == 204)
                    } else {
                        called.append(url)
                    }
                }
            }
        }
    }

    @Test(arguments: pairs)
    func `a session keeps the mode it began with, also on a server that is set otherwise`(pair: Pair) async throws {
        let folder = try TemporaryFolder()
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        func begun(_ mode: SourceOptions.Tracking) throws -> TestServer {
            TestServer.tracked(
                world, by: mode,
                store: try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30)))
        }
        var server = try begun(pair.begun)
        let player = Player()
        for second in 0..<70 {
            // In the middle of the first ad, once more between the ads' ends.
            if second == 22 || second == 30 { server = try begun(pair.then) }
            _ = try await server.text("/live/news/a/v0.m3u8")
            // It plays six seconds behind what is listed.
            try await player.report(try await server.tracking("live/news/a"), to: server, at: Double(second) + 14)
            world.time.advance(by: .seconds(1))
            await server.beaconsAreSent()
        }
        let expected = [0, 1].flatMap { ad in (["impression"] + FakeAds.events).map { "\($0) \(ad)" } }
        let sent = world.sent.map { "\($0.event) \($0.parameter("ad") ?? "")" }
        let called = player.called.map { url in
            "\(url.split(separator: "/").last?.prefix { $0 != "?" } ?? "") \(url.contains("ad=1") ? 1 : 0)"
        }
        #expect((sent + called).sorted() == expected.sorted())
        #expect(called.isEmpty == (pair.begun != .client))
        #expect(sent.isEmpty == (pair.begun == .client))
    }

    @Test(arguments: pairs)
    func `what belongs to another mode is refused: no address to call, none to report to`(pair: Pair) async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.vast("ad6"))
        let (one, other) = (TestServer.tracked(world, by: pair.begun), TestServer.tracked(world, by: pair.then))
        for server in [one, other] { _ = try await server.text("/vod/film/a/v0.m3u8") }
        let urls = try await one.tracking("vod/film/a").urls
        switch pair.begun {
        case .server: #expect(urls.isEmpty)
        case .client: #expect(urls.allSatisfy { $0.hasPrefix("http://track/") } && urls.count == 7)
        case .relay: #expect(urls.allSatisfy { $0.hasPrefix("/v1/beacon/") } && urls.count == 7)
        }
        // The other server takes no reports, but by relay.
        for event in 0..<6 {
            let status = try await other.get("/v1/beacon/vod/film/a/preroll/0/\(event)").status
            #expect(status == (pair.then == .relay ? 204 : 404))
        }
        // A segment that is asked for through the server tells of nothing where the player tells.
        _ = try await other.get("/vod/film/a/ad/preroll/0/0/v0.ts")
        _ = try await other.get("/vod/film/a/ad/preroll/0/2/v0.ts")
        world.time.advance(by: .seconds(30))
        await other.beaconsAreSent()
        #expect(world.sent.count == (pair.then == .client ? 0 : 6) || pair.then == .server)
        #expect(Set(world.sent.map(\.event)).count == world.sent.count)
    }

    @Test(arguments: SourceOptions.Tracking.allCases)
    func `that no script measures, and nobody knows of view, is told by who is alone with it, once (R-C6)`(
        mode: SourceOptions.Tracking
    ) async throws {
        let world = FakeWorld()
        world.answer(
            with: FakeAds.interactive.replacing(
                "<Extensions>",
                with:
                    "<ViewableImpression><Viewable>http://track/viewable</Viewable><ViewUndetermined>http://track/undetermined</ViewUndetermined></ViewableImpression><Extensions>"
            ))
        let server = TestServer.tracked(world, by: mode)
        let playlist = try await server.text("/vod/film/a/v0.m3u8")
        if mode == .server {
            for line in playlist.split(separator: "\n") where line.hasPrefix("ad/") {
                for _ in 0..<2 { _ = try await server.get("/vod/film/a/\(line)") }
            }
        }
        for _ in 0..<10 {
            world.time.advance(by: .seconds(1))
            await server.beaconsAreSent()
        }
        let told = world.sent.filter { $0.event == "verificationNotExecuted" || $0.event == "viewUndetermined" }
        #expect(told.map(\.url) == (mode == .server ? ["http://track/not?r=2", "http://track/undetermined"] : []))
        let ad = try #require(try await server.tracking("vod/film/a").avails.first?.ads.first)
        #expect(ad.events.contains { $0.type == "verificationNotExecuted" } == (mode == .server))
        #expect((ad.event("viewable") != nil) == (mode != .server))
    }
}
