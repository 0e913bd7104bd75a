import Testing

@testable import HLS

@Suite struct InterstitialTests {
    private func ranges(_ attributes: String...) throws -> MediaPlaylist {
        try media(
            "#EXTM3U\n"
                + attributes.map { "#EXT-X-DATERANGE:START-DATE=\"2026-01-01T00:00:00Z\",\($0)\n" }.joined())
    }

    private func interstitial(_ attributes: String) throws -> Interstitial {
        let playlist = try ranges("ID=\"ad\",CLASS=\"com.apple.hls.interstitial\"," + attributes)
        return try #require(playlist.interstitials.first)
    }

    @Test func `every attribute of an interstitial is typed (rules 822, 823)`() throws {
        let ad = try interstitial(
            "X-ASSET-LIST=\"list.json\",X-RESUME-OFFSET=-1.5,X-PLAYOUT-LIMIT=15,X-SNAP=\"OUT,IN\",X-RESTRICT=\"SKIP,JUMP,NEW\","
                + "X-CONTENT-MAY-VARY=\"NO\",X-TIMELINE-OCCUPIES=\"RANGE\",X-TIMELINE-STYLE=\"PRIMARY\",CUE=\"POST,ONCE\","
                + "X-SKIP-CONTROL-OFFSET=5,X-SKIP-CONTROL-DURATION=10,X-SKIP-CONTROL-LABEL-ID=\"Exit\",DURATION=30,"
                + "X-COM-EXAMPLE-BEACON=123")
        #expect(ad.asset == .list("list.json"))
        #expect(ad.resumeOffset == .milliseconds(-1_500))
        #expect(ad.playoutLimit == .seconds(15))
        #expect(ad.snap == [.out, .in])
        #expect(ad.restrictions == [.skip, .jump])
        #expect(!ad.contentMayVary)
        #expect(ad.occupancy == .range)
        #expect(ad.timelineStyle == .primary)
        #expect(ad.triggers == [.post, .once])
        #expect(ad.skipControl == .init(offset: .seconds(5), duration: .seconds(10), labelID: "Exit"))
        #expect(ad.expectedDuration == .seconds(30))
        #expect(ad.id == "ad")
        #expect(ad.range.extensionAttributes.count == 12)
    }

    @Test func `what is not given or not known has its default (rule 823)`() throws {
        for attributes in [
            "X-ASSET-URI=\"u\"",
            "X-ASSET-URI=\"u\",X-TIMELINE-STYLE=\"A\",X-TIMELINE-OCCUPIES=\"B\",X-CONTENT-MAY-VARY=\"C\"",
        ] {
            let ad = try interstitial(attributes)
            #expect(ad.asset == .uri("u"))
            #expect(ad.resumeOffset == nil)
            #expect(ad.playoutLimit == nil)
            #expect(ad.snap == [])
            #expect(ad.restrictions == [])
            #expect(ad.contentMayVary)
            #expect(ad.occupancy == .point)
            #expect(ad.timelineStyle == .highlight)
            #expect(ad.triggers == [])
            #expect(ad.skipControl == nil)
            #expect(ad.expectedDuration == nil)
        }
        #expect(try interstitial("X-A=1").asset == nil)
        #expect(try interstitial("X-A=1,PLANNED-DURATION=6").expectedDuration == .seconds(6))
    }

    @Test func `the content goes on after what was played, unless an offset says otherwise`() throws {
        let plain = try interstitial("X-ASSET-URI=\"u\"")
        #expect(plain.resumeOffset(after: .played(assets: .seconds(30))) == .seconds(30))
        #expect(plain.resumeOffset(after: .empty) == .zero)
        #expect(plain.resumeOffset(after: .failed) == .zero)
        let limited = try interstitial("X-ASSET-URI=\"u\",X-PLAYOUT-LIMIT=15")
        #expect(limited.resumeOffset(after: .played(assets: .seconds(30))) == .seconds(15))
        #expect(limited.resumeOffset(after: .played(assets: .seconds(10))) == .seconds(10))
        let fixed = try interstitial("X-ASSET-URI=\"u\",X-PLAYOUT-LIMIT=15,X-RESUME-OFFSET=20")
        #expect(fixed.resumeOffset(after: .played(assets: .seconds(30))) == .seconds(20))
        #expect(fixed.playedDuration(ofAssets: .seconds(30)) == .seconds(15))
        #expect(fixed.resumeOffset(after: .empty) == .seconds(20))
        #expect(fixed.resumeOffset(after: .failed) == .zero)
    }

    @Test func `an interstitial is completed by later tags, and told from ranges of other classes`() throws {
        let playlist = try ranges(
            "ID=\"ad\",CLASS=\"com.apple.hls.interstitial\",X-ASSET-URI=\"u\"",
            "ID=\"x\",CLASS=\"other\",X-ASSET-URI=\"u\"",
            "ID=\"ad\",X-PLAYOUT-LIMIT=12,X-RESUME-OFFSET=12",
            "ID=\"b\",CLASS=\"com.apple.hls.interstitial\",X-ASSET-LIST=\"l\"")
        #expect(playlist.interstitials.map(\.id) == ["ad", "b"])
        #expect(playlist.interstitials[0].playoutLimit == .seconds(12))
        #expect(playlist.preloadRanges.isEmpty)
    }

    @Test func `a preload range is for the date range of its target's ID and class (rule 825)`() throws {
        let playlist = try ranges(
            "ID=\"p\",CLASS=\"com.apple.hls.preload\",DURATION=10,X-URI=\"l\",X-TARGET-ID=\"b\","
                + "X-TARGET-CLASS=\"com.apple.hls.interstitial\"",
            "ID=\"b\",CLASS=\"com.apple.hls.interstitial\",X-ASSET-LIST=\"l\"",
            "ID=\"c\",CLASS=\"com.apple.hls.interstitial\",X-ASSET-LIST=\"l\"",
            "ID=\"q\",CLASS=\"com.apple.hls.preload\",X-TARGET-ID=\"b\"")
        let preload = try #require(playlist.preloadRanges.first)
        #expect(preload.uri == "l")
        #expect(preload.targetID == "b")
        #expect(preload.targetClass == Interstitial.dateRangeClass)
        #expect(preload.range.endDate == DateTime("2026-01-01T00:00:10Z"))
        #expect(playlist.combinedDateRanges.map(preload.isMeant) == [false, true, false, false])
        #expect(playlist.combinedDateRanges.map(playlist.preloadRanges[1].isMeant) == [false, false, false, false])
    }

    @Test func `start and return lie on the timeline, moved to segment boundaries if asked for (rule 823)`() throws {
        let timeline = Timeline(
            try media(
                "#EXTM3U\n#EXT-X-PROGRAM-DATE-TIME:2025-12-31T23:59:56Z\n"
                    + (0..<4).map { "#EXTINF:6,\n\($0)\n" }.joined()))
        func times(_ attributes: String, _ outcome: Interstitial.Outcome = .played(assets: .seconds(15))) throws
            -> [Duration?]
        {
            let ad = try interstitial(attributes)
            return [ad.startTime(on: timeline), ad.resumeTime(on: timeline, after: outcome)]
        }
        #expect(try times("X-RESUME-OFFSET=0") == [.seconds(4), .seconds(4)])
        #expect(try times("X-A=1") == [.seconds(4), .seconds(19)])
        #expect(try times("X-SNAP=\"OUT\"") == [.seconds(6), .seconds(19)])
        #expect(try times("X-SNAP=\"IN,OUT\"") == [.seconds(6), .seconds(18)])
        #expect(try times("X-SNAP=\"IN\",X-RESUME-OFFSET=5") == [.seconds(4), .seconds(6)])
        #expect(try times("X-RESUME-OFFSET=-9") == [.seconds(4), .zero])
        #expect(try times("X-A=1", .played(assets: .seconds(99))) == [.seconds(4), .seconds(24)])
        #expect(try times("X-A=1", .failed) == [.seconds(4), .seconds(4)])
        #expect(try times("CUE=\"PRE\",X-RESUME-OFFSET=0") == [.zero, .zero])
        #expect(try times("CUE=\"POST\"") == [.seconds(24), .seconds(24)])
        let late = try media("#EXTM3U\n#EXT-X-PROGRAM-DATE-TIME:2020-01-01T00:00:00Z\n#EXTINF:6,\na\n")
        #expect(try interstitial("X-A=1").startTime(on: Timeline(late)) == nil)
        #expect(try interstitial("X-A=1").resumeTime(on: Timeline(late), after: .empty) == nil)
    }
}
