/// What ffmpeg and ffprobe are told. All names are of our own choice and relative to the folder that they run in; no address is ever
/// among them.
package struct EncodingArguments {
    /// The file as it came.
    static let source = "source"
    /// The folder of what is made.
    static let result = "result"
    static let playlist = "index.m3u8"

    /// Nothing but this file is opened, whatever it says of other files and addresses; and only as what an ad may be, never as a list
    /// of other files.
    private static let guarded = [
        "-protocol_whitelist", "file", "-format_whitelist",
        "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,flv,asf,mp3,aac,ogg,wav,flac,ac3,eac3",
    ]
    private static let quiet = ["-nostdin", "-hide_banner", "-v", "error", "-nostats"]

    /// Of ffprobe: what there is in a file.
    package static func probe(_ file: String = source) -> [String] {
        ["-hide_banner", "-v", "error"] + guarded
            + ["-show_entries", ProbedMedia.entries, "-of", "flat", "-i", file]
    }

    /// Of ffmpeg: copies the streams into a file that tells its length, for one that does not.
    static func remux(to file: String) -> [String] {
        quiet + guarded + ["-i", source, "-map", "0:v?", "-map", "0:a?", "-c", "copy", "-f", "matroska", file]
    }

    /// Of ffmpeg: measures the loudness. It stands at the end of what is written to standard error.
    static func loudness(of plan: EncodingPlan) -> [String]? {
        guard let stream = plan.audioStream else { return nil }
        return ["-nostdin", "-hide_banner", "-v", "info", "-nostats"] + guarded
            + [
                "-t", (plan.duration + .seconds(1)).secondsText, "-i", source, "-map", "0:\(stream)",
                "-af", "ebur128=framelog=verbose", "-f", "null", "-",
            ]
    }

    /// Of ffmpeg: makes all outputs of a plan.
    ///
    /// - Parameters:
    ///   - gain: of the sound, hundredths of a decibel.
    ///   - threads: of each encoder, and of the decoder.
    package static func encode(_ plan: EncodingPlan, gain: Int = 0, threads: Int) -> [String] {
        let graph = FilterGraph(plan, gain: gain)
        var arguments = quiet + ["-y", "-filter_complex_threads", "\(threads)"]
        if graph.readsSource {
            arguments += ["-threads", "\(threads)"] + guarded
            arguments += ["-t", (plan.duration + .seconds(1)).secondsText, "-i", source]
        }
        arguments += ["-filter_complex", graph.text]
        for (index, output) in plan.outputs.enumerated() {
            if output.format.video != nil { arguments += ["-map", "[v\(index)]"] }
            if output.format.audio != nil { arguments += ["-map", "[a\(index)]"] }
            if let video = output.format.video {
                arguments += pictures(video, every: output.segmentFrames, threads: threads)
            }
            if let audio = output.format.audio {
                arguments += ["-c:a", audio.codec.rawValue, "-b:a", "\(audio.bitRate)"]
            }
            arguments += ["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags", "+bitexact"]
            arguments += segments(plan, output)
        }
        return arguments
    }

    /// A key frame, and nothing before it needed, at the start of each segment; no reordering, so that the first picture is shown at
    /// the time at which it is decoded.
    private static func pictures(_ video: VideoFormat, every interval: Int, threads: Int) -> [String] {
        // A segment of two seconds of the buffer's half a second more stays within the peak.
        let most = max(video.peakBitRate * 4 / 5, 48_000)
        var arguments = [
            "-c:v", video.codec == .h264 ? "libx264" : "libx265", "-preset", "veryfast",
            "-profile:v", video.profile.rawValue, "-b:v", "\(most * 15 / 16)", "-maxrate", "\(most)",
            "-bufsize", "\(most / 2)", "-g", "\(interval)", "-keyint_min", "\(interval)", "-sc_threshold", "0",
            "-bf", "0", "-threads", "\(threads)",
        ]
        switch video.codec {
        case .h264:
            if let level = video.level { arguments += ["-level:v", "\(level)"] }
        case .hevc:
            var more = "log-level=error:open-gop=0:scenecut=0:bframes=0:keyint=\(interval):min-keyint=\(interval)"
            more += ":pools=\(threads)"
            if let level = video.level { more += ":level-idc=\(level)" }
            arguments += ["-x265-params", more, "-tag:v", "hvc1"]
        }
        return arguments
    }

    private static func segments(_ plan: EncodingPlan, _ output: EncodingPlan.Output) -> [String] {
        let folder = "\(result)/\(output.format.name)"
        var length = plan.segmentDuration
        if let rate = output.format.video?.frameRate { length = rate.duration(of: output.segmentFrames) }
        // A little less, so that no rounding misses the key frame that is meant.
        var arguments = [
            "-f", "hls", "-hls_time", (length - .milliseconds(1)).secondsText, "-hls_playlist_type", "vod",
            "-hls_list_size", "0", "-hls_flags", "independent_segments",
        ]
        if plan.container == .fragmentedMP4 {
            arguments += ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"]
        }
        return arguments + [
            "-hls_segment_filename", "\(folder)/%05d.\(plan.container.rawValue)", "\(folder)/\(playlist)",
        ]
    }
}

/// How the streams of a file become those of the outputs.
private struct FilterGraph {
    private(set) var readsSource = false
    private var chains: [String] = []

    var text: String { chains.joined(separator: ";") }

    init(_ plan: EncodingPlan, gain: Int) {
        let pictures = plan.outputs.indices.filter { plan.outputs[$0].format.video != nil }
        let sounds = plan.outputs.indices.filter { plan.outputs[$0].format.audio != nil }
        addPictures(plan, pictures)
        addSounds(plan, sounds, gain: gain)
    }

    private mutating func addPictures(_ plan: EncodingPlan, _ indices: [Int]) {
        guard let first = indices.first, let model = plan.outputs[first].format.video else { return }
        let labels = indices.map { "[p\($0)]" }.joined()
        if let stream = plan.videoStream {
            readsSource = true
            chains.append(
                "[0:\(stream)]yadif=deint=interlaced,scale='max(trunc(iw*sar/2)*2,2)':'max(trunc(ih/2)*2,2)',"
                    + "setsar=1,split=\(indices.count)\(labels)")
        } else {
            chains.append(
                "color=c=black:s=\(model.width)x\(model.height):r=\(model.frameRate.text),split=\(indices.count)\(labels)"
            )
        }
        for index in indices {
            guard let video = plan.outputs[index].format.video else { continue }
            let size = "\(video.width):\(video.height)"
            let format = video.profile == .main10 ? "yuv420p10le" : "yuv420p"
            // The first picture from the start on, the last one to the end.
            chains.append(
                "[p\(index)]fps=\(video.frameRate.text):start_time=0,tpad=stop=-1:stop_mode=clone,"
                    + "trim=end_frame=\(plan.outputs[index].frames),"
                    + "scale=\(size):force_original_aspect_ratio=decrease:force_divisible_by=2,"
                    + "pad=\(size):-1:-1,setsar=1,format=\(format)[v\(index)]")
        }
    }

    private mutating func addSounds(_ plan: EncodingPlan, _ indices: [Int], gain: Int) {
        guard !indices.isEmpty else { return }
        if let stream = plan.audioStream {
            readsSource = true
            // Gaps in it, also at its start, become silence.
            var chain = "[0:\(stream)]aresample=async=1:first_pts=0"
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
            if plan.audioStream == nil {
                chains.append("anullsrc=r=\(audio.sampleRate):cl=\(layout),\(cut)")
            } else {
                chains.append(
                    "[s\(index)]aresample=\(audio.sampleRate),aformat=sample_fmts=fltp:channel_layouts=\(layout),"
                        + "apad,\(cut)")
            }
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
