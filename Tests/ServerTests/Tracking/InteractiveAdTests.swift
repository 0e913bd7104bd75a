import HLS
import Testing
import Transport
import VAST

@testable import Server

/// The three clients of Infillion's guide find what they read, over HTTP, and their seeks land where they should (section 13).
struct InteractiveAdTests {
    private func seconds(_ value: Double) -> Double { (value * 1_000).rounded() / 1_000 }

    // MARK: A manual ad break

    @Test
    func
        `a manual ad break: the player's own ad layer reads each ad, plays its placeholder to its end, or leaves the break`()
        async throws
    {
        let world = FakeWorld()
        world.title(seconds: 60, cues: [20: "#EXT-X-CUE-OUT:0\n#EXT-X-CUE-IN"])
        world.answer(
            with: InteractiveTags.vast(
                InteractiveTags.generic("tx", "trueX", sequence: 1), InteractiveTags.linear("ad10", sequence: 2),
                InteractiveTags.companion("ix", " IDVx ", sequence: 3), InteractiveTags.linear("ad5", sequence: 4)))
        let setup = try await SocketWorld.setUp(world) {
            $0.titles[0].tracking = .client
            // The films are files, and nobody makes HLS of them here.
            $0.titles[0].slate = $0.titles[0].origin.replacing("/vod/", with: "/ads/odd/")
        }
        // A title's slate is fetched with its first session, which this is.
        let player = try await InteractiveClient(setup, source: "film")
        let adBreak = try #require(player.breaks.first)
        #expect(player.breaks.count == 1)
        #expect(adBreak.ads.map(\.id) == ["tx", "ad10", "ix", "ad5"])
        #expect(adBreak.ads.map(\.position) == [1, 2, 3, 4])
        #expect(adBreak.ads.map(\.kind) == [.trueX, nil, .idvx, nil])
        #expect(adBreak.ads.map(\.isInteractive) == [true, false, true, false])

        // Byte for byte, but for the blanks around them.
        #expect(adBreak.ads[0].parameters == InteractiveTags.payload)
        #expect(adBreak.ads[0].payload?.string("user_id") == "viewer-0001")
        let companion = try #require(adBreak.ads[2].companions.first)
        #expect(companion.string("staticResource") == InteractiveTags.companion)
        #expect(companion.string("staticResourceCreativeType") == "application/json")
        #expect(companion.string("required") == "all")
        for (name, value) in [("id", "super_tag"), ("width", "960"), ("height", "540"), ("apiFramework", "truex")] {
            #expect(companion["attributes"]?.string(name) == value)
        }
        #expect(adBreak.ads[2].payload?.string("user_id") == "viewer-0002")

        // The gate opens where the content's marker is; each ad begins with the segment it is told to begin with.
        #expect(adBreak.start == 20)
        #expect(player.segment(beginningAt: 20)?.hasSuffix("/ads/odd/v0/seg-0.ts") == true)
        #expect(adBreak.ads.map { seconds($0.duration) } == [6.006, 10, 6.006, 5])
        for ad in adBreak.ads { #expect(player.segment(beginningAt: ad.start)?.hasSuffix("/seg-0.ts") == true) }

        // Without credit the pod goes on from the end of the placeholder.
        let first = adBreak.ads[0]
        #expect(player.segment(at: first.end - 0.1).hasSuffix("/ads/odd/v0/seg-2.ts"))
        #expect(player.segment(at: first.end + 0.1).hasSuffix("/ads/ad10/v0/seg-0.ts"))
        // With it the break is left: the next thing is the content that the break had held up.
        #expect(player.segment(at: adBreak.end - 0.1).hasSuffix("/ads/ad5/v0/seg-2.ts"))
        #expect(player.segment(at: adBreak.end + 0.1).hasSuffix("/vod/v0/seg-10.ts"))
        #expect(player.segment(beginningAt: adBreak.end)?.hasSuffix("/vod/v0/seg-10.ts") == true)
        // Who says what was seen is the player.
        #expect(setup.site.tracked().isEmpty)
        await setup.stop()
    }

    @Test
    func
        `without anything to take the place of its film an interactive ad is skipped as any other, and the next is told by its place`()
        async throws
    {
        let world = FakeWorld()
        world.answer(
            with: InteractiveTags.vast(
                InteractiveTags.linear("mp4-a", sequence: 1).replacing("application/x-mpegURL", with: "video/mp4")
                    .replacing("/mp4-a/master.m3u8", with: "/mp4-a.mp4"),
                InteractiveTags.generic("tx", "TRUEX", sequence: 2, media: InteractiveTags.hls("ad6")),
                InteractiveTags.generic("ix", "IDVX", sequence: 3), InteractiveTags.linear("ad5", sequence: 4)))
        let setup = try await SocketWorld.setUp(world) { $0.titles[0].tracking = .client }
        let player = try await InteractiveClient(setup, source: "film")
        let ads = try #require(player.breaks.first).ads
        // The ad before it has failed: TrueX is the first now (R-I6).
        #expect(ads.map(\.id) == ["tx", "ad5"])
        #expect(ads.map(\.position) == [1, 2])
        #expect(ads[0].isInteractive)
        await setup.stop()
    }

    // MARK: IMA, ads asked for by VMAP

    @Test(arguments: [true, false])
    func
        `IMA CSAI: the breaks of a VMAP lead to tags behind wrappers; each break asks anew, and a discarded one is left`(
            allowsMultipleAds: Bool
        ) async throws
    {
        let world = FakeWorld()
        world.answer(
            with: InteractiveTags.vmap(allowsMultipleAds: allowsMultipleAds, ("start", "pre"), ("00:00:20.000", "mid")))
        let pod = InteractiveTags.vast(
            InteractiveTags.wrapper("truex", sequence: 1), InteractiveTags.wrapper("idvx", sequence: 2),
            InteractiveTags.linear("ad10", sequence: 3), version: "3.0")
        world.fail("/tag/pre", .body(pod))
        world.fail("/tag/mid", .body(pod))
        world.fail(
            "/tag/truex",
            .body(
                InteractiveTags.vast(InteractiveTags.generic("super_tag", "trueX", media: InteractiveTags.hls("ad6")))))
        world.fail(
            "/tag/idvx",
            .body(
                InteractiveTags.vast(InteractiveTags.companion("super_tag", "IDVx", media: InteractiveTags.hls("odd"))))
        )
        let setup = try await SocketWorld.setUp(world) { $0.titles[0].tracking = .client }
        let player = try await InteractiveClient(setup, source: "film")
        #expect(player.breaks.count == 2)
        // What AdsManager gives of each: adSystem, traffickingParameters, companionAds, adPodInfo.
        for (adBreak, content) in zip(player.breaks, ["/vod/v0/seg-0.ts", "/vod/v0/seg-10.ts"]) {
            let ads = adBreak.ads
            #expect(ads.map(\.kind) == (allowsMultipleAds ? [.trueX, .idvx, nil] : [.trueX]))
            #expect(ads.map(\.position) == Array(1...ads.count))
            #expect(ads[0].isInteractive && ads[0].parameters == InteractiveTags.payload)
            #expect(
                ads.dropFirst().first.map { $0.companions.first?.string("staticResource") == InteractiveTags.companion }
                    ?? true)
            // All levels are told of the impression, also where the ad itself has none (R-I4).
            let impression = ads[0].json.list("trackingEvents").first { $0.string("eventType") == "impression" }
            #expect(
                impression?.list("beaconUrls").compactMap(\.string) == ["\(setup.site.base)/track/wrapper?ad=truex"])
            // adsManager.discardAdBreak(): the content is where the break ends.
            #expect(player.segment(at: adBreak.end + 0.1).hasSuffix(content))
            #expect(player.segment(beginningAt: adBreak.end)?.hasSuffix(content) == true)
            #expect(player.segment(at: ads[0].end - 0.1).hasSuffix("/ads/ad6/v0/seg-2.ts"))
        }
        // The parameters are of one break of one viewer, and the tag learns whose (R-I8, R-I9).
        #expect(setup.site.devices(of: "/tag/truex") == ["127.0.0.1", "127.0.0.1"])
        let other = try await InteractiveClient(setup, source: "film")
        #expect(other.breaks.count == 2)
        #expect(setup.site.paths.count { $0 == "/tag/truex" } == 4)
        #expect(setup.site.tracked().isEmpty)
        await setup.stop()
    }

    @Test func `no fill is silent: the pod goes on with the next ad, which counts as the first (R-I8)`() async throws {
        let world = FakeWorld()
        world.answer(
            with: InteractiveTags.vast(
                InteractiveTags.wrapper("truex", sequence: 1), InteractiveTags.wrapper("idvx", sequence: 2),
                InteractiveTags.linear("ad10", sequence: 3)))
        world.fail("/tag/truex", .body("<VAST version=\"2.0\"></VAST>"))
        world.fail(
            "/tag/idvx",
            .body(InteractiveTags.vast(InteractiveTags.companion("ix", "IDVx", media: InteractiveTags.hls("ad6")))))
        let setup = try await SocketWorld.setUp(world) { $0.titles[0].tracking = .client }
        let player = try await InteractiveClient(setup, source: "film")
        let ads = try #require(player.breaks.first).ads
        #expect(ads.map(\.kind) == [.idvx, nil])
        #expect(ads.map(\.position) == [1, 2])
        // The wrapper hears that there was no ad, nobody else hears anything.
        while setup.site.tracked().isEmpty { await Task.yield() }
        #expect(setup.site.tracked() == ["error"])
        await setup.stop()
    }

    // MARK: IMA, stitched

    @Test
    func
        `IMA SSAI: snapping back plays the break, first in its pod it is interactive, and credit goes on with what the viewer wanted`()
        async throws
    {
        let world = FakeWorld()
        world.title(
            seconds: 80,
            cues: [20: "#EXT-X-CUE-OUT:0\n#EXT-X-CUE-IN", 50: "#EXT-X-CUE-OUT:0\n#EXT-X-CUE-IN"])
        world.answer(
            with: InteractiveTags.vast(
                InteractiveTags.companion("tx", "trueX", sequence: 1, media: InteractiveTags.hls("odd")),
                InteractiveTags.linear("ad10", sequence: 2)),
            InteractiveTags.vast(
                InteractiveTags.linear("ad5", sequence: 1),
                InteractiveTags.generic("tx2", "trueX", sequence: 2, media: InteractiveTags.hls("odd"))))
        let setup = try await SocketWorld.setUp(world) { $0.titles[0].tracking = .client }
        let player = try await InteractiveClient(setup, source: "film")
        // Cue points, in stream time.
        #expect(player.breaks.map(\.start) == [20, 66.006])
        #expect(player.breaks.map { seconds($0.end) } == [36.006, 77.012])
        var played: Set<Double> = []
        /// Where the player goes that is asked to go to a time: back to the last break on the way that was not played.
        func destination(_ wanted: Double) -> Double {
            player.breaks.last { $0.start <= wanted && !played.contains($0.start) }?.start ?? wanted
        }
        let wanted = 60.0
        #expect(destination(wanted) == 20)
        let first = player.breaks[0]
        #expect(player.segment(beginningAt: destination(wanted))?.hasSuffix("/ads/odd/v0/seg-0.ts") == true)
        #expect(first.ads[0].isInteractive && first.ads[0].payload?.string("user_id") == "viewer-0002")
        // Opted out: just before the end of the placeholder, and the stitched pod goes on.
        #expect(player.segment(at: first.ads[0].end - 0.1).hasSuffix("/ads/odd/v0/seg-2.ts"))
        #expect(player.segment(beginningAt: first.ads[0].end)?.hasSuffix("/ads/ad10/v0/seg-0.ts") == true)
        // Credit: behind the break, on content, and on to where the viewer wanted to go.
        #expect(player.segment(at: first.end + 0.1).hasSuffix("/vod/v0/seg-10.ts"))
        played.insert(first.start)
        #expect(destination(wanted) == wanted)
        #expect(player.segment(at: wanted).contains("/vod/v0/"))
        // As the second of its pod it is a film like any other; operators are told.
        let second = player.breaks[1]
        #expect(destination(79) == second.start)
        #expect(second.ads.map(\.position) == [1, 2])
        #expect(!second.ads[1].isInteractive)
        #expect(second.ads[1].parameters == InteractiveTags.payload)
        #expect(player.segment(at: second.end + 0.1).hasSuffix("/vod/v0/seg-25.ts"))
        let warnings = setup.output.lines.filter { $0.contains("\"ad.interactive\"") }
        #expect(warnings.count == 1)
        #expect(warnings.allSatisfy { $0.contains("tx2 (TrueX) is ad 2 of its pod") })
        // Nothing of what the ads carry is written down (R-I9).
        for line in setup.output.lines {
            for secret in ["viewer-000", "eyJ1c2Vy", "vast_config_url"] { #expect(!line.contains(secret), "\(line)") }
        }
        #expect(setup.site.tracked().isEmpty)
        await setup.stop()
    }

    @Test
    func `live: the first ad of a break is interactive, and its times are those of the playlists to the millisecond`()
        async throws
    {
        let world = FakeWorld(startingAt: 70)
        world.answer(
            with: InteractiveTags.vast(
                InteractiveTags.generic("tx", "trueX", sequence: 1, media: InteractiveTags.hls("odd")),
                InteractiveTags.linear("ad10", sequence: 2)))
        let server = TestServer.tracked(world)
        var sum = Duration.zero
        var starts: [String: Duration] = [:]
        var told: InteractiveClient.Break?
        var seen: Int64 = -1
        for _ in 0..<45 {
            let playlist = try MediaPlaylist(parsing: Array(await server.text("/live/news/a/v0.m3u8").utf8))
            for segment in playlist.segments where segment.number > seen {
                starts[playlist.text(segment.uri)] = sum
                sum += segment.duration
                seen = segment.number
            }
            told = try await server.tracking("live/news/a").json.list("avails").first.map { .init(json: $0) } ?? told
            world.time.advance(by: .seconds(1))
        }
        let adBreak = try #require(told)
        #expect(adBreak.ads.map(\.isInteractive) == [true, false])
        func milliseconds(_ value: Double) -> Duration { .milliseconds(Int64((value * 1_000).rounded())) }
        #expect(starts["http://o/ads/odd/v0/seg-0.ts"] == milliseconds(adBreak.start))
        #expect(starts["http://o/ads/ad10/v0/seg-0.ts"] == milliseconds(adBreak.ads[0].end))
        #expect(starts["http://o/live/v0/seg-48.ts"] == milliseconds(adBreak.end))
    }
}
