import HLS
import Stitching
import Testing
import Transport

@testable import Server

/// Origins that begin to count anew, and others that take the place of one that fails: sessions keep their numbers.
struct OriginChangeTests {
    private static let backup: @Sendable (inout Configuration) -> Void = { configuration in
        configuration.channels[0].backupOrigins = ["http://b/live/master.m3u8"]
        configuration.channels[0].failbackAfter = .seconds(20)
        configuration.titles[0].backupOrigins = ["http://b/vod/master.m3u8"]
    }

    private func folders(_ checker: ReloadChecker) -> [String] {
        var folders: [String] = []
        for uri in checker.uris where !uri.contains("/ads/") {
            let name = uri.hasPrefix("http://b/") ? "backup" : "primary"
            if folders.last != name { folders.append(name) }
        }
        return folders
    }

    @Test(arguments: [false, true])
    func
        `an encoder that starts again, outside and inside of a break: every session and rendition goes on (403 to 406, 502 to 504)`(
            hasAudio: Bool
        ) async throws
    {
        var channel = LiveChannelModel(hasSeparateAudio: hasAudio)
        channel.restarts = [74, 86, 126]
        let world = FakeWorld(channel, startingAt: 60)
        world.answer(with: FakeAds.vast("ad10", "ad10"))
        let server = TestServer(world)
        let renditions = hasAudio ? ["v0", "v1", "a-aud-en"] : ["v0", "v1"]
        var often: [String: ReloadChecker] = [:]
        var seldom: [String: ReloadChecker] = [:]
        var late: [String: ReloadChecker] = [:]
        for second in 0..<100 {
            for name in renditions {
                try often[name, default: ReloadChecker()].read(await server.text("/live/news/a/\(name).m3u8"))
                // The one asks seldom, the other joins behind two restarts.
                if second % 5 == 0 {
                    try seldom[name, default: ReloadChecker()].read(await server.text("/live/news/b/\(name).m3u8"))
                }
                if second >= 30 {
                    try late[name, default: ReloadChecker()].read(await server.text("/live/news/c/\(name).m3u8"))
                }
            }
            world.time.advance(by: .seconds(1))
        }
        for checkers in [often, seldom, late] {
            for (name, checker) in checkers { #expect(checker.problems.isEmpty, "\(name): \(checker.problems)") }
            // The same content has the same discontinuity number in all renditions.
            let leading = try #require(checkers["v0"]).entries.values
            for (name, checker) in checkers where name == "v1" {
                for entry in leading where !entry.uri.contains("/ads/") {
                    let twin = checker.entries.values.first { $0.uri == entry.uri.replacing("/v0/", with: "/v1/") }
                    #expect(twin?.discontinuity ?? entry.discontinuity == entry.discontinuity, "\(entry.uri)")
                }
            }
        }
        #expect(server.wiring.service.sources.values.first { $0.id.kind == .live }?.ledger?.epoch == 3)
        // Content of all epochs, nothing twice.
        let content = try #require(often["v0"]).uris.filter { !$0.contains("/ads/") }
        #expect(Set(content).count == content.count)
        #expect(content.contains { $0.contains("/63/") } || content.contains { $0.contains("/37/") })
    }

    @Test func `a backup takes the place of an origin that fails, and gives it back: numbers, dates and breaks go on`()
        async throws
    {
        let world = FakeWorld(startingAt: 60)
        world.answer(with: FakeAds.vast("ad10", "ad10"))
        let server = TestServer(world, Self.backup)
        var first = ReloadChecker()
        var second = ReloadChecker()
        var longest = 0
        var unchanged = 0
        var last = ""
        for tick in 0..<110 {
            if tick == 12 { world.fail("http://o/live", .status(503)) }
            if tick == 50 { world.fail("http://o/live", nil) }
            let text = try await server.text("/live/news/a/v0.m3u8")
            unchanged = text == last ? unchanged + 1 : 0
            longest = max(longest, unchanged)
            last = text
            try first.read(text)
            try second.read(await server.text("/live/news/a/v1.m3u8"))
            world.time.advance(by: .seconds(1))
            for _ in 0..<20 { await Task.yield() }
        }
        #expect(first.problems.isEmpty && second.problems.isEmpty, "\(first.problems) \(second.problems)")
        #expect(folders(first) == ["primary", "backup", "primary"])
        // Nothing is shown twice, and little is lost: the segments follow one another by their names.
        let numbers = first.uris.compactMap { uri in
            uri.contains("/ads/") ? nil : uri.split(separator: "seg-").last.flatMap { Int($0.prefix { $0.isNumber }) }
        }
        #expect(numbers == numbers.sorted())
        #expect(Set(numbers).count == numbers.count)
        #expect(longest <= 8)
        #expect(server.output.lines.count { $0.contains("origin.changed") } == 2)
    }

    @Test func `an origin that answers and brings nothing new is left, too`() async throws {
        let world = FakeWorld(startingAt: 100)
        let server = TestServer(world, Self.backup)
        var checker = ReloadChecker()
        try checker.read(await server.text("/live/news/a/v0.m3u8"))
        let frozen = LiveChannelModel().media(rendition: "v0", at: 100)
        world.fail("http://o/live/v0", .body(frozen))
        for _ in 0..<20 {
            world.time.advance(by: .seconds(1))
            try checker.read(await server.text("/live/news/a/v0.m3u8"))
        }
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        #expect(folders(checker) == ["primary", "backup"])
    }

    @Test func `a channel whose origin cannot be reached from the start is had at its backup`() async throws {
        let world = FakeWorld(startingAt: 100)
        world.fail("http://o/", .refused)
        let server = TestServer(world, Self.backup)
        #expect(try await server.text("/live/news/a/v0.m3u8").contains("http://b/live/v0/b/seg-"))
        #expect(try await server.text("/live/news/master.m3u8?stream_id=b").contains("b/v0.m3u8"))
    }

    @Test func `a process that begins while the origin in use fails has the channel at its backup`() async throws {
        let world = FakeWorld(startingAt: 100)
        let store = MemoryStore(isShared: true, time: world.time)
        var checker = ReloadChecker()
        try checker.read(await TestServer(world, store: store, Self.backup).text("/live/news/a/v0.m3u8"))
        world.time.advance(by: .seconds(2))
        world.fail("http://o/live/v", .status(503))
        for name in ["v0", "v1"] {
            let server = TestServer(world, store: store, Self.backup)
            let text = try await server.text("/live/news/a/\(name).m3u8")
            #expect(text.contains("http://b/live/\(name)/b/seg-"))
            if name == "v0" { try checker.read(text) }
        }
        #expect(checker.problems.isEmpty, "\(checker.problems)")
    }

    @Test func `a title is loaded from its backup where the first origin fails`() async throws {
        for path in ["http://o/vod", "http://o/vod/v0"] {
            let world = FakeWorld()
            world.answer(with: FakeAds.vast("ad6"))
            world.fail(path, .status(500))
            let server = TestServer(world, Self.backup)
            let playlist = try await server.text("/vod/film/a/v0.m3u8")
            #expect(playlist.contains("http://b/vod/v0/seg-0.ts"), "\(path)")
            #expect(playlist.contains("#EXT-X-ENDLIST"))
            #expect(try await server.text("/vod/film/a/v0.m3u8") == playlist)
        }
    }

    @Test func `without a backup nothing changes`() async throws {
        let world = FakeWorld(startingAt: 100)
        let server = TestServer(world)
        let before = try await server.text("/live/news/a/v0.m3u8")
        world.fail("http://o/live", .timeout)
        for _ in 0..<50 {
            world.time.advance(by: .seconds(1))
            #expect(try await server.text("/live/news/a/v0.m3u8") == before)
        }
    }

    @Test(arguments: [false, true])
    func `where the leading rendition's playlist fails, all go on by another variant's, and back`(hasAudio: Bool)
        async throws
    {
        let world = FakeWorld(LiveChannelModel(hasSeparateAudio: hasAudio), startingAt: 60)
        world.answer(with: FakeAds.vast("ad10"))
        let server = TestServer(world)
        let renditions = hasAudio ? ["v0", "v1", "a-aud-en"] : ["v0", "v1"]
        var checkers: [String: ReloadChecker] = [:]
        var longest: [String: Int] = [:]
        var unchanged: [String: (text: String, count: Int)] = [:]
        for tick in 0..<60 {
            if tick == 10 { world.fail("http://o/live/v0.m3u8", .status(404)) }
            if tick == 40 { world.fail("http://o/live/v0.m3u8", nil) }
            for name in renditions {
                let text = try await server.text("/live/news/a/\(name).m3u8")
                try checkers[name, default: ReloadChecker()].read(text)
                let before = unchanged[name]
                unchanged[name] = (text, before?.text == text ? (before?.count ?? 0) + 1 : 0)
                longest[name] = max(longest[name] ?? 0, unchanged[name]?.count ?? 0)
            }
            world.time.advance(by: .seconds(1))
        }
        for (name, checker) in checkers {
            #expect(checker.problems.isEmpty, "\(name): \(checker.problems)")
            #expect(longest[name] ?? 0 <= 6, "\(name): \(longest)")
        }
        let leading = try #require(checkers["v0"]).uris.filter { !$0.contains("/ads/") }
        #expect(leading.contains { $0.contains("/v1/") })
        #expect(leading.last?.contains("/v0/") ?? false)
        #expect(server.output.lines.contains { $0.contains("origin.standIn") })
    }
}
