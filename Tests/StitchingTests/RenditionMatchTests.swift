import HLS
import Testing

@testable import Stitching

/// Which rendition of an ad stands for which of the content, and why none does.
struct RenditionMatchTests {
    private static func ad(_ renditions: [MediaRendition], maps: Bool = false) throws -> AdMedia {
        try AdMedia(
            id: "ad",
            sources: renditions.map { rendition in
                AdMedia.Source(
                    description: rendition,
                    playlist: try MediaPlaylist(
                        parsing: Array(
                            TestAd.playlist(
                                "x", ["4.0", "2.0"], map: maps ? "i.mp4" : nil,
                                lines: rendition.kind == .iFrames ? ["#EXT-X-I-FRAMES-ONLY"] : []
                            ).utf8)),
                    url: "https://ads.example/\(rendition.key).m3u8")
            })
    }

    private static func rendition(
        _ key: String, _ kind: MediaRendition.Kind = .variant, bandwidth: Int = 0, codecs: [String] = [],
        language: String? = nil, isDefault: Bool = false, separate: Bool = false, rate: Duration? = nil,
        range: String? = nil
    ) -> MediaRendition {
        var made = MediaRendition(
            key: RenditionKey(key), kind: kind, upstreamURL: "", bandwidth: bandwidth, codecs: codecs,
            language: language, isDefault: isDefault, hasSeparateAudio: separate)
        made.frameRate = rate
        made.videoRange = range
        return made
    }

    private static func content(_ text: String) throws -> [RenditionMatcher.Content] {
        SourceCatalog(try MultivariantPlaylist(parsing: Array(("#EXTM3U\n" + text).utf8)), url: "https://o/m.m3u8")
            .renditions.map { RenditionMatcher.Content(rendition: $0, traits: nil) }
    }

    private static let avc = ["avc1.64001f", "mp4a.40.2"]
    private static let hevc = ["hvc1.1.6.L93", "mp4a.40.2"]

    @Test func `each variant takes the nearest rendition of its own codec`() throws {
        let content = try Self.content(
            """
            #EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.64001f,mp4a.40.2"
            a.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="hev1.1.6.L93,mp4a.40.2"
            h.m3u8

            """)
        let both = try Self.ad([
            Self.rendition("0", bandwidth: 2_500_000, codecs: Self.avc),
            Self.rendition("1", bandwidth: 900_000, codecs: Self.hevc),
            Self.rendition("2", bandwidth: 1_900_000, codecs: Self.hevc),
            Self.rendition("3", bandwidth: 1_950_000, codecs: Self.avc),
        ])
        let matches = try RenditionMatcher(both).matches(for: content, container: .selfInitializing)
        #expect(matches[RenditionKey("v0")] == .rendition(0))
        #expect(matches[RenditionKey("v1")] == .rendition(2))
        let one = RenditionMatcher(try Self.ad([Self.rendition("0", codecs: Self.avc)]))
        #expect(throws: RenditionMatcher.Mismatch.videoCodec(RenditionKey("v1"))) {
            try one.matches(for: content, container: .selfInitializing)
        }
    }

    @Test func `frame rate and dynamic range come before bandwidth`() throws {
        let content = try Self.content(
            """
            #EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.64001f,mp4a.40.2",FRAME-RATE=29.970
            a.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.64001f,mp4a.40.2",FRAME-RATE=59.940,VIDEO-RANGE=PQ
            b.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.64001f,mp4a.40.2",FRAME-RATE=25.000
            c.m3u8

            """)
        let media = try Self.ad([
            Self.rendition("0", bandwidth: 2_900_000, codecs: Self.avc, rate: .seconds(60)),
            Self.rendition("1", bandwidth: 1_000_000, codecs: Self.avc, rate: .seconds(30)),
            Self.rendition("2", bandwidth: 500_000, codecs: Self.avc, rate: .seconds(60), range: "PQ"),
        ])
        let matches = try RenditionMatcher(media).matches(for: content, container: .selfInitializing)
        #expect(matches[RenditionKey("v0")] == .rendition(1))
        #expect(matches[RenditionKey("v1")] == .rendition(2))
        // None of its rate: the nearest of all.
        #expect(matches[RenditionKey("v2")] == .rendition(0))
    }

    @Test func `audio takes its language, else the ad's main audio, and never a muxed rendition (rule 1115)`() throws {
        let content = try Self.content(
            """
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="de",LANGUAGE="de-AT",URI="de.m3u8"
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="fr",LANGUAGE="fr",URI="fr.m3u8"
            #EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.64001f,mp4a.40.2",AUDIO="a"
            a.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2",AUDIO="a"
            de.m3u8

            """)
        let media = try Self.ad([
            Self.rendition("0", codecs: Self.avc, separate: true),
            Self.rendition("1", .audio, codecs: ["mp4a.40.2"], language: "de"),
            Self.rendition("2", .audio, codecs: ["mp4a.40.2"], language: "en", isDefault: true),
        ])
        let matches = try RenditionMatcher(media).matches(for: content, container: .selfInitializing)
        #expect(matches[RenditionKey("v0")] == .rendition(0))
        #expect(matches[RenditionKey("a-a-de-at")] == .rendition(1))
        #expect(matches[RenditionKey("a-a-fr")] == .rendition(2))
        #expect(matches[RenditionKey("v1")] == .rendition(2))
        let muxed = RenditionMatcher(try Self.ad([Self.rendition("0", codecs: Self.avc)]))
        #expect(throws: RenditionMatcher.Mismatch.muxedAdInDemuxedContent(RenditionKey("v0"))) {
            try muxed.matches(for: content, container: .selfInitializing)
        }
    }

    @Test func `sound alone needs an ad with sound alone, beside video and by itself`() throws {
        let beside = try Self.content(
            """
            #EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.64001f,mp4a.40.2"
            a.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
            sound.m3u8

            """)
        let alone = try Self.content("#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.5\"\nsound.m3u8\n")
        let muxed = RenditionMatcher(try Self.ad([Self.rendition("0", codecs: Self.avc)]))
        #expect(throws: RenditionMatcher.Mismatch.muxedAdInDemuxedContent(RenditionKey("v1"))) {
            try muxed.matches(for: beside, container: .selfInitializing)
        }
        #expect(throws: RenditionMatcher.Mismatch.muxedAdInDemuxedContent(RenditionKey("v0"))) {
            try muxed.matches(for: alone, container: .selfInitializing)
        }
        let both = RenditionMatcher(
            try Self.ad([Self.rendition("0", codecs: Self.avc), Self.rendition("1", codecs: ["mp4a.40.2"])]))
        #expect(try both.matches(for: beside, container: .selfInitializing)[RenditionKey("v1")] == .rendition(1))
        #expect(try both.matches(for: alone, container: .selfInitializing)[RenditionKey("v0")] == .rendition(1))
    }

    private static let withIFrames = """
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="en",LANGUAGE="en",URI="s.m3u8"
        #EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.64001f,mp4a.40.2",SUBTITLES="s"
        a.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=100000,CODECS="avc1.64001f",URI="i.m3u8"

        """

    @Test func `an I-frame playlist takes the ad's I-frames, and gaps where they are not as its video (rule 1106)`()
        throws
    {
        let content = try Self.content(Self.withIFrames)
        let own = try Self.ad([
            Self.rendition("0", codecs: Self.avc),
            Self.rendition("1", .iFrames, bandwidth: 90_000, codecs: ["avc1.64001f"]),
        ])
        #expect(
            try RenditionMatcher(own).matches(for: content, container: .selfInitializing)[RenditionKey("i0")]
                == .rendition(1))
        let other = try Self.ad([
            Self.rendition("0", codecs: Self.avc), Self.rendition("1", .iFrames, codecs: ["hvc1.1.6.L93"]),
        ])
        #expect(
            try RenditionMatcher(other).matches(for: content, container: .selfInitializing)[RenditionKey("i0")]
                == .gaps(like: 0))
        var fragmented = content
        fragmented[2].traits = RenditionTraits(container: .fragmentedMP4)
        #expect(
            try RenditionMatcher(own).matches(for: fragmented, container: .selfInitializing)[RenditionKey("i0")]
                == .gaps(like: 0))
    }

    @Test func `subtitles that no filler can stand for, or that cannot be cut, are told of`() throws {
        let matcher = RenditionMatcher(try Self.ad([Self.rendition("0", codecs: Self.avc)]))
        var content = try Self.content(Self.withIFrames)
        let key = RenditionKey("s-s-en")
        let place = try #require(content.firstIndex { $0.rendition.key == key })
        let video = try #require(content.firstIndex { $0.rendition.kind == .variant })
        content[video].traits = RenditionTraits(container: .selfInitializing, targetDuration: .seconds(6))
        content[place].traits = RenditionTraits(container: .selfInitializing, targetDuration: .seconds(3_600))
        #expect(try matcher.matches(for: content, container: .selfInitializing)[key] == .emptySubtitles(like: 0))
        content[place].traits?.canBeCut = false
        #expect(throws: RenditionMatcher.Mismatch.uncuttableSubtitles(key)) {
            try matcher.matches(for: content, container: .selfInitializing)
        }
        content[place].traits?.targetDuration = .seconds(6)
        #expect(try matcher.matches(for: content, container: .selfInitializing)[key] == .emptySubtitles(like: 0))
        content[place].traits?.container = .fragmentedMP4
        #expect(throws: RenditionMatcher.Mismatch.fragmentedSubtitles(key)) {
            try matcher.matches(for: content, container: .selfInitializing)
        }
    }

    @Test func `the multivariant playlist keeps all attributes; image playlists and steering go, I-frames by choice`()
        throws
    {
        let lines = [
            "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"cc\",NAME=\"cc1\",LANGUAGE=\"en\",INSTREAM-ID=\"CC1\"",
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"AD\",CHARACTERISTICS=\"public.accessibility.describes-video\",CHANNELS=\"2\",URI=\"a.m3u8\"",
            "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"skd://key\",KEYFORMAT=\"com.apple.streamingkeydelivery\",KEYFORMATVERSIONS=\"1\"",
            "#EXT-X-STREAM-INF:BANDWIDTH=3,CODECS=\"avc1.64001f,mp4a.40.2\",AUDIO=\"a\",CLOSED-CAPTIONS=\"cc\",X-OWN=1",
            "v.m3u8",
            "#EXT-X-STREAM-INF:BANDWIDTH=2,CODECS=\"avc1.64001f,mp4a.40.2\",AUDIO=\"a\",CLOSED-CAPTIONS=NONE",
            "w.m3u8",
            "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i.m3u8\"",
            "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI=\"p.m3u8\"",
            "#EXT-X-CONTENT-STEERING:SERVER-URI=\"s.json\"",
        ]
        let catalog = SourceCatalog(
            try MultivariantPlaylist(parsing: Array(("#EXTM3U\n" + lines.joined(separator: "\n") + "\n").utf8)),
            url: "https://o/m.m3u8")
        let link = { (key: RenditionKey) in "\(key).m3u8" }
        func served(_ catalog: SourceCatalog) -> [Substring] {
            String(decoding: catalog.multivariantPlaylist(isStitched: true, uri: link), as: UTF8.self)
                .split(separator: "\n")
        }
        var expected = lines.dropLast(2).map { line in
            line.replacing("a.m3u8", with: "a-a-ad.m3u8").replacing("v.m3u8", with: "v0.m3u8")
                .replacing("w.m3u8", with: "v1.m3u8").replacing("i.m3u8", with: "i0.m3u8")[...]
        }
        #expect(served(catalog).dropFirst() == expected[...])
        expected.removeLast()
        #expect(served(catalog.withoutIFrames()).dropFirst() == expected[...])
    }
}
