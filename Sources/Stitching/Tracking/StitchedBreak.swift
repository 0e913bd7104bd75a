package import HLS

/// A pod as it stands in a session's timeline, for a player that counts from where its stream began.
///
/// All is told of the leading rendition. While the content has not come back the pod is told as it is planned; an early return
/// makes it shorter, and nothing else changes.
package struct StitchedBreak: Sendable, Equatable {
    /// A point of the timeline.
    package struct Position: Sendable, Equatable {
        /// Media sequence number of the segment it lies in.
        package var number: Int64
        /// Since the timeline began.
        package var time: Duration
        /// As the playlists date it; nil without dates.
        package var date: DateTime?
    }

    /// A time at which something is to be reported.
    package struct Event: Sendable, Equatable {
        /// Index of the ad in the pod, and of the event in its ``AdTracking``.
        package var ad: Int
        package var index: Int
        package var position: Position

        package init(ad: Int, index: Int, position: Position) {
            self.ad = ad
            self.index = index
            self.position = position
        }
    }

    package struct Ad: Sendable, Equatable {
        /// Index in the pod.
        package var index: Int
        /// The ad server's.
        package var id: String
        package var start: Position
        /// As it is shown: an early return cuts it short.
        package var duration: Duration
        /// In the order of their times, those that the ad is shown for.
        package var events: [Event]
    }

    package var breakID: BreakID
    package var start: Position
    /// Up to where the content comes back: bumpers and slate too.
    package var duration: Duration
    /// What the content's marker names; nil where it names nothing.
    package var plannedDuration: Duration?
    /// Where the content comes back is known: nothing of this changes any more.
    package var isSettled: Bool
    /// Without bumpers and slate.
    package var ads: [Ad]
    /// Of the break as a whole (VMAP's breakStart and breakEnd).
    package var events: [Event]
}

extension StitchingSession {
    /// The pods that a playlist may show, and those just behind the window, as ``StitchedBreak``, in timeline order. Nothing of the
    /// session changes by asking.
    ///
    /// - Parameters:
    ///   - beginning: where the timeline of a live session begins, see ``timelineTime(of:in:)``; in VOD it is the title's first
    ///     segment.
    ///   - overlaid: breaks that are to be told also where they are content: at their starts, without any length.
    package func stitchedBreaks(
        in ledger: BreakLedger, since beginning: DateTime?, overlaid: Set<BreakID> = []
    ) -> [StitchedBreak] {
        guard hasBegun, let leading = ledger.renditions[ledger.leading], ledger.heldEdge != nil else { return [] }
        var session = self
        session.resolve(with: ledger)
        let places = session.plan.renditions[ledger.leading] ?? RenditionPlan()
        let plain = overlaid.isEmpty ? [] : session.breaks(in: ledger).filter { overlaid.contains($0.id) }
        let times = ledger.settings.kind == .vod ? session.plan.times(in: leading, of: plain) : TitleTimes()
        let pods = places.placements.compactMap { placement -> StitchedBreak? in
            let time: Duration? =
                if ledger.settings.kind == .vod {
                    times.pods[placement.podIndex]
                } else {
                    beginning.map { $0.duration(to: placement.startTime) + placement.drift + placement.dateShift }
                }
            guard let time, !placement.isUnseen else { return nil }
            return StitchedBreak(
                placement, fill: placement.pod.fill(for: ledger.leading), at: time,
                plannedDuration: session.plan.contentBreak(ofPod: placement.podIndex)?.plannedDuration)
        }
        let told = Set(pods.map(\.breakID))
        let points = plain.compactMap { contentBreak -> StitchedBreak? in
            // A pod whose segments have all left the list is told no more.
            guard !told.contains(contentBreak.id), let decision = session.decisions[contentBreak.id],
                decision.pod == nil
            else { return nil }
            return StitchedBreak(contentBreak, among: places, in: leading, since: beginning, times)
        }
        guard !points.isEmpty else { return pods }
        // Two points at one place are in the order of their names, behind a pod there.
        return (pods + points).sorted { left, right in
            if left.start.number != right.start.number { return left.start.number < right.start.number }
            if left.start.time != right.start.time { return left.start.time < right.start.time }
            return left.breakID < right.breakID
        }
    }

    /// When an entry of a rendition's playlist begins, on the timeline on which the session's segments follow on one another: the
    /// channel's, moved by what its pods are longer or shorter than what they replaced.
    package func timelineTime(of entry: StitchedPlaylist.Entry, in key: RenditionKey) -> DateTime {
        guard let places = plan.renditions[key] else { return entry.time }
        switch entry.source {
        case .content(let number):
            if let before = places.placements.last(where: { $0.end.map { $0 <= number } ?? false }) {
                return entry.time.advanced(by: before.driftAfter + before.dateShiftAfter)
            }
            let next = places.placements.first
            return entry.time.advanced(by: (next?.drift ?? places.drift) + (next?.dateShift ?? places.dateShift))
        case .fill(let reference):
            guard let placement = places.placements.last(where: { $0.breakID == reference.breakID }),
                let slot = placement.pod.fill(for: key).slots.first(where: {
                    $0.ad == reference.ad && $0.index == reference.segment
                })
            else { return entry.time }
            return placement.startTime.advanced(by: placement.drift + placement.dateShift + slot.offset)
        }
    }
}

extension StitchedBreak {
    /// Nil where nothing of the pod is listed.
    fileprivate init?(_ placement: Placement, fill: PodFill, at time: Duration, plannedDuration: Duration?) {
        let slots = fill.slots.prefix(placement.fillCount)
        guard let last = slots.last else { return nil }
        // The position at a time in the pod, in one of the entries of `range`.
        func position(_ offset: Duration, in range: Range<Int>) -> Position {
            var index = range.lowerBound
            while index + 1 < range.upperBound, slots[index + 1].offset <= offset { index += 1 }
            return Position(
                number: placement.start &+ placement.numberOffset &+ Int64(index), time: time + offset,
                date: placement.startDate?.advanced(by: placement.dated(offset)).inWholeMilliseconds)
        }
        let pod = placement.pod
        breakID = placement.breakID
        start = position(.zero, in: slots.indices)
        duration = last.end
        self.plannedDuration = plannedDuration
        isSettled = placement.end != nil
        events = []
        for (ad, podAd) in pod.ads.enumerated() {
            for (index, event) in podAd.tracking.events.enumerated() where event.isOfBreak {
                let time = event.time == .start ? Duration.zero : last.end
                events.append(Event(ad: ad, index: index, position: position(time, in: slots.indices)))
            }
        }
        ads = []
        var first = slots.startIndex
        while first < slots.endIndex {
            let ad = slots[first].ad
            var end = first + 1
            while end < slots.endIndex, slots[end].ad == ad { end += 1 }
            defer { first = end }
            guard pod.ads.indices.contains(ad), !Bumpers.isBumper(pod.ads[ad].id) else { continue }
            let offset = slots[first].offset
            let shown = slots[end - 1].end - offset
            let tracking = pod.ads[ad].tracking
            var due: [Event] = []
            for (index, time) in tracking.order(in: pod.length(ofAd: ad)) where time <= shown {
                guard !tracking.events[index].isOfBreak else { continue }
                due.append(Event(ad: ad, index: index, position: position(offset + time, in: first..<end)))
            }
            ads.append(
                Ad(
                    index: ad, id: pod.ads[ad].id, start: position(offset, in: first..<end), duration: shown,
                    events: due))
        }
    }
}

/// Times in a title, each Σ of the durations before it.
private struct TitleTimes {
    /// By the pod's place in the session.
    var pods: [Int: Duration] = [:]
    /// By the origin's number of the segment.
    var segments: [Int64: Duration] = [:]
    var end = Duration.zero
}

extension SessionPlan {
    /// When each pod begins in a title, and the segments with which breaks do.
    fileprivate func times(in leading: RenditionLedger, of breaks: [ContentBreak]) -> TitleTimes {
        let list = EntryList(rendition: leading, leading: leading, plan: self, edge: nil)
        let wanted = Set(breaks.compactMap(\.startNumber))
        var times = TitleTimes()
        for item in list.items {
            switch item.source {
            case .fill(let fill, 0): times.pods[list.placements[fill].podIndex] = times.end
            case .content(let index) where !wanted.isEmpty && wanted.contains(leading.segments[index].number):
                times.segments[leading.segments[index].number] = times.end
            default: break
            }
            times.end += item.duration
        }
        return times
    }
}

extension StitchedBreak {
    /// A break that is content, as the point at which it begins; nil where a pod lies there.
    fileprivate init?(
        _ contentBreak: ContentBreak, among places: RenditionPlan, in leading: RenditionLedger,
        since beginning: DateTime?, _ times: TitleTimes
    ) {
        guard let number = contentBreak.startNumber else { return nil }
        let before = places.placements.last { $0.start < number || $0.isInsertion && $0.start == number }
        if let before, before.end.map({ $0 > number }) ?? true { return nil }
        let next = places.placements.first { $0.start >= number }
        let offset = before?.numberOffsetAfter ?? next?.numberOffsetBefore ?? places.numberOffset
        let shift = before?.dateShiftAfter ?? next?.dateShift ?? places.dateShift
        let drift = before?.driftAfter ?? next?.drift ?? places.drift
        let segment = leading.segment(numbered: number)
        // A break in which nothing is stitched may begin within a segment.
        let inside = segment.map { max($0.time.duration(to: contentBreak.start), .zero) } ?? .zero
        let time: Duration
        if let known = times.segments[number] {
            time = known + inside
        } else if let beginning {
            time = beginning.duration(to: contentBreak.start) + drift + shift
        } else {
            time = times.end
        }
        breakID = contentBreak.id
        start = Position(number: number &+ offset, time: time, date: segment?.date?.advanced(by: shift + inside))
        duration = .zero
        plannedDuration = contentBreak.plannedDuration
        isSettled = true
        ads = []
        events = []
    }
}
