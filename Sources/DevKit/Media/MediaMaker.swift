/// Makes the demo's media with ffmpeg: every item encoded once per rendition, then packed as TS and as fMP4.
struct MediaMaker {
    /// Segment length in seconds, and frames a second.
    static let segmentSeconds = 2
    static let framesPerSecond = 25

    /// Where to make them: a folder that is there.
    let folder: String
    /// Whether ffmpeg finds a font to draw text with.
    let hasFont: Bool

    /// Looks for ffmpeg and a font.
    init(folder: String) throws(DemoError) {
        guard let version = ChildProcess("ffmpeg", ["-version"], in: folder), version.wait().status == 0 else {
            throw DemoError(
                .ffmpegMissing,
                "the demo needs ffmpeg to make its media, and there is none on PATH: apt-get install ffmpeg")
        }
        let trial = ["-nostdin", "-v", "quiet", "-f", "lavfi", "-i", "color=s=64x36:d=0.04,drawtext=text=x"]
        hasFont = ChildProcess("ffmpeg", trial + ["-f", "null", "-"], in: folder)?.wait().status == 0
        self.folder = folder
    }

    /// Makes all items. Blocks.
    func make(_ items: [DemoItem]) throws(DemoError) {
        for item in items {
            try Files.makeFolder("\(folder)/encoded/\(item.folder)")
            for packaging in DemoPackaging.allCases {
                for track in packaging.tracks {
                    try Files.makeFolder("\(folder)/\(item.folder)/\(packaging.rawValue)/\(track)")
                }
            }
        }
        // Two at a time: the programme takes about as long as all the ads.
        let programme = items.prefix(1).map { [encoding($0), packing($0)] }.joined()
        let rest = items.dropFirst().map { [encoding($0), packing($0)] }.joined()
        try runSideBySide([Array(programme), Array(rest)])
        Files.removeTree("\(folder)/encoded")
    }

    /// Runs the commands of each list one after the other, the lists side by side.
    private func runSideBySide(_ lists: [[[String]]]) throws(DemoError) {
        var waiting = lists.map { $0[...] }
        while waiting.contains(where: { !$0.isEmpty }) {
            var running: [ChildProcess?] = []
            for index in waiting.indices {
                if let arguments = waiting[index].popFirst() {
                    running.append(ChildProcess("ffmpeg", Self.common + arguments, in: folder))
                }
            }
            // All are waited for before an error is thrown, so that none outlives this call.
            let outcomes = running.map { $0?.wait() }
            for outcome in outcomes {
                guard let outcome else { throw DemoError(.ffmpegFailed, "ffmpeg could not be started") }
                guard outcome.status == 0 else {
                    throw DemoError(
                        .ffmpegFailed, "ffmpeg ended with status \(outcome.status): \(outcome.errorText.prefix(2000))")
                }
            }
        }
    }

    private static let common = ["-nostdin", "-hide_banner", "-v", "error", "-y"]

    // MARK: Encoding

    /// Arguments that encode picture (once per rendition) and sound of an item.
    private func encoding(_ item: DemoItem) -> [String] {
        let outputs = DemoRendition.ladder.indices
        var graph = picture(of: item) + ",split=\(outputs.count)" + outputs.map { "[p\($0)]" }.joined()
        for (index, rendition) in DemoRendition.ladder.enumerated() {
            graph += ";[p\(index)]scale=\(rendition.width):\(rendition.height):flags=fast_bilinear,setsar=1[o\(index)]"
        }
        var arguments = ["-f", "lavfi", "-i", sound(of: item), "-filter_complex", graph]
        for (index, rendition) in DemoRendition.ladder.enumerated() {
            arguments += ["-map", "[o\(index)]"] + Self.videoCodec + Self.reproducible
            arguments += ["-maxrate", "\(rendition.bitRate)", "-bufsize", "\(rendition.bitRate)"]
            arguments += ["-video_track_timescale", "90000", "encoded/\(item.folder)/\(rendition.name).mp4"]
        }
        arguments += ["-map", "0:a", "-c:a", "aac", "-b:a", "64k"] + Self.reproducible
        return arguments + ["encoded/\(item.folder)/audio.m4a"]
    }

    private static let videoCodec = [
        "-c:v", "libx264", "-preset", "ultrafast", "-profile:v", "baseline", "-level", "3.0", "-pix_fmt", "yuv420p",
        "-crf", "30", "-g", "\(framesPerSecond)", "-keyint_min", "\(framesPerSecond)", "-sc_threshold", "0",
        "-bf", "0",
    ]

    private static let reproducible = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags", "+bitexact"]

    private func picture(of item: DemoItem) -> String {
        let size = "640x360"
        let source: String
        if let colour = item.colour {
            // The moving bar shows how far the ad is, with or without a font.
            source =
                "color=c=\(colour):s=\(size):r=\(Self.framesPerSecond):d=\(item.seconds)[back];"
                + "color=c=white:s=640x12:r=\(Self.framesPerSecond):d=\(item.seconds)[bar];"
                + "[back][bar]overlay=x='-W+W*t/\(item.seconds)':y=H-12:shortest=1"
        } else {
            source = "testsrc2=s=\(size):r=\(Self.framesPerSecond):d=\(item.seconds)"
        }
        guard hasFont else { return source + ",format=yuv420p" }
        let style = "fontcolor=white:borderw=3:x=(w-tw)/2"
        return source
            + ",drawtext=text='\(item.title)':\(style):y=h*0.3:fontsize=h/7"
            + ",drawtext=text='%{pts\\:hms}':\(style):y=h*0.6:fontsize=h/9,format=yuv420p"
    }

    /// A tone that falls silent for 80 ms at the start of every second. It is an AAC frame shorter than the picture, since
    /// the encoder puts a frame of its own in front.
    private func sound(of item: DemoItem) -> String {
        "aevalsrc=exprs='0.3*sin(2*PI*\(item.hertz)*t)*gte(mod(t,1),0.08)':s=48000:d=\(item.seconds):c=mono,"
            + "atrim=end_sample=\(item.seconds * 48_000 - 1024),aformat=channel_layouts=stereo"
    }

    // MARK: Packing

    /// Arguments that pack an item's encoded streams, untouched, into all its media playlists.
    private func packing(_ item: DemoItem) -> [String] {
        let encoded = "encoded/\(item.folder)"
        var arguments: [String] = []
        for rendition in DemoRendition.ladder { arguments += ["-i", "\(encoded)/\(rendition.name).mp4"] }
        arguments += ["-i", "\(encoded)/audio.m4a"]
        let audio = "\(DemoRendition.ladder.count):a"
        for (index, rendition) in DemoRendition.ladder.enumerated() {
            arguments += ["-map", "\(index):v", "-map", audio] + segmenter(item, .ts, rendition.name)
            arguments += ["-map", "\(index):v"] + segmenter(item, .fmp4, rendition.name)
        }
        return arguments + ["-map", audio] + segmenter(item, .fmp4, "audio")
    }

    private func segmenter(_ item: DemoItem, _ packaging: DemoPackaging, _ track: String) -> [String] {
        let folder = "\(item.folder)/\(packaging.rawValue)/\(track)"
        var arguments = ["-c", "copy"] + Self.reproducible
        arguments += ["-f", "hls", "-hls_time", "\(Self.segmentSeconds)", "-hls_playlist_type", "vod"]
        switch packaging {
        case .ts:
            arguments += ["-hls_segment_filename", "\(folder)/%d.ts"]
        case .fmp4:
            arguments += ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"]
            arguments += ["-hls_segment_filename", "\(folder)/%d.m4s"]
        }
        return arguments + ["\(folder)/index.m3u8"]
    }
}
