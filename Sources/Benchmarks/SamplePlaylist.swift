internal import HLS

/// A media playlist as packagers write it, without dates or with one on every segment.
struct SamplePlaylist {
    let segments: Int
    let isDated: Bool
    let bytes: [UInt8]

    /// A live window, a longer one, two hours of DVR, and two days.
    static let sizes = [15, 60, 1_200, 28_000]

    static var all: [SamplePlaylist] {
        sizes.flatMap { [SamplePlaylist(segments: $0, isDated: false), SamplePlaylist(segments: $0, isDated: true)] }
    }

    var name: String { "\(segments)\(isDated ? "-dated" : "")" }

    /// Lines before the first segment.
    static let headerLines = 4

    init(segments: Int, isDated: Bool) {
        self.segments = segments
        self.isDated = isDated
        let first = 100_000
        var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
        for index in 0..<segments {
            if isDated { text += "#EXT-X-PROGRAM-DATE-TIME:\(Self.date(index).formatted)\n" }
            text += "#EXTINF:6.006,\n\(Self.uri(first + index))\n"
        }
        bytes = Array(text.utf8)
    }

    static func uri(_ number: Int) -> String { "video/720p/segment-\(number).ts" }

    /// When a segment begins.
    static func date(_ index: Int) -> DateTime {
        DateTime(nanoseconds: 1_768_637_700_127_000_000 + Int64(index) * 6_006_000_000)
    }
}
