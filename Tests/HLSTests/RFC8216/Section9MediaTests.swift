import Testing

@testable import HLS

/// The media playlists of RFC 8216bis §9 (RFC 8216 §8), with the same structure and numbers, but names of our own.
@Suite struct Section9MediaTests {
    @Test func `9.1: a simple media playlist`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:10
            #EXT-X-VERSION:3
            #EXTINF:9.009,
            http://media.test/one.ts
            #EXTINF:9.009,
            http://media.test/two.ts
            #EXTINF:3.003,
            http://media.test/three.ts
            #EXT-X-ENDLIST

            """)
        #expect(playlist.targetDuration == 10)
        #expect(playlist.version == 3)
        #expect(playlist.hasEndList)
        #expect(playlist.playlistType == nil)
        #expect(playlist.segments.map(\.number) == [0, 1, 2])
        #expect(
            playlist.segments.map(\.duration) == [.milliseconds(9_009), .milliseconds(9_009), .milliseconds(3_003)])
        #expect(Timeline(playlist).duration == .milliseconds(21_021))
        #expect(
            playlist.segments.indices.map(playlist.uri) == ["one", "two", "three"].map { "http://media.test/\($0).ts" })
        #expect(playlist.requiredVersion.version == 3)
        #expect(!playlist.lint().contains { $0.severity == .error })
    }

    @Test func `9.2: a live media playlist`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:8
            #EXT-X-MEDIA-SEQUENCE:2680

            #EXTINF:7.975,
            https://tls.test/live2680.ts
            #EXTINF:7.941,
            https://tls.test/live2681.ts
            #EXTINF:7.975,
            https://tls.test/live2682.ts

            """)
        #expect(!playlist.hasEndList)
        #expect(playlist.segments.map(\.number) == [2_680, 2_681, 2_682])
        #expect(Timeline(playlist).duration == .milliseconds(23_891))
        #expect(Timeline(playlist).segmentIndex(number: 2_681) == 1)
        // The blank line stands before the first segment, and belongs to it.
        #expect(playlist.headerLines.count { $0.kind == .blank } == 0)
    }

    @Test func `9.3: a playlist with encrypted segments`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-MEDIA-SEQUENCE:7794
            #EXT-X-TARGETDURATION:15

            #EXT-X-KEY:METHOD=AES-128,URI="https://tls.test/key?r=52"

            #EXTINF:2.833,
            http://media.test/52-A.ts
            #EXTINF:15.0,
            http://media.test/52-B.ts
            #EXTINF:13.333,
            http://media.test/52-C.ts

            #EXT-X-KEY:METHOD=AES-128,URI="https://tls.test/key?r=53"

            #EXTINF:15.0,
            http://media.test/53-A.ts

            """)
        let keys = playlist.segments.map { playlist.keyGroups[$0.keyGroup].keys }
        #expect(keys.allSatisfy { $0.count == 1 && $0[0].method == .aes128 && $0[0].hasImplicitIV })
        #expect(
            keys.map { $0[0].uri(in: playlist.source) }
                == [52, 52, 52, 53].map { "https://tls.test/key?r=\($0)" })
        #expect(playlist.keyGroups.count == 3)
        let last = playlist.segments[3]
        let vector = keys[3][0].initializationVector(ofSegment: last.number, in: playlist.source)
        #expect(vector == InitializationVector(mediaSequence: 7_797))
        #expect(playlist.text(playlist.segments[1].durationText) == "15.0")
        #expect(Timeline(playlist).duration == .milliseconds(46_166))
    }

    @Test func `9.10: date ranges that carry SCTE-35`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:3
            #EXT-X-TARGETDURATION:30
            #EXT-X-PROGRAM-DATE-TIME:2014-03-05T11:15:00Z
            #EXT-X-DATERANGE:ID="break-6FFFFFF0",START-DATE="2014-03-05T11:15:00Z",PLANNED-DURATION=59.993,\
            SCTE35-OUT=0xFC002F000000000000FF000014056FFFFFF000E081622DCAFF0000
            #EXTINF:30,
            a.ts
            #EXTINF:29.993,
            b.ts
            #EXT-X-DATERANGE:ID="break-6FFFFFF0",DURATION=59.993,SCTE35-IN=0xFC002A000000000000FF00000F056FFFFFF0
            #EXTINF:10,
            c.ts

            """)
        #expect(playlist.dateRanges.count == 2)
        let ranges = playlist.combinedDateRanges
        let range = try #require(ranges.first)
        #expect(ranges.count == 1)
        #expect(range.conflicts.isEmpty)
        #expect(range.startDate == DateTime("2014-03-05T11:15:00Z"))
        #expect(range.plannedDuration == .milliseconds(59_993))
        #expect(range.duration == .milliseconds(59_993))
        #expect(range.endDate == DateTime("2014-03-05T11:15:59.993Z"))
        #expect(range.scte35Out?.prefix(3) == [0xFC, 0x00, 0x2F])
        #expect(range.scte35In?.prefix(3) == [0xFC, 0x00, 0x2A])
        // Out, and back in where the third segment begins.
        let out = try #require(playlist.markers(ofSegmentAt: 0).first?.signal)
        #expect(out.meaning == .begins)
        #expect(out.plannedDuration == .milliseconds(59_993))
        #expect(playlist.markers(ofSegmentAt: 1).isEmpty)
        let back = try #require(playlist.markers(ofSegmentAt: 2).first?.signal)
        #expect(back.meaning == .ends)
        #expect(back.id == out.id)
        #expect(Timeline(playlist).dates[2] == range.endDate)
    }

    @Test func `9.11: a low-latency playlist`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-VERSION:6
            #EXT-X-PART-INF:PART-TARGET=2.002
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=6.006
            #EXT-X-MEDIA-SEQUENCE:268
            #EXTINF:4.00008,
            seq268.mp4
            #EXTINF:4.00008,
            seq269.mp4
            #EXTINF:4.00008,
            seq270.mp4
            #EXT-X-PART:DURATION=2.00004,INDEPENDENT=YES,URI="part271.0.mp4"
            #EXT-X-PART:DURATION=2.00004,URI="part271.1.mp4"
            #EXTINF:4.00008,
            seq271.mp4
            #EXT-X-PART:DURATION=2.00004,INDEPENDENT=YES,URI="part272.0.mp4"
            #EXT-X-PART:DURATION=0.50001,URI="part272.1.mp4"
            #EXTINF:2.50005,
            seq272.mp4
            #EXT-X-DISCONTINUITY
            #EXT-X-PART:DURATION=2.00004,INDEPENDENT=YES,URI="ad273.0.mp4"
            #EXT-X-PART:DURATION=2.00004,URI="ad273.1.mp4"
            #EXTINF:4.00008,
            ad273.mp4
            #EXT-X-PART:DURATION=2.00004,INDEPENDENT=YES,URI="ad274.0.mp4"
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="ad274.1.mp4"
            #EXT-X-RENDITION-REPORT:URI="/1M/list.m3u8",LAST-MSN=274,LAST-PART=1

            """)
        #expect(playlist.isLowLatency)
        #expect(playlist.segments.map(\.number) == Array(268...273))
        #expect(playlist.segments.map(\.discontinuityNumber) == [0, 0, 0, 0, 0, 1])
        #expect(playlist.parts.map(\.position).map(\.mediaSequence) == [271, 271, 272, 272, 273, 273, 274])
        #expect(playlist.parts.map(\.index) == [0, 1, 0, 1, 0, 1, 0])
        #expect(playlist.parts.map(\.isIndependent) == [true, false, true, false, true, false, true])
        // The parts of a segment are as long as the segment, to the last digit.
        for index in 3...5 {
            let parts = playlist.parts(ofSegmentAt: index).compactMap(\.duration).reduce(.zero, +)
            #expect(parts == playlist.segments[index].duration)
        }
        #expect(playlist.lastPosition == PlaylistPosition(mediaSequence: 274, part: 0))
        #expect(playlist.preloadHint(.part)?.uri == "ad274.1.mp4")
        let report = try #require(playlist.renditionReports.first)
        #expect(report.uri == "/1M/list.m3u8")
        #expect(report.lastPosition(in: playlist) == PlaylistPosition(mediaSequence: 274, part: 1))
        #expect(playlist.serverControl?.canBlockReload == true)
        #expect(playlist.serverControl?.partHoldBack == .milliseconds(6_006))
        #expect(Timeline(playlist).duration == .nanoseconds(22_500_450_000))
    }

    @Test func `9.11 with byte ranges: parts and hint lie in the resource of their segment`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-VERSION:6
            #EXT-X-PART-INF:PART-TARGET=2
            #EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=6
            #EXT-X-MEDIA-SEQUENCE:270
            #EXTINF:4,
            seq270.mp4
            #EXT-X-PART:DURATION=2,URI="seq271.mp4",BYTERANGE="20000@0",INDEPENDENT=YES
            #EXT-X-PART:DURATION=2,URI="seq271.mp4",BYTERANGE="23000@20000"
            #EXTINF:4,
            seq271.mp4
            #EXT-X-PART:DURATION=2,URI="seq272.mp4",BYTERANGE="18000@0",INDEPENDENT=YES
            #EXT-X-PRELOAD-HINT:TYPE=PART,URI="seq272.mp4",BYTERANGE-START=18000

            """)
        #expect(playlist.parts.map(\.byteRange?.offset) == [0, 20_000, 0])
        #expect(playlist.parts.map(\.byteRange?.end) == [20_000, 43_000, 18_000])
        #expect(playlist.preloadHint(.part)?.byteRangeStart == playlist.lastPart?.byteRange?.end)
    }
}
