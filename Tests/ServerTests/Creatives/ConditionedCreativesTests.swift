import Conditioning
import FoundationEssentials
import HLS
import Stitching
import Testing
import Transport

@testable import Server

private let installedTools = MediaTools.find("ffmpeg", searchPath: "/usr/local/bin:/usr/bin:/bin")

/// The real ffmpeg makes ads of a channel whose ad server has only files.
@Suite(.enabled(if: installedTools != nil, "ffmpeg is not installed"))
final class ConditionedCreativesTests {
    private let folder: String

    init() throws {
        folder =
            FileManager.default.temporaryDirectory.path() + "creatives-"
            + String(UInt64.random(in: .min ... .max), radix: 36)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A clip with pictures and sound.
    private func clip(_ name: String, seconds: Int, _ options: [String] = []) throws -> [UInt8] {
        let tools = try #require(installedTools)
        let arguments =
            [
                "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=\(seconds)", "-f",
                "lavfi",
                "-i", "sine=440:r=44100:d=\(seconds)", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac",
            ] + options + [name]
        let outcome = ChildProgram(tools.ffmpeg, arguments, in: folder, timeLimit: .seconds(60)).run()
        try #require(outcome.isSuccess, "\(String(decoding: outcome.errors, as: UTF8.self))")
        return [UInt8](try #require(FileManager.default.contents(atPath: "\(folder)/\(name)")))
    }

    private func server(
        _ world: FakeWorld, _ change: (inout Configuration) -> Void = { _ in }
    ) -> TestServer {
        let folder = folder
        return TestServer(world, tools: installedTools) {
            $0.conditioning.folder = "\(folder)/store"
            change(&$0)
        }
    }

    /// Polls for so long, and returns what was listed.
    private func watch(_ server: TestServer, _ rendition: String, seconds: Int) async throws -> ReloadChecker {
        var checker = ReloadChecker()
        for _ in 0..<seconds {
            try checker.read(await server.text("/live/news/a/\(rendition).m3u8"))
            server.world.time.advance(by: .seconds(1))
        }
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        return checker
    }

    /// Until nothing is made any more; the clock of the world stands still meanwhile.
    private func untilMade(_ server: TestServer) async throws {
        try await #require(server.wiring.conditioning).conditioner.becomesIdle()
    }

    @Test(arguments: [false, true])
    func `the first break skips an ad that is a file with 407, the second one shows it in every rendition`(
        hasSeparateAudio: Bool
    ) async throws {
        var channel = LiveChannelModel()
        channel.hasSeparateAudio = hasSeparateAudio
        let world = FakeWorld(channel, startingAt: 70)
        world.media("mp4-a.mp4", try clip("ad.mp4", seconds: 10))
        // What the channel's own media are like.
        world.media("/live/", try clip("content.ts", seconds: 1))
        world.answer(with: FakeAds.vast("mp4-a"))
        let server = server(world)
        let first = try await watch(server, "v0", seconds: 20)
        #expect(!first.uris.contains { $0.contains("/creatives/") })
        await server.beaconsAreSent()
        #expect(world.sent.filter { $0.event == "error" }.map { $0.parameter("code") } == ["407"])
        try await untilMade(server)
        #expect(server.metrics.creativesMade.value == 1)

        let second = try await watch(server, "v0", seconds: 70)
        let listed = second.uris.filter { $0.hasPrefix("/creatives/") }
        #expect(listed.count == 5)
        await server.beaconsAreSent()
        #expect(world.sent.contains { $0.event == "impression" })
        for rendition in hasSeparateAudio ? ["v1", "a-aud-en"] : ["v1"] {
            let playlist = try await server.text("/live/news/a/\(rendition).m3u8")
            #expect(playlist.contains("/creatives/"), "\(rendition)")
        }
        try await expectServed(try #require(listed.first), server)
    }

    private func expectServed(_ address: String, _ server: TestServer) async throws {
        let whole = try await server.get(address)
        #expect(whole.status == 200)
        #expect(whole.headers.contains { $0 == ("Cache-Control", "public, max-age=31536000, immutable") })
        let part = try await server.get(address, headers: [("Range", "bytes=10-19")])
        #expect(part.status == 206)
        #expect(part.body == Array(whole.body[10..<20]))
        #expect(part.headers.contains { $0 == ("Content-Range", "bytes 10-19/\(whole.body.count)") })
        let end = try await server.get(address, headers: [("Range", "bytes=-5")])
        #expect(end.body == Array(whole.body.suffix(5)))
        #expect(try await server.get(address, headers: [("Range", "bytes=\(whole.body.count)-")]).status == 416)
        let other = try await server.get(address, headers: [("Range", "bytes=0-1"), ("If-Range", "\"other\"")])
        #expect(other.status == 200)
        let tag = try #require(whole.headers.first { $0.0 == "ETag" }?.1)
        #expect(try await server.get(address, headers: [("Range", "bytes=0-1"), ("If-Range", tag)]).body.count == 2)
        // What the client has goes before the part that it wants.
        let known = try await server.get(
            address, headers: [("Range", "bytes=0-1"), ("If-None-Match", "\"x\", \(tag)")])
        #expect(known.status == 304 && known.body.isEmpty)
        #expect(try await server.get(address, headers: [("If-None-Match", "\"x\"")]).status == 200)
        let parts = try await server.get(address, headers: [("Range", "bytes=0-3, 10-12")])
        #expect(parts.status == 206)
        let type = try #require(parts.headers.first { $0.0 == "Content-Type" }?.1)
        let boundary = try #require(type.split(separator: "=").last)
        #expect(type.hasPrefix("multipart/byteranges; boundary="))
        var expected: [UInt8] = []
        for range in [0..<4, 10..<13] {
            expected += "--\(boundary)\r\nContent-Type: video/mp2t\r\nContent-Range: bytes ".utf8
            expected += "\(range.lowerBound)-\(range.upperBound - 1)/\(whole.body.count)\r\n\r\n".utf8
            expected += whole.body[range] + Array("\r\n".utf8)
        }
        if address.hasSuffix(".ts") { #expect(parts.body == expected + Array("--\(boundary)--\r\n".utf8)) }
        for wrong in [
            "/creatives/x/v0/00000.ts", "/creatives", address + "x",
            "/creatives/" + String(repeating: "0", count: 32) + "/contents",
        ] {
            #expect(try await server.get(wrong).status == 404, "\(wrong)")
        }
    }

    @Test func `an ad whose HLS is of another kind is made into the channel's`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.media("ads/other", try clip("ad.mp4", seconds: 10, ["-movflags", "+faststart"]))
        world.media("/live/", try clip("content.ts", seconds: 1))
        world.answer(with: FakeAds.vast("other"))
        let server = server(world)
        _ = try await watch(server, "v0", seconds: 20)
        try await untilMade(server)
        #expect(server.metrics.creativesMade.value == 1, "\(server.output.lines)")
        let second = try await watch(server, "v0", seconds: 70)
        #expect(second.uris.filter { $0.hasPrefix("/creatives/") }.count == 5)
        await server.beaconsAreSent()
        #expect(world.sent.filter { $0.event == "error" }.map { $0.parameter("code") } == ["407"])
        #expect(server.metrics.creativeHits.value > 0)
    }

    @Test func `a slate that is a file is there before anybody watches`() async throws {
        let world = FakeWorld(startingAt: 62)
        world.media("house.mp4", try clip("house.mp4", seconds: 4))
        world.media("/live/", try clip("content.ts", seconds: 1))
        let server = server(world) { $0.channels[0].slate = "http://o/house.mp4" }
        let source = try #require(server.wiring.service.sources[SourceID(kind: .live, name: "news")])
        while source.slate?.media == nil {
            await server.wiring.service.prepareHouseMedia(of: source)
            try await untilMade(server)
            world.time.advance(by: .seconds(1))
            await Task.yield()
        }
        #expect(source.slate?.media?.id.hasPrefix("/creatives/") == true)
        #expect(server.wiring.sessions.count == 0)
    }

    @Test func `a slate whose HLS is of another kind is made into the channel's`() async throws {
        let world = FakeWorld(startingAt: 62)
        world.media("ads/other", try clip("house.mp4", seconds: 10, ["-movflags", "+faststart"]))
        world.media("/live/", try clip("content.ts", seconds: 1))
        world.answer(with: FakeAds.vast())
        let server = server(world) { configuration in
            configuration.channels[0].slate = "http://o/ads/other/master.m3u8"
            configuration.channels[0].fill = .slate
        }
        _ = try await server.text("/live/news/a/v0.m3u8")
        while !server.output.lines.contains(where: { $0.contains("\"slate.conditioned") }) {
            _ = try await server.text("/live/news/a/v0.m3u8")
            await Task.yield()
        }
        while !server.output.lines.contains(where: { $0.contains("creative.made") }) {
            _ = try await server.text("/live/news/a/v0.m3u8")
            try await untilMade(server)
        }
        // It is looked at again after five seconds, on a clock that stands still until it is there.
        world.time.advance(by: .seconds(5))
        _ = try await server.text("/live/news/a/v0.m3u8")
        let slate = server.wiring.service.sources[SourceID(kind: .live, name: "news")]?.slate
        while slate?.media?.id.hasPrefix("/creatives/") != true { await Task.yield() }
        let checker = try await watch(server, "v0", seconds: 45)
        #expect(checker.uris.contains { $0.hasPrefix("/creatives/") })
    }

    @Test func `a file that cannot be used costs its own error from then on`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.media("mp4-a.mp4", Array("no video".utf8))
        world.media("/live/", try clip("content.ts", seconds: 1))
        world.answer(with: FakeAds.vast("mp4-a"))
        let server = server(world)
        _ = try await watch(server, "v0", seconds: 20)
        try await untilMade(server)
        #expect(server.metrics.creativesFailed.value == 1)
        _ = try await watch(server, "v0", seconds: 60)
        await server.beaconsAreSent()
        #expect(
            world.sent.filter { $0.event == "error" }.map { $0.parameter("code") } == ["407", "405"],
            "\(server.output.lines)")
        #expect(server.metrics.creativesFailed.value == 1)
    }

    @Test func `a slate that is a file is made as soon as the channel is known, and fills a break`() async throws {
        let world = FakeWorld(startingAt: 62)
        world.media("house.mp4", try clip("house.mp4", seconds: 4))
        world.media("/live/", try clip("content.ts", seconds: 1))
        world.answer(with: FakeAds.vast())
        let server = server(world) { configuration in
            configuration.channels[0].slate = "http://o/house.mp4"
            configuration.channels[0].fill = .slate
        }
        _ = try await server.text("/live/news/a/v0.m3u8")
        while !world.requests.contains(where: { $0.hasSuffix("house.mp4") }) { await Task.yield() }
        try await untilMade(server)
        // It is looked at again after five seconds. The clock stands still until it is there: its reading is no matter of that clock.
        world.time.advance(by: .seconds(5))
        _ = try await server.text("/live/news/a/v0.m3u8")
        while !server.output.lines.contains(where: { $0.contains("\"slate.") }) { await Task.yield() }
        let checker = try await watch(server, "v0", seconds: 40)
        #expect(checker.uris.filter { $0.hasPrefix("/creatives/") }.count >= 8)
        #expect(server.output.lines.contains { $0.contains("slate.ready") })
    }

    @Test(arguments: [
        ("bytes=0-0", ByteRangeRequest.part(0..<1)), ("bytes=5-", .part(5..<10)), ("bytes=5-99", .part(5..<10)),
        ("bytes=-3", .part(7..<10)), ("bytes=-99", .part(0..<10)), ("bytes=10-", .unsatisfiable),
        ("bytes=-0", .unsatisfiable),
        ("bytes=3-2", .whole), ("bytes=0-1, 3-4", .parts([0..<2, 3..<5])), ("bytes=0-3,3-4", .whole),
        ("bytes=0-1,99-", .part(0..<2)),
        ("bytes=99-,100-", .unsatisfiable), ("bytes=0-0,1-1,2-2,3-3,4-4,5-5,6-6,7-7,8-8", .whole),
        ("bytes=1-2,x", .whole), ("lines=0-1", .whole), ("bytes", .whole), ("", .whole),
        ("bytes=99999999999999999999-", .whole), ("bytes=0-9223372036854775807", .part(0..<10)), ("bytes=--1", .whole),
    ])
    func `ranges are read as RFC 9110 has them`(text: String, expected: ByteRangeRequest) {
        #expect(ByteRangeRequest(text, size: 10) == expected)
    }

    @Test
    func
        `the film below an interactive ad is the slate until its own is made: the ad is never skipped, and keeps its place`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.media("truexloadingplaceholder-30s.mp4", try clip("film.mp4", seconds: 6))
        world.media("/live/", try clip("content.ts", seconds: 1))
        world.answer(
            with: InteractiveTags.vast(
                InteractiveTags.generic("tx", "trueX", sequence: 1), InteractiveTags.linear("ad10", sequence: 2)))
        let server = server(world) {
            $0.channels[0].tracking = .client
            $0.channels[0].slate = "http://o/ads/odd/master.m3u8"
        }
        var told: [InteractiveClient.Break] = []
        for turn in 0..<2 {
            let listed = try await watch(server, "v0", seconds: turn == 0 ? 30 : 60)
            let films = listed.uris.filter { $0.contains(turn == 0 ? "/ads/odd/" : "/creatives/") }
            #expect(films.count == 3, "\(turn): \(listed.uris)")
            told.append(
                try #require(try await server.tracking("live/news/a").json.list("avails").last.map { .init(json: $0) }))
            try await untilMade(server)
        }
        for adBreak in told {
            #expect(adBreak.ads.map(\.id) == ["tx", "ad10"])
            #expect(adBreak.ads[0].isInteractive && adBreak.ads[0].parameters == InteractiveTags.payload)
        }
        #expect(told.map { ($0.ads[0].duration * 1_000).rounded() } == [6_006, 6_000])
        await server.beaconsAreSent()
        #expect(world.sent.isEmpty)
    }
}
