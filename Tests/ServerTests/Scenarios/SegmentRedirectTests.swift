import Testing
import Transport

@testable import Server

/// Channels whose players ask the server for the segments of ads: what is told is what was asked for (R-K2, R-K5).
struct SegmentRedirectTests {
    private static let all = ["impression"] + FakeAds.events

    private func server(_ world: FakeWorld, store: (any StateStore)? = nil) -> TestServer {
        TestServer(world, store: store) { $0.channels[0].segmentRedirect = true }
    }

    /// A player of one rendition, three target durations behind the edge, that loads what is listed as soon as it is, unless it is
    /// paused.
    private struct Player {
        var name = "v0"
        var session = "a"
        private var loaded: Set<String> = []
        private(set) var answers: [HTTPResponse] = []

        init(_ name: String = "v0", session: String = "a") {
            self.name = name
            self.session = session
        }

        /// - Parameter loads: which segments of ads it loads.
        mutating func poll(_ server: TestServer, loads: (Int) -> Bool = { _ in true }) async throws {
            let text = try await server.text("/live/news/\(session)/\(name).m3u8")
            for line in text.split(separator: "\n") where line.hasPrefix("ad/") {
                let uri = String(line)
                let parts = uri.split(separator: "/")
                guard let index = Int(parts[3]), loads(index), loaded.insert(uri).inserted else { continue }
                answers.append(try await server.get("/live/news/\(session)/\(uri)"))
            }
        }
    }

    private func tick(_ server: TestServer) async {
        await server.beaconsAreSent()
        server.world.time.advance(by: .seconds(1))
    }

    @Test func `ads lie behind addresses of this server, and it tells what is played when it is, once, in order`()
        async throws
    {
        var channel = LiveChannelModel()
        channel.hasSeparateAudio = true
        let world = FakeWorld(channel, startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad10"))
        let server = server(world)
        // Two players of one session, each with sound and picture.
        var players = [Player("v0"), Player("a-aud-en"), Player("v1"), Player("a-aud-en")]
        for _ in 0..<60 {
            for index in players.indices { try await players[index].poll(server) }
            await tick(server)
        }
        for player in players {
            #expect(player.answers.count == 10)
            #expect(player.answers.allSatisfy { $0.status == 302 })
            #expect(player.answers.allSatisfy { $0.location?.hasPrefix("http://o/ads/ad10/") ?? false })
        }
        #expect(world.sent.map(\.event) == Self.all + Self.all)
        // The break begins at second 80 and is seen three target durations behind the edge, not when it is loaded.
        let due = [0, 0, 2.5, 5, 7.5, 10, 10, 10, 12.5, 15, 17.5, 20].map { 80 + 2 + 6 - 2 + $0 }
        for (beacon, time) in zip(world.sent, due) {
            #expect(abs(beacon.second - time) <= 2, "\(beacon.event) at \(beacon.second), due at \(time)")
        }
    }

    @Test func `of an ad that is not asked for nothing is told, whatever playlists are`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad10"))
        let server = server(world)
        var player = Player()
        for _ in 0..<60 {
            try await player.poll(server) { _ in false }
            await tick(server)
        }
        #expect(world.sent.isEmpty)
    }

    @Test func `who leaves half-way has seen no more than he asked for and stayed for`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad20"))
        let server = server(world)
        var player = Player()
        // Until six seconds of the ad have played; twelve are loaded.
        for _ in 0..<22 {
            try await player.poll(server)
            await tick(server)
        }
        #expect(player.answers.count >= 5)
        world.time.advance(by: .seconds(60))
        await server.beaconsAreSent()
        #expect(world.sent.map(\.event) == ["impression", "start", "firstQuartile"])
        // Back again, much later.
        try await player.poll(server) { _ in false }
        await server.beaconsAreSent()
        #expect(world.sent.count == 3)
    }

    @Test func `what a player leaves out is not told, and the ad is not complete (R-K2)`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad20"))
        let server = server(world)
        var player = Player()
        for _ in 0..<60 {
            // Seconds 4 to 12 are jumped over, firstQuartile and midpoint with them.
            try await player.poll(server) { !(2..<6).contains($0) }
            await tick(server)
        }
        #expect(world.sent.map(\.event) == ["impression", "start", "thirdQuartile"])
    }

    @Test func `a pause holds back what was not loaded, and nothing is told twice when an ad is seen again`()
        async throws
    {
        var channel = LiveChannelModel()
        channel.windowSegments = 100
        (channel.breakOffset, channel.periodSeconds) = (80, 1_000)
        let world = FakeWorld(channel, startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let server = server(world)
        var player = Player()
        // Playlists are asked for all the time, as by players that are paused.
        for second in 0..<60 {
            try await player.poll(server) { _ in second > 50 }
            if second <= 50 { #expect(world.sent.isEmpty) }
            await tick(server)
        }
        for _ in 0..<12 {
            try await player.poll(server)
            await tick(server)
        }
        #expect(world.sent.map(\.event) == Self.all)
        var again = Player("v1")
        for _ in 0..<12 {
            try await again.poll(server)
            await tick(server)
        }
        #expect(again.answers.count == 5)
        #expect(world.sent.count == Self.all.count)
    }

    @Test func `a HEAD request counts nothing, and no session is led to the ads of another`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"), FakeAds.vast("ad6"))
        let server = server(world)
        var uri = ""
        for _ in 0..<30 {
            let text = try await server.text("/live/news/a/v0.m3u8")
            _ = try await server.text("/live/news/b/v0.m3u8")
            uri = text.split(separator: "\n").last { $0.hasPrefix("ad/") }.map(String.init) ?? uri
            if !uri.isEmpty {
                let head = try #require(HTTPRequest(method: .head, target: "/live/news/a/\(uri)", headers: []))
                #expect(await server.handler.respond(to: head).status == 302)
            }
            await tick(server)
        }
        await server.beaconsAreSent()
        #expect(world.sent.isEmpty)
        let other = try await server.get("/live/news/b/\(uri)")
        #expect(other.status == 404 || other.location?.contains("/ad6/") ?? false)
        for target in [
            "c/\(uri)", "a/ad/x/0/0/v0.ts", "a/\(uri.replacing("/0/", with: "/9/"))", "a/ad//evil.example/0/0/v0.ts",
        ] {
            #expect(try await server.get("/live/news/\(target)").status == 404, "\(target)")
        }
    }

    @Test func `a server that is asked for a segment of a break which another one has decided finds it`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let store = MemoryStore(isShared: true, time: world.time)
        let servers = [server(world, store: store), server(world, store: store)]
        _ = try await servers[1].text("/live/news/a/v0.m3u8")
        var uri: String?
        for _ in 0..<20 where uri == nil {
            let text = try await servers[0].text("/live/news/a/v0.m3u8")
            uri = text.split(separator: "\n").first { $0.hasPrefix("ad/") }.map(String.init)
            world.time.advance(by: .seconds(1))
        }
        let answer = try await servers[1].get("/live/news/a/\(try #require(uri))")
        #expect(answer.status == 302)
        #expect(answer.location == "http://o/ads/ad10/v0/seg-0.ts")
    }
}
