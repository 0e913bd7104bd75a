import HLS
import Testing
import Transport

@testable import Server

/// Bumpers before and after the ads of a pod.
struct BumperTests {
    private func runs(_ uris: [String]) -> [String] {
        var runs: [String] = []
        for uri in uris {
            let parts = uri.split(separator: "/").map(String.init)
            let name = parts.first == "ad" ? parts[2] : parts.count > 3 && parts[2] == "ads" ? parts[3] : "content"
            if runs.last != name { runs.append(name) }
        }
        return runs
    }

    private func bumpers(_ options: inout SourceOptions) {
        options.startBumper = "http://o/ads/ad5/master.m3u8"
        options.endBumper = "http://o/ads/ad5/v1.m3u8"
    }

    @Test func `bumpers stand around the ads, take of their room, and nothing is reported of them`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        let server = TestServer(world) { bumpers(&$0.channels[0]) }
        var checkers: [String: ReloadChecker] = [:]
        for _ in 0..<60 {
            for name in ["v0", "v1"] {
                try checkers[name, default: ReloadChecker()].read(await server.text("/live/news/a/\(name).m3u8"))
            }
            await server.beaconsAreSent()
            world.time.advance(by: .seconds(1))
        }
        for (name, checker) in checkers {
            #expect(checker.problems.isEmpty, "\(name): \(checker.problems)")
            #expect(runs(checker.uris) == ["content", "ad5", "ad10", "ad5", "content"], "\(name)")
        }
        // The second ad does not fit beside them.
        #expect(world.sent.filter { $0.event != "error" }.map(\.event) == ["impression"] + FakeAds.events)
        #expect(server.output.lines.contains { $0.contains("startBumper.ready") })
    }

    @Test func `a pre-roll has none`() async throws {
        let world = FakeWorld(startingAt: 42)
        world.answer(with: FakeAds.vast("ad6"))
        let server = TestServer(world) {
            bumpers(&$0.channels[0])
            $0.channels[0].preroll = ["main"]
        }
        // They are fetched with the first session.
        _ = try await server.text("/live/news/other/v0.m3u8")
        var checker = ReloadChecker()
        for _ in 0..<20 {
            try checker.read(await server.text("/live/news/a/v0.m3u8"))
            world.time.advance(by: .seconds(1))
        }
        #expect(checker.problems.isEmpty)
        #expect(runs(checker.uris) == ["content", "ad6", "content"])
    }

    @Test func `a bumper that cannot be used is left out, and the log says why`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let server = TestServer(world) {
            $0.channels[0].startBumper = "http://o/ads/other/master.m3u8"
            $0.channels[0].endBumper = "http://o/ads/none/master.m3u8"
        }
        var checker = ReloadChecker()
        for _ in 0..<45 {
            try checker.read(await server.text("/live/news/a/v0.m3u8"))
            world.time.advance(by: .seconds(1))
        }
        #expect(checker.problems.isEmpty)
        #expect(runs(checker.uris) == ["content", "ad10", "content"])
        #expect(server.output.lines.count { $0.contains("startBumper.unusable") } == 1)
        #expect(server.output.lines.contains { $0.contains("endBumper.unusable") })
    }

    @Test func `bumpers are fetched with the multivariant playlist, before a title is decided`() async throws {
        let world = FakeWorld()
        world.title(seconds: 60)
        world.answer(with: FakeAds.vmap(("00:00:20.000", ["ad10"])))
        let server = TestServer(world) { bumpers(&$0.titles[0]) }
        try await bumpersAreReady(server)
    }

    private func bumpersAreReady(_ server: TestServer) async throws {
        _ = try await server.text("/vod/film/other/master.m3u8")
        for name in ["startBumper.ready", "endBumper.ready"] {
            for _ in 0..<10_000 where !server.output.lines.contains(where: { $0.contains(name) }) { await Task.yield() }
            #expect(server.output.lines.contains { $0.contains(name) })
        }
    }

    @Test func `a title's breaks have them, and its own trackers stay with the ads`() async throws {
        let world = FakeWorld()
        world.title(seconds: 60)
        world.answer(with: FakeAds.vmap(("00:00:20.000", ["ad10", "ad6"])))
        let server = TestServer(world) { bumpers(&$0.titles[0]) }
        try await bumpersAreReady(server)
        let text = try await server.text("/vod/film/a/v0.m3u8")
        let uris = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        #expect(runs(uris) == ["content", "0", "1", "2", "3", "content"])
        for uri in uris where uri.hasPrefix("ad/") { _ = try await server.get("/vod/film/a/\(uri)") }
        for _ in 0..<60 {
            world.time.advance(by: .seconds(1))
            await server.beaconsAreSent()
        }
        let sent = world.sent.map(\.event)
        #expect(sent.count { $0 == "breakStart" } == 1 && sent.count { $0 == "breakEnd" } == 1)
        #expect(sent.count { $0 == "impression" } == 2 && sent.count { $0 == "complete" } == 2)
    }
}
