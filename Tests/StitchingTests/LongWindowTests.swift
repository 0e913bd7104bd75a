import HLS
import Testing

@testable import Stitching

/// DVR windows of hours: the places of all pods in them are kept, and what is kept is bounded by the window.
struct LongWindowTests {
    /// Segments of 2 s, a break of 30 s in every five minutes.
    private static func window(_ first: Int, _ count: Int) -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        let epoch = DateTime(nanoseconds: 1_800_000_000_000_000_000)
        for number in first..<first + count {
            let phase = number * 2 % 300
            if phase == 60 { text += "#EXT-X-CUE-OUT:30\n" }
            if phase == 90 { text += "#EXT-X-CUE-IN\n" }
            let date = epoch.advanced(by: .seconds(number * 2)).formatted
            text += "#EXT-X-PROGRAM-DATE-TIME:\(date)\n#EXTINF:2.000,\nc\(number).ts\n"
        }
        return text
    }

    @Test func `pods of a window of three hours are all listed, and go with it`() throws {
        var bench = try Workbench(
            .live, maximumAdSegmentDuration: 2, settings: .init(opening: .init(stitchesPastBreaks: true)))
        let ad = try TestAd.muxed("a", Array(repeating: "2.000", count: 14))
        try bench.observe(Self.window(1_000, 5_400))
        var count = 0
        while !bench.pending().isEmpty {
            bench.decide([ad])
            count += 1
        }
        #expect(count == 36)
        var known: [Int64: StitchedPlaylist.Entry.Source] = [:]
        // The window slides on over three breaks that begin at its edge.
        for first in [1_000, 1_001, 1_082, 1_150, 1_232, 1_300, 1_382, 1_450] {
            if first > 1_000 { try bench.observe(Self.window(first, 5_400)) }
            while !bench.pending().isEmpty { bench.decide([ad]) }
            let entries = try bench.playlist().entries
            #expect(entries.count > 5_300)
            for (entry, next) in zip(entries, entries.dropFirst()) { #expect(next.number == entry.number + 1) }
            for entry in entries {
                #expect(known[entry.number] ?? entry.source == entry.source)
                known[entry.number] = entry.source
            }
            let pods = Set(
                entries.compactMap { entry -> BreakID? in
                    if case .fill(let fill) = entry.source { fill.breakID } else { nil }
                })
            #expect((35...37).contains(pods.count))
        }
        // What has left the window is forgotten.
        #expect(bench.ledger.breaks.count <= 38)
        #expect(bench.ledger.renditions[bench.ledger.leading]?.segments.count ?? 0 < 5_420)
        #expect(bench.session.progress.plan.breakIDs.count <= 38)
    }
}
