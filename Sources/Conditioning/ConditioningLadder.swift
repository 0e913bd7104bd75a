/// What an ad is made into: one output for each of a channel's renditions that differ.
package struct ConditioningLadder: Hashable, Sendable {
    package enum Container: String, Sendable {
        case transportStream = "ts"
        case fragmentedMP4 = "m4s"
    }

    /// One media playlist.
    package struct Output: Hashable, Sendable {
        /// Names its folder: letters, digits and hyphens.
        package var name: String
        /// Nil for sound alone.
        package var video: VideoFormat?
        /// Nil for pictures alone.
        package var audio: AudioFormat?

        package init(name: String, video: VideoFormat?, audio: AudioFormat?) {
            self.name = name
            self.video = video
            self.audio = audio
        }
    }

    package var container: Container
    /// No segment is longer.
    package var longestSegment: Duration
    package var outputs: [Output]
    /// Integrated loudness that the sound is brought to, LUFS; nil leaves it as it is. EBU R 128.
    package var loudness: Int?

    package init(container: Container, longestSegment: Duration, outputs: [Output], loudness: Int? = nil) {
        self.container = container
        self.longestSegment = longestSegment
        self.outputs = outputs
        self.loudness = loudness
    }
}
