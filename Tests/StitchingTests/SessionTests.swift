import HLS
import Testing

@testable import Stitching

/// Decisions of a session: who takes them, when, and that they stay.
struct SessionTests {
    private static func window(_ first: Int, _ last: Int, start: Int = 16, length: Int = 30) -> String {
        let date = DateTime("2026-01-01T00:00:00Z")?.advanced(by: .seconds(6) * first)
        return TestContent.playlist(
            first: first, date: date?.formatted, (first...last).map { $0 == start ? ["#EXT-X-CUE-OUT:\(length)"] : [] })
    }

    @Test func `the edge is held at the out point until there is a decision (item 9)`() throws {
        var bench = try Workbench(.live)
        try bench.observe(Self.window(10, 15))
        #expect(try bench.playlist().entries.last?.number == 15)
        try bench.observe(Self.window(11, 17))
        #expect(bench.pending().count == 1)
        #expect(try bench.playlist().entries.last?.number == 15)
        bench.decide([try TestAd.muxed("a", ["6.000", "6.000", "6.000", "6.000", "6.000"])])
        #expect(try bench.playlist().entries.last?.number == 17)
        #expect(try bench.lines().last == "https://ads.example/a/v1.ts")
    }

    @Test func `at the deadline content is the decision, and a late answer changes nothing (item 9, rule 404)`() throws
    {
        var bench = try Workbench(.live)
        try bench.observe(Self.window(10, 15))
        _ = try bench.playlist()
        try bench.observe(Self.window(11, 17))
        let pending = try #require(bench.pending().first)
        #expect(pending.seenAt.duration(to: pending.deadline) == .seconds(2))
        #expect(bench.pending(after: 1).count == 1)
        #expect(bench.pending(after: 1).isEmpty)
        #expect(bench.notes == ["\(pending.opportunity.id): deadline"])
        #expect(try bench.lines().last == "https://origin/path/c17.ts")
        let late = Decision.ads(Pod(ads: [], leading: RenditionKey("v0"), dateShortening: 0, matches: [:]))
        #expect(bench.session.decide(late, for: pending.opportunity.id).pod == nil)
    }

    @Test func `a break that nobody watched is content (item 9)`() throws {
        var bench = try Workbench(.live)
        try bench.observe(Self.window(10, 15, length: 12))
        _ = try bench.playlist()
        try bench.observe(Self.window(13, 19, length: 12))
        #expect(bench.pending().isEmpty)
        #expect(bench.notes.map { $0.hasSuffix(": passed") } == [true])
    }

    @Test func `a session that begins inside a break has content, and ads in the next (item 10)`() throws {
        var bench = try Workbench(.live)
        try bench.observe(Self.window(11, 17))
        #expect(bench.pending().isEmpty)
        #expect(bench.notes.map { $0.hasSuffix(": joined_inside") } == [true])
        let next = Self.window(14, 24).replacing(
            "#EXTINF:6.000,\nc24.ts", with: "#EXT-X-CUE-OUT:12\n#EXTINF:6.000,\nc24.ts")
        try bench.observe(next)
        #expect(bench.pending().map(\.opportunity.plannedDuration) == [.seconds(12)])
    }

    @Test(arguments: [JoinPolicy.content, .slate, .fit])
    func `a break first seen from within, while the session goes on, takes nothing back (rules 403, 404)`(
        join: JoinPolicy
    ) throws {
        var settings = StitchingSession.Settings()
        settings.join = join
        var bench = try Workbench(.live, settings: settings)
        bench.slate = try TestAd.muxed("slate", ["6.000"]).media
        try bench.observe(Self.window(10, 15, start: 0))
        let first = try bench.playlist()
        #expect(first.entries.last?.number == 15)
        let text = Self.window(13, 20, start: 0).replacing(
            "#EXTINF:6.000,\nc18.ts", with: "#EXT-X-CUE-OUT-CONT:40/90\n#EXTINF:6.000,\nc18.ts")
        try bench.observe(text)
        #expect(bench.ledger.breaks.map(\.startNumber) == [nil])
        // As long as nothing is decided for it, and after.
        let answer = bench.session.stitch(RenditionKey("v0"), ledger: bench.ledger)
        let undecided = try #require(answer)
        #expect(undecided.entries.last?.number == 20)
        #expect(undecided.entries.first?.number ?? 0 >= first.entries.first?.number ?? 0)
        let decided = try bench.playlist()
        #expect(bench.notes.map { $0.hasSuffix(": joined_inside") } == [true])
        #expect(decided.bytes == undecided.bytes)
    }

    @Test func `an opportunity says what the marker said`() throws {
        var bench = try Workbench(.live)
        try bench.observe(Self.window(10, 15))
        _ = bench.pending()
        try bench.observe(
            Self.window(10, 16).replacing(
                "#EXT-X-CUE-OUT:30", with: "#EXT-X-ASSET:CAID=0x1\n#EXT-X-CUE-OUT:DURATION=30,BREAKID=9"))
        let opportunity = try #require(bench.pending().first?.opportunity)
        #expect(opportunity.plannedDuration == .seconds(30))
        #expect(opportunity.availableDuration == .seconds(30))
        #expect(opportunity.index == 1)
        #expect(opportunity.position == .midroll)
        #expect(opportunity.attributes["BREAKID"] == "9")
        #expect(opportunity.attributes["CAID"] == "0x1")
        #expect(opportunity.start == DateTime("2026-01-01T00:01:36Z"))
    }

    @Test func `the ads keep their order and are taken until the next would not fit (item 8)`() throws {
        var bench = try Workbench(.live)
        try bench.observe(Self.window(10, 15))
        _ = bench.pending()
        try bench.observe(Self.window(10, 16))
        let decision = bench.decide([
            try TestAd.muxed("a", ["6.000", "6.000"]), try TestAd.muxed("b", ["6.000", "6.000"]),
            try TestAd.muxed("c", ["6.000", "6.000"]), try TestAd.muxed("d", ["6.000"]),
        ])
        #expect(decision?.pod?.ads.map(\.id) == ["a", "b"])
        #expect(bench.notes == ["c: it does not fit into the break", "d: it does not fit into the break"])
    }

    @Test func `a pod that no boundary could end is not begun (item 6)`() throws {
        var bench = try Workbench(.live, maximumAdSegmentDuration: 10)
        let text = Self.window(10, 15, length: 60).replacing("TARGETDURATION:6", with: "TARGETDURATION:10")
        func long(_ text: String) -> String { text.replacing("EXTINF:6.000", with: "EXTINF:10.000") }
        try bench.observe(long(text).replacing("#EXT-X-PROGRAM-DATE-TIME", with: "#X"))
        _ = bench.pending()
        try bench.observe(
            long(Self.window(10, 16, length: 60)).replacing("#EXT-X-PROGRAM-DATE-TIME", with: "#X"))
        // Ten-second segments, and a pod of 14 s in one segment of 10 and one of 4: 10 would overlap by 4 s, 20 be 6 late.
        bench.decide([try TestAd.muxed("a", ["10.000", "4.000"])])
        #expect(bench.notes.last?.hasSuffix("no_return") ?? false)
    }

    @Test func `the same ledger and decisions give the same bytes (item 16)`() throws {
        var bench = try Workbench(.live)
        try bench.observe(Self.window(10, 15))
        _ = bench.pending()
        try bench.observe(Self.window(10, 16))
        bench.decide([try TestAd.muxed("a", ["6.000", "6.000"])])
        var replica = bench
        for last in 17...30 {
            try bench.observe(Self.window(last - 6, last))
            try replica.observe(Self.window(last - 6, last))
            // The replica is asked only for every third.
            if last % 3 == 0 {
                #expect(try replica.playlist().bytes == bench.playlist().bytes)
            } else {
                _ = try bench.playlist()
            }
        }
    }

    @Test func `a live channel that ends inside a pod ends with the pod and ENDLIST`() throws {
        var bench = try Workbench(.live)
        try bench.observe(Self.window(10, 15))
        _ = bench.pending()
        try bench.observe(Self.window(10, 16))
        bench.decide([try TestAd.muxed("a", ["6.000", "6.000", "6.000"])])
        try bench.observe(Self.window(10, 17) + "#EXT-X-ENDLIST\n")
        let lines = try bench.lines()
        #expect(lines.suffix(2) == ["https://ads.example/a/v2.ts", "#EXT-X-ENDLIST"])
    }
}
