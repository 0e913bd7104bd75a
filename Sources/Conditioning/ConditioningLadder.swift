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

/// The pictures of a rendition.
package struct VideoFormat: Hashable, Sendable {
    package enum Codec: String, Sendable {
        case h264, hevc
    }

    /// As encoders spell them.
    package enum Profile: String, Sendable {
        case baseline, main, high, main10
    }

    package var codec: Codec
    package var profile: Profile
    /// Ten times the number: 31 for level 3.1. Nil leaves it to the encoder.
    package var level: Int?
    package var width: Int
    package var height: Int
    package var frameRate: FrameRate
    /// What no second may exceed by much, bit/s.
    package var peakBitRate: Int

    package init(
        codec: Codec, profile: Profile, level: Int?, width: Int, height: Int, frameRate: FrameRate, peakBitRate: Int
    ) {
        self.codec = codec
        self.profile = profile
        self.level = level
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.peakBitRate = peakBitRate
    }
}

/// The sound of a rendition.
package struct AudioFormat: Hashable, Sendable {
    package enum Codec: String, Sendable {
        case aac, ac3, eac3

        /// Samples of one frame.
        package var frameSize: Int { self == .aac ? 1_024 : 1_536 }
        /// Samples that the encoder puts before the first one it is given.
        var priming: Int { self == .aac ? 1_024 : 256 }
    }

    package var codec: Codec
    package var sampleRate: Int
    package var channels: Int
    /// Bit/s.
    package var bitRate: Int

    package init(codec: Codec, sampleRate: Int, channels: Int, bitRate: Int) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channels = channels
        self.bitRate = bitRate
    }
}

/// Frames per second as a fraction: 30000/1001.
package struct FrameRate: Hashable, Sendable {
    package let frames: Int
    package let seconds: Int

    /// Nil beyond 1 to 240 frames per second.
    package init?(frames: Int, seconds: Int) {
        guard (1...240_000_000).contains(frames), (1...1_000_000).contains(seconds) else { return nil }
        guard frames >= seconds, frames / seconds <= 240 else { return nil }
        self.frames = frames
        self.seconds = seconds
    }

    /// The rate meant by a number of thousandths of frames per second, as FRAME-RATE gives it: 29970 is 30000/1001.
    package init?(thousandths: Int) {
        guard (1_000...240_000).contains(thousandths) else { return nil }
        let whole = (thousandths + 500) / 1_000
        let reduced = whole * 1_000_000 / 1_001
        if (thousandths - whole * 1_000).magnitude <= 2 {
            self.init(frames: whole, seconds: 1)
        } else if (thousandths - reduced).magnitude <= 2 {
            self.init(frames: whole * 1_000, seconds: 1_001)
        } else {
            self.init(frames: thousandths, seconds: 1_000)
        }
    }

    /// Reads `30000/1001` or `25`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let first = parts.first, let frames = Int(first), parts.count <= 2 else { return nil }
        guard let seconds = parts.count == 2 ? Int(parts[1]) : 1 else { return nil }
        self.init(frames: frames, seconds: seconds)
    }

    package var text: String { "\(frames)/\(seconds)" }

    /// The number of frames nearest to a span of at most a day.
    package func count(nearestTo span: Duration) -> Int {
        let microseconds = span.wholeMicroseconds
        let divisor = seconds * 1_000_000
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: divisor)
        return whole * frames + (rest * frames + divisor / 2) / divisor
    }

    /// The fewest frames that last as long as a span of at most a day.
    func count(covering span: Duration) -> Int {
        let microseconds = span.wholeMicroseconds
        let divisor = seconds * 1_000_000
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: divisor)
        return whole * frames + (rest * frames + divisor - 1) / divisor
    }

    /// The most whole frames that are no longer than a span.
    func count(within span: Duration) -> Int {
        let microseconds = span.wholeMicroseconds
        let divisor = seconds * 1_000_000
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: divisor)
        return whole * frames + rest * frames / divisor
    }

    /// How long so many frames last.
    package func duration(of count: Int) -> Duration { .seconds(count * seconds) / frames }
}

extension Duration {
    /// Whole microseconds between nothing and a day.
    var wholeMicroseconds: Int {
        let span = min(max(self, .zero), .seconds(86_400))
        return Int(span.components.seconds) * 1_000_000 + Int(span.components.attoseconds / 1_000_000_000_000)
    }

    /// Whole milliseconds between nothing and a day.
    var wholeMilliseconds: Int { wholeMicroseconds / 1_000 }

    /// As ffmpeg reads it: seconds with six decimals.
    var secondsText: String {
        let (seconds, rest) = wholeMicroseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = "\(rest)"
        return "\(seconds)." + String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }

    /// Reads seconds with decimals, without going through floating point. Nil beyond a day.
    init?(secondsText text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let whole = Int(first), (0..<86_400).contains(whole), !first.hasPrefix("-")
        else { return nil }
        guard parts.count == 2 else {
            self = .seconds(whole)
            return
        }
        let digits = parts[1].prefix(6)
        guard let fraction = Int(digits), fraction >= 0, !digits.hasPrefix("-"), !digits.hasPrefix("+") else {
            return nil
        }
        var microseconds = fraction
        for _ in digits.utf8.count..<6 { microseconds *= 10 }
        self = .seconds(whole) + .microseconds(microseconds)
    }
}
