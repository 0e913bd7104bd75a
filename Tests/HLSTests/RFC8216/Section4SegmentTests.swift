import Testing

@testable import HLS

/// The examples printed within RFC 8216bis §4.4 for tags of media playlists, in our own words.
@Suite struct Section4SegmentTests {
    private static let head = "#EXTM3U\n#EXT-X-VERSION:9\n#EXT-X-TARGETDURATION:10\n"

    private func playlist(_ lines: String...) throws -> MediaPlaylist {
        try media(Self.head + lines.joined(separator: "\n") + "\n")
    }

    @Test func `4.4.2.2: a negative offset of EXT-X-START counts from the end of the last segment`() throws {
        let playlist = try playlist(
            "#EXT-X-START:TIME-OFFSET=-12.5,PRECISE=YES", "#EXTINF:10,", "a.ts", "#EXTINF:10,", "b.ts")
        let start = try #require(playlist.start)
        #expect(start.timeOffset == .milliseconds(-12_500))
        #expect(start.isPrecise)
        #expect(Timeline(playlist).time(of: start) == .milliseconds(7_500))
    }

    @Test func `4.4.2.3: a parameter of the playlist's own URI becomes a variable, percent-decoded`() throws {
        let playlist = try playlist(
            "#EXT-X-DEFINE:QUERYPARAM=\"token\"", "#EXTINF:10,", "a.ts?token={$token}")
        let plain = playlist.plain(
            importing: .init(), uri: "https://origin.example/list.m3u8?other=1&token=a%2Fb%20c")
        #expect(plain.uri(0) == "a.ts?token=a/b c")
    }

    @Test func `4.4.2.3: a media playlist imports what its multivariant playlist defines`() throws {
        let (_, variables) = try multivariant(
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"base\",VALUE=\"cdn-7\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"
        ).plain(uri: "https://origin.example/mv.m3u8")
        let playlist = try playlist("#EXT-X-DEFINE:IMPORT=\"base\"", "#EXTINF:10,", "/{$base}/a.ts")
        #expect(playlist.plain(importing: variables, uri: "https://origin.example/v.m3u8").uri(0) == "/cdn-7/a.ts")
    }

    @Test func `4.4.3.1: a duration rounded to the nearest whole number may not be above the target duration`() throws {
        #expect(try !playlist("#EXTINF:10.499,", "a.ts").rules().contains(303))
        #expect(try playlist("#EXTINF:10.5,", "a.ts").rules().contains(303))
    }

    @Test func `4.4.3.2 and 4.4.3.3: sequence numbers that are not given are 0`() throws {
        let playlist = try playlist("#EXTINF:10,", "a.ts", "#EXT-X-DISCONTINUITY", "#EXTINF:10,", "b.ts")
        #expect(playlist.segments.map(\.number) == [0, 1])
        #expect(playlist.segments.map(\.discontinuityNumber) == [0, 1])
    }

    @Test func `4.4.4.1: EXTINF has a duration and a title, which may be empty`() throws {
        let playlist = try playlist("#EXTINF:9.967,A title, with a comma", "a.ts", "#EXTINF:10,", "b.ts")
        #expect(playlist.segments.map(\.duration) == [.milliseconds(9_967), .seconds(10)])
        #expect(playlist.text(playlist.segments[0].title) == "A title, with a comma")
        #expect(playlist.segments[1].title.isEmpty)
    }

    @Test func `4.4.4.2: a range without offset begins behind that of the segment before`() throws {
        let playlist = try playlist(
            "#EXT-X-BYTERANGE:82112@752321", "#EXTINF:10,", "v.ts", "#EXT-X-BYTERANGE:69864", "#EXTINF:10,", "v.ts",
            "#EXT-X-BYTERANGE:500@0", "#EXTINF:10,", "v.ts", "#EXT-X-BYTERANGE:40", "#EXTINF:10,", "v.ts")
        #expect(playlist.segments.map(\.byteRange?.offset) == [752_321, 834_433, 0, 500])
        #expect(playlist.segments.map(\.byteRange?.length) == [82_112, 69_864, 500, 40])
    }

    @Test func `4.4.4.4: a key holds until the next of its KEYFORMAT, and several formats hold at once`() throws {
        let playlist = try playlist(
            "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://one\",KEYFORMAT=\"com.example.a\",KEYFORMATVERSIONS=\"1/2/5\"",
            "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k1\",KEYFORMAT=\"com.example.b\"", "#EXTINF:10,", "a.ts",
            "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k2\",KEYFORMAT=\"com.example.b\"", "#EXTINF:10,", "b.ts",
            "#EXT-X-KEY:METHOD=NONE", "#EXTINF:10,", "c.ts")
        let uris = playlist.segments.map { segment in
            playlist.keyGroups[segment.keyGroup].keys.map { $0.uri(in: playlist.source) }
        }
        #expect(uris == [["skd://one", "k1"], ["skd://one", "k2"], []])
        let key = playlist.keyGroups[playlist.segments[0].keyGroup].keys[0]
        #expect(key.keyFormatVersions(in: playlist.source) == [1, 2, 5])
        #expect(key.keyFormat(in: playlist.source) == "com.example.a")
    }

    @Test func `4.4.4.5: a map holds until the next, and its range has an offset`() throws {
        let playlist = try playlist(
            "#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"719@0\"", "#EXTINF:10,", "a", "#EXTINF:10,", "b",
            "#EXT-X-MAP:URI=\"j.mp4\"", "#EXTINF:10,", "c")
        #expect(playlist.segments.map(\.map) == [0, 0, 1])
        #expect(playlist.maps[0].byteRange == ByteRange(offset: 0, length: 719))
        #expect(playlist.maps[1].byteRange == nil)
    }

    @Test func `4.4.4.6: a date with a zone and milliseconds`() throws {
        let playlist = try playlist("#EXT-X-PROGRAM-DATE-TIME:2010-02-19T14:54:23.031+08:00", "#EXTINF:10,", "a")
        let date = try #require(playlist.segments[0].programDateTime)
        #expect(date == DateTime("2010-02-19T06:54:23.031Z"))
        let spelling = try #require(DateTimeSpelling("2010-02-19T14:54:23.031+08:00"))
        #expect(spelling.text(of: date.advanced(by: .seconds(10))) == "2010-02-19T14:54:33.031+08:00")
    }

    @Test func `4.4.4.7 and 4.4.4.8: a gap is its segment's, a bit rate holds for all that follow without a range`()
        throws
    {
        let playlist = try playlist(
            "#EXT-X-BITRATE:1300", "#EXTINF:10,", "a", "#EXT-X-GAP", "#EXTINF:10,", "b", "#EXT-X-BYTERANGE:5@0",
            "#EXTINF:10,", "c", "#EXT-X-BITRATE:900", "#EXTINF:10,", "d")
        #expect(playlist.segments.map(\.isGap) == [false, true, false, false])
        #expect(playlist.segments.map(\.bitrate) == [1_300, 1_300, nil, 900])
    }

    @Test func `4.4.4.9: parts stand before their segment, and continue each other's ranges`() throws {
        let playlist = try playlist(
            "#EXT-X-MEDIA-SEQUENCE:40", "#EXT-X-PART-INF:PART-TARGET=2",
            "#EXT-X-PART:DURATION=2,URI=\"s.mp4\",BYTERANGE=\"100@0\",INDEPENDENT=YES",
            "#EXT-X-PART:DURATION=1.5,URI=\"s.mp4\",BYTERANGE=\"50\"", "#EXTINF:3.5,", "s.mp4",
            "#EXT-X-PART:DURATION=2,URI=\"t.0.mp4\",GAP=YES")
        let parts = playlist.parts(ofSegmentAt: 0)
        #expect(parts.map(\.number) == [40, 40])
        #expect(parts.map(\.byteRange) == [ByteRange(offset: 0, length: 100), ByteRange(offset: 100, length: 50)])
        #expect(parts.map(\.isIndependent) == [true, false])
        #expect(playlist.trailerParts.map(\.number) == [41])
        #expect(playlist.trailerParts.map(\.isGap) == [true])
        #expect(playlist.partInformation?.partTarget == .seconds(2))
    }

    @Test func `4.4.5.1: a date range has attributes of its vendor's own`() throws {
        let playlist = try playlist(
            "#EXT-X-DATERANGE:ID=\"r\",CLASS=\"org.example.show\",START-DATE=\"2026-05-01T10:00:00Z\",DURATION=60.5,"
                + "X-ORG-EXAMPLE-AD=\"QRS987\",X-ORG-EXAMPLE-RAW=0x0A,X-ORG-EXAMPLE-GAIN=1.5",
            "#EXTINF:10,", "a")
        let range = try #require(playlist.dateRanges.first)
        #expect(
            range.extensionAttributes.map(\.value)
                == [.text("QRS987"), .hexadecimal([0x0A]), .decimal(DecimalNumber(1, thousandths: 500))])
    }

    @Test func `4.4.5.1: END-ON-NEXT ends a range where the next of its class begins`() throws {
        let playlist = try playlist(
            "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"c\",START-DATE=\"2026-05-01T10:00:00Z\",END-ON-NEXT=YES",
            "#EXT-X-DATERANGE:ID=\"x\",CLASS=\"other\",START-DATE=\"2026-05-01T10:00:30Z\"",
            "#EXT-X-DATERANGE:ID=\"b\",CLASS=\"c\",START-DATE=\"2026-05-01T10:01:00Z\",END-ON-NEXT=YES", "#EXTINF:10,",
            "a")
        let ranges = playlist.combinedDateRanges
        #expect(ranges.map(\.endDate) == [DateTime("2026-05-01T10:01:00Z"), nil, nil])
        #expect(ranges.map(\.duration) == [.seconds(60), nil, nil])
    }

    @Test func `4.4.5.2: EXT-X-SKIP stands for segments, and lists what is gone with tabs between`() throws {
        let playlist = try playlist(
            "#EXT-X-MEDIA-SEQUENCE:20", "#EXT-X-SKIP:SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES=\"r 1\tr 2\"",
            "#EXTINF:10,", "d.ts")
        #expect(playlist.skip?.count == 3)
        #expect(playlist.skip?.recentlyRemovedDateRanges == ["r 1", "r 2"])
        #expect(playlist.segments.map(\.number) == [23])
    }

    @Test func `4.4.5.3: a hint without a start begins its resource, without a length goes to its end`() throws {
        let playlist = try playlist(
            "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"t.mp4\",BYTERANGE-START=300",
            "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"i.mp4\"")
        let part = try #require(playlist.preloadHint(.part))
        #expect(part.byteRangeStart == 300)
        #expect(part.byteRangeLength == nil)
        #expect(playlist.preloadHint(.map)?.byteRangeStart == 0)
    }

    @Test func `4.4.5.4: a report that leaves out its numbers ends where its own playlist does`() throws {
        let playlist = try playlist(
            "#EXT-X-MEDIA-SEQUENCE:7", "#EXTINF:10,", "a", "#EXT-X-PART:DURATION=2,URI=\"b.0\"",
            "#EXT-X-PART:DURATION=2,URI=\"b.1\"", "#EXT-X-RENDITION-REPORT:URI=\"../other/list.m3u8\"")
        let report = try #require(playlist.renditionReports.first)
        #expect(report.lastPosition(in: playlist) == PlaylistPosition(mediaSequence: 8, part: 1))
    }
}
