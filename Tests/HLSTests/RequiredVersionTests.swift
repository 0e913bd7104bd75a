import Testing

@testable import HLS

@Suite struct RequiredVersionTests {
    /// The playlist, the version it needs, and the feature and line that need it.
    static let steps: [(String, Int, RequiredVersion.Feature?, Int)] = [
        ("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,1.5\na.b.ts\n", 1, nil, 0),
        (
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x01\n#EXTINF:6,\na\n", 2,
            .initializationVector, 3
        ),
        ("#EXTM3U\n#EXTINF:6,\na\n#EXTINF:6.0,\na\n", 3, .decimalDuration, 4),
        ("#EXTM3U\n#EXTINF:6.5,\na\n#EXTINF:6,\n#EXT-X-BYTERANGE:1@0\na\n", 4, .byteRange, 5),
        ("#EXTM3U\n#EXT-X-I-FRAMES-ONLY\n#EXTINF:6,\na\n", 4, .iFramesOnly, 2),
        ("#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:6,\na\n", 5, .sampleAES, 2),
        ("#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=\"identity\"\n#EXTINF:6,\na\n", 5, .keyFormat, 2),
        (
            "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",KEYFORMATVERSIONS=\"1\"\n#EXTINF:6,\na\n", 5,
            .keyFormatVersions, 2
        ),
        ("#EXTM3U\n#EXT-X-I-FRAMES-ONLY\n#EXT-X-MAP:URI=\"i\"\n#EXTINF:6,\na\n", 5, .iFrameMap, 3),
        ("#EXTM3U\n#EXT-X-MAP:URI=\"i\"\n#EXTINF:6,\na\n", 6, .map, 2),
        ("#EXTM3U\n#EXT-X-MAP:URI=\"i\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n#EXTINF:6,\na\n", 8, .variables, 3),
        ("#EXTM3U\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:6,\na\n", 9, .skip, 2),
        (
            "#EXTM3U\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES=\"\"\n#EXTINF:6,\na\n", 10,
            .skippedDateRanges, 2
        ),
        ("#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"t\"\n#EXTINF:6,\na\n", 11, .queryParameter, 2),
        (
            "#EXTM3U\n#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", 5,
            .sampleAES, 2
        ),
        (
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"n\",INSTREAM-ID=\"CC1\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", 1, nil, 0
        ),
        (
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"n\",INSTREAM-ID=\"SERVICE3\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", 7, .serviceCaptions, 2
        ),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,REQ-VIDEO-LAYOUT=\"CH-STEREO\"\nv\n", 12, .requiredAttribute, 2),
        (
            "#EXTM3U\n#EXT-X-MEDIA:INSTREAM-ID=\"1\",TYPE=AUDIO,GROUP-ID=\"c\",NAME=\"n\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", 13, .instreamID, 2
        ),
    ]

    @Test(arguments: steps.indices)
    func `each feature needs its version, and the reason is told with its line (rules 201, 202)`(index: Int) throws {
        let (source, version, feature, line) = Self.steps[index]
        let required =
            switch try Playlist(parsing: Array(source.utf8)) {
            case .media(let playlist): playlist.requiredVersion
            case .multivariant(let playlist): playlist.requiredVersion
            }
        #expect(required.version == version)
        #expect(required.reasons.last?.feature == feature)
        #expect(required.reasons.last?.line ?? 0 == line)
    }

    @Test func `every feature has a step in these tests, none above version 13`() {
        let tested = Set(Self.steps.compactMap(\.2))
        #expect(tested == Set(RequiredVersion.Feature.allCases))
        #expect(RequiredVersion.Feature.allCases.map(\.version).max() == 13)
    }

    @Test func `reasons are told once each, by rising version (rule 201)`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-MAP:URI="i"
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x01
            #EXTINF:6.5,
            a
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x02
            #EXTINF:6.5,
            b

            """)
        #expect(
            playlist.requiredVersion.reasons == [
                .init(feature: .initializationVector, line: 3), .init(feature: .decimalDuration, line: 4),
                .init(feature: .map, line: 2),
            ])
    }

    @Test func `writing raises the version and touches nothing else (rule 201)`() throws {
        let source =
            "#EXTM3U\r\n#EXT-X-TARGETDURATION:6\r\n #EXT-X-VERSION: 3 \r\n#EXT-X-MAP:URI=\"i\"\r\n#EXTINF:6.5\r\na"
        #expect(
            text(try media(source).serialized(minimumVersion: 1))
                == source.replacing(" #EXT-X-VERSION: 3 ", with: " #EXT-X-VERSION:6 "))
    }

    @Test func `a version that is missing is put after the first line, with its line end (rule 201)`() throws {
        let lines = "#EXT-X-TARGETDURATION:6\r\n#EXTINF:6.5,\r\na\r\n"
        #expect(
            text(try media("#EXTM3U\r\n" + lines).serialized(minimumVersion: 1))
                == "#EXTM3U\r\n#EXT-X-VERSION:3\r\n" + lines)
        #expect(text(try media("#EXTM3U").serialized(minimumVersion: 4)) == "#EXTM3U\n#EXT-X-VERSION:4")
        #expect(
            text(try media("\u{FEFF}#EXTINF:6.5,\na").serialized(minimumVersion: 1))
                == "\u{FEFF}#EXT-X-VERSION:3\n#EXTINF:6.5,\na")
    }

    @Test func `a version that is high enough stays as it is spelled, and one that nobody needs is not written`() throws
    {
        for source in ["#EXTM3U\n#EXT-X-VERSION: 007\n#EXTINF:6.5,\na\n", "#EXTM3U\n#EXTINF:6,\na\n"] {
            #expect(text(try media(source).serialized(minimumVersion: 1)) == source)
        }
        let unreadable = "#EXTM3U\n#EXT-X-VERSION:x\n#EXTINF:6.5,\na\n"
        #expect(text(try media(unreadable).serialized(minimumVersion: 1)) == unreadable.replacing(":x", with: ":3"))
        let main = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n"
        #expect(
            text(try multivariant(main).serialized(minimumVersion: 1)) == main.replacing("VERSION:4", with: "VERSION:8")
        )
    }
}
