import HLS

/// Which markers of content segments go: those of a break that the session has ads for must not be read a second time by a
/// stitcher behind us. Markers of breaks that stay content pass.
struct MarkerFilter {
    /// In timeline order.
    private let placements: [Placement]

    init(_ list: EntryList) {
        placements = list.placements
    }

    /// The lines of the segment to leave out.
    func droppedRoles(_ segment: LedgerSegment) -> LineRoles {
        var dropped: LineRoles = []
        guard !segment.text.roles.isDisjoint(with: .markers) else { return dropped }
        // Breaks do not nest: those that matter are the last ones that began before the segment.
        for placement in placements[..<firstBehind(segment)].suffix(3) {
            if placement.isInsertion {
                if segment.number == placement.start {
                    dropped.formUnion(.markers)
                }
            } else if segment.number > placement.start,
                segment.time <= placement.plannedEnd.advanced(by: segment.duration / 2)
            {
                dropped.formUnion(.markersWithin)
            }
        }
        if !dropped.isEmpty, !segment.text.roles.contains(.opensBreak) {
            dropped.insert(.breakDetail)
        }
        return dropped
    }

    private func firstBehind(_ segment: LedgerSegment) -> Int {
        var low = 0
        var high = placements.count
        while low < high {
            let middle = (low + high) / 2
            if placements[middle].start <= segment.number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
