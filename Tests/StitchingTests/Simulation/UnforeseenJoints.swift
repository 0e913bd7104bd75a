import HLS

@testable import Stitching

/// Joints of a rendition that lie apart from the leading one's (rules 508, 1115; told as other numbers, 504), where what would have
/// had to be known for it was not known when it counted, and cannot be changed since.
struct UnforeseenJoints {
    private let leading: RenditionLedger
    private let rendition: RenditionLedger
    /// The pods that both have a place for.
    let pods: [(own: Placement, model: Placement)]

    init(_ key: RenditionKey, _ ledger: BreakLedger, _ session: StitchingSession) {
        let empty = RenditionLedger(key: key)
        leading = ledger.renditions[ledger.leading] ?? empty
        rendition = ledger.renditions[key] ?? empty
        let models = session.plan.renditions[ledger.leading]
        pods = (session.plan.renditions[key]?.placements ?? []).compactMap { own in
            models?.placement(ofPod: own.podIndex).map { (own, $0) }
        }
    }

    /// Without dates a rendition is placed when it is first seen, by its numbers or by its end, and stays there. A discontinuity that
    /// comes later tells that it was wrong, and by how much.
    func wrongTimes() -> Duration? {
        rendition.segments.compactMap { segment -> Duration? in
            guard segment.tagCount > 0, segment.date == nil,
                let time = leading.time(ofDiscontinuity: segment.discontinuity)
            else { return nil }
            let wrong = time.duration(to: segment.time).magnitude
            return wrong > rendition.targetDuration ? wrong : nil
        }.max()
    }

    /// The dates of its entries were made to end at a boundary of its own grid. An origin's discontinuity has come between, at which the
    /// grid begins anew, and every entry was due before it was known where the leading rendition comes back.
    func cannotComeBack(_ own: Placement, _ model: Placement) -> Bool {
        guard !own.isUnseen, !own.isInsertion, let back = model.end.flatMap(leading.segment(numbered:)),
            rendition.segments.contains(where: { $0.tagCount > 0 && $0.time > own.startTime && $0.time <= back.time })
        else { return false }
        let fill = own.pod.fill(for: rendition.key)
        let earliest = fill.earliestReturn(behind: own.fillCount, shortening: own.dateShortening)
        guard own.startTime.advanced(by: earliest) > back.time, own.fillCount > 0, own.fillCount <= fill.slots.count
        else { return false }
        return fill.slots[own.fillCount - 1].isDue(by: leading.edge(at: back.time), in: model)
    }
}
