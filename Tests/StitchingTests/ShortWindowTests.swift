import FoundationEssentials
import HLS
import Testing

@testable import Stitching

/// Live windows in which three target durations cannot be listed (rule 309).
struct ShortWindowTests {
    /// Segments of a channel from number 0 on, marked where breaks begin and end.
    private struct Channel {
        var seconds = 6
        var window = 2
        var header: [String] = []
        var marks: [Int: String] = [:]

        /// The list whose last segment has this number.
        func list(upTo last: Int, ended: Bool = false) -> String {
            let first = max(last - window + 1, 0)
            let date = DateTime("2026-01-01T00:00:00.000Z")?.advanced(by: .seconds(first * seconds)).formatted
            return TestContent.playlist(
                first: first, date: date, header: header, ended: ended, target: seconds,
                (first...last).map { [marks[$0]].compactMap(\.self) + ["\(seconds).000"] })
        }
    }

    private func fill(_ answer: StitchedPlaylist) -> Int {
        answer.entries.count { if case .fill = $0.source { true } else { false } }
    }

    private func length(_ answer: StitchedPlaylist) -> Duration {
        answer.entries.reduce(Duration.zero) { $0 + $1.duration }
    }

    private let ad = ["6.000", "6.000"]

    @Test func `a break before which three target durations were never seen stays content, a later one is stitched`()
        throws
    {
        let channel = Channel(marks: [
            12: "#EXT-X-CUE-OUT:12", 14: "#EXT-X-CUE-IN", 18: "#EXT-X-CUE-OUT:12", 20: "#EXT-X-CUE-IN",
        ])
        var bench = try Workbench(.live)
        var numbers: [Int64] = []
        var fills: [Int] = []
        for last in 11...22 {
            try bench.observe(channel.list(upTo: last))
            if last == 12 { #expect(bench.pending().isEmpty) }
            if last == 18 { #expect(try bench.decide([TestAd.muxed("one", ad)])?.pod != nil) }
            let answer = try bench.playlist()
            numbers.append(try #require(answer.entries.first?.number))
            fills.append(fill(answer))
            if last < 18 { #expect(answer.entries.allSatisfy { $0.source == .content($0.number) }) }
            if last >= 12 { #expect(length(answer) == .seconds(18)) }
        }
        #expect(bench.notes == ["b1767225672000: not_stitchable"])
        #expect(fills == [0, 0, 0, 0, 0, 0, 0, 1, 2, 2, 1, 0])
        // One leaves for each that comes, once there are three.
        #expect(numbers == [10, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
        let reason = bench.session.decisions.values.compactMap(\.reason).first
        #expect(reason?.code == "not_stitchable")
        #expect(
            reason?.detail
                == "12 s of the channel were seen in one piece, and three target durations are 18 s")
    }

    @Test func `what the channel has kept from before the session counts (309)`() throws {
        let channel = Channel(marks: [12: "#EXT-X-CUE-OUT:12", 14: "#EXT-X-CUE-IN"])
        var bench = try Workbench(.live)
        for last in 9...11 { try bench.observe(channel.list(upTo: last)) }
        #expect(length(try bench.playlist()) == .seconds(18))
        try bench.observe(channel.list(upTo: 12))
        #expect(try bench.decide([TestAd.muxed("one", ad)])?.pod != nil)
        let answer = try bench.playlist()
        #expect(fill(answer) == 1 && length(answer) == .seconds(18))
    }

    @Test func `what lies before a gap in what was seen does not count`() throws {
        let channel = Channel(marks: [20: "#EXT-X-CUE-OUT:12"])
        var bench = try Workbench(.live)
        for last in 9...11 { try bench.observe(channel.list(upTo: last)) }
        _ = try bench.playlist()
        for last in 19...20 { try bench.observe(channel.list(upTo: last)) }
        #expect(bench.pending().isEmpty)
        #expect(bench.notes == ["b1767225720000: not_stitchable"])
    }

    @Test func `a pre-roll, too, needs three target durations`() throws {
        let channel = Channel()
        let opening = StitchingSession.Opening(longestPreroll: .seconds(15))
        var bench = try Workbench(.live, settings: .init(opening: opening))
        try bench.observe(channel.list(upTo: 11))
        #expect(bench.pending().isEmpty)
        #expect(bench.notes == ["preroll: not_stitchable"])
        var later = try Workbench(.live, settings: .init(opening: opening))
        for last in 11...12 { try later.observe(channel.list(upTo: last)) }
        #expect(later.pending().map(\.opportunity.id) == [.preroll])
    }

    @Test func `an announced break is asked for ahead where enough will have been seen when it begins`() throws {
        for (start, isAsked) in [(72, false), (78, true)] {
            let date = try #require(DateTime("2026-01-01T00:00:00.000Z")).advanced(by: .seconds(start)).formatted
            var channel = Channel()
            channel.marks[11] =
                "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"\(date)\",PLANNED-DURATION=12,"
                + "SCTE35-OUT=\(TestSplice.out(seconds: 12).hexadecimal)"
            var bench = try Workbench(.live)
            try bench.observe(channel.list(upTo: 11))
            _ = try bench.playlist()
            #expect(bench.ledger.announcedBreaks.count == 1)
            #expect(bench.pending().count == (isAsked ? 1 : 0), "\(start)")
        }
    }

    @Test func `slate in the rest of a break inside which the session began waits for three target durations, too`()
        throws
    {
        let channel = Channel(marks: [11: "#EXT-X-CUE-OUT:60"])
        var bench = try Workbench(.live, settings: .init(fill: .slate, join: .slate))
        bench.slate = try TestAd.muxed("slate", ["2.000"]).media
        for last in 11...14 {
            try bench.observe(channel.list(upTo: last))
            #expect(fill(try bench.playlist()) == 0)
        }
        #expect(bench.notes.last == "b1767225666000~0: not_stitchable")
    }

    // MARK: - For a session's whole life

    /// Three segments of two seconds: eight of what has left it are served, so that no 18 can be listed.
    private let tooShort = Channel(seconds: 2, window: 3, marks: [25: "#EXT-X-CUE-OUT:12", 31: "#EXT-X-CUE-IN"])

    @Test func `where the origin need not serve three target durations no session is stitched`() throws {
        var bench = try Workbench(.live, settings: .init(opening: .init(longestPreroll: .seconds(15))))
        for last in 10...19 { try bench.observe(tooShort.list(upTo: last)) }
        for last in 20...40 {
            try bench.observe(tooShort.list(upTo: last))
            #expect(bench.pending().isEmpty)
            let answer = try bench.playlist()
            let playlist = try MediaPlaylist(parsing: answer.bytes)
            #expect(playlist.targetDuration == 2)
            #expect(answer.entries.map(\.number) == (last - 2...last).map(Int64.init))
            #expect(fill(answer) == 0)
        }
        #expect(bench.session.preroll == nil)
        #expect(bench.notes == ["b1767225650000: not_stitchable"])
        #expect(
            bench.session.unstitched
                == "the origin lists and has to serve 14 s, and three target durations are 18 s: its window is to be longer, or maxAdSegmentDuration shorter"
        )
    }

    @Test func `a window that is found too short when the session has begun costs it its breaks`() throws {
        var bench = try Workbench(.live)
        for last in 10...40 {
            try bench.observe(tooShort.list(upTo: last))
            #expect(bench.pending().isEmpty)
            #expect(fill(try bench.playlist()) == 0)
        }
        #expect(bench.session.unstitched == nil)
        #expect(bench.session.targetDuration == .seconds(6))
        #expect(bench.session.decisions.values.first?.reason?.code == "not_stitchable")
    }

    @Test func `a window that makes three target durations with what the origin has to serve is stitched`() throws {
        let channel = Channel(seconds: 2, window: 4, marks: [25: "#EXT-X-CUE-OUT:12", 31: "#EXT-X-CUE-IN"])
        var bench = try Workbench(.live)
        for last in 10...25 { try bench.observe(channel.list(upTo: last)) }
        _ = bench.pending()
        #expect(bench.session.unstitched == nil)
        var late = try Workbench(.live)
        for last in 10...24 { try late.observe(channel.list(upTo: last)) }
        _ = try late.playlist()
        try late.observe(channel.list(upTo: 25))
        #expect(try late.decide([TestAd.muxed("one", ["6.000"])])?.pod != nil)
        #expect(length(try late.playlist()) >= .seconds(18))
    }

    @Test func `a stream that has only begun is no short window`() throws {
        let channel = Channel(seconds: 2, window: 30, marks: [20: "#EXT-X-CUE-OUT:12", 26: "#EXT-X-CUE-IN"])
        var bench = try Workbench(.live)
        for last in 0...20 {
            try bench.observe(channel.list(upTo: last))
            _ = try bench.playlist()
        }
        #expect(bench.session.unstitched == nil)
        #expect(bench.pending().count == 1)
    }

    @Test(arguments: [true, false])
    func `a list from which nothing leaves has no such need`(isEvent: Bool) throws {
        var channel = Channel(window: 40, marks: [1: "#EXT-X-CUE-OUT:12", 3: "#EXT-X-CUE-IN"])
        if isEvent { channel.header = ["#EXT-X-PLAYLIST-TYPE:EVENT"] }
        var bench = try Workbench(.live)
        try bench.observe(channel.list(upTo: 0))
        _ = try bench.playlist()
        try bench.observe(channel.list(upTo: 1, ended: !isEvent))
        #expect(bench.pending().count == 1)
    }

    @Test func `why a session is not stitched is kept with its start`() throws {
        var bench = try Workbench(.live)
        for last in 10...20 { try bench.observe(tooShort.list(upTo: last)) }
        let start = try #require(bench.session.start(with: bench.ledger))
        let kept = try JSONDecoder().decode(StitchingSession.Start.self, from: JSONEncoder().encode(start))
        var other = StitchingSession()
        other.begin(kept)
        #expect(other.unstitched != nil && other.unstitched == start.unstitched)
        #expect(other.targetDuration == .seconds(2))
    }
}
