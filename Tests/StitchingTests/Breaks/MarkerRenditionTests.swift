import HLS
import Testing

@testable import Stitching

/// Markers that only some renditions have.
struct MarkerRenditionTests {
    private static func bench() throws -> Workbench {
        try Workbench(.live, multivariant: Workbench.demuxed) { $0.readsAllRenditions = true }
    }

    private static let plain: [[String]] = [[], [], [], [], [], [], []]
    private static let marked: [[String]] = [[], [], ["#EXT-X-CUE-OUT:18"], [], [], ["#EXT-X-CUE-IN"], []]

    @Test func `a marker of one rendition makes a break for all`() throws {
        var bench = try Self.bench()
        try bench.observe(TestContent.playlist(first: 10, Self.plain))
        try bench.observe(TestContent.playlist(first: 300, Self.marked), as: "a-aud-en")
        bench.ledger.finishRound()
        #expect(bench.ledger.breaks.map(\.startNumber) == [12])
        #expect(bench.ledger.breaks.map(\.end?.time) == [DateTime("2026-01-01T00:00:30Z")])
    }

    @Test func `the same marker in all renditions makes one`() throws {
        for delay in 0...2 {
            var bench = try Self.bench()
            for count in 2...7 {
                try bench.observe(TestContent.playlist(first: 10, Array(Self.marked.prefix(count))))
                let other = Array(Self.marked.prefix(max(count - delay, 1)))
                try bench.observe(TestContent.playlist(first: 300, other), as: "a-aud-en")
                bench.ledger.finishRound()
            }
            #expect(bench.ledger.breaks.map(\.startNumber) == [12], "\(delay)")
            #expect(bench.ledger.breaks.map(\.end?.time) == [DateTime("2026-01-01T00:00:30Z")], "\(delay)")
        }
    }

    @Test func `a marker that comes after its segment was known begins with the next one`() throws {
        var bench = try Self.bench()
        for count in 2...7 {
            try bench.observe(TestContent.playlist(first: 10, Array(Self.plain.prefix(count))))
            try bench.observe(TestContent.playlist(first: 300, Array(Self.marked.prefix(count - 1))), as: "a-aud-en")
            bench.ledger.finishRound()
        }
        #expect(bench.ledger.breaks.map(\.startNumber) == [13])
        #expect(bench.ledger.breaks.map(\.plannedDuration) == [.seconds(12)])
    }

    @Test func `markers of other renditions count only where the operator says so`() throws {
        var bench = try Workbench(.live, multivariant: Workbench.demuxed)
        try bench.observe(TestContent.playlist(first: 10, Self.plain))
        try bench.observe(TestContent.playlist(first: 300, Self.marked), as: "a-aud-en")
        bench.ledger.finishRound()
        #expect(bench.ledger.breaks.isEmpty)
    }
}
