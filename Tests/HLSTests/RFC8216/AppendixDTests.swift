import Testing

@testable import HLS

/// The examples of RFC 8216bis appendix D (interstitials) and what appendix F says of preloading, with names of our own.
@Suite struct AppendixDTests {
    private func playlist(_ attributes: String) throws -> MediaPlaylist {
        try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-PROGRAM-DATE-TIME:2020-01-02T21:55:40.000Z
            #EXTINF:6,
            content.ts
            #EXT-X-ENDLIST
            #EXT-X-DATERANGE:ID="ad",CLASS="com.apple.hls.interstitial",START-DATE="2020-01-02T21:55:44.000Z",\(attributes)

            """)
    }

    @Test func `D.6: fifteen seconds of an ad, four seconds into six seconds of content`() throws {
        let playlist = try playlist(
            "DURATION=15.0,X-ASSET-URI=\"http://ads.test/one.m3u8\",X-RESUME-OFFSET=0,X-RESTRICT=\"SKIP,JUMP\","
                + "X-ORG-EXAMPLE-BEACON=123")
        let ad = try #require(playlist.interstitials.first)
        #expect(ad.asset == .uri("http://ads.test/one.m3u8"))
        #expect(ad.expectedDuration == .seconds(15))
        #expect(ad.restrictions == [.skip, .jump])
        let timeline = Timeline(playlist)
        #expect(ad.startTime(on: timeline) == .seconds(4))
        // The content goes on where it stopped.
        #expect(ad.resumeTime(on: timeline, after: .played(assets: .seconds(15))) == .seconds(4))
        let beacon = ad.range.extensionAttributes.first { $0.name == "X-ORG-EXAMPLE-BEACON" }
        #expect(beacon?.value == .decimal(DecimalNumber(123)))
        #expect(playlist.hasEndList)
    }

    @Test func `D.7: a skip button over a list of ads`() throws {
        let playlist = try playlist(
            "DURATION=30.0,X-ASSET-LIST=\"http://ads.test/list.json\",X-RESUME-OFFSET=0,X-SKIP-CONTROL-OFFSET=2,"
                + "X-SKIP-CONTROL-DURATION=5,X-SKIP-CONTROL-LABEL-ID=\"Leave\"")
        let ad = try #require(playlist.interstitials.first)
        #expect(ad.asset == .list("http://ads.test/list.json"))
        #expect(ad.skipControl == .init(offset: .seconds(2), duration: .seconds(5), labelID: "Leave"))
        #expect(ad.resumeOffset(after: .played(assets: .seconds(30))) == .zero)
        #expect(ad.startTime(on: Timeline(playlist)) == .seconds(4))
    }

    @Test func `D.5: an empty list counts as nothing played, a failure cancels`() throws {
        let ad = try #require(try playlist("X-ASSET-LIST=\"l.json\",X-RESUME-OFFSET=3").interstitials.first)
        #expect(ad.resumeOffset(after: .empty) == .seconds(3))
        #expect(ad.resumeOffset(after: .failed) == .zero)
        let plain = try #require(try playlist("X-ASSET-LIST=\"l.json\"").interstitials.first)
        #expect(plain.resumeOffset(after: .empty) == .zero)
        #expect(plain.resumeOffset(after: .played(assets: .seconds(15))) == .seconds(15))
    }

    @Test func `F: a preload range names what it is for`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-PROGRAM-DATE-TIME:2020-01-02T21:55:40.000Z
            #EXT-X-DATERANGE:ID="early",CLASS="com.apple.hls.preload",START-DATE="2020-01-02T21:55:40Z",DURATION=3,\
            X-URI="list.json?a=1",X-TARGET-ID="ad",X-TARGET-CLASS="com.apple.hls.interstitial"
            #EXT-X-DATERANGE:ID="ad",CLASS="com.apple.hls.interstitial",START-DATE="2020-01-02T21:55:44Z",X-ASSET-LIST="list.json?a=1"
            #EXTINF:6,
            content.ts

            """)
        let preload = try #require(playlist.preloadRanges.first)
        let ad = try #require(playlist.interstitials.first)
        #expect(preload.isMeant(for: ad.range))
        #expect(preload.uri == "list.json?a=1")
        #expect(preload.range.duration == .seconds(3))
        // Both URIs resolve to one, so that the client finds what it has loaded.
        let resolved = text(playlist.resolvingURIs(against: BaseURI("https://host.test/live/list.m3u8")))
        #expect(resolved.ranges(of: "\"https://host.test/live/list.json?a=1\"").count == 2)
    }
}
