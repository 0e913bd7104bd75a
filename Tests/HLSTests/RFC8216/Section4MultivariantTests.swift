import Testing

@testable import HLS

/// The examples printed within RFC 8216bis §4.4.6 for tags of multivariant playlists, in our own words.
@Suite struct Section4MultivariantTests {
    private func rendition(_ attributes: String) throws -> Rendition {
        let playlist = try multivariant(
            "#EXTM3U\n#EXT-X-MEDIA:\(attributes)\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n")
        return try #require(playlist.renditions.first)
    }

    private func variant(_ attributes: String) throws -> Variant {
        let playlist = try multivariant("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,\(attributes)\nv.m3u8\n")
        return try #require(playlist.variants.first)
    }

    @Test func `4.4.6.1: CHANNELS counts channels and names spatial codings and uses`() throws {
        let plain = try rendition("TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\",CHANNELS=\"6\"")
        #expect(plain.channelCount == 6)
        let objects = try rendition("TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\",CHANNELS=\"16/JOC\"")
        #expect(objects.channelCount == 16)
        #expect(objects.channels?.spatialCodings == ["JOC"])
        let binaural = try rendition("TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\",CHANNELS=\"2/-/BINAURAL\"")
        #expect(binaural.channels?.spatialCodings == [])
        #expect(binaural.channels?.usages == [.binaural])
    }

    @Test func `4.4.6.1: INSTREAM-ID names line 21 channels and services`() throws {
        let captions = "TYPE=CLOSED-CAPTIONS,GROUP-ID=\"g\",NAME=\"n\",INSTREAM-ID="
        #expect(try rendition(captions + "\"CC4\"").instreamID == .line21(4))
        #expect(try rendition(captions + "\"SERVICE63\"").instreamID == .service(63))
        #expect(try rendition(captions + "\"SERVICE64\"").instreamID == .other("SERVICE64"))
    }

    @Test func `4.4.6.2: one list of formats, an audio one and a video one`() throws {
        let variant = try variant("CODECS=\"mp4a.40.2,avc1.4d401e\"")
        #expect(variant.codecList == ["mp4a.40.2", "avc1.4d401e"])
    }

    @Test func `4.4.6.2: supplemental formats come with their brands`() throws {
        let variant = try variant(
            "CODECS=\"hvc1.2.20000000.L123.B0\",SUPPLEMENTAL-CODECS=\"dvh1.08.07/db4h,dvh1.08.09/db2g\"")
        #expect(variant.supplementalCodecs.map(\.codec) == ["dvh1.08.07", "dvh1.08.09"])
        #expect(variant.supplementalCodecs.map(\.compatibilityBrands) == [["db4h"], ["db2g"]])
    }

    @Test func `4.4.6.2: allowed protection names key formats with labels`() throws {
        let variant = try variant("ALLOWED-CPC=\"org.example.drm1:SMART-TV/PC,org.example.drm2:HW\"")
        #expect(variant.allowedProtection.map(\.keyFormat) == ["org.example.drm1", "org.example.drm2"])
        #expect(variant.allowedProtection.map(\.labels) == [["SMART-TV", "PC"], ["HW"]])
    }

    @Test func `4.4.6.2: layouts that a player has to know`() throws {
        let variant = try variant("REQ-VIDEO-LAYOUT=\"CH-STEREO/PROJ-HEQU\"")
        let layout = try #require(variant.requiredVideoLayouts.first)
        #expect(layout.channels == .known(.stereoscopic))
        #expect(layout.projection == .known(.halfEquirectangular))
    }

    @Test func `4.4.6.2: a frame rate has three decimals, a score may have some`() throws {
        let variant = try variant("FRAME-RATE=59.940,SCORE=3.5,VIDEO-RANGE=PQ,HDCP-LEVEL=TYPE-1")
        #expect(variant.frameRate == DecimalNumber(59, thousandths: 940))
        #expect(variant.score == DecimalNumber(3, thousandths: 500))
        #expect(variant.videoRange == .known(.pq))
        #expect(variant.hdcpLevel == .known(.type1))
    }

    @Test func `4.4.6.2: captions are a group, or none at all`() throws {
        #expect(try variant("CLOSED-CAPTIONS=\"cc\"").closedCaptions == .group("cc"))
        #expect(try variant("CLOSED-CAPTIONS=NONE").closedCaptions == ClosedCaptions.none)
    }

    @Test func `4.4.6.6: the pathway to begin with is . where none is named`() throws {
        let playlist = try multivariant(
            "#EXTM3U\n#EXT-X-CONTENT-STEERING:SERVER-URI=\"https://steer.example/m.json\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n"
        )
        #expect(playlist.contentSteering?.pathwayID == ".")
    }
}
