import HLS

@testable import Stitching

/// What holds of one answer alone, whatever came before: the media of every entry can be decoded, the markers are those that were
/// asked for, pods begin where they may.
struct AnswerChecks {
    /// How a segment is to be decoded.
    private struct Decoding: Equatable {
        struct Key: Equatable {
            var method: EncryptionKey.Method
            var uri: String
            var format: String
            var iv: InitializationVector?
        }

        var keys: [Key]
        var map: String?
    }

    private let scenario: TimelineScenario
    /// By address, as the origin has it: where its lists begin with other init sections, one segment has several.
    private var decodings: [String: [Decoding]] = [:]
    /// Of init sections that are encrypted. Where keys change a list begins with the same one under another key.
    private var mapKeys: [String: [[Decoding.Key]]] = [:]
    /// Markers of outs and returns by address, and the addresses of each rendition in the order in which they came.
    private var markers: [String: [String]] = [:]
    private var order: [RenditionKey: [String]] = [:]
    private var answers = 0

    init(_ scenario: TimelineScenario) { self.scenario = scenario }

    /// An origin's playlist, and where it is from.
    mutating func see(_ playlist: MediaPlaylist, at url: String, as key: RenditionKey) {
        let base = BaseURI(url)
        for segment in playlist.segments {
            let address = Self.address(of: segment, in: playlist, base: base)
            if markers[address] == nil {
                markers[address] = Self.markers(of: segment, in: playlist)
                order[key, default: []].append(address)
            }
            let decoding = Self.decoding(of: segment, in: playlist, base: base)
            if decodings[address]?.contains(decoding) != true { decodings[address, default: []].append(decoding) }
            guard let map = decoding.map else { continue }
            let keys = Self.mapKeys(of: segment, in: playlist, base: base)
            if mapKeys[map]?.contains(keys) != true { mapKeys[map, default: []].append(keys) }
        }
    }

    mutating func check(
        _ answer: StitchedPlaylist, of key: RenditionKey, _ session: StitchingSession, _ ledger: BreakLedger,
        _ viewer: TimelineScenario.Viewer
    ) throws {
        try checkOpening(session, viewer)
        answers += 1
        guard answers % 4 == 0 else { return }
        let playlist = try MediaPlaylist(parsing: answer.bytes)
        func fail(_ rule: String, _ text: String) -> TimelineRun.Violation {
            TimelineRun.Violation(
                rule: rule, text: "\(key): \(text)\n\(String(decoding: answer.bytes, as: UTF8.self))")
        }
        if scenario.origin.isEvent ?? false, playlist.playlistType != .event { throw fail("904", "no EVENT any more") }
        if scenario.origin.startOffset != nil, playlist.start == nil { throw fail("1302", "EXT-X-START is gone") }
        let base = BaseURI("https://session/")
        for (entry, segment) in zip(answer.entries, playlist.segments) where !key.isSubtitles {
            let found = Self.decoding(of: segment, in: playlist, base: base)
            switch entry.source {
            case .content:
                let address = Self.address(of: segment, in: playlist, base: base)
                guard let expected = decodings[address] else { throw fail("1210", "nobody has \(address)") }
                guard expected.contains(found) else { throw fail("609", "\(address): \(found), not \(expected)") }
                guard let map = found.map else { continue }
                let keys = Self.mapKeys(of: segment, in: playlist, base: base)
                guard mapKeys[map]?.contains(keys) ?? false else { throw fail("610", "\(map) is under \(keys)") }
            case .fill:
                if segment.isGap { continue }
                let ad = Self.folder(playlist.text(segment.uri))
                guard found.keys.allSatisfy({ Self.folder($0.uri) == ad }) else {
                    throw fail("609", "keys of the content hold for ad \(entry.number)")
                }
                guard found.map.map({ Self.folder($0) == ad }) ?? (scenario.origin.media == nil) else {
                    throw fail("706", "ad \(entry.number) has \(found.map ?? "no map")")
                }
            }
        }
        if scenario.breakMarks == .cue { try checkCues(answer, playlist, fail: fail) }
        if scenario.markerPassthrough == .all { try checkPassed(answer, playlist, of: key, base: base, fail: fail) }
    }

    /// Where all markers pass, those between the first and the last content that is listed are all there, in their order, also where
    /// a pod stands in their place.
    private func checkPassed(
        _ answer: StitchedPlaylist, _ playlist: MediaPlaylist, of key: RenditionKey, base: BaseURI,
        fail: (String, String) -> TimelineRun.Violation
    ) throws {
        // Of other origins it is not known which segments count.
        guard scenario.breakMarks != .cue, scenario.origin.epochs?.isEmpty ?? true, scenario.origin.turns == nil else {
            return
        }
        let content = answer.entries.indices.filter {
            if case .content = answer.entries[$0].source { true } else { false }
        }
        guard let first = content.first, let last = content.last, first < last, let order = order[key],
            let start = order.firstIndex(of: Self.address(of: playlist.segments[first], in: playlist, base: base)),
            let end = order.firstIndex(of: Self.address(of: playlist.segments[last], in: playlist, base: base)),
            start < end
        else { return }
        let expected = order[(start + 1)...end].flatMap { markers[$0] ?? [] }
        let found = playlist.segments[(first + 1)...last].flatMap { Self.markers(of: $0, in: playlist) }
        guard found == expected else { throw fail("markers", "\(found), not \(expected)") }
    }

    private static func markers(of segment: MediaSegment, in playlist: MediaPlaylist) -> [String] {
        let inside = ["CUE-OUT-CONT", "SIGNAL-SPAN", "CUE-OUT=CONT", "#EXT-X-DATERANGE"]
        return playlist.lines(ofSegmentAt: segment.index)
            .filter { AdMarker(playlist.source, line: $0) != nil }.map { playlist.text($0.range) }
            .filter { line in !inside.contains { line.contains($0) } }
            .map { String($0.filter { !$0.isNewline }) }
    }

    /// Where pods may begin is fixed when the session begins.
    private func checkOpening(_ session: StitchingSession, _ viewer: TimelineScenario.Viewer) throws {
        guard let join = session.joinEdge, let plan = session.plan.renditions[RenditionKey(TimelineScenario.leading)]
        else { return }
        for placement in plan.placements where placement.breakID != .preroll {
            let start = join.duration(to: placement.startTime)
            if let distance = viewer.suppressedBehind, start <= .zero - .milliseconds(distance) {
                throw TimelineRun.Violation(rule: "suppression", text: "a pod begins \(start) from the edge")
            }
            // What is left of a break begins on the boundary nearest to where ads are wanted.
            let slack = viewer.fillsRest ?? false ? Duration.milliseconds(scenario.longestSegment / 2) : .zero
            if let distance = viewer.suppressedUntil, start < .milliseconds(distance) - slack {
                throw TimelineRun.Violation(rule: "suppression", text: "a pod begins \(start) after the edge")
            }
            let isPast = placement.plannedEnd <= join && placement.end != nil
            if isPast, !(viewer.stitchesPastBreaks ?? false) {
                throw TimelineRun.Violation(rule: "past breaks", text: "\(placement.breakID) had ended")
            }
        }
    }

    /// Each first entry of a pod has its CUE-OUT, each other one its CUE-OUT-CONT, and what comes behind a pod a CUE-IN.
    private func checkCues(
        _ answer: StitchedPlaylist, _ playlist: MediaPlaylist, fail: (String, String) -> TimelineRun.Violation
    ) throws {
        var before: FillReference?
        for (entry, segment) in zip(answer.entries, playlist.segments) {
            let lines = playlist.lines(ofSegmentAt: segment.index).map { playlist.text($0.range) }
            let outs = lines.count { $0.hasPrefix("#EXT-X-CUE-OUT:DURATION=") && $0.contains("BREAKID=") }
            switch entry.source {
            case .fill(let reference):
                let isFirst = reference.ad == 0 && reference.segment == 0
                if outs != (isFirst ? 1 : 0) { throw fail("cues", "\(outs) CUE-OUT at \(entry.number)") }
                if !isFirst, !lines.contains(where: { $0.hasPrefix("#EXT-X-CUE-OUT-CONT:") }) {
                    throw fail("cues", "no CUE-OUT-CONT at \(entry.number)")
                }
                if let before, before.breakID != reference.breakID,
                    !lines.contains(where: { $0.hasPrefix("#EXT-X-CUE-IN") })
                {
                    throw fail("cues", "no CUE-IN between pods at \(entry.number)")
                }
                before = reference
            case .content:
                if outs != 0 { throw fail("cues", "CUE-OUT at content \(entry.number)") }
                if before != nil, !lines.contains(where: { $0.hasPrefix("#EXT-X-CUE-IN") }) {
                    throw fail("cues", "no CUE-IN at \(entry.number)")
                }
                before = nil
            }
        }
    }

    // MARK: - Addresses

    private static func address(of segment: MediaSegment, in playlist: MediaPlaylist, base: BaseURI) -> String {
        let uri = base.resolve(playlist.text(segment.uri))
        return segment.byteRange.map { "\(uri)@\($0.offset)" } ?? uri
    }

    private static func folder(_ uri: String) -> String {
        String(uri.prefix(upTo: uri.lastIndex(of: "/") ?? uri.startIndex))
    }

    private static func decoding(of segment: MediaSegment, in playlist: MediaPlaylist, base: BaseURI) -> Decoding {
        Decoding(
            keys: keys(playlist.keyGroups[segment.keyGroup].keys, of: segment, in: playlist, base: base),
            map: segment.map.map { base.resolve(playlist.text(playlist.maps[$0].uri)) })
    }

    private static func mapKeys(of segment: MediaSegment, in playlist: MediaPlaylist, base: BaseURI) -> [Decoding.Key] {
        let keys = segment.map.map { playlist.maps[$0].keys.filter(\.isOfWholeResources) } ?? []
        return Self.keys(keys, of: segment, in: playlist, base: base)
    }

    private static func keys(
        _ keys: [EncryptionKey], of segment: MediaSegment, in playlist: MediaPlaylist, base: BaseURI
    ) -> [Decoding.Key] {
        keys.map { key in
            Decoding.Key(
                method: key.method, uri: base.resolve(key.uri(in: playlist.source)),
                format: key.keyFormat(in: playlist.source),
                iv: key.initializationVector(ofSegment: segment.number, in: playlist.source))
        }
    }
}

extension TimelineScenario {
    /// Of the leading rendition.
    var longestSegment: Int { origin.segments.map(\.duration).max() ?? 0 }
}
