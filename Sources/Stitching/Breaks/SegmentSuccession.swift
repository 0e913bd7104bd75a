import HLS

/// How a playlist stands to what is known of its rendition.
enum SegmentSuccession: Equatable {
    /// Its numbers are those known, or go on from them.
    case follows
    /// An older version, or one that brings nothing that was not seen.
    case stale
    /// The origin counts anew: the index of the first segment that was not seen before; whether it is known that nothing is
    /// missing before it.
    case begunAnew(firstNew: Int, isNext: Bool)
}

/// Tells whether a playlist goes on from what is known, is older, or is one of an origin that has begun anew: by addresses and dates
/// of the segments, and only where these say nothing by the numbers.
struct SuccessionReader {
    let playlist: MediaPlaylist
    let ledger: RenditionLedger
    let isLeading: Bool
    /// It is from another origin than what is known: equal numbers prove nothing.
    var isElsewhere = false
    /// The leading rendition has gone over to a new epoch.
    var isExpectedAnew = false
    /// How far the leading rendition is known beyond this one.
    var room = Duration.zero
    /// How long nothing new has come: what was lost where neither address nor date tells.
    var silence = Duration.zero

    private var segments: MediaSegments { playlist.segments }

    func succession() -> SegmentSuccession {
        guard let last = ledger.segments.last, let run = ledger.runs.last, let first = segments.first else {
            return .follows
        }
        let firstNumber = first.number &+ run.numberOffset
        let lastNumber = firstNumber &+ Int64(segments.count - 1)
        let agreement = agreement(with: run, until: .max)
        guard agreement.differing == 0 || agreement.newestAgrees else {
            return isOfFormerRun ? .stale : begunAnew
        }
        if agreement.agreeing > 0 { return lastNumber < last.number ? .stale : .follows }
        if isElsewhere { return begunAnew }
        if isOfFormerRun || isOlder { return .stale }
        if firstNumber > last.number { return isJump(to: firstNumber, behind: last) ? begunAnew : .follows }
        if lastNumber < max(firstOfCount, ledger.memory.first) {
            return begunAnew
        }
        return lastNumber < last.number ? .stale : .follows
    }

    // MARK: - The same segments

    private struct Agreement {
        var agreeing = 0
        var differing = 0
        var newestAgrees = false
    }

    /// More tell no more.
    private static let compared = 48

    /// Whether the segments of a run are those that the playlist has under their numbers, the newest of both first.
    private func agreement(with run: OriginRun, until end: Int64) -> Agreement {
        var result = Agreement()
        guard let first = segments.first else { return result }
        let lowest = max(run.firstNumber, ledger.memory.first)
        let highest = min(end, (ledger.lastNumber ?? .min) &+ 1)
        let firstNumber = first.number &+ run.numberOffset
        guard highest > firstNumber, lowest < highest else { return result }
        var index = min(max(Int(clamping: highest &- firstNumber), 0), segments.count) - 1
        while index >= 0, result.agreeing + result.differing < Self.compared {
            let number = firstNumber &+ Int64(index)
            guard number >= lowest else { break }
            if let isSame = isSame(segments[index], number) {
                if isSame {
                    if result.agreeing + result.differing == 0 { result.newestAgrees = true }
                    result.agreeing += 1
                } else {
                    result.differing += 1
                }
            }
            index -= 1
        }
        return result
    }

    /// Nil where nothing is known of the number.
    private func isSame(_ segment: MediaSegment, _ number: Int64) -> Bool? {
        guard let mark = ledger.memory[number] else { return nil }
        let isNamed = ledger.addressesChange ? nil : mark.isSame(as: SegmentMark(segment, in: playlist.source))
        guard let date = segment.programDateTime, let known = ledger.segment(numbered: number)?.originDate else {
            return isNamed ?? true
        }
        let distance = known.duration(to: date).magnitude
        // Dates of one segment may be corrected; under another name they have to be the same.
        let tolerance =
            isNamed ?? true ? max(segment.length * 3, .seconds(10)) : max(segment.length / 2, .seconds(1))
        return distance <= tolerance
    }

    /// What is fetched is of a run that has ended, and has hardly got any further since.
    private var isOfFormerRun: Bool {
        guard !isElsewhere else { return false }
        for (run, next) in zip(ledger.runs, ledger.runs.dropFirst()).reversed() {
            let agreement = agreement(with: run, until: next.firstNumber)
            guard agreement.agreeing > 0, agreement.differing == 0, let first = segments.first else { continue }
            let known = Int(clamping: max(next.firstNumber &- first.number &- run.numberOffset, 0))
            var further = segments.dropFirst(known).reduce(Duration.zero) { $0 + $1.length }
            if let edge = ledger.segments.last?.originEnd, let newest = date(ofSegmentAt: segments.count - 1) {
                further = edge.duration(to: newest.advanced(by: segments.last?.length ?? .zero))
            }
            return further * 2 < ledger.targetDuration * 3
        }
        return false
    }

    // MARK: - By the numbers

    /// The first number since the origin counts as it does.
    private var firstOfCount: Int64 {
        let changed = ledger.runs.lastIndex { $0.numberOffset != ledger.run.numberOffset }
        return ledger.runs[changed.map { $0 + 1 } ?? 0].firstNumber
    }

    private var meanDuration: Duration {
        segments.reduce(Duration.zero) { $0 + $1.length } / max(segments.count, 1)
    }

    /// Nothing is remembered of its segments, and they have the dates that their numbers had in one of the counts.
    private var isOlder: Bool {
        guard let last = segments.last, let date = date(ofSegmentAt: segments.count - 1),
            let edge = ledger.segments.last?.originDate, date <= edge
        else { return false }
        return ledger.runs.contains { run in
            guard let known = ledger.segments.first(where: { $0.number >= run.firstNumber }),
                let origin = known.originDate
            else { return false }
            let missing = min(max(known.originNumber &- last.number, 0), 1_000_000)
            guard missing > 0 else { return false }
            let span = meanDuration * Int(missing)
            return date.duration(to: origin.advanced(by: .zero - span)).magnitude <= max(.seconds(10), span / 8)
        }
    }

    /// Numbers that leap, while the content goes on. What was not seen of one count has the dates that it should have.
    private func isJump(to number: Int64, behind last: LedgerSegment) -> Bool {
        if isExpectedAnew || indexBehindKnownAddresses != nil || isGrowing { return true }
        let missing = max(min(number &- last.number &- 1, 1_000_000), 0)
        if let date = date(ofSegmentAt: 0), let edge = last.originEnd {
            let span = meanDuration * Int(missing)
            return edge.advanced(by: span).duration(to: date).magnitude > max(.seconds(10), span / 4)
        }
        if isLeading { return missing > Int64(segments.count * 2 + 8) }
        // More than the leading rendition has brought meanwhile was not missed here.
        return meanDuration * Int(missing) > room + max(.seconds(10), room / 4)
    }

    /// It lists so little that a list that began behind what was missed would be too short (rule 309), and less than half of what it has
    /// listed before: one that has just begun, whatever its numbers.
    private var isGrowing: Bool {
        guard isLeading, !playlist.hasEndList, let start = ledger.windowStartTime, let edge = ledger.edge else {
            return false
        }
        let length = segments.reduce(Duration.zero) { $0 + $1.length }
        return length < ledger.targetDuration * 3 && length + length < start.duration(to: edge)
    }

    // MARK: - Where it goes on

    /// The first segment that nobody has seen: by the addresses, else by the dates, else by the edge.
    private var begunAnew: SegmentSuccession {
        let known = indexBehindKnownAddresses
        if let known {
            guard known < segments.count else { return .stale }
            if isNewestKnown(before: known) { return .begunAnew(firstNew: known, isNext: true) }
        }
        // What its addresses tell ends where this origin was left: another one has brought more since.
        if let edge = ledger.segments.last?.originEnd, let newest = date(ofSegmentAt: segments.count - 1) {
            let behind = newest.advanced(by: segments.last?.length ?? .zero).duration(to: edge)
            if behind < .zero { return entering(at: max(firstIndex(from: edge), known ?? 0)) }
            // It will soon have caught up. Where its clock is wrong it will not.
            if behind <= ledger.targetDuration * 3 { return .stale }
        }
        return entering(at: known ?? indexByEdge)
    }

    private func entering(at index: Int) -> SegmentSuccession {
        index < segments.count ? .begunAnew(firstNew: index, isNext: false) : .stale
    }

    /// The segment before an index is the last one that is known.
    private func isNewestKnown(before index: Int) -> Bool {
        guard index > 0, let last = ledger.lastNumber else { return false }
        return ledger.memory[last]?.path == SegmentMark(segments[index - 1], in: playlist.source).path
    }

    /// The first segment that begins at a date or later. Dates jitter.
    private func firstIndex(from edge: DateTime) -> Int {
        var elapsed = date(ofSegmentAt: 0)
        for segment in segments {
            let date = segment.programDateTime ?? elapsed
            let tolerance = min(segment.length / 2, .milliseconds(900))
            if let date, date >= edge.advanced(by: .zero - tolerance) { return segment.index }
            elapsed = date?.advanced(by: segment.length)
        }
        return segments.count
    }

    /// A count that has just begun is new from its beginning. Of another one there is as much new as time has passed.
    private var indexByEdge: Int {
        guard let first = segments.first, first.number > 1 else { return 0 }
        var index = segments.count - 1
        var length = segments[index].length
        while index > 0, length < silence {
            index -= 1
            length += segments[index].length
        }
        return index
    }

    /// Behind the last segment that is known under another number.
    private var indexBehindKnownAddresses: Int? {
        guard !ledger.addressesChange else { return nil }
        let known = ledger.memory.numbersByPath
        var seen: Set<UInt32> = []
        var found: Int?
        for segment in segments {
            let path = SegmentMark(segment, in: playlist.source).path
            // Addresses that differ in nothing but their query tell nothing.
            guard seen.insert(path).inserted else { return nil }
            guard let number = known[path] else { continue }
            if let date = segment.programDateTime, let origin = ledger.segment(numbered: number)?.originDate,
                origin.duration(to: date).magnitude > .seconds(10)
            {
                continue
            }
            found = segment.index + 1
        }
        return found
    }

    /// Written, or counted from one that is.
    private func date(ofSegmentAt index: Int) -> DateTime? {
        var elapsed = Duration.zero
        var before = index
        while before >= 0 {
            if let date = segments[before].programDateTime { return date.advanced(by: elapsed) }
            before -= 1
            if before >= 0 { elapsed += segments[before].length }
        }
        elapsed = .zero
        for segment in segments[index...] {
            if let date = segment.programDateTime { return date.advanced(by: .zero - elapsed) }
            elapsed += segment.length
        }
        return nil
    }
}

extension MediaSegment {
    /// Its duration, cut to a day: sums of what a playlist says stay finite.
    var length: Duration { min(max(duration, .zero), .seconds(86_400)) }
}
