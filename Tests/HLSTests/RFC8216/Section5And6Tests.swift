import Testing

@testable import HLS

/// What RFC 8216bis §5 and §6 show by example or by number, in our own words.
@Suite struct Section5And6Tests {
    @Test func `5.2: without IV the media sequence number is it, big-endian in sixteen bytes`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:7794
            #EXT-X-KEY:METHOD=AES-128,URI="k"
            #EXTINF:4,
            a
            #EXTINF:4,
            b
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x000102030405060708090a0b0c0d0e0f
            #EXTINF:4,
            c

            """)
        let vectors = playlist.segments.map { segment in
            playlist.keyGroups[segment.keyGroup].keys[0].initializationVector(
                ofSegment: segment.number, in: playlist.source)
        }
        #expect(vectors[0]?.bytes == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1E, 0x72])
        #expect(vectors[1]?.text.uppercased() == "0X00000000000000000000000000001E73")
        #expect(vectors[2]?.bytes == Array(0...15))
    }

    @Test func `6.2.1: a segment that leaves raises the media sequence number by one`() throws {
        var lint = ReloadLint()
        _ = lint.receive(try Self.live(10, from: 0, count: 6), at: .zero)
        #expect(lint.receive(try Self.live(11, from: 1, count: 6), at: .seconds(4)).isEmpty)
        #expect(lint.receive(try Self.live(14, from: 3, count: 6), at: .seconds(8)).contains { $0.severity == .error })
    }

    @Test func `6.2.2: a discontinuity that leaves raises its sequence number by one`() throws {
        let head = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n"
        let tail = (0..<5).map { "#EXTINF:4,\nt\($0)\n" }.joined()
        let before = try media(
            head + "#EXT-X-MEDIA-SEQUENCE:5\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n#EXT-X-DISCONTINUITY\n#EXTINF:4,\ns\n"
                + tail)
        let after = try media(
            head + "#EXT-X-MEDIA-SEQUENCE:6\n#EXT-X-DISCONTINUITY-SEQUENCE:3\n" + tail + "#EXTINF:4,\nt5\n")
        #expect(before.segments.map(\.discontinuityNumber) == [3, 3, 3, 3, 3, 3])
        #expect(after.segments.map(\.discontinuityNumber) == [3, 3, 3, 3, 3, 3])
        var lint = ReloadLint()
        _ = lint.receive(before, at: .zero)
        #expect(lint.receive(after, at: .seconds(4)).isEmpty)
    }

    @Test func `6.2.5.1: a delta update for YES leaves out what lies beyond the skip boundary`() throws {
        let full = try Self.live(
            100, from: 0, count: 12,
            "#EXT-X-VERSION:9\n#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=24\n")
        let delta = try MediaPlaylist(parsing: #require(full.deltaUpdate()))
        // Six segments of four seconds lie within the boundary; the one that begins beyond it, but ends within, goes.
        #expect(delta.mediaSequence == 100)
        #expect(delta.skip?.count == delta.skippedSegments)
        #expect(delta.segments.first?.number == 100 + delta.skippedSegments)
        #expect(delta.segments.map(\.duration).reduce(.zero, +) >= .seconds(24))
    }

    @Test func `6.3.7: a delta update is put together with the playlist before`() throws {
        let previous = try Self.live(100, from: 0, count: 8)
        let delta = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:9
            #EXT-X-TARGETDURATION:4
            #EXT-X-MEDIA-SEQUENCE:102
            #EXT-X-SKIP:SKIPPED-SEGMENTS=5
            #EXTINF:4,
            s7
            #EXTINF:4,
            s8

            """)
        let merged = try delta.merged(onto: previous)
        #expect(merged.segments.map(\.number) == Array(102...108))
        #expect(merged.segments.indices.map { merged.uri($0) } == (2...8).map { "s\($0)" })
        #expect(merged.skip == nil)
    }

    @Test func `6.3.7: a delta update over a gap cannot be used`() throws {
        let previous = try Self.live(100, from: 0, count: 3)
        let delta = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:104\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n#EXTINF:4,\nx\n"
        )
        #expect(throws: PlaylistError(.missingSegments, line: 4, detail: "")) { try delta.merged(onto: previous) }
    }

    private static func live(
        _ number: Int, from first: Int, count: Int, _ header: String = "#EXT-X-VERSION:3\n"
    ) throws -> MediaPlaylist {
        try media(
            "#EXTM3U\n\(header)#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(number)\n"
                + (first..<first + count).map { "#EXTINF:4,\ns\($0)\n" }.joined())
    }
}
