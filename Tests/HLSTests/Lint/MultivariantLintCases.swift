@testable import HLS

extension LintCases {
    private static let variant = "#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS=\"avc1.4d401f,mp4a.40.2\""

    /// A multivariant playlist with these lines and, after them, variants with more attributes; a URI line goes after each.
    private static func playlist(_ lines: String..., variants: [String] = [""]) -> String {
        (["#EXTM3U", "#EXT-X-VERSION:13"] + lines + variants.flatMap { [variant + $0, "v"] }).joined(separator: "\n")
            + "\n"
    }

    private static func audio(_ group: String, _ name: String, _ rest: String = "") -> String {
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"\(group)\",NAME=\"\(name)\",CHANNELS=\"2\",URI=\"\(group)-\(name)\"\(rest)"
    }

    static let multivariantCases: [LintCase] =
        variantCases + codecCases + renditionCases + groupCases + sessionCases + variableCases + multivariantFileCases

    private static let variantCases: [LintCase] = [
        LintCase(1101, "no BANDWIDTH", "#EXTM3U\n#EXT-X-STREAM-INF:CODECS=\"a\"\nv\n", breaksAt: 2),
        LintCase(1101, "BANDWIDTH is a word", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=high\nv\n", breaksAt: 2),
        LintCase(1101, "BANDWIDTH is 0", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=0\nv\n", breaksAt: 2),
        LintCase(1101, "no URI at the end", playlist() + variant + "\n", breaksAt: 5),
        LintCase(1101, "no URI before the next variant", playlist(variant), breaksAt: 3),
        LintCase(1101, "a URI alone", playlist("w"), breaksAt: 3),
        LintCase(1101, "a tag in between", "#EXTM3U\n\(variant)\n\(audio("g", "n"))\nv\n", breaksAt: 3),
        LintCase(1101, "no variant", "#EXTM3U\n\(audio("g", "n"))\n", breaksAt: 2),
        LintCase(
            1101, "an I-frame variant without BANDWIDTH",
            playlist("#EXT-X-I-FRAME-STREAM-INF:CODECS=\"avc1.1\",URI=\"i\""), breaksAt: 3),
        LintCase(1101, "tag and URI", playlist()),
        LintCase(1101, "a comment between tag and URI", "#EXTM3U\n\(variant)\n# a\n\n#EXT-X-OWN:1\nv\n"),
        LintCase(1103, "no such audio group", playlist(variants: [",AUDIO=\"g\""]), breaksAt: 3),
        LintCase(
            1103, "a group of another type", playlist(audio("g", "n"), variants: [",SUBTITLES=\"g\""]), breaksAt: 4),
        LintCase(1103, "no such captions", playlist(variants: [",CLOSED-CAPTIONS=\"NONE\""]), breaksAt: 3),
        LintCase(
            1103, "an I-frame variant with no such group",
            playlist("#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.1\",VIDEO=\"g\",URI=\"i\""), breaksAt: 3),
        LintCase(1103, "a group that nobody names", playlist(audio("g", "n")), breaksAt: 3),
        LintCase(1103, "groups that exist", playlist(audio("g", "n"), variants: [",AUDIO=\"g\",CLOSED-CAPTIONS=NONE"])),
        LintCase(1105, "NONE on one of two", playlist(variants: [",CLOSED-CAPTIONS=NONE", ""]), breaksAt: 5),
        LintCase(
            1105, "NONE and a group",
            playlist(
                "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"n\",INSTREAM-ID=\"CC1\"",
                variants: [",CLOSED-CAPTIONS=\"c\"", ",CLOSED-CAPTIONS=NONE"]), breaksAt: 4),
        LintCase(1105, "NONE on all", playlist(variants: [",CLOSED-CAPTIONS=NONE", ",CLOSED-CAPTIONS=NONE"])),
        LintCase(
            1106, "the playlist of a variant",
            playlist("#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.1\",URI=\"v\""),
            breaksAt: 3),
        LintCase(
            1106, "an audio group",
            playlist(
                audio("g", "n"), "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.1\",AUDIO=\"g\",URI=\"i\"",
                variants: [",AUDIO=\"g\""]), breaksAt: 4),
        LintCase(
            1106, "a frame rate",
            playlist("#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.1\",FRAME-RATE=25,URI=\"i\""), breaksAt: 3),
        LintCase(
            1106, "a playlist of its own",
            playlist("#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.1\",RESOLUTION=16x9,URI=\"i\"")),
    ]

    private static let codecCases: [LintCase] = [
        LintCase(1110, "no CODECS", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n", breaksAt: 2),
        LintCase(1110, "empty CODECS", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"\"\nv\n", breaksAt: 2),
        LintCase(
            1110, "a picture size without video",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2\",RESOLUTION=16x9\nv\n", breaksAt: 2),
        LintCase(
            1110, "an audio group without audio",
            "#EXTM3U\n\(audio("g", "n"))\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"hvc1.1\",AUDIO=\"g\"\nv\n", breaksAt: 3
        ),
        LintCase(
            1110, "the average above the peak",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,AVERAGE-BANDWIDTH=2,CODECS=\"avc1.1\"\nv\n", breaksAt: 2),
        LintCase(
            1110, "video, audio and the group's audio",
            playlist(audio("g", "n"), variants: [",AUDIO=\"g\",AVERAGE-BANDWIDTH=9,RESOLUTION=16x9"])),
        LintCase(
            1110, "a format that is not known",
            "#EXTM3U\n\(audio("g", "n"))\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"new1\",AUDIO=\"g\",RESOLUTION=16x9\nv\n"
        ),
        LintCase(106, "an identifier with a blank", playlist(variants: [",STABLE-VARIANT-ID=\"a b\""]), breaksAt: 3),
        LintCase(106, "a plain identifier", playlist(variants: [",STABLE-VARIANT-ID=\"a+b/c=.-_9\""])),
    ]

    private static func media(_ attributes: String) -> String {
        let type = attributes.prefix { $0 != "," }
        return playlist(
            "#EXT-X-MEDIA:GROUP-ID=\"g\",NAME=\"n\",TYPE=\(attributes)", variants: [",\(type)=\"g\""])
    }

    private static let renditionCases: [LintCase] = [
        LintCase(1102, "captions with URI", media("CLOSED-CAPTIONS,INSTREAM-ID=\"CC1\",URI=\"u\""), breaksAt: 3),
        LintCase(1102, "captions without INSTREAM-ID", media("CLOSED-CAPTIONS"), breaksAt: 3),
        LintCase(1102, "captions of another channel", media("CLOSED-CAPTIONS,INSTREAM-ID=\"CC5\""), breaksAt: 3),
        LintCase(1102, "captions of another service", media("CLOSED-CAPTIONS,INSTREAM-ID=\"SERVICE64\""), breaksAt: 3),
        LintCase(1102, "captions", media("CLOSED-CAPTIONS,INSTREAM-ID=\"SERVICE63\"")),
        LintCase(1102, "subtitles without URI", media("SUBTITLES"), breaksAt: 3),
        LintCase(1102, "subtitles", media("SUBTITLES,URI=\"u\",FORCED=NO,DEFAULT=YES,AUTOSELECT=YES")),
        LintCase(1102, "audio that is forced", media("AUDIO,CHANNELS=\"2\",FORCED=YES"), breaksAt: 3),
        LintCase(1102, "video with channels", media("VIDEO,CHANNELS=\"2\""), breaksAt: 3),
        LintCase(1102, "video with a sample rate", media("VIDEO,SAMPLE-RATE=48000"), breaksAt: 3),
        LintCase(1102, "audio without channels", media("AUDIO"), breaksAt: 3),
        LintCase(1102, "channels without a count", media("AUDIO,CHANNELS=\"JOC\""), breaksAt: 3),
        LintCase(1102, "audio", media("AUDIO,CHANNELS=\"16/JOC\",BIT-DEPTH=24,SAMPLE-RATE=48000")),
        LintCase(1102, "a default not selected", media("VIDEO,DEFAULT=YES,AUTOSELECT=NO"), breaksAt: 3),
        LintCase(106, "a rendition's identifier", media("VIDEO,STABLE-RENDITION-ID=\"a:b\""), breaksAt: 3),
    ]

    private static let groupCases: [LintCase] = [
        LintCase(
            1104, "one name twice", playlist(audio("g", "n"), audio("g", "n"), variants: [",AUDIO=\"g\""]), breaksAt: 4),
        LintCase(
            1104, "two defaults",
            playlist(audio("g", "n", ",DEFAULT=YES"), audio("g", "m", ",DEFAULT=YES"), variants: [",AUDIO=\"g\""]),
            breaksAt: 4),
        LintCase(
            1104, "two that are selected alike",
            playlist(
                audio("g", "n", ",AUTOSELECT=YES,LANGUAGE=\"en\""), audio("g", "m", ",AUTOSELECT=YES,LANGUAGE=\"en\""),
                variants: [",AUDIO=\"g\""]), breaksAt: 4),
        LintCase(
            1104, "names in different groups",
            playlist(
                audio("g", "n", ",DEFAULT=YES,AUTOSELECT=YES"), audio("h", "n", ",DEFAULT=YES,AUTOSELECT=YES"),
                variants: [",AUDIO=\"g\"", ",AUDIO=\"h\""])),
        LintCase(
            1112, "a member too few",
            playlist(
                audio("g", "n"), audio("g", "m"), audio("h", "n"), variants: [",AUDIO=\"g\"", ",AUDIO=\"h\""]),
            breaksAt: 5),
        LintCase(
            1112, "a member too many",
            playlist(
                audio("g", "n"), audio("h", "n"), audio("h", "m"), variants: [",AUDIO=\"g\"", ",AUDIO=\"h\""]),
            breaksAt: 5),
        LintCase(
            1112, "another language",
            playlist(
                audio("g", "n", ",LANGUAGE=\"en\""), audio("h", "n", ",LANGUAGE=\"de\""),
                variants: [",AUDIO=\"g\"", ",AUDIO=\"h\""]), breaksAt: 4),
        LintCase(
            1112, "the same in other encodings",
            playlist(
                audio("g", "n", ",LANGUAGE=\"en\",DEFAULT=YES"),
                audio("h", "n", ",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES,BIT-DEPTH=24"),
                variants: [",AUDIO=\"g\"", ",AUDIO=\"h\""])),
    ]

    private static let sessionCases: [LintCase] = [
        LintCase(611, "no key", playlist("#EXT-X-SESSION-KEY:METHOD=NONE"), breaksAt: 3),
        LintCase(
            611, "one key twice",
            playlist("#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\"", "#EXT-X-SESSION-KEY:URI=\"k\",METHOD=AES-128"),
            breaksAt: 4),
        LintCase(
            611, "keys of two formats",
            playlist(
                "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"k\",KEYFORMAT=\"a\"",
                "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"k\",KEYFORMAT=\"b\"")),
        LintCase(1107, "neither", playlist("#EXT-X-SESSION-DATA:DATA-ID=\"a\""), breaksAt: 3),
        LintCase(1107, "both", playlist("#EXT-X-SESSION-DATA:DATA-ID=\"a\",VALUE=\"v\",URI=\"u\""), breaksAt: 3),
        LintCase(
            1107, "one twice",
            playlist(
                "#EXT-X-SESSION-DATA:DATA-ID=\"a\",VALUE=\"v\",LANGUAGE=\"en\"",
                "#EXT-X-SESSION-DATA:DATA-ID=\"a\",VALUE=\"w\",LANGUAGE=\"en\""), breaksAt: 4),
        LintCase(
            1107, "one in two languages",
            playlist(
                "#EXT-X-SESSION-DATA:DATA-ID=\"a\",VALUE=\"v\",LANGUAGE=\"en\"",
                "#EXT-X-SESSION-DATA:DATA-ID=\"a\",VALUE=\"w\",LANGUAGE=\"de\"",
                "#EXT-X-SESSION-DATA:DATA-ID=\"b\",URI=\"u\"")),
        LintCase(
            1109, "no such pathway",
            playlist("#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=\"A\"", variants: [",PATHWAY-ID=\"B\""]),
            breaksAt: 3),
        LintCase(
            1109, "steering twice",
            playlist("#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\"", "#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\""),
            breaksAt: 4),
        LintCase(
            1109, "a pathway",
            playlist(
                "#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=\"A\"",
                variants: [",PATHWAY-ID=\"B\"", ",PATHWAY-ID=\"A\""])),
        LintCase(
            1109, "the pathway of those without", playlist("#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=\".\"")),
    ]

    private static let variableCases: [LintCase] = [
        LintCase(1201, "nothing", playlist("#EXT-X-DEFINE:VALUE=\"v\""), breaksAt: 3),
        LintCase(1201, "a name without a value", playlist("#EXT-X-DEFINE:NAME=\"a\""), breaksAt: 3),
        LintCase(1201, "a value without a name", playlist("#EXT-X-DEFINE:QUERYPARAM=\"a\",VALUE=\"v\""), breaksAt: 3),
        LintCase(
            1201, "two at once", playlist("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"v\",QUERYPARAM=\"a\""), breaksAt: 3),
        LintCase(
            1201, "both forms", playlist("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\"", "#EXT-X-DEFINE:QUERYPARAM=\"b\"")),
        LintCase(
            1202, "one name twice", playlist("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"v\"", "#EXT-X-DEFINE:QUERYPARAM=\"a\""),
            breaksAt: 4),
        LintCase(
            1202, "names in two cases",
            playlist("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"v\"", "#EXT-X-DEFINE:NAME=\"A\",VALUE=\"w\"")),
        LintCase(1203, "in a URI line", "#EXTM3U\n#EXT-X-VERSION:8\n\(variant)\n{$a}\n", breaksAt: 4),
        LintCase(1203, "in an attribute", playlist(variants: [",NAME=\"x{$a}\""]), breaksAt: 3),
        LintCase(
            1203, "in a value before its definition",
            playlist("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"{$b}\"", "#EXT-X-DEFINE:NAME=\"b\",VALUE=\"v\""), breaksAt: 3),
        LintCase(
            1203, "after its definition",
            playlist("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"v\"", variants: [",NAME=\"{$a}{$\""])),
        LintCase(1204, "an import", playlist("#EXT-X-DEFINE:IMPORT=\"a\""), breaksAt: 3),
        LintCase(1204, "a name with a blank", playlist("#EXT-X-DEFINE:NAME=\"a b\",VALUE=\"v\""), breaksAt: 3),
        LintCase(1204, "an empty name", playlist("#EXT-X-DEFINE:NAME=\"\",VALUE=\"v\""), breaksAt: 3),
        LintCase(1204, "a name of all its characters", playlist("#EXT-X-DEFINE:NAME=\"aZ-_9\",VALUE=\"v\"")),
    ]

    /// Rules that both kinds of playlist share.
    private static let multivariantFileCases: [LintCase] = [
        LintCase(103, "a comment first", "# a\n" + playlist(), breaksAt: 1),
        LintCase(107, "START twice", playlist("#EXT-X-START:TIME-OFFSET=0", "#EXT-X-START:TIME-OFFSET=0"), breaksAt: 4),
        LintCase(108, "a media playlist's tag", playlist() + "#EXT-X-TARGETDURATION:6\n", breaksAt: 5),
    ]
}
