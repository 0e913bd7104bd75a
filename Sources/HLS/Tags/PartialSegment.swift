/// An EXT-X-PART, RFC 8216bis §4.4.4.9: a piece of a media segment, its parent, which may still be growing.
package struct PartialSegment: Sendable {
    package let line: PlaylistLine
    package let attributes: AttributeList
    /// Media sequence number of the parent segment.
    package let number: Int64
    /// Place in the parent segment, from 0: the part index.
    package let index: Int
    /// Index of the parent in ``MediaPlaylist/segments``; their count for parts of a segment that is not complete.
    package let parent: Int
    /// Start after the start of its segment: the durations of the parts before it, exact.
    package let offset: Duration
    /// The part's bytes in its resource; nil where it is the whole of it. An offset that is not given continues the part
    /// before of the same parent and resource.
    package let byteRange: ByteRange?
    /// Whether the range is given without an offset.
    package let hasImplicitOffset: Bool
    /// Whether it is given without an offset and continues nothing: it is taken to begin the resource (rule 703).
    package let continuesNothing: Bool

    /// URI as spelled; empty where there is none.
    package var uri: String { attributes["URI"]?.text ?? "" }
    /// Exact; nil where it is missing or unreadable.
    package var duration: Duration? { attributes["DURATION"]?.duration }
    /// Whether it begins with a frame that can be decoded alone.
    package var isIndependent: Bool { attributes["INDEPENDENT"]?.isYes ?? false }
    /// Whether it cannot be loaded.
    package var isGap: Bool { attributes["GAP"]?.isYes ?? false }
    package var position: PlaylistPosition { PlaylistPosition(mediaSequence: number, part: index) }
}

/// A place in a media playlist as delivery directives name it: `_HLS_msn` and `_HLS_part`. A whole segment comes after all
/// of its parts.
package struct PlaylistPosition: Hashable, Comparable, Sendable {
    package let mediaSequence: Int64
    /// Part index; nil for the whole segment.
    package let part: Int?

    package init(mediaSequence: Int64, part: Int? = nil) {
        self.mediaSequence = mediaSequence
        self.part = part
    }

    package static func < (left: PlaylistPosition, right: PlaylistPosition) -> Bool {
        (left.mediaSequence, left.part ?? .max) < (right.mediaSequence, right.part ?? .max)
    }
}

extension MediaPlaylist {
    /// The parts of a segment in their order; for ``segments``' count those after the last segment. Empty for an index out
    /// of range.
    package func parts(ofSegmentAt index: Int) -> [PartialSegment] {
        if index == storage.records.count { return parts(in: trailerLines, parent: index) }
        guard storage.records.indices.contains(index) else { return [] }
        // Most segments have none: their lines are not looked at.
        let contents = MediaSegment.Contents(rawValue: storage.records[index].contents)
        guard contents.contains(.partialSegment) else { return [] }
        return parts(in: lines(ofSegmentAt: index), parent: index)
    }

    /// The parts after the last segment: those of the segment that is being made.
    package var trailerParts: [PartialSegment] { parts(ofSegmentAt: storage.records.count) }

    /// All parts, in the order of their lines.
    package var parts: [PartialSegment] {
        guard isLowLatency else { return [] }
        return (0...storage.records.count).flatMap { parts(ofSegmentAt: $0) }
    }

    /// The part with a media sequence number and a part index.
    package func part(mediaSequence: Int64, index: Int) -> PartialSegment? {
        let first = self.mediaSequence &+ skippedSegments
        let (parent, overflow) = mediaSequence.subtractingReportingOverflow(first)
        guard !overflow, parent >= 0, parent <= Int64(storage.records.count), index >= 0 else { return nil }
        let parts = parts(ofSegmentAt: Int(parent))
        return index < parts.count ? parts[index] : nil
    }

    /// The last thing listed: a part of the segment being made, else the last segment. Nil for a playlist without either.
    package var lastPosition: PlaylistPosition? {
        if let part = trailerParts.last { return part.position }
        guard skippedSegments > 0 || !storage.records.isEmpty else { return nil }
        return PlaylistPosition(mediaSequence: number(ofSegmentAt: storage.records.count - 1))
    }

    private func number(ofSegmentAt index: Int) -> Int64 {
        mediaSequence &+ skippedSegments &+ Int64(index)
    }

    private func parts(in lines: PlaylistLines, parent: Int) -> [PartialSegment] {
        var result: [PartialSegment] = []
        var previous: (uri: Range<Int>, end: Int64)?
        var elapsed = Duration.zero
        let bytes = source.span
        for line in lines where line.kind == .part {
            let attributes = AttributeList(source, line: line)
            let uri = attributes["URI"]?.range ?? 0..<0
            let range = attributes["BYTERANGE"].flatMap { ByteRange.parse(bytes, in: $0.range) }
            let known = previous.flatMap { bytes.areEqual($0.uri, uri) ? $0.end : nil }
            let resolved = range.flatMap { ByteRange(checkedOffset: $0.offset ?? known ?? 0, length: $0.length) }
            result.append(
                PartialSegment(
                    line: line, attributes: attributes, number: number(ofSegmentAt: parent), index: result.count,
                    parent: parent, offset: elapsed, byteRange: resolved,
                    hasImplicitOffset: range != nil && range?.offset == nil,
                    continuesNothing: range != nil && range?.offset == nil && known == nil))
            previous = resolved.map { (uri, $0.end) }
            // Sums of what no part can last would run over.
            if let duration = result.last?.duration, duration > .zero,
                duration < .seconds(PlaylistParser.longestDuration)
            {
                elapsed += duration
            }
        }
        return result
    }
}
