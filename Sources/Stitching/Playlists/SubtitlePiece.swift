import HLS

/// A part of a content segment of a subtitle rendition. Subtitle segments may be far longer than a pod, up to one file for a whole
/// title: at a joint within one it is listed twice, before and behind the pod, with the cues of either side (rules 508, 1115).
package struct SubtitlePiece: Sendable, Hashable {
    /// The origin's number of the segment.
    package var number: Int64
    /// From the segment's start, whole milliseconds.
    package var from: Duration
    /// Nil: to its end.
    package var to: Duration?

    package init(number: Int64, from: Duration, to: Duration?) {
        self.number = number
        self.from = from
        self.to = to
    }

    /// In milliseconds, with a hyphen between: `0-18000`, `18000-`.
    package var bounds: String {
        "\(from.wholeMilliseconds)-\(to.map { "\($0.wholeMilliseconds)" } ?? "")"
    }

    /// Nil where they are no bounds of a part.
    package init?(number: Int64, bounds: some StringProtocol) {
        let parts = bounds.split(separator: "-", omittingEmptySubsequences: false)
        let limit: Int64 = 1_000_000_000_000
        guard parts.count == 2, let from = Int64(parts[0]), (0...limit).contains(from) else { return nil }
        var to: Duration?
        if !parts[1].isEmpty {
            guard let end = Int64(parts[1]), end > from, end <= limit else { return nil }
            to = .milliseconds(end)
        }
        self.init(number: number, from: .milliseconds(from), to: to)
    }
}

extension LedgerSegment {
    /// A text file of its own, of which parts can be listed.
    var canBeCut: Bool {
        text.state.keys.isEmpty && text.state.map.isEmpty && !text.roles.contains(.byteRange)
    }
}

extension EntryWriter {
    /// Writes the lines of a part of a segment.
    mutating func appendPiece(
        _ piece: SubtitlePiece, of segment: LedgerSegment, _ item: EntryList.Item, skipping skipped: LineRoles,
        _ droppedMarkers: LineRoles, to output: inout PlaylistText
    ) {
        let text = segment.text
        var uri = options.subtitlePieceURI(piece)
        uri += "\n"
        // What else stands with the segment stands with its first part.
        let isFirst = piece.from == .zero
        for line in text.lines where !skipped.contains(line.role) && (isFirst || line.role == .media) {
            let bytes = text.bytes
            if let range = HeldDateRanges.Line(line, of: segment) {
                if dateRanges.keeps(range) { output.append(DateRangeShift.shifted(range.bytes, by: insertions)) }
                continue
            }
            if droppedMarkers.contains(line.role) { continue }
            if line.role == .media, bytes[line.range].starts(with: "#EXTINF:".utf8) {
                output.append("#EXTINF:")
                output.append(item.duration)
                output.append(",\n")
            } else if line.role == .media, bytes[line.range].first != 0x23 {
                output.append(uri)
            } else {
                output.append(bytes, in: line.range)
            }
        }
    }
}
