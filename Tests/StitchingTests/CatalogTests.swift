import HLS
import Testing

@testable import Stitching

/// The multivariant playlist of a session, and the keys of its renditions.
struct CatalogTests {
    private static let text = """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.apple.streamingkeydelivery"
        #EXT-X-SESSION-DATA:DATA-ID="x",URI="data.json"
        #EXT-X-CONTENT-STEERING:SERVER-URI="/steer",PATHWAY-ID="A"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="../a/en.m3u8?t=1%2F2"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Deutsch",LANGUAGE="de",URI="a/de.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Commentary",LANGUAGE="en",URI="a/comment.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="English",LANGUAGE="en",URI="s/en.m3u8"
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CC1",INSTREAM-ID="CC1"
        #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2",AUDIO="aac",STABLE-VARIANT-ID="audio"
        a/en.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=2000000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,AUDIO="aac",SUBTITLES="subs"
        //cdn.example/v/720.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,URI="iframe.m3u8"

        """

    private static func catalog() throws -> SourceCatalog {
        SourceCatalog(try MultivariantPlaylist(parsing: Array(text.utf8)), url: "https://origin/live/x/master.m3u8?a=b")
    }

    @Test func `keys are stable, safe in a URL and lead back to the upstream`() throws {
        let catalog = try Self.catalog()
        #expect(
            catalog.renditions.map(\.key.text) == ["v0", "v1", "a-aac-en", "a-aac-de", "a-aac-en-2", "s-subs-en", "i0"])
        #expect(catalog.leading == RenditionKey("v1"))
        #expect(catalog[RenditionKey("a-aac-en")]?.upstreamURL == "https://origin/live/a/en.m3u8?t=1%2F2")
        #expect(catalog[RenditionKey("v1")]?.upstreamURL == "https://cdn.example/v/720.m3u8")
        #expect(catalog[RenditionKey("v1")]?.hasSeparateAudio == true)
        #expect(catalog[RenditionKey("v0")]?.isAudioOnlyVariant == true)
    }

    @Test
    func
        `variants and renditions are ours, all else is absolute, I-frames too, and steering goes (rules 1106, 1109, 1210)`()
        throws
    {
        let bytes = try Self.catalog().multivariantPlaylist(isStitched: true) { "\($0).m3u8" }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.contains("v0.m3u8"))
        #expect(lines.contains("v1.m3u8"))
        #expect(lines.contains { $0.contains("URI=\"a-aac-en-2.m3u8\"") })
        #expect(lines.contains { $0.contains("URI=\"https://origin/live/x/data.json\"") })
        #expect(lines.contains { $0.contains("URI=\"skd://k\"") })
        #expect(lines.contains { $0.contains("STABLE-VARIANT-ID=\"audio\"") })
        #expect(lines.contains { $0.contains("I-FRAME-STREAM-INF") && $0.contains("URI=\"i0.m3u8\"") })
        #expect(!lines.contains { $0.contains("CONTENT-STEERING") })
        _ = try MultivariantPlaylist(parsing: bytes)
    }

    @Test func `thousands of variants and renditions of one group and name are read in linear time`() throws {
        var text = "#EXTM3U\n"
        for index in 0..<8_000 {
            text += "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\",URI=\"a\(index)\"\n"
            text += "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.1,mp4a.40.2\",AUDIO=\"g\"\nv\(index)\n"
        }
        let catalog = SourceCatalog(try MultivariantPlaylist(parsing: Array(text.utf8)), url: "https://o/m.m3u8")
        #expect(catalog.renditions.count == 16_000)
        #expect(catalog.renditions.last?.key == RenditionKey("a-g-n-8000"))
        #expect(catalog.renditions.last?.codecs == ["mp4a.40.2"])
        #expect(catalog.renditions.first?.hasSeparateAudio == true)
    }

    @Test func `without ads only the addresses differ`() throws {
        let bytes = try Self.catalog().multivariantPlaylist(isStitched: false) { "\($0).m3u8" }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.count == Self.text.split(separator: "\n").count)
        #expect(lines.contains("#EXT-X-CONTENT-STEERING:SERVER-URI=\"https://origin/steer\",PATHWAY-ID=\"A\""))
        #expect(lines.contains("#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=90000,URI=\"i0.m3u8\""))
    }

    @Test func `the nearest lower bandwidth is taken, ties by resolution, codecs first (R31)`() throws {
        func rendition(_ bandwidth: Int, _ height: Int, _ codec: String) -> AdRendition {
            AdRendition(
                description: MediaRendition(
                    key: RenditionKey("v"), kind: .variant, upstreamURL: "", bandwidth: bandwidth,
                    resolution: Resolution(width: height, height: height), codecs: [codec, "mp4a.40.2"]),
                container: .selfInitializing, entries: [])
        }
        let matcher = RenditionMatcher(
            AdMedia(
                id: "a",
                renditions: [
                    rendition(500, 360, "avc1"), rendition(1000, 480, "avc1"), rendition(1000, 720, "avc1"),
                    rendition(3000, 1080, "avc1"), rendition(1400, 720, "hvc1"),
                ]))
        func match(_ bandwidth: Int, _ height: Int, _ codec: String) throws -> AdMatch? {
            let content = MediaRendition(
                key: RenditionKey("c"), kind: .variant, upstreamURL: "", bandwidth: bandwidth,
                resolution: Resolution(width: height, height: height), codecs: [codec, "mp4a.40.2"])
            return try matcher.matches(
                for: [.init(rendition: content, container: nil)], container: .selfInitializing)[RenditionKey("c")]
        }
        #expect(try match(1500, 720, "avc1.4d401f") == .rendition(2))
        #expect(try match(1500, 480, "avc1.4d401f") == .rendition(1))
        #expect(try match(100, 240, "avc1.4d401f") == .rendition(0))
        #expect(try match(9000, 2160, "avc3.4d401f") == .rendition(3))
        #expect(try match(1500, 720, "hvc1.1.6") == .rendition(4))
    }

    @Test func `never an ad of another video codec where both are said (rules 705, 1110)`() throws {
        let content = [
            RenditionMatcher.Content(
                rendition: MediaRendition(
                    key: RenditionKey("v0"), kind: .variant, upstreamURL: "", codecs: ["avc1.42c01e", "mp4a.40.2"]),
                container: .selfInitializing)
        ]
        func match(_ codecs: [String]) throws -> AdMatch? {
            let description = MediaRendition(key: RenditionKey("a"), kind: .variant, upstreamURL: "", codecs: codecs)
            let rendition = AdRendition(description: description, container: .selfInitializing, entries: [])
            return try RenditionMatcher(AdMedia(id: "ad", renditions: [rendition]))
                .matches(for: content, container: .selfInitializing)[RenditionKey("v0")]
        }
        #expect(throws: RenditionMatcher.Mismatch.videoCodec(RenditionKey("v0"))) {
            try match(["hvc1.1.6.L93.B0", "mp4a.40.2"])
        }
        #expect(try match(["avc3.64001f", "mp4a.40.2"]) == .rendition(0))
        #expect(try match([]) == .rendition(0))
    }

    @Test func `never TS in fMP4, and never an ad without audio in muxed content (rules 705, item 14)`() throws {
        let content = [
            RenditionMatcher.Content(
                rendition: MediaRendition(key: RenditionKey("v0"), kind: .variant, upstreamURL: ""),
                container: .fragmentedMP4)
        ]
        let ts = try TestAd.muxed("ts", ["6.000"])
        #expect(throws: RenditionMatcher.Mismatch.container(RenditionKey("v0"))) {
            try RenditionMatcher(ts.media).matches(for: content, container: .fragmentedMP4)
        }
        let silent = AdMedia(
            id: "silent",
            renditions: [
                AdRendition(
                    description: MediaRendition(
                        key: RenditionKey("v0"), kind: .variant, upstreamURL: "", codecs: ["avc1.4d401f"]),
                    container: .fragmentedMP4, entries: [])
            ])
        #expect(throws: RenditionMatcher.Mismatch.adWithoutAudio) {
            try RenditionMatcher(silent).matches(for: content, container: .fragmentedMP4)
        }
    }
}
