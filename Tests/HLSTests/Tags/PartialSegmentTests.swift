import Testing

@testable import HLS

@Suite struct PartialSegmentTests {
    static let live = """
        #EXTM3U
        #EXT-X-VERSION:9
        #EXT-X-TARGETDURATION:4
        #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.02,CAN-SKIP-UNTIL=24.0,CAN-SKIP-DATERANGES=YES
        #EXT-X-PART-INF:PART-TARGET=0.33334
        #EXT-X-MEDIA-SEQUENCE:266
        #EXTINF:4.00008,
        a.mp4
        #EXT-X-PART:DURATION=2.00004,URI="b.mp4",BYTERANGE="100@0",INDEPENDENT=YES
        #EXT-X-PART:DURATION=1,URI="b.mp4",BYTERANGE="50"
        #EXT-X-PART:DURATION=1.00004,URI="b.mp4",BYTERANGE=25,GAP=YES
        #EXTINF:4.00008,
        b.mp4
        #EXT-X-PART:DURATION=0.33334,URI="c.0.mp4",INDEPENDENT=NO
        #EXT-X-PART:DURATION=0.33334,URI="c.1.mp4",BYTERANGE="10"
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="c.2.mp4",BYTERANGE-START=7,BYTERANGE-LENGTH=9
        #EXT-X-PRELOAD-HINT:TYPE=LATER,URI="x"
        #EXT-X-PRELOAD-HINT:TYPE=MAP,URI="init.mp4"
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="c.3.mp4"
        #EXT-X-RENDITION-REPORT:URI="../1M/v.m3u8",LAST-MSN=273,LAST-PART=2,X-NEW=1
        #EXT-X-RENDITION-REPORT:URI="../2M/v.m3u8",LAST-MSN=260
        #EXT-X-RENDITION-REPORT:URI="../4M/v.m3u8"

        """

    @Test func `parts are read with the number of their segment, their index and exact duration`() throws {
        let playlist = try media(Self.live)
        #expect(playlist.parts(ofSegmentAt: 0).isEmpty)
        let parts = playlist.parts(ofSegmentAt: 1)
        #expect(parts.map(\.number) == [267, 267, 267])
        #expect(parts.map(\.index) == [0, 1, 2])
        #expect(parts.map(\.isIndependent) == [true, false, false])
        #expect(parts.map(\.isGap) == [false, false, true])
        let sum = parts.reduce(Duration.zero) { $0 + ($1.duration ?? .zero) }
        #expect(sum == playlist.segments[1].duration)
        #expect(playlist.trailerParts.map(\.uri) == ["c.0.mp4", "c.1.mp4"])
        #expect(playlist.trailerParts.map(\.number) == [268, 268])
        #expect(playlist.trailerParts.map(\.isIndependent) == [false, false])
        #expect(playlist.parts.count == 5)
        #expect(playlist.parts(ofSegmentAt: -1).isEmpty)
        #expect(playlist.parts(ofSegmentAt: 3).isEmpty)
    }

    @Test func `a range without offset continues the part before of the same segment and resource (rule 703)`() throws {
        let playlist = try media(Self.live)
        #expect(
            playlist.parts(ofSegmentAt: 1).map(\.byteRange) == [
                ByteRange(offset: 0, length: 100), ByteRange(offset: 100, length: 50),
                ByteRange(offset: 150, length: 25),
            ])
        #expect(playlist.parts.map(\.hasImplicitOffset) == [false, true, true, false, true])
        #expect(playlist.parts.map(\.continuesNothing) == [false, false, false, false, true])
        #expect(playlist.trailerParts.last?.byteRange == ByteRange(offset: 0, length: 10))
        let hostile = try media(
            "#EXTM3U\n#EXT-X-PART:DURATION=1,URI=\"a\",BYTERANGE=\"9223372036854775807@9\"\n"
                + "#EXT-X-PART:DURATION=x,BYTERANGE=\"1\"\n")
        #expect(hostile.trailerParts.map(\.byteRange) == [nil, ByteRange(offset: 0, length: 1)])
        #expect(hostile.trailerParts.map(\.duration) == [.seconds(1), nil])
    }

    @Test func `parts are found by media sequence number and part index`() throws {
        let playlist = try media(Self.live)
        #expect(playlist.part(mediaSequence: 267, index: 2)?.isGap == true)
        #expect(playlist.part(mediaSequence: 268, index: 1)?.uri == "c.1.mp4")
        for (number, index) in [(266, 0), (265, 0), (267, 3), (268, 2), (269, 0), (267, -1), (Int64.min, 0)] {
            #expect(playlist.part(mediaSequence: number, index: index) == nil)
        }
        #expect(playlist.lastPosition == PlaylistPosition(mediaSequence: 268, part: 1))
        #expect(PlaylistPosition(mediaSequence: 268, part: 9) < PlaylistPosition(mediaSequence: 268))
        #expect(try media("#EXTM3U\n").lastPosition == nil)
        #expect(
            try media("#EXTM3U\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:6,\na\n").lastPosition
                == PlaylistPosition(mediaSequence: 3))
    }

    @Test func `of hints of one type the first counts (rule 1005)`() throws {
        let playlist = try media(Self.live)
        #expect(playlist.preloadHints.map(\.type) == [.part, nil, .map, .part])
        let part = playlist.preloadHint(.part)
        #expect(part?.uri == "c.2.mp4")
        #expect(part?.byteRangeStart == 7)
        #expect(part?.byteRangeLength == 9)
        let map = playlist.preloadHint(.map)
        #expect(map?.uri == "init.mp4")
        #expect(map?.byteRangeStart == 0)
        #expect(map?.byteRangeLength == nil)
    }

    @Test func `what a rendition report leaves out is as in the playlist itself (rule 1006)`() throws {
        let playlist = try media(Self.live)
        let reports = playlist.renditionReports
        #expect(reports.map(\.uri) == ["../1M/v.m3u8", "../2M/v.m3u8", "../4M/v.m3u8"])
        #expect(reports.map(\.lastMediaSequence) == [273, 260, nil])
        #expect(reports.map(\.lastPart) == [2, nil, nil])
        #expect(reports[0].attributes["X-NEW"]?.integer == 1)
        #expect(
            reports.map { $0.lastPosition(in: playlist) } == [
                PlaylistPosition(mediaSequence: 273, part: 2), PlaylistPosition(mediaSequence: 260, part: 1),
                PlaylistPosition(mediaSequence: 268, part: 1),
            ])
        #expect(reports[2].lastPosition(in: try media("#EXTM3U\n")) == nil)
    }

    @Test func `server control and part information are typed, wherever they stand (rules 1001, 1004)`() throws {
        let playlist = try media(Self.live)
        let control = try #require(playlist.serverControl)
        #expect(control.canBlockReload)
        #expect(control.canSkipDateRanges)
        #expect(control.canSkipUntil == .seconds(24))
        #expect(control.partHoldBack == .milliseconds(1_020))
        #expect(control.holdBack == nil)
        #expect(playlist.partInformation?.partTarget == .microseconds(333_340))
        let late = try media(
            "#EXTM3U\n#EXTINF:6,\na\n#EXT-X-SERVER-CONTROL:HOLD-BACK=18\n#EXTINF:6,\nb\n#EXT-X-PART-INF:PART-TARGET=x\n"
        )
        #expect(late.serverControl?.holdBack == .seconds(18))
        #expect(late.serverControl?.canBlockReload == false)
        #expect(late.serverControl?.canSkipUntil == nil)
        #expect(late.partInformation != nil)
        #expect(late.partInformation?.partTarget == nil)
        #expect(try media("#EXTM3U\n").serverControl == nil)
    }

    @Test func `a skip tells what is left out, and which date ranges are gone (rule 1007)`() throws {
        let skip = try media(
            "#EXTM3U\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES=\"a\tb c\"\n#EXTINF:6,\na\n"
        ).skip
        #expect(skip?.count == 3)
        #expect(skip?.recentlyRemovedDateRanges == ["a", "b c"])
        let empty = try media("#EXTM3U\n#EXT-X-SKIP:RECENTLY-REMOVED-DATERANGES=\"\"\n").skip
        #expect(empty?.count == nil)
        #expect(empty?.recentlyRemovedDateRanges == [])
        let old = try media("#EXTM3U\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n").skip
        #expect(old?.recentlyRemovedDateRanges == nil)
        #expect(try media("#EXTM3U\n").skip == nil)
    }
}
