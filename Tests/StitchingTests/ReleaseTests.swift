import HLS
import Testing

@testable import Stitching

/// When entries of a pod are listed (item 5 of the timeline): by their dates, which end before the content comes back.
struct ReleaseTests {
    /// Six seconds each; breaks of 12 seconds at 5 and 9.
    private static func content(upTo last: Int) -> String {
        let marks = [5: "#EXT-X-CUE-OUT:12", 7: "#EXT-X-CUE-IN", 9: "#EXT-X-CUE-OUT:12", 11: "#EXT-X-CUE-IN"]
        return TestContent.playlist(first: 0, (0...last).map { [marks[$0]].compactMap(\.self) })
    }

    @Test
    func `where the session is ahead, the next pod begins a segment after the content before it all the same (310)`()
        throws
    {
        var bench = try Workbench(.live)
        var listed: [Int] = []
        for last in 3...11 {
            try bench.observe(Self.content(upTo: last))
            if last == 5 { bench.decide([try TestAd.muxed("one", ["6.000", "6.000", "0.500"])]) }
            if last == 9 {
                // Twelve and a half seconds stand in the place of twelve.
                #expect(bench.session.plan.renditions[RenditionKey("v0")]?.drift == .milliseconds(500))
                bench.decide([try TestAd.muxed("two", ["6.000", "6.000"])])
            }
            listed.append(try bench.playlist().entries.count)
        }
        // If that half second were to be waited for, nothing would come with segment 9,
        // twelve seconds after what came with segment 8: longer than one and a half target durations.
        #expect(zip(listed, listed.dropFirst()).map { $1 - $0 } == [1, 1, 1, 2, 1, 1, 1, 1])
    }

    @Test func `the edge is ahead of the origin's by what the session was ahead before the pod, or will be behind it`()
        throws
    {
        var bench = try Workbench(.live)
        var ahead: [Duration] = []
        for last in 3...7 {
            try bench.observe(Self.content(upTo: last))
            if last == 5 { bench.decide([try TestAd.muxed("one", ["6.000", "6.000", "0.500"])]) }
            let answer = try bench.playlist()
            let length = answer.entries.reduce(Duration.zero) { $0 + $1.duration }
            ahead.append(length - .seconds((last + 1) * 6))
        }
        #expect(ahead == [.zero, .zero, .zero, .zero, .milliseconds(500)])
    }
}
