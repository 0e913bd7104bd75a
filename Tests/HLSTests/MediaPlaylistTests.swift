import Testing

@testable import HLS

@Suite struct MediaPlaylistTests {
    static let live = """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-TARGETDURATION:7
        #EXT-X-MEDIA-SEQUENCE:1000
        #EXT-X-DISCONTINUITY-SEQUENCE:4
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES
        #EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:00.000Z
        #EXTINF:6.006,Title, with comma
        a.ts
        #EXTINF:6.006,
        b.ts
        #EXT-X-DISCONTINUITY
        #EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:12.012Z
        #EXTINF:5.9999999999,
        c.ts
        #EXT-X-GAP
        #EXTINF:6,
        d.ts

        """

    @Test func `the header is typed`() throws {
        let playlist = try media(Self.live)
        #expect(playlist.version == 6)
        #expect(playlist.targetDuration == 7)
        #expect(playlist.mediaSequence == 1_000)
        #expect(playlist.discontinuitySequence == 4)
        #expect(playlist.hasIndependentSegments)
        #expect(playlist.start == PlaylistStart(timeOffset: .milliseconds(-12_500), isPrecise: true))
        #expect(playlist.playlistType == nil)
        #expect(!playlist.hasEndList)
        #expect(!playlist.isIFramesOnly)
        #expect(!playlist.lint().contains { $0.severity == .error })
        #expect(text(playlist.serialized()) == Self.live)
    }

    @Test func `segments have numbers, exact durations, dates and discontinuity numbers (rules 401, 502)`() throws {
        let segments = try media(Self.live).segments
        #expect(segments.map(\.number) == [1_000, 1_001, 1_002, 1_003])
        #expect(segments.map(\.discontinuityNumber) == [4, 4, 5, 5])
        #expect(segments.map(\.discontinuityCount) == [0, 0, 1, 0])
        #expect(segments[0].duration == .milliseconds(6_006))
        #expect(DecimalText.text(segments[2].duration) == "5.9999999999")
        #expect(segments.map(\.isGap) == [false, false, false, true])
        #expect(segments[0].programDateTime == DateTime("2026-01-17T08:15:00Z"))
        #expect(segments[1].programDateTime == nil)
        #expect(segments[2].programDateTime == DateTime("2026-01-17T08:15:12.012Z"))
    }

    @Test func `texts of a segment are given as spelled`() throws {
        let playlist = try media(Self.live)
        let segments = playlist.segments
        #expect(playlist.text(segments[0].durationText) == "6.006")
        #expect(playlist.text(segments[0].title) == "Title, with comma")
        #expect(playlist.text(segments[1].title) == "")
        #expect(playlist.text(segments[2].durationText) == "5.9999999999")
        #expect(playlist.uri(3) == "d.ts")
        #expect(playlist.texts(playlist.lines(ofSegmentAt: 3)) == ["#EXT-X-GAP", "#EXTINF:6,", "d.ts"])
        #expect(playlist.lines(ofSegmentAt: 3).map(\.kind) == [.gap, .segmentDuration, .uri])
        #expect(playlist.texts(playlist.lines(ofSegmentAt: 4)).isEmpty)
        #expect(playlist.texts(playlist.lines(ofSegmentAt: -1)).isEmpty)
    }

    @Test func `lines before the first segment are divided; unknown ones go with what they stand before (rule 109)`()
        throws
    {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-KEY:METHOD=NONE
            ## made by a packager
            #EXT-X-TARGETDURATION:6
            #EXT-X-CUSTOM-A:1
            #EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:00Z
            #EXT-X-MEDIA-SEQUENCE:5
            #EXT-X-CUSTOM-B
            #EXTINF:6,
            # before the URI
            a.ts
            # after
            #EXT-X-CUE-IN
            #EXT-X-ENDLIST
            """)
        #expect(
            playlist.texts(playlist.headerLines) == [
                "#EXTM3U", "## made by a packager", "#EXT-X-TARGETDURATION:6", "#EXT-X-MEDIA-SEQUENCE:5",
            ])
        #expect(
            playlist.texts(playlist.lines(ofSegmentAt: 0)) == [
                "#EXT-X-KEY:METHOD=NONE", "#EXT-X-CUSTOM-A:1", "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:00Z",
                "#EXT-X-CUSTOM-B", "#EXTINF:6,", "# before the URI", "a.ts",
            ])
        #expect(playlist.texts(playlist.trailerLines) == ["# after", "#EXT-X-CUE-IN", "#EXT-X-ENDLIST"])
        #expect(playlist.segments[0].contents.contains([.key, .other, .programDateTime]))
        #expect(playlist.lines.reduce(0) { $0 + $1.fullRange.count } == playlist.source.count)
    }

    @Test func `keys in force are all key formats, in the order of their lines (R39)`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://1",KEYFORMAT="com.apple.streamingkeydelivery"
            #EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="data:w",KEYFORMAT="urn:uuid:edef8ba9"
            #EXTINF:6,
            a.mp4
            #EXTINF:6,
            b.mp4
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:6,
            ad.mp4
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://2",KEYFORMAT="com.apple.streamingkeydelivery"
            #EXT-X-KEY:METHOD=SAMPLE-AES-CTR,URI="data:w",KEYFORMAT="urn:uuid:edef8ba9"
            #EXTINF:6,
            c.mp4
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://3",KEYFORMAT="com.apple.streamingkeydelivery"
            #EXTINF:6,
            d.mp4

            """)
        func keys(_ index: Int) -> [String?] {
            playlist.keyGroups[playlist.segments[index].keyGroup].keys
                .map { $0.attributes(in: playlist.source)["URI"]?.text }
        }
        #expect(keys(0) == ["skd://1", "data:w"])
        #expect(playlist.segments[1].keyGroup == playlist.segments[0].keyGroup)
        #expect(keys(2).isEmpty)
        #expect(keys(3) == ["skd://2", "data:w"])
        #expect(keys(4) == ["data:w", "skd://3"])
        #expect(playlist.keyGroups[playlist.segments[0].keyGroup].keys.map(\.method) == [.sampleAES, .sampleAESCTR])
        #expect(playlist.keyGroups.allSatisfy { !$0.hasImplicitIV })
    }

    @Test func `METHOD=NONE lines of the origin are read and kept (R38)`() throws {
        let source = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:6,\na.ts\n"
        let playlist = try media(source)
        #expect(playlist.keyGroups[playlist.segments[0].keyGroup].isClear)
        #expect(playlist.segments[0].contents.contains(.key))
        #expect(text(playlist.serialized()) == source)
    }

    @Test func `clear ads between encrypted segments are told apart from them (R36)`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x00000000000000000000000000000001
            #EXTINF:6,
            a.ts
            #EXT-X-DISCONTINUITY
            #EXT-X-KEY:METHOD=NONE
            #EXTINF:6,
            ad.ts
            #EXT-X-DISCONTINUITY
            #EXT-X-KEY:METHOD=AES-128,URI="k"
            #EXTINF:6,
            b.ts

            """)
        let groups = playlist.segments.map { playlist.keyGroups[$0.keyGroup] }
        #expect(groups.map(\.isClear) == [false, true, false])
        #expect(groups.map(\.hasImplicitIV) == [false, false, true])
    }

    @Test func `each segment knows the MAP in force, also one that repeats (R42, rule 706)`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:6,
            a.mp4
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="ad/init.mp4",BYTERANGE="720@16"
            #EXTINF:6,
            ad.mp4
            #EXT-X-DISCONTINUITY
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:6,
            b.mp4
            #EXTINF:6,
            c.mp4

            """)
        let uris = playlist.segments.map { segment in segment.map.map { playlist.text(playlist.maps[$0].uri) } }
        #expect(uris == ["init.mp4", "ad/init.mp4", "init.mp4", "init.mp4"])
        #expect(playlist.maps[1].byteRange == ByteRange(offset: 16, length: 720))
        #expect(playlist.trailerMap == 2)
    }

    @Test func `byte ranges without offset continue the last range of the same resource (R43, rule 703)`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:4
            #EXT-X-TARGETDURATION:6
            #EXT-X-BYTERANGE:100@50
            #EXTINF:6,
            all.ts
            #EXT-X-BYTERANGE:70
            #EXTINF:6,
            all.ts
            #EXT-X-BYTERANGE:10@0
            #EXTINF:6,
            ad.ts
            #EXTINF:6,
            plain.ts
            #EXTINF:6,
            #EXT-X-BYTERANGE: "30"
            all.ts
            #EXT-X-BYTERANGE:5
            #EXTINF:6,
            other.ts

            """)
        #expect(
            playlist.segments.map(\.byteRange) == [
                ByteRange(offset: 50, length: 100), ByteRange(offset: 150, length: 70),
                ByteRange(offset: 0, length: 10),
                nil, ByteRange(offset: 220, length: 30), ByteRange(offset: 0, length: 5),
            ])
        let findings = playlist.lint().filter { [703, 704].contains($0.rule) }
        #expect(findings.map(\.rule) == [704, 703])
        #expect(findings.map(\.line) == [16, 18])
    }

    @Test func `BITRATE holds until the next and not for ranges (rule 1301)`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:4
            #EXT-X-TARGETDURATION:6
            #EXTINF:6,
            a.ts
            #EXT-X-BITRATE:800
            #EXTINF:6,
            b.ts
            #EXTINF:6,
            c.ts
            #EXT-X-BYTERANGE:1@0
            #EXTINF:6,
            d.ts
            #EXT-X-BITRATE:900
            #EXTINF:6,
            e.ts

            """)
        #expect(playlist.segments.map(\.bitrate) == [nil, 800, 800, nil, 900])
    }

    @Test func `a delta update numbers its segments after the skipped ones`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:9
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:10
            #EXT-X-SKIP:SKIPPED-SEGMENTS=3
            #EXTINF:4,
            a.mp4
            #EXT-X-PART:DURATION=1,URI="p.mp4"
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="q.mp4"

            """)
        #expect(playlist.skippedSegments == 3)
        #expect(playlist.segments.map(\.number) == [13])
        #expect(playlist.isLowLatency)
        #expect(playlist.trailerLines.map(\.kind) == [.part, .preloadHint])
    }

    @Test func `a playlist without a segment is empty, and nothing traps (R74)`() throws {
        let playlist = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MAP:URI=\"a\\\"b\"\n#EXT-X-CUE-OUT:30\n#EXT-X-ENDLIST\n")
        #expect(playlist.segments.isEmpty)
        #expect(playlist.hasEndList)
        #expect(playlist.headerLines.map(\.kind) == [.extM3U, .targetDuration])
        #expect(playlist.trailerLines.map(\.kind) == [.map, .cueOut, .endList])
        #expect(playlist.trailerMarkers.count == 1)
        #expect(playlist.trailerMap == 0)
        _ = try media("#EXTM3U")
    }

    @Test func `states after the last segment are told for what would follow`() throws {
        let playlist = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n#EXTINF:6,\na.ts\n#EXT-X-DISCONTINUITY\n"
                + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n")
        #expect(playlist.segments[0].discontinuityNumber == 2)
        #expect(playlist.trailerDiscontinuityNumber == 3)
        #expect(playlist.keyGroups[playlist.trailerKeyGroup].hasImplicitIV)
        #expect(playlist.rules().contains(507))
    }

    @Test func `either kind of playlist is recognised by its tags`() throws {
        guard case .media = try Playlist(parsing: Array(Self.live.utf8)) else {
            Issue.record("not a media playlist")
            return
        }
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"
        guard case .multivariant(let playlist) = try Playlist(parsing: Array(text.utf8)) else {
            Issue.record("not a multivariant playlist")
            return
        }
        #expect(playlist.variants.count == 1)
        #expect(throws: PlaylistError(.wrongKind, line: 2, detail: "")) { try media(text) }
        #expect(throws: PlaylistError(.wrongKind, line: 2, detail: "")) { try multivariant(Self.live) }
    }

    @Test func `a byte range of EXT-X-MAP that no resource can have is none (rule 701)`() throws {
        let range = "9223372036854775807@9223372036854775807"
        let source = "#EXTM3U\n#EXT-X-MAP:URI=\"m\",BYTERANGE=\"\(range)\"\n#EXTINF:6,\ns\n"
        #expect(try MediaPlaylist(parsing: Array(source.utf8)).maps.map(\.byteRange) == [nil])
    }
}
