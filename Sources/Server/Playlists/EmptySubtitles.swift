internal import Stitching

/// The filler of subtitle renditions while ads play: no cue, and a header that fits the ad's own clock (rule 1115), by which players
/// place what they find in a segment.
///
/// `empty-TIMESTAMP.vtt`, and `empty.vtt` where the ad's media could not be read. hls.js and ExoPlayer look at the map only where a
/// cue follows, so that one of a wrong time does no harm there; some players lose the cues behind a discontinuity where a file has
/// no map at all.
enum EmptySubtitles {
    static let contentType = "text/vtt"

    static func name(_ timestamp: Int64?) -> String {
        timestamp.map { "empty-\($0).vtt" } ?? "empty.vtt"
    }

    /// Nil for any other name. Not known: zero, as where no map is given.
    static func timestamp(ofName name: some StringProtocol) -> Int64? {
        if name == "empty.vtt" { return 0 }
        guard name.hasPrefix("empty-"), name.hasSuffix(".vtt"), let timestamp = Int64(name.dropFirst(6).dropLast(4)),
            (0..<MediaTimestamps.period).contains(timestamp), "empty-\(timestamp).vtt" == name
        else { return nil }
        return timestamp
    }

    static func body(_ timestamp: Int64) -> [UInt8] {
        Array("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(timestamp)\n\n".utf8)
    }
}
