import HLS

/// The entries of one rendition for one session: content outside the pods, fill inside, as far as they are released.
struct EntryList {
    struct Item {
        enum Source {
            /// Index into the ledger's segments.
            case content(Int)
            /// Indices into ``EntryList/placements``, and of the slot.
            case fill(Int, Int)
        }

        var source: Source
        var number: Int64
        var discontinuity: Int64
        /// Tags that stand before it.
        var tags: Int
        /// Number of the placement whose return it is, as index into ``EntryList/placements``.
        var returnsFrom: Int?
        var duration: Duration
        var time: DateTime
        var date: DateTime?
        var dateShift: Duration
        /// The number differs from the origin's.
        var isRenumbered: Bool
        /// Only a part of the content segment is listed.
        var piece: SubtitlePiece?

        var isContent: Bool {
            if case .content = source { return true }
            return false
        }

        /// Lists only a part of the segment.
        fileprivate mutating func limit(to segment: LedgerSegment, from: DateTime?, to: DateTime?) {
            let start = from.map { segment.time.duration(to: $0).inMilliseconds } ?? .zero
            let end = to.map { segment.time.duration(to: $0).inMilliseconds }
            piece = SubtitlePiece(number: segment.number, from: start, to: end)
            duration = max((end ?? segment.duration) - start, .zero)
            time = segment.time.advanced(by: start)
            date = date?.advanced(by: start)
        }
    }

    private(set) var items: [Item] = []
    private(set) var placements: [Placement] = []
    /// The pods of ``placements``.
    private(set) var fills: [PodFill] = []
    /// All known content is listed or replaced.
    private(set) var isComplete = false

    private let rendition: RenditionLedger
    private let leading: RenditionLedger
    /// Up to where content is released; nil: all is.
    private let edge: DateTime?
    /// Up to where entries of pods are. Those have their places: no break that begins while they are shown holds them up.
    private let fillEdge: DateTime?
    /// The discontinuity number of the leading rendition's last released segment.
    private let reachedDiscontinuity: Int64
    private let carriesMarkers: Bool

    /// - Parameter carriesMarkers: entries of pods have the markers of the segments in whose place they stand. They are listed when
    ///   those are known, so that nothing comes to an entry later (rule 904).
    init(
        rendition: RenditionLedger, leading: RenditionLedger, plan: SessionPlan, edge: DateTime?,
        carriesMarkers: Bool = false
    ) {
        self.carriesMarkers = carriesMarkers
        self.rendition = rendition
        self.leading = leading
        // No content is listed beyond a pod that has no place in this rendition yet.
        let unplaced = plan.firstUnplaced(in: rendition.key, leading: leading)
        let limit = if let edge, let unplaced { min(edge, unplaced) } else { edge ?? unplaced }
        self.edge = limit
        fillEdge = edge == nil ? nil : leading.edge
        reachedDiscontinuity = rendition.key == leading.key ? .max : leading.discontinuity(before: limit)
        build(plan.renditions[rendition.key] ?? RenditionPlan(), leading: plan.renditions[leading.key])
    }

    private mutating func build(_ plan: RenditionPlan, leading leadingPlan: RenditionPlan?) {
        items.reserveCapacity(rendition.segments.count + 16)
        var index = 0
        var returning: Int?
        for (place, placement) in plan.placements.enumerated() {
            let fill = placement.pod.fill(for: rendition.key)
            // Where the leading rendition's place is forgotten, all of the pod was due long ago.
            let model = leadingPlan?.placement(ofPod: placement.podIndex)
            // A break may yet end before anything of the pod is shown: then nothing is cut for it.
            let isBegun = fillEdge.map { fill.slots.first?.isDue(by: $0, in: model ?? placement) ?? true } ?? true
            guard
                appendContent(
                    &index, before: placement, isBegun: isBegun, numberOffset: placement.numberOffsetBefore,
                    discontinuityOffset: placement.discontinuityOffset, dateShift: placement.dateShift,
                    returning: &returning)
            else { return }
            // Nothing of it was listed: only the sums change.
            guard !placement.isUnseen else { continue }
            placements.append(placement)
            fills.append(fill)
            guard appendFill(placement, fill, model: model ?? placement), let end = placement.end else { return }
            let next = place + 1 < plan.placements.count ? plan.placements[place + 1] : nil
            // Behind it no content comes back, but the next pod.
            let isFollowed = next.map { $0.isJoined && $0.start == end && !$0.isUnseen } ?? false
            guard isFollowed || hasReturned(model) else { return }
            returning = fills.count - 1
            index = rendition.index(atOrAfter: end)
        }
        isComplete = appendContent(
            &index, before: nil, numberOffset: plan.numberOffset, discontinuityOffset: plan.discontinuityOffset,
            dateShift: plan.dateShift, returning: &returning)
    }

    /// Returns false where the edge stopped it.
    private mutating func appendContent(
        _ index: inout Int, before next: Placement?, isBegun: Bool = true, numberOffset: Int64,
        discontinuityOffset: Int64,
        dateShift: Duration,
        returning: inout Int?
    ) -> Bool {
        while index < rendition.segments.count {
            let segment = rendition.segments[index]
            if let next, segment.number >= next.start { return true }
            // A pod may end or begin within the segment.
            let from = returning.flatMap { segment.number == placements[$0].end ? placements[$0].endTime : nil }
            let to = next.flatMap { $0.startsInside && segment.number == $0.start &- 1 ? $0.startTime : nil }
            guard isReleased(segment, until: to), to == nil || isBegun else { return false }
            var tags = segment.tagCount
            var returnsFrom: Int?
            // Where the segment that brings the content back was never seen, the list begins anew behind the gap.
            if let place = returning, segment.number == placements[place].end {
                tags = placements[place].endTags
                if segment.succession == .beginsEpoch {
                    // The segment that was to bring the content back went with its epoch: the joint is one more.
                    let behind = segment.discontinuity &+ discontinuityOffset &- placements[place].lastDiscontinuity
                    tags = Int(clamping: max(behind, 1))
                }
                returnsFrom = place
            }
            returning = nil
            var item = Item(
                source: .content(index), number: segment.number &+ numberOffset,
                discontinuity: segment.discontinuity &+ discontinuityOffset, tags: tags, returnsFrom: returnsFrom,
                duration: segment.duration, time: segment.time,
                date: dateShift == .zero ? segment.date : segment.date?.advanced(by: dateShift),
                dateShift: dateShift + segment.dateShift,
                isRenumbered: segment.number &+ numberOffset != segment.originNumber)
            if from != nil || to != nil { item.limit(to: segment, from: from, to: to) }
            items.append(item)
            index += 1
        }
        return true
    }

    /// ``LedgerSegment/isListed(before:reached:targetDuration:)``, for content.
    ///
    /// - Parameter cut: where a pod begins within the segment, of which only the part before it is listed.
    private func isReleased(_ segment: LedgerSegment, until cut: DateTime?) -> Bool {
        guard let edge else { return true }
        if let cut {
            if cut > edge { return false }
        } else if rendition.key.isSubtitles, segment.canBeCut {
            // It is listed whole once it is over: a pod may begin within it.
            if segment.end > edge.advanced(by: Placement.dateTolerance) || segment.startIsNearest(to: edge) {
                return false
            }
        } else if segment.startIsNearest(to: edge) {
            return false
        }
        return segment.hasReached(
            reachedDiscontinuity, before: edge, targetDuration: rendition.targetDuration)
    }

    /// What a pod stands in the place of stays where an epoch ends; ``EpochJoint/isBehind(_:targetDuration:)``.
    func isSettled(_ segment: LedgerSegment) -> Bool {
        guard let fillEdge, rendition.key != leading.key else { return true }
        return segment.isListed(
            before: fillEdge, reached: leading.discontinuity(before: fillEdge), targetDuration: rendition.targetDuration
        )
    }

    /// No rendition comes back before the leading one lists its return: another break may begin right there.
    private func hasReturned(_ model: Placement?) -> Bool {
        guard rendition.key != leading.key, let edge, let model, let end = model.end, !model.isInsertion,
            let segment = leading.segment(numbered: end)
        else { return true }
        return !segment.startIsNearest(to: edge)
    }

    private mutating func appendFill(_ placement: Placement, _ fill: PodFill, model: Placement) -> Bool {
        let fillEdge = fillEdge.map { placement.releaseEdge($0, model: model, leading: leading) }
        for slotIndex in 0..<min(placement.fillCount, fill.slots.count) {
            let slot = fill.slots[slotIndex]
            if let fillEdge, !slot.isDue(by: fillEdge, in: model) { return false }
            let tags = slotIndex == 0 ? placement.startTags : slot.entry.isJoint ? 1 : 0
            let offset = placement.dated(slot.offset)
            if carriesMarkers, edge != nil, !rendition.hasEnded, let known = rendition.knownEdge,
                known <= placement.startTime.advanced(by: offset + Placement.dateTolerance)
            {
                return false
            }
            items.append(
                Item(
                    source: .fill(fills.count - 1, slotIndex),
                    number: placement.start &+ placement.numberOffset
                        &+ Int64(slotIndex), discontinuity: placement.firstDiscontinuity &+ Int64(slot.joints - 1),
                    tags: tags, returnsFrom: nil, duration: slot.entry.duration,
                    time: placement.startTime.advanced(by: offset),
                    date: placement.startDate?.advanced(by: offset).inWholeMilliseconds,
                    dateShift: .zero, isRenumbered: false))
        }
        return true
    }

    /// The listed part: from the entry that covers the start of the origin's window, and at least three target durations
    /// (rule 309). What lies before a gap in what was seen of the origin is not listed: numbers rise by one.
    ///
    /// - Parameter keepsAll: nothing leaves the list, nor do ads that begin before all content (rule 903).
    func window(targetDuration: Duration, keepsAll: Bool = false) -> Range<Int> {
        guard !items.isEmpty, let windowTime = rendition.windowStartTime else { return 0..<0 }
        var first = items.count - 1
        var listed = items[first].duration
        while first > 0, keepsAll || items[first].time > windowTime || listed < targetDuration * 3,
            items[first - 1].number &+ 1 == items[first].number
        {
            first -= 1
            listed += items[first].duration
        }
        return first..<items.count
    }
}

extension RenditionLedger {
    /// The discontinuity number of the last segment that is released at an edge.
    func discontinuity(before edge: DateTime?) -> Int64 {
        guard let edge else { return .max }
        let index = index(ofBoundaryNearest: edge)
        if index > 0 { return segments[index - 1].discontinuity }
        return segments.first.map { $0.discontinuity &- Int64($0.tagCount) } ?? .max
    }
}

extension SessionPlan {
    /// Where the first pod begins that is not placed in the rendition yet.
    func firstUnplaced(in key: RenditionKey, leading: RenditionLedger) -> DateTime? {
        let next = renditions[key].map { $0.nextPod + ($0.isOpen ? 1 : 0) } ?? 0
        return startOfPod(next, leading: leading)
    }
}

extension DateTime {
    /// Cut to milliseconds, as dates are written (rule 801).
    var inWholeMilliseconds: DateTime {
        let rest = nanoseconds % 1_000_000
        return DateTime(nanoseconds: nanoseconds &- (rest < 0 ? rest &+ 1_000_000 : rest))
    }
}
