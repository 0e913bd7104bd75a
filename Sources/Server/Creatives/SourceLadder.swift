internal import Conditioning
internal import HLS
internal import Stitching

/// What ads are made into for a source, and what a multivariant playlist would say of each output.
struct SourceLadder: Sendable {
    private(set) var ladder: ConditioningLadder
    /// By the name of the output. Their addresses are not known yet.
    private(set) var descriptions: [String: MediaRendition] = [:]

    /// Longer ones would only let breaks begin and end less exactly.
    private static let longestSegment = Duration.seconds(6)

    /// - Parameters:
    ///   - content: the renditions of the source.
    ///   - probed: what their media are like, as far as they could be looked at. It stands above what the playlist says.
    ///   - targetDuration: no segment of an ad may be longer.
    init(
        _ content: [MediaRendition], container: Container, targetDuration: Duration,
        probed: [RenditionKey: ProbedMedia], loudness: Int?
    ) throws(ConditioningFailure) {
        ladder = ConditioningLadder(
            container: container == .fragmentedMP4 ? .fragmentedMP4 : .transportStream,
            longestSegment: min(max(targetDuration, .seconds(1)), Self.longestSegment), outputs: [],
            loudness: loudness)
        var addresses: Set<String> = []
        for rendition in content where rendition.kind == .variant {
            // Variants of one playlist differ in what goes with it.
            guard addresses.insert(rendition.upstreamURL).inserted else { continue }
            try addVariant(rendition, probed[rendition.key])
        }
        var formats: Set<AudioFormat> = []
        for rendition in content where rendition.kind == .audio {
            let format = try Self.audio(rendition, probed[rendition.key], within: nil, ladder.container)
            guard formats.insert(format).inserted else { continue }
            add(rendition, video: nil, audio: format)
        }
        guard !ladder.outputs.isEmpty else { throw ConditioningFailure(.unsupported, "the source has no renditions") }
    }

    private mutating func addVariant(_ rendition: MediaRendition, _ probed: ProbedMedia?) throws(ConditioningFailure) {
        let isSound = rendition.isAudioOnlyVariant || probed.map { $0.video == nil && $0.audio != nil } ?? false
        if isSound {
            add(rendition, video: nil, audio: try Self.audio(rendition, probed, within: nil, ladder.container))
            return
        }
        var audio: AudioFormat?
        if !rendition.hasSeparateAudio {
            audio = try Self.audio(rendition, probed, within: rendition.bandwidth, ladder.container)
        }
        let video = try Self.video(rendition, probed, besides: audio?.bitRate ?? 0, ladder.container)
        add(rendition, video: video, audio: audio)
    }

    private mutating func add(_ rendition: MediaRendition, video: VideoFormat?, audio: AudioFormat?) {
        var description = rendition
        description.codecs = []
        if let video {
            let said = rendition.codecs.filter(Codec.isVideo)
            description.codecs = said.isEmpty ? [video.codec.name] : said
        }
        if let audio { description.codecs.append(audio.codec.name) }
        // As the media are: the playlist may be silent.
        description.videoRange = video.map(\.range.rawValue)
        // One sound is there for all languages.
        if rendition.kind == .audio { description.language = nil }
        ladder.outputs.append(.init(name: rendition.key.text, video: video, audio: audio))
        descriptions[rendition.key.text] = description
    }

    // MARK: Formats

    private static func video(
        _ rendition: MediaRendition, _ probed: ProbedMedia?, besides audioBitRate: Int,
        _ container: ConditioningLadder.Container
    ) throws(ConditioningFailure) -> VideoFormat {
        let seen = probed?.video
        let said = rendition.codecs.first(where: Codec.isVideo)
        let unmade = { (what: String) in
            ConditioningFailure(.unsupported, "no ads can be made with \(what) of \(rendition.key)")
        }
        if let said, said.hasPrefix("dv") { throw unmade("Dolby Vision (\(said))") }
        let family = seen.map(\.codec) ?? said.map(Codec.family) ?? "avc1"
        guard let codec = VideoFormat.Codec(family: family) else { throw unmade("video codec \(family)") }
        guard codec.fits(container) else { throw unmade("video codec \(family) in transport streams") }
        guard let width = seen?.width ?? rendition.resolution?.width,
            let height = seen?.height ?? rendition.resolution?.height, (16...8_192).contains(width),
            (16...8_192).contains(height)
        else { throw ConditioningFailure(.machine, "nothing tells the size of \(rendition.key)") }
        let told = rendition.frameRate.flatMap { FrameRate(thousandths: $0.milliseconds) }
        guard let rate = told ?? seen?.baseFrameRate ?? FrameRate(frames: 25, seconds: 1) else {
            throw ConditioningFailure(.unsupported, "the frame rate of \(rendition.key)")
        }
        let traits = VideoCodecTraits(said)
        let profile = seen?.profile.flatMap { VideoFormat.Profile(probed: $0, codec) } ?? traits.profile(codec)
        var level = seen?.level ?? traits.level
        // ffprobe tells thirty times the number for HEVC.
        if codec == .hevc, let tripled = seen?.level { level = tripled / 3 }
        var bitRate = rendition.bandwidth - audioBitRate
        if rendition.bandwidth <= 0 { bitRate = min(width * height / 10 * rate.frames / rate.seconds, 20_000_000) }
        var format = VideoFormat(
            codec: codec, profile: profile, level: level, width: width & ~1, height: height & ~1, frameRate: rate,
            peakBitRate: min(max(bitRate, 64_000), 100_000_000))
        format.range = rendition.videoRange.flatMap { DynamicRange(rawValue: $0) } ?? seen?.range ?? .standard
        if codec == .av1 || codec == .vp9 { format.bitDepth = seen?.bitDepth ?? traits.bitDepth }
        // Eight bits are too few for more light.
        if format.range != .standard, codec != .h264 {
            format.bitDepth = 10
            format.profile = .main10
        }
        format.pixelAspect = seen?.pixelAspect ?? .square
        return format
    }

    private static func audio(
        _ rendition: MediaRendition, _ probed: ProbedMedia?, within bandwidth: Int?,
        _ container: ConditioningLadder.Container
    ) throws(ConditioningFailure) -> AudioFormat {
        let seen = probed?.audio
        let family =
            seen.map(\.codec) ?? rendition.codecs.first(where: Codec.isAudio).map(AudioFormat.Codec.family) ?? "mp4a"
        let unmade = { (what: String) in
            ConditioningFailure(.unsupported, "no ads can be made with \(what) of \(rendition.key)")
        }
        guard let codec = AudioFormat.Codec(family: family) else { throw unmade("audio codec \(family)") }
        guard codec.fits(container) else { throw unmade("audio codec \(family) in transport streams") }
        let channels = codec.channels(seen?.channels ?? 2)
        var bitRate = min((codec == .ac3 || codec == .eac3 ? 96_000 : 64_000) * channels, 448_000)
        // Muxed, it leaves most of the room to the pictures.
        if let bandwidth, bandwidth > 0, codec == .aac { bitRate = min(bitRate, max(bandwidth / 5, 24_000 * channels)) }
        return AudioFormat(
            codec: codec, sampleRate: codec.sampleRate(seen?.sampleRate ?? 48_000), channels: channels,
            bitRate: bitRate)
    }
}

extension VideoFormat.Codec {
    /// As CODECS and ffprobe name it.
    fileprivate init?(family: String) {
        switch family {
        case "h264", "avc1": self = .h264
        case "hevc", "hvc1": self = .hevc
        case "av1", "av01": self = .av1
        case "vp9", "vp09": self = .vp9
        default: return nil
        }
    }

    /// In CODECS.
    fileprivate var name: String {
        switch self {
        case .h264: "avc1"
        case .hevc: "hvc1"
        case .av1: "av01"
        case .vp9: "vp09"
        }
    }

    fileprivate func fits(_ container: ConditioningLadder.Container) -> Bool {
        self == .h264 || self == .hevc || container == .fragmentedMP4
    }
}

extension AudioFormat.Codec {
    /// The format that a member of CODECS names: MP3 is spelled as a kind of MPEG-4 audio. RFC 6381; registered object types.
    fileprivate static func family(_ name: String) -> String {
        ["mp4a.40.34", "mp4a.6b", "mp4a.69"].contains(name.lowercased()) ? "mp3" : Codec.family(of: name)
    }

    /// As CODECS and ffprobe name it.
    fileprivate init?(family: String) {
        switch family {
        case "aac", "mp4a": self = .aac
        case "ac3", "ac-3": self = .ac3
        case "eac3", "ec-3": self = .eac3
        case "mp3": self = .mp3
        case "opus": self = .opus
        default: return nil
        }
    }

    /// In CODECS.
    fileprivate var name: String {
        switch self {
        case .aac: "mp4a.40.2"
        case .ac3: "ac-3"
        case .eac3: "ec-3"
        case .mp3: "mp4a.40.34"
        case .opus: "opus"
        }
    }

    fileprivate func fits(_ container: ConditioningLadder.Container) -> Bool {
        self != .opus || container == .fragmentedMP4
    }
}

extension Duration {
    fileprivate var milliseconds: Int {
        let span = min(max(self, .zero), .seconds(86_400))
        return Int(span.components.seconds) * 1_000 + Int(span.components.attoseconds / 1_000_000_000_000_000)
    }
}

extension VideoFormat.Profile {
    /// As ffprobe names it: `Constrained Baseline`.
    fileprivate init?(probed name: String, _ codec: VideoFormat.Codec) {
        switch (codec, name) {
        case (.h264, let name) where name.contains("Baseline"): self = .baseline
        case (.h264, let name) where name.contains("Main"): self = .main
        case (.h264, let name) where name.contains("High"): self = .high
        case (.hevc, "Main 10"): self = .main10
        case (.hevc, let name) where name.contains("Main"): self = .main
        default: return nil
        }
    }
}

/// Profile and level as CODECS says them. RFC 6381 §3.3; ISO/IEC 14496-15 annex E.
struct VideoCodecTraits: Equatable {
    /// The profile's number.
    private(set) var number: Int?
    /// Ten times the level.
    private(set) var level: Int?
    /// Bits of each sample, where the profile does not tell.
    private(set) var bitDepth = 8

    /// - Parameter text: `avc1.64001f`, `hvc1.1.6.L93.B0`, `av01.0.05M.10`, `vp09.02.31.10`.
    init(_ text: String?) {
        let parts = (text ?? "").split(separator: ".").map(String.init)
        guard let head = parts.first, parts.count >= 2 else { return }
        switch Codec.family(of: head) {
        case "avc1":
            guard parts[1].utf8.count == 6, let digits = Int(parts[1], radix: 16) else { return }
            number = digits >> 16
            level = digits & 0xFF
        case "hvc1":
            number = Int(parts[1].drop { !$0.isNumber })
            if parts.count >= 4, let tripled = Int(parts[3].dropFirst()), (1...300).contains(tripled) {
                level = tripled / 3
            }
        case "av01", "vp09": if parts.count >= 4, parts[3].hasPrefix("10") { bitDepth = 10 }
        default: break
        }
        if level == 0 { level = nil }
    }

    func profile(_ codec: VideoFormat.Codec) -> VideoFormat.Profile {
        switch (codec, number) {
        case (.h264, 66), (.h264, 88): .baseline
        case (.h264, 77): .main
        case (.h264, _): .high
        case (.hevc, 2): .main10
        case (.hevc, _), (.av1, _), (.vp9, _): .main
        }
    }
}
