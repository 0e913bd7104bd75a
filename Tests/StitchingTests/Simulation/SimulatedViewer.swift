import HLS

@testable import Stitching

/// Checks over all playlists of one session what must hold between them.
struct SimulatedViewer {
    struct Violation: Error, CustomStringConvertible {
        var description: String
    }

    private struct Fact: Equatable {
        var source: StitchedPlaylist.Entry.Source
        var duration: Duration
        var date: DateTime?
        var discontinuity: Int64
        var uri: String
    }

    private struct Seen {
        var facts: [Int64: Fact] = [:]
        var first: Int64 = .min
        var last: Int64 = .min
        var discontinuitySequence: Int64 = .min
        /// Folder and number in the addresses of content to stitched discontinuity number.
        var content: [Substring: Int64] = [:]
    }

    var session: StitchingSession
    let joinsAt: Duration
    private var seen: [RenditionKey: Seen] = [:]
    private var targetDuration: Int?
    /// The discontinuity number of the first entry of each ad.
    private var adDiscontinuities: [FillReference: Int64] = [:]
    private var reloads: [RenditionKey: ReloadLint] = [:]

    init(session: StitchingSession, joinsAt: Duration) {
        self.session = session
        self.joinsAt = joinsAt
    }

    /// Rules 303, 307, 309, 403-406, 501-504, 507, 802-804 over reloads and renditions.
    mutating func check(_ answer: StitchedPlaylist, _ key: RenditionKey, hasGap: Bool) throws {
        let playlist: MediaPlaylist
        do {
            playlist = try MediaPlaylist(parsing: answer.bytes)
        } catch {
            throw Violation(description: "\(key): unreadable: \(error)")
        }
        func fail(_ text: String) -> Violation {
            Violation(description: "\(key): \(text)\n\(String(decoding: answer.bytes, as: UTF8.self))")
        }
        guard playlist.segments.count == answer.entries.count, let first = answer.entries.first,
            let last = answer.entries.last
        else { throw fail("\(playlist.segments.count) segments, \(answer.entries.count) entries") }
        if let targetDuration, targetDuration != playlist.targetDuration { throw fail("target duration changed (307)") }
        targetDuration = playlist.targetDuration
        let target = Duration.seconds(playlist.targetDuration ?? 0)
        var history = seen[key] ?? Seen()
        if first.number < history.first { throw fail("first number fell: \(history.first) to \(first.number) (403)") }
        if last.number < history.last { throw fail("last number fell: \(history.last) to \(last.number) (404)") }
        let total = answer.entries.reduce(Duration.zero) { $0 + $1.duration }
        // Where the origin's window went on unseen, nothing is left of what was listed.
        if !hasGap, first.number > history.first, first.number <= history.last, total < target * 3 {
            throw fail("removed with \(total) left (309)")
        }
        guard let sequence = playlist.discontinuitySequence else { throw fail("no discontinuity sequence (503)") }
        if sequence < history.discontinuitySequence { throw fail("discontinuity sequence fell (502)") }
        history.discontinuitySequence = sequence
        history.first = first.number
        history.last = last.number
        var before: StitchedPlaylist.Entry?
        for (entry, segment) in zip(answer.entries, playlist.segments) {
            if segment.number != entry.number { throw fail("number \(segment.number), entry \(entry.number) (405)") }
            if segment.duration != entry.duration { throw fail("EXTINF of \(entry.number)") }
            if segment.duration.roundedToSeconds > target { throw fail("EXTINF above target (303)") }
            if segment.discontinuityNumber != entry.discontinuity {
                throw fail(
                    "\(entry.number): discontinuity \(segment.discontinuityNumber), entry \(entry.discontinuity) (502)")
            }
            if entry.date != nil, case .fill = entry.source, segment.programDateTime != entry.date {
                throw fail("date of \(entry.number)")
            }
            let fact = Fact(
                source: entry.source, duration: entry.duration, date: entry.date, discontinuity: entry.discontinuity,
                uri: playlist.text(segment.uri))
            if let known = history.facts[entry.number], known != fact {
                throw fail("number \(entry.number) was \(known), is \(fact) (404, 502, 804)")
            }
            history.facts[entry.number] = fact
            if let before, let end = before.date?.advanced(by: before.duration), let date = entry.date,
                date < end.advanced(by: .milliseconds(-999))
            {
                throw fail("date of \(entry.number) overlaps (802): \(end.formatted) \(date.formatted)")
            }
            try checkJoint(entry, before: before, segment: segment, isLeading: key.text == "v0", fail: fail)
            switch entry.source {
            case .content: history.content[Self.name(fact.uri, key)] = entry.discontinuity
            case .fill(let reference) where reference.segment == 0:
                if let known = adDiscontinuities[reference], known != entry.discontinuity {
                    throw fail("ad \(reference) has discontinuity \(entry.discontinuity), elsewhere \(known) (504)")
                }
                adDiscontinuities[reference] = entry.discontinuity
            case .fill: break
            }
            before = entry
        }
        seen[key] = history
    }

    private func checkJoint(
        _ entry: StitchedPlaylist.Entry, before: StitchedPlaylist.Entry?, segment: MediaSegment, isLeading: Bool,
        fail: (String) -> Violation
    ) throws {
        guard let before else { return }
        let isJoint =
            switch (before.source, entry.source) {
            case (.content, .content): false
            case (.fill(let left), .fill(let right)): left.breakID != right.breakID || left.ad != right.ad
            default: true
            }
        if isJoint, segment.discontinuityCount == 0 { throw fail("no discontinuity at \(entry.number) (505)") }
        // Where an origin's discontinuity and a joint of the leading rendition fall on one boundary of a rendition with
        // longer segments, both are counted there (504 before 506).
        if segment.discontinuityCount > (isLeading ? 1 : 2) { throw fail("discontinuities at \(entry.number) (506)") }
    }

    private static func name(_ uri: String, _ key: RenditionKey) -> Substring {
        uri.split(separator: "/\(key)/", maxSplits: 1).last ?? ""
    }

    /// What the rules over reloads (R) say of an answer that was received at `time`.
    mutating func lint(_ playlist: MediaPlaylist, _ key: RenditionKey, at time: Duration) -> [PlaylistFinding] {
        reloads[key, default: ReloadLint()].receive(playlist, at: time)
    }

    /// Rule 504 between the content of two renditions.
    func checkAcross(_ origin: SimulatedOrigin) throws {
        guard let leading = seen[origin.tracks[0].key] else { return }
        for track in origin.tracks.dropFirst() {
            guard let other = seen[track.key] else { continue }
            for folder in [""] + origin.epochs.map(\.folder) {
                for segment in track.segments {
                    guard let number = other.content["\(folder)\(segment.number).m4s"] else { continue }
                    let middle = segment.start + segment.duration / 2
                    guard let twin = origin.tracks[0].segments.first(where: { $0.start <= middle && middle < $0.end }),
                        let expected = leading.content["\(folder)\(twin.number).m4s"], expected != number
                    else { continue }
                    throw Violation(
                        description:
                            "\(track.key) \(folder)\(segment.number): discontinuity \(number), leading \(expected) (504)"
                    )
                }
            }
        }
    }
}
