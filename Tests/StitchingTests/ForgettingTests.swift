import HLS
import Testing

@testable import Stitching

/// A session that goes on for days.
struct ForgettingTests {
    /// One break in five segments; the newest segment begins one.
    private static func window(_ count: Int) -> String {
        let last = count * 5
        let first = max(last - 9, 1)
        let date = DateTime("2026-01-01T00:00:00Z")?.advanced(by: .seconds(6) * first)
        return TestContent.playlist(
            first: first, date: date?.formatted,
            (first...last).map { $0 % 5 == 0 ? ["#EXT-X-CUE-OUT:12"] : $0 % 5 == 2 ? ["#EXT-X-CUE-IN"] : [] })
    }

    @Test func `what is kept of a session does not grow over thousands of breaks, nor does the time of an answer`()
        throws
    {
        var bench = try Workbench(.live)
        let ad = try TestAd.muxed(
            "a", ["6.000", "6.000"],
            tracking: AdTracking(events: [AdTracking.Event(name: "start", time: .start, urls: ["https://t.example/"])]))
        var beacons = 0
        var pods = 0
        var sizes: [Int] = []
        var times: [Duration] = []
        var last: Int64 = 0
        for part in 0..<4 {
            let start = ContinuousClock.now
            for count in part * 750 + 1...(part + 1) * 750 {
                try bench.observe(Self.window(count))
                bench.session.begin(with: bench.ledger)
                // Every seventh break stays content.
                if bench.decide(count % 7 == 0 ? [] : [ad])?.pod != nil { pods += 1 }
                let answer = try bench.playlist()
                #expect(answer.entries.last.map { $0.number > last } ?? false)
                last = answer.entries.last?.number ?? last
                beacons += bench.dueBeacons().count
                sizes.append(Self.size(of: bench.session))
            }
            times.append(ContinuousClock.now - start)
        }
        #expect(pods > 2_500)
        #expect(beacons > pods - 10)
        #expect(sizes.max() ?? 0 < 400)
        // The last quarter has as much to do as the first; generously, since others use the machine.
        #expect(times[3] < times[0] * 5)
    }

    @Test func `a break that is said to last for years is forgotten once it has ended and left the window`() throws {
        var bench = try Workbench(.live)
        for count in 0..<100 {
            let first = 10 + count
            let date = DateTime("2026-01-01T00:00:00Z")?.advanced(by: .seconds(6) * first)
            try bench.observe(
                TestContent.playlist(
                    first: first, date: date?.formatted,
                    (first..<(first + 6)).map { number in
                        switch number {
                        case 20: ["#EXT-X-CUE-OUT:999999999"]
                        case 22: ["#EXT-X-CUE-IN"]
                        default: number % 20 == 0 ? ["#EXT-X-CUE-OUT:12"] : []
                        }
                    }))
        }
        #expect(bench.ledger.breaks.allSatisfy { $0.startNumber ?? 0 >= 60 })
        #expect(bench.ledger.breaks.count <= 3)
    }

    @Test func `spans of other stitchers' ads are found whatever their order, and adjoin`() {
        func at(_ seconds: Int) -> DateTime { DateTime(nanoseconds: 0).advanced(by: .seconds(seconds)) }
        var spans = StitchedSpans()
        for (start, end) in [(50, 60), (10, 20), (30, 40), (20, 25), (10, 20), (35, 55)] {
            spans.insert(at(start)..<at(end))
        }
        let covered = (0..<70).filter { spans.contains(at($0)) }
        #expect(covered == Array(10..<25) + Array(30..<60))
        spans.forget(before: at(26))
        #expect((0..<70).filter { spans.contains(at($0)) } == Array(30..<60))
    }

    private static func size(of session: StitchingSession) -> Int {
        let places = session.plan.renditions.values.reduce(0) { $0 + $1.placements.count }
        return session.decisions.count + session.indices.count + session.seen.count + session.beacons.count
            + session.plan.breakIDs.count + places
    }
}
