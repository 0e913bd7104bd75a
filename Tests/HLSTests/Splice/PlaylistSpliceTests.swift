import Testing

@testable import HLS

/// What is written at the joints of a splice.
@Suite struct PlaylistSpliceTests {
    // MARK: Joints

    @Test func `segments are replaced between two discontinuities, all else stays byte for byte (rules 505, 506)`()
        throws
    {
        let content = """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            ## kept  as it is
            #EXT-X-VERSION:3
            #EXTINF:6.000,one
            a.ts
            #EXTINF:6,
            b.ts
            #EXT-X-DISCONTINUITY
            #EXTINF:6,
            c.ts
            #EXT-X-DISCONTINUITY
            # of d
            #EXTINF:6.0000,
            d.ts
            #EXTINF:6,
              e.ts
            #EXT-X-ENDLIST

            """
        let result = try SpliceSample.spliced(
            content, 1..<3,
            with: [
                SpliceSample.entry("ad1.ts"), SpliceSample.entry("ad2.ts", "3.50"),
                SpliceSample.entry("ad3.ts", isJoint: true),
            ])
        #expect(
            result == """
                #EXTM3U
                #EXT-X-TARGETDURATION:6
                ## kept  as it is
                #EXT-X-VERSION:3
                #EXTINF:6.000,one
                a.ts
                #EXT-X-DISCONTINUITY
                #EXTINF:4.0,
                ad1.ts
                #EXTINF:3.50,
                ad2.ts
                #EXT-X-DISCONTINUITY
                #EXTINF:4.0,
                ad3.ts
                #EXT-X-DISCONTINUITY
                # of d
                #EXTINF:6.0000,
                d.ts
                #EXTINF:6,
                  e.ts
                #EXT-X-ENDLIST

                """)
    }

    @Test
    func `every entry takes the date of the time that it replaces, and the content has its own again (rules 803, 807)`()
        throws
    {
        let content = """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:6
            #EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:00.000+01:00
            #EXTINF:6,
            a.ts
            #EXTINF:6,
            b.ts
            #EXTINF:6,
            c.ts

            """
        let own = try #require(DateTime("2026-02-02T00:00:00.5Z"))
        let result = try SpliceSample.spliced(
            content, 1..<2,
            with: [
                SpliceSample.entry("ad1.ts"), SpliceSample.entry("ad2.ts", "1.5"),
                SpliceSample.entry("ad3.ts", date: own),
            ])
        #expect(
            result == """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-TARGETDURATION:6
                #EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:00.000+01:00
                #EXTINF:6,
                a.ts
                #EXT-X-DISCONTINUITY
                #EXT-X-PROGRAM-DATE-TIME:2026-01-17T07:15:06.000Z
                #EXTINF:4.0,
                ad1.ts
                #EXT-X-PROGRAM-DATE-TIME:2026-01-17T07:15:10.000Z
                #EXTINF:1.5,
                ad2.ts
                #EXT-X-PROGRAM-DATE-TIME:2026-02-02T00:00:00.500Z
                #EXTINF:4.0,
                ad3.ts
                #EXT-X-DISCONTINUITY
                #EXT-X-PROGRAM-DATE-TIME:2026-01-17T07:15:12.000Z
                #EXTINF:6,
                c.ts

                """)
    }

    @Test func `clear entries stand under NONE, and all keys and the map come again (rules 609, 610, 706)`() throws {
        let content = """
            #EXTM3U
            #EXT-X-VERSION:6
            #EXT-X-TARGETDURATION:6
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://a",KEYFORMAT="com.apple.streamingkeydelivery"
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="data:b",KEYFORMAT="urn:uuid:w"
            #EXT-X-MAP:URI="init.mp4"
            #EXTINF:6,
            a.m4s
            #EXTINF:6,
            b.m4s
            #EXTINF:6,
            c.m4s
            #EXTINF:6,
            d.m4s
            """
        let map = "#EXT-X-MAP:URI=\"ad.mp4\""
        let result = try SpliceSample.spliced(
            content, 1..<2, with: [SpliceSample.entry("ad1.m4s", map: map), SpliceSample.entry("ad2.m4s", map: map)])
        #expect(
            result == """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:6
                #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://a",KEYFORMAT="com.apple.streamingkeydelivery"
                #EXT-X-KEY:METHOD=SAMPLE-AES,URI="data:b",KEYFORMAT="urn:uuid:w"
                #EXT-X-MAP:URI="init.mp4"
                #EXTINF:6,
                a.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-KEY:METHOD=NONE
                #EXT-X-MAP:URI="ad.mp4"
                #EXTINF:4.0,
                ad1.m4s
                #EXTINF:4.0,
                ad2.m4s
                #EXT-X-DISCONTINUITY
                #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://a",KEYFORMAT="com.apple.streamingkeydelivery"
                #EXT-X-KEY:METHOD=SAMPLE-AES,URI="data:b",KEYFORMAT="urn:uuid:w"
                #EXT-X-MAP:URI="init.mp4"
                #EXTINF:6,
                c.m4s
                #EXTINF:6,
                d.m4s
                """)
    }

    @Test func `encrypted entries bring their keys, and clear content stands under NONE again (rule 609)`() throws {
        let content =
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXTINF:6,\nb.ts\n#EXTINF:6,\nc.ts\n"
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1"
        let result = try SpliceSample.spliced(
            content, 1..<1,
            with: [SpliceSample.entry("ad1.ts", keys: [key]), SpliceSample.entry("ad2.ts", keys: [key])])
        #expect(
            result == """
                #EXTM3U
                #EXT-X-VERSION:5
                #EXT-X-TARGETDURATION:6
                #EXTINF:6,
                a.ts
                #EXT-X-DISCONTINUITY
                #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
                #EXTINF:4.0,
                ad1.ts
                #EXTINF:4.0,
                ad2.ts
                #EXT-X-DISCONTINUITY
                #EXT-X-KEY:METHOD=NONE
                #EXTINF:6,
                b.ts
                #EXTINF:6,
                c.ts

                """)
    }

    @Test func `a key of another format is ended before the keys that do not replace it (rule 609)`() throws {
        let content =
            "#EXTM3U\n#EXT-X-VERSION:5\n#EXT-X-TARGETDURATION:6\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"s\",KEYFORMAT=\"f\"\n"
            + "#EXTINF:6,\na.ts\n#EXTINF:6,\nb.ts\n"
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1"
        let result = try SpliceSample.spliced(content, 1..<1, with: [SpliceSample.entry("ad.ts", keys: [key])])
        #expect(
            result.hasSuffix(
                """
                a.ts
                #EXT-X-DISCONTINUITY
                #EXT-X-KEY:METHOD=NONE
                #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x1
                #EXTINF:4.0,
                ad.ts
                #EXT-X-DISCONTINUITY
                #EXT-X-KEY:METHOD=NONE
                #EXT-X-KEY:METHOD=SAMPLE-AES,URI="s",KEYFORMAT="f"
                #EXTINF:6,
                b.ts

                """))
    }

    @Test func `IVs that follow from numbers are written out where the numbers move (rule 605)`() throws {
        let content = """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-MEDIA-SEQUENCE:9
            #EXT-X-KEY:METHOD=AES-128,URI="k"
            #EXTINF:6,
            a.ts
            #EXTINF:6,
            b.ts
            #EXTINF:6,
            c.ts
            #EXTINF:6,
            d.ts

            """
        let moved = try SpliceSample.spliced(
            content, 1..<2, with: [SpliceSample.entry("ad1.ts", "6"), SpliceSample.entry("ad2.ts", "6")])
        #expect(
            moved == """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:9
                #EXT-X-KEY:METHOD=AES-128,URI="k"
                #EXTINF:6,
                a.ts
                #EXT-X-DISCONTINUITY
                #EXT-X-KEY:METHOD=NONE
                #EXTINF:6,
                ad1.ts
                #EXTINF:6,
                ad2.ts
                #EXT-X-DISCONTINUITY
                #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x0000000000000000000000000000000B
                #EXTINF:6,
                c.ts
                #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x0000000000000000000000000000000C
                #EXTINF:6,
                d.ts

                """)
        // As many come as go: the numbers stay, and so do the IVs.
        let equal = try SpliceSample.spliced(content, 1..<2, with: [SpliceSample.entry("ad1.ts", "6")])
        #expect(!equal.contains("IV="))
        let renumbered = try SpliceSample.spliced(content, 0..<0, with: []) { $0.mediaSequence = 1 }
        #expect(
            renumbered.contains(
                "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x00000000000000000000000000000009\n#EXTINF:6,\na.ts\n"))
        #expect(renumbered.contains("#EXT-X-VERSION:2\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:1\n#EXT-X-KEY"))
    }

    @Test func `byte ranges behind a joint have their offsets (rules 703, 704)`() throws {
        let content = """
            #EXTM3U
            #EXT-X-VERSION:4
            #EXT-X-TARGETDURATION:6
            #EXT-X-BYTERANGE:10@0
            #EXTINF:6,
            all.ts
            #EXT-X-BYTERANGE:20
            #EXTINF:6,
            all.ts
            #EXT-X-BYTERANGE:30
            #EXTINF:6,
            all.ts
            #EXT-X-BYTERANGE: 40
            #EXTINF:6,
            all.ts

            """
        let result = try SpliceSample.spliced(
            content, 1..<2, with: [SpliceSample.entry("ad.ts", byteRange: ByteRange(offset: 7, length: 5))])
        #expect(
            result == """
                #EXTM3U
                #EXT-X-VERSION:4
                #EXT-X-TARGETDURATION:6
                #EXT-X-BYTERANGE:10@0
                #EXTINF:6,
                all.ts
                #EXT-X-DISCONTINUITY
                #EXTINF:4.0,
                #EXT-X-BYTERANGE:5@7
                ad.ts
                #EXT-X-DISCONTINUITY
                #EXT-X-BYTERANGE:30@30
                #EXTINF:6,
                all.ts
                #EXT-X-BYTERANGE:40@60
                #EXTINF:6,
                all.ts

                """)
    }

    @Test func `bit rates hold for entries that have one, and go where one has none (rule 1301)`() throws {
        let content = """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:6
            #EXT-X-BITRATE:800
            #EXTINF:6,
            a.ts
            #EXTINF:6,
            b.ts
            #EXTINF:6,
            c.ts
            #EXT-X-BITRATE:900
            #EXTINF:6,
            d.ts

            """
        let both = try SpliceSample.spliced(
            content, 1..<2,
            with: [SpliceSample.entry("ad1.ts", bitrate: 500), SpliceSample.entry("ad2.ts", bitrate: 500)])
        #expect(
            both == """
                #EXTM3U
                #EXT-X-VERSION:3
                #EXT-X-TARGETDURATION:6
                #EXT-X-BITRATE:800
                #EXTINF:6,
                a.ts
                #EXT-X-DISCONTINUITY
                #EXT-X-BITRATE:500
                #EXTINF:4.0,
                ad1.ts
                #EXTINF:4.0,
                ad2.ts
                #EXT-X-DISCONTINUITY
                #EXT-X-BITRATE:800
                #EXTINF:6,
                c.ts
                #EXT-X-BITRATE:900
                #EXTINF:6,
                d.ts

                """)
        let none = try SpliceSample.spliced(
            content, 1..<2, with: [SpliceSample.entry("ad1.ts", bitrate: 500), SpliceSample.entry("ad2.ts")])
        #expect(!none.contains("BITRATE"))
        #expect(
            none.contains("#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:4.0,\nad1.ts\n"))
        #expect(none.hasSuffix("c.ts\n#EXTINF:6,\nd.ts\n"))
    }
}
