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
        #expect(events.map { $0.string("eventType") } == ["impression", "error"])
        #expect(
            events.flatMap { $0.list("beaconUrls").compactMap(\.string) } == [
                "http://track/seen?side=0", "http://track/error?code=[ERRORCODE]",
            ])
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

    // MARK: Breaks of a VMAP in which nothing is stitched

    private static func vmapBreak(
        _ offset: String, _ types: String, _ vast: String, _ attributes: String = ""
    ) -> String {
        """
        <vmap:AdBreak timeOffset="\(offset)" breakType="\(types)" \(attributes)><vmap:AdSource><vmap:VASTAdData>\(vast)</vmap:VASTAdData></vmap:AdSource>
        <vmap:TrackingEvents><vmap:Tracking event="breakStart">http://track/breakStart?at=\(offset)</vmap:Tracking>
        <vmap:Tracking event="breakEnd">http://track/breakEnd?at=\(offset)</vmap:Tracking></vmap:TrackingEvents></vmap:AdBreak>
        """
    }

    private static func vmap(_ breaks: String...) -> String {
        "<vmap:VMAP xmlns:vmap=\"http://www.iab.net/videosuite/vmap\" version=\"1.0\">\(breaks.joined())</vmap:VMAP>"
    }

    @Test func `nonlinear breaks of a title are told apart, at their own times to the millisecond, and stop nothing`()
        async throws
    {
        let folder = try TemporaryFolder()
        let world = FakeWorld()
        world.answer(
            with: Self.vmap(
                Self.vmapBreak("start", "linear", FakeAds.vast("ad6")),
                Self.vmapBreak("00:00:21.250", "nonlinear", Self.answer),
                Self.vmapBreak("00:00:21.250", "nonlinear,display", Self.answer.replacing("o1", with: "o2")),
                Self.vmapBreak("00:00:30", "linear,nonlinear", FakeAds.vast("ad5")),
                Self.vmapBreak("00:00:40", "display", Self.answer)))
        func begun() throws -> TestServer {
            TestServer.tracked(
                world, store: try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30)))
        }
        let server = try begun()
        let playlist = try await server.text("/vod/film/a/v0.m3u8")
        // Two pods: into and out of each, and none besides.
        #expect(playlist.components(of: "#EXT-X-DISCONTINUITY\n") == 3)
        let answer = try await server.tracking("vod/film/a")
        #expect(answer.avails.map(\.start) == [0, 36])
        let avails = answer.json.list("nonLinearAvails")
        #expect(avails.map { $0.number("startTimeInSeconds") } == [27.25, 27.25])
        // Behind the three segments of the pre-roll the eleventh of the content.
        #expect(avails.map { $0.string("availId") } == ["13", "13"])
        #expect(avails.map { $0.string("duration") } == ["PT0S", "PT0S"])
        #expect(avails.flatMap(overlays).map { $0.string("adId") } == ["o1", "o2"])
        for avail in avails {
            #expect(avail.list("ads").isEmpty)
            let events = avail.list("adBreakTrackingEvents")
            #expect(events.map { $0.string("eventType") } == ["breakStart", "breakEnd"])
            #expect(
                events.first?.list("beaconUrls").compactMap(\.string) == ["http://track/breakStart?at=00:00:21.250"])
        }
        #expect(try await begun().tracking("vod/film/a") == answer)
        await server.beaconsAreSent()
        #expect(world.sent.isEmpty)
    }

    @Test func `they come again where the schedule says, and what is linear in them is refused (R-V3, R-E2)`()
        async throws
    {
        let world = FakeWorld()
        let linear = FakeAds.vast("ad6").replacing("<VAST version=\"4.2\">", with: "").replacing("</VAST>", with: "")
        let mixed = Self.answer.replacing("</VAST>", with: "\(linear)</VAST>").replacing(
            "<Ad id=\"o1\"", with: "<Ad id=\"o1\" sequence=\"2\"")
        world.answer(with: Self.vmap(Self.vmapBreak("00:00:10", "nonlinear", mixed, "repeatAfter=\"00:00:20\"")))
        let server = TestServer.tracked(world)
        let playlist = try await server.text("/vod/film/a/v0.m3u8")
        #expect(!playlist.contains("/ads/"))
        let avails = try await server.tracking("vod/film/a").json.list("nonLinearAvails")
        #expect(avails.map { $0.number("startTimeInSeconds") } == [10, 30, 50])
        await server.beaconsAreSent()
        #expect(world.sent.map { $0.parameter("code") } == ["201", "201", "201"])
    }

    @Test func `where the server reports, nonlinear breaks are not asked for`() async throws {
        let world = FakeWorld()
        let linked = Self.vmapBreak("00:00:10", "nonlinear", "").replacing(
            "<vmap:VASTAdData></vmap:VASTAdData>", with: "<vmap:AdTagURI>http://linked/o</vmap:AdTagURI>")
        world.answer(with: Self.vmap(linked))
        let server = TestServer.tracked(world, by: .server)
        _ = try await server.text("/vod/film/a/v0.m3u8")
        #expect(try await server.tracking("vod/film/a").json.list("nonLinearAvails").isEmpty)
        #expect(world.adRequests.count == 1)
        let client = TestServer.tracked(world)
        _ = try await client.text("/vod/film/a/v0.m3u8")
        #expect(world.adRequests.map(\.url).last == "http://linked/o")
    }

    @Test(arguments: [true, false])
    func `live: a break answered by overlays alone stays content, whatever fills others`(isNonLinear: Bool) async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: Self.vmap(Self.vmapBreak("start", isNonLinear ? "nonlinear" : "linear", Self.answer)))
        let server = TestServer.tracked(world) {
            $0.channels[0].slate = "http://o/ads/ad6/master.m3u8"
            $0.channels[0].fill = .slate
        }
        var answer: TrackingAnswer?
        for _ in 0..<30 {
            #expect(!(try await server.text("/live/news/a/v0.m3u8")).contains("/ads/"))
            let told = try await server.tracking("live/news/a")
            if !told.json.list(isNonLinear ? "nonLinearAvails" : "avails").isEmpty { answer = told }
            world.time.advance(by: .seconds(1))
        }
        let told = try #require(answer)
        #expect(told.json.list(isNonLinear ? "avails" : "nonLinearAvails").isEmpty)
        let avail = try #require(told.json.list(isNonLinear ? "nonLinearAvails" : "avails").first)
        #expect(avail.string("availProgramDateTime") == LiveChannelModel().date(80))
        #expect(overlays(avail).map { $0.string("adId") } == ["o1"])
        #expect(avail.list("adBreakTrackingEvents").map { $0.string("eventType") } == ["breakStart", "breakEnd"])
    }

    @Test func `the trackers of wrappers count for overlays, too, with all that an overlay alone carries (R-W7)`()
        async throws
    {
        let world = FakeWorld()
        let full = Self.overlay.replacing(
            "<Creatives>", with: "<Extensions><Extension type=\"x\"><a/></Extension></Extensions><Creatives>"
        )
        .replacing(
            "</NonLinearAds>",
            with:
                "<TrackingEvents><Tracking event=\"creativeView\">http://track/view</Tracking><Tracking event=\"close\">javascript:no</Tracking></TrackingEvents></NonLinearAds>"
        )
        .replacing(
            "</NonLinearClickThrough>",
            with: "</NonLinearClickThrough><NonLinearClickTracking id=\"k\">http://track/click</NonLinearClickTracking>"
        )
        .replacing(
            "width=\"300\"",
            with:
                "width=\"300\" expandedWidth=\"600\" expandedHeight=\"100\" scalable=\"true\" maintainAspectRatio=\"true\""
        )
        world.answer(
            with: """
                <VAST version="3.0"><Ad id="w"><Wrapper><AdSystem>w</AdSystem><VASTAdTagURI>http://linked/o</VASTAdTagURI><Impression>http://track/outer</Impression>
                <Creatives><Creative><NonLinearAds><TrackingEvents><Tracking event="creativeView">http://track/outerView</Tracking></TrackingEvents>
                <NonLinear><NonLinearClickTracking>http://track/outerClick</NonLinearClickTracking></NonLinear></NonLinearAds></Creative></Creatives></Wrapper></Ad></VAST>
                """)
        world.fail("http://linked/", .body("<VAST version=\"3.0\">\(full)</VAST>"))
        let server = TestServer.tracked(world)
        _ = try await server.text("/vod/film/a/v0.m3u8")
        let avail = try #require(try await server.tracking("vod/film/a").json.list("avails").first)
        let element = try #require(avail.list("nonLinearAdsList").first)
        #expect(avail.list("nonLinearAdsList").count == 1)
        #expect(element.list("extensions").map { $0.string("content") } == ["<a/>"])
        #expect(
            element.list("trackingEvents").map {
                "\($0.string("eventType")) \($0.list("beaconUrls").compactMap(\.string).joined())"
            } == [
                "impression http://track/outer", "impression http://track/seen?side=0",
                "creativeView http://track/outerView", "creativeView http://track/view",
                "error http://track/error?code=[ERRORCODE]",
            ])
        let overlay = try #require(overlays(avail).first)
        #expect(
            overlay.list("clickTrackings").compactMap(\.string) == ["http://track/outerClick", "http://track/click"])
        #expect(overlay.string("expandedWidth") == "600" && overlay.string("expandedHeight") == "100")
        #expect(overlay["scalable"]?.content == .bool(true) && overlay["maintainAspectRatio"]?.content == .bool(true))
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
