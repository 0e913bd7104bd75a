import Testing

@testable import HLS

@Suite struct DeltaMergeTests {
    static let head = """
        #EXTM3U
        #EXT-X-VERSION:9
        #EXT-X-TARGETDURATION:4
        #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24

        """
    static let previous =
        head + """
            #EXT-X-MEDIA-SEQUENCE:10
            #EXT-X-DISCONTINUITY-SEQUENCE:2
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x01
            #EXT-X-MAP:URI="i.mp4"
            #EXT-X-BITRATE:800
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.00+0100
            #EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:00Z"
            #EXTINF:4.004,first
            a.mp4
            #EXT-X-DATERANGE:ID="b",START-DATE="2026-01-01T00:00:04Z"
            #EXT-X-BYTERANGE:10@5
            #EXTINF:4.004,
            all.mp4
            # kept
            #EXT-X-BYTERANGE:10
            #EXTINF:4.004,
            all.mp4
            #EXT-X-DISCONTINUITY
            #EXT-X-CUE-OUT:30
            #EXTINF:4,
            d.mp4?sig=1
            #EXT-X-PART:DURATION=1,URI="e.0.mp4"
            #EXTINF:4,
            e.mp4

            """

    private func merge(
        _ delta: String, onto previous: String = previous, byteLimit: Int = 1 << 20
    ) throws(PlaylistError) -> MediaPlaylist {
        let delta = try MediaPlaylist(parsing: Array(delta.utf8))
        return try delta.merged(onto: try MediaPlaylist(parsing: Array(previous.utf8)), byteLimit: byteLimit)
    }

    @Test
    func `lines left out come from the playlist before, and what was in force is written out (rules 608, 706, 1007)`()
        throws
    {
        let merged = try merge(
            Self.head + """
                #EXT-X-MEDIA-SEQUENCE:12
                #EXT-X-DISCONTINUITY-SEQUENCE:2
                #EXT-X-SKIP:SKIPPED-SEGMENTS=2
                #EXT-X-DATERANGE:ID="c",START-DATE="2026-01-01T00:00:20Z"
                #EXT-X-PART:DURATION=1,URI="e.0.mp4"
                #EXTINF:4,
                e.mp4
                #EXTINF:4,
                f.mp4
                #EXT-X-PRELOAD-HINT:TYPE=PART,URI="g.0.mp4"
                """)
        #expect(
            text(merged.source) == Self.head + """
                #EXT-X-MEDIA-SEQUENCE:12
                #EXT-X-DISCONTINUITY-SEQUENCE:2
                #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x01
                #EXT-X-MAP:URI="i.mp4"
                #EXT-X-BITRATE:800
                #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:08.008+0100
                # kept
                #EXT-X-BYTERANGE:10@15
                #EXTINF:4.004,
                all.mp4
                #EXT-X-DISCONTINUITY
                #EXT-X-CUE-OUT:30
                #EXTINF:4,
                d.mp4?sig=1
                #EXT-X-DATERANGE:ID="c",START-DATE="2026-01-01T00:00:20Z"
                #EXT-X-PART:DURATION=1,URI="e.0.mp4"
                #EXTINF:4,
                e.mp4
                #EXTINF:4,
                f.mp4
                #EXT-X-PRELOAD-HINT:TYPE=PART,URI="g.0.mp4"
                """)
        #expect(merged.skippedSegments == 0)
        #expect(merged.segments.map(\.number) == [12, 13, 14, 15])
        #expect(merged.segments.map(\.discontinuityNumber) == [2, 3, 3, 3])
        #expect(merged.segments.last?.bitrate == 800)
    }

    @Test func `date ranges left out are kept but for those that were removed (rules 819, 1007)`() throws {
        let merged = try merge(
            Self.head.replacing(":9", with: ":10") + """
                #EXT-X-MEDIA-SEQUENCE:11
                #EXT-X-SKIP:SKIPPED-SEGMENTS=3,RECENTLY-REMOVED-DATERANGES="x\tb"
                #EXTINF:4,
                e.mp4
                #EXT-X-DATERANGE:ID="c",START-DATE="2026-01-01T00:00:20Z"

                """)
        #expect(merged.dateRanges.map(\.id) == ["a", "c"])
        #expect(merged.texts(merged.lines(ofSegmentAt: 0)).first?.contains("ID=\"a\"") == true)
    }

    @Test func `a delta update that leaves out no date ranges tells which ones are left, and none comes twice`() throws
    {
        let delta =
            Self.head + """
                #EXT-X-MEDIA-SEQUENCE:10
                #EXT-X-SKIP:SKIPPED-SEGMENTS=3
                #EXT-X-DATERANGE:ID="b",START-DATE="2026-01-01T00:00:04Z"
                #EXT-X-DATERANGE:ID="b",DURATION=4
                #EXTINF:4,
                d.mp4?sig=2
                #EXTINF:4,
                e.mp4

                """
        let merged = try merge(delta)
        #expect(
            merged.dateRanges.map { merged.text($0.line.range).dropFirst(17) } == [
                "ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\"", "ID=\"b\",START-DATE=\"2026-01-01T00:00:04Z\"",
                "ID=\"b\",DURATION=4",
            ])
        // It keeps its place.
        #expect(merged.texts(merged.lines(ofSegmentAt: 1)).first?.contains("ID=\"b\"") == true)
        // A range of a segment that has left is gone where the delta update does not list it.
        let later = try merge(delta.replacing("SEQUENCE:10", with: "SEQUENCE:11").replacing("=3", with: "=2"))
        #expect(later.dateRanges.map(\.id) == ["b", "b"])
    }

    @Test func `parts are kept as long as servers keep them`() throws {
        let parts = Self.head + (0..<8).map { "#EXT-X-PART:DURATION=4,URI=\"\($0).0\"\n#EXTINF:4,\n\($0)\n" }.joined()
        let merged = try merge(
            Self.head + "#EXT-X-SKIP:SKIPPED-SEGMENTS=7\n#EXTINF:4,\n7\n#EXTINF:4,\n8\n", onto: parts)
        #expect(merged.parts.map(\.uri) == ["5.0", "6.0"])
    }

    @Test func `a MAP that stands under other keys than its segments keeps its own (rule 610)`() throws {
        let previous =
            Self.head + """
                #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x01
                #EXT-X-MAP:URI="i.mp4"
                #EXT-X-KEY:METHOD=NONE
                #EXTINF:4,
                a.mp4
                #EXT-X-KEY:METHOD=AES-128,URI="l",IV=0x01
                #EXTINF:4,
                b.mp4
                #EXTINF:4,
                c.mp4

                """
        let merged = try merge(
            Self.head + "#EXT-X-MEDIA-SEQUENCE:1\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXTINF:4,\nc.mp4\n", onto: previous)
        let segment = merged.segments[0]
        #expect(merged.keyGroups[segment.keyGroup].keys.map { merged.text($0.line.range).contains("\"l\"") } == [true])
        let map = try #require(segment.map)
        #expect(merged.maps[map].keys.map { merged.text($0.line.range).contains("\"k\"") } == [true])
    }

    @Test(arguments: [
        ("#EXTINF:4,\nx\n", PlaylistError.Code.notADeltaUpdate, 1),
        ("#EXT-X-SKIP:A=1\n#EXTINF:4,\nx\n", .invalidSkip, 5),
        ("#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:4,\nx\n", .invalidSkip, 5),
        ("#EXT-X-MEDIA-SEQUENCE:9\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n#EXTINF:4,\nx\n", .missingSegments, 6),
        ("#EXT-X-MEDIA-SEQUENCE:14\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n#EXTINF:4,\nx\n", .missingSegments, 6),
        ("#EXT-X-MEDIA-SEQUENCE:99\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXTINF:4,\nx\n", .missingSegments, 6),
        ("#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXTINF:4,\nx\n", .missingSegments, 5),
        (
            "#EXT-X-MEDIA-SEQUENCE:10\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:4,\nd.mp4?sig=3\n#EXTINF:4,\nx\n",
            .differingSegments, 10
        ),
    ])
    func `what does not fit is an error with its line (rules 404, 1007)`(
        lines: String, code: PlaylistError.Code, line: Int
    ) throws {
        let error = #expect(throws: PlaylistError.self) { _ = try merge(Self.head + lines) }
        #expect(error?.code == code)
        #expect(error?.line == line)
    }

    @Test func `a playlist that has ended, is a delta update or grows beyond the limit is not merged onto`() throws {
        let delta = Self.head + "#EXT-X-MEDIA-SEQUENCE:10\n#EXT-X-SKIP:SKIPPED-SEGMENTS=4\n#EXTINF:4,\ne.mp4\n"
        #expect(throws: PlaylistError(.notExtensible, line: 1, detail: "")) {
            try merge(delta, onto: Self.previous + "#EXT-X-ENDLIST\n")
        }
        #expect(throws: PlaylistError(.notExtensible, line: 1, detail: "")) { try merge(delta, onto: delta) }
        #expect(throws: PlaylistError(.tooLarge, line: 1, detail: "")) { try merge(delta, byteLimit: 400) }
        #expect(try merge(delta).segments.count == 5)
        // Its last segment leaves with the playlist's end: no line feed is missing, none is made up.
        let bare = try merge(String(delta.dropLast()), onto: String(Self.previous.dropLast()))
        #expect(bare.segments.count == 5)
        #expect(bare.source.last == UInt8(ascii: "4"))
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func
        `whatever a live playlist has, following it by delta updates is as good as loading it whole (rules 1007, 1008)`(
            seed: UInt64
        ) throws
    {
        var source = ChangingPlaylist(seed: seed)
        for _ in 0..<30 { source.advance() }
        var merged = try media(source.text())
        var random = SeededGenerator(seed: seed &+ 1_000)
        var history = DateRangeHistory()
        var time = Duration.zero
        history.note(merged, at: time)
        var deltas = 0
        for step in 0..<40 {
            for _ in 0...random.next() % 3 { source.advance() }
            time += .seconds(4)
            let full = try media(source.text(end: step == 39 ? "#EXT-X-ENDLIST\n" : ""))
            history.note(full, at: time)
            let boundary = Duration.seconds(36)
            let removed = history.recentlyRemoved(at: time, boundary: boundary)
            let update =
                random.next() % 2 == 0
                ? full.deltaUpdate()
                : full.deltaUpdate(recentlyRemoved: removed) { history.isOld($0, at: time, boundary: boundary) }
            guard let update else {
                merged = full
                continue
            }
            deltas += 1
            #expect(update.count < full.source.count)
            let delta = try MediaPlaylist(parsing: update)
            #expect(delta.requiredVersion.version <= delta.version)
            merged = try delta.merged(onto: merged)
            let (left, right) = (merged.meaning(), full.meaning())
            #expect(left == right)
            if left != right { return }
        }
        #expect(deltas > 15)
    }
}
