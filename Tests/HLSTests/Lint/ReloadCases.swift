@testable import HLS

/// Versions of one media playlist that break a rule over reloads, or keep it.
struct ReloadCase: Sendable, CustomStringConvertible {
    var rule: Int
    var name: String
    /// The line of the finding in the version that breaks the rule, the last one; nil where it is kept.
    var breaksAt: Int?
    /// When each version was received, in seconds. One more every four seconds where none are given.
    var times: [Double] = []
    var versions: [String]

    var description: String { "\(rule): \(name)" }
}

/// A live playlist of 4-second segments under a target duration of 4: `live("7: a b |c")` lists segments a, b and c from number
/// 7 on, with a discontinuity before c. `head` are further lines after the target duration, which is line 2; the media
/// sequence number follows them. `before` are lines before the EXTINF of a segment.
func live(
    _ shape: String, _ head: String..., target: Int = 4, before: [String: String] = [:],
    durations: [String: String] = [:],
    tail: String = ""
) -> String {
    let parts = shape.split(separator: ":", maxSplits: 1)
    var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:\(target)"] + head
    if let number = parts.first, number != "-" { lines.append("#EXT-X-MEDIA-SEQUENCE:\(number)") }
    for word in parts.last?.split(separator: " ") ?? [] {
        let name = word.drop { $0 == "|" }
        for _ in 0..<(word.count - name.count) { lines.append("#EXT-X-DISCONTINUITY") }
        if let more = before[String(name)] { lines.append(more) }
        lines.append("#EXTINF:\(durations[String(name)] ?? "4"),")
        lines.append("\(name).ts")
    }
    if !tail.isEmpty { lines.append(tail) }
    return lines.joined(separator: "\n") + "\n"
}

func sequence(_ value: Int) -> String { "#EXT-X-DISCONTINUITY-SEQUENCE:\(value)" }

private let event = "#EXT-X-PLAYLIST-TYPE:EVENT"
private let vod = "#EXT-X-PLAYLIST-TYPE:VOD"
private let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k1\",IV=0x00000000000000000000000000000001"
private let noKey = "#EXT-X-KEY:METHOD=NONE"
private let end = "#EXT-X-ENDLIST"

private func at(_ second: String) -> String { "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:00:\(second)Z" }

private func range(_ attributes: String) -> String { "#EXT-X-DATERANGE:ID=\"x\",\(attributes)" }

private let start0 = "START-DATE=\"2026-01-17T08:00:00.000Z\""
private let start8 = "START-DATE=\"2026-01-17T08:00:08.000Z\""

private func lowLatency(_ shape: String, _ parts: String...) -> String {
    live(
        shape, "#EXT-X-PART-INF:PART-TARGET=2", "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=6",
        tail: parts.joined(separator: "\n"))
}

private func part(_ uri: String, _ more: String = "") -> String { "#EXT-X-PART:DURATION=2,URI=\"\(uri)\"\(more)" }

private func hint(_ uri: String, _ more: String = "") -> String {
    "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"\(uri)\"\(more)"
}

let reloadCases: [ReloadCase] = durationCases + numberCases + discontinuityCases + tagCases + kindCases + hintCases

private let durationCases = [
    ReloadCase(
        rule: 307, name: "the target duration is raised", breaksAt: 2,
        versions: [live("7: a b c d"), live("8: b c d e", target: 5)]),
    ReloadCase(rule: 307, name: "the target duration stays", versions: [live("7: a b c d"), live("8: b c d e")]),
    ReloadCase(
        rule: 309, name: "segments leave though too little remains", breaksAt: 3,
        versions: [live("7: a b c d"), live("9: c d")]),
    ReloadCase(rule: 309, name: "three target durations remain", versions: [live("7: a b c d"), live("8: b c d")]),
    ReloadCase(
        rule: 309, name: "an ended playlist may be short", versions: [live("7: a b c d"), live("9: c d e", tail: end)]),
    ReloadCase(
        rule: 309, name: "a stream that begins is short until there is more",
        versions: [live("0: a"), live("0: a b"), live("0: a b c")]),
    ReloadCase(
        rule: 310, name: "nothing new for more than 1.5 target durations", breaksAt: 11, times: [0, 4, 6.5],
        versions: [live("7: a b c d"), live("7: a b c d"), live("7: a b c d")]),
    ReloadCase(
        rule: 310, name: "a playlist that changes without a new segment", breaksAt: 12, times: [0, 7],
        versions: [live("7: a b c d"), live("7: a b c d", tail: "#comment")]),
    ReloadCase(
        rule: 310, name: "a segment comes in time", times: [0, 4, 6, 6.5],
        versions: [live("7: a b c d"), live("7: a b c d"), live("7: a b c d"), live("8: b c d e")]),
    ReloadCase(
        rule: 310, name: "an ended playlist gets nothing more", times: [0, 60],
        versions: [live("7: a b c d", tail: end), live("7: a b c d", tail: end)]),
]

private let numberCases = [
    ReloadCase(
        rule: 403, name: "an older version is served again", breaksAt: 3,
        versions: [live("7: a b c d"), live("8: b c d e"), live("7: a b c d")]),
    ReloadCase(
        rule: 403, name: "the origin begins anew", breaksAt: 3,
        versions: [live("107: a b c d"), live("108: b c d e"), live("0: f g h i")]),
    ReloadCase(
        rule: 403, name: "the origin begins anew under numbers that were in use", breaksAt: 3,
        versions: [live("7: a b c d"), live("8: b c d e"), live("7: f g h i")]),
    ReloadCase(
        rule: 403, name: "segments come back at the front", breaksAt: 3,
        versions: [live("7: a b c d"), live("8: b c d e"), live("7: a b c d e f")]),
    ReloadCase(
        rule: 403, name: "the number rises", versions: [live("7: a b c d"), live("8: b c d e"), live("9: c d e f")]),
    ReloadCase(
        rule: 404, name: "a number names another URI", breaksAt: 7,
        versions: [live("7: a b c d e"), live("8: b X d e f")]),
    ReloadCase(
        rule: 404, name: "all numbers name other URIs", breaksAt: 5,
        versions: [live("7: a b c d"), live("8: e f g h")]),
    ReloadCase(
        rule: 404, name: "only the query is another", breaksAt: 5,
        versions: [live("7: a b c d"), live("8: b c d e").replacing("b.ts", with: "b.ts?s=2")]),
    ReloadCase(
        rule: 404, name: "a segment is put between those listed", breaksAt: 7,
        versions: [live("7: a b c d e"), live("8: b X c d e f")]),
    ReloadCase(
        rule: 404, name: "a segment's duration changes", breaksAt: 7,
        versions: [live("7: a b c d"), live("8: b c d e", durations: ["c": "3.5"])]),
    ReloadCase(
        rule: 404, name: "a segment's byte range changes", breaksAt: 6,
        versions: [
            live("7: a b c d", before: ["b": "#EXT-X-BYTERANGE:10@0"]),
            live("8: b c d e", before: ["b": "#EXT-X-BYTERANGE:11@0"]),
        ]),
    ReloadCase(
        rule: 404, name: "the init section changes", breaksAt: 6,
        versions: [
            live("7: a b c d", before: ["a": "#EXT-X-MAP:URI=\"i1\""]),
            live("8: b c d e", before: ["b": "#EXT-X-MAP:URI=\"i2\""]),
        ]),
    ReloadCase(
        rule: 404, name: "a clear segment is said to be encrypted", breaksAt: 6,
        versions: [live("7: a b c d"), live("8: b c d e", before: ["b": key])]),
    ReloadCase(
        rule: 404, name: "spelling may change where nothing else does",
        versions: [
            live("7: a b c d", before: ["a": "#EXT-X-MAP:URI=\"i\""], durations: ["b": "4.0"]),
            live("8: b c d e", before: ["b": "#EXT-X-MAP:URI=\"i\""], durations: ["b": "4.000"]),
        ]),
    ReloadCase(
        rule: 404, name: "a looping playlist lists one resource twice",
        versions: [live("7: a b a b"), live("8: b a b a"), live("9: a b a b")]),
    ReloadCase(
        rule: 405, name: "two leave and the number rises by one", breaksAt: 3,
        versions: [live("7: a b c d e"), live("8: c d e f")]),
    ReloadCase(
        rule: 405, name: "one leaves and the number rises by ten", breaksAt: 3,
        versions: [live("7: a b c d e"), live("17: b c d e f")]),
    ReloadCase(
        rule: 405, name: "a segment leaves from the middle", breaksAt: 7,
        versions: [live("7: a b c d e"), live("8: b d e f")]),
    ReloadCase(
        rule: 405, name: "a segment is taken back at the end", breaksAt: 9,
        versions: [live("7: a b c d"), live("7: a b c")]),
    ReloadCase(
        rule: 405, name: "the number leaps", breaksAt: 3,
        versions: [live("7: a b c d"), live("1007: e f g h")]),
    ReloadCase(
        rule: 405, name: "one for each that leaves", versions: [live("7: a b c d e"), live("9: c d e f g")]),
    ReloadCase(
        rule: 405, name: "what was loaded too seldom to tell is no error", times: [0, 40],
        versions: [live("7: a b c d"), live("15: i j k l")]),
    ReloadCase(
        rule: 406, name: "a segment leaves without a number", breaksAt: 1,
        versions: [live("-: a b c d"), live("-: b c d e")]),
    ReloadCase(
        rule: 406, name: "nothing leaves, so no number is needed", versions: [live("-: a b c"), live("-: a b c d")]),
]

private let discontinuityCases = [
    ReloadCase(
        rule: 502, name: "the tag at the head is dropped", breaksAt: 6,
        versions: [live("7: a |b c d", sequence(3)), live("8: b c d e", sequence(3))]),
    ReloadCase(
        rule: 502, name: "the tag at the head is dropped and the value raised", breaksAt: 3,
        versions: [live("7: a |b c d", sequence(3)), live("8: b c d e", sequence(4))]),
    ReloadCase(
        rule: 502, name: "the value is raised when the segment before the tag leaves", breaksAt: 3,
        versions: [live("7: a |b c d", sequence(3)), live("8: |b c d e", sequence(4))]),
    ReloadCase(
        rule: 502, name: "the value is not raised when the tagged segment leaves", breaksAt: 3,
        versions: [live("7: |a b c d", sequence(3)), live("8: b c d e", sequence(3))]),
    ReloadCase(
        rule: 502, name: "two tags on one segment raise the value by two", breaksAt: 3,
        versions: [live("7: ||a b c d", sequence(3)), live("8: b c d e", sequence(4))]),
    ReloadCase(
        rule: 502, name: "the value falls", breaksAt: 3,
        versions: [live("7: a b c d", sequence(3)), live("8: b c d e", sequence(2))]),
    ReloadCase(
        rule: 502, name: "a tag in the middle is dropped", breaksAt: 8,
        versions: [live("7: a b |c d", sequence(3)), live("8: b c d e", sequence(3))]),
    ReloadCase(
        rule: 502, name: "a tag is put before a listed segment", breaksAt: 9,
        versions: [live("7: a b c d", sequence(3)), live("8: b |c d e", sequence(3))]),
    ReloadCase(
        rule: 502, name: "all segments leave, and the value stays", breaksAt: 3, times: [0, 30],
        versions: [live("7: a |b c d", sequence(3)), live("11: e f g h", sequence(3))]),
    ReloadCase(
        rule: 502, name: "tags leave with their segments",
        versions: [
            live("7: a |b c ||d", sequence(3)), live("8: |b c ||d e", sequence(3)), live("9: c ||d e f", sequence(4)),
            live("10: ||d e f g", sequence(4)), live("11: e f g h", sequence(6)),
        ]),
    ReloadCase(
        rule: 502, name: "a discontinuity comes at the end",
        versions: [live("7: a b c d", sequence(0)), live("8: b c d |e", sequence(0))]),
    ReloadCase(
        rule: 503, name: "the tag's segment left, and there is no sequence", breaksAt: 1,
        versions: [live("7: |a b c d"), live("8: b c d e")]),
    ReloadCase(
        rule: 503, name: "a first discontinuity in a sliding playlist", breaksAt: 1,
        versions: [live("7: a b c d"), live("8: b c d e"), live("9: c d e |f")]),
    ReloadCase(
        rule: 503, name: "there is a sequence, also as 0",
        versions: [live("7: |a b c d", sequence(0)), live("8: b c d |e", sequence(1))]),
    ReloadCase(
        rule: 503, name: "a playlist that only grows needs none", versions: [live("0: |a b c"), live("0: |a b c |d")]),
]

private let tagCases = [
    ReloadCase(
        rule: 608, name: "the key slides out", breaksAt: 5,
        versions: [live("7: a b c d", before: ["a": key]), live("8: b c d e")]),
    ReloadCase(
        rule: 608, name: "one of two key formats slides out", breaksAt: 6,
        versions: [
            live("7: a b c d", before: ["a": "\(key)\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"s\",KEYFORMAT=\"f\""]),
            live("8: b c d e", before: ["b": key]),
        ]),
    ReloadCase(
        rule: 608, name: "the key is printed again at the head",
        versions: [live("7: a b c d", before: ["a": key]), live("8: b c d e", before: ["b": key])]),
    ReloadCase(
        rule: 608, name: "METHOD=NONE need not be printed again",
        versions: [live("7: a b c d", before: ["a": noKey]), live("8: b c d e")]),
    ReloadCase(
        rule: 804, name: "a date moves", breaksAt: 6,
        versions: [
            live("7: a b c d", before: ["a": at("00.000"), "b": at("04.000")]),
            live("8: b c d e", before: ["b": at("04.250")]),
        ]),
    ReloadCase(
        rule: 804, name: "a date moves from what was counted on", breaksAt: 6,
        versions: [live("7: a b c d", before: ["a": at("00.000")]), live("8: b c d e", before: ["b": at("05.000")])]),
    ReloadCase(
        rule: 804, name: "dates stay, but for rounding of lengths",
        versions: [live("7: a b c d", before: ["a": at("00.000")]), live("8: b c d e", before: ["b": at("04.004")])]),
    ReloadCase(
        rule: 819, name: "a range vanishes while it maps to listed segments", breaksAt: 1,
        versions: [
            live("7: a b c d", before: ["a": at("00.000") + "\n" + range("\(start0),DURATION=10")]),
            live("8: b c d e", before: ["b": at("04.000")]),
        ]),
    ReloadCase(
        rule: 819, name: "a range whose end is the next one's start vanishes", breaksAt: 1,
        versions: [
            live(
                "7: a b c d",
                before: [
                    "a": at("00.000") + "\n" + range("\(start0),CLASS=\"c\",END-ON-NEXT=YES")
                        + "\n#EXT-X-DATERANGE:ID=\"y\",CLASS=\"c\",\(start8)"
                ]),
            live("8: b c d e", before: ["b": at("04.000") + "\n#EXT-X-DATERANGE:ID=\"y\",CLASS=\"c\",\(start8)"]),
        ]),
    ReloadCase(
        rule: 819, name: "a range of unknown length vanishes while its start is listed", breaksAt: 1,
        versions: [
            live("7: a b c d", before: ["a": at("00.000") + "\n" + range("\(start8),PLANNED-DURATION=30")]),
            live("8: b c d e", before: ["b": at("04.000")]),
        ]),
    ReloadCase(
        rule: 819, name: "a range leaves with the last segment that it maps to",
        versions: [
            live("7: a b c d", before: ["a": at("00.000") + "\n" + range("\(start0),DURATION=4")]),
            live("8: b c d e", before: ["b": at("04.000")]),
        ]),
    ReloadCase(
        rule: 820, name: "an attribute changes", breaksAt: 4,
        versions: [
            live("7: a b c d", before: ["a": range("\(start8),DURATION=10") + "\n" + at("00.000")]),
            live("8: b c d e", before: ["b": range("\(start8),DURATION=11") + "\n" + at("04.000")]),
        ]),
    ReloadCase(
        rule: 820, name: "an attribute vanishes", breaksAt: 4,
        versions: [
            live("7: a b c d", before: ["a": range("\(start8),DURATION=10") + "\n" + at("00.000")]),
            live("8: b c d e", before: ["b": range(start8) + "\n" + at("04.000")]),
        ]),
    ReloadCase(
        rule: 820, name: "an identifier is used again after its range has left", breaksAt: 4,
        versions: [
            live("7: a b c d", before: ["a": range("\(start0),DURATION=4") + "\n" + at("00.000")]),
            live("8: b c d e", before: ["b": at("04.000")]),
            live("9: c d e f", before: ["c": range("\(start8),DURATION=4") + "\n" + at("08.000")]),
        ]),
    ReloadCase(
        rule: 820, name: "one of two tags leaves when the range has ended",
        versions: [
            live(
                "7: a b c d",
                before: [
                    "a": range("\(start0),PLANNED-DURATION=5") + "\n" + at("00.000"), "b": range("DURATION=4"),
                ]),
            live("8: b c d e", before: ["b": at("04.000") + "\n" + range("DURATION=4")]),
        ]),
    ReloadCase(
        rule: 820, name: "attributes come later, and are spelled otherwise",
        versions: [
            live("7: a b c d", before: ["a": range("\(start8),PLANNED-DURATION=10") + "\n" + at("00.000")]),
            live(
                "8: b c d e",
                before: ["b": range("\(start8),PLANNED-DURATION=10.0,DURATION=9") + "\n" + at("04.000")]),
        ]),
]

private let kindCases = [
    ReloadCase(
        rule: 903, name: "segments leave an EVENT playlist", breaksAt: 3,
        versions: [live("7: a b c d", event), live("8: b c d e", event)]),
    ReloadCase(rule: 903, name: "a sliding playlist has no type", versions: [live("7: a b c d"), live("8: b c d e")]),
    ReloadCase(
        rule: 904, name: "an EVENT playlist changes in the past", breaksAt: 8,
        versions: [live("0: a b c", event), live("0: a X c d", event)]),
    ReloadCase(
        rule: 904, name: "an EVENT playlist is only appended to",
        versions: [live("0: a b c", event), live("0: a b c d", event), live("0: a b c d", event, tail: end)]),
    ReloadCase(
        rule: 905, name: "a VOD playlist changes", breaksAt: 8,
        versions: [live("0: a b c", vod, tail: end), live("0: a X c", vod, tail: end)]),
    ReloadCase(
        rule: 905, name: "an ended playlist goes on", breaksAt: 10,
        versions: [live("7: a b c", tail: end), live("7: a b c d", tail: end)]),
    ReloadCase(
        rule: 905, name: "a VOD playlist stays as it is",
        versions: [live("0: a b c", vod, tail: end), live("0: a b c", vod, tail: "# served again\n" + end)]),
    ReloadCase(
        rule: 909, name: "the end is taken back", breaksAt: 9,
        versions: [live("7: a b c", tail: end), live("7: a b c")]),
    ReloadCase(
        rule: 909, name: "the end comes and stays",
        versions: [live("7: a b c"), live("7: a b c", tail: end), live("7: a b c", tail: end)]),
]

private let hintCases = [
    ReloadCase(
        rule: 1005, name: "another part comes than was hinted at", breaksAt: 13,
        versions: [
            lowLatency("7: a b c", part("d.0"), hint("d.1")),
            lowLatency("7: a b c", part("d.0"), part("x.1"), hint("d.2")),
        ]),
    ReloadCase(
        rule: 1005, name: "the hinted part would be elsewhere in the resource", breaksAt: 12,
        versions: [
            lowLatency("7: a b c", hint("d", ",BYTERANGE-START=0")),
            lowLatency("7: a b c", part("d", ",BYTERANGE=\"10@5\""), hint("d", ",BYTERANGE-START=15")),
        ]),
    ReloadCase(
        rule: 1005, name: "of two hints the first counts", breaksAt: 13,
        versions: [
            lowLatency("7: a b c", part("d.0"), hint("d.1"), hint("e.1")),
            lowLatency("7: a b c", part("d.0"), part("e.1"), hint("d.2")),
        ]),
    ReloadCase(
        rule: 1005, name: "the hinted part comes", times: [0, 2, 4],
        versions: [
            lowLatency("7: a b c", part("d.0"), hint("d.1")),
            lowLatency("7: a b c", part("d.0"), part("d.1"), hint("e.0")),
            lowLatency("7: a b c", part("d.0"), part("d.1"), "#EXTINF:4,\nd.ts", part("e.0"), hint("e.1")),
        ]),
    ReloadCase(
        rule: 1005, name: "a hint into one resource, range by range", times: [0, 2, 4],
        versions: [
            lowLatency("7: a b c", hint("d", ",BYTERANGE-START=0")),
            lowLatency("7: a b c", part("d", ",BYTERANGE=\"10@0\""), hint("d", ",BYTERANGE-START=10")),
            lowLatency("7: a b c", part("d", ",BYTERANGE=\"10@0\""), part("d", ",BYTERANGE=\"9\""), hint("e")),
        ]),
]
