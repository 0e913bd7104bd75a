// The rules of kinds and ends of playlists, low latency, multivariant playlists, variables and HTTP.
extension LintRule {
    /// Kind and end of a playlist, RFC 8216bis §4.4.3.4-5 and §6.2.1.
    static let playlistTypeRules = [
        LintRule(901, .must, .playlist, "EXT-X-PLAYLIST-TYPE is EVENT or VOD"),
        LintRule(902, .must, .playlist, "A VOD playlist has EXT-X-ENDLIST"),
        LintRule(903, .must, [.playlist, .reload], "A sliding playlist has no EXT-X-PLAYLIST-TYPE"),
        LintRule(904, .must, .reload, "An EVENT playlist is only appended to"),
        LintRule(905, .must, .reload, "A VOD or ended playlist never changes"),
        LintRule(906, .must, .playlist, "No segment stands after EXT-X-ENDLIST"),
        LintRule(907, .must, .renditions, "EXT-X-PLAYLIST-TYPE is the same in all playlists"),
        LintRule(909, .must, .reload, "EXT-X-ENDLIST never goes away"),
    ]

    /// Low latency, RFC 8216bis §4.4.3.7-8, §4.4.4.9, §4.4.5.2-4 and §6.2.5.
    static let lowLatencyRules = [
        LintRule(1001, .must, .playlist, "Partial segments need EXT-X-PART-INF and PART-HOLD-BACK"),
        LintRule(1002, .must, .playlist, "No partial segment is longer than PART-TARGET"),
        LintRule(1003, .must, .playlist, "Partial segments have at least 85 % of PART-TARGET"),
        LintRule(
            1004, .must, .playlist,
            "PART-HOLD-BACK is at least two (better three) part targets; CAN-SKIP-DATERANGES needs CAN-SKIP-UNTIL"),
        LintRule(
            1005, .must, [.playlist, .reload],
            "One EXT-X-PRELOAD-HINT of a TYPE, none in an ended playlist; what it names is the next part"),
        LintRule(1006, .must, .playlist, "EXT-X-RENDITION-REPORT has a relative URI and numbers, one for a rendition"),
        LintRule(
            1007, .must, [.playlist, .http],
            "EXT-X-SKIP only in answers to _HLS_skip, with the right count"),
        LintRule(
            1008, .must, [.playlist, .http], "Nothing nearer than the skip boundary is skipped, nor after the end"),
        LintRule(1009, .must, .playlist, "Partial segments add up to their segment"),
        LintRule(1010, .must, .renditions, "EXT-X-SERVER-CONTROL is the same in all media playlists"),
        LintRule(1011, .must, .http, "Blocking reloads are answered as announced"),
        LintRule(1012, .must, .playlist, "Tags of a segment stand before its first partial segment"),
    ]

    /// Multivariant playlists, RFC 8216bis §4.4.6.
    static let multivariantRules = [
        LintRule(1101, .must, .playlist, "EXT-X-STREAM-INF has BANDWIDTH and a URI line after it"),
        LintRule(1102, .must, .playlist, "The attributes of EXT-X-MEDIA fit its type"),
        LintRule(1103, .must, .playlist, "Groups that variants name exist"),
        LintRule(1104, .must, .playlist, "Names in a group differ, and one at most is the default"),
        LintRule(1105, .must, .playlist, "CLOSED-CAPTIONS=NONE on all variants or on none"),
        LintRule(1106, .must, [.playlist, .renditions], "I-frame variants lead to I-frame playlists"),
        LintRule(1107, .must, .playlist, "EXT-X-SESSION-DATA has VALUE or URI"),
        LintRule(1109, .must, .playlist, "The pathway of EXT-X-CONTENT-STEERING exists"),
        LintRule(1110, .should, .playlist, "CODECS names every format, BANDWIDTH is the peak"),
        LintRule(1112, .must, .playlist, "Groups of one type have the same members"),
        LintRule(1114, .practice, [.renditions, .http], "Every URI can be loaded"),
        LintRule(1115, .must, .renditions, "Renditions are as long as the video, with the same discontinuities"),
    ]

    /// Variables, RFC 8216bis §4.3 and §4.4.2.3.
    static let variableRules = [
        LintRule(1201, .must, .playlist, "EXT-X-DEFINE has NAME with VALUE, or IMPORT, or QUERYPARAM"),
        LintRule(1202, .must, .playlist, "No variable is defined twice"),
        LintRule(1203, .must, .playlist, "A variable is defined before it is used"),
        LintRule(
            1204, .must, [.playlist, .renditions, .http],
            "IMPORT only in media playlists; names of variables have their characters"),
    ]

    /// HTTP.
    static let httpRules = [
        LintRule(1501, .practice, .http, "A playlist is answered whole with 200, or with a clear error"),
        LintRule(1502, .should, .http, "Playlists are compressed when accepted"),
        LintRule(1503, .should, .http, "Playlists are cached as long as they hold, and can be read from web pages"),
    ]
}
