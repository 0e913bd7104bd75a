/// One track on disk, as its media playlist (written by ffmpeg) tells.
struct DemoTrack: Sendable {
    struct Segment: Sendable {
        /// File name in the track's folder.
        let file: String
        /// Seconds as they stand in EXTINF.
        let seconds: String
        let duration: Duration
        /// Bytes.
        let size: Int
    }

    let folder: String
    let segments: [Segment]
    /// File name of the initialization section; `nil` for TS.
    let map: String?

    init(folder: String) throws(DemoError) {
        guard let bytes = Files.read("\(folder)/index.m3u8") else {
            throw DemoError(
                .mediaFolder, "cannot read \(folder)/index.m3u8; remove the media folder to have it made anew")
        }
        var segments: [Segment] = []
        var map: String?
        var seconds = ""
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            if line.hasPrefix("#EXTINF:") {
                seconds = String(line.dropFirst(8).prefix { $0 != "," })
            } else if line.hasPrefix("#EXT-X-MAP:URI=\"") {
                map = String(line.dropFirst(16).prefix { $0 != "\"" })
            } else if !line.hasPrefix("#") {
                let size = Files.size("\(folder)/\(line)") ?? 0
                let duration = Duration.milliseconds(Int((Double(seconds) ?? 0) * 1000 + 0.5))
                segments.append(Segment(file: String(line), seconds: seconds, duration: duration, size: size))
            }
        }
        guard !segments.isEmpty else {
            throw DemoError(
                .mediaFolder, "no segments in \(folder)/index.m3u8; remove the media folder to have it made anew")
        }
        self.folder = folder
        self.segments = segments
        self.map = map
    }

    /// Longest segment in whole seconds, rounded half up. EXT-X-TARGETDURATION.
    var targetDuration: Int {
        Int(segments.map { ($0.duration + .milliseconds(500)).components.seconds }.max() ?? 1)
    }

    /// Bit/s of the heaviest segment and of the whole.
    var bitRate: (peak: Int, average: Int) {
        let milliseconds = segments.map { max(1, Int($0.duration / .milliseconds(1))) }
        let peak = zip(segments, milliseconds).map { $0.size * 8000 / $1 }.max() ?? 0
        return (peak, segments.map(\.size).reduce(0, +) * 8000 / milliseconds.reduce(0, +))
    }
}
