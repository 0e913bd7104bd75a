/// Gives byte ranges without an offset theirs: they continue the previous listed segment of the same resource (rule 703).
struct ByteRangeResolver {
    private struct Entry {
        var uri: Range<Int>
        var end: Int64
    }

    /// The last resources met, the newest last. Ads between two ranges of one file are few.
    private var entries: [Entry] = []
    private static let limit = 8

    /// Nil where the range ends beyond 64 bits.
    mutating func resolve(
        _ range: (length: Int64, offset: Int64?), uri: Range<Int>, _ bytes: Span<UInt8>
    ) -> ByteRange? {
        let known = entries.lastIndex { bytes.areEqual($0.uri, uri) }
        let offset = range.offset ?? known.map { entries[$0].end } ?? 0
        let (end, overflow) = offset.addingReportingOverflow(range.length)
        guard !overflow else { return nil }
        if let known { entries.remove(at: known) } else if entries.count == Self.limit { entries.removeFirst() }
        entries.append(Entry(uri: uri, end: end))
        return ByteRange(offset: offset, length: range.length)
    }
}
