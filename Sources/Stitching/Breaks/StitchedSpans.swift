import HLS

/// Where another stitcher's ads stand: no break begins within.
struct StitchedSpans: Sendable, Codable {
    /// Ascending; none touches the next.
    private var spans: [Span] = []

    private struct Span: Sendable, Codable {
        var start: DateTime
        var end: DateTime
    }

    /// More than a title of days has.
    private static let limit = 10_000

    /// Adds a span. One that is known already changes nothing.
    mutating func insert(_ span: Range<DateTime>) {
        let first = spans.partitioningIndex { $0.end >= span.lowerBound }
        let end = spans.partitioningIndex { $0.start > span.upperBound }
        guard first < end else {
            if spans.count < Self.limit { spans.insert(Span(start: span.lowerBound, end: span.upperBound), at: first) }
            return
        }
        let start = min(spans[first].start, span.lowerBound)
        let whole = Span(start: start, end: max(spans[end - 1].end, span.upperBound))
        spans.replaceSubrange(first..<end, with: CollectionOfOne(whole))
    }

    func contains(_ time: DateTime) -> Bool {
        let index = spans.partitioningIndex { $0.end > time }
        return index < spans.count && spans[index].start <= time
    }

    /// Forgets spans that ended before `time`.
    mutating func forget(before time: DateTime) {
        spans.removeFirst(spans.partitioningIndex { $0.end >= time })
    }
}
