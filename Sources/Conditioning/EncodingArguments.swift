/// What ffmpeg and ffprobe are told. All names are of our own choice and relative to the folder that they run in; no address is ever
/// among them.
package struct EncodingArguments {
    /// The folder of what is made.
    static let result = "result"
    static let playlist = "index.m3u8"

    /// Nothing but this file is opened, whatever it says of other files and addresses; and only as what an ad may be, never as a list
    /// of other files. A few streams, and pictures of a size that a screen may have, are read.
    static let guarded = [
        "-protocol_whitelist", "file", "-format_whitelist",
        "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,flv,asf,mp3,aac,ogg,wav,flac,ac3,eac3",
        "-max_streams", "64", "-max_pixels", "\(8_192 * 4_320)",
    ]
    private static let quiet = ["-nostdin", "-hide_banner", "-v", "error", "-nostats"]

    /// Of ffprobe: what there is in a file.
    package static func probe(_ file: String) -> [String] {
        ["-hide_banner", "-v", "error"] + guarded
            + ["-show_entries", ProbedMedia.entries, "-of", "flat", "-i", file]
    }

    /// Of ffmpeg: reads the packets of a stream to their end. What it got is written to standard output.
    static func measure(_ stream: Int, of track: MediaTrack) -> [String] {
        quiet + ["-progress", "pipe:1"] + guarded
            + ["-i", track.rawValue, "-map", "0:\(stream)", "-c", "copy", "-f", "null", "-"]
    }

    /// Of ffmpeg: measures the loudness. It stands at the end of what is written to standard error.
    static func loudness(of plan: EncodingPlan) -> [String]? {
        guard let stream = plan.audioStream else { return nil }
        return ["-nostdin", "-hide_banner", "-v", "info", "-nostats"] + guarded
            + [
                "-t", (plan.duration + .seconds(1)).secondsText, "-i", plan.audioTrack.rawValue, "-map",
                "0:\(stream.index)", "-af", "ebur128=framelog=verbose", "-f", "null", "-",
            ]
    }

    /// Of ffmpeg: makes all outputs of a plan.
    ///
    /// - Parameters:
    ///   - gain: of the sound, hundredths of a decibel.
    ///   - threads: of each encoder, and of the decoder.
    package static func encode(_ plan: EncodingPlan, gain: Int = 0, threads: Int) -> [String] {
        let graph = FilterGraph(plan, gain: gain)
        // Of a file whose pictures can hardly be decoded nothing is made.
        var arguments = quiet + ["-y", "-max_error_rate", "0.1", "-filter_complex_threads", "\(threads)"]
        for track in graph.inputs { arguments += input(track, of: plan, threads: threads) }
        arguments += ["-filter_complex", graph.text]
        for (index, output) in plan.outputs.enumerated() {
            if output.format.video != nil { arguments += ["-map", "[v\(index)]"] }
            if output.format.audio != nil { arguments += ["-map", "[a\(index)]"] }
            if let video = output.format.video {
                arguments += VideoEncoding(video, interval: output.segmentFrames, threads: threads).arguments
            }
            if let audio = output.format.audio {
                arguments += ["-c:a", audio.codec.encoder, "-b:a", "\(audio.bitRate)"]
            }
            arguments += ["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact", "-flags", "+bitexact"]
            arguments += segments(plan, output)
        }
        return arguments
    }

    private static func input(_ track: MediaTrack, of plan: EncodingPlan, threads: Int) -> [String] {
        var arguments = ["-threads", "\(threads)"] + guarded
        if track == .main, let video = plan.videoStream, video.hasSeparateMask {
            arguments += ["-c:v", video.codec == "vp8" ? "libvpx" : "libvpx-vp9"]
        }
        if track == .sound, plan.audioOffset != .zero {
            let sign = plan.audioOffset < .zero ? "-" : ""
            let size = plan.audioOffset < .zero ? .zero - plan.audioOffset : plan.audioOffset
            arguments += ["-itsoffset", "\(sign)\(size.secondsText)"]
        }
        return arguments + ["-t", (plan.duration + .seconds(1)).secondsText, "-i", track.rawValue]
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

/// How pictures are encoded: a key frame, and nothing before it needed, at the start of each segment; no reordering, so that the first
/// picture is shown at the time at which it is decoded.
struct VideoEncoding {
    private(set) var arguments: [String] = []

    /// - Parameter interval: pictures of a segment.
    init(_ video: VideoFormat, interval: Int, threads: Int) {
        // A segment of two seconds of the buffer's half a second more stays within the peak.
        let most = max(video.peakBitRate * 4 / 5, 48_000)
        let groups = ["-g", "\(interval)", "-keyint_min", "\(interval)", "-threads", "\(threads)"]
        let rates = ["-b:v", "\(most * 15 / 16)", "-maxrate", "\(most)", "-bufsize", "\(most / 2)"]
        switch video.codec {
        case .h264:
            arguments =
                ["-c:v", "libx264", "-preset", "veryfast", "-profile:v", video.profile.rawValue] + rates + groups
            arguments += ["-sc_threshold", "0", "-bf", "0"]
            if let level = video.level { arguments += ["-level:v", "\(level)"] }
        case .hevc:
            arguments =
                ["-c:v", "libx265", "-preset", "veryfast", "-profile:v", video.profile.rawValue] + rates + groups
            var more = "log-level=error:open-gop=0:scenecut=0:bframes=0:keyint=\(interval):min-keyint=\(interval)"
            more += ":pools=\(threads)"
            if let level = video.level { more += ":level-idc=\(level)" }
            arguments += ["-bf", "0", "-x265-params", more, "-tag:v", "hvc1"]
        case .av1:
            // It knows no peak beside a mean.
            arguments = ["-c:v", "libsvtav1", "-preset", "9", "-b:v", "\(most * 3 / 4)"] + groups
            arguments += ["-svtav1-params", "irefresh-type=2:scd=0:lp=\(threads)"]
        case .vp9:
            arguments = ["-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "6", "-lag-in-frames", "0"]
            arguments += ["-auto-alt-ref", "0", "-profile:v", video.bitDepth > 8 ? "2" : "0"] + rates + groups
        }
    }
}
