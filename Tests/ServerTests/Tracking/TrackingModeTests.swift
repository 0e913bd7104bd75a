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

    @Test(arguments: SourceOptions.Tracking.allCases)
    func `live: breakStart and breakEnd of a VMAP stand around its ads, for whoever reports (R-V5)`(
        mode: SourceOptions.Tracking
    ) async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vmap(("start", ["ad10", "ad6"])))
        let server = TestServer.tracked(world, by: mode)
        var told: TrackingAnswer.Avail?
        for _ in 0..<60 {
            _ = try await server.text("/live/news/a/v0.m3u8")
            told = try await server.tracking("live/news/a").avails.first ?? told
            world.time.advance(by: .seconds(1))
            await server.beaconsAreSent()
        }
        let avail = try #require(told)
        #expect(avail.events.map(\.type) == ["breakStart", "breakEnd"])
        #expect(avail.events.map(\.start) == [avail.start, avail.start + avail.duration])
        let ads = (["impression"] + FakeAds.events) + (["impression"] + FakeAds.events)
        #expect(world.sent.map(\.event) == (mode == .server ? ["breakStart"] + ads + ["breakEnd"] : []))
        guard mode == .relay else { return }
        for event in avail.events + avail.events {
            #expect(try await server.get(try #require(event.urls.first)).status == 204)
        }
        await server.beaconsAreSent()
        #expect(world.sent.map(\.event) == ["breakStart", "breakEnd"])
    }

    @Test(arguments: [SourceOptions.Tracking.client, .relay])
    func `over a DVR window every pod is told while a playlist may show it, with the same names after a restart`(
        mode: SourceOptions.Tracking
    ) async throws {
        let folder = try TemporaryFolder()
        let world = FakeWorld(LiveChannelModel(windowSegments: 120), startingAt: 400)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        func begun() throws -> TestServer {
            TestServer.tracked(
                world, by: mode,
                store: try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30))
            ) { $0.channels[0].pastBreaks = .stitch }
        }
        var server = try begun()
        var names: [String: [String]] = [:]
        for second in 0..<300 {
            let text = try await server.text("/live/news/a/v0.m3u8")
            let avails = try await server.tracking("live/news/a").avails
            // As many pods as the list shows beginnings of first ads.
            let shown = text.split(separator: "\n").count { $0.hasSuffix("/ads/ad10/v0/seg-0.ts") }
            #expect(avails.count >= shown && shown >= 3, "\(second)")
            for avail in avails {
                let own = avail.ads.flatMap {
                    ["\($0.id) \($0.start)"] + $0.events.map { "\($0.id) \($0.type) \($0.start)" }
                }
                if let before = names[avail.id] {
                    #expect(Array(before.prefix(own.count)) == own || own.starts(with: before), "\(second)")
                }
                names[avail.id] = own
            }
            if second % 90 == 60 { server = try begun() }
            world.time.advance(by: .seconds(1))
        }
        #expect(names.count >= 8)
    }
}
