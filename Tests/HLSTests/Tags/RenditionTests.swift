import Testing

@testable import HLS

@Suite struct RenditionTests {
    private func rendition(_ attributes: String) throws -> Rendition {
        try #require(try multivariant("#EXTM3U\n#EXT-X-MEDIA:\(attributes)\n").renditions.first)
    }

    @Test func `every attribute of EXT-X-MEDIA is typed (RFC 8216bis 4.4.6.1)`() throws {
        let rendition = try rendition(
            "TYPE=AUDIO,URI=\"a.m3u8\",GROUP-ID=\"g\",LANGUAGE=\"de\",ASSOC-LANGUAGE=\"gsw\",NAME=\"N, n\","
                + "STABLE-RENDITION-ID=\"a/b.c=\",DEFAULT=YES,AUTOSELECT=YES,FORCED=NO,INSTREAM-ID=\"track-2\","
                + "BIT-DEPTH=24,SAMPLE-RATE=96000,CHARACTERISTICS=\"public.easy-to-read, public.x\",CHANNELS=\"2\"")
        #expect(rendition.type == .known(.audio))
        #expect(rendition.uri == "a.m3u8")
        #expect(rendition.groupID == "g")
        #expect(rendition.language == "de")
        #expect(rendition.associatedLanguage == "gsw")
        #expect(rendition.name == "N, n")
        #expect(rendition.stableRenditionID == "a/b.c=")
        #expect(rendition.isDefault && rendition.isAutoselect && !rendition.isForced)
        #expect(rendition.instreamID == .other("track-2"))
        #expect(rendition.bitDepth == 24)
        #expect(rendition.sampleRate == 96_000)
        #expect(rendition.characteristics == ["public.easy-to-read", "public.x"])
        #expect(rendition.channelCount == 2)
    }

    @Test func `what is missing is absent`() throws {
        let rendition = try rendition("X=1")
        #expect(rendition.type == nil && rendition.uri == nil && rendition.channels == nil)
        #expect(rendition.instreamID == nil && rendition.bitDepth == nil && rendition.characteristics.isEmpty)
        #expect(rendition.groupID == "" && rendition.name == "")
    }

    @Test(
        arguments: [
            ("2", 2, [], []), ("16/JOC", 16, ["JOC"], []), ("12/-/BINAURAL", 12, [], [.binaural]),
            ("10/JOC,X/IMMERSIVE, DOWNMIX", 10, ["JOC", "X"], [.immersive, .downmix]),
            ("4/-/BED-4,DOF-6", 4, [], [.bed(4), .degreesOfFreedom(6)]),
            ("6//BED-x,NEW", 6, [], [.unknown("BED-x"), .unknown("NEW")]), ("many", nil, [], []),
            ("2/JOC/BINAURAL/later", 2, ["JOC"], [.binaural]), ("/", nil, [], []),
            ("99999999999999999999", nil, [], []), ("", nil, [], []),
        ] as [(String, Int?, [String], [AudioChannels.Usage])])
    func `CHANNELS is count, codings and uses`(
        text: String, count: Int?, codings: [String], usages: [AudioChannels.Usage]
    ) throws {
        let channels = try #require(try rendition("CHANNELS=\"\(text)\"").channels)
        #expect(channels.text == text)
        #expect(channels.count == count)
        #expect(channels.spatialCodings == codings)
        #expect(channels.usages == usages)
    }

    @Test(arguments: [
        ("CC1", InstreamID.line21(1)), ("CC4", .line21(4)), ("CC5", .other("CC5")), ("CC0", .other("CC0")),
        ("SERVICE1", .service(1)), ("SERVICE63", .service(63)), ("SERVICE64", .other("SERVICE64")),
        ("SERVICE01", .other("SERVICE01")), ("SERVICE+1", .other("SERVICE+1")), ("cc1", .other("cc1")),
        ("CC", .other("CC")),
    ])
    func `INSTREAM-ID is a caption channel, a service or another text, and keeps its spelling`(
        text: String, id: InstreamID
    ) {
        #expect(InstreamID(text) == id)
        #expect(InstreamID(text).text == text)
    }
}
