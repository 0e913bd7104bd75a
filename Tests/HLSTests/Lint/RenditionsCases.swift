@testable import HLS

/// Playlists of one presentation that break one rule of lint, or keep it.
struct RenditionsCase: Sendable {
    let rule: Int
    let name: String
    let multivariant: String
    /// What each URI of the multivariant playlist leads to; nothing is there for others.
    let playlists: [String: String]
    /// The URI of the playlist with the finding, empty for the multivariant playlist, and the line; nil where the rule is kept.
    let breaksAt: (uri: String, line: Int)?

    init(
        _ rule: Int, _ name: String, _ playlists: [String: String], multivariant: String = Presentation.multivariant,
        breaksAt: (uri: String, line: Int)? = nil
    ) {
        self.rule = rule
        self.name = name
        self.multivariant = multivariant
        self.playlists = playlists
        self.breaksAt = breaksAt
    }

    func findings() throws -> [(uri: String, finding: PlaylistFinding)] {
        let multivariant = try MultivariantPlaylist(parsing: Array(multivariant.utf8))
        let sources = multivariant.mediaPlaylistReferences.map { reference in
            RenditionsLint.Source(
                reference, url: "https://h/\(reference.uri)",
                playlist: playlists[reference.uri].flatMap { try? MediaPlaylist(parsing: Array($0.utf8)) })
        }
        return RenditionsLint(multivariant, url: "https://h/m.m3u8", sources: sources).findings().map {
            ($0.source.map { sources[$0].reference.uri } ?? "", $0.finding)
        }
    }
}

/// A presentation of video "v", audio "a", subtitles "s" and I-frames "i", and its media playlists.
enum Presentation {
    static let multivariant = """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="A",NAME="n",CHANNELS="2",URI="a"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="S",NAME="n",URI="s"
        #EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="avc1.4d401f,mp4a.40.2",AUDIO="A",SUBTITLES="S"
        v
        #EXT-X-STREAM-INF:BANDWIDTH=5,CODECS="avc1.4d401f,mp4a.40.2",AUDIO="A",SUBTITLES="S"
        w
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,CODECS="avc1.4d401f",URI="i"

        """

    /// Lines of the header between the version and the first segment, each with its end, and what differs of a playlist.
    struct List {
        var target = 6
        var header = ""
        /// Lengths of the segments in tenths of a second.
        var lengths: [Int] = [60, 60, 60, 60]
        /// Indices of segments with a discontinuity.
        var discontinuities: Set<Int> = []
        var sequence: Int64?
        var number: Int64 = 0
        /// Seconds after noon of the first segment's date; nil without dates.
        var date: Int?
        /// Lines before a segment.
        var before: [Int: String] = [:]
        var isEnded = true

        var text: String {
            var lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:\(target)"]
            if number != 0 { lines.append("#EXT-X-MEDIA-SEQUENCE:\(number)") }
            if let sequence { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(sequence)") }
            lines += header.split(separator: "\n").map(String.init)
            var time = Duration.zero
            for (index, length) in lengths.enumerated() {
                if discontinuities.contains(index) { lines.append("#EXT-X-DISCONTINUITY") }
                if let date, index == 0 || discontinuities.contains(index) {
                    let noon = DateTime("2026-01-01T12:00:00Z") ?? DateTime(nanoseconds: 0)
                    lines.append("#EXT-X-PROGRAM-DATE-TIME:\(noon.advanced(by: time + .seconds(date)).formatted)")
                }
                if let line = before[index] { lines.append(line) }
                lines += ["#EXTINF:\(DecimalText.text(.milliseconds(length * 100))),", "\(number + Int64(index)).mp4"]
                time += .milliseconds(length * 100)
            }
            if isEnded { lines.append("#EXT-X-ENDLIST") }
            return lines.joined(separator: "\n") + "\n"
        }
    }

    /// All playlists alike but for what the closure changes of one.
    static func playlists(_ base: List = List(), _ change: (String, inout List) -> Void = { _, _ in }) -> [String:
        String]
    {
        var result: [String: String] = [:]
        for uri in ["v", "w", "a", "s", "i"] {
            var list = base
            if uri == "i" { list.header += "#EXT-X-I-FRAMES-ONLY\n" }
            change(uri, &list)
            result[uri] = list.text
        }
        return result
    }
}

private let dated = Presentation.List(date: 0)
private let live = Presentation.List(lengths: Array(repeating: 60, count: 8), number: 100, date: 0, isEnded: false)
private let joined = Presentation.List(
    lengths: Array(repeating: 60, count: 8), discontinuities: [3, 5], sequence: 4, date: 0)

/// The cases of rules over renditions.
let renditionsCases: [RenditionsCase] = headerCases + timeCases + dateRangeCases + keyCases

private let headerCases: [RenditionsCase] = [
    RenditionsCase(
        308, "a variant of another target duration", Presentation.playlists { if $0 == "w" { $1.target = 7 } },
        breaksAt: ("w", 3)),
    RenditionsCase(
        308, "live subtitles of another target duration",
        Presentation.playlists(live) { if $0 == "s" { $1.target = 7 } }, breaksAt: ("s", 3)),
    RenditionsCase(
        308, "subtitles of another target duration in a VOD", Presentation.playlists { if $0 == "s" { $1.target = 7 } }),
    RenditionsCase(308, "the same everywhere", Presentation.playlists(live)),
    RenditionsCase(
        907, "no type in the subtitles",
        Presentation.playlists { if $0 != "s" { $1.header += "#EXT-X-PLAYLIST-TYPE:VOD\n" } }, breaksAt: ("s", 1)),
    RenditionsCase(
        907, "one VOD and one EVENT",
        Presentation.playlists { $1.header += "#EXT-X-PLAYLIST-TYPE:\($0 == "a" ? "EVENT" : "VOD")\n" },
        breaksAt: ("a", 4)),
    RenditionsCase(907, "the same type", Presentation.playlists { $1.header += "#EXT-X-PLAYLIST-TYPE:VOD\n" }),
    RenditionsCase(
        1010, "another hold-back",
        Presentation.playlists(live) {
            $1.header += "#EXT-X-SERVER-CONTROL:HOLD-BACK=\($0 == "w" ? 19 : 18),CAN-SKIP-UNTIL=36\n"
        }, breaksAt: ("w", 5)),
    RenditionsCase(
        1010, "the same in another spelling",
        Presentation.playlists(live) {
            $1.header += "#EXT-X-SERVER-CONTROL:HOLD-BACK=\($0 == "w" ? "18.0" : "18")\n"
        }),
    RenditionsCase(
        1010, "none in the audio",
        Presentation.playlists(live) { if $0 != "a" { $1.header += "#EXT-X-SERVER-CONTROL:HOLD-BACK=18\n" } },
        breaksAt: ("a", 1)),
    RenditionsCase(
        1010, "the same in another order",
        Presentation.playlists(live) {
            let parts = ["HOLD-BACK=18", "CAN-SKIP-UNTIL=36"]
            $1.header += "#EXT-X-SERVER-CONTROL:\(($0 == "w" ? parts.reversed() : parts).joined(separator: ","))\n"
        }),
    RenditionsCase(
        1106, "an I-frame variant of whole segments", Presentation.playlists { if $0 == "i" { $1.header = "" } },
        breaksAt: ("i", 1)),
    RenditionsCase(
        1106, "a variant of I-frames", Presentation.playlists { if $0 == "w" { $1.header = "#EXT-X-I-FRAMES-ONLY\n" } },
        breaksAt: ("w", 4)),
    RenditionsCase(
        1106, "I-frames without the discontinuities",
        Presentation.playlists(joined) { if $0 == "i" { $1.discontinuities = [] } }, breaksAt: ("i", 14)),
    RenditionsCase(1106, "I-frames with the discontinuities", Presentation.playlists(joined)),
    RenditionsCase(
        1114, "a playlist that is not there", Presentation.playlists().filter { $0.key != "s" }, breaksAt: ("", 4)),
    RenditionsCase(1114, "all are there", Presentation.playlists()),
    RenditionsCase(
        1204, "an import of nothing",
        Presentation.playlists { if $0 == "w" { $1.header += "#EXT-X-DEFINE:IMPORT=\"x\"\n" } }, breaksAt: ("w", 4)),
    RenditionsCase(
        1204, "imports of what is defined",
        Presentation.playlists {
            $1.header += "#EXT-X-DEFINE:IMPORT=\"x\"\n#EXT-X-DEFINE:IMPORT=\"y\"\n"
        },
        multivariant: Presentation.multivariant
            + "#EXT-X-DEFINE:NAME=\"x\",VALUE=\"1\"\n#EXT-X-DEFINE:QUERYPARAM=\"y\"\n"),
    RenditionsCase(
        1302, "another start", Presentation.playlists { if $0 == "a" { $1.header += "#EXT-X-START:TIME-OFFSET=6\n" } },
        multivariant: Presentation.multivariant + "#EXT-X-START:TIME-OFFSET=0\n", breaksAt: ("a", 4)),
    RenditionsCase(
        1302, "the same start", Presentation.playlists { $1.header += "#EXT-X-START:TIME-OFFSET=6.0\n" },
        multivariant: Presentation.multivariant + "#EXT-X-START:TIME-OFFSET=6\n"),
    RenditionsCase(
        1302, "a start behind the end", Presentation.playlists(),
        multivariant: Presentation.multivariant + "#EXT-X-START:TIME-OFFSET=6000\n", breaksAt: ("", 10)),
    RenditionsCase(
        1303, "in both playlists",
        Presentation.playlists { if $0 == "v" { $1.header += "#EXT-X-INDEPENDENT-SEGMENTS\n" } },
        multivariant: Presentation.multivariant + "#EXT-X-INDEPENDENT-SEGMENTS\n", breaksAt: ("v", 4)),
    RenditionsCase(
        1303, "in the multivariant playlist", Presentation.playlists(),
        multivariant: Presentation.multivariant + "#EXT-X-INDEPENDENT-SEGMENTS\n"),
]

private let timeCases: [RenditionsCase] = [
    RenditionsCase(
        504, "another number from a date on", Presentation.playlists(joined) { if $0 == "a" { $1.sequence = 5 } },
        breaksAt: ("a", 15)),
    RenditionsCase(
        504, "another number without discontinuities",
        Presentation.playlists(live) { $1.sequence = $0 == "w" ? 3 : 4 }, breaksAt: ("w", 8)),
    RenditionsCase(
        504, "another number without dates",
        Presentation.playlists(joined) {
            $1.date = nil
            if $0 == "a" { $1.sequence = 5 }
        }, breaksAt: ("a", 13)),
    RenditionsCase(
        504, "numbers of live playlists without dates that have none in common",
        Presentation.playlists(live) {
            $1.date = nil
            $1.sequence = $0 == "s" ? 9 : 4
        }, breaksAt: ("s", 7)),
    RenditionsCase(504, "the same numbers", Presentation.playlists(joined)),
    RenditionsCase(
        504, "the same numbers in windows that differ",
        Presentation.playlists(live) {
            $1.discontinuities = [4]
            $1.sequence = 4
            guard $0 == "a" else { return }
            $1.number = 300
            $1.date = 12
            $1.discontinuities = [2]
        }),
    RenditionsCase(
        508, "a join that another variant has not",
        Presentation.playlists(joined) { if $0 == "w" { $1.discontinuities = [3] } }, breaksAt: ("w", 19)),
    RenditionsCase(
        508, "a join at another time",
        Presentation.playlists(joined) { if $0 == "w" { $1.discontinuities = [4, 5] } }, breaksAt: ("w", 17)),
    RenditionsCase(
        508, "a variant that is longer",
        Presentation.playlists { if $0 == "w" { $1.lengths = [60, 60, 60, 60, 60, 60] } }, breaksAt: ("w", 15)),
    RenditionsCase(
        508, "a pod of another length in a live playlist without dates",
        Presentation.playlists(live) {
            $1.date = nil
            $1.sequence = 4
            $1.discontinuities = $0 == "w" ? [1, 6] : [1, 3]
        }, breaksAt: ("w", 10)),
    RenditionsCase(508, "joins at the same times", Presentation.playlists(joined)),
    RenditionsCase(
        508, "one segment more at the end",
        Presentation.playlists { if $0 == "w" { $1.lengths = [60, 60, 60, 60, 60] } }),
    RenditionsCase(
        805, "no dates in the audio", Presentation.playlists(dated) { if $0 == "a" { $1.date = nil } },
        breaksAt: ("a", 4)),
    RenditionsCase(805, "dates everywhere", Presentation.playlists(dated)),
    RenditionsCase(805, "dates nowhere", Presentation.playlists()),
    RenditionsCase(
        806, "dates of another hour", Presentation.playlists(live) { if $0 == "a" { $1.date = 3_600 } },
        breaksAt: ("a", 5)),
    RenditionsCase(
        806, "dates of an ended playlist that are off",
        Presentation.playlists(dated) {
            $1.lengths = Array(repeating: 60, count: 10)
            if $0 == "a" { $1.date = 20 }
        }, breaksAt: ("a", 6)),
    RenditionsCase(
        806, "the last windows of a channel that has ended",
        Presentation.playlists(live) {
            $1.isEnded = true
            if $0 == "a" {
                $1.lengths = Array(repeating: 60, count: 6)
                $1.number = 40
                $1.date = 12
            }
        }),
    RenditionsCase(
        806, "dates that agree but for a second", Presentation.playlists(dated) { if $0 == "a" { $1.date = 1 } }),
    RenditionsCase(
        1115, "audio without a discontinuity",
        Presentation.playlists(joined) { if $0 == "a" { $1.discontinuities = [5] } }, breaksAt: ("a", 13)),
    RenditionsCase(
        1115, "audio joined a segment later",
        Presentation.playlists(joined) { if $0 == "a" { $1.discontinuities = [4, 5] } }, breaksAt: ("a", 17)),
    RenditionsCase(
        1115, "subtitles that end early",
        Presentation.playlists(joined) { if $0 == "s" { $1.lengths = Array(repeating: 60, count: 6) } },
        breaksAt: ("s", 21)),
    RenditionsCase(
        1115, "a channel that has ended, and has let go of more in the audio",
        Presentation.playlists(live) {
            $1.isEnded = true
            if $0 == "a" { ($1.lengths, $1.number, $1.date) = (Array($1.lengths.dropFirst(3)), 103, 18) }
        }),
    RenditionsCase(
        1115, "a channel that has ended earlier in the audio",
        Presentation.playlists(live) {
            $1.isEnded = true
            if $0 == "a" { $1.lengths.removeLast(2) }
        }, breaksAt: ("a", 17)),
    RenditionsCase(
        1115, "audio joined at its own boundaries",
        Presentation.playlists(joined) {
            guard $0 == "a" else { return }
            $1.lengths = Array(repeating: 20, count: 24)
            $1.discontinuities = [10, 14]
        }),
]

private func range(_ rest: String, _ id: String = "x") -> String {
    "#EXT-X-DATERANGE:ID=\"\(id)\",START-DATE=\"2026-01-01T12:00:20Z\"\(rest)"
}

private let dateRangeCases: [RenditionsCase] = [
    RenditionsCase(
        821, "another attribute",
        Presentation.playlists(dated) { $1.before[1] = range(",X-A=\($0 == "w" ? 1 : 2)") }, breaksAt: ("w", 7)),
    RenditionsCase(
        821, "an attribute spelled otherwise",
        Presentation.playlists(dated) { $1.before[1] = range(",X-A=\($0 == "w" ? "0xAB,X-B=1" : "0xab,X-B=1.0")") }),
    RenditionsCase(
        821, "an attribute too few",
        Presentation.playlists(dated) { $1.before[1] = range($0 == "w" ? "" : ",X-A=1") }, breaksAt: ("w", 7)),
    RenditionsCase(
        821, "an attribute too many",
        Presentation.playlists(dated) { $1.before[1] = range($0 == "w" ? ",X-A=1" : "") }, breaksAt: ("w", 7)),
    RenditionsCase(
        821, "a range too few",
        Presentation.playlists(live) {
            $1.before[1] = range("") + ($0 == "w" ? "" : "\n" + range("", "y"))
        }, breaksAt: ("w", 8)),
    RenditionsCase(
        821, "a range too many",
        Presentation.playlists(live) {
            $1.before[1] = range("") + ($0 == "w" ? "\n" + range("", "y") : "")
        }, breaksAt: ("w", 9)),
    RenditionsCase(
        821, "a variant that is played without any",
        Presentation.playlists(dated) { if $0 == "v" { $1.before[1] = range("") } },
        breaksAt: ("w", 1)),
    RenditionsCase(
        821, "ranges in the audio alone", Presentation.playlists(dated) { if $0 == "a" { $1.before[1] = range("") } }),
    RenditionsCase(
        821, "the same, spelled in another way",
        Presentation.playlists(dated) { $1.before[1] = range(",DURATION=\($0 == "w" ? "6" : "6.0")") }),
    RenditionsCase(
        821, "a live range whose end is not known everywhere yet",
        Presentation.playlists(live) { $1.before[1] = range($0 == "w" ? "" : ",DURATION=6") }),
    RenditionsCase(
        821, "a range that was over before what audio lists of a channel that has ended",
        Presentation.playlists(live) {
            $1.isEnded = true
            let over = range(",DURATION=1", "y").replacing("12:00:20", with: "11:59:00")
            $1.before[1] = range("") + ($0 == "a" ? "" : "\n" + over)
        }),
    RenditionsCase(
        821, "a range at the live edge that is not everywhere yet",
        Presentation.playlists(live) {
            $1.before[1] = range("")
            if $0 == "v" { $1.before[7] = range("", "y").replacing("12:00:20", with: "12:00:44") }
        }),
]

private let keyCases: [RenditionsCase] = [
    RenditionsCase(
        611, "another method",
        Presentation.playlists {
            $1.before[0] =
                "#EXT-X-KEY:METHOD=\($0 == "a" ? "SAMPLE-AES" : "AES-128"),URI=\"/k\",IV=0x00000000000000000000000000000001"
        }, multivariant: Presentation.multivariant + "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\"\n", breaksAt: ("a", 4)
    ),
    RenditionsCase(
        611, "another key format",
        Presentation.playlists { $1.before[1] = "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\"" },
        multivariant: Presentation.multivariant
            + "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\"\n",
        breaksAt: ("v", 6)),
    RenditionsCase(
        611, "the keys that are announced",
        Presentation.playlists {
            $1.before[0] =
                "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"f\",KEYFORMATVERSIONS=\"1\"\n"
                + "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"other\",KEYFORMAT=\"g\""
        },
        multivariant: Presentation.multivariant
            + "#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"f\"\n"),
]
