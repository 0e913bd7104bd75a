/// When the segments of a media playlist play: from its start, and on the wall clock where it has dates.
package struct Timeline: Sendable {
    /// Start of each segment after the start of the first, exact; one more entry for the end of the last.
    package let starts: [Duration]
    /// Wall clock of each segment: its own EXT-X-PROGRAM-DATE-TIME, else counted on from the one before, else back from the
    /// first there is. Empty where the playlist has none. One more entry for the end of the last segment.
    package let dates: [DateTime]

    package init(_ playlist: MediaPlaylist) {
        var starts: [Duration] = []
        var dates: [DateTime] = []
        starts.reserveCapacity(playlist.segments.count + 1)
        var elapsed = Duration.zero
        var anchor: (date: DateTime, elapsed: Duration)?
        for segment in playlist.segments {
            if let date = segment.programDateTime {
                if anchor == nil {
                    dates = starts.map { date.advanced(by: $0 - elapsed) }
                }
                anchor = (date, elapsed)
            }
            starts.append(elapsed)
            if let anchor { dates.append(anchor.date.advanced(by: elapsed - anchor.elapsed)) }
            elapsed += segment.duration
        }
        starts.append(elapsed)
        if let anchor { dates.append(anchor.date.advanced(by: elapsed - anchor.elapsed)) }
        self.starts = starts
        self.dates = dates
    }

    /// The length of all segments together.
    package var duration: Duration { starts.last ?? .zero }

    /// The segment that plays at a time after the start of the first; nil outside.
    package func segmentIndex(at time: Duration) -> Int? {
        guard time >= .zero, time < duration else { return nil }
        var lower = 0
        var upper = starts.count - 1
        while upper - lower > 1 {
            let middle = (lower + upper) / 2
            if starts[middle] <= time { lower = middle } else { upper = middle }
        }
        return lower
    }
}
