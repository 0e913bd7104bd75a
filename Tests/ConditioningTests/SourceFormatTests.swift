import FoundationEssentials
import HLS
import Testing

@testable import Conditioning

/// What becomes of the many kinds of files that ads come in, and into how many kinds of channels they are made.
@Suite(.enabled(if: MediaWorkshop.tools != nil, "ffmpeg is not installed"))
struct SourceFormatTests {
    private let workshop: MediaWorkshop
    private let bench: ConditionerBench

    init() throws {
        workshop = try MediaWorkshop()
        bench = ConditionerBench(workshop)
    }

    /// One output of pictures alone, in fragments.
    private func ladder(
        _ codec: VideoFormat.Codec = .h264, width: Int = 64, height: Int = 36,
        _ change: (inout VideoFormat) -> Void = { _ in }
    ) -> ConditioningLadder {
        var video = EncodingPlanTests.video(width: width, height: height)
        video?.codec = codec
        video?.level = nil
        if var made = video {
            change(&made)
            video = made
        }
        return ConditioningLadder(
            container: .fragmentedMP4, longestSegment: .seconds(2),
            outputs: [.init(name: "v0", video: video, audio: nil)])
    }

    /// A file of all that an output holds.
    private func whole(_ output: String, of sources: [String], _ ladder: ConditioningLadder) throws -> String {
        let folder = bench.folder(output, of: sources, ladder)
        let playlist = try MediaPlaylist(
            parsing: [UInt8](try #require(FileManager.default.contents(atPath: "\(folder)/index.m3u8"))))
        var bytes = Data()
        for map in playlist.maps {
            bytes += try #require(FileManager.default.contents(atPath: "\(folder)/\(playlist.text(map.uri))"))
        }
        for segment in playlist.segments {
            bytes += try #require(FileManager.default.contents(atPath: "\(folder)/\(playlist.text(segment.uri))"))
        }
        let path = "\(workshop.folder.path)/whole-\(output).\(ladder.container == .fragmentedMP4 ? "mp4" : "ts")"
        try #require(FileManager.default.createFile(atPath: path, contents: bytes))
        return path
    }

    /// The first picture of what was made of a file, and what is known of it.
    private func picture(
        _ source: String, _ ladder: ConditioningLadder, at seconds: Double = 0
    ) async throws -> (light: [UInt8], stream: ProbedMedia.Stream) {
        let failure = await bench.make([source], ladder)
        try #require(failure == nil, "\(failure?.reason ?? "")")
        let file = try whole("v0", of: [source], ladder)
        let video = try #require(ladder.outputs[0].video)
        return (
            try workshop.light(file, at: seconds, width: video.width, height: video.height),
            try #require(try workshop.streams(file).video)
        )
    }

    private static let quick = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]

    // MARK: Channels

    @Test(arguments: [VideoFormat.Codec.av1, .vp9, .hevc], [8, 10])
    func `channels of newer codecs get ads of theirs`(codec: VideoFormat.Codec, bits: Int) async throws {
        let source = try workshop.clip("ad.mp4", audio: nil)
        let ladder = ladder(codec, width: 128, height: 72) {
            $0.bitDepth = bits
            if codec == .hevc, bits == 10 { $0.profile = .main10 }
        }
        let made = try await picture(source, ladder)
        #expect(made.stream.codec == codec.rawValue)
        #expect(made.stream.bitDepth == bits)
        let packets = try #require(try workshop.packets(try whole("v0", of: [source], ladder))["video"])
        #expect(packets.count == 108)
        #expect(packets.filter(\.isKey).count >= 3)
        #expect(packets.map(\.start) == packets.map(\.start).sorted())
    }

    @Test(arguments: [(AudioFormat.Codec.opus, 960, "m4s"), (.mp3, 1_152, "ts"), (.mp3, 1_152, "m4s")])
    func `sound of other codecs ends with the pictures`(
        codec: AudioFormat.Codec, frame: Int, container: String
    ) async throws {
        let source = try workshop.clip("ad.mov")
        let audio = AudioFormat(codec: codec, sampleRate: 48_000, channels: 2, bitRate: 96_000)
        let ladder = ConditioningLadder(
            container: try #require(.init(rawValue: container)), longestSegment: .seconds(2),
            outputs: [.init(name: "a0", video: nil, audio: audio)])
        let failure = await bench.make([source], ladder)
        try #require(failure == nil, "\(failure?.reason ?? "")")
        let file = try whole("a0", of: [source], ladder)
        let packets = try #require(try workshop.packets(file)["audio"])
        #expect(try workshop.streams(file).audio?.codec == codec.rawValue)
        let first = try #require(packets.first), last = try #require(packets.last)
        let one = Double(frame) / 48_000
        let length = last.start - first.start + one
        #expect(abs(length - 4.3) < one)
    }

    @Test func `a channel of narrow points gets pictures of the right shape`() async throws {
        // A ball of 16:9 in a channel of 4:3 storage for 16:9 display: no bars.
        let source = try workshop.clip("ad.mp4", video: "color=white:s=320x180:r=25:d=1", audio: nil, Self.quick)
        let made = try await picture(
            source, ladder(width: 72, height: 54) { $0.pixelAspect = PixelAspect("4:3") ?? .square })
        #expect(made.stream.pixelAspect == PixelAspect("4:3"))
        #expect(made.light.allSatisfy { $0 > 225 })
    }

    // MARK: Files

    @Test func `a file of wide points, one that lies on its side and one of another shape keep their shape`()
        async throws
    {
        let wide = try workshop.clip(
            "wide.mp4", video: "color=white:s=180x144:r=25:d=1,setsar=64/45", audio: nil, Self.quick)
        #expect(try await picture(wide, ladder()).light.allSatisfy { $0 > 225 })
        let plain = try workshop.clip("plain.mp4", video: "color=white:s=180x320:r=25:d=1", audio: nil, Self.quick)
        let turned = "\(workshop.folder.path)/turned.mp4"
        _ = ChildProgram(
            workshop.tools.ffmpeg,
            ["-nostdin", "-v", "error", "-display_rotation:v:0", "90", "-i", plain, "-c", "copy", turned],
            in: workshop.folder.path, timeLimit: .seconds(20)
        ).run()
        if !FileManager.default.fileExists(atPath: turned) {
            // Older versions write it as a tag of the stream.
            _ = ChildProgram(
                workshop.tools.ffmpeg,
                ["-nostdin", "-v", "error", "-i", plain, "-c", "copy", "-metadata:s:v:0", "rotate=90", turned],
                in: workshop.folder.path, timeLimit: .seconds(20)
            ).run()
        }
        #expect(try await picture(turned, ladder()).light.allSatisfy { $0 > 225 })
        let upright = try await picture(plain, ladder()).light
        // 20 of 64 columns are the picture, the rest bars.
        #expect(upright[18 * 64 + 32] > 225 && upright[18 * 64 + 10] < 20 && upright[18 * 64 + 54] < 20)
    }

    @Test(arguments: ["webm", "mov"])
    func `what can be seen through lies upon black`(kind: String) async throws {
        let halves = "color=white:s=64x36:r=25:d=1,format=yuva444p,geq=lum=235:cb=128:cr=128:a='255*lt(X,32)'"
        let encoder =
            kind == "webm"
            ? ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-pix_fmt", "yuva420p"]
            : ["-c:v", "prores_ks", "-profile:v", "4444", "-pix_fmt", "yuva444p10le"]
        let source = try workshop.clip("ad.\(kind)", video: halves, audio: nil, encoder)
        let light = try await picture(source, ladder()).light
        #expect(light[18 * 64 + 10] > 225 && light[18 * 64 + 54] < 30)
    }

    private static let towards = [
        ("zscale=p=bt2020:t=smpte2084:m=bt2020nc:r=tv:npl=203", DynamicRange.perceptualQuantizer, 573 / 4),
        ("zscale=p=bt2020:t=arib-std-b67:m=bt2020nc:r=tv:npl=203", .hybridLogGamma, 721 / 4),
    ]

    /// White of SDR is at 203 cd/m² in HDR: ITU-R BT.2408 §2.1.
    @Test(arguments: towards)
    func `light is brought to the channel's range`(filter: String, range: DynamicRange, white: Int) async throws {
        let plain = "color=white:s=64x36:r=25:d=1,format=yuv420p,geq=lum=235:cb=128:cr=128"
        let linear = "zscale=tin=bt709:min=bt709:pin=bt709:rin=tv:t=linear:p=bt709,format=gbrpf32le"
        let sdr = try workshop.clip("sdr.mp4", video: plain, audio: nil, Self.quick)
        let hdr = try workshop.clip(
            "hdr.mp4", video: "\(plain),\(linear),\(filter),format=yuv420p10le", audio: nil,
            [
                "-c:v", "libx265", "-x265-params", "log-level=error", "-color_primaries", "bt2020", "-colorspace",
                "bt2020nc", "-color_trc", range == .perceptualQuantizer ? "smpte2084" : "arib-std-b67",
            ])
        let bright = ladder(.hevc) {
            $0.range = range
            $0.bitDepth = 10
            $0.profile = .main10
        }
        for source in [sdr, hdr] {
            let made = try await picture(source, bright)
            #expect(made.stream.range == range && made.stream.primaries == "bt2020")
            #expect(abs(Int(made.light[18 * 64 + 32]) - white) <= 2)
        }
        let dark = try await picture(hdr, ladder())
        #expect(dark.stream.range == .standard && dark.stream.matrix == "bt709")
        // White is left below the lights that are brighter than it.
        #expect((200...235).contains(dark.light[18 * 64 + 32]))
    }

    @Test func `fields become pictures of their own where the channel shows as many`() async throws {
        let source = try workshop.clip(
            "ad.ts", video: "testsrc2=s=320x180:r=50:d=2,tinterlace=interleave_top,fieldorder=tff", audio: nil,
            ["-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-b:v", "2M"])
        let fast = ladder(width: 320, height: 180) { $0.frameRate = FrameRate("50/1") ?? $0.frameRate }
        let made = try await picture(source, fast, at: 1)
        let next = try workshop.light(try whole("v0", of: [source], fast), at: 1.02, width: 320, height: 180)
        #expect(zip(made.light, next).contains { abs(Int($0) - Int($1)) > 40 })
    }

    @Test func `a file that was cut off is not shown half`() async throws {
        let source = try workshop.clip(
            "ad.mp4", video: "testsrc2=s=320x180:r=25:d=10", audio: "sine=440:d=10",
            Self.quick + ["-c:a", "aac", "-movflags", "+faststart"])
        let bytes = try #require(FileManager.default.contents(atPath: source))
        let half = "\(workshop.folder.path)/half.mp4"
        try #require(FileManager.default.createFile(atPath: half, contents: bytes.prefix(bytes.count / 2)))
        let failure = await bench.make([half], ladder())
        #expect(failure?.kind == .unusable && failure?.reason.contains("ends after") == true)
    }

    @Test func `a file of another rate in each second, and one that does not tell its length, are made whole`()
        async throws
    {
        let uneven = try workshop.clip(
            "uneven.mp4", video: "testsrc2=s=320x180:r=60:d=4,select='lt(t,1)+not(mod(n,7))'", audio: "sine=440:d=4",
            Self.quick + ["-fps_mode", "vfr", "-c:a", "aac"])
        let ladder = ladder()
        #expect(await bench.make([uneven], ladder) == nil)
        #expect(try workshop.packets(try whole("v0", of: [uneven], ladder))["video"]?.count == 100)
        let endless = try workshop.clip(
            "endless.webm", video: "testsrc2=s=320x180:r=25:d=3", audio: nil,
            ["-c:v", "libvpx", "-deadline", "realtime", "-live", "1"])
        #expect(await bench.make([endless], ladder) == nil)
        #expect(try workshop.packets(try whole("v0", of: [endless], ladder))["video"]?.count == 75)
    }

    @Test func `pictures and sound of two files begin and end together`() async throws {
        let pictures = try workshop.clip("v.mp4", video: "testsrc2=s=320x180:r=25:d=3", audio: nil, Self.quick)
        let sound = try workshop.clip("a.mp4", video: nil, audio: "sine=440:d=3", ["-c:a", "aac"])
        let ladder = EncodingPlanTests.ladder()
        let sources = ["\(pictures)+\(sound)"]
        #expect(await bench.make(sources, ladder) == nil)
        let packets = try workshop.packets(try whole("v0", of: sources, ladder))
        #expect(packets["video"]?.count == 75)
        let audio = try #require(packets["audio"])
        // 3 s are 140.6 frames.
        #expect((140...141).contains(audio.count))
    }

    @Test func `a bomb of streams or of points costs nothing`() async throws {
        let many = (0..<80).flatMap { _ in ["-map", "1:a"] }
        let streams = try workshop.clip(
            "many.mkv", video: "color=s=64x64:r=25:d=1", audio: "sine=440:d=1", ["-map", "0:v"] + many)
        _ = await bench.make([streams], ladder())
        let huge = try workshop.clip(
            "huge.mkv", video: "color=s=16384x8192:r=1:d=1", audio: nil, ["-c:v", "png", "-frames:v", "1"])
        let failure = await bench.make([huge], ladder())
        #expect(failure?.kind == .unusable)
    }
}
