import HLS
import Testing

@testable import Stitching

/// The passes of a slate in renditions that are cut otherwise than the leading one.
struct SlateFillTests {
    private let leading = RenditionKey("v0")
    private let other = RenditionKey("v1")

    private func rendition(_ key: RenditionKey, _ durations: [Duration]) -> AdRendition {
        AdRendition(
            description: MediaRendition(key: key, kind: .variant, upstreamURL: "https://slate.example/\(key.text)"),
            container: .selfInitializing,
            entries: durations.enumerated().map { index, duration in
                SpliceEntry(duration: duration, isJoint: index == 0, uri: "\(index).ts", tags: [])
            })
    }

    private func pod(_ own: [Duration], _ others: [Duration], passes: Int) -> Pod {
        let media = AdMedia(id: "slate", renditions: [rendition(leading, own), rendition(other, others)])
        let slate = PodSlate(
            media: media, matches: [leading: .rendition(0), other: .rendition(1)], passes: passes,
            lastEntries: own.count)
        return Pod(ads: [], leading: leading, dateShortening: 0, matches: [:], slate: slate)
    }

    @Test func `each pass ends as near to where the leading rendition's ends as whole entries allow`() {
        let halves = [Duration](repeating: .milliseconds(500), count: 8)
        // The pass is three seconds; the last one is as long as there are entries.
        let fill = pod([.seconds(2), .seconds(1)], halves, passes: 3).fill(for: other)
        #expect(fill.slots.map(\.ad) == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1] + [2, 2, 2, 2, 2, 2, 2, 2])
    }

    @Test func `entries without a duration are listed with what stands before them, once`() {
        let fill = pod([.seconds(2)], [.seconds(2), .zero, .zero, .seconds(2)], passes: 2).fill(for: other)
        #expect(fill.slots.map(\.index) == [0, 0, 1, 2, 3])
    }

    @Test(.timeLimit(.minutes(1)))
    func `ten thousand passes of a slate of thousands of entries are laid out in linear time`() {
        let clock = ContinuousClock()
        let milliseconds = [Duration](repeating: .milliseconds(1), count: 5_000)
        let spent = clock.measure {
            let fill = pod([.milliseconds(1)], milliseconds, passes: 10_000).fill(for: other)
            #expect(fill.slots.count == 9_999 + 5_000)
        }
        #expect(spent < .seconds(10))
    }
}
