import HLS
import Testing

@testable import Stitching

/// Reports about sequence numbers and discontinuities: R01 to R19.
struct ReportsOfNumbersTests {
    private static let out = "#EXT-X-CUE-OUT:18.000"
    private static let back = "#EXT-X-CUE-IN"

    /// A live channel whose break of three segments begins with number 104; `count` segments are listed, ending with `last`.
    private static func window(last: Int, count: Int = 6) -> String {
        let first = last - count + 1
        let segments = (first...last).map { number -> [String] in
            switch number {
            case 104: [out]
            case 107: [back]
            default: []
            }
        }
        let date = DateTime("2026-01-01T00:00:00.000Z")?.advanced(by: .seconds(6) * first)
        return TestContent.playlist(first: first, date: date?.formatted, segments)
    }

    /// Answers while the window slides from number 103 to `last`, with a pod of five segments in place of three.
    private static func answers(to last: Int) throws -> [StitchedPlaylist] {
        var bench = try Workbench(.live)
        var result: [StitchedPlaylist] = []
        for edge in 103...last {
            try bench.observe(window(last: edge))
            while !bench.pending().isEmpty {
                bench.decide([
                    try TestAd.muxed("a", ["4.000", "4.000", "2.000"]), try TestAd.muxed("b", ["4.000", "4.000"]),
                ])
            }
            result.append(try bench.playlist())
        }
        return result
    }

    private static func parsed(_ answer: StitchedPlaylist) throws -> MediaPlaylist {
        try MediaPlaylist(parsing: answer.bytes)
    }

    @Test func `R01: the counter rises by one for each discontinuity that leaves the window`() throws {
        let answers = try Self.answers(to: 116)
        var before: MediaPlaylist?
        for answer in answers {
            let playlist = try Self.parsed(answer)
            let sequence = try #require(playlist.discontinuitySequence)
            if let before, let old = before.discontinuitySequence {
                let gone = before.segments.filter { $0.number < playlist.segments[0].number }
                #expect(sequence == old + Int64(gone.reduce(0) { $0 + $1.discontinuityCount }))
            }
            before = playlist
        }
        #expect(try Self.parsed(try #require(answers.last)).discontinuitySequence == 3)
    }

    @Test func `R02, R04: the counter is a function of the place, not of how often a variant was polled`() throws {
        let two = Workbench.muxed + "#EXT-X-STREAM-INF:BANDWIDTH=800000,CODECS=\"avc1.64001f,mp4a.40.2\"\nv1.m3u8\n"
        var bench = try Workbench(.live, multivariant: two)
        for edge in 103...112 {
            try bench.observe(Self.window(last: edge))
            while !bench.pending().isEmpty {
                bench.decide([try TestAd.muxed("a", ["4.000", "4.000", "4.000", "4.000"])])
            }
            _ = try bench.playlist()
            // The other variant is asked for only now and then.
            guard edge == 103 || edge == 106 || edge == 112 else { continue }
            try bench.observe(Self.window(last: edge), as: "v1")
            let leading = try bench.playlist()
            let other = try bench.playlist("v1")
            #expect(leading.entries.map(\.discontinuity) == other.entries.map(\.discontinuity))
            #expect(leading.entries.map(\.number) == other.entries.map(\.number))
            #expect(try Self.parsed(leading).discontinuitySequence == Self.parsed(other).discontinuitySequence)
        }
    }

    @Test func `R05: the counter is written from the first answer on, also as 0`() throws {
        let answer = try #require(Self.answers(to: 103).first)
        #expect(String(decoding: answer.bytes, as: UTF8.self).contains("#EXT-X-DISCONTINUITY-SEQUENCE:0\n"))
    }

    @Test func `R06: the target duration is latched for the session`() throws {
        var bench = try Workbench(.live, maximumAdSegmentDuration: 8)
        for edge in 103...112 {
            try bench.observe(Self.window(last: edge))
            if !bench.pending().isEmpty { bench.decide([try TestAd.muxed("a", ["8.000", "8.000"])]) }
            #expect(try Self.parsed(try bench.playlist()).targetDuration == 8)
        }
    }

    @Test func `R07: whatever the fallback, the media sequence never falls`() throws {
        for outcome in 0..<3 {
            var bench = try Workbench(.live)
            var last: Int64 = 0
            for edge in 103...114 {
                try bench.observe(Self.window(last: edge))
                if edge >= 105, !bench.pending().isEmpty {
                    switch outcome {
                    case 0: bench.decide([])
                    case 1: _ = bench.pending(after: 3)
                    default: bench.decide([try TestAd.muxed("a", ["5.000", "5.000", "5.000"])])
                    }
                }
                let sequence = try Self.parsed(try bench.playlist()).mediaSequence
                #expect(sequence >= last)
                last = sequence
            }
        }
    }

    @Test func `R09, R77: a number keeps its segment, its date and its discontinuity number in all answers`() throws {
        var known: [Int64: StitchedPlaylist.Entry] = [:]
        for answer in try Self.answers(to: 118) {
            for entry in answer.entries {
                if let before = known[entry.number] { #expect(before == entry) }
                known[entry.number] = entry
            }
        }
    }

    @Test func `R15: the mark stays on the first listed segment, and the counter rises when that segment leaves`()
        throws
    {
        for answer in try Self.answers(to: 116) {
            let playlist = try Self.parsed(answer)
            let first = try #require(answer.entries.first)
            if case .fill(let reference) = first.source, reference.segment == 0 {
                #expect(playlist.segments[0].discontinuityCount == 1)
                #expect(playlist.discontinuitySequence == first.discontinuity - 1)
            } else if case .fill = first.source {
                #expect(playlist.segments[0].discontinuityCount == 0)
                #expect(playlist.discontinuitySequence == first.discontinuity)
            }
        }
    }

    @Test func `R15: hundreds of discontinuities on one segment are counted in all answers alike (rule 502)`() throws {
        let tags = Array(repeating: "#EXT-X-DISCONTINUITY", count: 300)
        var bench = try Workbench(.live)
        var numbers: [Int64: Int64] = [:]
        for first in 0...8 {
            try bench.observe(
                TestContent.playlist(
                    first: first, date: nil, header: ["#EXT-X-DISCONTINUITY-SEQUENCE:\(first > 4 ? 300 : 0)"],
                    (first..<first + 6).map { $0 == 4 ? tags : [] }))
            let answer = try MediaPlaylist(parsing: try bench.playlist().bytes)
            for segment in answer.segments {
                #expect(numbers[segment.number] ?? segment.discontinuityNumber == segment.discontinuityNumber)
                numbers[segment.number] = segment.discontinuityNumber
            }
        }
        #expect(numbers[3] == 0 && numbers[4] == 300 && numbers[13] == 300)
    }

    @Test func `R19: one discontinuity into the pod, between two ads, and out of it`() throws {
        let answer = try #require(try Self.answers(to: 109).last)
        let playlist = try Self.parsed(answer)
        var marked: [String] = []
        for (entry, segment) in zip(answer.entries, playlist.segments) where segment.discontinuityCount > 0 {
            #expect(segment.discontinuityCount == 1)
            switch entry.source {
            case .content(let number): marked.append("c\(number)")
            case .fill(let reference): marked.append("ad\(reference.ad).\(reference.segment)")
            }
        }
        #expect(marked == ["ad0.0", "ad1.0", "c107"])
    }

    @Test func `R19: an origin's discontinuity inside the replaced range is not counted beside ours`() throws {
        var bench = try Workbench(.vod)
        try bench.observe(
            TestContent.playlist(
                first: 0, ended: true,
                [[], [Self.out], ["#EXT-X-DISCONTINUITY"], [], ["#EXT-X-DISCONTINUITY", Self.back], []]))
        bench.decide([try TestAd.muxed("a", ["6.000", "6.000", "6.000"])])
        let playlist = try Self.parsed(try bench.playlist())
        #expect(playlist.segments.map(\.discontinuityCount) == [0, 1, 0, 0, 1, 0])
    }

    @Test(arguments: ["6.016", "3.989", "4.011", "2.005"])
    func `R11, R12, R13: audio of another segment length gets the same joints at the same times`(length: String) throws
    {
        var bench = try Workbench(.live, multivariant: Workbench.demuxed)
        let step = try #require(DecimalText.duration(length))
        for edge in 103...113 {
            try bench.observe(Self.window(last: edge))
            let start = DateTime("2026-01-01T00:00:00.000Z")
            let from = Duration.seconds(6) * (edge - 5)
            let first = Int((from / step).rounded(.down))
            let count = Int(((Duration.seconds(6) * (edge + 1)) / step).rounded(.down)) - first
            try bench.observe(
                TestContent.playlist(
                    first: first, date: start?.advanced(by: step * first).formatted,
                    Array(repeating: [length], count: count)),
                as: "a-aud-en")
            if !bench.pending().isEmpty {
                bench.decide([
                    try TestAd.demuxed("a", ["5.000", "4.000"], audio: ["4.011", "4.011", "0.978"]),
                    try TestAd.demuxed("b", ["5.000", "4.000"], audio: ["4.011", "4.011", "0.978"]),
                ])
            }
            let video = try bench.playlist()
            let audio = try bench.playlist("a-aud-en")
            var starts: [Int64: DateTime] = [:]
            for (entry, segment) in zip(video.entries, try Self.parsed(video).segments)
            where segment.discontinuityCount > 0 {
                starts[entry.discontinuity] = entry.date
            }
            for (entry, segment) in zip(audio.entries, try Self.parsed(audio).segments)
            where segment.discontinuityCount > 0 {
                guard let joint = starts[entry.discontinuity], let date = entry.date else { continue }
                let apart = joint < date ? joint.duration(to: date) : date.duration(to: joint)
                #expect(apart <= step * 2)
            }
        }
        let leading = try #require(bench.session.plan.renditions[RenditionKey("v0")])
        let audio = try #require(bench.session.plan.renditions[RenditionKey("a-aud-en")])
        #expect(leading.discontinuityOffset == 3)
        #expect(audio.discontinuityOffset == 3)
    }
}
