import HLS

/// Where a pod stands in one rendition: the origin's numbers [start, end) go, `fillCount` entries come.
package struct Placement: Sendable, Codable {
    /// Where a return before the planned end cut the pod.
    struct Cut: Sendable, Codable {
        var time: DateTime
        var joints: Int
        /// What the rendition that had shown most by then had shown of the pod: the others end as near to it as they can.
        var shown: Duration?
        /// The ad that ran then, as index into the pod, where it is shown to its end; nil where it is cut off.
        var completedAd: Int?
    }

    package let breakID: BreakID
    /// Counts the pods lined up in the session.
    let podIndex: Int
    let pod: Pod
    /// s: the first number that goes, or the one before which is inserted.
    package let start: Int64
    /// t(s); within the segment before, where that is cut there.
    let startTime: DateTime
    /// The segment before ``start`` is listed up to ``startTime`` only, and its rest may come behind the pod: then ``end`` is that
    /// segment.
    var startsInside: Bool { cutsAtStart ?? false }
    private var cutsAtStart: Bool?
    /// The date of the first entry; nil where the content has no dates.
    let startDate: DateTime?
    /// e: the number of the segment that brings the content back. Nil until its segment has appeared.
    package internal(set) var end: Int64?
    /// Where within the segment ``end`` the content comes back; nil: with its start.
    private(set) var endTime: DateTime?
    /// f: how many of the pod's entries are listed, all unless the break was cut.
    package internal(set) var fillCount: Int
    /// D of the rendition before the break.
    let drift: Duration
    /// Of this rendition's dates, in millionths.
    let dateShortening: Int64
    /// What is added to the origin's numbers before the break; for the break's entries; after it.
    let numberOffsetBefore: Int64
    let numberOffset: Int64
    var numberOffsetAfter: Int64
    /// What is added to the origin's discontinuity numbers before the break; after it.
    let discontinuityOffset: Int64
    var discontinuityOffsetAfter: Int64
    /// What is added to the origin's dates before the break; after it. Only insertions shift dates.
    let dateShift: Duration
    var dateShiftAfter: Duration
    var driftAfter: Duration
    /// The stitched discontinuity number of the first entry.
    let firstDiscontinuity: Int64
    /// Tags before the first entry: 1, and 0 where nothing stands before it.
    let startTags: Int
    /// Tags before the segment that brings the content back.
    var endTags = 1
    /// It begins where the placement before it ended: one joint for both.
    let isJoined: Bool
    /// When a return before the planned end cut the pod, on the leading rendition, and the joints that all renditions keep.
    var cut: Cut?
    /// Entries before the rendition was first seen: they were never listed, and only the sums count.
    var isUnseen = false
    /// The content's own timeline goes on behind the insertion.
    let isInsertion: Bool
    /// Discontinuities of the listed entries.
    private(set) var joints: Int
    let plannedEnd: DateTime

    /// What the listed part of the fill lasts.
    func duration(of fill: PodFill) -> Duration {
        fillCount < fill.slots.count ? (fillCount > 0 ? fill.slots[fillCount - 1].end : .zero) : fill.duration
    }

    /// The length on the dates' timeline of entries that last `duration`.
    func dated(_ duration: Duration) -> Duration {
        Self.dated(duration, shortening: dateShortening)
    }

    /// Dates as they are written jitter by a frame or two: a return so much before the end of the pod's dates is taken.
    static let dateTolerance = Duration.milliseconds(50)

    static func dated(_ duration: Duration, shortening: Int64) -> Duration {
        guard shortening > 0 else { return duration }
        return duration - duration * Int(shortening) / 1_000_000
    }
}

extension Placement {
    /// A placement with the sums of a rendition, open at its end.
    init(
        _ planned: SessionPlan.PlannedPod, fill: PodFill, plan: RenditionPlan, start: Int64, startTime: DateTime,
        startDate: DateTime?, dateShortening: Int64, firstDiscontinuity: Int64, startTags: Int, isJoined: Bool,
        skipped: Int64 = 0, startsInside: Bool = false
    ) {
        cutsAtStart = startsInside ? true : nil
        breakID = planned.contentBreak.id
        podIndex = plan.nextPod
        pod = planned.pod
        self.start = start
        self.startTime = startTime
        self.startDate = startDate?.advanced(by: plan.dateShift)
        fillCount = fill.slots.count
        joints = fill.slots.last?.joints ?? 0
        drift = plan.drift
        self.dateShortening = dateShortening
        numberOffsetBefore = plan.numberOffset
        numberOffset = plan.numberOffset &+ skipped
        numberOffsetAfter = numberOffset
        discontinuityOffset = plan.discontinuityOffset
        discontinuityOffsetAfter = plan.discontinuityOffset
        dateShift = plan.dateShift
        dateShiftAfter = plan.dateShift
        driftAfter = plan.drift
        self.firstDiscontinuity = firstDiscontinuity
        self.startTags = startTags
        self.isJoined = isJoined
        isInsertion = planned.contentBreak.isInsertion
        plannedEnd = planned.contentBreak.plannedEnd
    }

    /// The stitched discontinuity number of the last listed entry.
    var lastDiscontinuity: Int64 { firstDiscontinuity &+ Int64(max(joints, 1) - 1) }

    /// Lists only the first `count` entries.
    mutating func limit(to count: Int, of fill: PodFill) {
        fillCount = min(count, fill.slots.count)
        joints = fillCount > 0 ? fill.slots[fillCount - 1].joints : 0
    }

    /// As it began. What is placed by it is the same on servers that come to it before the break returns early, and after.
    func uncut(of fill: PodFill) -> Placement {
        var result = self
        result.cut = nil
        result.limit(to: fill.slots.count, of: fill)
        return result
    }

    /// Ends before the segment `number`, whose origin discontinuity number is `discontinuity`.
    ///
    /// - Parameter time: within that segment; nil: its start.
    func closed(
        at number: Int64, within time: DateTime? = nil, discontinuity: Int64, endTags: Int, driftAfter: Duration,
        inserted: Duration
    ) -> Placement {
        var result = self
        result.end = number
        result.endTime = time
        result.endTags = endTags
        result.numberOffsetAfter = numberOffset &+ Int64(fillCount) &- (number &- start)
        result.discontinuityOffsetAfter = lastDiscontinuity &+ Int64(endTags) &- discontinuity
        result.driftAfter = driftAfter
        result.dateShiftAfter = dateShift + inserted
        return result
    }

    /// The same pod in a rendition that was first seen, or next seen, behind it: nothing of it is listed.
    func unseen(at number: Int64, after plan: RenditionPlan) -> Placement {
        var result = Placement(
            SessionPlan.PlannedPod(
                contentBreak: ContentBreak(
                    id: breakID, startNumber: number, start: startTime, plannedDuration: nil,
                    availableDuration: startTime.duration(to: plannedEnd), isInsertion: isInsertion), pod: pod),
            fill: PodFill(ads: []), plan: plan, start: number, startTime: startTime, startDate: nil,
            dateShortening: dateShortening, firstDiscontinuity: firstDiscontinuity, startTags: 0, isJoined: false)
        result.isUnseen = true
        return result
    }

    /// - Parameter previous: the origin's number of the last segment that may have been listed before it.
    func closedUnseen(like model: Placement, previous: Int64?) -> Placement {
        var result = self
        let number = max(start, isUnseen ? start : previous.map { $0 &+ 1 } ?? start)
        result.end = number
        if isUnseen {
            let modelEnd = model.end ?? model.start
            result.numberOffsetAfter = numberOffset &+ Int64(model.fillCount) &- (modelEnd &- model.start)
            // Numbers go on rising, and the list begins anew. Where nothing was listed they need not follow the leading rendition's, and
            // so do not get below 0 by what is taken away there.
            let lowest = previous.map { $0 &+ numberOffset &+ 2 &- number } ?? numberOffset
            result.numberOffsetAfter = max(result.numberOffsetAfter, lowest)
        } else {
            result.numberOffsetAfter = numberOffset &+ Int64(fillCount) &- (number &- start)
        }
        result.discontinuityOffsetAfter =
            discontinuityOffset &+ (model.discontinuityOffsetAfter &- model.discontinuityOffset)
        result.driftAfter = drift + (model.driftAfter - model.drift)
        result.dateShiftAfter = dateShift + (model.dateShiftAfter - model.dateShift)
        return result
    }
}
