// The rules of files, versions, lengths and numbers.
extension LintRule {
    /// The file, RFC 8216bis §4 and §4.1-4.2.
    static let fileRules = [
        LintRule(
            101, .must, .http, "The path ends in .m3u8 or .m3u, or the content type is that of a playlist"),
        LintRule(
            102, .must, .playlist,
            "UTF-8 in normal form C, without byte order mark and without control characters but line ends"),
        LintRule(103, .must, .playlist, "The first line is #EXTM3U"),
        LintRule(
            104, .must, .playlist, "No blanks around attributes, lines and values; tags in their case"),
        LintRule(105, .must, .playlist, "Attribute names of A-Z, 0-9 and hyphen, none twice, quotes closed"),
        LintRule(106, .must, .playlist, "Values have the form that is defined for them"),
        LintRule(107, .must, .playlist, "Tags of the whole playlist are there once"),
        LintRule(108, .must, .playlist, "No tag of the other kind of playlist"),
        LintRule(109, .note, .playlist, "Unknown tags are ignored by players and kept by rewriters"),
        LintRule(111, .must, .playlist, "Required attributes are there"),
        LintRule(112, .must, .playlist, "URIs are not empty and have no blanks"),
    ]

    /// The version, RFC 8216bis §8.
    static let versionRules = [
        LintRule(201, .must, .playlist, "EXT-X-VERSION is there if anything needs more than version 1"),
        LintRule(202, .must, .playlist, "EXT-X-VERSION is at least what the playlist needs"),
        LintRule(203, .note, .playlist, "EXT-X-VERSION is not higher than needed"),
        LintRule(204, .note, .playlist, "PROGRAM-ID and EXT-X-ALLOW-CACHE are gone from the standard"),
    ]

    /// Target duration and lengths of segments, RFC 8216bis §4.4.3.1 and §6.2.
    static let durationRules = [
        LintRule(301, .must, .playlist, "EXT-X-TARGETDURATION is there"),
        LintRule(302, .must, .playlist, "The target duration is a whole number of at least 1"),
        LintRule(303, .must, .playlist, "No EXTINF, rounded, is above the target duration"),
        LintRule(304, .must, .playlist, "Each segment has one EXTINF with a comma, not negative"),
        LintRule(305, .must, .playlist, "Decimal EXTINF only from version 3"),
        LintRule(307, .must, .reload, "The target duration never changes"),
        LintRule(308, .must, .renditions, "The target duration is the same in all playlists"),
        LintRule(309, .must, [.playlist, .reload], "A live playlist lists at least three target durations"),
        LintRule(310, .must, .reload, "A live playlist gets a segment within 1.5 target durations"),
        LintRule(311, .must, .playlist, "HOLD-BACK and CAN-SKIP-UNTIL fit the target duration"),
    ]

    /// Media sequence numbers, RFC 8216bis §4.4.3.2 and §6.2.
    static let sequenceRules = [
        LintRule(401, .must, .playlist, "EXT-X-MEDIA-SEQUENCE stands before the first segment"),
        LintRule(402, .must, .playlist, "EXT-X-MEDIA-SEQUENCE is a whole number"),
        LintRule(403, .must, .reload, "The media sequence number never decreases"),
        LintRule(404, .must, .reload, "One number names one segment for ever"),
        LintRule(405, .must, .reload, "Segments leave only from the front, and the number rises by one for each"),
        LintRule(406, .must, .reload, "A playlist that loses segments has EXT-X-MEDIA-SEQUENCE"),
    ]

    /// Discontinuities, RFC 8216bis §4.4.3.3, §4.4.4.3 and §6.2.
    static let discontinuityRules = [
        LintRule(
            501, .must, .playlist,
            "EXT-X-DISCONTINUITY-SEQUENCE is a whole number before the first segment and the first EXT-X-DISCONTINUITY"),
        LintRule(502, .must, .reload, "A segment keeps its discontinuity number"),
        LintRule(
            503, .must, [.playlist, .reload], "A sliding playlist with discontinuities has EXT-X-DISCONTINUITY-SEQUENCE"
        ),
        LintRule(504, .must, .renditions, "The same content has the same discontinuity number in all playlists"),
        LintRule(505, .must, .playlist, "EXT-X-DISCONTINUITY where container, tracks, timestamps or encoding change"),
        LintRule(506, .practice, .playlist, "One EXT-X-DISCONTINUITY for a segment"),
        LintRule(507, .practice, .playlist, "EXT-X-DISCONTINUITY has a segment after it"),
        LintRule(508, .must, .renditions, "Discontinuities lie at the same media time in all playlists"),
    ]
}
