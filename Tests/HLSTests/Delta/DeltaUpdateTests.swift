import Testing

@testable import HLS

@Suite struct DeltaUpdateTests {
    static let head = "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:6\n"
    static let full =
        head + """
            #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=36,CAN-SKIP-DATERANGES=YES
            #EXT-X-MEDIA-SEQUENCE:5
            #EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:00Z"
            #EXT-X-BYTERANGE:5@0
            #EXTINF:6,
            a
            #EXT-X-DISCONTINUITY
            #EXT-X-CUE-OUT:6
            #EXT-X-BYTERANGE:5
            #EXTINF:6,
            a
            #EXT-X-DATERANGE:ID="b",START-DATE="2026-01-01T00:00:00Z"
            #EXT-X-BYTERANGE:5
            #EXTINF:6,
            a

            """ + (0..<5).map { "#EXTINF:6,\n\($0)\n" }.joined()

    @Test func `segments beyond the boundary are left out, none nearer, and date ranges stay (rules 704, 1007, 1008)`()
        throws
    {
        let update = try #require(try media(Self.full).deltaUpdate())
        #expect(
            text(update) == Self.head.replacing(":4", with: ":9") + """
                #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=36,CAN-SKIP-DATERANGES=YES
                #EXT-X-MEDIA-SEQUENCE:5
                #EXT-X-SKIP:SKIPPED-SEGMENTS=1
                #EXT-X-DATERANGE:ID="a",START-DATE="2026-01-01T00:00:00Z"
                #EXT-X-DISCONTINUITY
                #EXT-X-CUE-OUT:6
                #EXT-X-BYTERANGE:5@5
                #EXTINF:6,
                a
                #EXT-X-DATERANGE:ID="b",START-DATE="2026-01-01T00:00:00Z"
                #EXT-X-BYTERANGE:5
                #EXTINF:6,
                a

                """ + (0..<5).map { "#EXTINF:6,\n\($0)\n" }.joined())
    }

    @Test func `old date ranges are left out if asked for and offered, and removed ones are listed (rule 1007)`() throws
    {
        let playlist = try media(Self.full)
        let update = try #require(playlist.deltaUpdate(recentlyRemoved: ["x", "y\"", "z z"]) { $0.id == "b" })
        let delta = try MediaPlaylist(parsing: update)
        #expect(delta.version == 10)
        #expect(delta.skip?.recentlyRemovedDateRanges == ["x", "z z"])
        #expect(delta.dateRanges.map(\.id) == ["a"])
        let none = try #require(playlist.deltaUpdate(recentlyRemoved: []) { _ in true })
        #expect(try MediaPlaylist(parsing: none).skip?.recentlyRemovedDateRanges == [])
        let without = try media(Self.full.replacing(",CAN-SKIP-DATERANGES=YES", with: ""))
        #expect(without.deltaUpdate(recentlyRemoved: []) { _ in true } == without.deltaUpdate())
    }

    @Test
    func `there is none after the end, near the end, without the offer, and of a delta update (rules 1007, 1008)`()
        throws
    {
        #expect(try media(Self.full + "#EXT-X-ENDLIST\n").deltaUpdate() == nil)
        #expect(try media(Self.full.replacing("UNTIL=36", with: "UNTIL=42.0001")).deltaUpdate() == nil)
        #expect(try media(Self.full.replacing("UNTIL=36", with: "UNTIL=42")).deltaUpdate() == nil)
        #expect(try media(Self.full.replacing("UNTIL=36", with: "UNTIL=41.9999")).deltaUpdate() != nil)
        #expect(try media(Self.full.replacing("CAN-SKIP-UNTIL=36", with: "X=1")).deltaUpdate() == nil)
        let update = try #require(try media(Self.full).deltaUpdate())
        #expect(try MediaPlaylist(parsing: update).deltaUpdate() == nil)
        #expect(SkipDirective(rawValue: "YES") == .segments)
        #expect(SkipDirective(rawValue: "v2") == .dateRanges)
        #expect(SkipDirective(rawValue: "yes") == nil)
    }

    @Test func `line ends and tags of the header that stand late are kept`() throws {
        let late = Self.full.replacing("#EXT-X-CUE-OUT:6\n", with: "#EXT-X-INDEPENDENT-SEGMENTS\n")
            .replacing("UNTIL=36", with: "UNTIL=30").replacing("\n", with: "\r\n")
        let update = try #require(try media(late).deltaUpdate())
        #expect(!text(update).replacing("\r\n", with: "").contains("\n"))
        #expect(try MediaPlaylist(parsing: update).hasIndependentSegments)
    }

    @Test func `a history tells when date ranges came and went (rule 1007)`() throws {
        let head = "#EXTM3U\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=10\n"
        let a = "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\"\n"
        var history = DateRangeHistory()
        history.note(try media(head + a), at: .seconds(0))
        let both = try media(head + a + "#EXT-X-DATERANGE:ID=\"a\",DURATION=1\n")
        history.note(both, at: .seconds(8))
        let boundary = Duration.seconds(10)
        #expect(both.dateRanges.map { history.isOld($0, at: .seconds(10), boundary: boundary) } == [false, false])
        #expect(both.dateRanges.map { history.isOld($0, at: .seconds(11), boundary: boundary) } == [true, false])
        #expect(history.recentlyRemoved(at: .seconds(11), boundary: boundary).isEmpty)
        history.note(try media(head), at: .seconds(12))
        #expect(history.recentlyRemoved(at: .seconds(22), boundary: boundary) == ["a"])
        #expect(history.recentlyRemoved(at: .seconds(23), boundary: boundary).isEmpty)
        history.note(try media(head), at: .seconds(30))
        #expect(history.recentlyRemoved(at: .seconds(12), boundary: boundary).isEmpty)
    }
}
