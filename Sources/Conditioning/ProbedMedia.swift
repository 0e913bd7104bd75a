/// What `ffprobe -of flat` tells of a file.
package struct ProbedMedia: Hashable, Sendable {
    package struct Stream: Hashable, Sendable {
        package var index: Int
        /// `video`, `audio`, ...
        package var type: String
        package var codec: String
        package var profile: String?
        package var level: Int?
        package var width: Int?
        package var height: Int?
        package var pixelFormat: String?
        package var pixelAspect: PixelAspect?
        /// As ffprobe names them; nil where the file does not tell.
        package var matrix: String?
        package var transfer: String?
        package var primaries: String?
        /// On the mean.
        package var frameRate: FrameRate?
        /// That all frames can be told apart by; of a part of a file the better guess.
        package var baseFrameRate: FrameRate?
        package var sampleRate: Int?
        package var channels: Int?
        package var start: Duration?
        package var duration: Duration?
        /// A picture beside the sound, such as a cover.
        package var isStillPicture = false

        package var range: DynamicRange { DynamicRange(transfer: transfer) }
        /// Bits of each sample.
        package var bitDepth: Int { (pixelFormat ?? "").contains("10") ? 10 : 8 }
        /// The pictures lie beside a mask of their own, which only some decoders read (WebM).
        var hasSeparateMask = false
        /// Whether parts of the pictures may be seen through.
        var hasAlpha: Bool {
            if hasSeparateMask { return true }
            let format = pixelFormat ?? ""
            return ["yuva", "gbrap", "rgba", "bgra", "argb", "abgr", "ya8", "ya16", "pal8"].contains {
                format.hasPrefix($0)
            }
        }
        /// Whether its colours are those of BT.2020.
        var isWide: Bool { primaries == "bt2020" || (matrix ?? "").hasPrefix("bt2020") }
    }

    package var streams: [Stream]
    package var duration: Duration?

    /// The pictures, and the sound, that a player would show.
    package var video: Stream? { streams.first { $0.type == "video" && !$0.isStillPicture && ($0.width ?? 0) > 0 } }
    package var audio: Stream? { streams.first { $0.type == "audio" && ($0.channels ?? 0) > 0 } }

    /// What is asked for.
    static let entries =
        "format=duration:stream=index,codec_type,codec_name,profile,level,width,height,pix_fmt,sample_aspect_ratio,"
        + "color_space,color_transfer,color_primaries,r_frame_rate,avg_frame_rate,sample_rate,channels,start_time,duration"
        + ":stream_disposition=attached_pic:stream_tags=alpha_mode"

    /// Reads lines such as `streams.stream.0.codec_name="h264"`.
    package init(flat bytes: [UInt8]) {
        var fields: [Int: [String: String]] = [:]
        duration = nil
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let path = line[..<equals].split(separator: ".").map(String.init)
            var value = String(line[line.index(after: equals)...])
            if value.hasPrefix("\""), value.hasSuffix("\""), value.utf8.count >= 2 {
                value = String(value.dropFirst().dropLast())
            }
            if path == ["format", "duration"] {
                duration = Duration(secondsText: value)
            } else if path.count >= 4, path[0] == "streams", path[1] == "stream", let number = Int(path[2]),
                (0..<64).contains(number), let name = path.last
            {
                fields[number, default: [:]][name] = value
            }
        }
        streams = fields.sorted { $0.key < $1.key }.compactMap { Stream($0.value) }
    }
}

extension ProbedMedia.Stream {
    fileprivate init?(_ fields: [String: String]) {
        guard let index = fields["index"].flatMap({ Int($0) }), (0..<1_024).contains(index),
            let type = fields["codec_type"]
        else { return nil }
        self.index = index
        self.type = type
        codec = fields["codec_name"] ?? ""
        profile = fields["profile"]
        level = fields["level"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        width = fields["width"].flatMap { Int($0) }
        height = fields["height"].flatMap { Int($0) }
        pixelFormat = fields["pix_fmt"]
        pixelAspect = fields["sample_aspect_ratio"].flatMap { PixelAspect($0) }
        func told(_ name: String) -> String? { fields[name].flatMap { $0 == "unknown" || $0 == "reserved" ? nil : $0 } }
        matrix = told("color_space")
        transfer = told("color_transfer")
        primaries = told("color_primaries")
        frameRate =
            fields["avg_frame_rate"].flatMap { FrameRate($0) } ?? fields["r_frame_rate"].flatMap { FrameRate($0) }
        baseFrameRate = fields["r_frame_rate"].flatMap { FrameRate($0) }
        sampleRate = fields["sample_rate"].flatMap { Int($0) }
        channels = fields["channels"].flatMap { Int($0) }
        start = fields["start_time"].flatMap { Duration(secondsText: $0) }
        duration = fields["duration"].flatMap { Duration(secondsText: $0) }
        isStillPicture = fields["attached_pic"] == "1"
        hasSeparateMask = (fields["alpha_mode"] ?? fields["ALPHA_MODE"]) == "1" && ["vp8", "vp9"].contains(codec)
    }
}
