import Testing

@testable import Conditioning

@Suite struct ProbedMediaTests {
    static let text = """
        streams.stream.0.index=0
        streams.stream.0.codec_name="mjpeg"
        streams.stream.0.codec_type="video"
        streams.stream.0.width=600
        streams.stream.0.disposition.attached_pic=1
        streams.stream.1.index=1
        streams.stream.1.codec_name="h264"
        streams.stream.1.profile="Constrained Baseline"
        streams.stream.1.codec_type="video"
        streams.stream.1.width=1280
        streams.stream.1.height=720
        streams.stream.1.level=31
        streams.stream.1.r_frame_rate="30/1"
        streams.stream.1.avg_frame_rate="30/1"
        streams.stream.1.start_time="0.040000"
        streams.stream.1.duration="7.300000"
        streams.stream.1.disposition.attached_pic=0
        streams.stream.2.index=2
        streams.stream.2.codec_name="aac"
        streams.stream.2.codec_type="audio"
        streams.stream.2.sample_rate="44100"
        streams.stream.2.channels=1
        streams.stream.2.duration="N/A"
        format.duration="7.340000"
        """

    @Test func `streams are read, and a cover is no video`() throws {
        let media = ProbedMedia(flat: Array(Self.text.utf8))
        #expect(media.streams.count == 3)
        let video = try #require(media.video)
        #expect(video.index == 1)
        #expect(video.width == 1_280 && video.height == 720 && video.level == 31)
        #expect(video.frameRate == FrameRate("30/1"))
        #expect(video.start == .milliseconds(40))
        #expect(media.audio?.sampleRate == 44_100)
        #expect(media.audio?.duration == nil)
        #expect(media.duration == .milliseconds(7_340))
    }

    @Test(arguments: [
        "streams.stream.99999999999999999999.index=0", "streams.stream.-1.index=0", "=", "streams.stream.0.index",
        "streams.stream.0.codec_type=\"", "format.duration=1e400",
    ])
    func `odd lines are nothing`(line: String) {
        let media = ProbedMedia(flat: Array(line.utf8))
        #expect(media.streams.isEmpty)
        #expect(media.duration == nil)
    }
}
