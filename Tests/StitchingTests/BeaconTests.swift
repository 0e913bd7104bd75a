import HLS
import Testing

@testable import Stitching

/// Beacons at the session's estimated playhead: each once, in order.
struct BeaconTests {
    private static let tracking = AdTracking(events: [
        .init(name: "impression", time: .start, urls: ["i"]), .init(name: "start", time: .start, urls: ["s"]),
        .init(name: "firstQuartile", time: .fraction(millionths: 250_000), urls: ["q1"]),
        .init(name: "midpoint", time: .fraction(millionths: 500_000), urls: ["q2"]),
        .init(name: "thirdQuartile", time: .fraction(millionths: 750_000), urls: ["q3"]),
        .init(name: "complete", time: .end, urls: ["c"]),
    ])
    private static let names = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]

    private static func window(_ last: Int, returnAt: Int) -> String {
        let first = last - 6
        let date = DateTime("2026-01-01T00:00:00Z")?.advanced(by: .seconds(6) * first)
        return TestContent.playlist(
            first: first, date: date?.formatted,
            (first...last).map { $0 == 16 ? ["#EXT-X-CUE-OUT:24"] : $0 == returnAt ? ["#EXT-X-CUE-IN"] : [] })
    }

    private static func fired(returnAt: Int) throws -> [(edge: Int, beacon: DueBeacon)] {
        var bench = try Workbench(.live)
        var result: [(edge: Int, beacon: DueBeacon)] = []
        for last in 15...30 {
            try bench.observe(window(last, returnAt: returnAt))
            if !bench.pending().isEmpty {
                bench.decide([
                    try TestAd.muxed("a", ["6.000", "6.000"], tracking: tracking),
                    try TestAd.muxed("b", ["6.000", "6.000"], tracking: tracking),
                ])
            }
            _ = try bench.playlist()
            result += bench.dueBeacons().map { (last, $0) }
            #expect(bench.dueBeacons().isEmpty)
        }
        return result
    }

    @Test func `every event of every ad is due once, in order, a hold-back behind the edge`() throws {
        let fired = try Self.fired(returnAt: 20)
        #expect(fired.map(\.beacon.adID) == Array(repeating: "a", count: 6) + Array(repeating: "b", count: 6))
        #expect(fired.map(\.beacon.event.name) == Self.names + Self.names)
        // The first ad begins with number 16; three target durations later the player shows it.
        #expect(fired.first?.edge == 18)
        #expect(fired.last?.edge == 22)
        for beacon in fired.map(\.beacon) {
            #expect(beacon.adDuration == .seconds(12))
            #expect(beacon.adPlayhead <= .seconds(12))
            #expect(beacon.adCount == 2)
        }
    }

    @Test func `an ad that an early return cut off does not complete`() throws {
        let names = try Self.fired(returnAt: 17).map { "\($0.beacon.adID) \($0.beacon.event.name)" }
        #expect(names == ["a impression", "a start", "a firstQuartile", "a midpoint"])
    }

    @Test func `in VOD the requested segment drives, whatever the order and however often`() throws {
        var bench = try Workbench(.vod)
        try bench.observe(TestContent.playlist(first: 0, ended: true, [[], ["#EXT-X-CUE-OUT:0"], []]))
        bench.decide([try TestAd.muxed("a", ["6.000", "6.000"], tracking: Self.tracking)])
        let id = try #require(bench.ledger.breaks.first?.id)
        let key = RenditionKey("v0")
        func names(_ segment: Int, _ bench: inout Workbench) -> [String] {
            bench.session.ask(
                for: FillReference(breakID: id, ad: 0, segment: segment), in: key, podStart: .zero)?.due
                .map(\.event.name) ?? []
        }
        #expect(names(0, &bench) == ["impression", "start"])
        #expect(names(0, &bench).isEmpty)
        #expect(names(1, &bench) == ["firstQuartile", "midpoint", "thirdQuartile", "complete"])
        #expect(names(0, &bench).isEmpty)
        #expect(
            bench.session.ask(for: FillReference(breakID: id, ad: 7, segment: 9), in: key, podStart: .zero) == nil)
    }
}
