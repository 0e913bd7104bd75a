import HLS

/// What has to be known of a pod's place to tell which markers were its own.
struct MarkerPlace: Sendable, Codable {
    let start: Int64
    /// Nil while it is still to come.
    let end: Int64?
    let plannedEnd: DateTime
    let isInsertion: Bool

    init(_ placement: Placement) {
        start = placement.start
        end = placement.end
        plannedEnd = placement.plannedEnd
        isInsertion = placement.isInsertion
    }

    /// Markers that are still held, or still to come, may be the pod's. Once they are not, none will be.
    func matters(to rendition: RenditionLedger) -> Bool {
        guard let first = rendition.segments.first, let end else { return true }
        if first.time <= plannedEnd.advanced(by: rendition.targetDuration) { return true }
        return rendition.dateRanges.lines.first.map { held in
            held.number <= end || held.time <= plannedEnd.advanced(by: held.duration / 2)
        } ?? false
    }
}

/// Which markers of content segments go.
struct MarkerFilter {
    let passthrough: MarkerPassthrough
    /// In timeline order.
    private let places: [MarkerPlace]

    /// - Parameter former: places that are before those of the placements, and forgotten.
    init(_ placements: [Placement], passthrough: MarkerPassthrough = .unstitched, former: [MarkerPlace] = []) {
        self.passthrough = passthrough
        places = former + placements.map(MarkerPlace.init)
    }

    /// A marker that holds on behind its segment goes where it would have gone with it.
    func keeps(_ held: HeldDateRanges.Line) -> Bool {
        switch passthrough {
        case .all: return true
        case .none: return !held.isMarker && !held.isOfStitchedAd
        case .unstitched: break
        }
        guard held.isMarker else { return true }
        return !places[..<firstBehind(held.number)].suffix(3).contains { place in
            if place.isInsertion { return held.number == place.start }
            if held.number < place.end ?? .max { return true }
            return !held.opensBreak && held.time <= place.plannedEnd.advanced(by: held.duration / 2)
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
        for place in places[..<firstBehind(segment.number)].suffix(3) {
            if place.isInsertion {
                if segment.number == place.start {
                    dropped.formUnion(.markers)
                }
            } else if segment.number > place.start,
                segment.time <= place.plannedEnd.advanced(by: segment.duration / 2)
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
        places.partitioningIndex { $0.start > number }
    }
}
