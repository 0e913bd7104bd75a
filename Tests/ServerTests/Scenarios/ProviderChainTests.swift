import Testing
import Transport

@testable import Server

/// Several ad providers of one source: the next is asked for what those before it leave.
struct ProviderChainTests {
    /// The break lasts 20 s. The first server is at `a`, the second at `b`.
    private func server(
        _ world: FakeWorld, _ change: @escaping (inout Configuration) -> Void = { _ in }
    ) -> TestServer {
        TestServer(world) {
            $0.channels[0].ads = ["main", "second"]
            $0.titles[0].ads = ["main", "second"]
            var second = VASTProviderOptions(url: "http://b/second?dur=[session.avail_duration_secs]&cb=[CACHEBUSTING]")
            second.requestTimeout = .seconds(1)
            $0.adProviders["second"] = .vast(second)
            change(&$0)
        }
    }

    private func uris(_ world: FakeWorld, _ server: TestServer, seconds: Int = 45) async throws -> [String] {
        var checker = ReloadChecker()
        for _ in 0..<seconds {
            try checker.read(await server.text("/live/news/a/v0.m3u8"))
            world.time.advance(by: .seconds(1))
        }
        await server.beaconsAreSent()
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        return checker.uris
    }

    /// The ads in a list of addresses, each once.
    private func ads(_ uris: [String]) -> [String] {
        uris.reduce(into: []) { found, uri in
            let parts = uri.split(separator: "/")
            guard parts.count > 3, parts[2] == "ads", found.last != String(parts[3]) else { return }
            found.append(String(parts[3]))
        }
    }

    @Test
    func `what the first one leaves the second is asked for, with what is left as its length, and its ads come after`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", tag: "one"))
        world.fail("http://b/", .body(FakeAds.vast("ad6", tag: "two")))
        let server = server(world)
        #expect(ads(try await uris(world, server)) == ["ad10", "ad6"])
        #expect(world.adRequests.count == 2)
        #expect(world.adRequests[0].url.contains("dur=20&") && world.adRequests[1].url.contains("dur=10&"))
        // Both report, each once, the first one's first.
        #expect(
            world.sent.filter { $0.event == "impression" }.map { $0.parameter("tag") } == ["one", "two"])
        #expect(world.sent.filter { $0.event == "complete" }.count == 2)
        #expect(!world.sent.contains { $0.event == "error" })
    }

    @Test(arguments: ["off", "500", "timeout", "no ad", "garbage", "gone"])
    func `where the first one fails or has nothing that can be shown the second is asked for all`(name: String)
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("gone", tag: "one"))
        switch name {
        case "off": world.fail("http://a/", .refused)
        case "500": world.fail("http://a/", .status(500))
        case "timeout": world.fail("http://a/", .timeout)
        case "no ad":
            world.fail(
                "http://a/", .body("<VAST version=\"3.0\"><Error>http://track/error?code=[ERRORCODE]</Error></VAST>"))
        case "garbage": world.fail("http://a/", .body("hello"))
        default: break
        }
        world.fail("http://b/", .body(FakeAds.vast("ad20", tag: "two")))
        let server = server(world)
        #expect(ads(try await uris(world, server)) == ["ad20"])
        #expect(world.adRequests.map { $0.url.contains("dur=20&") } == [true, true])
        let codes = world.sent.filter { $0.event == "error" }.map { $0.parameter("code") }
        #expect(codes == (name == "no ad" ? ["303"] : name == "gone" ? ["401"] : []))
    }

    @Test func `nobody is asked where too little is left, and nothing is asked of the second before`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        world.fail("http://b/", .body(FakeAds.vast("ad5")))
        #expect(ads(try await uris(world, server(world))) == ["ad10", "ad6"])
        #expect(world.adRequests.count == 1)
        let other = FakeWorld(startingAt: 70)
        other.answer(with: FakeAds.vast("ad10", "ad5"))
        other.fail("http://b/", .body(FakeAds.vast("ad5")))
        #expect(ads(try await uris(other, server(other))) == ["ad10", "ad5"])
        #expect(other.adRequests.count == 2)
    }

    @Test func `an ad of the first that does not fit is told so, and the second fills its place`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad20", "ad6", tag: "one"))
        world.fail("http://b/", .body(FakeAds.vast("ad6", "ad20", tag: "two")))
        #expect(ads(try await uris(world, server(world))) == ["ad10", "ad6"])
        let told = world.sent.filter { $0.event == "error" }
        #expect(
            told.map { "\($0.parameter("tag") ?? "") \($0.parameter("ad") ?? "") \($0.parameter("code") ?? "")" }
                == ["one 1 206", "one 2 206", "two 1 206"])
        #expect(world.sent.filter { $0.event == "impression" }.map { $0.parameter("tag") } == ["one", "two"])
    }

    @Test func `a second one that does not answer costs nothing of what the first one has`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        world.fail("http://b/", .gate(SharedWork<Void>()))
        let server = server(world)
        _ = try await server.text("/live/news/a/v0.m3u8")
        world.time.advance(by: .seconds(12))
        async let held = server.text("/live/news/a/v0.m3u8")
        while world.adRequests.count < 2 { await Task.yield() }
        await world.time.waitForSleepers(2)
        world.time.advance(by: .milliseconds(300))
        _ = try await held
        world.time.advance(by: .milliseconds(400))
        while !server.output.lines.contains(where: { $0.contains("break.ads") }) { await Task.yield() }
        #expect(try await server.text("/live/news/a/v0.m3u8").contains("/ads/ad10/"))
    }

    @Test func `house ads of the configuration fill what is left, each break another one first, on private hosts too`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", tag: "one"))
        let server = server(world) {
            $0.channels[0].ads = ["main", "house"]
            $0.adProviders["house"] = .schedule(
                ListedAdsOptions(ads: [
                    .init(
                        id: "h6", url: "http://o/ads/ad6/master.m3u8", impressions: ["http://track/impression?tag=h6"]),
                    .init(
                        id: "h20", url: "http://o/ads/ad20/master.m3u8",
                        impressions: ["http://track/impression?tag=h20"]),
                    .init(
                        id: "h5", url: "http://o/ads/ad5/master.m3u8", impressions: ["http://track/impression?tag=h5"]),
                ]))
        }
        let found = ads(try await uris(world, server, seconds: 170))
        // Of 10 s that are left one of 6 s or of 5 s; never the one of 20 s, which others behind it take the place of.
        #expect(found.count == 6 && found.indices.allSatisfy { $0 % 2 == 1 || found[$0] == "ad10" }, "\(found)")
        #expect(Set(found) == ["ad10", "ad6", "ad5"], "\(found)")
        #expect(!world.sent.contains { $0.event == "error" })
        #expect(world.sent.filter { $0.parameter("tag") != "one" && $0.event == "impression" }.count == 3)
    }

    @Test func `trackers of the break in the second one's answer are called too, and hear of its errors`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", tag: "one"))
        world.fail("http://b/", .body(FakeAds.vmap(("start", ["ad6"]))))
        #expect(ads(try await uris(world, server(world))) == ["ad10", "ad6"])
        #expect(world.sent.filter { $0.event.hasPrefix("break") }.map(\.event) == ["breakStart", "breakEnd"])
        let other = FakeWorld(startingAt: 70)
        other.answer(with: FakeAds.vast("ad10", tag: "one"))
        other.fail("http://b/", .body(FakeAds.vmap(("start", ["http://c/linked"]))))
        other.fail("http://c/", .status(500))
        #expect(ads(try await uris(other, server(other))) == ["ad10"])
        let errors = other.sent.filter { $0.url.hasPrefix("http://track/breakError") }
        #expect(errors.map { $0.parameter("code") } == ["1008"])
    }

    @Test func `a second one that has overlays alone does not cost the ads of the first`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", tag: "one"))
        let overlays = FakeAds.vmap(("start", ["ad6"])).replacing("\"linear\"", with: "\"nonlinear\"")
        world.fail("http://b/", .body(overlays))
        #expect(ads(try await uris(world, server(world))) == ["ad10"])
    }

    @Test
    func
        `a title whose first server has no ads has those of the second; a pod that is inserted leaves nothing to be asked for`()
        async throws
    {
        let world = FakeWorld()
        world.answer(with: FakeAds.vast("ad10"))
        world.fail("http://b/", .body(FakeAds.vmap(("start", ["ad6"]), ("50%", ["ad20"]))))
        _ = try await server(world).text("/vod/film/a/v0.m3u8")
        #expect(world.adRequests.count == 1)
        world.fail("http://a/", .status(500))
        let server = server(world)
        let text = try await server.text("/vod/film/b/v0.m3u8")
        #expect(text.matches(of: /ad\/[^\n]*/).count == 3 + 10)
        #expect(world.adRequests.count == 3)
    }

    @Test func `the error trackers of one without ads for a title are called once, whatever breaks the next one names`()
        async throws
    {
        let world = FakeWorld()
        let nothing = "<VAST version=\"3.0\"><Error>http://track/error?code=[ERRORCODE]</Error></VAST>"
        world.fail("http://a/", .body(nothing))
        world.fail("http://b/", .body(FakeAds.vmap(("start", ["ad6"]), ("50%", ["ad20"]))))
        let server = server(world)
        let text = try await server.text("/vod/film/a/v0.m3u8")
        #expect(text.matches(of: /ad\/[^\n]*/).count == 3 + 10)
        await server.beaconsAreSent()
        #expect(world.sent.filter { $0.event == "error" }.map { $0.parameter("code") } == ["303"])
    }
}
