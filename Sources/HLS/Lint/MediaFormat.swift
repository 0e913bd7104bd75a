/// What a URI's ending says of a segment. Few servers lie about it, and nothing else in a playlist tells.
enum MediaFormat: Hashable {
    case fragmentedMP4, transportStream, packedAudio, webVTT, unknown

    /// Of the text of a URI: its path's last component counts, without query and fragment.
    init(_ bytes: Span<UInt8>, uri: Range<Int>) {
        var end = uri.lowerBound
        var dot: Int?
        while end < uri.upperBound, bytes[end] != 0x3F, bytes[end] != 0x23 {
            if bytes[end] == 0x2E { dot = end }
            if bytes[end] == 0x2F { dot = nil }
            end += 1
        }
        guard let dot, end - dot <= 8 else {
            self = .unknown
            return
        }
        let ending = String(decoding: (dot + 1..<end).map { bytes[$0].loweredASCII }, as: UTF8.self)
        switch ending {
        case "mp4", "m4s", "m4v", "m4a", "m4f", "cmfv", "cmfa", "cmft", "cmfm": self = .fragmentedMP4
        case "ts", "m2ts", "mts": self = .transportStream
        case "aac", "mp3", "ac3", "ec3": self = .packedAudio
        case "vtt", "webvtt": self = .webVTT
        default: self = .unknown
        }
    }

    /// Whether an init section means nothing to it.
    var needsNoInitialization: Bool { self == .packedAudio || self == .webVTT }

    var name: String {
        switch self {
        case .fragmentedMP4: "fragmented MP4"
        case .transportStream: "MPEG-2 TS"
        case .packedAudio: "packed audio"
        case .webVTT: "WebVTT"
        case .unknown: "unknown"
        }
    }
}
