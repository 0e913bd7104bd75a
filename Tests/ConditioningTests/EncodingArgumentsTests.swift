import Testing

@testable import Conditioning

@Suite struct EncodingArgumentsTests {
    private func arguments(_ ladder: ConditioningLadder, _ media: ProbedMedia, gain: Int = 0) throws -> [String] {
        EncodingArguments.encode(try EncodingPlan(media, ladder), gain: gain, threads: 1)
    }

    private func value(_ name: String, in arguments: [String]) -> String? {
        arguments.firstIndex(of: name).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
    }

    @Test func `nothing but the file itself may be opened, and not as a list of files`() throws {
        let all = [
            EncodingArguments.probe("source"), EncodingArguments.measure(0, of: .main),
            try #require(
                EncodingArguments.loudness(of: EncodingPlan(EncodingPlanTests.media(), EncodingPlanTests.ladder()))),
            try arguments(EncodingPlanTests.ladder(), EncodingPlanTests.media()),
        ]
        for arguments in all {
            #expect(value("-protocol_whitelist", in: arguments) == "file")
            let formats = try #require(value("-format_whitelist", in: arguments)).split(separator: ",")
            #expect(!formats.contains { ["hls", "concat", "dash", "lavfi", "image2", "sdp"].contains($0) })
            let input = try #require(arguments.firstIndex(of: "-i"))
            let guarded = try #require(arguments.firstIndex(of: "-protocol_whitelist"))
            #expect(guarded < input)
            #expect(!arguments.contains { $0.contains("://") })
        }
    }

    @Test func `every segment begins with a key frame that was asked for`() throws {
        let arguments = try arguments(EncodingPlanTests.ladder(), EncodingPlanTests.media())
        #expect(value("-g", in: arguments) == "46")
        #expect(value("-keyint_min", in: arguments) == "46")
        #expect(value("-sc_threshold", in: arguments) == "0")
        #expect(value("-hls_time", in: arguments) == "1.839000")
        #expect(value("-profile:v", in: arguments) == "main")
        #expect(value("-level:v", in: arguments) == "30")
    }

    @Test func `black and silence are made without reading the file`() throws {
        let silent = try arguments(EncodingPlanTests.ladder(), EncodingPlanTests.media(audio: nil))
        #expect(try #require(value("-filter_complex", in: silent)).contains("anullsrc=r=48000:cl=stereo"))
        let black = try arguments(EncodingPlanTests.ladder(), EncodingPlanTests.media(video: nil))
        #expect(try #require(value("-filter_complex", in: black)).contains("color=c=black:s=640x360:r=25/1"))
    }

    @Test func `separate sound has a playlist of its own`() throws {
        let ladder = ConditioningLadder(
            container: .fragmentedMP4, longestSegment: .seconds(2),
            outputs: [
                .init(name: "v0", video: EncodingPlanTests.video(), audio: nil),
                .init(name: "a0", video: nil, audio: EncodingPlanTests.stereo),
            ])
        let arguments = try arguments(ladder, EncodingPlanTests.media())
        #expect(arguments.contains("result/v0/index.m3u8") && arguments.contains("result/a0/index.m3u8"))
        #expect(arguments.filter { $0 == "-map" }.count == 2)
        #expect(value("-hls_segment_type", in: arguments) == "fmp4")
    }

    @Test(arguments: [(-350, "volume=-3.50dB"), (1_205, "volume=12.05dB,alimiter"), (-5, "volume=-0.05dB")])
    func `the sound is raised by hundredths of a decibel, and kept from clipping`(gain: Int, text: String) throws {
        let arguments = try arguments(EncodingPlanTests.ladder(), EncodingPlanTests.media(), gain: gain)
        #expect(try #require(value("-filter_complex", in: arguments)).contains(text))
    }

    @Test func `the last loudness counts, and silence has none`() {
        let text =
            "  I:  -11.0 LUFS\nSummary:\n  Integrated loudness:\n    I:         -20.3 LUFS\n    Threshold: -30.9 LUFS\n"
        #expect(LoudnessSummary(text)?.integrated == -2_030)
        #expect(LoudnessSummary(text)?.gain(to: -23) == -270)
        #expect(LoudnessSummary("    I:         -70.0 LUFS") == nil)
        #expect(LoudnessSummary("    I:         -inf LUFS") == nil)
        #expect(LoudnessSummary("") == nil)
    }
}
