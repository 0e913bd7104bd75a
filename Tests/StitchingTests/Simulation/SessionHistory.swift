import HLS

@testable import Stitching

/// Checks over all playlists of one session what must hold between them.
struct SessionHistory {
    typealias Violation = TimelineRun.Violation

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
        /// By the end of its address.
        var content: [String: Content] = [:]

        /// The number that was listed of the leading rendition's content at a time.
        func number(at time: Duration, of origin: SimulatedOrigin, _ epoch: Int?, from place: Int) -> Int64? {
            content(at: time, of: origin, epoch, from: place)?.content.discontinuity
        }

        /// The time that the servers gave to a moment of it, going by the segment that it lies in.
        func time(at time: Duration, of origin: SimulatedOrigin, _ epoch: Int?, from place: Int) -> DateTime? {
            content(at: time, of: origin, epoch, from: place).map { $0.content.time.advanced(by: time - $0.start) }
        }

        private func content(
            at time: Duration, of origin: SimulatedOrigin, _ epoch: Int?, from place: Int
        ) -> (content: Content, start: Duration)? {
            let track = origin.tracks[0]
            guard let index = track.segments.firstIndex(where: { $0.start <= time && time < $0.end }),
                let content = content[origin.name(track, index, epoch, from: place)]
            else { return nil }
            return (content, track.segments[index].start)
        }
    }

    /// A segment of content as it was listed.
    private struct Content {
        var discontinuity: Int64
        /// On the channel's timeline, as the servers know it.
        var time: DateTime
        var duration: Duration
        var end: DateTime { time.advanced(by: duration) }
        var middle: DateTime { time.advanced(by: duration / 2) }
    }

    private var seen: [RenditionKey: Seen] = [:]
    private var targetDuration: Int?
    /// The discontinuity number of the first entry of each ad.
    private var adDiscontinuities: [FillReference: Int64] = [:]
    private var reloads: [RenditionKey: ReloadLint] = [:]
    private var answers = 0
    private var listedEnds: [RenditionKey: DateTime] = [:]
    let log: ExcuseLog

    init(log: ExcuseLog = ExcuseLog()) { self.log = log }

    /// An answer for a rendition at a time, made with a ledger and a plan, against all answers before it.
    mutating func check(
        _ answer: StitchedPlaylist, _ key: RenditionKey, at now: Duration, ledger: RenditionLedger,
        listable: ListableEntries
    ) throws {
        let playlist: MediaPlaylist
        do {
            playlist = try MediaPlaylist(parsing: answer.bytes)
        } catch {
            throw Violation(rule: "103", text: "\(key): unreadable: \(error)")
        }
        let lastNumber = seen[key]?.last
        try checkFacts(answer, playlist, key)
        answers += 1
        if answers % 4 == 0 {
            for finding in playlist.lint() where finding.severity == .error {
                throw Violation(rule: "\(finding.rule)", text: "\(now) \(key): \(finding)")
            }
        }
        let missing = listable.missing(behind: answer, in: key)
        let excuses = ReloadExcuses(
            ledger, isWhole: listable.isWhole(before: answer, in: key), isNewest: missing == nil, answer: answer,
            before: lastNumber.flatMap { number in listedEnds[key].map { (number, $0) } })
        listedEnds[key] = answer.entries.last.map { $0.time.advanced(by: $0.duration) }
        for finding in lint(playlist, key, at: now) where finding.severity == .error {
            if let excuse = excuses.excuse(for: finding) {
                log.note(excuse, finding.rule)
                continue
            }
            let reason = finding.rule == 310 ? " (not listed: \(missing ?? ""))" : ""
            throw Violation(
                rule: "\(finding.rule)",
                text: "\(now) \(key): \(finding)\(reason)\n\(String(decoding: answer.bytes, as: UTF8.self))")
        }
    }

    /// What the rules over reloads say of an answer that was received at a time.
    mutating func lint(_ playlist: MediaPlaylist, _ key: RenditionKey, at time: Duration) -> [PlaylistFinding] {
        reloads[key, default: ReloadLint()].receive(playlist, at: time)
    }

    /// Every number names what it named before; joints and dates are as they have to be.
    mutating func checkFacts(_ answer: StitchedPlaylist, _ playlist: MediaPlaylist, _ key: RenditionKey) throws {
        func fail(_ rule: String, _ text: String) -> Violation {
            Violation(rule: rule, text: "\(key): \(text)\n\(String(decoding: answer.bytes, as: UTF8.self))")
        }
        guard playlist.segments.count == answer.entries.count, let first = answer.entries.first,
            let last = answer.entries.last
        else { throw fail("405", "\(playlist.segments.count) segments, \(answer.entries.count) entries") }
        if let targetDuration, targetDuration != playlist.targetDuration {
            throw fail("307", "target duration changed between renditions")
        }
        targetDuration = playlist.targetDuration
        var history = seen[key] ?? Seen()
        if first.number < history.first { throw fail("403", "first number fell: \(history.first) to \(first.number)") }
        if last.number < history.last { throw fail("404", "last number fell: \(history.last) to \(last.number)") }
        guard let sequence = playlist.discontinuitySequence else { throw fail("503", "no discontinuity sequence") }
        if sequence < history.discontinuitySequence { throw fail("502", "discontinuity sequence fell") }
        history.discontinuitySequence = sequence
        history.first = first.number
        history.last = last.number
        var before: StitchedPlaylist.Entry?
        for (entry, segment) in zip(answer.entries, playlist.segments) {
            if segment.number != entry.number { throw fail("405", "number \(segment.number), entry \(entry.number)") }
            if segment.duration != entry.duration { throw fail("303", "EXTINF of \(entry.number)") }
            if segment.discontinuityNumber != entry.discontinuity {
                throw fail("502", "\(entry.number): \(segment.discontinuityNumber), entry \(entry.discontinuity)")
            }
            if entry.date != nil, case .fill = entry.source, segment.programDateTime != entry.date {
                throw fail("804", "date of \(entry.number)")
            }
            let fact = Fact(
                source: entry.source, duration: entry.duration, date: entry.date, discontinuity: entry.discontinuity,
                uri: playlist.text(segment.uri))
            if let known = history.facts[entry.number], known != fact {
                throw fail("404", "number \(entry.number) was \(known), is \(fact)")
            }
            history.facts[entry.number] = fact
            if let before, let end = before.date?.advanced(by: before.duration), let date = entry.date,
                date < end.advanced(by: .milliseconds(-999))
            {
                throw fail("802", "date of \(entry.number) overlaps: \(end.formatted) \(date.formatted)")
            }
            try checkJoint(entry, before: before, segment: segment, isLeading: key.text == "v0", fail: fail)
            switch entry.source {
            case .content:
                history.content[Self.name(of: segment, in: playlist, key)] = Content(
                    discontinuity: entry.discontinuity, time: entry.time, duration: entry.duration)
            case .fill(let reference) where reference.segment == 0:
                if let known = adDiscontinuities[reference], known != entry.discontinuity {
                    throw fail("504", "ad \(reference) has discontinuity \(entry.discontinuity), elsewhere \(known)")
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
        fail: (String, String) -> Violation
    ) throws {
        guard let before else { return }
        let isJoint =
            switch (before.source, entry.source) {
            case (.content, .content): false
            case (.fill(let left), .fill(let right)): left.breakID != right.breakID || left.ad != right.ad
            default: true
            }
        if isJoint, segment.discontinuityCount == 0 { throw fail("505", "no discontinuity at \(entry.number)") }
        // Where an origin's discontinuity and joints of the leading rendition, a return and the next start, fall on one boundary of a
        // rendition with longer segments, all are counted there (504 before 506).
        if segment.discontinuityCount > (isLeading ? 1 : 3) { throw fail("506", "discontinuities at \(entry.number)") }
    }

    /// Rule 504 between the content of two renditions: what both have at one time has one number.
    ///
    /// - Parameter unaligned: see ``TimelineRun``.
    func checkAcross(_ origin: SimulatedOrigin, unaligned: Set<RenditionKey>) throws {
        guard let leading = seen[origin.tracks[0].key] else { return }
        let listed = leading.content.values.sorted { $0.time < $1.time }
        let epochs = [nil] + origin.epochs.indices.map(Optional.some)
        let places = 0...(origin.scenario.origin.backups?.count ?? 0)
        let names = epochs.flatMap { epoch in places.map { (epoch, $0) } }
        /// What the leading rendition's list had at a time, from whatever origin.
        func numbers(at time: Duration) -> Set<Int64> {
            Set(names.compactMap { leading.number(at: time, of: origin, $0.0, from: $0.1) })
        }
        for track in origin.tracks.dropFirst() {
            guard let other = seen[track.key] else { continue }
            let wrong =
                unaligned.contains(track.key) ? origin.longestStep(of: track.key) : origin.uncertainty(of: track)
            for (index, segment) in track.segments.enumerated() where segment.duration > .zero {
                let middle = segment.start + segment.duration / 2
                // Numbers of one count are compared: while an origin is left, renditions show two of them at one time.
                for (epoch, place) in names {
                    guard let found = other.content[origin.name(track, index, epoch, from: place)],
                        let expected = leading.number(at: middle, of: origin, epoch, from: place),
                        expected != found.discontinuity
                    else { continue }
                    // The number is right by the times that the servers were told, and these are wrong by no more than they may be.
                    let isToldSo = listed.contains {
                        $0.time <= found.middle && found.middle < $0.end && $0.discontinuity == found.discontinuity
                    }
                    let near = [middle - wrong, middle + wrong]
                    let isNear = near.contains { numbers(at: $0).contains(found.discontinuity) }
                    if isToldSo, isNear {
                        log.note(origin.scenario.origin.dateJitter == nil ? .timesOtherwise : .datesOtherwise, 504)
                        continue
                    }
                    if isToldSo, wrong > .zero, origin.scenario.origin.dateJitter == nil,
                        let given = leading.time(at: middle, of: origin, epoch, from: place),
                        given.duration(to: found.middle).magnitude > wrong
                    {
                        log.note(.placedWithoutDates, 504)
                        continue
                    }
                    if near.contains(where: { leading.number(at: $0, of: origin, epoch, from: place) == nil }) {
                        log.note(.otherSideUnlisted, 504)
                        continue
                    }
                    throw Violation(
                        rule: "504",
                        text:
                            "\(track.key) \(segment.number): discontinuity \(found.discontinuity), leading \(expected), told \(isToldSo), near \(isNear)"
                    )
                }
            }
        }
    }

    private static func name(of segment: MediaSegment, in playlist: MediaPlaylist, _ key: RenditionKey) -> String {
        let name = playlist.text(segment.uri).split(separator: "/\(key)/", maxSplits: 1).last ?? ""
        return segment.byteRange.map { "\(name)@\($0.offset)" } ?? String(name)
    }
}
