import Testing

@testable import HLS

@Suite struct TimelineTests {
    @Test func `start times are exact sums, and times find their segment`() throws {
        var source = "#EXTM3U\n#EXT-X-TARGETDURATION:7\n"
        for index in 0..<1_000 { source += "#EXTINF:6.006006006006,\n\(index).ts\n" }
        let timeline = Timeline(try media(source))
        #expect(DecimalText.text(timeline.duration) == "6006.006006006")
        #expect(timeline.starts.count == 1_001)
        #expect(timeline.dates.isEmpty)
        #expect(timeline.segmentIndex(at: .zero) == 0)
        #expect(timeline.segmentIndex(at: .seconds(7)) == 1)
        #expect(timeline.segmentIndex(at: timeline.starts[500]) == 500)
        #expect(timeline.segmentIndex(at: .seconds(6_007)) == nil)
        #expect(timeline.segmentIndex(at: .seconds(-1)) == nil)
    }

    @Test func `dates are counted on from the last and back from the first`() throws {
        let timeline = Timeline(
            try media(
                """
                #EXTM3U
                #EXT-X-TARGETDURATION:6
                #EXTINF:6,
                a.ts
                #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:10Z
                #EXTINF:4.5,
                b.ts
                #EXTINF:6,
                c.ts
                #EXT-X-PROGRAM-DATE-TIME:2026-01-01T01:00:00Z
                #EXTINF:6,
                d.ts

                """))
        #expect(
            timeline.dates.map(\.formatted) == [
                "2026-01-01T00:00:04.000Z", "2026-01-01T00:00:10.000Z", "2026-01-01T00:00:14.500Z",
                "2026-01-01T01:00:00.000Z", "2026-01-01T01:00:06.000Z",
            ])
    }

    @Test func `a playlist without segments has no length`() throws {
        let timeline = Timeline(try media("#EXTM3U\n"))
        #expect(timeline.duration == .zero)
        #expect(timeline.segmentIndex(at: .zero) == nil)
    }
}
