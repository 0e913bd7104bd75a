import Conditioning
import HLS
import Stitching
import Testing

@testable import Server

@Suite struct SourceLadderTests {
    private func catalog(_ lines: String...) throws -> SourceCatalog {
        let text = "#EXTM3U\n" + lines.joined(separator: "\n") + "\n"
        return SourceCatalog(try MultivariantPlaylist(parsing: Array(text.utf8)), url: "http://o/master.m3u8")
    }

    private func ladder(
        _ catalog: SourceCatalog, _ container: Container = .selfInitializing,
        probed: [RenditionKey: ProbedMedia] = [:], target: Duration = .seconds(4)
    ) throws -> SourceLadder {
        try SourceLadder(
            catalog.renditions, container: container, targetDuration: target, probed: probed, loudness: nil)
    }

    private func probed(_ lines: String...) -> ProbedMedia {
        ProbedMedia(flat: Array(lines.joined(separator: "\n").utf8))
    }

    private static let muxed = "CODECS=\"avc1.4d401f,mp4a.40.2\""

    @Test func `muxed variants become muxed outputs like them`() throws {
        let made = try ladder(
            catalog(
                "#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,FRAME-RATE=29.970,\(Self.muxed)", "v0.m3u8",
                "#EXT-X-STREAM-INF:BANDWIDTH=400000,RESOLUTION=640x360,FRAME-RATE=29.970,CODECS=\"avc1.42c01e,mp4a.40.2\"",
                "v1.m3u8"))
        #expect(made.ladder.container == .transportStream)
        #expect(made.ladder.longestSegment == .seconds(4))
        #expect(made.ladder.outputs.map(\.name) == ["v0", "v1"])
        let first = try #require(made.ladder.outputs.first)
        #expect(first.video?.profile == .main && first.video?.level == 31)
        #expect(first.video?.width == 1_280 && first.video?.height == 720)
        #expect(first.video?.frameRate == FrameRate("30000/1001"))
        #expect(first.audio == AudioFormat(codec: .aac, sampleRate: 48_000, channels: 2, bitRate: 128_000))
        #expect(made.ladder.outputs[1].video?.profile == .baseline)
        #expect(made.ladder.outputs[1].audio?.bitRate == 80_000)
        #expect(made.descriptions["v1"]?.bandwidth == 400_000)
    }

    @Test func `separate sound is made once for each format`() throws {
        let made = try ladder(
            catalog(
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"E\",LANGUAGE=\"en\",DEFAULT=YES,URI=\"en.m3u8\"",
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"F\",LANGUAGE=\"fr\",URI=\"fr.m3u8\"",
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"b\",NAME=\"E\",LANGUAGE=\"en\",URI=\"ac3.m3u8\"",
                "#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,\(Self.muxed),AUDIO=\"a\"", "v0.m3u8",
                "#EXT-X-STREAM-INF:BANDWIDTH=2300000,RESOLUTION=1280x720,CODECS=\"avc1.4d401f,ac-3\",AUDIO=\"b\"",
                "v0.m3u8"), .fragmentedMP4)
        #expect(made.ladder.container == .fragmentedMP4)
        #expect(made.ladder.outputs.map(\.name) == ["v0", "a-a-en", "a-b-en"])
        #expect(made.ladder.outputs[0].audio == nil)
        #expect(made.ladder.outputs[1].audio?.codec == .aac && made.ladder.outputs[1].video == nil)
        #expect(made.ladder.outputs[2].audio?.codec == .ac3)
        #expect(made.descriptions["v0"]?.hasSeparateAudio == true)
        #expect(made.descriptions["v0"]?.codecs == ["avc1.4d401f"])
    }

    @Test func `what the media are stands above what the playlist says`() throws {
        let media = probed(
            "streams.stream.0.index=0", "streams.stream.0.codec_type=\"video\"", "streams.stream.0.codec_name=\"h264\"",
            "streams.stream.0.profile=\"High\"", "streams.stream.0.level=40", "streams.stream.0.width=1920",
            "streams.stream.0.height=1080", "streams.stream.0.r_frame_rate=\"50/1\"", "streams.stream.1.index=1",
            "streams.stream.1.codec_type=\"audio\"", "streams.stream.1.codec_name=\"aac\"",
            "streams.stream.1.sample_rate=\"44100\"", "streams.stream.1.channels=1")
        let made = try ladder(
            catalog("#EXT-X-STREAM-INF:BANDWIDTH=5000000", "v0.m3u8"), probed: [RenditionKey("v0"): media])
        let output = try #require(made.ladder.outputs.first)
        #expect(output.video?.width == 1_920 && output.video?.profile == .high && output.video?.level == 40)
        #expect(output.video?.frameRate == FrameRate("50/1"))
        #expect(output.audio?.sampleRate == 44_100 && output.audio?.channels == 1)
        #expect(made.descriptions["v0"]?.codecs == ["avc1", "mp4a.40.2"])
    }

    @Test func `sound alone stays sound alone, and long segments are not copied`() throws {
        let made = try ladder(
            catalog(
                "#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,\(Self.muxed)", "v0.m3u8",
                "#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS=\"mp4a.40.5\"", "a.m3u8"), target: .seconds(10))
        #expect(made.ladder.outputs.map { $0.video == nil } == [false, true])
        #expect(made.ladder.longestSegment == .seconds(6))
    }

    @Test(arguments: [
        ("av01.0.05M.08,mp4a.40.2", "av01 in transport streams"), ("avc1.4d401f,opus", "opus in transport streams"),
        ("dvh1.05.06,mp4a.40.2", "Dolby Vision (dvh1.05.06)"), ("avc1.4d401f,ac-4", "audio codec ac-4"),
        ("mp4v.20.9,mp4a.40.2", "video codec mp4v"), ("avc1.4d401f,flac", "audio codec flac"),
    ])
    func `codecs that nothing is made in are told`(codecs: String, reason: String) throws {
        let catalog = try catalog(
            "#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,CODECS=\"\(codecs)\"", "v0.m3u8")
        let failure = #expect(throws: ConditioningFailure.self) { try ladder(catalog) }
        #expect(failure?.kind == .unsupported)
        #expect(failure?.reason.contains(reason) == true, "\(failure?.reason ?? "")")
    }

    @Test func `newer codecs, more light and other shapes of points are taken over`() throws {
        let made = try ladder(
            catalog(
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"o\",NAME=\"E\",URI=\"o.m3u8\"",
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"m\",NAME=\"E\",URI=\"m.m3u8\"",
                "#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,VIDEO-RANGE=PQ,CODECS=\"av01.0.05M.10,opus\",AUDIO=\"o\"",
                "v0.m3u8",
                "#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=1280x720,CODECS=\"hvc1.1.6.L93.B0,mp4a.40.34\",AUDIO=\"m\"",
                "v1.m3u8"), .fragmentedMP4,
            probed: [
                RenditionKey("v1"): probed(
                    "streams.stream.0.index=0", "streams.stream.0.codec_type=\"video\"",
                    "streams.stream.0.codec_name=\"hevc\"", "streams.stream.0.width=720", "streams.stream.0.height=576",
                    "streams.stream.0.sample_aspect_ratio=\"64:45\"",
                    "streams.stream.0.color_transfer=\"arib-std-b67\"")
            ])
        let videos = made.ladder.outputs.compactMap(\.video)
        #expect(videos.map(\.codec) == [.av1, .hevc])
        #expect(videos.map(\.range) == [.perceptualQuantizer, .hybridLogGamma])
        #expect(videos.map(\.bitDepth) == [10, 10] && videos[1].profile == .main10)
        #expect(videos[1].pixelAspect == PixelAspect("64:45") && videos[0].pixelAspect == .square)
        #expect(made.ladder.outputs.compactMap(\.audio).map(\.codec) == [.opus, .mp3])
        #expect(made.descriptions["v1"]?.videoRange == "HLG" && made.descriptions["v0"]?.videoRange == "PQ")
    }

    @Test func `nothing is guessed of a size that nobody tells`() throws {
        let catalog = try catalog("#EXT-X-STREAM-INF:BANDWIDTH=2000000", "v0.m3u8")
        let failure = #expect(throws: ConditioningFailure.self) { try ladder(catalog) }
        #expect(failure?.kind == .machine)
    }

    private static let codecs: [(String, VideoFormat.Codec, VideoFormat.Profile, Int?)] = [
        ("avc1.64001f", .h264, .high, 31), ("avc1.42c01e", .h264, .baseline, 30), ("avc1.4d4028", .h264, .main, 40),
        ("hvc1.1.6.L93.B0", .hevc, .main, 31), ("hvc1.2.4.L120.B0", .hevc, .main10, 40), ("avc1", .h264, .high, nil),
        ("avc1.zzzzzz", .h264, .high, nil), ("hvc1.1.6.L.B0", .hevc, .main, nil),
    ]

    @Test(arguments: codecs)
    func `CODECS tell profile and level`(
        text: String, codec: VideoFormat.Codec, profile: VideoFormat.Profile, level: Int?
    ) {
        let traits = VideoCodecTraits(text)
        #expect(traits.profile(codec) == profile)
        #expect(traits.level == level)
    }
}
