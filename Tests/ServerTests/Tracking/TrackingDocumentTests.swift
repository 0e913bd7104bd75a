import HLS
import Testing
import Transport

@testable import Server
@testable import Stitching

/// The whole answer to a player, word by word.
struct TrackingDocumentTests {
    @Test func `an ad is told with all it carries, in MediaTailor's names`() async throws {
        let world = FakeWorld()
        world.answer(with: FakeAds.interactive)
        let server = TestServer(world) { $0.titles[0].tracking = .client }
        _ = try await server.text("/vod/film/a/v0.m3u8")
        #expect(try await server.tracking("vod/film/a").json.formatted() == Self.interactive)
    }

    @Test func `an ad, or an event, that the session's decision does not have is told without addresses`() throws {
        let key = SessionKey(
            source: SourceID(kind: .live, name: "news"), streamID: try #require(StreamID("a")))
        let record = SessionRecord(
            key: key, startedAt: 0, playerParameters: [:], viewer: Viewer(address: ""), tracking: .client)
        let pod = Pod(ads: [], leading: RenditionKey("v0"), dateShortening: 0, matches: [:])
        let id = BreakID("b1")
        let session = Session(
            KeptSession(record: record, decisions: [id: KeptDecision(decision: .ads(pod))]), settings: .init(),
            seenAt: .zero)
        let place = StitchedBreak.Position(number: 7, time: .seconds(1), date: nil)
        let ad = StitchedBreak.Ad(
            index: 3, id: "x", start: place, duration: .seconds(5),
            events: [StitchedBreak.Event(ad: 3, index: 9, position: place), .init(ad: -1, index: 0, position: place)])
        let stitched = StitchedBreak(
            breakID: id, start: place, duration: .seconds(5), plannedDuration: nil, isSettled: true, ads: [ad],
            events: [StitchedBreak.Event(ad: 0, index: 0, position: place)])
        let document = TrackingDocument(
            session: session, macros: SessionMacros(now: { 0 }, random: { 0 }, serverUserAgent: "test"), publicURL: nil)
        let text = document.json([stitched], isFinal: true, after: nil)
        #expect(text.contains("\"adId\":\"7\""))
        #expect(text.contains("\"trackingEvents\":[]"))
        #expect(text.contains("\"adBreakTrackingEvents\":[]"))
    }

    @Test func `a stream without breaks has an answer all the same`() async throws {
        let server = TestServer(FakeWorld()) { $0.channels[0].tracking = .client }
        _ = try await server.text("/live/news/a/v0.m3u8")
        #expect(
            try await server.text("/v1/tracking/live/news/a")
                == "{\"avails\":[],\"nextToken\":null,\"nonLinearAvails\":[]}\n")
    }

    @Test(arguments: [
        (0, "PT0S", "0"), (15_000, "PT15S", "15"), (15_100, "PT15.1S", "15.1"), (116_060, "PT1M56.06S", "116.06"),
        (3_600_000, "PT1H", "3600"), (3_661_001, "PT1H1M1.001S", "3661.001"), (-2_500, "-PT2.5S", "-2.5"),
    ])
    func `times are told in both forms`(milliseconds: Int, text: String, seconds: String) {
        #expect(JSONTime.iso8601(.milliseconds(milliseconds)) == text)
        #expect(JSONTime.seconds(.milliseconds(milliseconds)) == seconds)
    }

    private static let interactive = #"""
        {
          avails: [
            {
              adBreakTrackingEvents: []
              adMarkerDuration: null
              ads: [
                {
                  adId: "0"
                  adProgramDateTime: null
                  adParameters: "{"user":"<&\u00e9\"é"}"
                  adSystem: "trueX"
                  adTitle: "Choose & win"
                  adVerifications: [
                    {
                      executableResource: []
                      javaScriptResource: [
                        {
                          apiFramework: "omid"
                          browserOptional: "true"
                          uri: "https://v/omid.js"
                        }
                      ]
                      trackingEvents: [
                        {
                          beaconUrls: ["http://track/not?r=[REASON]"]
                          event: "verificationNotExecuted"
                          eventType: "verificationNotExecuted"
                          uri: "http://track/not?r=[REASON]"
                        }
                      ]
                      vendor: "v.example-omid"
                      verificationParameters: "{"k":1}"
                    }
                  ]
                  companionAds: [
                    {
                      adParameters: ""
                      altText: ""
                      attributes: {
                        adSlotId: ""
                        apiFramework: "truex"
                        assetHeight: ""
                        assetWidth: ""
                        expandedHeight: ""
                        expandedWidth: ""
                        height: "540"
                        id: ""
                        pxratio: ""
                        renderingMode: ""
                        width: "960"
                      }
                      companionClickThrough: ""
                      companionClickTracking: ""
                      htmlResource: ""
                      iFrameResource: ""
                      staticResource: "data:application/json;base64,eyJhIjoxfQ=="
                      staticResourceCreativeType: "application/json"
                      required: "all"
                      sequence: ""
                      trackingEvents: []
                    }
                  ]
                  creativeId: "c7"
                  creativeSequence: "2"
                  extensions: [
                    {
                      content: "<a:Country xmlns:a="urn:a">US</a:Country>"
                      type: "geo"
                    }
                  ]
                  icons: [
                    {
                      attributes: {
                        altText: ""
                        apiFramework: ""
                        duration: ""
                        height: "20"
                        hoverText: ""
                        offset: ""
                        program: "AdChoices"
                        pxratio: ""
                        width: "20"
                        xPosition: "right"
                        yPosition: "top"
                      }
                      htmlResource: ""
                      iFrameResource: ""
                      staticResource: "https://i/a.png"
                      staticResourceCreativeType: "image/png"
                      iconClicks: {
                        iconClickFallbackImages: []
                        iconClickThrough: "https://i/why"
                        iconClickTracking: []
                      }
                      iconViewTracking: []
                    }
                  ]
                  mediaFiles: {
                    mediaFilesList: [
                      {
                        apiFramework: ""
                        bitrate: null
                        delivery: "streaming"
                        height: 360
                        maintainAspectRatio: false
                        mediaFileUri: "http://o/ads/ad6/master.m3u8"
                        mediaType: "application/vnd.apple.mpegurl"
                        scalable: false
                        width: 640
                      }
                    ]
                    mezzanine: ""
                  }
                  skipOffset: "00:00:03"
                  vastAdId: "x1"
                  duration: "PT6S"
                  durationInSeconds: 6
                  startTime: "PT0S"
                  startTimeInSeconds: 0
                  trackingEvents: [
                    {
                      beaconUrls: ["http://track/imp?cb=[CACHEBUSTING]&side=0&pos=1&n=1&who=[PLAYERSTATE]"]
                      duration: "PT6S"
                      durationInSeconds: 6
                      eventId: "0"
                      eventProgramDateTime: null
                      eventType: "impression"
                      startTime: "PT0S"
                      startTimeInSeconds: 0
                    },
                    {
                      beaconUrls: ["http://track/start?t=[ADPLAYHEAD]"]
                      duration: "PT0S"
                      durationInSeconds: 0
                      eventId: "0"
                      eventProgramDateTime: null
                      eventType: "start"
                      startTime: "PT0S"
                      startTimeInSeconds: 0
                    },
                    {
                      beaconUrls: ["http://track/progress"]
                      duration: "PT0S"
                      durationInSeconds: 0
                      eventId: "1"
                      eventProgramDateTime: null
                      eventType: "progress"
                      startTime: "PT2.5S"
                      startTimeInSeconds: 2.5
                    },
                    {
                      beaconUrls: ["http://track/complete"]
                      duration: "PT0S"
                      durationInSeconds: 0
                      eventId: "2"
                      eventProgramDateTime: null
                      eventType: "complete"
                      startTime: "PT6S"
                      startTimeInSeconds: 6
                    },
                    {
                      beaconUrls: ["http://track/mute"]
                      duration: "PT6S"
                      durationInSeconds: 6
                      eventId: "0"
                      eventProgramDateTime: null
                      eventType: "mute"
                      startTime: "PT0S"
                      startTimeInSeconds: 0
                    },
                    {
                      beaconUrls: ["http://shop/?s=0"]
                      duration: "PT6S"
                      durationInSeconds: 6
                      eventId: "0"
                      eventProgramDateTime: null
                      eventType: "clickThrough"
                      startTime: "PT0S"
                      startTimeInSeconds: 0
                    },
                    {
                      beaconUrls: ["http://track/click"]
                      duration: "PT6S"
                      durationInSeconds: 6
                      eventId: "0"
                      eventProgramDateTime: null
                      eventType: "clickTracking"
                      startTime: "PT0S"
                      startTimeInSeconds: 0
                    },
                    {
                      beaconUrls: ["http://track/error?code=[ERRORCODE]"]
                      duration: "PT6S"
                      durationInSeconds: 6
                      eventId: "0"
                      eventProgramDateTime: null
                      eventType: "error"
                      startTime: "PT0S"
                      startTimeInSeconds: 0
                    }
                  ]
                  adPosition: 1
                }
              ]
              availId: "0"
              availProgramDateTime: null
              duration: "PT6S"
              durationInSeconds: 6
              meta: null
              nonLinearAdsList: [
                {
                  extensions: null
                  nonLinearAdList: [
                    {
                      adId: "x1"
                      adParameters: null
                      adSystem: "trueX"
                      adTitle: "Choose & win"
                      apiFramework: null
                      clickThrough: null
                      clickTracking: null
                      clickTrackingId: null
                      creativeAdId: ""
                      creativeId: "n1"
                      creativeSequence: ""
                      duration: null
                      durationInSeconds: 0
                      expandedHeight: null
                      expandedWidth: null
                      height: "50"
                      maintainAspectRatio: false
                      minSuggestedDuration: null
                      scalable: false
                      htmlResource: null
                      iFrameResource: null
                      staticResource: "https://n/overlay.png"
                      staticResourceCreativeType: "image/png"
                      width: "300"
                    }
                  ]
                  trackingEvents: [
                    {
                      beaconUrls: ["http://track/overlay"]
                      duration: null
                      durationInSeconds: 0
                      eventId: null
                      eventProgramDateTime: null
                      eventType: "creativeView"
                      startTime: null
                      startTimeInSeconds: 0
                    }
                  ]
                }
              ]
              startTime: "PT0S"
              startTimeInSeconds: 0
            }
          ]
          nextToken: "12c5c3f6bbf44fb1_0_0_707265726f6c6c"
          nonLinearAvails: []
        }
        """#
}
