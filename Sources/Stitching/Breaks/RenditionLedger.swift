package import HLS

/// What is known of one content rendition: the segments of its window and those kept behind it.
package struct RenditionLedger: Sendable, Codable {
    package let key: RenditionKey
    /// Ascending in number; a gap in what was seen leaves a gap here.
    package internal(set) var segments: [LedgerSegment] = []
    /// The first segment of the newest snapshot. Never falls.
    package internal(set) var windowStart: Int64 = .min
    /// EXT-X-TARGETDURATION in force.
    package internal(set) var targetDuration: Duration = .zero
    /// EXT-X-ENDLIST was seen.
    package internal(set) var hasEnded = false
    package internal(set) var container: Container = .selfInitializing
    var frame = PlaylistFrame()
    var dateRanges = HeldDateRanges()

    init(key: RenditionKey) { self.key = key }

    package var lastNumber: Int64? { segments.last?.number }
    /// The end of the last segment.
    package var edge: DateTime? { segments.last?.end }
    package var hasDates: Bool { segments.last?.date != nil }

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

    /// Forgets what lies wholly before `time` and before the window.
    mutating func forgetSegments(before time: DateTime) {
        var count = 0
        while count < segments.count, segments[count].number < windowStart, segments[count].end < time { count += 1 }
        if count > 0 { segments.removeFirst(count) }
        if let first = segments.first, let date = first.date { dateRanges.forget(before: first.number, from: date) }
    }
}
