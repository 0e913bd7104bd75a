import HLS
import Testing

@testable import Stitching

/// What becomes of a break whose markers change their minds.
struct BreakChangeTests {
    private static func time(_ seconds: Int) -> DateTime? {
        DateTime("2026-01-01T00:00:00Z")?.advanced(by: .seconds(seconds))
    }

    @Test func `a break that turns out longer keeps its length, and another one follows it`() throws {
        let found = try MarkerDialectTests.breaks([
            [], ["#EXT-X-CUE-OUT:12"], ["#EXT-X-CUE-OUT-CONT:6/30"], [], [], [], ["#EXT-X-CUE-IN"], [],
        ])
        #expect(found.map(\.startNumber) == [11, 13])
        #expect(found.map(\.plannedDuration) == [.seconds(12), .seconds(18)])
        #expect(found.map(\.end?.time) == [Self.time(18), Self.time(36)])
        #expect(found[1].id == BreakID(found[0].id.text + "x"))
    }

    @Test func `a message repeated with another length replaces the first`() throws {
        func out(_ seconds: UInt64) -> String { "#EXT-OATCLS-SCTE35:" + TestSplice.out(7, seconds: seconds).base64 }
        let longer = try MarkerDialectTests.breaks([[], [out(12)], [out(24)], [], [], [], []])
        #expect(longer.map(\.plannedDuration) == [.seconds(12), .seconds(12)])
        #expect(longer.map(\.end?.time) == [Self.time(18), Self.time(30)])
        let shorter = try MarkerDialectTests.breaks([[], [out(24)], [out(12)], [], [], [], []])
        #expect(shorter.map(\.plannedDuration) == [.seconds(24)])
        #expect(shorter.map(\.end?.number) == [13])
        let back = try MarkerDialectTests.breaks([[], [out(36)], [out(18)], [out(36)], [], [], [], [], []])
        #expect(back.map(\.end?.time) == [Self.time(42)])
    }

    @Test func `a tag without a name before each segment of its break is one break`() throws {
        for tags in [
            ["#EXT-X-CUE-OUT:24", "#EXT-X-CUE-OUT:24", "#EXT-X-CUE-OUT:24", "#EXT-X-CUE-OUT:24"],
            ["#EXT-X-CUE-OUT:24", "#EXT-X-CUE-OUT:18", "#EXT-X-CUE-OUT:12.02", "#EXT-X-CUE-OUT:6"],
        ] {
            let found = try MarkerDialectTests.breaks([[]] + tags.map { [$0] } + [["#EXT-X-CUE-IN"], [], []])
            #expect(found.map(\.startNumber) == [11], "\(tags)")
            #expect(found.map(\.plannedDuration) == [.seconds(24)], "\(tags)")
            #expect(found.map(\.end?.time) == [Self.time(30)], "\(tags)")
        }
        let unknown = try MarkerDialectTests.breaks([
            [], ["#EXT-X-CUE-OUT"], ["#EXT-X-CUE-OUT"], ["#EXT-X-CUE-OUT"], ["#EXT-X-CUE-IN"], [],
        ])
        #expect(unknown.map(\.startNumber) == [11] && unknown.map(\.end?.number) == [14])
    }

    @Test func `a tag without a name that says another end, or comes later in a break, begins the next one`() throws {
        let other = try MarkerDialectTests.breaks([[], ["#EXT-X-CUE-OUT:12"], ["#EXT-X-CUE-OUT:24"], [], [], [], []])
        #expect(other.map(\.startNumber) == [11, 12])
        let later = try MarkerDialectTests.breaks([
            [], ["#EXT-X-CUE-OUT:24"], [], ["#EXT-X-CUE-OUT:24"], [], [], [], [],
        ])
        #expect(later.map(\.startNumber) == [11, 13])
        // Breaks of one segment each.
        let short = try MarkerDialectTests.breaks([
            [], ["#EXT-X-CUE-OUT:6"], ["#EXT-X-CUE-OUT:6"], ["#EXT-X-CUE-OUT:6"], [],
        ])
        #expect(short.map(\.startNumber) == [11, 12, 13])
    }

    @Test func `rounded lengths are no change`() throws {
        let found = try MarkerDialectTests.breaks([
            [], ["#EXT-X-CUE-OUT:17.6"], ["#EXT-X-CUE-OUT-CONT:6/18"], ["#EXT-X-CUE-OUT-CONT:12.1/17"], [], [],
        ])
        #expect(found.map(\.plannedDuration) == [.milliseconds(17_600)])
    }

    @Test func `a return before the added part takes it away`() throws {
        let found = try MarkerDialectTests.breaks([
            [], ["#EXT-X-CUE-OUT:18"], ["#EXT-X-CUE-OUT-CONT:6/36"], ["#EXT-X-CUE-IN"], [], [], [],
        ])
        #expect(found.map(\.end?.number) == [13])
    }

    @Test func `a shortened break cuts the pod, and the content comes back`() throws {
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, [[], [], []]))
        _ = bench.pending()
        let head: [[String]] = [[], [], [], ["#EXT-X-CUE-OUT:24"]]
        try bench.observe(TestContent.playlist(first: 10, head))
        bench.decide([try TestAd.muxed("a", ["6.000", "6.000", "6.000", "6.000"])])
        _ = try bench.text()
        try bench.observe(TestContent.playlist(first: 10, head + [["#EXT-X-CUE-OUT-CONT:6/12"], [], []]))
        let lines = try bench.lines().filter { !$0.hasPrefix("#") }
        #expect(
            lines.suffix(4) == [
                "https://ads.example/a/v0.ts", "https://ads.example/a/v1.ts", "https://origin/path/c15.ts",
                "https://origin/path/c16.ts",
            ])
    }

    @Test func `an added part is a pod of its own behind the first`() throws {
        var bench = try Workbench(.live)
        try bench.observe(TestContent.playlist(first: 10, [[], [], []]))
        _ = bench.pending()
        let head: [[String]] = [[], [], [], ["#EXT-X-CUE-OUT:12"], ["#EXT-X-CUE-OUT-CONT:6/24"]]
        try bench.observe(TestContent.playlist(first: 10, head))
        bench.decide([try TestAd.muxed("a", ["6.000", "6.000"])])
        try bench.observe(TestContent.playlist(first: 10, head + [[]]))
        bench.decide([try TestAd.muxed("b", ["6.000", "6.000"])])
        try bench.observe(TestContent.playlist(first: 10, head + [[], [], [], []]))
        let lines = try bench.lines().filter { !$0.hasPrefix("#") }
        #expect(
            lines.suffix(6) == [
                "https://ads.example/a/v0.ts", "https://ads.example/a/v1.ts", "https://ads.example/b/v0.ts",
                "https://ads.example/b/v1.ts", "https://origin/path/c17.ts", "https://origin/path/c18.ts",
            ])
    }

    @Test func `a break without a length ends at the cap`() throws {
        let found = try MarkerDialectTests.breaks([[], ["#EXT-X-CUE-OUT"], [], [], [], []]) {
            $0.unknownLengthCap = .seconds(12)
        }
        #expect(found.map(\.availableDuration) == [.seconds(12)])
        #expect(found.map(\.end?.time) == [Self.time(18)])
    }

    @Test func `a late return finds nothing to end`() throws {
        let found = try MarkerDialectTests.breaks([
            [], ["#EXT-X-CUE-OUT:12"], [], [], ["#EXT-X-CUE-IN"], ["#EXT-X-CUE-OUT:6"], [], [],
        ])
        #expect(found.map(\.startNumber) == [11, 15])
        #expect(found.map(\.end?.time) == [Self.time(18), Self.time(36)])
    }

    @Test func `a break of unknown length that has ended has the length it had`() throws {
        let found = try MarkerDialectTests.breaks(
            [[], ["#EXT-X-CUE-OUT"], [], ["#EXT-X-CUE-IN"]], kind: .vod, trailer: "#EXT-X-ENDLIST\n")
        #expect(found.map(\.availableDuration) == [.seconds(12)])
    }

    @Test func `a return and a new break on one segment are read in this order, in every dialect`() throws {
        for dialect in Dialect.all {
            // Another break has another date and another id, of which tags have room for one digit.
            let second = dialect.out.map {
                $0.replacing("00:00:06.000Z", with: "00:00:24.000Z").replacing("ID=\"5", with: "ID=\"4")
            }
            let found = try MarkerDialectTests.breaks([[], dialect.out, [], [], second + dialect.back, [], [], []])
            #expect(found.map(\.startNumber) == [11, 14], "\(dialect.name)")
        }
    }
}
