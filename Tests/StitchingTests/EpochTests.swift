import HLS
import Testing

@testable import Stitching

/// Origins that begin to count anew: what is an older playlist, what is a new epoch, and where it begins.
struct EpochTests {
    private static let start = "2026-01-01T00:00:00.000Z"

    /// Segments `first...last` of one timeline, six seconds each, under other numbers and in another folder.
    private static func window(
        _ first: Int, _ last: Int, shift: Int = 0, folder: String = "", dates: Bool = true, header: [String] = [],
        lines: [Int: [String]] = [:], dateShift: Int = 0, target: Int = 6
    ) -> String {
        var text =
            "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\(target)\n#EXT-X-MEDIA-SEQUENCE:\(first + shift)\n"
        text += header.map { $0 + "\n" }.joined()
        for number in first...last {
            text += (lines[number] ?? []).map { $0 + "\n" }.joined()
            if dates, let date = DateTime(start)?.advanced(by: .seconds(number * 6 + dateShift)) {
                text += "#EXT-X-PROGRAM-DATE-TIME:\(date.formatted)\n"
            }
            text += "#EXTINF:6.000,\n\(folder)c\(number).ts\n"
        }
        return text
    }

    private func bench(_ texts: String...) throws -> Workbench {
        var bench = try Workbench(.live)
        for text in texts { try bench.observe(text) }
        return bench
    }

    private func listed(_ bench: inout Workbench, _ key: String = "v0") throws -> [String] {
        try bench.playlist(key).entries.isEmpty
            ? []
            : bench.lines(key).filter { !$0.hasPrefix("#") }
                .map { String($0.split(separator: "/path/").last ?? "") }
    }

    // MARK: - Where the next epoch begins

    @Test func `an encoder that starts again at 0 goes on behind a discontinuity, with higher numbers`() throws {
        var bench = try bench(Self.window(1000, 1005))
        let before = try bench.playlist()
        #expect(try bench.observe(Self.window(1007, 1008, shift: -1007, folder: "b/")) == .restarted)
        let after = try bench.playlist()
        #expect(after.entries.suffix(2).map(\.number) == [1006, 1007])
        #expect(after.entries.suffix(3).map(\.discontinuity) == [0, 1, 1])
        #expect(try listed(&bench).suffix(3) == ["c1005.ts", "b/c1007.ts", "b/c1008.ts"])
        #expect(try bench.lines().filter { $0 == "#EXT-X-DISCONTINUITY" }.count == 1)
        // Dates are the origin's, and nothing that was listed has changed.
        let joint = try #require(after.entries.first { $0.number == 1006 })
        #expect(joint.date == DateTime(Self.start)?.advanced(by: .seconds(1007 * 6)))
        let kept = Dictionary(uniqueKeysWithValues: after.entries.map { ($0.number, $0) })
        for entry in before.entries { #expect(kept[entry.number] ?? entry == entry) }
        // The origin's window is short now; three target durations stay listed (rule 309).
        #expect(after.entries.count >= 3)
    }

    @Test
    func `numbers that leap go on behind a discontinuity, and what was listed under the old ones is not listed again`()
        throws
    {
        for dates in [true, false] {
            var bench = try bench(Self.window(50, 55, dates: dates))
            #expect(try bench.observe(Self.window(51, 57, shift: 5000, dates: dates)) == .restarted)
            #expect(
                try listed(&bench).suffix(4) == ["c54.ts", "c55.ts", "c56.ts", "c57.ts"], "dates \(dates)")
            #expect(try bench.playlist().entries.map(\.number).suffix(3) == [55, 56, 57])
            #expect(try bench.observe(Self.window(52, 58, shift: 5000, dates: dates)) == .advanced)
            #expect(try bench.playlist().entries.last?.number == 58)
            #expect(try bench.playlist().entries.last?.discontinuity == 1)
        }
    }

    @Test func `an encoder that starts again lists under number 0 what it had listed last before: that is skipped`()
        throws
    {
        var bench = try bench(Self.window(50, 55))
        #expect(try bench.observe(Self.window(55, 55, shift: -55)) == .stale)
        #expect(try bench.observe(Self.window(55, 57, shift: -55)) == .restarted)
        #expect(try listed(&bench).suffix(3) == ["c55.ts", "c56.ts", "c57.ts"])
    }

    @Test func `of another encoder with the same dates nothing is shown twice and nothing lost`() throws {
        var bench = try bench(Self.window(50, 55))
        #expect(try bench.observe(Self.window(48, 57, shift: 900, folder: "b/")) == .restarted)
        #expect(try listed(&bench).suffix(4) == ["c54.ts", "c55.ts", "b/c56.ts", "b/c57.ts"])
    }

    @Test func `the same numbers with other addresses and dates are another count`() throws {
        var bench = try bench(Self.window(50, 55))
        #expect(
            try bench.observe(Self.window(60, 65, shift: -10, folder: "b/").replacing("c", with: "d")) == .restarted)
        #expect(try bench.playlist().entries.last?.number == 61)
        // Without dates the addresses alone tell, and as much is new as time has passed.
        var dateless = try self.bench(Self.window(50, 55, dates: false))
        let other = Self.window(50, 55, dates: false).replacing("\nc", with: "\nb/d")
        #expect(try dateless.observe(other) == .restarted)
        #expect(try listed(&dateless).suffix(2) == ["c55.ts", "b/d55.ts"])
    }

    @Test func `a segment whose address changes is the same: tokens, hosts, redirects`() throws {
        for change in ["?token=2", "#f"] {
            var bench = try bench(Self.window(50, 55, dates: false))
            let again = Self.window(51, 56, dates: false).replacing(".ts", with: ".ts\(change)")
            #expect(try bench.observe(again) == .advanced)
            #expect(try bench.playlist().entries.last?.discontinuity == 0)
        }
        for folder in ["https://edge7.example/", "/token-1234/", "../other/"] {
            var bench = try bench(Self.window(50, 55, dates: false))
            #expect(try bench.observe(Self.window(51, 56, folder: folder, dates: false)) == .advanced, "\(folder)")
        }
        // With dates even names may change.
        var bench = try bench(Self.window(50, 55))
        let renamed = Self.window(51, 56).replacing("\nc", with: "\nq")
        #expect(try bench.observe(renamed) == .advanced)
        #expect(try bench.playlist().entries.last?.discontinuity == 0)
    }

    @Test func `one segment that was put in another's place is no new count`() throws {
        var bench = try bench(Self.window(50, 55, dates: false))
        let replaced = Self.window(51, 56, dates: false).replacing("\nc53.ts", with: "\nslate.ts")
        #expect(try bench.observe(replaced) == .advanced)
        #expect(try listed(&bench).contains("c53.ts"))
    }

    @Test func `an origin that gives every segment another name each time is followed all the same`() throws {
        var bench = try bench(Self.window(50, 55, dates: false))
        for step in 1...8 {
            try bench.observe(
                Self.window(50 + step, 55 + step, dates: false).replacing(".ts", with: "-\(step * 7919 % 1000).ts"))
        }
        #expect(bench.ledger.epoch <= 3)
        #expect(try bench.playlist().entries.last?.number == 63)
    }

    // MARK: - Older playlists

    @Test func `an older playlist is ignored, whichever epoch it is of`() throws {
        var bench = try bench(Self.window(50, 55))
        #expect(try bench.observe(Self.window(44, 49)) == .stale)
        #expect(try bench.observe(Self.window(40, 45)) == .stale)
        try bench.observe(Self.window(57, 58, shift: -57, folder: "b/"))
        let before = try bench.playlist()
        for old in [Self.window(50, 55), Self.window(49, 54), Self.window(51, 56), Self.window(44, 49)] {
            #expect(try bench.observe(old) == .stale)
        }
        #expect(try bench.observe(Self.window(57, 57, shift: -57, folder: "b/")) == .stale)
        #expect(try bench.playlist().bytes == before.bytes)
        #expect(try bench.observe(Self.window(57, 59, shift: -57, folder: "b/")) == .advanced)
    }

    @Test func `without dates an old playlist is known by its addresses, long after its segments are forgotten`() throws
    {
        var bench = try Workbench(.live)
        for first in 0..<200 { try bench.observe(Self.window(first, first + 5, dates: false)) }
        #expect(try bench.observe(Self.window(60, 65, dates: false)) == .stale)
        #expect(bench.ledger.epoch == 0)
    }

    @Test func `an encoder that was left and has gone far ahead is followed again`() throws {
        var bench = try bench(Self.window(50, 55), Self.window(57, 58, shift: -57, folder: "b/"))
        // A segment ahead of the one that is followed, it would have the channel go to and fro.
        #expect(try bench.observe(Self.window(54, 59)) == .stale)
        // Players wait for no more than one and a half target durations (rule 310).
        #expect(try bench.observe(Self.window(55, 60)) == .restarted)
        #expect(try listed(&bench).suffix(3) == ["b/c58.ts", "c59.ts", "c60.ts"])
    }

    @Test func `what was not seen of one count is a gap, not a new count`() throws {
        let header = ["#EXT-X-DISCONTINUITY-SEQUENCE:0"]
        var bench = try bench(Self.window(50, 55, header: header))
        #expect(try bench.observe(Self.window(70, 75, header: header)) == .advanced)
        #expect(bench.ledger.epoch == 0)
        #expect(try bench.playlist().entries.map(\.discontinuity) == Array(repeating: 0, count: 6))
        var dateless = try self.bench(Self.window(50, 55, dates: false))
        #expect(try dateless.observe(Self.window(60, 65, dates: false)) == .advanced)
        #expect(try dateless.observe(Self.window(9000, 9005, dates: false)) == .restarted)
    }

    @Test
    func `a list that begins small with numbers that leap by little is a new count: the list stays as long (309, 505)`()
        throws
    {
        for dates in [true, false] {
            var bench = try bench(Self.window(50, 55, dates: dates))
            #expect(try bench.observe(Self.window(57, 57, folder: "b/", dates: dates)) == .restarted)
            #expect(try listed(&bench).suffix(2) == ["c55.ts", "b/c57.ts"])
            let playlist = try bench.playlist()
            #expect(playlist.entries.map(\.discontinuity).suffix(2) == [0, 1])
            #expect(zip(playlist.entries, playlist.entries.dropFirst()).allSatisfy { $0.number + 1 == $1.number })
            #expect(try bench.observe(Self.window(57, 59, folder: "b/", dates: dates)) == .advanced)
            #expect(try listed(&bench).suffix(4) == ["c55.ts", "b/c57.ts", "b/c58.ts", "b/c59.ts"])
        }
        // What is long enough to stand alone is a gap.
        let header = ["#EXT-X-DISCONTINUITY-SEQUENCE:0"]
        var gap = try bench(Self.window(50, 55, header: header))
        #expect(try gap.observe(Self.window(57, 59, folder: "b/", header: header)) == .advanced)
        #expect(gap.ledger.epoch == 0)
    }

    @Test
    func `behind a gap in which discontinuities went by uncounted all renditions go on with one new number (504)`()
        throws
    {
        var bench = try Workbench(.live, multivariant: Workbench.demuxed)
        let audio = "a-aud-en"
        try bench.observe(Self.window(50, 53))
        try bench.observe(Self.window(50, 53), as: audio)
        #expect(try bench.observe(Self.window(60, 63)) == .advanced)
        // The audio still lists a discontinuity that the leading rendition's list has lost, and has counted it.
        let lines = [57: ["#EXT-X-DISCONTINUITY"]]
        try bench.observe(Self.window(56, 62, lines: lines), as: audio)
        #expect(try listed(&bench, audio) == ["c60.ts", "c61.ts", "c62.ts"])
        let video = try bench.playlist().entries
        let sound = try bench.playlist(audio).entries
        #expect(video.map(\.discontinuity) == [1, 1, 1, 1])
        #expect(sound.map(\.discontinuity) == [1, 1, 1])
        #expect(sound.map(\.number) == video.prefix(3).map(\.number))
        #expect(try bench.lines(audio).contains("#EXT-X-DISCONTINUITY-SEQUENCE:0"))
    }

    // MARK: - Dates

    @Test func `dates that step back are moved on, with the date ranges between them (rules 802, 804)`() throws {
        let range = "#EXT-X-DATERANGE:ID=\"p\",START-DATE=\"2025-12-31T23:05:48.000Z\",DURATION=6"
        var bench = try bench(Self.window(50, 55))
        try bench.observe(Self.window(57, 60, shift: -57, folder: "b/", lines: [58: [range]], dateShift: -3600))
        let text = try bench.text()
        let dates = try MediaPlaylist(parsing: Array(text.utf8)).segments.compactMap(\.programDateTime)
        #expect(dates == dates.sorted())
        // It begins with the segment that it stands with, as it did: one behind the joint.
        let joint = try #require(DateTime(Self.start)).advanced(by: .seconds(57 * 6))
        #expect(text.contains("START-DATE=\"\(joint.formatted)\""))
        #expect(!text.contains("2025-12-31"))
        // The clock is set right: dates go on from there.
        try bench.observe(
            Self.window(59, 64, shift: -57, folder: "b/", dateShift: 0))
        let later = try bench.playlist().entries.compactMap(\.date)
        #expect(later == later.sorted())
    }

    @Test func `within an epoch a date that steps back moves no date back (rule 802)`() throws {
        var text = TestContent.playlist(first: 0, Array(repeating: [], count: 8))
        text = text.replacing("00:00:24.000Z", with: "00:00:01.000Z").replacing("00:00:30.000Z", with: "00:00:07.000Z")
        var bench = try bench(text)
        let dates = try MediaPlaylist(parsing: bench.playlist().bytes).segments.compactMap(\.programDateTime)
        #expect(dates == dates.sorted())
        #expect(dates.count == 8)
    }

    // MARK: - Keys, maps, IVs

    @Test
    func
        `at the joint the map and the keys stand again, and implicit IVs are the origin's own numbers (605, 609, 706)`()
        throws
    {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k1\""
        var bench = try bench(Self.window(50, 55, header: [key, "#EXT-X-MAP:URI=\"i1.mp4\""]))
        try bench.observe(
            Self.window(
                57, 58, shift: -57, folder: "b/",
                header: ["#EXT-X-KEY:METHOD=AES-128,URI=\"k2\"", "#EXT-X-MAP:URI=\"i2.mp4\""]))
        let lines = try bench.lines()
        let joint = try #require(lines.firstIndex(of: "#EXT-X-DISCONTINUITY"))
        #expect(lines[joint + 1...joint + 4].contains("#EXT-X-MAP:URI=\"https://origin/path/i2.mp4\""))
        #expect(
            lines[joint...].contains(
                "#EXT-X-KEY:METHOD=AES-128,URI=\"https://origin/path/k2\",IV=0x00000000000000000000000000000000"))
        #expect(
            lines[joint...].contains(
                "#EXT-X-KEY:METHOD=AES-128,URI=\"https://origin/path/k2\",IV=0x00000000000000000000000000000001"))
    }

    // MARK: - Breaks

    @Test func `a pod plays to its end over a restart, and the content returns in the new epoch`() throws {
        var bench = try bench(Self.window(48, 54))
        _ = try bench.playlist()
        try bench.observe(Self.window(49, 55, lines: [55: ["#EXT-X-CUE-OUT:30"]]))
        try bench.observe(Self.window(50, 56, lines: [55: ["#EXT-X-CUE-OUT:30"], 56: ["#EXT-X-CUE-OUT-CONT:6/30"]]))
        bench.decide([try TestAd.muxed("a", ["6.000", "6.000", "6.000", "6.000", "6.000"])])
        _ = try bench.playlist()
        // The new encoder knows nothing of the break.
        try bench.observe(Self.window(57, 58, shift: -57, folder: "b/"))
        #expect(!(try listed(&bench)).contains { $0.hasPrefix("b/") })
        try bench.observe(Self.window(57, 61, shift: -57, folder: "b/"))
        let uris = try listed(&bench)
        #expect(uris.suffix(3).first?.contains("a/v4.ts") ?? false, "\(uris)")
        #expect(uris.suffix(2) == ["b/c60.ts", "b/c61.ts"])
        #expect(try bench.playlist().entries.last?.discontinuity == 2)
    }

    @Test func `a break that was to last until its return ends where the origin begins anew`() throws {
        var bench = try bench(Self.window(48, 54), Self.window(49, 55, lines: [55: ["#EXT-X-CUE-OUT"]]))
        _ = try bench.playlist()
        try bench.observe(Self.window(57, 58, shift: -57, folder: "b/"))
        #expect(bench.ledger.breaks.last?.end?.number == 56)
        // Unless the new encoder goes on with it.
        var other = try self.bench(Self.window(48, 54), Self.window(49, 55, lines: [55: ["#EXT-X-CUE-OUT"]]))
        try other.observe(Self.window(57, 58, shift: -57, folder: "b/", lines: [57: ["#EXT-X-CUE-OUT-CONT"]]))
        #expect(other.ledger.breaks.count == 1)
        #expect(other.ledger.breaks.last?.end == nil)
    }

    @Test func `a return in the new epoch ends the pod early`() throws {
        var bench = try bench(Self.window(48, 54))
        _ = try bench.playlist()
        try bench.observe(Self.window(49, 55, lines: [55: ["#EXT-X-CUE-OUT:30"]]))
        bench.decide([try TestAd.muxed("a", ["6.000", "6.000", "6.000", "6.000", "6.000"])])
        _ = try bench.playlist()
        try bench.observe(Self.window(57, 59, shift: -57, folder: "b/", lines: [57: ["#EXT-X-CUE-IN"]]))
        let uris = try listed(&bench)
        #expect(uris.suffix(3) == ["b/c57.ts", "b/c58.ts", "b/c59.ts"])
    }

    @Test func `a break that both origins mark by date is one break`() throws {
        let out = [55: ["#EXT-X-CUE-OUT:30"], 56: ["#EXT-X-CUE-OUT-CONT:6/30"], 57: ["#EXT-X-CUE-OUT-CONT:12/30"]]
        var bench = try bench(Self.window(49, 55, lines: out))
        try bench.observe(Self.window(52, 57, shift: 900, folder: "b/", lines: out))
        #expect(bench.ledger.breaks.count == 1)
    }

    // MARK: - Renditions

    @Test
    func `each rendition goes over by its own playlist, and is not listed beyond the epoch before until then (504)`()
        throws
    {
        var bench = try Workbench(.live, multivariant: Workbench.demuxed)
        let audio = "a-aud-en"
        try bench.observe(Self.window(50, 55))
        try bench.observe(Self.window(50, 55), as: audio)
        // The audio's playlist is ahead: it waits for the leading one.
        #expect(try bench.observe(Self.window(56, 57, shift: -56, folder: "b/"), as: audio) == .waiting)
        #expect(try listed(&bench, audio).last == "c55.ts")
        #expect(try bench.observe(Self.window(56, 58, shift: -56, folder: "b/")) == .restarted)
        #expect(try listed(&bench, audio).last == "c55.ts")
        // A late version of the old epoch brings nothing that the leading rendition does not have.
        try bench.observe(Self.window(51, 57), as: audio)
        #expect(try listed(&bench, audio).last == "c55.ts")
        #expect(try bench.observe(Self.window(56, 58, shift: -56, folder: "b/"), as: audio) == .restarted)
        #expect(try listed(&bench, audio).last == "b/c58.ts")
        let video = try bench.playlist().entries
        let sound = try bench.playlist(audio).entries
        #expect(video.suffix(4).map(\.discontinuity) == sound.suffix(4).map(\.discontinuity))
        #expect(video.suffix(4).map(\.number) == sound.suffix(4).map(\.number))
    }

    @Test
    func `a rendition that has missed the end of the old epoch goes on with what the new playlist still lists of it`()
        throws
    {
        var bench = try Workbench(.live, multivariant: Workbench.demuxed)
        let audio = "a-aud-en"
        try bench.observe(Self.window(50, 55))
        try bench.observe(Self.window(48, 53), as: audio)
        try bench.observe(Self.window(52, 57, shift: 900, folder: "b/"))
        try bench.observe(Self.window(52, 57, shift: 900, folder: "b/"), as: audio)
        #expect(try listed(&bench, audio).suffix(5) == ["c53.ts", "b/c54.ts", "b/c55.ts", "b/c56.ts", "b/c57.ts"])
        let video = try bench.playlist().entries
        let sound = try bench.playlist(audio).entries
        for entry in sound {
            #expect(video.first { $0.time == entry.time }?.discontinuity ?? entry.discontinuity == entry.discontinuity)
        }
    }

    @Test
    func `a rendition whose numbers alone are new goes on without a joint where the leading one has gone on (310)`()
        throws
    {
        var bench = try Workbench(.live, multivariant: Workbench.demuxed)
        let audio = "a-aud-en"
        try bench.observe(Self.window(50, 55))
        try bench.observe(Self.window(50, 55), as: audio)
        // Nothing that the leading rendition has is missed yet: whether it counts anew as well has to be seen.
        #expect(try bench.observe(Self.window(51, 56, shift: 700), as: audio) == .waiting)
        try bench.observe(Self.window(51, 56))
        #expect(try bench.observe(Self.window(51, 56, shift: 700), as: audio) == .restarted)
        try bench.observe(Self.window(53, 58))
        try bench.observe(Self.window(53, 58, shift: 700), as: audio)
        #expect(try listed(&bench, audio).suffix(4) == ["c55.ts", "c56.ts", "c57.ts", "c58.ts"])
        #expect(try bench.playlist(audio).entries.last?.discontinuity == 0)
        #expect(try bench.playlist(audio).entries.last?.number == 58)
    }

    @Test
    func `a rendition that is with another origin before the leading one has the joint where that has it (504)`()
        throws
    {
        var bench = try Workbench(.live, multivariant: Workbench.demuxed)
        let audio = "a-aud-en"
        try bench.observe(Self.window(50, 55))
        try bench.observe(Self.window(49, 54), as: audio)
        // What the leading rendition listed last is taken from the other origin.
        #expect(try bench.observe(Self.window(51, 56, shift: 900, folder: "b/"), as: audio) == .restarted)
        #expect(try listed(&bench, audio).suffix(2) == ["c54.ts", "b/c55.ts"])
        try bench.observe(Self.window(52, 57, shift: 900, folder: "b/"))
        #expect(try bench.observe(Self.window(52, 57, shift: 900, folder: "b/"), as: audio) == .restarted)
        let video = try bench.playlist().entries
        let sound = try bench.playlist(audio).entries
        #expect(video.suffix(3).map(\.discontinuity) == [0, 1, 1])
        #expect(sound.suffix(3).map(\.discontinuity) == [0, 1, 1])
        #expect(sound.suffix(3).map(\.time) == video.suffix(3).map(\.time))
        #expect(sound.suffix(3).map(\.number) == video.suffix(3).map(\.number))
    }

    @Test func `a rendition that did not restart with the leading one gets the joint at the same time`() throws {
        var bench = try Workbench(.live, multivariant: Workbench.demuxed)
        let audio = "a-aud-en"
        try bench.observe(Self.window(50, 55))
        try bench.observe(Self.window(50, 55), as: audio)
        try bench.observe(Self.window(56, 60, shift: -56, folder: "b/"))
        try bench.observe(Self.window(52, 57), as: audio)
        #expect(try listed(&bench, audio).last == "c55.ts")
        try bench.observe(Self.window(54, 60), as: audio)
        #expect(try listed(&bench, audio).last == "c60.ts")
        let entries = try bench.playlist(audio).entries
        #expect(entries.first { $0.number == 56 }?.discontinuity == 1)
        #expect(entries.first { $0.number == 55 }?.discontinuity == 0)
    }

    // MARK: - Origins

    @Test func `only the origin in use counts`() throws {
        var bench = try bench(Self.window(50, 55))
        let backup = try MediaPlaylist(parsing: Array(Self.window(50, 57, shift: 900, folder: "b/").utf8))
        let key = RenditionKey("v0")
        #expect(bench.ledger.observe(backup, at: "https://b/v0.m3u8", as: key, from: 1) == .stale)
        bench.ledger.use(origin: 1)
        #expect(bench.ledger.observe(backup, at: "https://b/v0.m3u8", as: key, from: 1) == .restarted)
        #expect(try bench.playlist().entries.last?.number == 57)
    }

    @Test func `a backup with the same numbers goes on without a joint, with its own map`() throws {
        var bench = try bench(Self.window(50, 55, header: ["#EXT-X-MAP:URI=\"i.mp4\""]))
        bench.ledger.use(origin: 1)
        let backup = try MediaPlaylist(
            parsing: Array(Self.window(51, 57, header: ["#EXT-X-MAP:URI=\"i.mp4\""]).utf8))
        #expect(
            bench.ledger.observe(backup, at: "https://backup/x/v0.m3u8", as: RenditionKey("v0"), from: 1) == .advanced)
        let lines = try bench.lines()
        #expect(!lines.contains("#EXT-X-DISCONTINUITY"))
        let first = try #require(lines.firstIndex(of: "https://backup/x/c56.ts"))
        #expect(lines[..<first].suffix(3).contains("#EXT-X-MAP:URI=\"https://backup/x/i.mp4\""))
    }

    @Test func `without dates a backup is joined at its edge, as far back as nothing has come`() throws {
        var bench = try bench(Self.window(50, 55, dates: false))
        bench.ledger.use(origin: 1)
        let backup = try MediaPlaylist(
            parsing: Array(Self.window(400, 409, folder: "b/", dates: false).utf8))
        #expect(
            bench.ledger.observe(
                backup, at: "https://origin/path/v0.m3u8", as: RenditionKey("v0"), from: 1, after: .seconds(10))
                == .restarted)
        #expect(try listed(&bench).suffix(3) == ["c55.ts", "b/c408.ts", "b/c409.ts"])
    }

    @Test func `a backup that is a little behind is waited for, so that nothing is shown twice`() throws {
        var bench = try bench(Self.window(50, 55))
        bench.ledger.use(origin: 1)
        func observe(_ first: Int, _ last: Int) throws -> BreakLedger.Observation {
            let playlist = try MediaPlaylist(parsing: Array(Self.window(first, last, shift: 900, folder: "b/").utf8))
            return bench.ledger.observe(
                playlist, at: "https://origin/path/v0.m3u8", as: RenditionKey("v0"), from: 1)
        }
        #expect(try observe(49, 54) == .stale)
        #expect(try observe(50, 55) == .stale)
        #expect(try observe(51, 56) == .restarted)
        #expect(try listed(&bench).suffix(2) == ["c55.ts", "b/c56.ts"])
    }

    @Test func `numbers at the ends of their range do not trap`() throws {
        for number in [9_223_372_032_559_808_000, 0, 9_000_000_000_000_000] {
            var bench = try Workbench(.live)
            for text in [
                Self.window(50, 55),
                "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(number)\n#EXTINF:9999999,\nx\n#EXTINF:9999999,\ny\n",
            ] {
                try bench.observe(text)
                try bench.observe(text)
                _ = try? bench.playlist()
            }
        }
    }
}
