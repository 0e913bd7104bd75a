import HLS
import Testing
import Transport

@testable import Server

/// EVENT playlists: nothing is ever removed, lines are only added (rule 904), and one day they end.
struct EventTests {
    private func world(endsAt: Int? = nil) -> FakeWorld {
        var channel = LiveChannelModel()
        channel.isEvent = true
        channel.endsAt = endsAt
        let world = FakeWorld(channel, startingAt: 130)
        world.answer(with: FakeAds.vast("ad10", "ad6"), FakeAds.vast("ad6"), FakeAds.vast("ad20"))
        return world
    }

    private func body(_ text: String) -> Substring {
        text.hasSuffix("#EXT-X-ENDLIST\n") ? text.dropLast("#EXT-X-ENDLIST\n".count) : text[...]
    }

    @Test(arguments: [SourceOptions.PastBreaks.content, .stitch])
    func `lines are only added, from the first segment to the end of the event`(
        pastBreaks: SourceOptions.PastBreaks
    ) async throws {
        let world = world(endsAt: 172)
        let server = TestServer(world) { $0.channels[0].pastBreaks = pastBreaks }
        var last: [String: String] = [:]
        var checkers: [String: ReloadChecker] = [:]
        for _ in 0..<70 {
            for name in ["v0", "v1"] {
                let text = try await server.text("/live/news/a/\(name).m3u8")
                if let before = last[name] {
                    #expect(text.hasPrefix(body(before)), "\(name) at \(world.second)")
                    if before.hasSuffix("#EXT-X-ENDLIST\n") { #expect(text == before) }
                }
                last[name] = text
                try checkers[name, default: ReloadChecker()].read(text)
            }
            world.time.advance(by: .seconds(1))
        }
        for (name, checker) in checkers {
            #expect(checker.problems.isEmpty, "\(name): \(checker.problems)")
            let text = try #require(last[name])
            #expect(text.contains("\n#EXT-X-PLAYLIST-TYPE:EVENT\n") && text.contains("\n#EXT-X-MEDIA-SEQUENCE:0\n"))
            #expect(text.hasSuffix("#EXT-X-ENDLIST\n"))
            // Breaks at 20 and 80 lie before the session, that at 140 in it.
            let pods = text.matches(of: /#EXT-X-DISCONTINUITY\n/).count
            #expect(pods >= (pastBreaks == .stitch ? 6 : 2), "\(pods)")
        }
    }

    @Test func `a session that begins after the end has the whole event, and the end`() async throws {
        let world = world(endsAt: 120)
        let server = TestServer(world) { $0.channels[0].pastBreaks = .stitch }
        let text = try await server.text("/live/news/a/v0.m3u8")
        #expect(text.hasSuffix("#EXT-X-ENDLIST\n"))
        #expect(text.contains("v0/seg-0.ts\n"))
        #expect(text.contains("\nad/"))
        world.time.advance(by: .seconds(20))
        #expect(try await server.text("/live/news/a/v0.m3u8") == text)
    }

    @Test func `a channel whose origin ends ends, also inside a break, in all renditions`() async throws {
        var channel = LiveChannelModel()
        channel.endsAt = 92
        let world = FakeWorld(channel, startingAt: 70)
        world.answer(with: FakeAds.vast("ad20"))
        let server = TestServer(world)
        var checkers: [String: ReloadChecker] = [:]
        var last: [String: String] = [:]
        for _ in 0..<60 {
            for name in ["v0", "v1"] {
                let text = try await server.text("/live/news/a/\(name).m3u8")
                try checkers[name, default: ReloadChecker()].read(text)
                last[name] = text
            }
            world.time.advance(by: .seconds(1))
        }
        for (name, checker) in checkers {
            #expect(checker.problems.isEmpty, "\(name): \(checker.problems)")
            #expect(try #require(last[name]).hasSuffix("http://o/ads/ad20/\(name)/seg-9.ts\n#EXT-X-ENDLIST\n"))
        }
    }
}
