import HLS
import Testing

@testable import Stitching

/// Pods as players are told of them.
struct StitchedBreakTests {
    private static let tracking = AdTracking(events: [
        .init(name: "impression", time: .start, urls: ["i"]),
        .init(name: "complete", time: .end, urls: ["c"]),
        .init(name: "progress", time: .offset(.seconds(7)), urls: ["p"]),
        .init(name: "midpoint", time: .fraction(millionths: 500_000), urls: ["m"]),
        .init(name: "progress", time: .offset(.seconds(90)), urls: ["never"]),
    ])

    private static func window(_ last: Int, returnAt: Int) -> String {
        let first = last - 6
        let date = DateTime("2026-01-01T00:00:00Z")?.advanced(by: .seconds(6) * first)
        return TestContent.playlist(
            first: first, date: date?.formatted,
            (first...last).map { $0 == 16 ? ["#EXT-X-CUE-OUT:24"] : $0 == returnAt ? ["#EXT-X-CUE-IN"] : [] })
    }

    /// What is told while the edge moves on; the first playlist begins with number 9.
    private static func told(returnAt: Int) throws -> [[StitchedBreak]] {
        var bench = try Workbench(.live)
        var result: [[StitchedBreak]] = []
        var beginning: DateTime?
        for last in 15...34 {
            try bench.observe(window(last, returnAt: returnAt))
            if !bench.pending().isEmpty {
                bench.decide([
                    try TestAd.muxed("a", ["6.000", "6.000"], tracking: tracking),
                    try TestAd.muxed("b", ["6.000", "5.500"], tracking: tracking),
                ])
            }
            let playlist = try bench.playlist()
            let first = try #require(playlist.entries.first)
            beginning = beginning ?? bench.session.timelineTime(of: first, in: bench.ledger.leading)
            result.append(bench.session.stitchedBreaks(in: bench.ledger, since: beginning))
        }
        return result
    }

    private func text(_ position: StitchedBreak.Position) -> String {
        "\(position.number) \(DecimalText.text(position.time, fractionDigits: 1)) \(position.date?.formatted.dropFirst(14) ?? "-")"
    }

    @Test func `events lie in the segments of their times, counted from the first playlist's first segment`() throws {
        let told = try Self.told(returnAt: 20)
        let pod = try #require(told.first { !$0.isEmpty }?.first)
        #expect(text(pod.start) == "16 42.0 01:36.000Z")
        #expect(pod.duration == .milliseconds(23_500))
        #expect(pod.plannedDuration == .seconds(24))
        #expect(pod.ads.map(\.id) == ["a", "b"])
        #expect(pod.ads.map { text($0.start) } == ["16 42.0 01:36.000Z", "18 54.0 01:48.000Z"])
        #expect(pod.ads.map(\.duration) == [.seconds(12), .milliseconds(11_500)])
        #expect(
            pod.ads[0].events.map { "\(Self.tracking.events[$0.index].name) \(text($0.position))" } == [
                "impression 16 42.0 01:36.000Z", "midpoint 17 48.0 01:42.000Z", "progress 17 49.0 01:43.000Z",
                "complete 17 54.0 01:48.000Z",
            ])
        // Nothing is told otherwise later, but that it is settled, until it is forgotten.
        let all = told.flatMap { $0 }
        #expect(Set(all.map { "\($0.start) \($0.ads)" }).count == 1)
        #expect(all.map(\.isSettled).contains(false) && all.last?.isSettled == true)
        #expect(told.last?.isEmpty == true)
    }

    @Test func `an early return leaves what was shown, and the events up to there`() throws {
        let told = try Self.told(returnAt: 17)
        let pod = try #require(told.flatMap { $0 }.last)
        #expect(pod.duration == .seconds(6))
        #expect(pod.ads.map(\.id) == ["a"])
        #expect(pod.ads.map(\.duration) == [.seconds(6)])
        #expect(pod.ads.first?.events.map { Self.tracking.events[$0.index].name } == ["impression", "midpoint"])
    }

    @Test func `trackers of the break stand at its ends, whatever ad carries them`() throws {
        var bench = try Workbench(.vod)
        try bench.observe(TestContent.playlist(first: 0, ended: true, [[], ["#EXT-X-CUE-OUT:0"], []]))
        let tracking = AdTracking(events: [
            .init(name: "breakStart", time: .start, urls: ["s"]), .init(name: "impression", time: .start, urls: ["i"]),
            .init(name: "breakEnd", time: .end, urls: ["e"]),
        ])
        bench.decide([try TestAd.muxed("a", ["6.000", "4.000"], tracking: tracking)])
        #expect(bench.session.stitchedBreaks(in: bench.ledger, since: nil).count == 1)
        _ = try bench.playlist()
        let pod = try #require(bench.session.stitchedBreaks(in: bench.ledger, since: nil).first)
        #expect(pod.events.map(\.index) == [0, 2])
        #expect(pod.events.map(\.position.time) == [.seconds(6), .seconds(16)])
        #expect(pod.ads.first?.events.map(\.index) == [1])
        #expect(pod.plannedDuration == nil && pod.isSettled)
    }

    @Test func `asking changes nothing`() throws {
        var bench = try Workbench(.live)
        try bench.observe(Self.window(18, returnAt: 20))
        #expect(bench.session.stitchedBreaks(in: bench.ledger, since: nil).isEmpty)
        #expect(!bench.session.hasBegun)
    }
}
