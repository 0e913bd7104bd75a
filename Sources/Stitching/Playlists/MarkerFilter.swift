import HLS

/// Which markers of content segments go: those of a break that the session has ads for must not be read a second time by a
/// stitcher behind us. Markers of breaks that stay content pass.
struct MarkerFilter {
    private let breaks: [(placement: Placement, lastTime: DateTime)]

    init(_ list: EntryList) {
        breaks = list.fills.map { placement, _ in (placement, placement.plannedEnd) }
    }

    /// The lines of the segment to leave out.
    func droppedRoles(_ segment: LedgerSegment) -> Set<SegmentText.LineRole> {
        var dropped: Set<SegmentText.LineRole> = []
        guard segment.text.hasMarkers else { return dropped }
        for (placement, lastTime) in breaks {
            if placement.isInsertion {
                if segment.number == placement.start {
                    dropped.formUnion([.opensBreak, .insideBreak, .closesBreak, .breakDetail])
                }
            } else if segment.time > placement.startTime,
                segment.time <= lastTime.advanced(by: segment.duration / 2)
            {
                dropped.formUnion([.insideBreak, .closesBreak])
            }
        }
        if !dropped.isEmpty, !segment.text.lines.contains(where: { $0.kind == .opensBreak }) {
            dropped.insert(.breakDetail)
        }
        return dropped
    }
}
