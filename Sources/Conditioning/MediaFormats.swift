/// The pictures of a rendition.
package struct VideoFormat: Hashable, Sendable {
    package enum Codec: String, Sendable {
        case h264, hevc, av1, vp9
    }

    /// As encoders spell them.
    package enum Profile: String, Sendable {
        case baseline, main, high, main10
    }

    package var codec: Codec
    /// Of H.264 and HEVC.
    package var profile: Profile
    /// Ten times the number: 31 for level 3.1. Nil leaves it to the encoder.
    package var level: Int?
    package var width: Int
    package var height: Int
    package var frameRate: FrameRate
    /// What no second may exceed by much, bit/s.
    package var peakBitRate: Int
    /// Of each sample: 8 or 10.
    package var bitDepth = 8
    package var range = DynamicRange.standard
    package var pixelAspect = PixelAspect.square

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
        if profile == .main10 { bitDepth = 10 }
    }
}

/// How light is coded. RFC 8216bis VIDEO-RANGE; ITU-R BT.2100.
package enum DynamicRange: String, Sendable {
    case standard = "SDR"
    case perceptualQuantizer = "PQ"
    case hybridLogGamma = "HLG"

    /// As ffprobe and VUI parameters name the transfer characteristics.
    package init(transfer: String?) {
        self =
            switch transfer {
            case "smpte2084": .perceptualQuantizer
            case "arib-std-b67": .hybridLogGamma
            default: .standard
            }
    }
}

/// Width of a picture's point by its height.
package struct PixelAspect: Hashable, Sendable {
    package let width: Int
    package let height: Int

    package static let square = PixelAspect()

    private init() { (width, height) = (1, 1) }

    /// Nil beyond four to one: no picture is meant to be like that.
    package init?(width: Int, height: Int) {
        guard (1...65_535).contains(width), (1...65_535).contains(height), width <= height * 4, height <= width * 4
        else { return nil }
        (self.width, self.height) = (width, height)
    }

    /// Reads `64:45`.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]) else { return nil }
        self.init(width: width, height: height)
    }
}

/// The sound of a rendition.
package struct AudioFormat: Hashable, Sendable {
    package enum Codec: String, Sendable {
        case aac, ac3, eac3, mp3, opus

        /// Samples of one frame.
        package var frameSize: Int {
            switch self {
            case .aac: 1_024
            case .ac3, .eac3: 1_536
            case .mp3: 1_152
            // 20 ms.
            case .opus: 960
            }
        }

        /// Samples that the encoder puts before the first one it is given.
        var priming: Int {
            switch self {
            case .aac: 1_024
            case .ac3, .eac3: 256
            // LAME's delay and that of decoders.
            case .mp3: 1_105
            case .opus: 312
            }
        }

        /// As ffmpeg calls its encoder.
        var encoder: String {
            switch self {
            case .mp3: "libmp3lame"
            case .opus: "libopus"
            case .aac, .ac3, .eac3: rawValue
            }
        }

        /// The nearest rate that it has.
        package func sampleRate(_ wanted: Int) -> Int {
            let rates =
                switch self {
                case .aac: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000]
                case .ac3, .eac3, .mp3: [32_000, 44_100, 48_000]
                case .opus: [48_000]
                }
            return rates.contains(wanted) ? wanted : 48_000
        }

        /// The nearest number of channels that it has, with a layout that all players know: mono, stereo, 5.1, 7.1.
        package func channels(_ wanted: Int) -> Int {
            switch (self, wanted) {
            case (_, ...1): 1
            case (_, 2...5), (.mp3, _): 2
            case (_, 6...7), (.ac3, _), (.eac3, _): 6
            default: 8
            }
        }
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
