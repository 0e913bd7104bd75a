import Testing

@testable import HLS

@Suite struct VariantTests {
    private func variant(_ attributes: String) throws -> Variant {
        try #require(try multivariant("#EXTM3U\n#EXT-X-STREAM-INF:\(attributes)\nv\n").variants.first)
    }

    @Test func `every attribute of EXT-X-STREAM-INF is typed (RFC 8216bis 4.4.6.2)`() throws {
        let variant = try variant(
            "BANDWIDTH=5000000,AVERAGE-BANDWIDTH=4000000,SCORE=1.25,CODECS=\"hvc1.2.4.L153.b0,ec-3\","
                + "SUPPLEMENTAL-CODECS=\"dvh1.08.07/db4h, dvh1.10.01/a/b\",RESOLUTION=1920x1080,FRAME-RATE=23.976,"
                + "HDCP-LEVEL=TYPE-1,ALLOWED-CPC=\"com.example.drm1:SMART-TV/PC,urn:uuid:1:HW,bare\",VIDEO-RANGE=PQ,"
                + "REQ-VIDEO-LAYOUT=\"CH-STEREO/PROJ-HEQU,CH-MONO,CH-MANY/PROJ-NEW\",STABLE-VARIANT-ID=\"s\",AUDIO=\"a\",VIDEO=\"b\","
                + "SUBTITLES=\"c\",CLOSED-CAPTIONS=\"d\",PATHWAY-ID=\"P\",NAME=\"n\",PROGRAM-ID=1")
        #expect(variant.bandwidth == 5_000_000 && variant.averageBandwidth == 4_000_000)
        #expect(variant.score == DecimalNumber(1, thousandths: 250))
        #expect(variant.codecList == ["hvc1.2.4.L153.b0", "ec-3"])
        #expect(variant.supplementalCodecs.map(\.codec) == ["dvh1.08.07", "dvh1.10.01"])
        #expect(variant.supplementalCodecs.map(\.compatibilityBrands) == [["db4h"], ["a", "b"]])
        #expect(variant.resolution == Resolution(width: 1_920, height: 1_080))
        #expect(variant.frameRate?.description == "23.976")
        #expect(variant.hdcpLevel == .known(.type1))
        #expect(variant.allowedProtection.map(\.keyFormat) == ["com.example.drm1", "urn:uuid:1", "bare"])
        #expect(variant.allowedProtection.map(\.labels) == [["SMART-TV", "PC"], ["HW"], []])
        #expect(variant.videoRange == .known(.pq))
        let layouts = variant.requiredVideoLayouts
        #expect(layouts.map(\.channels) == [.known(.stereoscopic), .known(.monoscopic), .unknown("CH-MANY")])
        #expect(layouts.map(\.projection) == [.known(.halfEquirectangular), nil, .unknown("PROJ-NEW")])
        #expect(variant.stableVariantID == "s" && variant.pathwayID == "P" && variant.name == "n")
        #expect(variant.programID == 1)
        #expect(Rendition.MediaType.allCases.map { variant.group($0) } == ["a", "b", "c", "d"])
        #expect(variant.closedCaptions == .group("d"))
    }

    @Test func `other values keep their spelling`() throws {
        let variant = try variant("BANDWIDTH=1,HDCP-LEVEL=TYPE-9,VIDEO-RANGE=\"HLG\",SCORE=best")
        #expect(variant.hdcpLevel == .unknown("TYPE-9"))
        #expect(variant.hdcpLevel?.text == "TYPE-9")
        #expect(variant.videoRange == .known(.hlg))
        #expect(variant.score == nil)
    }

    @Test func `NONE is no group of captions unless it is quoted`() throws {
        #expect(try variant("CLOSED-CAPTIONS=NONE").closedCaptions == ClosedCaptions.none)
        #expect(try variant("CLOSED-CAPTIONS=\"NONE\"").closedCaptions == .group("NONE"))
        #expect(try variant("BANDWIDTH=1").closedCaptions == nil)
        #expect(try variant("CLOSED-CAPTIONS=NONE").closedCaptionsGroup == nil)
    }

    @Test func `I-frame and image variants have their URI in an attribute`() throws {
        let playlist = try multivariant(
            "#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9,VIDEO-RANGE=SDR,URI=\"i\"\n"
                + "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=3,RESOLUTION=320x180,URI=\"t\"\n")
        #expect(playlist.iFrameVariants.map(\.uri) == ["i"])
        #expect(playlist.iFrameVariants.first?.videoRange == .known(.sdr))
        #expect(playlist.imageVariants.map(\.uri) == ["t"])
        #expect(playlist.imageVariants.first?.resolution == Resolution(width: 320, height: 180))
    }

    @Test func `session data has a format, JSON where it is not named (RFC 8216bis 4.4.6.4)`() throws {
        let playlist = try multivariant(
            "#EXTM3U\n#EXT-X-SESSION-DATA:DATA-ID=\"a\",VALUE=\"v\",LANGUAGE=\"en\"\n"
                + "#EXT-X-SESSION-DATA:DATA-ID=\"b\",URI=\"u\",FORMAT=RAW\n#EXT-X-SESSION-DATA:DATA-ID=\"c\",FORMAT=XML\n"
        )
        #expect(playlist.sessionData.map(\.format) == [.known(.json), .known(.raw), .unknown("XML")])
        #expect(playlist.sessionData.map(\.value) == ["v", nil, nil])
        #expect(playlist.sessionData.map(\.language) == ["en", nil, nil])
    }
}
