/// How the streams of files become those of the outputs.
struct FilterGraph {
    /// The files that are read, in the order of their numbers.
    private(set) var inputs: [MediaTrack] = []
    private var chains: [String] = []

    var text: String { chains.joined(separator: ";") }

    init(_ plan: EncodingPlan, gain: Int) {
        let pictures = plan.outputs.indices.filter { plan.outputs[$0].format.video != nil }
        let sounds = plan.outputs.indices.filter { plan.outputs[$0].format.audio != nil }
        addPictures(plan, pictures)
        addSounds(plan, sounds, gain: gain)
    }

    private mutating func number(of track: MediaTrack) -> Int {
        if let known = inputs.firstIndex(of: track) { return known }
        inputs.append(track)
        return inputs.count - 1
    }

    // MARK: Pictures

    private mutating func addPictures(_ plan: EncodingPlan, _ indices: [Int]) {
        guard let first = indices.first, let model = plan.outputs[first].format.video else { return }
        let labels = indices.map { "[p\($0)]" }.joined()
        if let stream = plan.videoStream {
            let formats = indices.compactMap { plan.outputs[$0].format.video }
            // Fields become pictures of their own where an output has room for them.
            let isFast = formats.contains { Self.isFaster($0.frameRate, than: stream.frameRate) }
            var chain =
                "[\(number(of: .main)):\(stream.index)]bwdif=mode=\(isFast ? "send_field" : "send_frame"):deint=interlaced"
            // What can be seen through is laid upon black.
            if stream.hasAlpha { chain += ",premultiply=inplace=1" }
            chains.append("\(chain),split=\(indices.count)\(labels)")
        } else {
            chains.append(
                "color=c=black:s=\(model.width)x\(model.height):r=\(model.frameRate.text),split=\(indices.count)\(labels)"
            )
        }
        for index in indices {
            guard let video = plan.outputs[index].format.video else { continue }
            // The first picture from the start on, the last one to the end.
            chains.append(
                "[p\(index)]fps=\(video.frameRate.text):start_time=0,tpad=stop=-1:stop_mode=clone,"
                    + "trim=end_frame=\(plan.outputs[index].frames),\(Self.fitted(video)),"
                    + "\(Colours(plan.videoStream, video).filters)[v\(index)]")
        }
    }

    private static func isFaster(_ rate: FrameRate, than other: FrameRate?) -> Bool {
        guard let other else { return false }
        // By more than a half.
        return rate.frames * other.seconds * 2 > other.frames * rate.seconds * 3
    }

    /// As large as it can be within the output's size, without a change of its shape; the rest is left to bars.
    private static func fitted(_ video: VideoFormat) -> String {
        let (width, height, aspect) = (video.width, video.height, video.pixelAspect)
        // `dar` is the shape as it is meant to be seen.
        let wide = "min(\(width),2*round(\(height)*dar*\(aspect.height)/\(aspect.width)/2))"
        let high = "min(\(height),2*round(\(width)*\(aspect.width)/\(aspect.height)/dar/2))"
        return "scale=w='max(2,\(wide))':h='max(2,\(high))'"
    }

    // MARK: Sound

    private mutating func addSounds(_ plan: EncodingPlan, _ indices: [Int], gain: Int) {
        guard !indices.isEmpty else { return }
        if let stream = plan.audioStream {
            // Gaps in it, also at its start, become silence.
            var chain = "[\(number(of: plan.audioTrack)):\(stream.index)]aresample=async=1:first_pts=0"
            if gain != 0 {
                let sign = gain < 0 ? "-" : ""
                let (whole, rest) = gain.magnitude.quotientAndRemainder(dividingBy: 100)
                chain += ",volume=\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)dB"
                if gain > 0 { chain += ",alimiter=limit=0.89:level=false" }
            }
            chains.append(chain + ",asplit=\(indices.count)" + indices.map { "[s\($0)]" }.joined())
        }
        for index in indices {
            guard let audio = plan.outputs[index].format.audio else { continue }
            let layout = Self.layout(audio.channels)
            // What the encoder puts before the first sample takes the place of as many samples of the ad, so that the first frame
            // starts with the first picture, and a whole number of frames ends with the last one.
            let end = plan.outputs[index].audioFrames * audio.codec.frameSize
            let cut = "atrim=start_sample=\(audio.codec.priming):end_sample=\(end)[a\(index)]"
            guard let stream = plan.audioStream else {
                chains.append("anullsrc=r=\(audio.sampleRate):cl=\(layout),\(cut)")
                continue
            }
            // Channels that are added up may be louder than there is room for.
            let limit = (stream.channels ?? 0) > max(audio.channels, 1) ? "alimiter=limit=0.98:level=false," : ""
            chains.append(
                "[s\(index)]aresample=\(audio.sampleRate),aformat=sample_fmts=fltp|flt|s16p|s16:channel_layouts=\(layout),"
                    + "\(limit)apad,\(cut)")
        }
    }

    private static func layout(_ channels: Int) -> String {
        switch channels {
        case ...1: "mono"
        case 2...5: "stereo"
        case 6, 7: "5.1"
        default: "7.1"
        }
    }
}

/// How the colours of a file become those of an output, as the last filters of a chain: bars are put around the pictures on the way.
struct Colours {
    let filters: String

    /// Light of a level that a white page has: what is linear is counted in it. ITU-R BT.2408 §2.1, cd/m².
    private static let white = 203

    init(_ source: ProbedMedia.Stream?, _ video: VideoFormat) {
        let format = video.bitDepth > 8 ? "yuv420p10le" : "yuv420p"
        let aspect = video.pixelAspect
        let frame =
            "pad=\(video.width):\(video.height):-1:-1,setsar=\(aspect.width)/\(aspect.height),format=\(format),"
            + Self.named(video.range)
        let range = source?.range ?? .standard
        let isWide = source?.isWide ?? false
        if range == video.range, range != .standard || !isWide {
            let (from, to) = range == .standard ? (Self.matrix(source), "bt709") : ("bt2020", "bt2020")
            filters = "scale=in_color_matrix=\(from):out_color_matrix=\(to):out_range=tv,\(frame)"
            return
        }
        var steps = "\(Self.linear(source, range, isWide: isWide)),format=gbrpf32le"
        if range != .standard, video.range == .standard {
            // What is brighter than white is pressed together.
            steps += ",zscale=p=bt709,tonemap=tonemap=mobius:param=0.5:desat=0:peak=5"
        }
        filters = "\(steps),\(Self.coded(video.range)),format=\(format),\(frame)"
    }

    private static func linear(_ source: ProbedMedia.Stream?, _ range: DynamicRange, isWide: Bool) -> String {
        let transfer =
            switch range {
            case .standard: "bt709"
            case .perceptualQuantizer: "smpte2084"
            case .hybridLogGamma: "arib-std-b67"
            }
        let primaries = isWide || range != .standard ? "bt2020" : "bt709"
        let matrix = primaries == "bt2020" ? "bt2020nc" : Self.matrix(source)
        return "scale=out_range=tv,format=yuv420p10le,"
            + "zscale=tin=\(transfer):min=\(matrix):pin=\(primaries):rin=tv:t=linear:p=\(primaries):npl=\(white)"
    }

    private static func coded(_ range: DynamicRange) -> String {
        switch range {
        case .standard: "zscale=t=bt709:m=bt709:p=bt709:r=tv"
        case .perceptualQuantizer: "zscale=t=smpte2084:m=bt2020nc:p=bt2020:r=tv:npl=\(white)"
        case .hybridLogGamma: "zscale=t=arib-std-b67:m=bt2020nc:p=bt2020:r=tv:npl=\(white)"
        }
    }

    /// What the pictures say of themselves.
    private static func named(_ range: DynamicRange) -> String {
        switch range {
        case .standard: "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709"
        case .perceptualQuantizer:
            "setparams=range=tv:color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc"
        case .hybridLogGamma:
            "setparams=range=tv:color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc"
        }
    }

    /// Where a file does not tell, it is that of its size.
    private static func matrix(_ source: ProbedMedia.Stream?) -> String {
        switch source?.matrix {
        case "bt709": return "bt709"
        case "smpte170m", "bt470bg": return "smpte170m"
        default: return (source?.height ?? 0) >= 720 || (source?.width ?? 0) > 1_024 ? "bt709" : "smpte170m"
        }
    }
}
