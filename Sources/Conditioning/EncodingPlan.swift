/// How a file is made into a ladder: how many pictures, audio frames and segments each output has. All outputs begin and end together.
package struct EncodingPlan: Hashable, Sendable {
    package struct Output: Hashable, Sendable {
        package var format: ConditioningLadder.Output
        /// Pictures of the whole, and of each segment but the last, which may have fewer.
        package var frames: Int
        package var segmentFrames: Int
        /// Frames of the sound's codec.
        package var audioFrames: Int
    }

    package let container: ConditioningLadder.Container
    package let outputs: [Output]
    package let segmentCount: Int
    /// Of the whole: a whole number of pictures of the first output that has any.
    package let duration: Duration
    /// Length of every segment but the last, which may be shorter.
    package let segmentDuration: Duration
    /// Streams of the files; nil where black or silence takes the place.
    package let videoStream: ProbedMedia.Stream?
    package let audioStream: ProbedMedia.Stream?
    /// The file that the sound is in.
    package let audioTrack: MediaTrack
    /// How much later the sound begins than the pictures, where they are in two files.
    package let audioOffset: Duration

    /// What is refused.
    package struct Limits: Hashable, Sendable {
        package var longest = Duration.seconds(180)
        package var shortest = Duration.milliseconds(500)
        /// Pictures of more points than this are not decoded.
        package var pictureSize = 8_192 * 4_320

        package init() {}
    }

    /// Sound that goes on behind the last picture for less than this is cut; for more, the last picture stays.
    private static let overhang = Duration.milliseconds(500)

    /// - Parameters:
    ///   - sound: what is in the file of the sound, where it has one.
    ///   - told: how long they last, where that is known from elsewhere.
    package init(
        _ media: ProbedMedia, sound: ProbedMedia? = nil, _ ladder: ConditioningLadder, limits: Limits = Limits(),
        length told: Duration? = nil
    ) throws(ConditioningFailure) {
        let video = media.video
        let audio = sound?.audio ?? media.audio
        guard video != nil || audio != nil else { throw ConditioningFailure(.unusable, "neither pictures nor sound") }
        if let video, let width = video.width, let height = video.height {
            guard width > 0, height > 0, width <= 16_384, height <= 16_384, width * height <= limits.pictureSize else {
                throw ConditioningFailure(.unusable, "pictures of \(width)x\(height)")
            }
        }
        guard let found = told ?? Self.length(video, audio, media.duration) else {
            throw ConditioningFailure(.unusable, "its length is not known")
        }
        let length = Self.meant(found)
        guard length >= limits.shortest else { throw ConditioningFailure(.unusable, "shorter than half a second") }
        guard length <= limits.longest else {
            let longest = limits.longest.components.seconds
            throw ConditioningFailure(.unusable, "longer than \(longest) s")
        }
        guard !ladder.outputs.isEmpty, ladder.outputs.allSatisfy({ $0.video != nil || $0.audio != nil }) else {
            throw ConditioningFailure(.unsupported, "a ladder without renditions")
        }
        // The lowest rate sets the grid, so that pictures of multiples of it end with it. Without pictures that is the frames' of the sound.
        var rates = ladder.outputs.compactMap { $0.video?.frameRate }
        if rates.isEmpty {
            rates = ladder.outputs.compactMap { output in
                output.audio.flatMap { FrameRate(frames: $0.sampleRate, seconds: $0.codec.frameSize) }
            }
        }
        let grid = rates.min { $0.frames * $1.seconds < $1.frames * $0.seconds }
        guard let grid else { throw ConditioningFailure(.unsupported, "a ladder without frame rate") }
        let frames = max(grid.count(nearestTo: length), 1)
        let most = max(grid.count(within: ladder.longestSegment), 1)
        let segmentCount = (frames + most - 1) / most
        let segmentFrames = (frames + segmentCount - 1) / segmentCount
        let duration = grid.duration(of: frames)
        self.duration = duration
        self.segmentDuration = grid.duration(of: segmentFrames)
        // Segments of equal length may leave none for the last.
        self.segmentCount = (frames + segmentFrames - 1) / segmentFrames
        container = ladder.container
        videoStream = video
        audioStream = audio
        audioTrack = sound?.audio == nil ? .main : .sound
        var offset = Duration.zero
        if audioTrack == .sound, let pictures = video?.start, let begins = audio?.start { offset = begins - pictures }
        // Files on clocks of their own begin together.
        audioOffset = offset > .seconds(1) || offset < .seconds(-1) ? .zero : offset
        let count = self.segmentCount
        outputs = ladder.outputs.map { format in
            var output = Output(format: format, frames: 0, segmentFrames: 0, audioFrames: 0)
            if let rate = format.video?.frameRate {
                output.frames = max(rate.count(nearestTo: duration), 1)
                output.segmentFrames =
                    rate == grid ? segmentFrames : max((output.frames + count - 1) / count, 1)
            }
            if let audio = format.audio {
                let rate = FrameRate(frames: audio.sampleRate, seconds: audio.codec.frameSize)
                // Rather a part of a frame too much than silence before what comes next.
                output.audioFrames = max(rate?.count(covering: duration) ?? 0, 2)
            }
            return output
        }
    }

    /// Ads are sold by whole seconds, and what an encoder added to the last one would keep the next ad out of a break that it was
    /// sold for.
    private static func meant(_ length: Duration) -> Duration {
        let second = Duration.seconds((length + .milliseconds(500)).components.seconds)
        let off = length < second ? second - length : length - second
        return off <= .milliseconds(100) ? second : length
    }

    private static func length(
        _ video: ProbedMedia.Stream?, _ audio: ProbedMedia.Stream?, _ whole: Duration?
    ) -> Duration? {
        let start = [video?.start, audio?.start].compactMap { $0 }.min() ?? .zero
        func end(_ stream: ProbedMedia.Stream?) -> Duration? {
            guard let stream, let duration = stream.duration else { return nil }
            return (stream.start ?? start) - start + duration
        }
        guard video != nil else { return end(audio) ?? whole }
        guard let pictures = end(video) ?? whole else { return nil }
        if let sound = end(audio), sound > pictures + overhang { return sound }
        return pictures
    }
}
