import Testing

@testable import HLS

@Suite struct TimelineTests {
    @Test func `start times are exact sums, and times find their segment`() throws {
        var source = "#EXTM3U\n#EXT-X-TARGETDURATION:7\n"
        for index in 0..<1_000 { source += "#EXTINF:6.006006006006,\n\(index).ts\n" }
        let timeline = Timeline(try media(source))
        #expect(DecimalText.text(timeline.duration) == "6006.006006006")
        #expect(timeline.starts.count == 1_001)
        #expect(timeline.segmentCount == 1_000)
        #expect(timeline.dates.isEmpty)
        #expect(timeline.segmentIndex(at: .zero) == 0)
        #expect(timeline.segmentIndex(at: .seconds(7)) == 1)
        #expect(timeline.segmentIndex(at: timeline.starts[500]) == 500)
        #expect(timeline.segmentIndex(at: timeline.starts[500] - .nanoseconds(1)) == 499)
        #expect(timeline.segmentIndex(at: .seconds(6_007)) == nil)
        #expect(timeline.segmentIndex(at: timeline.duration) == nil)
        #expect(timeline.segmentIndex(at: .seconds(-1)) == nil)
        #expect(timeline.date(at: .zero) == nil)
        #expect(timeline.time(at: DateTime(nanoseconds: 0)) == nil)
    }

    @Test(arguments: [
        ("0.1", "1000"), ("6.006", "60060"), ("0.0000000001", "0.000001"),
        ("3.333333333333333333", "33333.33333333333333"),
        ("4.00000000000000000099", "40000"), ("10", "100000"), (".5", "5000"),
    ])
    func `sums of ten thousand durations are exact to eighteen digits`(duration: String, sum: String) throws {
        var source = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n"
        for index in 0..<10_000 { source += "#EXTINF:\(duration),\n\(index).ts\n" }
        #expect(DecimalText.text(Timeline(try media(source)).duration) == sum)
    }

    static let dated = """
        #EXTM3U
        #EXT-X-TARGETDURATION:6
        #EXT-X-MEDIA-SEQUENCE:7
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

        """

    @Test func `dates are counted on from the last and back from the first`() throws {
        let timeline = Timeline(try media(Self.dated))
        #expect(
            timeline.dates.map(\.formatted) == [
                "2026-01-01T00:00:04.000Z", "2026-01-01T00:00:10.000Z", "2026-01-01T00:00:14.500Z",
                "2026-01-01T01:00:00.000Z", "2026-01-01T01:00:06.000Z",
            ])
    }

    @Test func `dates find their segment and time, and nothing in gaps and outside`() throws {
        let timeline = Timeline(try media(Self.dated))
        func index(_ date: String) throws -> Int? { timeline.segmentIndex(at: try #require(DateTime(date))) }
        #expect(try index("2026-01-01T00:00:03.999Z") == nil)
        #expect(try index("2026-01-01T00:00:04Z") == 0)
        #expect(try index("2026-01-01T00:00:14.499999999Z") == 1)
        #expect(try index("2026-01-01T01:00:14.5+01:00") == 2)
        #expect(try index("2026-01-01T00:00:20.5Z") == nil)
        #expect(try index("2026-01-01T01:00:00Z") == 3)
        #expect(try index("2026-01-01T01:00:06Z") == nil)
        #expect(timeline.time(at: try #require(DateTime("2026-01-01T01:00:01Z"))) == .milliseconds(17_500))
        #expect(timeline.date(at: .milliseconds(17_500)) == DateTime("2026-01-01T01:00:01Z"))
        #expect(timeline.date(at: .seconds(11)) == DateTime("2026-01-01T00:00:15Z"))
        #expect(timeline.date(at: .seconds(60)) == nil)
        #expect(timeline.duration(ofSegmentAt: 1) == .milliseconds(4_500))
        #expect(timeline.duration(ofSegmentAt: 4) == .zero)
    }

    @Test func `numbers find their segment, in a delta update too (rules 401, 1007)`() throws {
        let timeline = Timeline(try media(Self.dated))
        #expect([6, 7, 10, 11, Int64.min, .max].map(timeline.segmentIndex(number:)) == [nil, 0, 3, nil, nil, nil])
        let delta = Timeline(
            try media("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:1,\na\n"))
        #expect(delta.segmentIndex(number: 10) == 0)
        #expect(delta.segmentIndex(number: 7) == nil)
    }

    @Test func `a date range maps to listed segments or not (rule 819)`() throws {
        let timeline = Timeline(try media(Self.dated))
        func overlaps(_ start: String, _ end: String) throws -> Bool {
            timeline.overlaps(
                from: try #require(DateTime("2026-01-01T" + start)), to: try #require(DateTime("2026-01-01T" + end)))
        }
        #expect(try overlaps("00:00:00Z", "00:00:04.001Z"))
        #expect(try !overlaps("00:00:00Z", "00:00:04Z"))
        #expect(try !overlaps("00:00:20.5Z", "01:00:00Z"))
        #expect(try overlaps("00:00:20Z", "00:00:30Z"))
        #expect(try overlaps("01:00:05Z", "02:00:00Z"))
        #expect(try !overlaps("01:00:06Z", "02:00:00Z"))
        #expect(try overlaps("00:00:05Z", "00:00:05Z"))
        #expect(try !overlaps("00:00:30Z", "00:00:30Z"))
    }

    @Test func `the start of playback is counted from either end, and stays inside (rule 1302)`() throws {
        let timeline = Timeline(try media(Self.dated))
        let times = [5, -5, 99, -99].map {
            timeline.time(of: PlaylistStart(timeOffset: .seconds($0), isPrecise: false))
        }
        #expect(times == [.seconds(5), .milliseconds(17_500), .milliseconds(22_500), .zero])
    }

    @Test func `lookups by date find what a search of all segments finds, whatever jumps the dates make (rule 802)`()
        throws
    {
        for seed in UInt64(0)..<200 {
            var random = SeededGenerator(seed: seed)
            var source = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n"
            for index in 0..<30 {
                if index == 0 || random.next() % 3 == 0 {
                    let second = random.next() % 60
                    source += "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:\(second < 10 ? "0" : "")\(second)Z\n"
                }
                source += "#EXTINF:\(random.next() % 9),\n\(index)\n"
            }
            let timeline = Timeline(try media(source))
            let origin = try #require(DateTime("2026-01-01T00:00:00Z"))
            for second in -2..<120 {
                let date = origin.advanced(by: .milliseconds(second * 500))
                let playing = (0..<30).filter {
                    timeline.dates[$0] <= date
                        && timeline.dates[$0].advanced(by: timeline.duration(ofSegmentAt: $0)) > date
                }
                let found = timeline.segmentIndex(at: date)
                #expect((found == nil) == playing.isEmpty)
                if let found { #expect(playing.contains(found)) }
                let end = date.advanced(by: .milliseconds(700))
                let isMapped = (0..<30).contains {
                    timeline.dates[$0] < end
                        && timeline.dates[$0].advanced(by: timeline.duration(ofSegmentAt: $0)) > date
                }
                #expect(timeline.overlaps(from: date, to: end) == isMapped)
            }
        }
    }

    @Test func `parts have their times, and times their nearest boundary`() throws {
        let playlist = try media(PartialSegmentTests.live)
        let timeline = Timeline(playlist)
        #expect(
            playlist.parts.map { DecimalText.text(timeline.start(of: $0)) } == [
                "4.00008", "6.00012", "7.00012", "8.00016", "8.3335",
            ])
        let even = Timeline(try media("#EXTM3U\n#EXTINF:6,\na\n#EXTINF:6,\nb\n"))
        let boundaries = [-1, 0, 2, 3, 4, 6, 9, 10, 12, 99].map { even.nearestBoundary(to: .seconds($0)) }
        #expect(boundaries == [0, 0, 0, 0, 6, 6, 6, 12, 12, 12].map { .seconds($0) })
    }

    @Test func `a playlist without segments has no length`() throws {
        let timeline = Timeline(try media("#EXTM3U\n"))
        #expect(timeline.duration == .zero)
        #expect(timeline.segmentIndex(at: .zero) == nil)
        #expect(timeline.segmentIndex(number: 0) == nil)
        #expect(!timeline.overlaps(from: DateTime(nanoseconds: 0), to: DateTime(nanoseconds: 9)))
    }
}
