import Testing

@testable import HLS

/// What stays, what goes, the ends and the header of a splice.
@Suite struct SpliceBodyTests {
    // MARK: What goes and what stays

    @Test func `markers of the break go, date ranges that mark none stay (rules 109, 819)`() throws {
        let content = """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:6
            #EXTINF:6,
            a.ts
            #EXT-X-CUE-OUT:6
            #EXT-X-DATERANGE:ID="x",START-DATE="2026-01-17T08:15:06Z",CLASS="chapter"
            #EXT-X-DATERANGE:ID="b",START-DATE="2026-01-17T08:15:06Z",SCTE35-OUT=0xFC
            #EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:06Z
            #EXTINF:6,
            b.ts
            #EXT-X-CUE-IN
            ## of c
            #EXTINF:6,
            c.ts

            """
        let expected = """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:6
            #EXTINF:6,
            a.ts
            #EXT-X-DISCONTINUITY
            #EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:06.000Z
            #EXTINF:4.0,
            ad.ts
            #EXT-X-DISCONTINUITY
            #EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:12.000Z
            #EXT-X-DATERANGE:ID="x",START-DATE="2026-01-17T08:15:06Z",CLASS="chapter"
            ## of c
            #EXTINF:6,
            c.ts

            """
        #expect(try SpliceSample.spliced(content, 1..<2, with: [SpliceSample.entry("ad.ts")]) == expected)
        let kept = try SpliceSample.spliced(content, 1..<2, with: [SpliceSample.entry("ad.ts")]) {
            $0.keepsMarkers = true
        }
        #expect(kept == expected.replacing("## of c", with: "#EXT-X-CUE-IN\n## of c"))
        let atEnd = try SpliceSample.spliced(content, 1..<3, with: [SpliceSample.entry("ad.ts")])
        #expect(
            atEnd.hasSuffix("ad.ts\n#EXT-X-DATERANGE:ID=\"x\",START-DATE=\"2026-01-17T08:15:06Z\",CLASS=\"chapter\"\n"))
    }

    @Test func `a tag of the whole playlist among replaced segments stays (rule 107)`() throws {
        let content =
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n#EXTINF:6,\nb.ts\n#EXTINF:6,\nc.ts\n"
        let result = try SpliceSample.spliced(content, 1..<2, with: [SpliceSample.entry("ad.ts")])
        #expect(result.hasSuffix("ad.ts\n#EXT-X-DISCONTINUITY\n#EXT-X-ENDLIST\n#EXTINF:6,\nc.ts\n"))
    }

    // MARK: Ends

    @Test func `a pre-roll begins the playlist without a discontinuity, unless something came before it`() throws {
        let content = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-VERSION:3\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n"
        let result = try SpliceSample.spliced(content, 0..<0, with: [SpliceSample.entry("ad.ts")])
        #expect(
            result
                == "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-VERSION:3\n#EXTINF:4.0,\nad.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n"
        )
        let later = try SpliceSample.spliced(content, 0..<0, with: [SpliceSample.entry("ad.ts")]) {
            $0.beginsWithDiscontinuity = true
        }
        #expect(later == result.replacing("#EXTINF:4.0,", with: "#EXT-X-DISCONTINUITY\n#EXTINF:4.0,"))
    }

    @Test func `a post-roll stands before the end of the playlist (rule 906)`() throws {
        let content = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-VERSION:3\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST"
        #expect(
            try SpliceSample.spliced(content, 1..<1, with: [SpliceSample.entry("ad.ts")])
                == "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-VERSION:3\n#EXTINF:6,\na.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:4.0,\nad.ts\n#EXT-X-ENDLIST"
        )
    }

    @Test
    func `segments that go from the front leave no joint, and what was in force is said again (rules 502, 608, 706)`()
        throws
    {
        let content = """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:6
            #EXT-X-MEDIA-SEQUENCE:7
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
            #EXT-X-MAP:URI="i.mp4"
            #EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:00Z
            #EXTINF:6,
            a.m4s
            #EXT-X-DISCONTINUITY
            #EXTINF:6,
            b.m4s
            #EXTINF:6,
            c.m4s

            """
        let result = try SpliceSample.spliced(content, 0..<1, with: []) {
            $0.mediaSequence = 8
            $0.discontinuitySequence = 0
        }
        #expect(
            result == """
                #EXTM3U
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:8
                #EXT-X-DISCONTINUITY
                #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
                #EXT-X-MAP:URI="i.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:06.000Z
                #EXTINF:6,
                b.m4s
                #EXTINF:6,
                c.m4s

                """)
    }

    // MARK: The header

    @Test func `the header says what the result needs, no more (rules 201, 203, 303)`() throws {
        let content =
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:4\n#EXTINF:6,\na.ts\n#EXTINF:6,\nb.ts\n"
        let map = try SpliceSample.spliced(
            content, 1..<2, with: [SpliceSample.entry("ad.m4s", "6.5", map: "#EXT-X-MAP:URI=\"i\"")])
        #expect(
            map.hasPrefix(
                "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:7\n#EXT-X-MEDIA-SEQUENCE:4\n#EXTINF:6,\na.ts\n"))
        let given = try SpliceSample.spliced(content, 1..<2, with: [SpliceSample.entry("ad.ts")]) {
            $0.targetDuration = 8
            $0.mediaSequence = 40
            $0.discontinuitySequence = 2
        }
        #expect(
            given.hasPrefix(
                "#EXTM3U\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:8\n#EXT-X-MEDIA-SEQUENCE:40\n#EXTINF:6,\na.ts\n"
            ))
        let first = try SpliceSample.spliced(content, 0..<1, with: [SpliceSample.entry("ad.ts")]) {
            $0.mediaSequence = 41
        }
        #expect(
            first.hasPrefix(
                "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:41\n#EXTINF:4.0,\nad.ts\n"))
    }

    // MARK: Spellings of files

    @Test func `CR LF, a byte order mark and a missing last line end are borne`() throws {
        let content =
            "\u{FEFF}#EXTM3U\r\n#EXT-X-TARGETDURATION:6\r\n#EXT-X-VERSION:3\r\n\r\n#EXTINF:6,\r\na.ts\r\n#EXTINF:6,\r\nb.ts\r\n#EXTINF:6,\r\nc.ts"
        #expect(
            try SpliceSample.spliced(content, 1..<2, with: [SpliceSample.entry("ad.ts")])
                == "#EXTM3U\r\n#EXT-X-TARGETDURATION:6\r\n#EXT-X-VERSION:3\r\n\r\n#EXTINF:6,\r\na.ts\r\n#EXT-X-DISCONTINUITY\n#EXTINF:4.0,\nad.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\r\nc.ts\n"
        )
        #expect(
            try SpliceSample.spliced(content, 3..<3, with: [SpliceSample.entry("ad.ts")])
                == "#EXTM3U\r\n#EXT-X-TARGETDURATION:6\r\n#EXT-X-VERSION:3\r\n\r\n#EXTINF:6,\r\na.ts\r\n#EXTINF:6,\r\nb.ts\r\n#EXTINF:6,\r\nc.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:4.0,\nad.ts\n"
        )
    }

    @Test func `a playlist without segments takes entries, too`() throws {
        #expect(
            try SpliceSample.spliced(
                "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-ENDLIST", 0..<0, with: [SpliceSample.entry("ad.ts")])
                == "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n#EXTINF:4.0,\nad.ts\n#EXT-X-ENDLIST")
    }

    // MARK: Several

    @Test func `replacements in any order, side by side, and none that overlap`() throws {
        var content = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-VERSION:3\n"
        for index in 0..<8 { content += "#EXTINF:6,\n\(index).ts\n" }
        var splice = PlaylistSplice(try media(content))
        let done = [
            splice.replace(5..<6, with: [try SpliceSample.entry("d.ts")]),
            splice.replace(1..<3, with: [try SpliceSample.entry("a.ts")]),
            splice.replace(3..<3, with: [try SpliceSample.entry("b.ts")]),
            splice.replace(3..<3, with: [try SpliceSample.entry("c.ts")]),
            splice.replace(7..<7, with: []),
        ]
        #expect(done == [true, true, true, true, true])
        let refused = [
            splice.replace(2..<4, with: []), splice.replace(4..<6, with: [try SpliceSample.entry("x.ts")]),
            splice.replace(7..<9, with: []), splice.replace(-1..<1, with: []),
        ]
        #expect(refused == [false, false, false, false])
        let uris = text(splice.bytes()).split(separator: "\n").filter { !$0.hasPrefix("#E") || $0.hasSuffix("TINUITY") }
            .map { $0.hasPrefix("#") ? "|" : String($0.dropLast(3)) }
        #expect(uris.joined() == "0|a|b|c|34|d|67")
    }

    @Test func `without a change the bytes are those received`() throws {
        let content = "\u{FEFF}#EXTM3U\r\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts"
        #expect(text(PlaylistSplice(try media(content)).bytes()) == content)
    }

    @Test func `an entry's number has to be one`() {
        #expect(SpliceEntry(uri: "a", durationText: "six") == nil)
        #expect(SpliceEntry(uri: "a", durationText: "-1") == nil)
    }

    @Test func `keys that hold on are kept once, however long, for all segments`() throws {
        let uri = String(repeating: "u", count: 1_000)
        var source = "#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,KEYFORMAT=\"a\",URI=\"\(uri)\"\n"
        for index in 0..<3 { source += "#EXT-X-KEY:METHOD=AES-128,URI=\"\(index)\"\n#EXTINF:6,\ns\(index)\n" }
        let playlist = try MediaPlaylist(parsing: Array(source.utf8))
        var reader = SegmentTextReader(playlist, base: nil, keepsHeaderTags: true)
        let keys = playlist.segments.map { reader.state(of: $0).keys }
        #expect(keys.map(\.count) == [2, 2, 2])
        let places = try keys.map { keys in
            try #require(keys.first { $0.line.count > 1_000 }).line.withUnsafeBufferPointer { $0.baseAddress }
        }
        #expect(Set(places).count == 1)
    }
}
