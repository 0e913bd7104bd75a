import HLS
import Testing

@testable import Stitching

/// Numbers neither fall nor are given twice, where what had them goes or was never seen.
struct NumberKeepingTests {
    private static let subtitled = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="en",LANGUAGE="en",URI="s.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.64001f,mp4a.40.2",SUBTITLES="subs"
        v0.m3u8

        """

    /// Answers for one rendition, of which each number has one address.
    private struct Answers {
        var addresses: [Int64: String] = [:]
        var first: Int64 = 0
        var discontinuitySequence: Int64 = 0

        mutating func take(_ answer: StitchedPlaylist) throws {
            let playlist = try MediaPlaylist(parsing: answer.bytes)
            for segment in playlist.segments {
                let address = playlist.text(segment.uri)
                #expect(addresses[segment.number] ?? address == address)
                addresses[segment.number] = address
            }
            let sequence = try #require(playlist.discontinuitySequence)
            let number = try #require(playlist.segments.first?.number)
            #expect(sequence >= discontinuitySequence)
            #expect(number >= first)
            (discontinuitySequence, first) = (sequence, number)
        }
    }

    @Test func `a number that a part of a subtitle segment had is no other segment's behind a restart (rule 404)`()
        throws
    {
        let start = try #require(DateTime("2026-01-01T00:00:36.000Z"))
        let key = "s-subs-en"
        var bench = try Workbench(.live, multivariant: Self.subtitled)
        // The second file of the subtitles lasts a minute. The break begins within it.
        try bench.observe(TestContent.playlist(first: 0, [[], [], []]))
        _ = bench.pending()
        try bench.observe(TestContent.playlist(first: 0, [[], [], [], ["#EXT-X-CUE-OUT:30"], []]))
        try bench.observe(TestContent.playlist(first: 0, target: 60, [["6.000"], ["60.000"]]), as: key)
        #expect(bench.decide([try TestAd.muxed("ad", ["6.000", "6.000", "6.000"])]) != nil)
        var answers = Answers()
        try answers.take(bench.playlist(key))
        #expect(answers.addresses[1]?.contains("piece-1-0-12000") == true)
        // The encoder starts again before the end of that file.
        for count in 2...8 {
            let restarted = TestContent.playlist(
                first: 0, date: start.formatted, target: 60, Array(repeating: [], count: count)
            ).split(separator: "\nc").joined(separator: "\nb/c")
            try bench.observe(restarted)
            try bench.observe(restarted, as: key)
            try answers.take(bench.playlist(key))
        }
        #expect(answers.addresses.values.contains { $0.contains("/b/c7.ts") })
    }

    @Test func `audio is not listed beyond the end of video before its own is known: the origin may go on (rule 404)`()
        throws
    {
        var bench = try Workbench(.live, multivariant: Workbench.demuxed)
        let key = "a-aud-en"
        func audio(_ count: Int, ended: Bool = false) -> String {
            TestContent.playlist(first: 0, ended: ended, Array(repeating: ["5.000"], count: count))
        }
        try bench.observe(TestContent.playlist(first: 0, [[], [], []]))
        try bench.observe(audio(4), as: key)
        var answers = Answers()
        try answers.take(bench.playlist(key))
        try bench.observe(TestContent.playlist(first: 0, ended: true, [[], [], [], [], []]))
        try bench.observe(audio(7), as: key)
        try answers.take(bench.playlist(key))
        #expect(answers.addresses.count == 6)
        // It goes on, with a break.
        try bench.observe(TestContent.playlist(first: 0, [[], [], [], [], [], ["#EXT-X-CUE-OUT:18"], []]))
        try bench.observe(audio(8), as: key)
        let ad = ["6.000", "6.000", "6.000"]
        #expect(bench.decide([try TestAd.demuxed("ad", ad, audio: ad)]) != nil)
        try answers.take(bench.playlist(key))
        #expect(answers.addresses[6]?.contains("ads.example") == true)
        #expect(bench.ledger.renditions[bench.ledger.leading]?.hasEnded == false)
    }

    @Test func `audio is listed to its end once both ends are known`() throws {
        var bench = try Workbench(.live, multivariant: Workbench.demuxed)
        try bench.observe(TestContent.playlist(first: 0, ended: true, [[], [], [], [], []]))
        try bench.observe(
            TestContent.playlist(first: 0, ended: true, Array(repeating: ["5.000"], count: 7)), as: "a-aud-en")
        let answer = try bench.playlist("a-aud-en")
        #expect(answer.hasEnded && answer.entries.count == 7)
    }
}
