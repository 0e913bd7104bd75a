/// When date ranges came into a live playlist and left it: what a delta update for `_HLS_skip=v2` has to know. Times are on
/// any clock that does not go back.
package struct DateRangeHistory: Sendable {
    private var added: [ArraySlice<UInt8>: Duration] = [:]
    private var listed: Set<String> = []
    private var removed: [(id: String, at: Duration)] = []

    package init() {}

    /// Takes note of the full playlist that is served from `time` on. What left longer ago than the skip boundary is
    /// forgotten.
    package mutating func note(_ playlist: MediaPlaylist, at time: Duration) {
        let ranges = playlist.dateRanges
        var added: [ArraySlice<UInt8>: Duration] = [:]
        for range in ranges {
            let text = Self.text(range)
            added[text] = self.added[text] ?? time
        }
        let listed = Set(ranges.map(\.id))
        let boundary = playlist.serverControl?.canSkipUntil ?? .zero
        removed.removeAll { $0.at < time - boundary || listed.contains($0.id) }
        removed += self.listed.subtracting(listed).sorted().map { ($0, time) }
        self.added = added
        self.listed = listed
    }

    /// Whether a date range of the playlist was added more than `boundary` before `time`.
    package func isOld(_ range: DateRange, at time: Duration, boundary: Duration) -> Bool {
        guard let added = added[Self.text(range)] else { return false }
        return added < time - boundary
    }

    /// IDs of the date ranges that left the playlist within `boundary` before `time`, in the order they left in.
    package func recentlyRemoved(at time: Duration, boundary: Duration) -> [String] {
        removed.filter { $0.at >= time - boundary }.map(\.id)
    }

    // A copy: a slice would hold the whole playlist.
    private static func text(_ range: DateRange) -> ArraySlice<UInt8> {
        Array(range.attributes.source[range.line.range])[...]
    }
}
