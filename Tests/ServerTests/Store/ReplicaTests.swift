import HLS
import Testing
import Transport

@testable import Server

/// Several servers over one store, and one server before and after its end: viewers see no difference.
struct ReplicaTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func store(_ world: FakeWorld) throws -> SQLiteStore {
        try SQLiteStore(path: "\(folder.path)/s.db", time: world.time, deadline: .seconds(30))
    }

    /// Another process: nothing in common but the file.
    private func server(_ world: FakeWorld) throws -> TestServer { TestServer(world, store: try store(world)) }

    private func world(_ channel: LiveChannelModel = LiveChannelModel()) -> FakeWorld {
        let world = FakeWorld(channel)
        // Each asks for other ads, so that a decision that is not shared shows.
        world.answer(
            with: FakeAds.vast("ad10", "ad6", tag: "a"), FakeAds.vast("ad6", "ad10", tag: "b"),
            FakeAds.vast("ad20", tag: "c"), FakeAds.vast("ad5", "ad5", tag: "d"))
        return world
    }

    @Test(arguments: [false, true])
    func `two servers that are asked in turn answer byte for byte alike, over two breaks`(hasAudio: Bool) async throws {
        let world = world(LiveChannelModel(hasSeparateAudio: hasAudio))
        let servers = [try server(world), try server(world)]
        let renditions = hasAudio ? ["v0", "v1", "a-aud-English"] : ["v0", "v1"]
        var names: [String] = []
        for line in try await servers[0].text("/live/news/a/master.m3u8").matches(of: /[^"\n\/]+\.m3u8/) {
            names.append(String(line.output.dropLast(5)))
        }
        #expect(names.count == renditions.count)
        var checkers: [String: ReloadChecker] = [:]
        for second in 0..<150 {
            for (place, name) in names.enumerated() {
                let target = "/live/news/a/\(name).m3u8"
                let first = try await servers[(second + place) % 2].text(target)
                let second = try await servers[(second + place + 1) % 2].text(target)
                #expect(first == second, "\(name) at \(world.second)")
                try checkers[name, default: ReloadChecker()].read(first)
                try checkers[name, default: ReloadChecker()].read(second)
            }
            world.time.advance(by: .seconds(1))
        }
        for checker in checkers.values {
            #expect(checker.problems.isEmpty, "\(checker.problems)")
            #expect(checker.uris.contains { $0.contains("/ads/") })
        }
    }

    @Test func `a server that takes another's place in any second answers as that one would have`() async throws {
        let world = world()
        let lasting = try server(world)
        var checker = ReloadChecker()
        for second in 0..<130 {
            let expected = try await lasting.text("/live/news/a/v0.m3u8")
            try checker.read(expected)
            // Every few seconds a process that knows nothing but the file.
            if second % 3 == 0 { #expect(try await server(world).text("/live/news/a/v0.m3u8") == expected) }
            if second % 7 == 0 { #expect(try await server(world).text("/live/news/a/v1.m3u8").contains("#EXTINF")) }
            world.time.advance(by: .seconds(1))
        }
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        #expect(checker.uris.contains { $0.contains("/ads/") })
    }

    @Test
    func
        `what the store has of breaks goes when the session has let go of them, and a restart is none the worse for it`()
        async throws
    {
        var channel = LiveChannelModel()
        channel.periodSeconds = 12
        channel.breakOffset = 4
        channel.breakSeconds = 6
        let world = FakeWorld(channel, startingAt: 100)
        world.answer(with: FakeAds.vast("ad5"))
        let store = MemoryStore(isShared: true, time: world.time)
        let server = TestServer(world, store: store)
        var checker = ReloadChecker()
        for _ in 0..<1_100 {
            try checker.read(await server.text("/live/news/a/v0.m3u8"))
            await server.beaconsAreSent()
            world.time.advance(by: .seconds(1))
        }
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        let key = SessionKey(
            source: SourceID(kind: .live, name: "news"), streamID: try #require(StreamID("a")))
        let names = try await store.entries(of: SessionArchive.owner(key)).map(\.name)
        let decisions = names.filter { $0.hasPrefix("d/") }.sorted()
        // Ninety breaks went by.
        #expect((20...75).contains(decisions.count), "\(decisions.count)")
        let oldest = try #require(decisions.first).dropFirst(2)
        let others = names.filter { $0.hasPrefix("r/") }.map { $0.dropFirst(2).prefix { $0 != "/" } }
        #expect(!others.isEmpty && others.allSatisfy { $0 >= oldest })
        // Another process finds what it needs.
        let text = try await server.text("/live/news/a/v0.m3u8")
        let other = TestServer(world, store: store)
        #expect(try await other.text("/live/news/a/v0.m3u8") == text)
        #expect(!(server.output.lines + other.output.lines).contains { $0.contains("store.unreadable") })
    }

    @Test func `a server that was not asked for two breaks goes on where the other has got to`() async throws {
        let world = world()
        let servers = [try server(world), try server(world)]
        var checker = ReloadChecker()
        for second in 0..<200 {
            let server = servers[second < 10 || second >= 180 ? 0 : 1]
            try checker.read(await server.text("/live/news/a/v0.m3u8"))
            world.time.advance(by: .seconds(1))
        }
        #expect(checker.problems.isEmpty, "\(checker.problems)")
    }

    @Test func `a title's breaks and ads are the same at every server`() async throws {
        let world = FakeWorld()
        world.answer(
            with: FakeAds.vmap(("start", ["ad6"]), ("00:00:20", ["ad10", "ad6"]), ("end", ["ad5"])),
            FakeAds.vmap(("00:00:30", ["ad20"])))
        let first = try server(world)
        let playlist = try await first.text("/vod/film/a/v0.m3u8")
        #expect(playlist.contains("ad/"))
        let second = try server(world)
        #expect(try await second.text("/vod/film/a/v0.m3u8") == playlist)
        #expect(try await second.text("/vod/film/a/v1.m3u8") == first.text("/vod/film/a/v1.m3u8"))
        let segment = try #require(playlist.split(separator: "\n").first { $0.hasPrefix("ad/") })
        let there = try await server(world).get("/vod/film/a/\(segment)")
        #expect(there.status == 302)
        let here = try await first.get("/vod/film/a/\(segment)")
        #expect(there.location == here.location)
        #expect(there.location != nil)
    }

    @Test func `a title's breaks that one server has found in time are those of another that had no answer`()
        async throws
    {
        let pair = await ServerPair()
        let world = pair.world
        world.answer(with: FakeAds.vmap(("start", ["ad6"]), ("00:00:20", ["ad10", "ad6"])))
        // The session begins on both; the second one's request to the ad server hangs.
        let gate = SharedWork<Void>()
        world.fail("/vast", .gate(gate))
        _ = try await pair.text("/vod/film/a/master.m3u8", pair.servers[1])
        #expect(world.adRequests.count == 1)
        world.fail("/vast", nil)
        let playlist = try await pair.text("/vod/film/a/v0.m3u8", pair.servers[0])
        #expect(playlist.contains("ad/"))
        #expect(try await pair.text("/vod/film/a/v0.m3u8", pair.servers[1]) == playlist)
        #expect(try await pair.text("/vod/film/a/v1.m3u8", pair.servers[1]).contains("ad/"))
        gate.finish(with: ())
        #expect(try await pair.text("/vod/film/a/v0.m3u8", pair.servers[1]) == playlist)
    }

    @Test func `an idle session takes less than a kilobyte, and a decision little more`() async throws {
        let world = world()
        let file = try store(world)
        let server = TestServer(world, store: file)
        for _ in 0..<100 {
            _ = try await server.text("/live/news/a/v0.m3u8?section=sports")
            world.time.advance(by: .seconds(1))
        }
        while try await !file.entries(of: "s/live/news/a").contains(where: { $0.name == "progress" }) {
            await Task.yield()
        }
        let entries = try await file.entries(of: "s/live/news/a")
        let sizes = entries.map { "\($0.name) \($0.value.count)" }
        print("a session: \(sizes)")
        let session = entries.filter { !["d/", "r/", "t/"].contains(String($0.name.prefix(2))) }.reduce(0) {
            $0 + $1.value.count
        }
        #expect(session < 1_024, "\(sizes)")
        for entry in entries where entry.name.hasPrefix("d/") { #expect(entry.value.count < 4_096, "\(sizes)") }
    }

    @Test func `each beacon is sent once, whichever servers are asked, also after their end`() async throws {
        let world = world()
        var servers = [try server(world), try server(world)]
        for second in 0..<80 {
            // One is ended inside the break.
            if second == 35 { servers[0] = try server(world) }
            _ = try await servers[second % 2].text("/live/news/a/v0.m3u8")
            world.time.advance(by: .seconds(1))
            for server in servers { await server.beaconsAreSent() }
        }
        let wanted = (["impression"] + FakeAds.events).flatMap { event in ["\(event) a 0", "\(event) a 1"] }
        let clock = ContinuousClock()
        let end = clock.now + .seconds(20)
        while world.sent.count < wanted.count, clock.now < end { await Task.yield() }
        let sent = world.sent.map { "\($0.event) \($0.parameter("tag") ?? "") \($0.parameter("ad") ?? "")" }
        #expect(sent.sorted() == wanted.sorted())
    }

    @Test func `a store that cannot be opened leaves viewers with their ads`() async throws {
        let world = world()
        let server = TestServer(
            world, store: try SQLiteStore(path: "\(folder.path)/missing/s.db", time: world.time))
        var checker = ReloadChecker()
        for _ in 0..<60 {
            try checker.read(await server.text("/live/news/a/v0.m3u8"))
            world.time.advance(by: .seconds(1))
        }
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        #expect(checker.uris.contains { $0.contains("/ads/") })
        #expect(server.metrics.storeFailures.value > 0)
        #expect(server.output.lines.contains { $0.contains("store.failed") && $0.contains("\"error\"") })
    }
}

extension HTTPResponse {
    var location: String? { headers.first { $0.0 == "Location" }?.1 }
}
