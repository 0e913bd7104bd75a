@testable import HLS

extension LintCases {
    /// Dates, date ranges and interstitials: chapters 1.8 and 2.
    static let dateCases: [LintCase] =
        programDateCases + dateRangeCases + spliceCases + assetCases + interstitialFormCases + laterFormCases
        + preloadCases

    private static let programDateCases: [LintCase] = [
        LintCase(801, "no date", list("#EXT-X-PROGRAM-DATE-TIME:today\n" + segment), breaksAt: 4),
        LintCase(801, "no zone", list("#EXT-X-PROGRAM-DATE-TIME:2026-01-01T08:00:00.000\n" + segment), breaksAt: 4),
        LintCase(
            801, "no milliseconds", list("#EXT-X-PROGRAM-DATE-TIME:2026-01-01T08:00:00Z\n" + segment), breaksAt: 4),
        LintCase(801, "a date alone", list("#EXT-X-PROGRAM-DATE-TIME:2026-01-01\n" + segment), breaksAt: 4),
        LintCase(
            801, "a blank for the T", list("#EXT-X-PROGRAM-DATE-TIME:2026-01-01 08:00:00.000Z\n" + segment), breaksAt: 4
        ),
        LintCase(801, "no date of a range", range("ID=\"a\",START-DATE=\"soon\""), breaksAt: 6),
        LintCase(801, "no end of a range", range("ID=\"a\",START-DATE=\"\(start)\",END-DATE=\"soon\""), breaksAt: 6),
        LintCase(801, "no zone of a range", range("ID=\"a\",START-DATE=\"2026-01-01T08:00:00.000\""), breaksAt: 6),
        LintCase(
            801, "zones of all kinds",
            list(
                "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T08:00:00.000Z\n" + segment
                    + "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T09:00:06.000+01:00\n" + segment
                    + "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T03:00:12.000-0500\n" + segment)),
        LintCase(802, "back by a second", list(date("00:00.000") + segment + date("00:05.000") + segment), breaksAt: 7),
        LintCase(
            802, "an ad with an old date",
            list(date("30:00.000") + segment + "#EXT-X-DISCONTINUITY\n" + date("00:00.000") + segment), breaksAt: 8),
        LintCase(
            802, "counted on over segments without",
            list(date("00:00.000") + segment + segment + date("00:10.900") + segment), breaksAt: 9),
        LintCase(802, "two dates of a segment", list(date("00:00.000") + date("00:01.000") + segment), breaksAt: 5),
        LintCase(802, "back by less", list(date("00:00.000") + segment + date("00:05.001") + segment)),
        LintCase(
            802, "ahead", list(date("00:00.000") + segment + "#EXT-X-DISCONTINUITY\n" + date("00:50.000") + segment)),
        LintCase(
            803, "a discontinuity without", list(date("00:00.000") + segment + "#EXT-X-DISCONTINUITY\n" + segment),
            breaksAt: 7),
        LintCase(803, "no dates at all", list(segment + "#EXT-X-DISCONTINUITY\n" + segment)),
        LintCase(
            803, "a discontinuity with",
            list(date("00:00.000") + segment + "#EXT-X-DISCONTINUITY\n" + date("00:06.000") + segment)),
    ]

    static let start = "2026-01-01T08:00:00.000Z"

    /// A playlist with a date, and a range of each attribute list from line 6 on.
    static func range(_ attributes: String...) -> String {
        list(
            date("00:00.000") + "#EXT-X-INDEPENDENT-SEGMENTS\n"
                + attributes.map { "#EXT-X-DATERANGE:\($0)\n" }.joined() + segment)
    }

    private static let first = "ID=\"a\",START-DATE=\"\(start)\""

    private static let dateRangeCases: [LintCase] = [
        LintCase(811, "no ID", range("START-DATE=\"\(start)\""), breaksAt: 6),
        LintCase(811, "an empty ID", range("ID=\"\",START-DATE=\"\(start)\""), breaksAt: 6),
        LintCase(811, "no START-DATE", range("ID=\"a\",DURATION=30"), breaksAt: 6),
        LintCase(811, "START-DATE in the second tag alone", range("ID=\"a\"", first), breaksAt: 6),
        LintCase(811, "START-DATE in the first tag", range(first, "ID=\"a\",DURATION=30")),
        LintCase(812, "no date", list("#EXT-X-DATERANGE:\(first)\n" + segment), breaksAt: 4),
        LintCase(812, "a date", range(first)),
        LintCase(813, "negative", range("\(first),DURATION=-1"), breaksAt: 6),
        LintCase(813, "planned negative", range("\(first),PLANNED-DURATION=-1"), breaksAt: 6),
        LintCase(813, "an end before the start", range("\(first),END-DATE=\"2026-01-01T07:59:59.000Z\""), breaksAt: 6),
        LintCase(813, "lengths", range("\(first),DURATION=0,PLANNED-DURATION=30")),
        LintCase(814, "another end", range("\(first),DURATION=30,END-DATE=\"2026-01-01T08:00:31.000Z\""), breaksAt: 6),
        LintCase(
            814, "another end in a second tag",
            range("\(first),DURATION=30", "ID=\"a\",END-DATE=\"2026-01-01T08:00:29.000Z\""),
            breaksAt: 7),
        LintCase(814, "the end", range("\(first),DURATION=30.0004,END-DATE=\"2026-01-01T09:00:30.000+01:00\"")),
        LintCase(815, "NO", range("\(first),CLASS=\"c\",END-ON-NEXT=NO"), breaksAt: 6),
        LintCase(815, "no CLASS", range("\(first),END-ON-NEXT=YES"), breaksAt: 6),
        LintCase(815, "with DURATION", range("\(first),CLASS=\"c\",END-ON-NEXT=YES,DURATION=30"), breaksAt: 6),
        LintCase(
            815, "with END-DATE", range("\(first),CLASS=\"c\",END-ON-NEXT=YES,END-DATE=\"2026-01-01T08:00:31.000Z\""),
            breaksAt: 6),
        LintCase(815, "with CLASS", range("\(first),CLASS=\"c\",END-ON-NEXT=YES")),
        LintCase(816, "another length", range("\(first),DURATION=30", "ID=\"a\",DURATION=29"), breaksAt: 7),
        LintCase(816, "another start", range(first, "ID=\"a\",START-DATE=\"2026-01-01T08:00:01.000Z\""), breaksAt: 7),
        LintCase(816, "another text", range("\(first),X-A=\"1\"", "\(first),X-A=\"2\""), breaksAt: 7),
        LintCase(
            816, "another text in a third tag", range(first, "ID=\"a\",X-A=\"1\"", "ID=\"a\",X-A=\"2\""), breaksAt: 8),
        LintCase(816, "a cue that nobody knows", range("\(first),CUE=\"MID\""), breaksAt: 6),
        LintCase(816, "blanks in a cue", range("\(first),CUE=\"PRE, ONCE\""), breaksAt: 6),
        LintCase(816, "PRE with POST", range("\(first),CUE=\"PRE,POST\""), breaksAt: 6),
        LintCase(
            816, "the same in other spellings",
            range(
                "\(first),DURATION=30,X-B=0xfc",
                "ID=\"a\",DURATION=30.0,START-DATE=\"2026-01-01T09:00:00.000+01:00\",X-B=0xFC",
                "ID=\"b\",START-DATE=\"\(start)\",DURATION=7,CUE=\"PRE,ONCE\"",
                "ID=\"c\",START-DATE=\"\(start)\",CUE=\"POST\"")),
    ]

    /// A whole section of 20 bytes.
    static let section = "0xFC301100000000000000FFFFFF0000004F253396"

    private static let spliceCases: [LintCase] =
        ["SCTE35-CMD", "SCTE35-OUT", "SCTE35-IN"].flatMap { name in
            [
                LintCase(817, "\(name) in quotes", range("\(first),DURATION=30,\(name)=\"\(section)\""), breaksAt: 6),
                LintCase(817, "\(name) in base64", range("\(first),DURATION=30,\(name)=/DARAAAA"), breaksAt: 6),
                LintCase(
                    817, "\(name) cut off", range("\(first),DURATION=30,\(name)=\(section.dropLast(2))"), breaksAt: 6),
                LintCase(
                    817, "\(name) with half a byte", range("\(first),DURATION=30,\(name)=\(section)0"), breaksAt: 6),
                LintCase(
                    817, "\(name) of another table", range("\(first),DURATION=30,\(name)=0xC0300011"), breaksAt: 6),
                LintCase(817, "\(name) of one byte", range("\(first),DURATION=30,\(name)=0xFC"), breaksAt: 6),
                LintCase(817, "\(name) whole", range("\(first),DURATION=30,\(name)=\(section)")),
            ]
        } + [
            LintCase(
                818, "IN without a length", range("\(first),SCTE35-OUT=\(section)", "ID=\"a\",SCTE35-IN=\(section)"),
                breaksAt: 7),
            LintCase(818, "IN without OUT", range("\(first),DURATION=30,SCTE35-IN=\(section)"), breaksAt: 6),
            LintCase(
                818, "IN of another ID",
                range(
                    "\(first),SCTE35-OUT=\(section)",
                    "ID=\"b\",START-DATE=\"\(start)\",DURATION=30,SCTE35-IN=\(section)"),
                breaksAt: 7),
            LintCase(
                818, "IN with the length",
                range(
                    "\(first),PLANNED-DURATION=30,SCTE35-OUT=\(section)", "ID=\"a\",DURATION=28.5,SCTE35-IN=\(section)",
                    "ID=\"b\",START-DATE=\"\(start)\",SCTE35-OUT=\(section)",
                    "ID=\"b\",END-DATE=\"2026-01-01T08:00:30.000Z\",SCTE35-IN=\(section)")),
        ]

    private static let interstitial = first + ",CLASS=\"com.apple.hls.interstitial\",DURATION=15"

    private static let assetCases: [LintCase] = [
        LintCase(822, "neither", range(interstitial), breaksAt: 6),
        LintCase(822, "both", range("\(interstitial),X-ASSET-URI=\"https://a/b\",X-ASSET-LIST=\"l\""), breaksAt: 6),
        LintCase(
            822, "both in two tags",
            range("\(interstitial),X-ASSET-URI=\"https://a/b\"", "ID=\"a\",X-ASSET-LIST=\"l\""),
            breaksAt: 7),
        LintCase(822, "a relative URI", range("\(interstitial),X-ASSET-URI=\"b.m3u8\""), breaksAt: 6),
        LintCase(822, "a URI without scheme", range("\(interstitial),X-ASSET-URI=\"//a/b.m3u8\""), breaksAt: 6),
        LintCase(822, "an absolute URI", range("\(interstitial),X-ASSET-URI=\"https://a/b\"")),
        LintCase(822, "a relative list", range("\(interstitial),X-ASSET-LIST=\"list.json\"")),
        LintCase(822, "another class", range("\(first),CLASS=\"c\"")),
    ]

    private static let interstitialFormCases: [LintCase] =
        [
            "X-RESUME-OFFSET=\"0\"", "X-RESUME-OFFSET=0x1", "X-PLAYOUT-LIMIT=-1", "X-PLAYOUT-LIMIT=\"15\"",
            "X-SNAP=\"LEFT\"", "X-SNAP=\"IN,IN\"", "X-SNAP=\"OUT, IN\"", "X-SNAP=0x1", "X-RESTRICT=\"SEEK\"",
            "X-RESTRICT=\"SKIP,JUMP,SKIP\"",
            "X-CONTENT-MAY-VARY=\"MAYBE\"", "X-CONTENT-MAY-VARY=1", "X-TIMELINE-OCCUPIES=\"LINE\"",
            "X-TIMELINE-OCCUPIES=0x1", "X-TIMELINE-STYLE=\"SECONDARY\"", "X-SKIP-CONTROL-OFFSET=1.5",
            "X-SKIP-CONTROL-OFFSET=\"1\"", "X-SKIP-CONTROL-DURATION=-1", "X-SKIP-CONTROL-LABEL-ID=\"skip it\"",
            "X-SKIP-CONTROL-LABEL-ID=\"\"", "X-SKIP-CONTROL-LABEL-ID=5",
        ].map { LintCase(823, $0, range("\(interstitial),X-ASSET-LIST=\"l\",\($0)"), breaksAt: 6) }
        + [
            "X-RESUME-OFFSET=-1.5", "X-RESUME-OFFSET=0", "X-PLAYOUT-LIMIT=15.0", "X-SNAP=\"OUT\"", "X-SNAP=\"OUT,IN\"",
            "X-RESTRICT=\"JUMP\"", "X-RESTRICT=\"SKIP,JUMP\"", "X-CONTENT-MAY-VARY=\"YES\"",
            "X-CONTENT-MAY-VARY=\"NO\"",
            "X-TIMELINE-OCCUPIES=\"POINT\"", "X-TIMELINE-OCCUPIES=\"RANGE\"", "X-TIMELINE-STYLE=\"HIGHLIGHT\"",
            "X-TIMELINE-STYLE=\"PRIMARY\"", "X-SKIP-CONTROL-OFFSET=5", "X-SKIP-CONTROL-DURATION=10",
            "X-SKIP-CONTROL-LABEL-ID=\"skip-the_ad\"",
        ].map { LintCase(823, $0, range("\(interstitial),X-ASSET-LIST=\"l\",\($0)")) }

    private static let laterFormCases: [LintCase] = [
        LintCase(
            823, "in a second tag", range("\(interstitial),X-ASSET-LIST=\"l\"", "ID=\"a\",X-PLAYOUT-LIMIT=\"5\""),
            breaksAt: 7)
    ]

    private static let preload = first + ",CLASS=\"com.apple.hls.preload\""
    private static let target = ",X-URI=\"https://a/l\",X-TARGET-ID=\"b\",X-TARGET-CLASS=\"com.apple.hls.interstitial\""

    private static let preloadCases: [LintCase] = [
        LintCase(825, "no X-URI", range("\(preload),DURATION=9,X-TARGET-ID=\"b\",X-TARGET-CLASS=\"c\""), breaksAt: 6),
        LintCase(825, "no X-TARGET-ID", range("\(preload),DURATION=9,X-URI=\"u\",X-TARGET-CLASS=\"c\""), breaksAt: 6),
        LintCase(825, "no X-TARGET-CLASS", range("\(preload),DURATION=9,X-URI=\"u\",X-TARGET-ID=\"b\""), breaksAt: 6),
        LintCase(825, "no end", range("\(preload)\(target)"), breaksAt: 6),
        LintCase(825, "with CUE", range("\(preload)\(target),DURATION=9,CUE=\"PRE\""), breaksAt: 6),
        LintCase(825, "with END-ON-NEXT", range("\(preload)\(target),DURATION=9,END-ON-NEXT=YES"), breaksAt: 6),
        LintCase(825, "with DURATION", range("\(preload)\(target),DURATION=9")),
        LintCase(825, "with END-DATE", range("\(preload)\(target),END-DATE=\"2026-01-01T08:00:30.000Z\"")),
    ]
}
