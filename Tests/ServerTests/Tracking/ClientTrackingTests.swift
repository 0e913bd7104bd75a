import HLS
import Testing
import Transport

@testable import Server

/// What players are told that report themselves what they show: MediaTailor's client-side tracking.
struct ClientTrackingTests {
    /// Σ of the durations of a media playlist's segments before each one of a number, in seconds.
    private struct Sums {
        private(set) var entries: [Int64: (uri: String, duration: Duration)] = [:]
        private var first: Int64?

        mutating func read(_ text: String) throws {
            let playlist = try MediaPlaylist(parsing: Array(text.utf8))
            for segment in playlist.segments {
                entries[segment.number] = (playlist.text(segment.uri), segment.duration)
            }
            first = first ?? playlist.segments.first?.number
        }

        func time(_ number: String) -> Double? {
            guard let number = Int64(number), let first, entries[number] != nil, first <= number else { return nil }
            let sum = (first..<number).reduce(Duration.zero) { $0 + (entries[$1]?.duration ?? .zero) }
            return sum.inSeconds
        }

        func uri(_ number: String) -> String? { Int64(number).flatMap { entries[$0]?.uri } }
    }

    // MARK: The answer

    @Test(arguments: [[["ad10", "ad6"]], [["ad5", "ad10"], ["ad5"], ["ad10", "ad5"]]])
    func
        `live: data are there when the ad plays; times, numbers and dates are the playlists', to the millisecond (R-K7, V48)`(
            pods: [[String]]
        ) async throws
    {
        let world = FakeWorld(startingAt: 70)
        let answers = pods.map { FakeAds.vast($0) }
        world.answer(with: answers[0], answers[min(1, answers.count - 1)], answers[answers.count - 1])
        let server = TestServer.tracked(world)
        var sums = Sums()
        var told: [String: TrackingAnswer.Avail] = [:]
        for _ in 0..<190 {
            let text = try await server.text("/live/news/a/v0.m3u8")
            try sums.read(text)
            let answer = try await server.tracking("live/news/a")
            // The data are there with the playlist that shows the ad (R-K7, V48).
            if text.contains("/ads/") { #expect(!answer.avails.isEmpty) }
            for avail in answer.avails {
                // Nothing of it is ever otherwise.
                if let before = told[avail.id] { #expect(avail == before) }
                told[avail.id] = avail
            }
            for ad in answer.avails.flatMap(\.ads) {
                let date = try #require(ad.date)
                guard let uri = sums.uri(ad.id), text.contains("\n\(uri)\n") else { continue }
                #expect(text.contains("#EXT-X-PROGRAM-DATE-TIME:\(date)\n"))
            }
            world.time.advance(by: .seconds(1))
        }
        #expect(told.count == 3)
        for (place, avail) in told.values.sorted(by: { $0.start < $1.start }).enumerated() {
            let names = pods[min(place, pods.count - 1)]
            #expect(avail.markerDuration == "PT20S")
            #expect(avail.start == sums.time(avail.id))
            #expect(avail.ads.map(\.vastID) == names.enumerated().map { "\($1)-\($0)" })
            #expect(avail.ads.map(\.duration) == names.compactMap { Double($0.dropFirst(2)) })
            #expect(avail.duration == avail.ads.reduce(0) { $0 + $1.duration })
            for ad in avail.ads { try check(ad, sums) }
        }
    }

    private func check(_ ad: TrackingAnswer.Ad, _ sums: Sums) throws {
        #expect(ad.start == sums.time(ad.id))
        #expect(sums.uri(ad.id)?.hasSuffix("/seg-0.ts") ?? false)
        #expect(ad.events.map(\.type) == ["impression"] + FakeAds.events + ["error"])
        let timed = ad.events.dropLast()
        #expect(timed.map { $0.start - ad.start } == [0, 0, 0.25, 0.5, 0.75, 1].map { $0 * ad.duration })
        #expect(ad.event("impression")?.duration == ad.duration)
        #expect(ad.event("start")?.duration == 0)
        for event in timed.dropLast() {
            let begin = try #require(sums.time(event.id))
            #expect(begin <= event.start && event.start < begin + 2, "\(event)")
        }
        // An ad is complete in its last segment.
        let last = try #require(timed.last)
        #expect(sums.uri(last.id)?.hasSuffix("/seg-\(Int((ad.duration + 1) / 2) - 1).ts") ?? false)
    }

    @Test func `an ad is as long as its media, whatever its Duration says (V49, R-T4)`() async throws {
        let world = FakeWorld(startingAt: 70)
        let claim = FakeAds.vast("ad6")
        #expect(claim.contains("<Duration>00:00:10</Duration>"))
        world.answer(with: claim)
        let server = TestServer.tracked(world)
        var sums = Sums()
        var told: TrackingAnswer.Ad?
        for _ in 0..<40 {
            try sums.read(await server.text("/live/news/a/v0.m3u8"))
            told = try await server.tracking("live/news/a").avails.first?.ads.first ?? told
            world.time.advance(by: .seconds(1))
        }
        let shown = sums.entries.values.filter { $0.uri.contains("/ads/ad6/") }
        #expect(shown.reduce(Duration.zero) { $0 + $1.duration } == .seconds(6))
        let ad = try #require(told)
        #expect(ad.duration == 6)
        #expect(ad.event("midpoint").map { $0.start - ad.start } == 3)
        #expect(ad.event("complete").map { $0.start - ad.start } == 6)
    }

    @Test func `a pre-roll is told where it lies in the stream`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad5"), FakeAds.vast("ad10", "ad5"))
        let server = TestServer.tracked(world) { $0.channels[0].preroll = ["main"] }
        var sums = Sums()
        var told: [String: TrackingAnswer.Avail] = [:]
        for _ in 0..<60 {
            try sums.read(await server.text("/live/news/a/v0.m3u8"))
            for avail in try await server.tracking("live/news/a").avails { told[avail.id] = avail }
            world.time.advance(by: .seconds(1))
        }
        #expect(told.count == 2)
        for avail in told.values {
            #expect(avail.start == sums.time(avail.id))
            for ad in avail.ads { try check(ad, sums) }
        }
    }

    /// What plays at a time of the stream.
    private func segment(at time: Double, of playlist: String) throws -> String? {
        let playlist = try MediaPlaylist(parsing: Array(playlist.utf8))
        var end = 0.0
        for segment in playlist.segments {
            end += segment.duration.inSeconds
            if time < end { return playlist.text(segment.uri) }
        }
        return nil
    }

    @Test func `an interactive ad leads its pod; a tenth of a second decides where its player goes on (R-I5, R-I7)`()
        async throws
    {
        let world = FakeWorld()
        let linear = FakeAds.vast("ad10", "ad5").replacing("<VAST version=\"4.2\">", with: "")
            .replacing("sequence=\"2\"", with: "sequence=\"3\"").replacing("sequence=\"1\"", with: "sequence=\"2\"")
        world.answer(with: FakeAds.interactive.replacing("</VAST>", with: linear))
        let server = TestServer.tracked(world)
        let playlist = try await server.text("/vod/film/a/v0.m3u8")
        let avail = try #require(try await server.tracking("vod/film/a").avails.first)
        #expect(avail.ads.map(\.vastID) == ["x1", "ad10-0", "ad5-1"])
        let interactive = avail.ads[0]
        // Without credit it goes on at the end of its own ad; with it, behind the break.
        #expect(
            try segment(at: interactive.start + interactive.duration - 0.1, of: playlist)?.contains("/ads/ad6/") == true
        )
        #expect(
            try segment(at: interactive.start + interactive.duration + 0.1, of: playlist)?.contains("/ads/ad10/")
                == true)
        #expect(try segment(at: avail.start + avail.duration - 0.1, of: playlist)?.contains("/ads/ad5/") == true)
        #expect(try segment(at: avail.start + avail.duration + 0.1, of: playlist) == "http://o/vod/v0/seg-0.ts")
    }

    @Test func `with ads in the breaks of the DVR window the timeline begins with its first segment`() async throws {
        let world = FakeWorld(LiveChannelModel(windowSegments: 60), startingAt: 130)
        world.answer(with: FakeAds.vast("ad5"), FakeAds.vast("ad10", "ad5"))
        let server = TestServer.tracked(world) { $0.channels[0].pastBreaks = .stitch }
        var sums = Sums()
        try sums.read(await server.text("/live/news/a/v0.m3u8"))
        let avails = try await server.tracking("live/news/a").avails
        #expect(avails.count == 2)
        for avail in avails { #expect(avail.start == sums.time(avail.id)) }
        #expect(avails.flatMap(\.ads).map(\.start) == avails.flatMap(\.ads).map { sums.time($0.id) })
    }

    @Test func `the server reports nothing of what the player reports, but what was never shown`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "mp4", "ad6"))
        let server = TestServer.tracked(world)
        for _ in 0..<70 {
            _ = try await server.text("/live/news/a/v0.m3u8")
            _ = try await server.tracking("live/news/a")
            world.time.advance(by: .seconds(1))
            await server.beaconsAreSent()
        }
        #expect(world.sent.map(\.event) == ["error"])
        #expect(world.sent.map { $0.parameter("ad") } == ["1"])
    }

    @Test func `where the server reports, the player is told when, and no address to call (R-K6)`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        let servers = [TestServer.tracked(world), TestServer.tracked(world, by: .server)]
        var answers: [TrackingAnswer] = []
        for server in servers {
            _ = try await server.text("/live/news/a/v0.m3u8")
        }
        world.time.advance(by: .seconds(14))
        for server in servers {
            _ = try await server.text("/live/news/a/v0.m3u8")
            answers.append(try await server.tracking("live/news/a"))
        }
        #expect(!answers[0].urls.isEmpty)
        #expect(answers[1].urls.isEmpty)
        let times = answers.map {
            $0.avails.flatMap(\.ads).map { ad in
                ad.events.filter { $0.type != "error" }.map { "\(ad.id) \($0.type) \($0.start)" }
            }
        }
        #expect(times[0] == times[1])
        #expect(times[0].count == 2)
    }

    @Test func `an early return makes the ad shorter, and what it no longer comes to is not told`() async throws {
        var channel = LiveChannelModel(breakSeconds: 8)
        channel.outLines = ["#EXT-X-CUE-OUT:20"]
        let world = FakeWorld(channel, startingAt: 70)
        world.answer(with: FakeAds.vast("ad6", "ad10"))
        let server = TestServer.tracked(world)
        var sums = Sums()
        var told: [TrackingAnswer.Avail] = []
        for _ in 0..<50 {
            try sums.read(await server.text("/live/news/a/v0.m3u8"))
            told += try await server.tracking("live/news/a").avails
            world.time.advance(by: .seconds(1))
        }
        let (first, last) = (try #require(told.first), try #require(told.last))
        #expect(first.duration == 16)
        let shown = sums.entries.values.filter { $0.uri.contains("/ads/") }
        #expect(last.duration == shown.reduce(0) { $0 + $1.duration.inSeconds })
        #expect(last.duration < first.duration)
        #expect(last.ads.map(\.id) == Array(first.ads.map(\.id).prefix(last.ads.count)))
        let cut = try #require(last.ads.last)
        #expect(cut.start + cut.duration == last.start + last.duration)
        #expect(cut.event("complete") == nil)
        #expect(cut.events.allSatisfy { $0.start <= last.start + last.duration })
        #expect(last.ads.first?.event("complete") != nil)
    }

    @Test func `a viewer who joins inside a break is told of the ads for the rest`() async throws {
        let world = FakeWorld(startingAt: 87)
        world.answer(with: FakeAds.vast("ad6"))
        let server = TestServer.tracked(world) { $0.channels[0].join = .fit }
        var sums = Sums()
        var told: [TrackingAnswer.Avail] = []
        for _ in 0..<30 {
            try sums.read(await server.text("/live/news/a/v0.m3u8"))
            told += try await server.tracking("live/news/a").avails
            world.time.advance(by: .seconds(1))
        }
        let avail = try #require(told.last)
        #expect(avail.start == sums.time(avail.id))
        #expect(sums.uri(avail.id)?.contains("/ads/ad6/v0/seg-0") ?? false)
        #expect(Set(told.map(\.id)).count == 1)
    }

    @Test func `slate and bumpers belong to the break and are no ads`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad6"))
        let server = TestServer.tracked(world) {
            $0.channels[0].slate = "http://o/ads/ad10/master.m3u8"
            $0.channels[0].fill = .slate
            $0.channels[0].startBumper = "http://o/ads/ad5/master.m3u8"
        }
        _ = try await server.text("/live/news/a/v0.m3u8")
        for _ in 0..<20 {
            world.time.advance(by: .seconds(1))
            _ = try await server.text("/live/news/a/v0.m3u8")
        }
        let avail = try #require(try await server.tracking("live/news/a").avails.first)
        #expect(avail.ads.map(\.vastID) == ["ad6-0"])
        #expect(avail.ads.first.map { $0.start - avail.start } == 5)
        #expect(avail.duration > 11)
    }

    @Test func `a title: all breaks, with times of the whole stream, and the schedule's own trackers`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.vmap(("start", ["ad6"]), ("00:00:20", ["ad10", "ad5"]), ("end", ["ad5"])))
        let server = TestServer.tracked(world)
        var sums = Sums()
        let text = try await server.text("/vod/film/a/v0.m3u8")
        try sums.read(text)
        // Players ask for the ads where they lie.
        #expect(text.contains("http://o/ads/ad6/v0/seg-0.ts"))
        let avails = try await server.tracking("vod/film/a").avails
        #expect(avails.map(\.start) == [0, 26, 81])
        #expect(avails.map(\.duration) == [6, 15, 5])
        for avail in avails {
            #expect(avail.start == sums.time(avail.id))
            #expect(avail.date == nil)
            #expect(avail.ads.map(\.start) == avail.ads.map { sums.time($0.id) })
            #expect(avail.events.map(\.type) == ["breakStart", "breakEnd"])
            #expect(avail.events.map(\.start) == [avail.start, avail.start + avail.duration])
            #expect(!avail.ads.flatMap(\.events).contains { $0.type.hasPrefix("break") })
        }
        #expect(world.sent.isEmpty)
    }

    @Test func `addresses come with the macros filled that are known, the player's own left (R-Y1)`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.interactive)
        let server = TestServer.tracked(world)
        _ = try await server.text("/vod/film/a/v0.m3u8")
        let ad = try #require(try await server.tracking("vod/film/a").avails.first?.ads.first)
        #expect(
            ad.event("impression")?.urls == [
                "http://track/imp?cb=[CACHEBUSTING]&side=0&pos=1&n=1&who=[PLAYERSTATE]"
            ])
        #expect(ad.event("start")?.urls == ["http://track/start?t=[ADPLAYHEAD]"])
        #expect(ad.event("clickThrough")?.urls == ["http://shop/?s=0"])
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
