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
    }

    package var streams: [Stream]
    package var duration: Duration?

    /// The pictures, and the sound, that a player would show.
    package var video: Stream? { streams.first { $0.type == "video" && !$0.isStillPicture && ($0.width ?? 0) > 0 } }
    package var audio: Stream? { streams.first { $0.type == "audio" && ($0.channels ?? 0) > 0 } }

    /// What is asked for.
    static let entries =
        "format=duration:stream=index,codec_type,codec_name,profile,level,width,height,pix_fmt,r_frame_rate,"
        + "avg_frame_rate,sample_rate,channels,start_time,duration:stream_disposition=attached_pic"

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
        frameRate =
            fields["avg_frame_rate"].flatMap { FrameRate($0) } ?? fields["r_frame_rate"].flatMap { FrameRate($0) }
        baseFrameRate = fields["r_frame_rate"].flatMap { FrameRate($0) }
        sampleRate = fields["sample_rate"].flatMap { Int($0) }
        channels = fields["channels"].flatMap { Int($0) }
        start = fields["start_time"].flatMap { Duration(secondsText: $0) }
        duration = fields["duration"].flatMap { Duration(secondsText: $0) }
        isStillPicture = fields["attached_pic"] == "1"
    }
}
