import FoundationEssentials
import HLS
import Testing

@testable import Conditioning

@Suite(.enabled(if: MediaWorkshop.tools != nil, "ffmpeg is not installed"))
struct ConditionerTests {
    private let workshop: MediaWorkshop

    init() throws { workshop = try MediaWorkshop() }

    private func segments(_ folder: String) throws -> (files: [String], playlist: MediaPlaylist) {
        let data = try #require(FileManager.default.contents(atPath: "\(folder)/index.m3u8"))
        let playlist = try MediaPlaylist(parsing: [UInt8](data))
        return (playlist.segments.map { "\(folder)/\(playlist.text($0.uri))" }, playlist)
    }

    /// Asserts that sound goes on without a gap from the first picture to the end of the last one, and ends with it.
    private func expectSeamless(_ video: [MediaWorkshop.Packet], _ audio: [MediaWorkshop.Packet], frame: Double) throws
    {
        let first = try #require(video.first)
        let last = try #require(video.last)
        #expect(abs(try #require(audio.first).start - first.start) < 0.001)
        for (one, next) in zip(audio, audio.dropFirst()) { #expect(abs(next.start - one.start - frame) < 0.001) }
        let end = try #require(audio.last).start + frame
        let over = end - (last.start + last.duration)
        #expect(over > -0.001 && over < frame + 0.001)
    }

    @Test func `a file becomes muxed transport streams that begin with key frames and end together`() async throws {
        let source = try workshop.clip("ad.mp4")
        let bench = ConditionerBench(workshop)
        var ladder = EncodingPlanTests.ladder(["25/1", "25/1"])
        ladder.outputs[1].video?.width = 160
        ladder.outputs[1].video?.height = 90
        ladder.outputs[1].video?.profile = .baseline
        ladder.outputs[1].video?.level = 13
        #expect(await bench.make([source], ladder) == nil)
        #expect(await bench.conditioner.request(bench.request([source], ladder)) == .ready)
        for (output, width) in [("v0", 640), ("v1", 160)] {
            let (files, playlist) = try segments(bench.folder(output, of: [source], ladder))
            #expect(files.count == 3)
            #expect(playlist.hasEndList)
            var video: [MediaWorkshop.Packet] = []
            var audio: [MediaWorkshop.Packet] = []
            for file in files {
                let packets = try workshop.packets(file)
                #expect(packets["video"]?.first?.isKey == true)
                video += try #require(packets["video"])
                audio += try #require(packets["audio"])
            }
            #expect(video.count == 108)
            try expectSeamless(video, audio, frame: 1_024.0 / 48_000)
            let streams = try workshop.streams(try #require(files.first))
            #expect(streams.video?.width == width && streams.video?.codec == "h264")
            #expect(streams.audio?.sampleRate == 48_000 && streams.audio?.channels == 2)
            if width == 160 {
                #expect(streams.video?.profile?.contains("Baseline") == true)
                #expect(streams.video?.level == 13)
            }
        }
    }

    @Test func `a file without sound becomes fragments with separate silence`() async throws {
        let source = try workshop.clip(
            "ad.webm", video: "testsrc2=s=320x180:r=30000/1001:d=5", audio: nil,
            ["-c:v", "libvpx", "-deadline", "realtime"])
        let bench = ConditionerBench(workshop)
        let ladder = ConditioningLadder(
            container: .fragmentedMP4, longestSegment: .seconds(2),
            outputs: [
                .init(name: "v0", video: EncodingPlanTests.video("30000/1001"), audio: nil),
                .init(name: "a0", video: nil, audio: EncodingPlanTests.stereo),
            ])
        #expect(await bench.make([source], ladder) == nil)
        var all: [String: [MediaWorkshop.Packet]] = [:]
        for output in ["v0", "a0"] {
            let folder = bench.folder(output, of: [source], ladder)
            let (files, playlist) = try segments(folder)
            #expect(files.count == 3)
            #expect(playlist.maps.count == 1)
            let head = try #require(FileManager.default.contents(atPath: "\(folder)/init.mp4"))
            for file in files {
                let joined = head + (try #require(FileManager.default.contents(atPath: file)))
                let whole = "\(workshop.folder.path)/whole.mp4"
                #expect(FileManager.default.createFile(atPath: whole, contents: joined))
                let packets = try workshop.packets(whole)
                #expect(packets.count == 1)
                for (type, more) in packets {
                    #expect(more.first?.isKey == true)
                    all[type, default: []] += more
                }
            }
        }
        let video = try #require(all["video"])
        #expect(video.count == 150)
        try expectSeamless(video, try #require(all["audio"]), frame: 1_024.0 / 48_000)
    }

    @Test func `sound alone is shown with black`() async throws {
        let source = try workshop.clip("ad.mp3", video: nil, audio: "sine=440:r=44100:d=3", ["-c:a", "libmp3lame"])
        let bench = ConditionerBench(workshop)
        let ladder = EncodingPlanTests.ladder()
        #expect(await bench.make([source], ladder) == nil)
        let (files, _) = try segments(bench.folder("v0", of: [source], ladder))
        let streams = try workshop.streams(try #require(files.first))
        #expect(streams.video?.width == 640 && streams.audio != nil)
    }

    @Test(arguments: [AudioFormat.Codec.ac3, .eac3])
    func `other sound codecs begin and end with the pictures, too`(codec: AudioFormat.Codec) async throws {
        let source = try workshop.clip("ad.mov")
        let bench = ConditionerBench(workshop)
        var ladder = EncodingPlanTests.ladder()
        ladder.outputs[0].audio = AudioFormat(codec: codec, sampleRate: 48_000, channels: 6, bitRate: 384_000)
        #expect(await bench.make([source], ladder) == nil)
        let (files, _) = try segments(bench.folder("v0", of: [source], ladder))
        let packets = try files.map { try workshop.packets($0) }
        try expectSeamless(
            packets.flatMap { $0["video"] ?? [] }, packets.flatMap { $0["audio"] ?? [] }, frame: 1_536.0 / 48_000)
    }

    @Test func `a loud file is brought to the loudness that is wanted`() async throws {
        let source = try workshop.clip("ad.mp4", audio: "sine=1000:r=48000:d=4.3,volume=10dB")
        let bench = ConditionerBench(workshop)
        var ladder = EncodingPlanTests.ladder(longest: .seconds(6))
        ladder.loudness = -30
        #expect(await bench.make([source], ladder) == nil)
        let (files, _) = try segments(bench.folder("v0", of: [source], ladder))
        let measured = ChildProgram(
            workshop.tools.ffmpeg,
            [
                "-nostdin", "-hide_banner", "-i", try #require(files.first), "-vn", "-af", "ebur128=framelog=verbose",
                "-f", "null", "-",
            ],
            in: workshop.folder.path, timeLimit: .seconds(60)
        ).run()
        let found = try #require(LoudnessSummary(String(decoding: measured.errors, as: UTF8.self)))
        #expect(abs(found.integrated + 3_000) < 100)
    }

    @Test func `a list of files that calls itself a video opens none of them`() async throws {
        try workshop.folder.write("a secret", to: "secret.ts")
        let disguises = [
            "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n\(workshop.folder.path)/secret.ts\n#EXT-X-ENDLIST\n",
            "ffconcat version 1.0\nfile \(workshop.folder.path)/secret.ts\n", "no video at all", "",
        ]
        for (index, text) in disguises.enumerated() {
            try workshop.folder.write(text, to: "ad\(index).mp4")
            let bench = ConditionerBench(workshop)
            let failure = await bench.make(["\(workshop.folder.path)/ad\(index).mp4"], EncodingPlanTests.ladder())
            #expect(failure?.kind == .unusable)
            #expect(bench.store.count == 0)
        }
    }

    @Test func `the next file is taken where one cannot be used, and nothing half made is left`() async throws {
        try workshop.folder.write("no video at all", to: "bad.mp4")
        let sources = [
            "\(workshop.folder.path)/gone.mp4", "\(workshop.folder.path)/bad.mp4", try workshop.clip("ad.mp4"),
        ]
        let bench = ConditionerBench(workshop)
        #expect(await bench.make(sources, EncodingPlanTests.ladder()) == nil)
        #expect(workshop.folder.files(in: "store/unfinished").allSatisfy { $0.hasSuffix("/lock") })
        #expect(!workshop.folder.files(in: "store/ready").contains { $0.hasSuffix("/source") })
    }

    @Test func `a failure is remembered and answered without another try`() async throws {
        let bench = ConditionerBench(workshop)
        let sources = ["\(workshop.folder.path)/gone.mp4"]
        let failure = await bench.make(sources, EncodingPlanTests.ladder())
        #expect(failure?.kind == .notFound)
        _ = try workshop.clip("gone.mp4")
        let answer = await bench.conditioner.request(bench.request(sources, EncodingPlanTests.ladder()))
        #expect(answer == .failed(try #require(failure)))
    }

    @Test func `a job that takes too long is ended`() async throws {
        let source = try workshop.clip("ad.mp4")
        let bench = ConditionerBench(workshop) { $0.timeLimit = .milliseconds(1) }
        #expect(await bench.make([source], EncodingPlanTests.ladder())?.kind == .timeout)
    }

    @Test func `a large file is refused, and nothing begins once the server stops`() async throws {
        let source = try workshop.clip("ad.mp4")
        let bench = ConditionerBench(workshop) { $0.sourceBytes = 100 }
        #expect(await bench.make([source], EncodingPlanTests.ladder())?.kind == .unusable)
        await bench.conditioner.stop()
        #expect(await bench.conditioner.request(bench.request(["other"], EncodingPlanTests.ladder())) == .full)
    }
}
