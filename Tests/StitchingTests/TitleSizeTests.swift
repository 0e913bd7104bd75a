import HLS
import Testing

@testable import Stitching

/// Titles of days with thousands of breaks: time and size grow with their length, no faster.
struct TitleSizeTests {
    private static let multivariant = """
        #EXTM3U
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",LANGUAGE="en",DEFAULT=YES,URI="a.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="en",LANGUAGE="en",URI="s.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="a",SUBTITLES="s"
        v.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.64001f",URI="i.m3u8"

        """

    /// A break each minute.
    private static func title(minutes: Int, duration: String = "6.000", marks: Bool) -> [UInt8] {
        var text = PlaylistText()
        text.append("#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n")
        text.append("#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z\n#EXT-X-MAP:URI=\"m.mp4\"\n")
        for index in 0..<minutes * 10 {
            if index % 10 == 5 {
                text.append("#EXT-X-DATERANGE:ID=\"\(index)\",START-DATE=\"2026-01-01T00:00:00.000Z\",DURATION=1\n")
                if marks { text.append(index % 20 == 5 ? "#EXT-X-CUE-OUT:0\n#EXT-X-CUE-IN\n" : "#EXT-X-CUE-OUT:12\n") }
            }
            if marks, index % 20 == 17 { text.append("#EXT-X-CUE-IN\n") }
            text.append("#EXTINF:\(duration),\n\(index).m4s\n")
        }
        text.append("#EXT-X-ENDLIST\n")
        return text.bytes
    }

    private struct Measured {
        var time = Duration.zero
        var bytes = 0
        var breaks = 0
    }

    private func measure(minutes: Int) throws -> Measured {
        let content = Self.title(minutes: minutes, marks: true)
        let plain = Self.title(minutes: minutes, marks: false)
        let subtitles = Array(
            "#EXTM3U\n#EXT-X-TARGETDURATION:\(minutes * 60)\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:\(minutes * 60),\nf.vtt\n#EXT-X-ENDLIST\n"
                .utf8)
        let ad = try TestAd.demuxed("ad", ["6.0", "6.0"], audio: ["6.0", "6.0"], map: "i.mp4")
        var measured = Measured()
        let clock = ContinuousClock()
        measured.time = try clock.measure {
            var bench = try Workbench(.vod, multivariant: Self.multivariant)
            try bench.observe(content)
            for (key, bytes) in [("a-a-en", plain), ("i0", plain), ("s-s-en", subtitles)] {
                try bench.observe(bytes, as: key)
            }
            let matches = try RenditionMatcher(ad.media).matches(
                for: bench.catalog.renditions.map { RenditionMatcher.Content(rendition: $0, traits: nil) },
                container: .fragmentedMP4)
            let pod = Pod(
                ads: [ad], leading: bench.ledger.leading, dateShortening: 0, matches: matches.mapValues { [$0] })
            for pending in bench.pending() { bench.session.decide(.ads(pod), for: pending.opportunity.id) }
            measured.breaks = bench.session.decisions.count
            for key in ["v0", "a-a-en", "i0", "s-s-en"] { measured.bytes += try bench.playlist(key).bytes.count }
        }
        return measured
    }

    @Test func `four times the breaks take four times the time and space`() throws {
        _ = try measure(minutes: 60)
        let small = try measure(minutes: 1_080)
        let large = try measure(minutes: 4_320)
        print("1080: \(small.time) \(small.bytes) bytes; 4320: \(large.time) \(large.bytes) bytes")
        #expect(small.breaks == 1_080 && large.breaks == 4_320)
        #expect(Double(large.bytes) / Double(small.bytes) < 4.1)
        // Sixteen times, if each break looked at all others.
        #expect(large.time / small.time < 9)
    }
}
