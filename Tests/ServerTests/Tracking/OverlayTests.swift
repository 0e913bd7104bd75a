import HLS
import Testing
import Transport

@testable import Server

/// Ads that are overlays alone: nothing of them can be stitched, and players can show them.
struct OverlayTests {
    private static let overlay = """
        <Ad id="o1"><InLine><AdSystem>fake</AdSystem><AdTitle>Overlay</AdTitle><Error><![CDATA[http://track/error?code=[ERRORCODE]]]></Error>
        <Impression><![CDATA[http://track/seen?side=[SERVERSIDE]]]></Impression>
        <Creatives><Creative><NonLinearAds><NonLinear id="n7" width="300" height="50" minSuggestedDuration="00:00:10"><StaticResource creativeType="image/png"><![CDATA[https://n/o.png]]></StaticResource>
        <NonLinearClickThrough><![CDATA[http://shop/]]></NonLinearClickThrough></NonLinear></NonLinearAds></Creative></Creatives></InLine></Ad>
        """
    private static let answer = "<VAST version=\"4.2\">\(overlay)</VAST>"

    private func overlays(_ avail: JSON5Value) -> [JSON5Value] {
        avail.list("nonLinearAdsList").flatMap { $0.list("nonLinearAdList") }
    }

    @Test func `a live break with nothing but an overlay is content, and told as the point where it begins`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: Self.answer)
        let server = TestServer.tracked(world)
        var numbers: [String: Int64] = [:]
        var first: Int64?
        var told: [JSON5Value] = []
        for _ in 0..<30 {
            let playlist = try MediaPlaylist(parsing: Array(await server.text("/live/news/a/v0.m3u8").utf8))
            for segment in playlist.segments { numbers[playlist.text(segment.uri)] = segment.number }
            first = first ?? playlist.mediaSequence
            told += try await server.tracking("live/news/a").json.list("avails")
            world.time.advance(by: .seconds(1))
        }
        await server.beaconsAreSent()
        let avail = try #require(told.last)
        let number = try #require(numbers["http://o/live/v0/seg-40.ts"])
        #expect(avail.string("availId") == "\(number)")
        #expect(avail.string("duration") == "PT0S")
        #expect(avail.number("startTimeInSeconds") == Double(number - (try #require(first))) * 2)
        #expect(avail.string("availProgramDateTime") == LiveChannelModel().date(80))
        #expect(avail.list("ads").isEmpty)
        #expect(overlays(avail).map { $0.string("creativeId") } == ["n7"])
        #expect(overlays(avail).map { $0.string("staticResource") } == ["https://n/o.png"])
        #expect(overlays(avail).map { $0.string("minSuggestedDuration") } == ["PT10S"])
        let events = avail.list("nonLinearAdsList").flatMap { $0.list("trackingEvents") }
        #expect(events.map { $0.string("eventType") } == ["impression"])
        #expect(events.flatMap { $0.list("beaconUrls").compactMap(\.string) } == ["http://track/seen?side=0"])
        #expect(Set(told.map { $0.formatted() }).count == 1)
        // It was not refused.
        #expect(world.sent.isEmpty)
    }

    @Test func `beside linear ads it is told with their break`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.vast("ad6").replacing("</VAST>", with: "\(Self.overlay)</VAST>"))
        let server = TestServer.tracked(world)
        _ = try await server.text("/vod/film/a/v0.m3u8")
        let answer = try await server.tracking("vod/film/a")
        #expect(answer.avails.map { $0.ads.map(\.vastID) } == [["ad6-0"]])
        #expect(answer.avails.map(\.duration) == [6])
        // The ad that stands alone is there in case one of the pod fails.
        #expect(answer.json.list("avails").flatMap(overlays).isEmpty)
        world.answer(with: "<VAST version=\"4.2\">\(Self.overlay)\(Self.overlay.replacing("o1", with: "o2"))</VAST>")
        _ = try await server.text("/vod/film/b/v0.m3u8")
        let both = try await server.tracking("vod/film/b")
        #expect(both.json.list("avails").flatMap(overlays).map { $0.string("adId") } == ["o1", "o2"])
    }

    @Test func `in a title it is told at its place in the stream, by every server`() async throws {
        let folder = try TemporaryFolder()
        let world = FakeWorld()
        world.fail("http://linked/", .body(Self.answer))
        world.answer(
            with: FakeAds.vmap(("start", ["ad6"]), ("00:00:20", ["http://linked/a"]), ("end", ["http://linked/b"])))
        func begun() throws -> TestServer {
            TestServer.tracked(
                world, store: try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30)))
        }
        let server = try begun()
        _ = try await server.text("/vod/film/a/v0.m3u8")
        let answer = try await server.tracking("vod/film/a")
        #expect(answer.avails.map(\.start) == [0, 26, 66])
        #expect(answer.avails.map(\.id) == ["0", "13", "33"])
        #expect(answer.avails.map(\.duration) == [6, 0, 0])
        #expect(try await begun().tracking("vod/film/a") == answer)
    }

    @Test func `where the server reports, it is refused as before (R-E2)`() async throws {
        let world = FakeWorld()
        world.answer(with: Self.answer)
        let server = TestServer.tracked(world, by: .server)
        _ = try await server.text("/vod/film/a/v0.m3u8")
        await server.beaconsAreSent()
        #expect(world.sent.map { $0.parameter("code") } == ["201"])
        #expect(try await server.tracking("vod/film/a").avails.isEmpty)
    }
}
