package import HLS

/// What is known of one content rendition: the segments of its window and those kept behind it.
package struct RenditionLedger: Sendable, Codable {
    package let key: RenditionKey
    /// Ascending in number; a gap in what was seen leaves a gap here.
    package internal(set) var segments: [LedgerSegment] = []
    /// The first segment of the newest snapshot. Never falls.
    package internal(set) var windowStart: Int64 = .min
    /// What the newest snapshot's segments last.
    private(set) var windowLength = Duration.zero
    /// EXT-X-TARGETDURATION in force.
    package internal(set) var targetDuration: Duration = .zero
    /// EXT-X-ENDLIST was seen.
    package internal(set) var hasEnded = false
    /// EXT-X-PLAYLIST-TYPE when the rendition was first seen: a playlist's type does not change (rule 904).
    var playlistType: MediaPlaylist.PlaylistType?
    /// Segments have left the origin's list.
    var hasSlid = false
    package internal(set) var container: Container = .selfInitializing
    /// The newest last, never empty.
    private(set) var runs = [OriginRun.first]
    /// Which of the channel's origins the newest segments are from.
    var origin = 0
    /// How often the channel had gone over to another origin when the newest epoch was reached.
    var turn: Int?
    var memory = SegmentMemory()
    /// The origin gives a segment another address each time.
    private(set) var addressesChange = false
    private var contradictions = 0
    /// Of a segment that was dropped after a part of it may have been listed: no other segment gets it.
    private var spentNumber: Int64?
    var frame = PlaylistFrame()
    var dateRanges = HeldDateRanges()

    init(key: RenditionKey) { self.key = key }

    package var lastNumber: Int64? { segments.last?.number }
    /// The end of the last segment.
    package var edge: DateTime? { segments.last?.end }
    /// The end of what was known before the end of an epoch dropped some of it.
    private var droppedEdge: DateTime?
    /// Up to where it has ever been known. Never falls.
    var knownEdge: DateTime? { [edge, droppedEdge].compactMap(\.self).max() }
    package var hasDates: Bool { segments.last?.date != nil }

    /// The epoch that the newest segments are of.
    var epoch: Int { run.epoch }
    var run: OriginRun { runs[runs.count - 1] }

    /// The ledger's number of a segment of the origin's playlist.
    func number(of segment: MediaSegment) -> Int64 { segment.number &+ run.numberOffset }

    /// The segment that has a number in the origin's playlists of an epoch.
    func segment(originNumber: Int64, epoch: Int) -> LedgerSegment? {
        for run in runs.reversed() where run.epoch == epoch {
            if let segment = segment(numbered: originNumber &+ run.numberOffset), segment.originNumber == originNumber,
                segment.number >= run.firstNumber
            {
                return segment
            }
        }
        return nil
    }

    /// t of the first segment of the origin's window.
    var windowStartTime: DateTime? {
        guard let last = segments.last else { return nil }
        let index = index(atOrAfter: windowStart)
        return index < segments.count ? segments[index].time : last.time
    }

    /// Index of the first segment whose number is at least `number`; the count if there is none.
    func index(atOrAfter number: Int64) -> Int {
        guard let first = segments.first?.number, number > first else { return 0 }
        // Without gaps the place is known.
        let (guess, overflow) = number.subtractingReportingOverflow(first)
        if !overflow, guess < segments.count, segments[Int(guess)].number == number { return Int(guess) }
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Where the timeline is held at the start of a segment: where dates jitter, what was listed before it may end later.
    func edge(at time: DateTime) -> DateTime {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].time < time { low = middle + 1 } else { high = middle }
        }
        guard low > 0, low < segments.count, segments[low].time == time else { return time }
        return max(time, segments[low - 1].end)
    }

    /// How long what is known in one piece up to a segment lasts.
    func knownDuration(before number: Int64) -> Duration {
        var index = index(atOrAfter: number)
        guard index > 0, segments[index - 1].number &+ 1 == number else { return .zero }
        var known = Duration.zero
        repeat {
            index -= 1
            known += segments[index].duration
        } while index > 0 && segments[index - 1].number &+ 1 == segments[index].number
        return known
    }

    func segment(numbered number: Int64) -> LedgerSegment? {
        let index = index(atOrAfter: number)
        guard index < segments.count, segments[index].number == number else { return nil }
        return segments[index]
    }

    /// Index of the first segment that ends after `time`; the count if there is none.
    func index(covering time: DateTime) -> Int {
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].end <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Index of the segment whose start is the boundary nearest to `time`, ties to the earlier; the count if the nearest
    /// boundary may still lie after all known segments.
    ///
    /// Only the segment itself is asked, not its successor, so the answer does not change as segments are added.
    func index(ofBoundaryNearest time: DateTime) -> Int {
        var index = index(covering: time)
        // Segments may overlap a little where dates jitter.
        while index > 0, segments[index - 1].startIsNearest(to: time) { index -= 1 }
        while index < segments.count, !segments[index].startIsNearest(to: time) { index += 1 }
        return index
    }

    /// Forgets what lies behind the window, but for segments of a length: where time was lost between them they reach back farther.
    mutating func forgetSegments(behindWindow kept: Duration) {
        let window = index(atOrAfter: windowStart)
        guard window < segments.count else { return }
        let limit = segments[window].time.advanced(by: .zero - kept)
        var length = segments[..<window].reduce(Duration.zero) { $0 + $1.duration }
        var count = 0
        while count < window, segments[count].end < limit, length - segments[count].duration >= kept {
            length -= segments[count].duration
            count += 1
        }
        if count > 0 { segments.removeFirst(count) }
        if let first = segments.first, let date = first.date { dateRanges.forget(before: first.number, from: date) }
    }

    // MARK: - Runs

    /// Runs that an older playlist may still be of.
    private static let keptRuns = 4

    /// The first run of a rendition that is first seen in a later epoch.
    mutating func begin(with leading: OriginRun, firstNumber number: Int64, lowest: Int64) {
        guard segments.isEmpty else { return }
        var run = leading
        run.firstNumber = .min
        // Equal numbers of equal segments, where they are numbered alike at all; and none so low that sessions, which have taken away
        // from the leading rendition's, would get below 0.
        if number &+ run.numberOffset < lowest { run.numberOffset = lowest &- number }
        if let spentNumber { run.numberOffset = max(run.numberOffset, spentNumber &+ 1 &- number) }
        runs = [run]
    }

    /// The first run of a rendition may be of the epoch to which the leading one goes over next: ``OriginRun/begunAloneAt``.
    mutating func noteBegunAlone(at edge: DateTime?) { runs[runs.count - 1].begunAloneAt = edge }

    /// - Parameter isGap: the origin goes on as it did; only what its discontinuities are counted from is new.
    mutating func begin(_ run: OriginRun, isGap: Bool = false) {
        var run = run
        if let spentNumber, run.firstNumber <= spentNumber {
            run.numberOffset = run.numberOffset &+ (spentNumber &+ 1 &- run.firstNumber)
            run.firstNumber = spentNumber &+ 1
        }
        run.formerWindow = isGap ? .zero : windowLength
        runs.append(run)
        if runs.count > Self.keptRuns { runs.removeFirst(runs.count - Self.keptRuns) }
        hasEnded = false
        guard !isGap else { return }
        contradictions += 1
        // An origin does not begin anew with each playlist.
        if contradictions >= 3 { addressesChange = true }
    }

    /// The window of the newest snapshot, and before it what was listed last of the run before, until it is as long as that one was.
    mutating func moveWindow(to playlist: MediaPlaylist) {
        guard let first = playlist.segments.first else { return }
        let length = playlist.segments.reduce(Duration.zero) { $0 + $1.length }
        windowLength = max(length, length < run.formerWindow ? run.formerWindow : .zero)
        var start = number(of: first)
        var index = index(atOrAfter: start)
        var listed = length
        while index > 0, listed < run.formerWindow {
            index -= 1
            listed += segments[index].duration
            start = segments[index].number
        }
        windowStart = max(windowStart, start)
    }

    mutating func noteAgreement() { contradictions = 0 }

    /// Drops what lies beyond the end of an epoch: no session has listed it, but for a part of the first one perhaps, where that can be
    /// cut.
    mutating func endEpoch(at joint: EpochJoint) {
        let before = segments.count
        droppedEdge = knownEdge
        while let last = segments.last, joint.isBehind(last, targetDuration: targetDuration) {
            if key.isSubtitles, last.canBeCut, last.time < joint.formerEdge { spentNumber = last.number }
            segments.removeLast()
        }
        guard segments.count < before else { return }
        let next = (segments.last?.number).map { $0 &+ 1 } ?? .min
        memory.forget(from: next)
        dateRanges.forget(from: next)
        if segments.isEmpty { windowStart = .min }
    }
}
