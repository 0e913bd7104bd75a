@testable import HLS

extension LintCases {
    /// Every attribute of the standard with a value of another form.
    static let attributeCases: [LintCase] = formCases + valueCases + requiredCases + uriCases

    /// A media playlist with a line in the fourth place.
    private static func media(_ line: String) -> String { list(line + "\n" + segment) }

    /// A multivariant playlist with a line in the fourth place.
    private static func multivariant(_ line: String) -> String {
        "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"avc1.4d401f\"\nv.m3u8\n\(line)\n"
            + (line.hasPrefix("#EXT-X-STREAM-INF") ? "w.m3u8\n" : "")
    }

    /// Lines whose last attribute has a form that it must not have.
    private static let wrongForms: [(line: String, isMedia: Bool)] = [
        ("START:TIME-OFFSET=\"0\"", true), ("START:TIME-OFFSET=soon", true),
        ("START:TIME-OFFSET=0,PRECISE=\"YES\"", true),
        ("START:TIME-OFFSET=0,PRECISE=MAYBE", true), ("START:TIME-OFFSET=1e3", true),
        ("DEFINE:VALUE=\"v\",NAME=n", true), ("DEFINE:NAME=\"n\",VALUE=v", true), ("DEFINE:IMPORT=n", true),
        ("DEFINE:QUERYPARAM=n", true),
        ("PART-INF:PART-TARGET=\"1\"", true), ("PART-INF:PART-TARGET=-1", true),
        ("SERVER-CONTROL:CAN-SKIP-UNTIL=\"36\"", true),
        ("SERVER-CONTROL:CAN-SKIP-UNTIL=36,CAN-SKIP-DATERANGES=\"YES\"", true),
        ("SERVER-CONTROL:HOLD-BACK=18s", true), ("SERVER-CONTROL:PART-HOLD-BACK=-3", true),
        ("SERVER-CONTROL:CAN-BLOCK-RELOAD=TRUE", true),
        ("SKIP:SKIPPED-SEGMENTS=1.5", true), ("SKIP:SKIPPED-SEGMENTS=1,RECENTLY-REMOVED-DATERANGES=a", true),
        ("KEY:URI=\"k\",METHOD=\"AES-128\"", true), ("KEY:METHOD=AES-128,URI=k", true),
        ("KEY:METHOD=AES-128,URI=\"k\",IV=\"\(vector)\"", true), ("KEY:METHOD=AES-128,URI=\"k\",IV=1234", true),
        ("KEY:METHOD=AES-128,URI=\"k\",IV={$iv}", true),
        ("KEY:METHOD=AES-128,URI=\"k\",KEYFORMAT=identity", true),
        ("KEY:METHOD=AES-128,URI=\"k\",KEYFORMATVERSIONS=1", true),
        ("MAP:URI=i.mp4", true), ("MAP:URI=\"i\",BYTERANGE=1@0", true), ("MAP:URI=\"i\",BYTERANGE=\"0-1\"", true),
        ("PART:DURATION=1,URI=p", true), ("PART:URI=\"p\",DURATION=\"1\"", true),
        ("PART:URI=\"p\",DURATION=1,INDEPENDENT=\"YES\"", true), ("PART:URI=\"p\",DURATION=1,BYTERANGE=1@2", true),
        ("PART:URI=\"p\",DURATION=1,GAP=1", true), ("PART:URI=\"p\",DURATION=1,GAP=NO", true),
        ("PART:URI=\"p\",DURATION=1,INDEPENDENT=NO", true), ("SERVER-CONTROL:CAN-BLOCK-RELOAD=NO", true),
        ("SERVER-CONTROL:CAN-SKIP-UNTIL=36,CAN-SKIP-DATERANGES=NO", true),
        ("KEY:METHOD=AES-128,URI=\"k\",KEYFORMATVERSIONS=\"1,2\"", true),
        ("KEY:METHOD=AES-128,URI=\"k\",KEYFORMATVERSIONS=\"0\"", true),
        ("DATERANGE:START-DATE=\"2026-01-01T00:00:00.000Z\",ID=a", true), ("DATERANGE:ID=\"a\",CLASS=c", true),
        ("DATERANGE:ID=\"a\",START-DATE=2026-01-01T00:00:00.000Z", true),
        ("DATERANGE:ID=\"a\",END-DATE=2026-01-01T00:00:00.000Z", true), ("DATERANGE:ID=\"a\",DURATION=\"30\"", true),
        ("DATERANGE:ID=\"a\",PLANNED-DURATION=\"30\"", true), ("DATERANGE:ID=\"a\",END-ON-NEXT=\"YES\"", true),
        ("DATERANGE:ID=\"a\",CUE=PRE", true), ("DATERANGE:ID=\"a\",X-COM-EXAMPLE=word", true),
        ("PRELOAD-HINT:URI=\"p\",TYPE=\"PART\"", true), ("PRELOAD-HINT:TYPE=PART,URI=p", true),
        ("PRELOAD-HINT:TYPE=PART,URI=\"p\",BYTERANGE-START=\"0\"", true),
        ("PRELOAD-HINT:TYPE=PART,URI=\"p\",BYTERANGE-LENGTH=-1", true),
        ("RENDITION-REPORT:URI=r", true), ("RENDITION-REPORT:URI=\"r\",LAST-MSN=\"1\"", true),
        ("RENDITION-REPORT:URI=\"r\",LAST-MSN=1,LAST-PART=1.0", true),
        ("MEDIA:GROUP-ID=\"a\",NAME=\"n\",TYPE=\"AUDIO\"", false), ("MEDIA:GROUP-ID=\"a\",NAME=\"n\",TYPE=TEXT", false),
        ("MEDIA:TYPE=AUDIO,NAME=\"n\",GROUP-ID=a", false), ("MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=n", false),
        ("MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=u", false), ("\(audio),LANGUAGE=en", false),
        ("\(audio),ASSOC-LANGUAGE=en", false), ("\(audio),STABLE-RENDITION-ID=x", false),
        ("\(audio),DEFAULT=\"YES\"", false),
        ("\(audio),AUTOSELECT=1", false), ("\(audio),FORCED=\"NO\"", false), ("\(audio),INSTREAM-ID=CC1", false),
        ("\(audio),BIT-DEPTH=\"8\"", false), ("\(audio),SAMPLE-RATE=44.1", false),
        ("\(audio),CHARACTERISTICS=public.x", false),
        ("\(audio),CHANNELS=2", false),
        ("STREAM-INF:BANDWIDTH=\"1\"", false), ("\(stream),AVERAGE-BANDWIDTH=1.5", false),
        ("\(stream),SCORE=\"1\"", false),
        ("STREAM-INF:BANDWIDTH=1,CODECS=avc1", false), ("\(stream),SUPPLEMENTAL-CODECS=a", false),
        ("\(stream),RESOLUTION=1280", false), ("\(stream),RESOLUTION=\"1x1\"", false),
        ("\(stream),FRAME-RATE=25fps", false),
        ("\(stream),HDCP-LEVEL=TYPE-9", false), ("\(stream),ALLOWED-CPC=a", false),
        ("\(stream),VIDEO-RANGE=HDR", false),
        ("\(stream),VIDEO-RANGE=\"SDR\"", false), ("\(stream),REQ-VIDEO-LAYOUT=CH-STEREO", false),
        ("\(stream),STABLE-VARIANT-ID=x", false), ("\(stream),AUDIO=a", false), ("\(stream),VIDEO=a", false),
        ("\(stream),SUBTITLES=a", false), ("\(stream),CLOSED-CAPTIONS=cc", false), ("\(stream),PATHWAY-ID=a", false),
        ("I-FRAME-STREAM-INF:BANDWIDTH=1,CODECS=\"c\",URI=u", false),
        ("SESSION-DATA:VALUE=\"v\",DATA-ID=a", false), ("SESSION-DATA:DATA-ID=\"a\",VALUE=1", false),
        ("SESSION-DATA:DATA-ID=\"a\",URI=u", false), ("SESSION-DATA:DATA-ID=\"a\",URI=\"u\",FORMAT=\"JSON\"", false),
        ("SESSION-DATA:DATA-ID=\"a\",VALUE=\"v\",LANGUAGE=en", false),
        ("SESSION-KEY:URI=\"k\",METHOD=\"AES-128\"", false), ("SESSION-KEY:METHOD=AES-128,URI=k", false),
        ("CONTENT-STEERING:SERVER-URI=s", false), ("CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=\"\"", false),
        ("\(stream),PATHWAY-ID=\"a b\"", false), ("CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=p", false),
    ]

    private static let audio = "MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\""
    private static let stream = "STREAM-INF:BANDWIDTH=1,CODECS=\"c\""

    private static let formCases: [LintCase] = wrongForms.map { line, isMedia in
        let text = "#EXT-X-" + line
        return LintCase(106, line, isMedia ? media(text) : multivariant(text), breaksAt: 4)
    }

    /// Values of tags without an attribute list, and what keeps the rule.
    private static let valueCases: [LintCase] = wrongValues + rightValues

    private static let wrongValues: [LintCase] =
        [
            "#EXT-X-BYTERANGE:1-2", "#EXT-X-BYTERANGE:\"1@2\"", "#EXT-X-BITRATE:800k", "#EXT-X-GAP:YES",
            "#EXT-X-DISCONTINUITY:1", "#EXT-X-INDEPENDENT-SEGMENTS:YES", "#EXT-X-I-FRAMES-ONLY:1", "#EXT-X-ENDLIST:1",
        ].map { LintCase(106, $0, list($0 + "\n" + segment, isLive: true), breaksAt: 4) }

    private static let rightValues: [LintCase] = [
        LintCase(
            106, "a version that is no number", "#EXTM3U\n#EXT-X-VERSION:six\n#EXT-X-TARGETDURATION:6\n",
            breaksAt: 2),
        LintCase(
            106, "a number beyond 64 bits",
            media("#EXT-X-START:TIME-OFFSET=0")
                + "#EXT-X-PRELOAD-HINT:TYPE=MAP,URI=\"m\",BYTERANGE-START=18446744073709551616\n", breaksAt: 8),
        LintCase(
            106, "all forms as they should be",
            list(
                "#EXT-X-DEFINE:NAME=\"n\",VALUE=\"\"\n#EXT-X-START:TIME-OFFSET=-0.5,PRECISE=NO\n"
                    + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0X0000000000000000000000000000ABcd,KEYFORMATVERSIONS=\"1/2\"\n"
                    + "#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"720@0\"\n#EXT-X-BITRATE:800\n"
                    + "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z\n"
                    + "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00.000Z\",PLANNED-DURATION=30,"
                    + "X-A=\"q\",X-B=0xFF,X-C=1.5\n#EXTINF:6,\na.mp4\n", version: 8)),
        LintCase(
            106, "forms of a multivariant playlist",
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",DEFAULT=YES,AUTOSELECT=YES,CHANNELS=\"2\",URI=\"u\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a,b\",RESOLUTION=1x1,FRAME-RATE=29.970,AUDIO=\"a\","
                + "CLOSED-CAPTIONS=NONE,VIDEO-RANGE=SDR,HDCP-LEVEL=NONE,SCORE=1,PATHWAY-ID=\"a.B-1_\"\nv.m3u8\n"),
        LintCase(
            106, "variables in place of values",
            list(
                "#EXT-X-DEFINE:QUERYPARAM=\"r\"\n#EXT-X-DEFINE:QUERYPARAM=\"iv\"\n"
                    + "#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x{$iv}\n"
                    + "#EXT-X-MAP:URI=\"i.mp4\",BYTERANGE=\"{$r}\"\n#EXTINF:6,\na.mp4\n", version: 11)),
    ]

    private static let requiredCases: [LintCase] = missingAttributes + completeAttributes

    private static let missingAttributes: [LintCase] =
        [
            ("START:PRECISE=YES", true), ("PART-INF:X-A=1", true), ("SKIP:RECENTLY-REMOVED-DATERANGES=\"\"", true),
            ("KEY:URI=\"k\"", true), ("PART:DURATION=1", true), ("PART:URI=\"p\"", true),
            ("PRELOAD-HINT:URI=\"p\"", true),
            ("PRELOAD-HINT:TYPE=PART", true), ("START", true),
            ("MEDIA:GROUP-ID=\"a\",NAME=\"n\"", false), ("MEDIA:TYPE=AUDIO,NAME=\"n\"", false),
            ("MEDIA:TYPE=AUDIO,GROUP-ID=\"a\"", false), ("I-FRAME-STREAM-INF:BANDWIDTH=1,CODECS=\"c\"", false),
            ("SESSION-DATA:VALUE=\"v\"", false), ("SESSION-KEY:URI=\"k\"", false),
            ("CONTENT-STEERING:PATHWAY-ID=\"p\"", false),
        ].map { line, isMedia in
            let text = "#EXT-X-" + line
            return LintCase(111, line, isMedia ? media(text) : multivariant(text), breaksAt: 4)
        }

    private static let completeAttributes: [LintCase] = [
        LintCase(111, "all there", media("#EXT-X-START:TIME-OFFSET=0"))
    ]

    private static let uriCases: [LintCase] = wrongURIs + otherURIs

    private static let wrongURIs: [LintCase] =
        [
            ("KEY:METHOD=AES-128,IV=\(vector),URI=\"\"", true), ("MAP:URI=\"a b.mp4\"", true),
            ("DATERANGE:ID=\"a\",X-ASSET-URI=\"\"", true), ("DATERANGE:ID=\"a\",X-ASSET-LIST=\"a b\"", true),
            ("DATERANGE:ID=\"a\",X-URI=\"\"", true), ("CONTENT-STEERING:SERVER-URI=\"\"", false),
            ("MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=\"\"", false),
        ].map { line, isMedia in
            let text = "#EXT-X-" + line
            return LintCase(112, line, isMedia ? media(text) : multivariant(text), breaksAt: 4)
        }

    private static let otherURIs: [LintCase] = [
        LintCase(112, "a blank in a URI line", list("#EXTINF:6,\na b.ts\n"), breaksAt: 5),
        LintCase(112, "URIs without blanks", list("#EXTINF:6,\na%20b.ts\n")),
    ]
}
