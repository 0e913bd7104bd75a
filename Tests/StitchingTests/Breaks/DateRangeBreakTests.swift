import HLS
import Testing

@testable import Stitching

/// Breaks that date ranges mark: by their dates, once each, wherever and whenever they are printed.
struct DateRangeBreakTests {
    private static func out(
        _ id: String = "5", at seconds: Int, length: Int? = 18, more: String = "", splice: TestSplice = Dialect.openOut
    ) -> String {
        let date = DateTime("2026-01-01T00:00:00Z")?.advanced(by: .seconds(seconds)).formatted ?? ""
        let planned = length.map { "PLANNED-DURATION=\($0)," } ?? ""
        return "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"\(date)\",\(planned)\(more)SCTE35-OUT=\(splice.hexadecimal)"
    }

    private static func time(_ seconds: Int) -> DateTime? {
        DateTime("2026-01-01T00:00:00Z")?.advanced(by: .seconds(seconds))
    }

    @Test func `a date range begins its break at its date, or at its tag where the operator says so`() throws {
        let lines = [[Self.out(at: 12)], [], [], [], [], []]
        #expect(try MarkerDialectTests.breaks(lines).map(\.startNumber) == [12])
        let byTag = try MarkerDialectTests.breaks(lines) { $0.dateRangePlacing = .tag }
        #expect(byTag.map(\.startNumber) == [10])
        let late = [[], [], [], [Self.out(at: 6, length: 30)], [], []]
        #expect(try MarkerDialectTests.breaks(late).map(\.startNumber) == [11])
        let tagged = try MarkerDialectTests.breaks(late) { $0.dateRangePlacing = .tag }
        #expect(tagged.map(\.startNumber) == [13])
    }

    @Test func `without dates in the playlist the tag's place counts`() throws {
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, date: nil, [[], [], [Self.out(at: 0)], []]))
        #expect(bench.ledger.breaks.map(\.startNumber) == [12])
    }

    @Test func `the nearest boundary is taken`() throws {
        for (milliseconds, number) in [(8_900, 11), (9_000, 11), (9_100, 12), (11_000, 12)] {
            let line = Self.out(at: 0).replacing(
                "00:00:00.000Z",
                with: "00:00:\(milliseconds < 10_000 ? "0" : "")\(milliseconds / 1000)."
                    + String("\(1000 + milliseconds % 1000)".dropFirst()) + "Z")
            #expect(try MarkerDialectTests.breaks([[line], [], [], [], [], []]).map(\.startNumber) == [Int64(number)])
        }
    }

    @Test(arguments: ["24.001", "23.999", "26.500", "24.000"])
    func `a CUE-OUT and a date range of one break whose dates differ are asked for once`(date: String) throws {
        let line = Self.out(at: 0).replacing("00:00:00.000Z", with: "00:00:\(date)Z")
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, [[], [line], []]))
        let pending = bench.pending()
        #expect(pending.count == 1)
        bench.decide([try TestAd.muxed("a", ["6.000", "6.000", "6.000"])])
        try bench.observe(TestContent.playlist(first: 10, [[], [line], [], [], ["#EXT-X-CUE-OUT:18"], []]))
        #expect(bench.ledger.breaks.map(\.startNumber) == [14])
        #expect(bench.ledger.breaks.map(\.id) == pending.map(\.opportunity.id))
        #expect(bench.pending().isEmpty)
        #expect(try bench.text().contains("a/v0.ts"))
    }

    @Test func `a date in the future announces the break: it is decided before it begins`() throws {
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, [[], [Self.out(at: 24)], []]))
        #expect(bench.ledger.breaks.isEmpty)
        let pending = bench.pending()
        #expect(pending.map(\.opportunity.availableDuration) == [.seconds(18)])
        bench.decide([try TestAd.muxed("a", ["6.000", "6.000", "6.000"])])
        #expect(bench.pending().isEmpty)
        try bench.observe(TestContent.playlist(first: 10, [[], [Self.out(at: 24)], [], [], [], []]))
        #expect(bench.ledger.breaks.map(\.startNumber) == [14])
        #expect(bench.ledger.breaks.map(\.id) == pending.map(\.opportunity.id))
        #expect(bench.pending().isEmpty)
        #expect(try bench.text().contains("a/v0.ts"))
    }

    @Test func `a break that lies more than a minute ahead is not decided yet`() throws {
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, [[], [Self.out(at: 79)], []]))
        #expect(bench.pending().isEmpty)
        #expect(bench.ledger.announcedBreaks.count == 1)
    }

    @Test func `a range first printed at a segment that is known begins with the next one, for what is left`() throws {
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, [[], [], []]))
        try bench.observe(TestContent.playlist(first: 10, [[], [Self.out(at: 6, length: 30)], []]))
        #expect(bench.ledger.breaks.isEmpty)
        try bench.observe(TestContent.playlist(first: 10, [[], [Self.out(at: 6, length: 30)], [], []]))
        let found = try #require(bench.ledger.breaks.first)
        #expect(found.startNumber == 13)
        #expect(found.plannedDuration == .seconds(18))
        #expect(found.plannedEnd == Self.time(36))
    }

    @Test func `a range whose break is over before it is seen marks nothing`() throws {
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, [[], [], []]))
        try bench.observe(TestContent.playlist(first: 10, [[], [Self.out(at: 0, length: 12)], [], [], []]))
        #expect(bench.ledger.breaks.isEmpty)
    }

    @Test func `a range printed again in every playlist is one break (rule 819)`() throws {
        var bench = try Workbench(.live)
        for first in 10..<22 {
            try bench.observe(
                TestContent.playlist(
                    first: first, date: Self.time((first - 10) * 6)?.formatted,
                    [[Self.out(at: 18, length: 12)], [], [], []]))
        }
        #expect(bench.ledger.breaks.map(\.startNumber) == [13])
        #expect(bench.ledger.breaks.map(\.end?.time) == [Self.time(30)])
    }

    @Test func `the true length, told with the end, ends the break at its date`() throws {
        let out = Self.out(at: 6, length: 30)
        let back = out.replacing(
            "SCTE35-OUT=\(Dialect.openOut.hexadecimal)", with: "DURATION=12,SCTE35-IN=\(Dialect.back.hexadecimal)")
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, [[], [out], [], []]))
        try bench.observe(TestContent.playlist(first: 10, [[back], [out], [], [], [], []]))
        #expect(bench.ledger.breaks.map(\.plannedDuration) == [.seconds(30)])
        // Told after the fact: the next segment is the first that can bring the content back.
        #expect(bench.ledger.breaks.map(\.end?.number) == [14])
        let ahead = try MarkerDialectTests.breaks([[], [out, back], [], [], [], []])
        #expect(ahead.map(\.plannedDuration) == [.seconds(12)])
        #expect(ahead.map(\.end?.time) == [Self.time(18)])
    }

    @Test func `the end of one range is not that of another`() throws {
        let out = Self.out("b", at: 6, length: 24)
        let other = "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\",DURATION=12,SCTE35-IN=0xFC"
        let found = try MarkerDialectTests.breaks([[], [out], [other], [], [], [], []])
        #expect(found.map(\.end?.time) == [Self.time(30)])
    }

    @Test func `a range and a CUE-OUT of one break are one, whichever is seen first`() throws {
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, [[], ["#EXT-X-CUE-OUT:18"], []]))
        try bench.observe(TestContent.playlist(first: 10, [[Self.out(at: 6)], ["#EXT-X-CUE-OUT:18"], [], [], [], []]))
        #expect(bench.ledger.breaks.map(\.startNumber) == [11])
        var other = try Workbench(.live)
        try other.observe(TestContent.playlist(first: 10, [[Self.out(at: 6)]]))
        try other.observe(TestContent.playlist(first: 10, [[Self.out(at: 6)], ["#EXT-X-CUE-OUT:18"], [], [], [], []]))
        #expect(other.ledger.breaks.map(\.startNumber) == [11])
        #expect(other.ledger.breaks.map(\.id) == bench.ledger.breaks.map(\.id))
    }

    @Test func `an event id that comes again another day is another break`() throws {
        let found = try MarkerDialectTests.breaks([
            [Self.out("7", at: 6, length: 6)], [], [Self.out("8", at: 18, length: 6)], [], [], [],
        ])
        #expect(found.map(\.startNumber) == [11, 13])
    }

    @Test func `a title with thousands of date ranges is read in linear time`() throws {
        var lines: [[String]] = []
        for index in 0..<4_000 {
            lines.append(index % 4 == 0 ? [Self.out("\(index)", at: index * 6 + 6, length: 6)] : [])
        }
        let found = try MarkerDialectTests.breaks(lines, kind: .vod, trailer: "#EXT-X-ENDLIST\n")
        #expect(found.count == 1_000)
    }
}
