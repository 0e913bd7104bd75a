import HLS

/// Where a VMAP answer, or the lack of any cue, puts ads into a title.
package enum InsertionPlace: Sendable, Equatable {
    /// Pre-roll, post-roll.
    case start, end
    /// After the start of the content.
    case offset(Duration)
}

extension BreakLedger {
    /// A break of one session at a place of a title: an insertion, at the segment boundary nearest to the place. Nil
    /// before any of the title is known.
    package func ownBreak(id: BreakID, at place: InsertionPlace) -> ContentBreak? {
        guard let leading = renditions[leading], let first = leading.segments.first, let last = leading.segments.last
        else {
            return nil
        }
        let number: Int64
        let time: DateTime
        switch place {
        case .start: (number, time) = (first.number, first.time)
        case .end: (number, time) = (last.number &+ 1, last.end)
        case .offset(let offset):
            (number, time) = Self.boundary(
                nearest: first.time.advanced(by: max(offset, .zero)), in: leading, last: last)
        }
        return ContentBreak(
            id: id, startNumber: number, start: time, plannedDuration: nil,
            availableDuration: settings.unknownLengthCap,
            isInsertion: true, end: ContentBreak.End(time: time, number: number))
    }

    /// As ``ownBreak(id:at:)`` for a break in which nothing is stitched: it begins within a segment, when the place says.
    package func ownPoint(id: BreakID, at place: InsertionPlace) -> ContentBreak? {
        guard case .offset(let offset) = place, let leading = renditions[leading], let first = leading.segments.first
        else { return ownBreak(id: id, at: place) }
        let time = first.time.advanced(by: max(offset, .zero))
        let index = leading.segments.partitioningIndex { $0.time > time }
        guard index > 0, time < leading.segments[index - 1].end else { return ownBreak(id: id, at: place) }
        let number = leading.segments[index - 1].number
        return ContentBreak(
            id: id, startNumber: number, start: time, plannedDuration: nil,
            availableDuration: settings.unknownLengthCap, isInsertion: true,
            end: ContentBreak.End(time: time, number: number))
    }

    private static func boundary(
        nearest time: DateTime, in leading: RenditionLedger, last: LedgerSegment
    ) -> (Int64, DateTime) {
        let index = leading.index(ofBoundaryNearest: time)
        guard index < leading.segments.count else { return (last.number &+ 1, last.end) }
        return (leading.segments[index].number, leading.segments[index].time)
    }
}
