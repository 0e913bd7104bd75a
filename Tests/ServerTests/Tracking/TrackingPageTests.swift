import Testing
import Transport

@testable import Server

/// How a player goes through the breaks of its stream with `nextToken`.
struct TrackingPageTests {
    /// Follows the tokens until nothing new is told; the starts of what was told, page by page.
    private func pages(_ server: TestServer, _ session: String) async throws -> [[String]] {
        var pages: [[String]] = []
        var token: String?
        for _ in 0..<20 {
            let answer = try await server.tracking(session, token.map { "?nextToken=\($0)" } ?? "")
            let told = answer.json.list("avails") + answer.json.list("nonLinearAvails")
            guard !told.isEmpty else { break }
            pages.append(
                told.map {
                    "\($0.number("startTimeInSeconds")) \($0.list("nonLinearAdsList").flatMap { $0.list("nonLinearAdList") }.map { $0.string("adId") })"
                })
            token = answer.nextToken
        }
        return pages
    }

    @Test func `several breaks that begin with one segment are each told once, also where a page ends between them`()
        async throws
    {
        let overlay = { (id: Int) in
            """
            <VAST><Ad id="o\(id)"><InLine><AdSystem>a</AdSystem><AdTitle>t</AdTitle><Creatives><Creative><NonLinearAds><NonLinear id="n"><StaticResource creativeType="image/png">http://n/o.png</StaticResource></NonLinear></NonLinearAds></Creative></Creatives></InLine></Ad></VAST>
            """
        }
        let breaks = (0..<240).map { place in
            // Five of each place.
            "<AdBreak timeOffset=\"00:00:\(10 + place / 5).500\" breakType=\"nonlinear\"><AdSource><VASTAdData>\(overlay(place))</VASTAdData></AdSource></AdBreak>"
        }
        let world = FakeWorld()
        world.answer(with: "<VMAP version=\"1.0\">\(breaks.joined())</VMAP>")
        let server = TestServer.tracked(world) { $0.titles[0].decisionBudget = .seconds(60) }
        _ = try await server.text("/vod/film/a/v0.m3u8")
        let pages = try await pages(server, "vod/film/a")
        #expect(pages.map(\.count) == [100, 100, 40])
        #expect(pages.flatMap(\.self) == (0..<240).map { "\(Double(10 + $0 / 5) + 0.5) [\"o\($0)\"]" })
    }

    @Test func `while the window slides no break is lost, and none is told again that can no longer change`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        let server = TestServer.tracked(world)
        var token: String?
        var told: [String] = []
        var settled: Set<String> = []
        for second in 0..<400 {
            _ = try await server.text("/live/news/a/v0.m3u8")
            // It looks seldom: a break comes and goes in between.
            if second % 17 == 16 {
                let answer = try await server.tracking("live/news/a", token.map { "?nextToken=\($0)" } ?? "")
                for avail in answer.avails {
                    #expect(!settled.contains(avail.id), "\(avail.id) at \(second)")
                    if !told.contains(avail.id) { told.append(avail.id) }
                }
                if let next = answer.nextToken, next != token {
                    settled.formUnion(answer.avails.map(\.id).filter { $0 == next.split(separator: "_")[1] })
                    token = next
                }
            }
            world.time.advance(by: .seconds(1))
        }
        // A break a minute, from second 80 to second 470.
        #expect(told.count == 7)
        #expect(settled.count == 7)
    }

    @Test func `no token leads past a break that may still come before one that is told`() async throws {
        let world = FakeWorld()
        let overlay =
            "<Ad id=\"o\"><InLine><Creatives><Creative><NonLinearAds><NonLinear/></NonLinearAds></Creative></Creatives></InLine></Ad>"
        world.answer(
            with: FakeAds.vmap(("00:00:10", ["http://slow/a"])).replacing(
                "</vmap:VMAP>",
                with:
                    "<AdBreak timeOffset=\"00:00:30\" breakType=\"nonlinear\"><AdSource><VASTAdData><VAST>\(overlay)</VAST></VASTAdData></AdSource></AdBreak></vmap:VMAP>"
            ))
        let gate = SharedWork<Void>()
        world.fail("http://slow/", .gate(gate))
        let server = TestServer.tracked(world)
        async let master = server.text("/vod/film/a/master.m3u8")
        var early: TrackingAnswer?
        while early?.json.list("nonLinearAvails").isEmpty ?? true {
            let response = try await server.get("/v1/tracking/vod/film/a")
            if response.status == 200 { early = try TrackingAnswer(String(decoding: response.body, as: UTF8.self)) }
            await Task.yield()
        }
        #expect(early?.avails.isEmpty == true)
        #expect(early?.nextToken == nil)
        world.fail("http://slow/", .body(FakeAds.vast("ad6")))
        gate.finish(with: ())
        _ = try await master
        _ = try await server.text("/vod/film/a/v0.m3u8")
        let answer = try await server.tracking("vod/film/a")
        #expect(answer.avails.map(\.start) == [10])
        #expect(answer.json.list("nonLinearAvails").map { $0.number("startTimeInSeconds") } == [36])
        #expect(answer.nextToken != nil)
    }

    @Test func `a token that was not given out for the session is refused, with a reason`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.vast("ad6"))
        let server = TestServer.tracked(world)
        for id in ["a", "b"] { _ = try await server.text("/vod/film/\(id)/v0.m3u8") }
        let own = try #require(try await server.tracking("vod/film/a").nextToken)
        let foreign = try #require(try await server.tracking("vod/film/b").nextToken)
        #expect(own != foreign)
        #expect(try await server.tracking("vod/film/a", "?nextToken=\(own)").avails.isEmpty)
        func refused(_ method: HTTPMethod, _ query: String, _ body: String = "") async throws -> Bool {
            let request = try #require(
                HTTPRequest(
                    method: method, target: "/v1/tracking/vod/film/a\(query)", headers: [], body: Array(body.utf8)))
            let response = await server.handler.respond(to: request)
            let error = try JSON5Parser.parse(response.body)["error"]
            return response.status == 400 && error?.string("code") == "bad_token"
                && response.headers.contains { $0 == ("Content-Type", "application/json") }
        }
        for token in [foreign, "nonsense", "0", "\(own)0", "-\(own)", "____", String(repeating: "a", count: 2_000)] {
            #expect(try await refused(.get, "?nextToken=\(token)"), "\(token)")
            #expect(try await refused(.post, "", "{\"NextToken\":\"\(token)\"}"), "\(token)")
        }
        #expect(try await refused(.post, "", "{\"NextToken\":5}"))
        // None at all is no fault.
        for body in ["", "{}", "{\"NextToken\":null}", "{\"NextToken\":\"\"}", "no JSON"] {
            #expect(!(try await refused(.post, "?nextToken=", body)), "\(body)")
        }
    }

    @Test func `a break's name may hold anything: its token comes back whole`() {
        let id = StreamID("a")
        guard let id else { return }
        let key = SessionKey(source: SourceID(kind: .vod, name: "film"), streamID: id)
        for name in ["", "b_/7 é\"", "-"] {
            for number in [Int64.min, -1, 0, .max] {
                var token = TrackingToken(
                    session: key.publicName, number: number, start: .milliseconds(number % 9), breakID: name)
                #expect(TrackingToken(token.text) == token)
                token.breakID += "x"
                #expect(TrackingToken(token.text) == token)
                #expect(
                    token.text.utf8.allSatisfy {
                        $0 == 0x2D || $0 == 0x5F || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
                    })
            }
        }
    }
}
