import HLS

/// Which markers of content segments go.
struct MarkerFilter {
    private let passthrough: MarkerPassthrough
    /// In timeline order.
    private let placements: [Placement]
    /// Behind the last pod whose place is forgotten; nil where none is.
    private let forgottenEnd: Int64?

    init(_ list: EntryList, passthrough: MarkerPassthrough = .unstitched, forgottenEnd: Int64? = nil) {
        self.passthrough = passthrough
        placements = list.placements
        self.forgottenEnd = forgottenEnd
    }

    /// A marker that holds on behind its segment goes where it would have gone with it.
    func keeps(_ held: HeldDateRanges.Line) -> Bool {
        switch passthrough {
        case .all: return true
        case .none: return !held.isMarker && !held.isOfStitchedAd
        case .unstitched: break
        }
        guard held.isMarker else { return true }
        // Whether it was one of that pod's own is not known any more.
        if let forgottenEnd, held.number <= forgottenEnd { return false }
        return !placements[..<firstBehind(held.number)].suffix(3).contains { placement in
            if placement.isInsertion { return held.number == placement.start }
            if held.number < placement.end ?? .max { return true }
            return !held.opensBreak && held.time <= placement.plannedEnd.advanced(by: held.duration / 2)
        }
    }

    /// The lines of the segment to leave out.
    func droppedRoles(_ segment: LedgerSegment) -> LineRoles {
        var dropped: LineRoles = []
        switch passthrough {
        case .all: return dropped
        case .none: return .allMarkers
        case .unstitched: break
        }
        guard !segment.text.roles.isDisjoint(with: .markers) else { return dropped }
        // Breaks do not nest: those that matter are the last ones that began before the segment.
        for placement in placements[..<firstBehind(segment.number)].suffix(3) {
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

    private func firstBehind(_ number: Int64) -> Int {
        var low = 0
        var high = placements.count
        while low < high {
            let middle = (low + high) / 2
            if placements[middle].start <= number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
