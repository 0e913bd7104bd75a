/// The filler of subtitle renditions while ads play: no cue, and the header that keeps players' clocks in order.
///
/// Without X-TIMESTAMP-MAP players have placed the cues after the ad wrongly (RFC 8216 §3.5).
enum EmptySubtitles {
    static let contentType = "text/vtt"
    static let body = Array("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n".utf8)
}
