// The rules of keys, init sections, byte ranges and dates.
extension LintRule {
    /// Encryption, RFC 8216bis §4.4.4.4, §4.4.6.5 and §5.
    static let encryptionRules = [
        LintRule(601, .must, .playlist, "METHOD is one of the standard's"),
        LintRule(602, .must, .playlist, "METHOD=NONE stands alone"),
        LintRule(603, .must, .playlist, "A key has a URI"),
        LintRule(604, .must, .playlist, "IV is 0x and 32 hexadecimal digits"),
        LintRule(
            605, .practice, .playlist, "Keys without IV take it from the media sequence number: renumbering breaks them"
        ),
        LintRule(606, .must, .playlist, "AES-256-GCM and SAMPLE-AES-CTR have no IV"),
        LintRule(607, .must, .playlist, "EXT-X-MAP under AES-128 needs an explicit IV"),
        LintRule(608, .must, .reload, "EXT-X-KEY stays while a listed segment needs it"),
        LintRule(611, .must, [.playlist, .renditions], "EXT-X-SESSION-KEY is no METHOD=NONE and equals its EXT-X-KEY"),
    ]

    /// Init sections, byte ranges, gaps, bit rates and start, RFC 8216bis §4.4.4.
    static let resourceRules = [
        LintRule(701, .must, .playlist, "EXT-X-MAP has a URI, and its BYTERANGE an offset"),
        LintRule(702, .must, .playlist, "Every fragmented MP4 segment is under an EXT-X-MAP"),
        LintRule(703, .must, .playlist, "A byte range without offset continues an earlier one of the same resource"),
        LintRule(704, .must, .playlist, "A byte range without offset follows that of the segment before it"),
        LintRule(705, .must, .playlist, "Segments that need no init section are not under an EXT-X-MAP"),
        LintRule(706, .must, .playlist, "After an inserted part the content's EXT-X-MAP is declared again"),
        LintRule(707, .must, .playlist, "EXT-X-GAP belongs to a segment"),
        LintRule(1301, .must, .playlist, "EXT-X-BITRATE is within 10 % of the truth and does not apply to byte ranges"),
        LintRule(
            1302, .should, [.playlist, .renditions], "EXT-X-START lies in the playlist, in live not near its end"),
        LintRule(1303, .note, .renditions, "EXT-X-INDEPENDENT-SEGMENTS stands in one of the two playlists"),
    ]

    /// Dates, RFC 8216bis §4.4.4.6 and §6.2.1.
    static let dateRules = [
        LintRule(801, .must, .playlist, "Dates are ISO 8601, with zone and milliseconds"),
        LintRule(802, .must, .playlist, "Dates rise from segment to segment and never overlap by a second"),
        LintRule(803, .should, .playlist, "With dates in use every discontinuity has one"),
        LintRule(804, .practice, .reload, "A segment keeps its date"),
        LintRule(805, .must, .renditions, "Dates are in all media playlists or in none"),
        LintRule(806, .must, .renditions, "Dates of media playlists agree"),
    ]

    /// Date ranges and interstitials, RFC 8216bis §4.4.5.1 and appendix D.
    static let dateRangeRules = [
        LintRule(811, .must, .playlist, "EXT-X-DATERANGE has ID, and START-DATE in the first tag of an ID"),
        LintRule(812, .must, .playlist, "EXT-X-DATERANGE needs an EXT-X-PROGRAM-DATE-TIME"),
        LintRule(813, .must, .playlist, "Date ranges have no negative length"),
        LintRule(814, .must, .playlist, "END-DATE is START-DATE and DURATION"),
        LintRule(815, .must, .playlist, "END-ON-NEXT is YES, with CLASS, without DURATION and END-DATE"),
        LintRule(
            816, .must, .playlist,
            "Tags of one ID do not contradict each other; CUE is of PRE, POST and ONCE, not PRE with POST"),
        LintRule(817, .must, .playlist, "SCTE-35 sections are whole, as unquoted hexadecimal digits"),
        LintRule(818, .must, .playlist, "SCTE35-OUT and -IN share an ID; the length stands with the IN"),
        LintRule(819, .must, .reload, "A date range stays while it maps to a listed segment"),
        LintRule(820, .must, .reload, "Attributes of a date range never change or vanish"),
        LintRule(821, .must, .renditions, "Playlists that have date ranges have the same ones"),
        LintRule(822, .must, .playlist, "An interstitial has X-ASSET-URI, absolute, or X-ASSET-LIST, and not both"),
        LintRule(823, .must, .playlist, "Attributes of an interstitial have their forms and values"),
        LintRule(824, .must, .http, "An asset list is JSON with the URI and the duration of each asset"),
        LintRule(825, .must, .playlist, "A preload range has its target, URI and end, and no cue"),
    ]
}
