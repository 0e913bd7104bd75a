/// What a format of CODECS is, told by its first four characters (RFC 6381 and the registered sample entries).
enum CodecKind: Hashable {
    case video, audio, text, unknown

    init(_ codec: String) {
        let format = codec.prefix { $0 != "." }
        switch format.lowercased() {
        case "avc1", "avc2", "avc3", "avc4", "hvc1", "hev1", "hvc2", "hev2", "dvh1", "dvhe", "dva1", "dvav", "dav1",
            "av01",
            "vp08", "vp09", "vp8", "vp9", "vvc1", "vvi1", "mp4v", "mjpg", "jpeg", "apv1":
            self = .video
        case "mp4a", "ac-3", "ec-3", "ac-4", "opus", "flac", "alac", "mp3", "dtsc", "dtse", "dtsh", "dtsl", "dtsx",
            "mhm1",
            "mhm2", "mha1", "mha2", "iamf", "apac", "usac", "vorbis":
            self = .audio
        case "wvtt", "stpp", "tx3g", "c608", "c708":
            self = .text
        default: self = .unknown
        }
    }
}
