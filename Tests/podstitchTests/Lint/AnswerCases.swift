import HLS
import Testing

@testable import podstitch

/// An answer that breaks a rule of HTTP, or keeps it.
struct AnswerCase: Sendable, CustomStringConvertible {
    var rule: Int
    var name: String
    var isBroken: Bool
    var findings: @Sendable () throws -> [PlaylistFinding]

    var description: String { "\(rule) \(isBroken ? "broken" : "kept"): \(name)" }

    static func breaks(
        _ rule: Int, _ name: String, _ findings: @escaping @Sendable () throws -> [PlaylistFinding]
    ) -> AnswerCase {
        AnswerCase(rule: rule, name: name, isBroken: true, findings: findings)
    }

    static func keeps(
        _ rule: Int, _ name: String, _ findings: @escaping @Sendable () throws -> [PlaylistFinding]
    ) -> AnswerCase {
        AnswerCase(rule: rule, name: name, isBroken: false, findings: findings)
    }
}

let answerCases = typeCases + cachingCases + blockingCases + deltaCases + assetListCases

func mediaPlaylist(_ text: String) throws -> MediaPlaylist { try MediaPlaylist(parsing: Array(text.utf8)) }

/// A live playlist of 4-second segments from number `first` on.
func livePlaylist(_ first: Int = 7, count: Int = 4, _ head: String = "", tail: String = "") -> String {
    let segments = (first..<first + count).map { "#EXTINF:4,\n\($0).ts\n" }.joined()
    let sequence = "#EXT-X-MEDIA-SEQUENCE:\(first)\n"
    return "#EXTM3U\n#EXT-X-VERSION:1\n#EXT-X-TARGETDURATION:4\n\(sequence)\(head)\(segments)\(tail)"
}

/// Judges an answer with a live playlist. Headers are what is right, unless others are given; an empty value leaves one out.
private func judge(
    _ url: String = "http://o/live.m3u8", headers: [String: String] = [:], status: Int = 200,
    body: String = livePlaylist()
) -> [PlaylistFinding] {
    let right = [
        "Content-Type": "application/vnd.apple.mpegurl", "Cache-Control": "max-age=1",
        "Access-Control-Allow-Origin": "*", "Content-Encoding": "gzip",
    ]
    let all = right.merging(headers) { $1 }.filter { !$0.value.isEmpty }.map { (name: $0.key, value: $0.value) }
    let answer = LintAnswer(url: url, status: status, headers: all, body: Array(body.utf8))
    return AnswerLint.findings(answer, try? Playlist(parsing: answer.body))
}

private let ended = livePlaylist(tail: "#EXT-X-ENDLIST\n")

private let delta = livePlaylist(7, "#EXT-X-SKIP:SKIPPED-SEGMENTS=5\n")
private let variable = livePlaylist(7, "#EXT-X-DEFINE:QUERYPARAM=\"t\"\n")

private let misnamed = "#EXT-X-DEFINE:NAME=\"query parameter\",VALUE=\"1\"\n"

private let typeCases: [AnswerCase] = [
    .breaks(101, "text/plain without the ending") {
        judge("http://o/live?x=a.m3u8", headers: ["Content-Type": "text/plain"])
    },
    .breaks(101, "nothing tells what it is") { judge("http://o/live", headers: ["Content-Type": ""]) },
    .keeps(101, "the type is enough") {
        judge("http://o/live", headers: ["Content-Type": "Audio/MPEGURL; charset=utf-8"])
    },
    .keeps(101, "the path is enough") { judge("http://o/LIVE.M3U8?x", headers: ["Content-Type": "text/plain"]) },
    .breaks(1007, "a delta update that nobody asked for") { judge(body: delta) },
    .keeps(1007, "a delta update that was asked for") { judge("http://o/live.m3u8?_HLS_skip=YES", body: delta) },
    .breaks(1204, "a variable from a parameter that the URI has not") { judge("http://o/a.m3u8?u=1", body: variable) },
    .keeps(1204, "a variable from a parameter of the URI") { judge("http://o/a.m3u8?t=1", body: variable) },
    .keeps(1204, "a name that only speaks of a parameter") { judge(body: livePlaylist(7, misnamed)) },
    .breaks(1501, "a web page with status 200") { judge(body: "<html><body>Sorry</body></html>") },
    .breaks(1501, "an error's status") { judge(status: 503) },
    .breaks(1501, "a playlist with another status") { judge(status: 206) },
    .keeps(1501, "a playlist with status 200") { judge() },
    .breaks(1502, "a long playlist uncompressed") {
        judge(headers: ["Content-Encoding": ""], body: livePlaylist(count: 200))
    },
    .breaks(1502, "identity is no compression") {
        judge(headers: ["Content-Encoding": "identity"], body: livePlaylist(count: 200))
    },
    .keeps(1502, "compressed") { judge(body: livePlaylist(count: 200)) },
    .keeps(1502, "a short playlist need not be") { judge(headers: ["Content-Encoding": ""]) },
]

private let cachingCases: [AnswerCase] = [
    .breaks(1503, "a live playlist without Cache-Control") { judge(headers: ["Cache-Control": ""]) },
    .breaks(1503, "kept longer than half a target duration") { judge(headers: ["Cache-Control": "public, max-age=3"]) },
    .breaks(1503, "shared caches keep it longer") { judge(headers: ["Cache-Control": "max-age=1, s-maxage=\"10\""]) },
    .breaks(1503, "a cache answers late") { judge(headers: ["Age": "5"]) },
    .breaks(1503, "a viewer's playlist that any cache may keep") { judge("http://o/a.m3u8?stream_id=7") },
    .breaks(1503, "a cookie for all") { judge(headers: ["Cache-Control": "public, max-age=1", "Set-Cookie": "a=b"]) },
    .breaks(1503, "no web page may read it") { judge(headers: ["Access-Control-Allow-Origin": ""]) },
    .breaks(1503, "only one web page may read it") {
        judge(headers: ["Access-Control-Allow-Origin": "https://other.example"])
    },
    .keeps(1503, "half a target duration") { judge(headers: ["Cache-Control": "max-age=2", "Age": "1"]) },
    .keeps(1503, "not kept at all") { judge("http://o/a.m3u8?session_id=7", headers: ["Cache-Control": "no-store"]) },
    .keeps(1503, "kept by the viewer alone") {
        judge("http://o/a.m3u8?sid=7", headers: ["Cache-Control": "private, max-age=1"])
    },
    .keeps(1503, "an ended playlist may be kept") { judge(headers: ["Cache-Control": "max-age=3600"], body: ended) },
    .keeps(1503, "the page that asks may read it") {
        judge(headers: ["Access-Control-Allow-Origin": AnswerLint.origin])
    },
]

// MARK: Blocking reloads

private let control = "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=6\n#EXT-X-PART-INF:PART-TARGET=2\n"
private let onePart = "#EXT-X-PART:DURATION=2,URI=\"11.0\"\n"
private let twoParts = onePart + "#EXT-X-PART:DURATION=2,URI=\"11.1\"\n"

/// Judges the answers to all probes of a playlist with segments 7 to 10 and a part of 11.
private func block(_ answer: (BlockingReloadLint.Probe) -> LintAnswer?) throws -> [PlaylistFinding] {
    let lint = try #require(BlockingReloadLint(try mediaPlaylist(livePlaylist(7, control, tail: onePart))))
    return lint.probes.compactMap { lint.finding($0, answer($0)) }
}

private func whole(_ text: String, status: Int = 200, after elapsed: Duration = .zero) -> LintAnswer {
    LintAnswer(url: "http://o/a.m3u8", status: status, body: Array(text.utf8), elapsed: elapsed)
}

/// As it should be, unless `change` gives another answer to a query.
private func server(_ change: [String: LintAnswer?]) throws -> [PlaylistFinding] {
    try block { probe in
        if let answer = change[probe.text] { return answer }
        return switch probe.expectation {
        case .refusal: whole("", status: 400)
        case .whole(_, nil): whole(livePlaylist(8, control))
        case .whole: whole(livePlaylist(7, control, tail: twoParts))
        }
    }
}

private let blockingCases: [AnswerCase] = [
    .breaks(1011, "a part without a number is not refused") { try server(["_HLS_part=0": whole(livePlaylist())]) },
    .breaks(1011, "a number far ahead is not refused") { try server(["_HLS_msn=31": whole(livePlaylist())]) },
    .breaks(1011, "the number is not waited for") {
        try server(["_HLS_msn=11": whole(livePlaylist(7, control, tail: twoParts))])
    },
    .breaks(1011, "the part is not waited for") {
        try server(["_HLS_msn=11&_HLS_part=1": whole(livePlaylist(7, control, tail: onePart))])
    },
    .breaks(1011, "a right request is refused") { try server(["_HLS_msn=11": whole("", status: 400)]) },
    .breaks(1011, "503 at once") { try server(["_HLS_msn=11": whole("", status: 503, after: .seconds(1))]) },
    .breaks(1011, "a part of the list") {
        try server(["_HLS_msn=11": whole(livePlaylist(8, "#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n"))])
    },
    .breaks(1011, "no playlist") { try server(["_HLS_msn=11": whole("<html>")]) },
    .breaks(1011, "no answer") { try server(["_HLS_msn=11": LintAnswer?.none]) },
    .keeps(1011, "held until it is there") { try server([:]) },
    .keeps(1011, "503 after three target durations") {
        try server(["_HLS_msn=11": whole("", status: 503, after: .seconds(12))])
    },
    .keeps(1011, "the segment ends while its part is waited for") {
        try server(["_HLS_msn=11&_HLS_part=1": whole(livePlaylist(8, control))])
    },
    .keeps(1011, "the stream ends meanwhile") { try server(["_HLS_msn=11": whole(ended)]) },
    .keeps(1011, "not announced") {
        let plain = try mediaPlaylist(livePlaylist())
        #expect(BlockingReloadLint(plain) == nil)
        return []
    },
]

// MARK: Delta updates

private let skipControl = "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24\n"

/// Judges a delta update of ten segments of 4 seconds, numbers 7 to 16, of which four may be skipped.
private func delta(
    _ first: Int = 7, skipped: Int = 4, listed: Range<Int> = 11..<17, sequence: Int = 3, isEnded: Bool = false
) throws -> [PlaylistFinding] {
    let end = isEnded ? "#EXT-X-ENDLIST\n" : ""
    let full = livePlaylist(7, count: 10, skipControl + "#EXT-X-DISCONTINUITY-SEQUENCE:3\n", tail: end)
    let head = "\(skipControl)#EXT-X-DISCONTINUITY-SEQUENCE:\(sequence)\n#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)\n"
    let segments = listed.map { "#EXTINF:4,\n\($0).ts\n" }.joined()
    let text = livePlaylist(first, count: 0, head, tail: segments + end)
    return try #require(DeltaUpdateLint(try mediaPlaylist(full))).findings(whole(text))
}

private func deltaAnswer(_ answer: LintAnswer) throws -> [PlaylistFinding] {
    try #require(DeltaUpdateLint(try mediaPlaylist(livePlaylist(7, skipControl)))).findings(answer)
}

private let deltaCases: [AnswerCase] = [
    .breaks(1007, "one skipped segment too many is counted") { try delta(skipped: 5) },
    .breaks(1007, "one too few is counted") { try delta(skipped: 3) },
    .breaks(1007, "more are skipped than there were") { try delta(skipped: 40) },
    .breaks(1007, "the numbers of another list") { try delta(2) },
    .breaks(1007, "an error") { try deltaAnswer(whole("", status: 500)) },
    .keeps(1007, "the segments before the boundary are skipped") { try delta() },
    .keeps(1007, "the list went on meanwhile") { try delta(8, skipped: 4, listed: 12..<18) },
    .keeps(1007, "the whole list is a right answer") { try deltaAnswer(whole(livePlaylist(7, skipControl))) },
    .breaks(1008, "skipped beyond the boundary") { try delta(skipped: 5, listed: 12..<17) },
    .breaks(1008, "another discontinuity sequence") { try delta(sequence: 4) },
    .breaks(1008, "an ended playlist") { try delta(isEnded: true) },
    .keeps(1008, "less is skipped than might be") { try delta(skipped: 2, listed: 9..<17) },
    .keeps(1008, "not announced") {
        let plain = try mediaPlaylist(livePlaylist())
        #expect(DeltaUpdateLint(plain) == nil)
        return []
    },
]

// MARK: Asset lists

private func assetList(_ body: String, status: Int = 200) -> [PlaylistFinding] {
    let reference = AssetListLint.Reference(url: "http://a/list", line: 5, id: "x")
    return AssetListLint.findings(reference, whole(body, status: status))
}

private let asset = "{\"URI\":\"https://a/1.m3u8\",\"DURATION\":15.0}"

private let assetListCases: [AnswerCase] = [
    .breaks(824, "no JSON") { assetList("<html>") },
    .breaks(824, "no object") { assetList("[\(asset)]") },
    .breaks(824, "no list") { assetList("{\"assets\":[]}") },
    .breaks(824, "the list is none") { assetList("{\"ASSETS\":{}}") },
    .breaks(824, "an asset without URI") { assetList("{\"ASSETS\":[\(asset),{\"DURATION\":1}]}") },
    .breaks(824, "a relative URI") { assetList("{\"ASSETS\":[{\"URI\":\"1.m3u8\",\"DURATION\":1}]}") },
    .breaks(824, "an asset without duration") { assetList("{\"ASSETS\":[{\"URI\":\"https://a/1\"}]}") },
    .breaks(824, "a duration in quotes") {
        assetList("{\"ASSETS\":[{\"URI\":\"https://a/1\",\"DURATION\":\"15\"}]}")
    },
    .breaks(824, "a negative duration") { assetList("{\"ASSETS\":[{\"URI\":\"https://a/1\",\"DURATION\":-1}]}") },
    .breaks(824, "an asset that is none") { assetList("{\"ASSETS\":[7]}") },
    .breaks(824, "a skip button without numbers") {
        assetList("{\"ASSETS\":[],\"SKIP-CONTROL\":{\"OFFSET\":\"5\"}}")
    },
    .breaks(824, "a skip button's label with a blank") {
        assetList("{\"ASSETS\":[],\"SKIP-CONTROL\":{\"LABEL-ID\":\"skip it\"}}")
    },
    .breaks(824, "an error") { assetList("", status: 404) },
    .keeps(824, "two assets") { assetList("{\"ASSETS\":[\(asset),\(asset)],\"X\":null}") },
    .keeps(824, "no ad") { assetList("{\"ASSETS\":[]}") },
    .keeps(824, "a skip button") {
        assetList("{\"ASSETS\":[\(asset)],\"SKIP-CONTROL\":{\"OFFSET\":5,\"DURATION\":10,\"LABEL-ID\":\"x\"}}")
    },
]
