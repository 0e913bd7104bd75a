import HLS
import Testing
import Transport

@testable import Server

/// A live channel through breaks: what sessions see, over reloads and renditions.
struct LiveTests {
    /// Polls renditions once a second for a while.
    private func poll(
        _ server: TestServer, _ session: String, _ renditions: [String], seconds: Int
    ) async throws -> [String: ReloadChecker] {
        var checkers: [String: ReloadChecker] = [:]
        for _ in 0..<seconds {
            for rendition in renditions {
                try checkers[rendition, default: ReloadChecker()].read(
                    await server.text("/live/news/\(session)/\(rendition).m3u8"))
            }
            server.world.time.advance(by: .seconds(1))
        }
        return checkers
    }

    /// The order of content and ads in a list of addresses: runs of one kind as one word.
    private func runs(_ uris: [String]) -> [String] {
        var runs: [String] = []
        for uri in uris {
            let parts = uri.split(separator: "/")
            let name = parts.count > 3 && parts[2] == "ads" ? String(parts[3]) : "content"
            if runs.last != name { runs.append(name) }
        }
        return runs
    }

    @Test func `all renditions have the largest target duration from the first answer on (rules 307, 308)`()
        async throws
    {
        let server = TestServer(FakeWorld(LiveChannelModel(audioTargetDuration: 4, hasSeparateAudio: true)))
        let renditions = try await server.text("/live/news/a/master.m3u8").matches(of: /[^"\n\/]+\.m3u8/).map {
            $0.output
        }
        #expect(renditions.count == 3)
        for rendition in renditions.reversed() {
            #expect(try await server.text("/live/news/a/\(rendition)").contains("#EXT-X-TARGETDURATION:4\n"))
        }
    }

    @Test
    func `content, ad, ad, content: 60 polls of every rendition keep the rules of reloads (403 to 406, 502 to 504)`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        let server = TestServer(world)
        let checkers = try await poll(server, "a", ["v0", "v1"], seconds: 60)
        for (rendition, checker) in checkers {
            #expect(checker.problems.isEmpty, "\(rendition): \(checker.problems)")
            #expect(runs(checker.uris) == ["content", "ad10", "ad6", "content"], "\(rendition)")
        }
        let first = try #require(checkers["v0"]).entries.mapValues { [$0.discontinuity] }
        let second = try #require(checkers["v1"]).entries.mapValues { [$0.discontinuity] }
        #expect(first == second)
    }

    @Test func `demuxed fMP4: audio gets the ad's audio and the same discontinuities (504, 1115)`() async throws {
        var channel = LiveChannelModel()
        channel.hasSeparateAudio = true
        let world = FakeWorld(channel, startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad10"))
        let server = TestServer(world)
        let checkers = try await poll(server, "a", ["a-aud-en", "v0", "v1"], seconds: 60)
        for (rendition, checker) in checkers {
            #expect(checker.problems.isEmpty, "\(rendition): \(checker.problems)")
        }
        let audio = try #require(checkers["a-aud-en"])
        #expect(audio.uris.contains { $0.hasPrefix("http://o/ads/ad10/a0/") })
        #expect(!audio.uris.contains { $0.contains("/v0/") })
    }

    @Test func `two sessions get their own ads, two players of one session the same (rule 404)`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", tag: "one"), FakeAds.vast("ad6", tag: "two"))
        let server = TestServer(world)
        var first = ReloadChecker()
        var second = ReloadChecker()
        for _ in 0..<45 {
            try first.read(await server.text("/live/news/u%3ALOC/v0.m3u8?section=x"))
            let again = try await server.text("/live/news/u:LOC/v0.m3u8?section=y")
            #expect(try await server.text("/live/news/u:LOC/v0.m3u8") == again)
            try second.read(await server.text("/live/news/b/v0.m3u8"))
            world.time.advance(by: .seconds(1))
        }
        #expect(first.problems.isEmpty && second.problems.isEmpty)
        #expect(runs(first.uris) == ["content", "ad10", "content"])
        #expect(runs(second.uris) == ["content", "ad6", "content"])
        #expect(world.adRequests.count == 2)
        #expect(world.adRequests[0].url.contains("dur=20&sec=x&cb="))
    }

    @Test func `many requests of one session at a break are one request to the ad server`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let server = TestServer(world)
        _ = try await server.text("/live/news/a/v0.m3u8")
        world.time.advance(by: .seconds(12))
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<30 { group.addTask { try await server.text("/live/news/a/v0.m3u8") } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(world.adRequests.count == 1)
        #expect(texts.count == 1)
    }

    @Test func `a channel without breaks or provider comes out as it went in but for addresses`() async throws {
        var channel = LiveChannelModel()
        channel.hasBreaks = false
        let world = FakeWorld(channel, startingAt: 70)
        let server = TestServer(world)
        let text = try await server.text("/live/news/a/v0.m3u8")
        let expected = channel.media(rendition: "v0", at: 70).replacing("\nv0/", with: "\nhttp://o/live/v0/")
            .replacing(
                "#EXT-X-MEDIA-SEQUENCE:25\n", with: "#EXT-X-MEDIA-SEQUENCE:25\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n")
        #expect(text == expected)
    }

    @Test
    func `the multivariant playlist leads back here, with the session in its links, whichever form was asked for`()
        async throws
    {
        let server = TestServer(FakeWorld())
        #expect(try await server.text("/live/news/master.m3u8?stream_id=u:LOC").contains("\nu%3ALOC/v0.m3u8\n"))
        #expect(try await server.text("/live/news/u:LOC/master.m3u8").contains("\nv0.m3u8\n"))
        let response = try await server.get("/live/news/master.m3u8?section=x")
        #expect(response.status == 302)
        let location = try #require(response.headers.first { $0.0 == "Location" }?.1)
        #expect(location.hasPrefix("master.m3u8?stream_id="))
        #expect(location.hasSuffix("&section=x"))
        #expect(try await server.get("/live/news/\(location)").status == 200)
    }

    @Test func `a session that stopped asking in an ad gets no more events, above all no complete (R-K5)`() async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad20"))
        let server = TestServer(world)
        for _ in 0..<20 {
            _ = try await server.text("/live/news/a/v0.m3u8")
            world.time.advance(by: .seconds(1))
        }
        await server.beaconsAreSent()
        #expect(world.sent.contains { $0.event == "start" })
        world.time.advance(by: .seconds(60))
        _ = try await server.text("/live/news/a/v0.m3u8")
        await server.beaconsAreSent()
        #expect(!world.sent.contains { $0.event == "complete" })
    }

    @Test func `beacons come once each, in order, when the ad is at the playhead: edge minus three target durations`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad10"))
        let server = TestServer(world)
        for _ in 0..<60 {
            _ = try await server.text("/live/news/a/v0.m3u8")
            await server.beaconsAreSent()
            world.time.advance(by: .seconds(1))
        }
        let sent = world.sent
        let expected = ["impression"] + FakeAds.events
        #expect(sent.map(\.event) == expected + expected)
        // The break begins at second 80 and shows at the edge two seconds later.
        let due = [0, 0, 2.5, 5, 7.5, 10, 10, 10, 12.5, 15, 17.5, 20].map { 80 + 2 + 6 - 2 + $0 }
        for (beacon, time) in zip(sent, due) {
            #expect(abs(beacon.second - time) <= 2, "\(beacon.event) at \(beacon.second), due at \(time)")
        }
        #expect(Set(sent.map(\.url)).count == sent.count)
        #expect(!sent.contains { $0.url.contains("[") })
        #expect(sent.first { $0.event == "midpoint" }?.parameter("t") == "00%3A00%3A05.000")
    }
}
