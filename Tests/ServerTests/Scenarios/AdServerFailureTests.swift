import Testing
import Transport

@testable import Server

/// Whatever an ad server does, playback goes on with the content, no playlist waits longer than the budget, and one line says why.
struct AdServerFailureTests {
    private func run(
        _ world: FakeWorld, _ server: TestServer, seconds: Int = 45
    ) async throws -> (checker: ReloadChecker, reasons: [String]) {
        var checker = ReloadChecker()
        for _ in 0..<seconds {
            try checker.read(await server.text("/live/news/a/v0.m3u8"))
            world.time.advance(by: .seconds(1))
        }
        let reasons = server.output.lines.filter { $0.contains("\"break.content\"") && !$0.contains("before_session") }
        return (checker, reasons)
    }

    private static let faults: [(String, FakeWorld.Fault)] = [
        ("off", .refused), ("500", .status(500)), ("404", .status(404)), ("empty body", .body("")),
        ("no ad", .body("<VAST version=\"3.0\"/>")), ("garbage", .body("<html><body>hello</body></html>")),
        ("cut short", .body("<VAST version=\"3.0\"><Ad>")), ("timeout", .timeout),
    ]

    @Test(arguments: faults.map(\.0))
    func `an ad server that fails gives content and one line of the log`(name: String) async throws {
        let fault = try #require(Self.faults.first { $0.0 == name }?.1)
        let world = FakeWorld(startingAt: 70)
        world.fail("http://a/", fault)
        let (checker, reasons) = try await run(world, TestServer(world))
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        #expect(!checker.uris.contains { $0.contains("/ads/") })
        #expect(checker.uris.count >= 30)
        #expect(reasons.count == 1, "\(reasons)")
        #expect(reasons.first?.contains("\"reason\":") ?? false)
    }

    @Test func `an ad server slower than the budget holds the edge, slower than the deadline gives content`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let gate = SharedWork<Void>()
        world.fail("http://a/", .gate(gate))
        let server = TestServer(world)
        var checker = ReloadChecker()
        try checker.read(await server.text("/live/news/a/v0.m3u8"))
        world.time.advance(by: .seconds(12))
        let edge = checker.uris.count
        // The break has appeared: the answer waits for the budget and no longer.
        async let held = server.text("/live/news/a/v0.m3u8")
        await world.time.waitForSleepers(2)
        world.time.advance(by: .milliseconds(300))
        try checker.read(await held)
        #expect(checker.uris.count == edge + 5)
        world.time.advance(by: .milliseconds(1_700))
        try checker.read(await server.text("/live/news/a/v0.m3u8"))
        #expect(checker.uris.count > edge + 5)
        gate.finish(with: ())
        let (later, _) = try await run(world, server, seconds: 10)
        #expect(later.problems.isEmpty)
        #expect(!later.uris.contains { $0.contains("/ads/") })
        // Whichever is first: the request's deadline or the break's.
        #expect(
            server.output.lines.contains {
                $0.contains("break.content") && ($0.contains("timeout") || $0.contains("deadline"))
            })
    }

    @Test func `no playlist stands for one and a half target durations, whatever the ad server does (R75)`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        let gate = SharedWork<Void>()
        world.fail("http://a/", .gate(gate))
        // What a player waits for an answer comes on top, and is the budget.
        let server = TestServer(world) { $0.channels[0].decisionBudget = .zero }
        var changed: (at: Duration, text: String)?
        var count = 0
        for _ in 0..<300 {
            let text = try await server.text("/live/news/a/v0.m3u8")
            let now = world.time.monotonic()
            if let last = changed, last.text == text {
                #expect(now - last.at + .milliseconds(300) < .seconds(3), "at \(world.second)")
            } else {
                changed = (now, text)
                count += 1
            }
            world.time.advance(by: .milliseconds(100))
        }
        gate.finish(with: ())
        #expect(count > 10)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a title waits for its ads no longer than the budget, and what it then shows stays (rule 905)`()
        async throws
    {
        let world = FakeWorld()
        world.answer(with: FakeAds.vast("ad10"))
        let gate = SharedWork<Void>()
        world.fail("http://a/", .gate(gate))
        let server = TestServer(world) { $0.titles[0].decisionBudget = .zero }
        for target in ["/vod/film/a/master.m3u8", "/vod/film/a/v0.m3u8"] {
            #expect(!(try await server.text(target)).contains("\nad/"))
        }
        gate.finish(with: ())
        let text = try await server.text("/vod/film/a/v1.m3u8")
        #expect(!text.contains("#EXT-X-DISCONTINUITY\n") && text.hasSuffix("#EXT-X-ENDLIST\n"))
        #expect(server.output.lines.filter { $0.contains("title.content") && $0.contains("\"reason\":") }.count == 1)
        // Nobody has waited for it: it may only begin now.
        for _ in 0..<10_000 where world.adRequests.isEmpty { await Task.yield() }
        #expect(world.adRequests.count == 1)
    }

    @Test func `who asks for the session first gets the ads of a slow ad server`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.vast("ad10"))
        let gate = SharedWork<Void>()
        world.fail("http://a/", .gate(gate))
        let server = TestServer(world)
        async let answer = server.text("/v1/session/film")
        await world.time.waitForSleepers(1)
        world.time.advance(by: .milliseconds(1_000))
        gate.finish(with: ())
        let manifest = try #require(try await answer.split(separator: "\"").first { $0.contains("master.m3u8") })
        let media = String(manifest).replacing("\\/", with: "/").replacing("master", with: "v0")
        #expect(try await server.text(media).contains("\nad/"))
    }

    @Test func `an answer within the deadline but after the budget is still shown`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let gate = SharedWork<Void>()
        world.fail("http://a/", .gate(gate))
        let server = TestServer(world)
        _ = try await server.text("/live/news/a/v0.m3u8")
        world.time.advance(by: .seconds(12))
        async let held = server.text("/live/news/a/v0.m3u8")
        await world.time.waitForSleepers(2)
        world.time.advance(by: .milliseconds(300))
        #expect(try await !held.contains("/ads/"))
        gate.finish(with: ())
        while !server.output.lines.contains(where: { $0.contains("break.ads") }) { await Task.yield() }
        world.time.advance(by: .milliseconds(200))
        #expect(try await server.text("/live/news/a/v0.m3u8").contains("/ads/ad10/"))
    }

    @Test func `ads that cannot be shown are skipped with a reason and an error code, the others play`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("gone", "mp4only", "other", "long", "slowad", "ad6"))
        world.fail("/ads/slowad/", .timeout)
        let server = TestServer(world)
        let (checker, _) = try await run(world, server)
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        #expect(checker.uris.contains { $0.contains("/ads/ad6/") })
        await server.beaconsAreSent()
        let codes = world.sent.filter { $0.event == "error" }
            .map { "\($0.parameter("ad") ?? "") \($0.parameter("code") ?? "")" }
        #expect(Set(codes) == ["0 401", "1 403", "2 405", "3 405", "4 402"])
        let line = try #require(server.output.lines.first { $0.contains("\"break.ads\"") })
        #expect(line.contains("no HLS media file"))
    }

    @Test func `an ad server that does not answer at all is left alone for a moment after some failures`() async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.fail("http://a/", .refused)
        let server = TestServer(world)
        for session in 0..<10 { _ = try await server.text("/live/news/s\(session)/v0.m3u8") }
        world.time.advance(by: .seconds(12))
        for session in 0..<10 { _ = try await server.text("/live/news/s\(session)/v0.m3u8") }
        #expect(world.adRequests.count == 3)
    }

    @Test(arguments: ["500", "timeout", "off", "garbage", "no ad"])
    func `an ad server that fails is asked once at most for a break of a session, and seldom while it does not answer`(
        name: String
    ) async throws {
        let fault = try #require(Self.faults.first { $0.0 == name }?.1)
        let world = FakeWorld(startingAt: 70)
        world.fail("http://a/", fault)
        let server = TestServer(world)
        let (sessions, breaks) = (12, 3)
        var checkers = [ReloadChecker](repeating: ReloadChecker(), count: sessions)
        var asked: [[String]] = []
        for _ in 0..<breaks {
            let before = world.adRequests.count
            for _ in 0..<30 {
                for session in 0..<sessions {
                    try checkers[session].read(
                        await server.text("/live/news/s\(session)/v0.m3u8?section=s\(session)"))
                }
                world.time.advance(by: .seconds(2))
            }
            asked.append(world.adRequests.dropFirst(before).map { $0.url.split(separator: "&")[1] }.map(String.init))
        }
        for one in asked { #expect(Set(one).count == one.count, "\(one)") }
        for checker in checkers {
            #expect(checker.problems.isEmpty, "\(checker.problems)")
            #expect(checker.uris.count >= 85)
        }
        let answers = name == "garbage" || name == "no ad"
        // Three before it is left alone, then one that tries it in each break.
        #expect(asked.map(\.count) == (answers ? [sessions, sessions, sessions] : [3, 1, 1]))
        #expect(server.metrics.adRequestsHeldBack.value == (answers ? 0 : sessions * breaks - 5))
    }

    @Test func `sessions that find the ad server being tried wait for that, and get ads in the same break`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        world.fail("http://a/", .refused)
        let server = TestServer(world)
        func texts() async throws -> [String] {
            try await withThrowingTaskGroup(of: String.self) { group in
                for session in 0..<5 { group.addTask { try await server.text("/live/news/s\(session)/v0.m3u8") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        _ = try await texts()
        world.time.advance(by: .seconds(12))
        for session in 0..<5 { _ = try await server.text("/live/news/s\(session)/v0.m3u8") }
        #expect(world.adRequests.count == 3)
        // Up to the next break: the ad server is well again, and slow.
        for _ in 0..<28 {
            world.time.advance(by: .seconds(2))
            if world.second < 140 { _ = try await texts() }
        }
        let gate = SharedWork<Void>()
        world.fail("http://a/", nil)
        world.fail("http://a/", .gate(gate))
        world.time.advance(by: .seconds(4))
        async let held = texts()
        while world.adRequests.count < 4 { await Task.yield() }
        for _ in 0..<200 { await Task.yield() }
        #expect(world.adRequests.count == 4)
        gate.finish(with: ())
        for text in try await held { #expect(text.contains("/ads/ad10/")) }
        #expect(world.adRequests.count == 8)
    }

    @Test func `requests beyond those at one time wait, and without a place in time there is content`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let gate = SharedWork<Void>()
        world.fail("http://a/", .gate(gate))
        let server = TestServer(world) {
            guard case .vast(var options)? = $0.adProviders["main"] else { return }
            options.maxRequests = 2
            $0.adProviders["main"] = .vast(options)
        }
        for session in 0..<5 { _ = try await server.text("/live/news/s\(session)/v0.m3u8") }
        world.time.advance(by: .seconds(12))
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for session in 0..<5 { group.addTask { try await server.text("/live/news/s\(session)/v0.m3u8") } }
            // Each waits for its budget and for its deadline; three for a place, as long as an answer could come in time.
            await world.time.waitForSleepers(13)
            world.time.advance(by: .milliseconds(300))
            world.time.advance(by: .milliseconds(400))
            while server.metrics.adRequestsHeldBack.value < 3 { await Task.yield() }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(texts.allSatisfy { !$0.contains("/ads/") })
        gate.finish(with: ())
        while server.output.lines.count(where: { $0.contains("maxRequests") }) < 3 { await Task.yield() }
        #expect(world.adRequests.count == 2)
        #expect(server.metrics.adRequestsHeldBack.value == 3)
    }

    @Test func `a creative that fails is not fetched for each session and break`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("gone", "ad6"))
        let server = TestServer(world)
        for _ in 0..<90 {
            for session in 0..<4 { _ = try await server.text("/live/news/s\(session)/v0.m3u8") }
            world.time.advance(by: .seconds(2))
        }
        #expect(world.adRequests.count == 12)
        // In each of three breaks, a minute apart, by one of the four.
        #expect(world.requests.count { $0.contains("/ads/gone/") } == 3)
    }

    @Test func `where there is a crowd, requests for a break are spread, unless the operator wants them at once`()
        async throws
    {
        for spread in [true, false] {
            let world = FakeWorld(startingAt: 70)
            world.answer(with: FakeAds.vast("ad10"))
            let server = TestServer(world) { $0.channels[0].spread = spread }
            for session in 0..<40 { _ = try await server.text("/live/news/s\(session)/v0.m3u8") }
            world.time.advance(by: .seconds(12))
            async let texts = withThrowingTaskGroup(of: String.self) { group in
                for session in 0..<40 { group.addTask { try await server.text("/live/news/s\(session)/v0.m3u8") } }
                return try await group.reduce(into: [String]()) { $0.append($1) }
            }
            if spread {
                // Each sleeps for its own time, and waits no longer than its budget.
                await world.time.waitForSleepers(80)
                #expect(world.adRequests.isEmpty)
                world.time.advance(by: .milliseconds(10))
                while world.adRequests.count < 8 { await Task.yield() }
                #expect(world.adRequests.count < 32)
                world.time.advance(by: .milliseconds(10))
            }
            #expect(try await texts.allSatisfy { $0.contains("/ads/ad10/") })
            #expect(world.adRequests.count == 40)
        }
    }

    @Test func `a stand-alone ad takes the place of one of a pod that fails, and else does not play (R-P2, R-P5)`()
        async throws
    {
        for (names, shown) in [(["gone", "ad6", "ad5"], ["ad5", "ad6"]), (["ad10", "ad6", "ad5"], ["ad10", "ad6"])] {
            let world = FakeWorld(startingAt: 70)
            world.answer(with: FakeAds.vast(names).replacing(" sequence=\"3\"", with: ""))
            let server = TestServer(world)
            let (checker, _) = try await run(world, server)
            let ads = checker.uris.filter { $0.contains("/ads/") }.compactMap {
                $0.split(separator: "/").dropFirst(3).first.map(String.init)
            }
            #expect(ads.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } } == shown)
            await server.beaconsAreSent()
            #expect(world.sent.filter { $0.event == "error" }.count == (names[0] == "gone" ? 1 : 0))
            #expect(world.sent.filter { $0.event == "impression" }.count == 2)
        }
    }

    @Test func `a pod longer than the break is cut at its end, and what was cut is told (R-P6)`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad6", "ad10"))
        let server = TestServer(world)
        let (checker, _) = try await run(world, server)
        #expect(checker.problems.isEmpty)
        await server.beaconsAreSent()
        #expect(world.sent.filter { $0.event == "error" }.map { $0.parameter("code") } == ["206"])
    }
}
