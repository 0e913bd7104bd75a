import Testing

@testable import Conditioning

@Suite struct EncodingPlanTests {
    static func media(
        video: String? = "7.300000", audio: String? = "7.300000", whole: String = "7.300000", width: Int = 1_280
    ) -> ProbedMedia {
        var lines = ["format.duration=\"\(whole)\""]
        if let video {
            lines += [
                "streams.stream.0.index=0", "streams.stream.0.codec_type=\"video\"", "streams.stream.0.width=\(width)",
                "streams.stream.0.height=720", "streams.stream.0.duration=\"\(video)\"",
            ]
        }
        if let audio {
            lines += [
                "streams.stream.1.index=1", "streams.stream.1.codec_type=\"audio\"", "streams.stream.1.channels=1",
                "streams.stream.1.duration=\"\(audio)\"",
            ]
        }
        return ProbedMedia(flat: Array(lines.joined(separator: "\n").utf8))
    }

    static func video(_ rate: String = "25/1", width: Int = 640, height: Int = 360) -> VideoFormat? {
        FrameRate(rate).map {
            VideoFormat(
                codec: .h264, profile: .main, level: 30, width: width, height: height, frameRate: $0,
                peakBitRate: 500_000)
        }
    }

    static let stereo = AudioFormat(codec: .aac, sampleRate: 48_000, channels: 2, bitRate: 96_000)

    static func ladder(_ rates: [String] = ["25/1"], longest: Duration = .seconds(2)) -> ConditioningLadder {
        ConditioningLadder(
            container: .transportStream, longestSegment: longest,
            outputs: rates.enumerated().map { .init(name: "v\($0)", video: video($1), audio: stereo) })
    }

    @Test func `pictures and sound end together, in segments of one length`() throws {
        let plan = try EncodingPlan(Self.media(), Self.ladder())
        #expect(plan.duration == .milliseconds(7_320))
        #expect(plan.segmentCount == 4)
        #expect(plan.segmentDuration == .milliseconds(1_840))
        let output = try #require(plan.outputs.first)
        #expect(output.frames == 183)
        #expect(output.segmentFrames == 46)
        let sound = Duration.seconds(output.audioFrames * 1_024) / 48_000
        #expect(sound >= plan.duration && sound - plan.duration < .microseconds(21_334))
    }

    @Test func `no segment is nearly empty and none is too long`() throws {
        for milliseconds in stride(from: 600, through: 31_000, by: 370) {
            let text = Duration.milliseconds(milliseconds).secondsText
            let plan = try EncodingPlan(Self.media(video: text, audio: text, whole: text), Self.ladder(["30000/1001"]))
            let output = try #require(plan.outputs.first)
            let last = output.frames - (plan.segmentCount - 1) * output.segmentFrames
            #expect(plan.segmentDuration <= .seconds(2))
            #expect(last > 0 && last <= output.segmentFrames)
            #expect(
                plan.segmentCount == 1 || last * 2 > output.segmentFrames
                    || output.segmentFrames - last < plan.segmentCount)
        }
    }

    @Test func `renditions of twice the rate have their boundaries at the same times`() throws {
        let plan = try EncodingPlan(Self.media(), Self.ladder(["50/1", "25/1"]))
        #expect(plan.outputs.map(\.segmentFrames) == [92, 46])
        #expect(plan.outputs.map(\.frames) == [366, 183])
    }

    @Test func `sound a little longer is cut, sound much longer keeps the last picture`() throws {
        let cut = try EncodingPlan(Self.media(video: "10.000000", audio: "10.300000"), Self.ladder())
        #expect(cut.duration == .seconds(10))
        let held = try EncodingPlan(Self.media(video: "10.000000", audio: "12.000000"), Self.ladder())
        #expect(held.duration == .seconds(12))
    }

    @Test func `sound alone and pictures alone are made whole`() throws {
        let black = try EncodingPlan(Self.media(video: nil), Self.ladder())
        #expect(black.videoStream == nil && black.audioStream?.index == 1)
        #expect(black.outputs.first?.frames == 183)
        let silent = try EncodingPlan(Self.media(audio: nil), Self.ladder())
        #expect(silent.videoStream?.index == 0 && silent.audioStream == nil)
        #expect((silent.outputs.first?.audioFrames ?? 0) > 300)
    }

    @Test(arguments: [("10.020000", 10_000), ("14.933000", 15_000), ("10.120000", 10_120), ("9.880000", 9_880)])
    func `a length next to a whole second is that second`(text: String, milliseconds: Int) throws {
        let plan = try EncodingPlan(Self.media(video: text, audio: text, whole: text), Self.ladder())
        #expect(plan.duration == .milliseconds(milliseconds))
    }

    @Test func `what is too long, too short, too large or empty is refused`() {
        let refused = [
            Self.media(video: "200.000000", audio: nil), Self.media(video: "0.100000", audio: nil),
            Self.media(width: 20_000), Self.media(video: nil, audio: nil),
            Self.media(video: "N/A", audio: nil, whole: "N/A"),
        ]
        for media in refused {
            #expect(throws: ConditioningFailure.self) { try EncodingPlan(media, Self.ladder()) }
        }
    }

    @Test func `a measured length takes the place of one that is not told`() throws {
        let plan = try EncodingPlan(
            Self.media(video: "N/A", audio: nil, whole: "N/A"), Self.ladder(), length: .seconds(4))
        #expect(plan.duration == .seconds(4))
        #expect(plan.segmentCount == 2)
    }
}
