@testable import HLS

extension LintCases {
    /// A playlist around `body`, whose first line is the fourth.
    static func list(_ body: String, version: Int = 6, target: Int = 6, isLive: Bool = false) -> String {
        "#EXTM3U\n#EXT-X-VERSION:\(version)\n#EXT-X-TARGETDURATION:\(target)\n\(body)\(isLive ? "" : "#EXT-X-ENDLIST\n")"
    }

    static let segment = "#EXTINF:6,\na.ts\n"

    static let fileCases: [LintCase] =
        characterCases + firstLineCases + blankCases + attributeSyntaxCases + onceCases + kindCases

    private static let characterCases: [LintCase] = [
        LintCase(102, "a byte order mark", "\u{FEFF}" + list(segment), breaksAt: 1),
        LintCase(102, "a byte order mark inside", list(segment + "\u{FEFF}#EXTM3U\n" + segment), breaksAt: 6),
        LintCase(102, "bytes that are no UTF-8", bytes: Array(list(segment).utf8) + [0x23, 0xC3, 0x0A], breaksAt: 7),
        LintCase(102, "a surrogate", bytes: Array(list("").utf8) + [0x23, 0xED, 0xA0, 0x80, 0x0A], breaksAt: 5),
        LintCase(102, "a null byte", list("#EXTINF:6,a\u{0}b\na.ts\n"), breaksAt: 4),
        LintCase(102, "an escape character in a comment", list("# \u{1B}[0m\n" + segment), breaksAt: 4),
        LintCase(102, "a delete character", list("#EXTINF:6,\u{7F}\na.ts\n"), breaksAt: 4),
        LintCase(102, "a control character above ASCII", list("#EXTINF:6,a\u{85}b\na.ts\n"), breaksAt: 4),
        LintCase(102, "a tab in a title", list("#EXTINF:6,a\tb\na.ts\n"), breaksAt: 4),
        LintCase(102, "a carriage return alone", list("# a\rb\n" + segment), breaksAt: 4),
        LintCase(102, "two carriage returns", list("#EXTINF:6,\r\r\na.ts\n"), breaksAt: 4),
        LintCase(102, "a letter and a mark apart", list("#EXTINF:6,Cafe\u{301}\na.ts\n"), breaksAt: 4),
        LintCase(102, "marks in the wrong order", list("#EXTINF:6,q\u{307}\u{323}\na.ts\n"), breaksAt: 4),
        LintCase(102, "a sign that has another", list("#EXTINF:6,10 \u{212B}\na.ts\n"), breaksAt: 4),
        LintCase(102, "Hangul taken apart", list("#EXTINF:6,\u{1112}\u{1161}\u{11AB}\na.ts\n"), breaksAt: 4),
        LintCase(102, "kana with their mark apart", list("#EXTINF:6,\u{304B}\u{3099}\na.ts\n"), breaksAt: 4),
        LintCase(
            102, "carriage returns and line feeds, titles of all scripts",
            list("#EXTINF:6,Caf\u{E9} q\u{323}\u{307} \u{D55C}\u{AE00} \u{30AC} \u{1F389}\r\na.ts\r\n")),
        LintCase(
            102, "tabs in the list of removed date ranges",
            list(
                "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=36,CAN-SKIP-DATERANGES=YES\n"
                    + "#EXT-X-SKIP:SKIPPED-SEGMENTS=1,RECENTLY-REMOVED-DATERANGES=\"a\tb\"\n"
                    + String(repeating: segment, count: 6), version: 10, isLive: true)),
    ]

    private static let firstLineCases: [LintCase] = [
        LintCase(103, "a comment first", "# a comment\n" + list(segment), breaksAt: 1),
        LintCase(103, "a blank line first", "\n" + list(segment), breaksAt: 1),
        LintCase(103, "no signature", "#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n" + segment, breaksAt: 1),
        LintCase(103, "attributes behind the signature", "#EXTM3U x-tvg-url=\"u\"\n#EXT-X-VERSION:3\n", breaksAt: 1),
        LintCase(103, "the signature first", list(segment)),
    ]

    private static let blankCases: [LintCase] = [
        LintCase(104, "before a tag", list(" #EXTINF:6,\na.ts\n"), breaksAt: 4),
        LintCase(104, "before a URI", list("#EXTINF:6,\n a.ts\n"), breaksAt: 5),
        LintCase(104, "behind a URI", list("#EXTINF:6,\na.ts \n"), breaksAt: 5),
        LintCase(104, "behind a tag", list("#EXT-X-GAP \n" + segment), breaksAt: 4),
        LintCase(104, "behind the colon", list("#EXTINF: 6,\na.ts\n"), breaksAt: 4),
        LintCase(
            104, "behind a comma", list("#EXT-X-KEY:METHOD=AES-128, URI=\"k\",IV=\(vector)\n" + segment), breaksAt: 4),
        LintCase(
            104, "before a comma", list("#EXT-X-KEY:METHOD=AES-128 ,URI=\"k\",IV=\(vector)\n" + segment), breaksAt: 4),
        LintCase(
            104, "around the sign", list("#EXT-X-KEY:METHOD =AES-128,URI= \"k\",IV=\(vector)\n" + segment), breaksAt: 4),
        LintCase(104, "a line of blanks", list(" \t\n" + segment), breaksAt: 4),
        LintCase(104, "a tag in lower case", list("#ext-x-gap\n" + segment), breaksAt: 4),
        LintCase(104, "a tag in mixed case", list("#EXT-X-Discontinuity\n" + segment), breaksAt: 4),
        LintCase(
            104, "in a title, a comment and a quoted string",
            list(
                "# a comment \n#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=\(vector),KEYFORMAT=\"identity\"\n"
                    + "#EXTINF:6, a title \na.ts\n\n")),
    ]

    static let vector = "0x00000000000000000000000000000001"

    private static let attributeSyntaxCases: [LintCase] = [
        LintCase(105, "a name in lower case", list("#EXT-X-START:TIME-OFFSET=0,precise=YES\n" + segment), breaksAt: 4),
        LintCase(105, "a name with another sign", list("#EXT-X-START:TIME_OFFSET=0\n" + segment), breaksAt: 4),
        LintCase(105, "no name", list("#EXT-X-START:TIME-OFFSET=0,=1\n" + segment), breaksAt: 4),
        LintCase(105, "no value", list("#EXT-X-START:TIME-OFFSET=0,PRECISE\n" + segment), breaksAt: 4),
        LintCase(105, "a name twice", list("#EXT-X-START:TIME-OFFSET=0,TIME-OFFSET=1\n" + segment), breaksAt: 4),
        LintCase(105, "a quote that is not closed", list("#EXT-X-MAP:URI=\"i.mp4\n#EXTINF:6,\na.mp4\n"), breaksAt: 4),
        LintCase(105, "text behind a quote", list("#EXT-X-MAP:URI=\"i.mp4\"x\n#EXTINF:6,\na.mp4\n"), breaksAt: 4),
        LintCase(
            105, "text between a quote and a comma",
            list("#EXT-X-MAP:URI=\"i.mp4\"x,BYTERANGE=\"1@0\"\n#EXTINF:6,\na.mp4\n"), breaksAt: 4),
        LintCase(105, "an empty attribute", list("#EXT-X-START:TIME-OFFSET=0,,PRECISE=YES\n" + segment), breaksAt: 4),
        LintCase(105, "a comma at the end", list("#EXT-X-START:TIME-OFFSET=0,\n" + segment), breaksAt: 4),
        LintCase(105, "a comma at the start", list("#EXT-X-START:,TIME-OFFSET=0\n" + segment), breaksAt: 4),
        LintCase(
            105, "more attributes than any tag has",
            list("#EXT-X-START:TIME-OFFSET=0" + (0..<300).map { ",X-\($0)=1" }.joined() + "\n" + segment), breaksAt: 4),
        LintCase(
            105, "commas and signs in quotes, names that nobody knows",
            list("#EXT-X-MAP:URI=\"i.mp4?a=1,b=2\",X-NEW-2=a\n#EXTINF:6,\na.mp4\n")),
    ]

    private static let onceCases: [LintCase] = repeatedTags + otherRepetitions

    private static let repeatedTags: [LintCase] =
        [
            ("VERSION", "#EXT-X-VERSION:6\n"), ("TARGETDURATION", "#EXT-X-TARGETDURATION:6\n"),
            ("MEDIA-SEQUENCE", "#EXT-X-MEDIA-SEQUENCE:0\n"),
            ("DISCONTINUITY-SEQUENCE", "#EXT-X-DISCONTINUITY-SEQUENCE:0\n"),
            ("ENDLIST", "#EXT-X-ENDLIST\n"), ("PLAYLIST-TYPE", "#EXT-X-PLAYLIST-TYPE:VOD\n"),
            ("I-FRAMES-ONLY", "#EXT-X-I-FRAMES-ONLY\n"), ("PART-INF", "#EXT-X-PART-INF:PART-TARGET=1\n"),
            ("SERVER-CONTROL", "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n"),
            ("INDEPENDENT-SEGMENTS", "#EXT-X-INDEPENDENT-SEGMENTS\n"), ("START", "#EXT-X-START:TIME-OFFSET=0\n"),
            ("SKIP", "#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n"),
        ].map { name, line in
            let isInHead = name == "VERSION" || name == "TARGETDURATION"
            let body = isInHead ? line : line + line
            return LintCase(107, "\(name) twice", list(body + segment, isLive: true), breaksAt: isInHead ? 4 : 5)
        }

    private static let otherRepetitions: [LintCase] = [
        LintCase(107, "EXTM3U twice", list("#EXTM3U\n" + segment), breaksAt: 4),
        LintCase(107, "two lists glued", list(segment) + list(segment), breaksAt: 7),
        LintCase(
            107, "each once",
            list(
                "#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-DISCONTINUITY-SEQUENCE:0\n"
                    + "#EXT-X-INDEPENDENT-SEGMENTS\n#EXT-X-START:TIME-OFFSET=0\n" + segment)),
    ]

    private static let kindCases: [LintCase] =
        [
            "MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\"", "STREAM-INF:BANDWIDTH=1",
            "I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"u\"", "SESSION-DATA:DATA-ID=\"a\",VALUE=\"v\"",
            "SESSION-KEY:METHOD=AES-128,URI=\"k\"", "CONTENT-STEERING:SERVER-URI=\"s\"",
        ].map { LintCase(108, "\($0.prefix { $0 != ":" })", mediaFirst + "#EXT-X-\($0)\n" + segment, breaksAt: 6) }
        + [
            "#EXT-X-TARGETDURATION:6", "#EXT-X-MEDIA-SEQUENCE:1", "#EXT-X-DISCONTINUITY-SEQUENCE:1", "#EXT-X-ENDLIST",
            "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-I-FRAMES-ONLY", "#EXT-X-PART-INF:PART-TARGET=1",
            "#EXT-X-SERVER-CONTROL:HOLD-BACK=9", "#EXT-X-SKIP:SKIPPED-SEGMENTS=1", "#EXTINF:6,", "#EXT-X-BYTERANGE:1@0",
            "#EXT-X-DISCONTINUITY", "#EXT-X-KEY:METHOD=NONE", "#EXT-X-MAP:URI=\"i\"",
            "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z", "#EXT-X-GAP", "#EXT-X-BITRATE:1",
            "#EXT-X-PART:DURATION=1,URI=\"p\"", "#EXT-X-DATERANGE:ID=\"a\"", "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"p\"",
            "#EXT-X-RENDITION-REPORT:URI=\"r\"",
        ].map { LintCase(108, "\($0) of a media playlist", multivariantFirst + $0 + "\n", breaksAt: 4) } + [
            LintCase(108, "tags of media playlists", list(segment)),
            LintCase(
                109, "an unknown tag", list("#EXT-X-CUSTOM:1\n" + segment + "#EXT-X-CUSTOM:2\n" + segment), breaksAt: 4),
            LintCase(109, "comments and vendors' cues", list("# note\n#EXT-X-CUE-OUT:30\n" + segment)),
        ]

    private static let mediaFirst = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n"
    private static let multivariantFirst = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.4d401f\"\nv.m3u8\n"
}
