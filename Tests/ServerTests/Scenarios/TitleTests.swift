import Testing
import Transport

@testable import Server

/// VOD titles: breaks decided once per session, the same in all renditions and reloads (rule 905).
struct TitleTests {
    /// Content and breaks in the order of a playlist.
    private func runs(_ playlist: String) -> [String] {
        var runs: [String] = []
        for line in playlist.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "/")
            let name = parts.first == "ad" ? "\(parts[1])/\(parts[2])" : "content"
            if runs.last != name { runs.append(name) }
        }
        return runs
    }

    @Test func `VAST without any cue in the content is a pre-roll`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        let server = TestServer(world)
        let text = try await server.text("/vod/film/a/v0.m3u8")
        #expect(runs(text) == ["preroll/0", "preroll/1", "content"])
        #expect(text.hasSuffix("#EXT-X-ENDLIST\n"))
        #expect(try await server.text("/vod/film/a/v0.m3u8") == text)
        #expect(runs(try await server.text("/vod/film/a/v1.m3u8")) == runs(text))
        #expect(world.adRequests.count == 1)
    }

    @Test func `VMAP puts breaks at its offsets: start, time, percentage, end (R-V2)`() async throws {
        let world = FakeWorld()
        world.title(seconds: 60)
        world.answer(
            with: FakeAds.vmap(
                ("start", ["ad6"]), ("00:00:20.000", ["ad10", "ad6"]), ("50%", ["ad6"]), ("end", ["ad5"]),
                ("99:00:00", ["ad6"]), ("nonsense", ["ad6"])))
        let server = TestServer(world)
        let text = try await server.text("/vod/film/a/v0.m3u8")
        #expect(
            runs(text) == [
                "vmap-0000-0000/0", "content", "vmap-0001-0000/0", "vmap-0001-0000/1", "content", "vmap-0002-0000/0",
                "content", "vmap-0003-0000/0",
            ])
    }

    @Test
    func
        `two breaks at one place play one behind the other; of start and end alone both play; an empty offset costs itself alone (V09, V12, V14)`()
        async throws
    {
        let world = FakeWorld()
        world.answer(
            with: FakeAds.vmap(
                ("00:00:20", ["ad6"]), ("", ["ad10"]), ("00:00:20.000", ["ad5"]), ("00:00:30.500", ["ad10"])),
            FakeAds.vmap(("start", ["ad6"]), ("end", ["ad5"])))
        let server = TestServer(world)
        let text = try await server.text("/vod/film/a/v0.m3u8")
        #expect(
            runs(text) == [
                "content", "vmap-0000-0000/0", "vmap-0002-0000/0", "content", "vmap-0003-0000/0", "content",
            ])
        // Half a second behind a boundary (V11) is nearer to that one than to the next.
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let place = try #require(lines.firstIndex { $0.contains("vmap-0003") })
        #expect(lines[place - 1].hasSuffix("/seg-14.ts"))
        #expect(
            runs(try await server.text("/vod/film/b/v0.m3u8")) == ["vmap-0000-0000/0", "content", "vmap-0001-0000/0"])
    }

    @Test func `a break of a VMAP that links to its ads fails alone, and says so (R-V4, R-V5)`() async throws {
        let world = FakeWorld()
        world.fail("http://gone/", .status(404))
        world.answer(
            with: FakeAds.vmap(("start", ["http://gone/vast"]), ("00:00:20", ["http://linked/vast"])),
            FakeAds.vast("ad6"))
        let server = TestServer(world)
        let text = try await server.text("/vod/film/a/v0.m3u8")
        #expect(runs(text) == ["content", "vmap-0001-0000/0", "content"])
        await server.beaconsAreSent()
        let errors = world.sent.filter { $0.url.contains("breakError") }
        #expect(errors.map { $0.parameter("code") } == ["1008"])
        #expect(errors.first?.parameter("tag") == "b0")
        #expect(world.adRequests.count == 3)
    }

    @Test func `cues in the content: a pair with a length replaces, one of length 0 inserts`() async throws {
        let world = FakeWorld()
        world.title(
            seconds: 60,
            cues: [10: "#EXT-X-CUE-OUT:10", 20: "#EXT-X-CUE-IN", 40: "#EXT-X-CUE-OUT:0\n#EXT-X-CUE-IN"])
        world.answer(with: FakeAds.vast("ad10"))
        let server = TestServer(world)
        let text = try await server.text("/vod/film/a/v0.m3u8")
        #expect(runs(text).count == 5)
        #expect(!text.contains("seg-5.ts\n#EXTINF:2.000,\nhttp://o/vod/v0/seg-6"))
        let segments = text.split(separator: "\n").count { $0.hasPrefix("http://o/vod/") }
        #expect(segments == 25)
        #expect(world.adRequests.count == 2)
    }

    @Test func `a title with very many breaks needs one request where a VMAP has all ads`() async throws {
        let world = FakeWorld()
        world.title(seconds: 20_000)
        let breaks = (1...1_000).map { index in
            let seconds = index * 20 - 10
            return (Self.clock(seconds), ["ad5"])
        }
        world.answer(with: FakeAds.vmap(breaks))
        let server = TestServer(world) {
            $0.titles[0].adRequestLimit = 1
            $0.titles[0].decisionDeadline = .seconds(60)
            $0.titles[0].decisionBudget = .seconds(60)
        }
        let text = try await server.text("/vod/film/a/v0.m3u8")
        #expect(runs(text).count == 2_001)
        #expect(world.adRequests.count == 1)
        #expect(world.requests.count { $0.contains("/ads/") } == 3)
        #expect(try await server.text("/vod/film/a/v0.m3u8") == text)
    }

    private static func clock(_ seconds: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(seconds / 3_600)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }

    @Test
    func `cues that are answered one by one are asked for up to a limit; the rest is content, and the log says so`()
        async throws
    {
        let world = FakeWorld()
        let cues = (1...30).map { ($0 * 20, "#EXT-X-CUE-OUT:0\n#EXT-X-CUE-IN") }
        world.title(seconds: 700, cues: Dictionary(uniqueKeysWithValues: cues))
        world.answer(with: FakeAds.vast("ad5"))
        let server = TestServer(world) {
            $0.titles[0].adRequestLimit = 10
            $0.titles[0].decisionBudget = .seconds(60)
        }
        let text = try await server.text("/vod/film/a/v0.m3u8")
        #expect(world.adRequests.count == 10)
        #expect(runs(text).count == 21)
        #expect(server.output.lines.count { $0.contains("more than adRequestLimit (10) requests") } == 20)
    }

    @Test func `linked breaks of a VMAP are asked for up to a limit`() async throws {
        let world = FakeWorld()
        world.title(seconds: 200)
        let breaks = (1...9).map { (Self.clock($0 * 20), ["http://linked/vast"]) }
        world.answer(with: FakeAds.vmap(breaks), FakeAds.vast("ad5"))
        let server = TestServer(world) {
            $0.titles[0].adRequestLimit = 4
            $0.titles[0].decisionBudget = .seconds(60)
        }
        #expect(runs(try await server.text("/vod/film/a/v0.m3u8")).count == 7)
        #expect(world.adRequests.count == 4)
    }

    @Test func `a failing ad server gives the title whole`() async throws {
        let world = FakeWorld()
        world.fail("http://a/", .status(503))
        let server = TestServer(world)
        #expect(runs(try await server.text("/vod/film/a/v0.m3u8")) == ["content"])
        #expect(server.output.lines.contains { $0.contains("break.content") && $0.contains("503") })
    }

    @Test func `a segment of an ad is sent on to where it lies, and drives the beacons in real time`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.vmap(("start", ["ad10"])))
        let server = TestServer(world)
        let text = try await server.text("/vod/film/a/v0.m3u8")
        let segments = text.split(separator: "\n").filter { $0.hasPrefix("ad/") }
        #expect(segments.count == 5)
        for segment in segments {
            let response = try await server.get("/vod/film/a/\(segment)")
            #expect(response.status == 302)
            let location = response.headers.first { $0.0 == "Location" }?.1
            #expect(location?.hasPrefix("http://o/ads/ad10/v0/seg-") ?? false)
        }
        await server.beaconsAreSent()
        #expect(world.sent.map(\.event) == ["breakStart", "impression", "start"])
        while server.wiring.tracker.isTicking {
            if world.time.sleeperCount > 0 { world.time.advance(by: .milliseconds(200)) }
            await Task.yield()
        }
        // Asked again, also by another rendition: nothing is sent twice.
        _ = try await server.get("/vod/film/a/\(segments[4])")
        await server.beaconsAreSent()
        let expected = ["breakStart", "impression"] + FakeAds.events + ["breakEnd"]
        #expect(world.sent.map(\.event) == expected)
    }

    @Test func `variables of an origin are filled with its own values (rules 1201, 1204)`() async throws {
        let world = FakeWorld()
        world.fail(
            "vod/master.m3u8",
            .body(
                """
                #EXTM3U
                #EXT-X-DEFINE:NAME="dir",VALUE="sub"
                #EXT-X-STREAM-INF:BANDWIDTH=1000
                {$dir}/v.m3u8?token=7

                """))
        world.fail(
            "vod/sub/v.m3u8",
            .body(
                """
                #EXTM3U
                #EXT-X-VERSION:11
                #EXT-X-TARGETDURATION:6
                #EXT-X-DEFINE:IMPORT="dir"
                #EXT-X-DEFINE:QUERYPARAM="token"
                #EXTINF:6.000,
                {$dir}/1.ts?t={$token}
                #EXT-X-ENDLIST

                """))
        world.answer(with: FakeAds.vast("ad6"))
        let server = TestServer(world)
        #expect(!(try await server.text("/vod/film/master.m3u8?stream_id=a")).contains("$dir"))
        let text = try await server.text("/vod/film/a/v0.m3u8")
        #expect(text.contains("\nhttp://o/vod/sub/sub/1.ts?t=7\n"))
        #expect(!text.contains("EXT-X-DEFINE"))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a player that asks for a session first waits no longer than the decision deadline`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.vast("ad6"))
        let gate = SharedWork<Void>()
        world.fail("http://a/", .gate(gate))
        let server = TestServer(world) { $0.titles[0].decisionDeadline = .zero }
        // The ad server's answer never comes, and the clock stands still.
        #expect(try await server.get("/v1/session/film").status == 200)
        gate.finish(with: ())
    }

    @Test(arguments: ["#EXT-X-I-FRAMES-ONLY\n", "#EXT-X-PLAYLIST-TYPE:EVENT\n#EXT-X-CUE-OUT:8\n#EXT-UNKNOWN\n", ""])
    func `without an ad provider a playlist passes byte for byte but for addresses`(lines: String) async throws {
        let world = FakeWorld()
        let text = { (base: String) in
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:007\n\(lines)#EXTINF:6.0,\n\(base)1.ts\n"
        }
        world.fail("live/v0.m3u8", .body(text("")))
        let server = TestServer(world) { $0.channels[0].ads = [] }
        #expect(try await server.text("/live/news/a/v0.m3u8") == text("http://o/live/"))
    }

    @Test func `an ad segment that no session has is not found`() async throws {
        let server = TestServer(FakeWorld())
        for path in ["ad/preroll/0/0/v0.ts", "ad/preroll/x/0/v0.ts", "ad/preroll/0/-1/v0.ts", "ad/a"] {
            #expect(try await server.get("/vod/film/nobody/\(path)").status == 404)
        }
    }

    @Test(arguments: [false, true])
    func
        `an ad of a category that a wrapper blocks is refused where that is wanted, and other spellings of macros are filled (R-Y4, 205)`(
            isWanted: Bool
        ) async throws
    {
        let world = FakeWorld()
        world.answer(
            with: """
                <VAST version="4.2"><Ad id="w"><Wrapper><AdSystem>w</AdSystem><VASTAdTagURI>http://linked/a?c=%%CACHEBUSTING%%</VASTAdTagURI>
                <BlockedAdCategories authority="a">7</BlockedAdCategories></Wrapper></Ad></VAST>
                """)
        world.fail(
            "http://linked/",
            .body(
                FakeAds.vast("ad6").replacing(" sequence=\"1\"", with: "").replacing(
                    "<Creatives>", with: "<Category authority=\"a\">7</Category><Creatives>")))
        let server = TestServer(world) { configuration in
            configuration.server.otherMacroForms = isWanted
            guard case .vast(var options)? = configuration.adProviders["main"] else { return }
            options.refusesBlockedCategories = isWanted
            configuration.adProviders["main"] = .vast(options)
        }
        #expect(
            runs(try await server.text("/vod/film/a/v0.m3u8")) == (isWanted ? ["content"] : ["preroll/0", "content"]))
        await server.beaconsAreSent()
        #expect(world.sent.filter { $0.event == "error" }.map { $0.parameter("code") } == (isWanted ? ["205"] : []))
        let url = try #require(world.adRequests.last?.url)
        #expect(url.contains("CACHEBUSTING") != isWanted, "\(url)")
    }
}
