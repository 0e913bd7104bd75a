import SCTE35
import Stitching
import Testing
import Transport

@testable import Server

/// What markers tell the ad server, and how an operator has them read.
struct MarkerTests {
    private static func message(_ upid: SegmentationUPID) throws -> String {
        try SpliceInfoSection(
            command: .timeSignal(TimeSignal(SpliceTime(PresentationTime(ticks: 900_000)))),
            descriptors: [
                .segmentation(
                    SegmentationDescriptor(
                        eventID: 4711,
                        segmentation: SegmentationDescriptor.Segmentation(
                            type: SegmentationType(rawValue: 0x34), upid: upid, durationTicks: 20 * 90_000)))
            ]
        ).base64()
    }

    private static func poll(_ server: TestServer, _ renditions: [String], seconds: Int) async throws -> [String: Int] {
        var ads: [String: Set<String>] = [:]
        for _ in 0..<seconds {
            for rendition in renditions {
                let text = try await server.text("/live/news/a/\(rendition).m3u8")
                for line in text.split(separator: "\n") where line.contains("/ads/") && !line.hasPrefix("#") {
                    ads[rendition, default: []].insert(String(line))
                }
            }
            server.world.time.advance(by: .seconds(1))
        }
        return ads.mapValues(\.count)
    }

    @Test func `fields of the SCTE-35 message and of EXT-X-ASSET stand in the ad server's URL`() async throws {
        var channel = LiveChannelModel()
        let upid = SegmentationUPID(
            kind: .mpu, bytes: Array(#"PODB{"assetId":"my program","cueData":{"key":"pb","value":12}}"#.utf8))
        channel.outLines = [
            "#EXT-X-ASSET:CAID=0x01,GENRE=a%2Fb", "#EXT-X-SPLICEPOINT-SCTE35:\(try Self.message(upid))",
        ]
        let world = FakeWorld(channel, startingAt: 70)
        world.answer(with: FakeAds.vast("ad10", "ad6"))
        let server = TestServer(world) { configuration in
            configuration.adProviders["main"] = .vast(
                VASTProviderOptions(
                    url: "http://a/vast?e=[scte.event_id]&t=[scte.segmentation_type_id]&n=[scte.avail_num]"
                        + "&a=[scte.segmentation_upid.assetId]&k=[scte.segmentation_upid.cueData.key]"
                        + "&v=[scte.segmentation_upid.cueData.value]&g=[asset.GENRE]&d=[session.avail_duration_secs]"))
        }
        let ads = try await Self.poll(server, ["v0"], seconds: 30)
        #expect(ads == ["v0": 8])
        #expect(world.adRequests.map(\.url) == ["http://a/vast?e=4711&t=52&n=&a=my%20program&k=pb&v=12&g=a%2Fb&d=20"])
    }

    @Test func `with markerRenditions all a marker of one variant makes a break in every one`() async throws {
        for option in SourceOptions.MarkerRenditions.allCases {
            var channel = LiveChannelModel()
            channel.markedRendition = "v1"
            let world = FakeWorld(channel, startingAt: 70)
            world.answer(with: FakeAds.vast("ad10", "ad6"))
            let server = TestServer(world) { $0.channels[0].markerRenditions = option }
            let ads = try await Self.poll(server, ["v0", "v1"], seconds: 30)
            #expect(ads == (option == .all ? ["v0": 8, "v1": 8] : [:]), "\(option)")
        }
    }

    @Test func `markers of the origin and own ones stand in playlists as the operator says`() async throws {
        for (origin, own) in [(MarkerPassthrough.none, BreakMarks.cue), (.all, .dateRange), (.unstitched, .none)] {
            let world = FakeWorld(LiveChannelModel(), startingAt: 70)
            world.answer(with: FakeAds.vast("ad10", "ad6"))
            let server = TestServer(world) {
                $0.channels[0].adMarkers = origin
                $0.channels[0].breakMarkers = own
            }
            var lines: Set<Substring> = []
            for _ in 0..<40 {
                lines.formUnion(try await server.text("/live/news/a/v0.m3u8").split(separator: "\n"))
                world.time.advance(by: .seconds(1))
            }
            #expect(lines.contains("#EXT-X-CUE-OUT:20.000") == (origin == .all))
            #expect(lines.contains { $0.hasPrefix("#EXT-X-CUE-OUT:DURATION=16,BREAKID=") } == (own == .cue))
            #expect(lines.contains { $0.hasPrefix("#EXT-X-ASSET:") && $0.contains(",AD=2,ADS=2,") } == (own == .cue))
            let ranges = lines.filter { $0.hasPrefix("#EXT-X-DATERANGE:") && $0.contains(",DURATION=16,") }
            #expect(ranges.count == (own == .dateRange ? 1 : 0))
        }
    }

    @Test func `without an ad provider, too, no marker passes where none is to pass`() async throws {
        let world = FakeWorld(LiveChannelModel(), startingAt: 95)
        let server = TestServer(world) {
            $0.channels[0].ads = []
            $0.channels[0].adMarkers = .none
        }
        let text = try await server.text("/live/news/a/v0.m3u8")
        #expect(text.contains("/seg-") && !text.contains("CUE"))
    }

    @Test func `the operator's segmentation types open breaks`() async throws {
        var channel = LiveChannelModel()
        channel.outLines = ["#EXT-X-SPLICEPOINT-SCTE35:\(try Self.message(.none))"]
        channel.markedRendition = "v0"
        let world = FakeWorld(channel, startingAt: 70)
        world.answer(with: FakeAds.vast("ad10"))
        let server = TestServer(world) { $0.channels[0].breakSegmentationTypes = [0x22] }
        // The continuations of the channel are not the message's.
        let ads = try await Self.poll(server, ["v0"], seconds: 12)
        #expect(ads.isEmpty)
    }
}
