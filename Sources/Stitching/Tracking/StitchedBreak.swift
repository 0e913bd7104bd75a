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
    /// - Parameter beginning: where the timeline of a live session begins, see ``timelineTime(of:in:)``; in VOD it is the title's
    ///   first segment.
    package func stitchedBreaks(in ledger: BreakLedger, since beginning: DateTime?) -> [StitchedBreak] {
        guard hasBegun, let leading = ledger.renditions[ledger.leading], ledger.heldEdge != nil else { return [] }
        var session = self
        session.resolve(with: ledger)
        guard let places = session.plan.renditions[ledger.leading] else { return [] }
        let inserted = ledger.settings.kind == .vod ? session.plan.timesOfPods(in: leading) : [:]
        return places.placements.compactMap { placement in
            let time: Duration? =
                if ledger.settings.kind == .vod {
                    inserted[placement.podIndex]
                } else {
                    beginning.map { $0.duration(to: placement.startTime) + placement.drift + placement.dateShift }
                }
            guard let time, !placement.isUnseen else { return nil }
            return StitchedBreak(
                placement, fill: placement.pod.fill(for: ledger.leading), at: time,
                plannedDuration: session.plan.contentBreak(ofPod: placement.podIndex)?.plannedDuration)
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

extension SessionPlan {
    /// When each pod begins in a title, from Σ of the durations before it.
    fileprivate func timesOfPods(in leading: RenditionLedger) -> [Int: Duration] {
        let list = EntryList(rendition: leading, leading: leading, plan: self, edge: nil)
        var times: [Int: Duration] = [:]
        var sum = Duration.zero
        for item in list.items {
            if case .fill(let fill, 0) = item.source { times[list.placements[fill].podIndex] = sum }
            sum += item.duration
        }
        return times
    }
}
