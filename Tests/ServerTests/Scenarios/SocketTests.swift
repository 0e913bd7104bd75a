import HLS
import Synchronization
import Testing
import Transport
import VAST

@testable import Server

/// The whole server between a player, an origin and an ad server, each on a socket of loopback.
struct SocketTests {
    @Test func `a viewer watches content, ads and content, and each beacon arrives once, in order`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        let setup = try await SocketWorld.setUp(world)
        let expected = (["impression"] + FakeAds.events) + (["impression"] + FakeAds.events)
        var checker = ReloadChecker()
        for _ in 0..<60 {
            let response = try await setup.get("/live/news/u:LOC/v0.m3u8")
            try #require(response.status == 200)
            try checker.read(String(decoding: response.body, as: UTF8.self))
            world.time.advance(by: .seconds(1))
        }
        while setup.site.tracked().count < expected.count { await Task.yield() }
        #expect(checker.problems.isEmpty, "\(checker.problems)")
        #expect(checker.uris.contains { $0.hasPrefix("\(setup.site.base)/ads/ad6/v0/") })
        #expect(setup.site.tracked() == expected)
        await setup.stop()
    }

    @Test func `a byte range at the end of all numbers is not asked for`() async throws {
        let group = try EventLoopGroup(count: 1)
        let client = HTTPClient(group: group)
        let upstream = HTTPUpstream(client: client, options: NetworkOptions(), metrics: Metrics())
        // The first sum above the last number, and the number itself.
        for offset in [Int64.max - 18_799, .max, -1] {
            let bytes = await upstream.beginning(
                ofMedia: "http://127.0.0.1:9/a.ts", from: offset, isNamedByAnswer: false)
            #expect(bytes == nil)
        }
        await client.shutdown()
        await group.shutdown()
    }

    @Test func `trackers get the cookies of their own viewer's ad server (R-H6, V42)`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let setup = try await SocketWorld.setUp(world) { configuration in
            guard case .vast(var options)? = configuration.adProviders["main"] else { return }
            options.url += "?viewer=[session.id]"
            configuration.adProviders["main"] = .vast(options)
        }
        for _ in 0..<60 {
            for viewer in ["anna", "ben"] { _ = try await setup.get("/live/news/\(viewer)/v0.m3u8") }
            world.time.advance(by: .seconds(1))
        }
        while setup.site.tracked().count < 12 { await Task.yield() }
        #expect(setup.site.cookies(of: "/track/") == ["viewer=anna", "viewer=ben"])
        #expect(setup.site.cookies(of: "/live/") == [""])
        await setup.stop()
    }

    @Test(arguments: [false, true])
    func `operators see what became of each ad of a session, without its secrets`(keepsBodies: Bool) async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("mp4-a", "ad10"))
        let setup = try await SocketWorld.setUp(world) { configuration in
            configuration.server.adDebugging.keepsBodies = keepsBodies
            guard case .vast(var options)? = configuration.adProviders["main"] else { return }
            options.url += "?token=SECRET&dur=[session.avail_duration_secs]"
            configuration.adProviders["main"] = .vast(options)
        }
        for _ in 0..<60 {
            _ = try await setup.get("/live/news/u:LOC/v0.m3u8?key=PRIVATE")
            world.time.advance(by: .seconds(1))
        }
        while setup.site.tracked().count < 7 { await Task.yield() }
        func admin(_ path: String) async throws -> (status: Int, text: String) {
            let response = try await setup.client.fetch(HTTPClientRequest(url: setup.admin + path))
            return (response.status, String(decoding: response.body, as: UTF8.self))
        }
        let answer = try await admin("/sessions/u%3ALOC")
        #expect(answer.status == 200)
        #expect(!answer.text.contains("SECRET") && !answer.text.contains("PRIVATE"))
        let report = try JSON5Parser.parse(Array(answer.text.utf8))
        let adBreak = try #require(report.list("breaks").first)
        #expect(report.list("breaks").count == 1)
        #expect(adBreak.number("plannedMilliseconds") == 20_000)
        let request = try #require(adBreak.list("requests").first)
        #expect(adBreak.list("requests").count == 1)
        #expect(request.string("url") == "\(setup.site.base)/vast?token=…&dur=…")
        #expect(request.string("outcome") == "answered" && request.number("bytes") > 500)
        #expect(request["body"]?.string?.contains("<VAST") ?? false == keepsBodies)
        let ads = adBreak.list("ads")
        #expect(ads.map { $0.string("id") } == ["ad10-1", "mp4-a-0"])
        #expect(ads.map { $0.string("fate") } == ["shown", "skipped"])
        #expect(ads.first?.number("durationMilliseconds") == 10_000)
        #expect(ads.last?.string("reason").isEmpty == false)
        #expect(adBreak["decision"]?.string("kind") == "ads")
        let beacons = adBreak.list("beacons")
        #expect(beacons.map { $0.string("event") } == ["error", "impression"] + FakeAds.events)
        #expect(beacons.allSatisfy { $0.string("outcome") == "delivered, 204" })
        #expect(beacons.last?.string("url") == "\(setup.site.base)/track/complete?tag=…&ad=…&t=…")
        // By the name of the logs, too; in the list; and nothing of others.
        #expect(try await admin("/sessions/\(report.string("session"))").text == answer.text)
        #expect(try await admin("/sessions").text.contains(report.string("session")))
        #expect(try await admin("/sessions/nobody").status == 404)
        #expect(try await setup.get("/sessions/u%3ALOC").status == 404)
        await setup.stop()
    }

    @Test(arguments: [SourceOptions.Tracking.client, .relay])
    func `a player written for MediaTailor reports what it plays, and each beacon arrives once, in order`(
        mode: SourceOptions.Tracking
    ) async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        let setup = try await SocketWorld.setUp(world) { $0.channels[0].tracking = mode }
        let started = try await setup.get("/v1/session/news?ads.section=a")
        let addresses = String(decoding: started.body, as: UTF8.self).split(separator: "\"").map(String.init)
        let manifest = try #require(addresses.first { $0.hasSuffix("/master.m3u8") })
        let tracking = try #require(addresses.first { $0.hasPrefix("/v1/tracking/") })
        var reported: Set<String> = []
        var checker = ReloadChecker()
        for _ in 0..<60 {
            let playlist = try await setup.get(manifest.replacing("master.m3u8", with: "v0.m3u8"))
            try checker.read(String(decoding: playlist.body, as: UTF8.self))
            let response = try await setup.get(tracking, headers: [("Origin", "https://tv.example")])
            try #require(response.status == 200)
            #expect(response.headers.contains { $0.name.lowercased() == "access-control-allow-origin" })
            // It plays six seconds behind the end of what is listed.
            let listed = checker.entries.values.reduce(Duration.zero) { $0 + $1.duration }
            let playhead = Double((listed - .seconds(6)).components.seconds)
            let answer = try TrackingAnswer(String(decoding: response.body, as: UTF8.self))
            for event in answer.avails.flatMap(\.ads).flatMap(\.events)
            where event.start <= playhead && event.type != "error" {
                guard reported.insert("\(event.id) \(event.type)").inserted else { continue }
                for url in event.urls {
                    let url = url.replacing("[CACHEBUSTING]", with: "1").replacing("[ADPLAYHEAD]", with: "2")
                    let target = url.hasPrefix("/") ? setup.base + url : url
                    #expect(try await setup.client.fetch(HTTPClientRequest(url: target)).status == 204)
                }
            }
            world.time.advance(by: .seconds(1))
        }
        let expected = (["impression"] + FakeAds.events) + (["impression"] + FakeAds.events)
        while setup.site.tracked().count < expected.count { await Task.yield() }
        #expect(setup.site.tracked() == expected)
        await setup.stop()
    }

    @Test func `a channel's slate is fetched before anybody watches`() async throws {
        let setup = try await SocketWorld.setUp(FakeWorld(startingAt: 70)) { configuration in
            let origin = configuration.channels[0].origin
            configuration.channels[0].slate = origin.replacing("live", with: "ads/ad6")
            configuration.channels[0].fill = .slate
        }
        while !setup.output.lines.contains(where: { $0.contains("slate.ready") }) { await Task.yield() }
        #expect(setup.site.paths.allSatisfy { $0.hasPrefix("/ads/ad6/") })
        await setup.stop()
    }

    @Test func `hosts that an ad answer names may not lie inside, what the operator names may (R-H5)`() async throws {
        let world = FakeWorld(startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let setup = try await SocketWorld.setUp(world, allowPrivate: false)
        for _ in 0..<20 {
            let response = try await setup.get("/live/news/a/v0.m3u8")
            #expect(response.status == 200)
            #expect(!String(decoding: response.body, as: UTF8.self).contains("/ads/"))
            world.time.advance(by: .seconds(1))
        }
        while !setup.output.lines.contains(where: { $0.contains("beacon.failed") }) { await Task.yield() }
        #expect(setup.site.paths.contains("/vast"))
        #expect(!setup.site.paths.contains { $0.hasPrefix("/ads/") || $0.hasPrefix("/track/") })
        #expect(setup.output.lines.contains { $0.contains("break.content") && $0.contains("refusedAddress") })
        for event in ["break.content", "beacon.failed"] {
            #expect(
                setup.output.lines.contains { $0.contains(event) && $0.contains("network.allowPrivateUpstreams") },
                "\(event) names the option")
        }
        await setup.stop()
    }

    @Test func `the admin address tells whether the server lives and wants viewers`() async throws {
        let setup = try await SocketWorld.setUp(FakeWorld())
        for path in ["/healthz", "/readyz"] {
            #expect(try await setup.client.fetch(HTTPClientRequest(url: setup.admin + path)).status == 200)
        }
        #expect(try await setup.client.fetch(HTTPClientRequest(url: setup.admin + "/other")).status == 404)
        #expect(try await setup.get("/healthz").status == 404)
        await setup.stop()
    }

    @Test func `a server has told others that it is there before a viewer comes, and knows of another within a second`()
        async throws
    {
        let time = ManualTimeSource()
        let shared = MemoryStore(isShared: true, time: time)
        let output = RecordingLogOutput()
        let group = try EventLoopGroup(count: 1)
        var configuration = Configuration()
        configuration.server.listen.port = 0
        configuration.server.admin = nil
        configuration.conditioning.isEnabled = false
        let server = try PodstitchServer(
            configuration: configuration, log: Log(level: .debug, output: output), time: time, group: group,
            store: shared)
        _ = try await server.start()
        let other = ResilientStore(shared, time: time, log: .silent, metrics: Metrics())
        await other.announce()
        #expect(other.isOneOfSeveral)
        // Housekeeping and the beacons' turn.
        await time.waitForSleepers(2)
        #expect(!output.lines.contains { $0.contains("store.shared") })
        time.advance(by: .seconds(1))
        await time.waitForSleepers(2)
        #expect(output.lines.contains { $0.contains("store.shared") })
        await server.stop()
        await group.shutdown()
    }

    @Test func `a port in use is told in a sentence`() async throws {
        let setup = try await SocketWorld.setUp(FakeWorld())
        var configuration = Configuration()
        configuration.server.admin = nil
        configuration.server.store = .memory
        configuration.server.listen.port = try #require(UInt16(setup.base.split(separator: ":").last ?? ""))
        let second = try PodstitchServer(configuration: configuration, log: .silent, group: setup.group)
        await #expect(throws: TransportError(.addressInUse, "")) { try await second.start() }
        await second.stop()
        await setup.stop()
    }

    @Test func `HEAD, gzip, entity tags and CORS work on playlists (rules 1502, 1503)`() async throws {
        let setup = try await SocketWorld.setUp(FakeWorld())
        let path = "/live/news/a/v0.m3u8"
        let whole = try await setup.get(path, headers: [("Origin", "https://player.example")])
        #expect(whole.header("Access-Control-Allow-Origin") == "*")
        #expect(whole.header("Content-Type") == "application/vnd.apple.mpegurl")
        let tag = try #require(whole.entityTag)
        #expect(try await setup.get(path, headers: [("If-None-Match", tag)]).status == 304)
        var head = HTTPClientRequest(url: setup.base + path)
        head.method = .head
        let answer = try await setup.client.fetch(head)
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        await setup.stop()
    }

    @Test func `many viewers at once are few requests to the origin`() async throws {
        let setup = try await SocketWorld.setUp(FakeWorld())
        try await withThrowingTaskGroup(of: Int.self) { group in
            for viewer in 0..<100 { group.addTask { try await setup.get("/live/news/s\(viewer)/v1.m3u8").status } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(setup.site.paths.sorted() == ["/live/master.m3u8", "/live/v0.m3u8", "/live/v1.m3u8"])
        await setup.stop()
    }
}
