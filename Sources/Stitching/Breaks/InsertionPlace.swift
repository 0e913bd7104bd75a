import HLS

/// Where a VMAP answer, or the lack of any cue, puts ads into a title.
package enum InsertionPlace: Sendable, Equatable {
    /// Pre-roll, post-roll.
    case start, end
    /// After the start of the content.
    case offset(Duration)
    /// Of the content's length.
    case fraction(millionths: Int64)
    /// The n-th break that the content itself marks, from 1.
    case position(Int)
}

extension BreakLedger {
    /// A break of one session at a place of a title: an insertion, at the segment boundary nearest to the place. With
    /// `position` it is the content's own break itself. Nil where the title has no such place.
    package func ownBreak(
        id: BreakID, at place: InsertionPlace, attributes: [String: String] = [:]
    ) -> ContentBreak? {
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
        case .fraction(let millionths):
            let length = first.time.duration(to: last.end)
            let offset = length * Int(min(max(millionths, 0), 1_000_000)) / 1_000_000
            (number, time) = Self.boundary(nearest: first.time.advanced(by: offset), in: leading, last: last)
        case .position(let position):
            return position > 0 && position <= breaks.count ? breaks[position - 1] : nil
        }
        return ContentBreak(
            id: id, startNumber: number, start: time, plannedDuration: nil,
            availableDuration: settings.unknownLengthCap,
            isInsertion: true, end: ContentBreak.End(time: time, number: number), attributes: attributes)
    }

    /// As ``ownBreak(id:at:attributes:)`` for a break in which nothing is stitched: it begins within a segment, when the place says.
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
