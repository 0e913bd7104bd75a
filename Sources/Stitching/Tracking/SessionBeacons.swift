package import HLS

extension StitchingSession {
    /// Where players of a live session are: the listed edge minus the hold-back. Nil before the session has begun.
    ///
    /// - Parameter holdBack: how far behind the edge players play; nil: three target durations.
    package func playhead(in ledger: BreakLedger, holdBack: Duration? = nil) -> DateTime? {
        guard ledger.settings.kind == .live, let targetDuration, let edge = listedEdge(in: ledger) else { return nil }
        return edge.advanced(by: .zero - (holdBack ?? targetDuration * 3))
    }

    /// Anything may fall due at the live edge, now or later.
    package func hasPodsAtEdge(in ledger: BreakLedger) -> Bool {
        guard let last = plan.renditions[ledger.leading]?.placements.last else { return false }
        return last.podIndex > beacons.finishedPods && !seenByRequest.contains(last)
    }

    /// Players are taken to play at the live edge, until their requests tell otherwise.
    package var beginsAtEdge: Bool { joinEdge != nil && start?.isAwayFromEdge != true }

    /// The beacons that fall due in a live session up to a playhead. To be asked after ``stitch(_:ledger:options:)`` of any rendition;
    /// each beacon is handed out once.
    package mutating func dueBeacons(ledger: BreakLedger, upTo playhead: DateTime) -> [DueBeacon] {
        guard let leading = plan.renditions[ledger.leading] else { return [] }
        var result: [DueBeacon] = []
        let placements = leading.placements
        var areFinished = true
        for placement in placements[placements.partitioningIndex { $0.podIndex > beacons.finishedPods }...] {
            if seenByRequest.contains(placement) { continue }
            let position = placement.startTime.duration(to: playhead) - placement.drift
            guard position >= .zero else { break }
            let fill = placement.pod.fill(for: ledger.leading)
            let shown = fill.slots.prefix(placement.fillCount)
            for ad in placement.pod.ads.indices {
                // An ad that was cut off is played as far as it was listed.
                guard let first = shown.first(where: { $0.ad == ad }), position >= first.offset,
                    let end = shown.last(where: { $0.ad == ad })?.end
                else { continue }
                take(
                    ad, of: placement.pod, breakID: placement.breakID,
                    from: Self.timelineTime(placement) + first.offset, upTo: min(position, end) - first.offset,
                    into: &result)
            }
            areFinished = areFinished && placement.end != nil && position >= placement.duration(of: fill)
            if areFinished { beacons.finishedPods = placement.podIndex }
        }
        return result
    }

    /// When a pod begins to be played, where the session's segments follow on one another: in live since 1970, as
    /// ``playhead(in:holdBack:)`` has it, in a title since its beginning. Nil for pods without a place.
    package func podStart(of breakID: BreakID, in ledger: BreakLedger) -> Duration? {
        if ledger.settings.kind == .vod {
            return stitchedBreaks(in: ledger, since: nil).first { $0.breakID == breakID }?.start.time
        }
        return plan.renditions[ledger.leading]?.placements.last { $0.breakID == breakID }.map(Self.timelineTime)
    }

    private static func timelineTime(_ placement: Placement) -> Duration {
        .nanoseconds(placement.startTime.nanoseconds) + placement.drift
    }

    /// What a player asks for with a segment of an ad that is seen by request.
    package struct AskedSegment: Sendable {
        /// The beacons that may fall due once it plays: those up to its start, and with the last segment of the ad all.
        package var due: [DueBeacon]
        /// Of the pod.
        package var span: Range<Duration>
        /// With it all of the pod's ads have been asked for that are listed.
        package var isLast: Bool
    }

    /// Takes note that a player asks for a segment of an ad. Each beacon is handed out once.
    ///
    /// - Parameter start: of the pod, see ``podStart(of:in:)``.
    package mutating func ask(
        for reference: FillReference, in key: RenditionKey, podStart start: Duration
    ) -> AskedSegment? {
        guard let pod = decisions[reference.breakID]?.pod, pod.ads.indices.contains(reference.ad) else { return nil }
        let all = pod.fill(for: key).slots
        let slots = all.filter { $0.ad == reference.ad }
        guard let first = slots.first?.offset, let slot = slots.first(where: { $0.index == reference.segment }),
            let last = slots.last
        else { return nil }
        let length = pod.length(ofAd: reference.ad)
        let lead = pod.fill(for: pod.leading).slots.first { $0.ad == reference.ad }?.offset ?? first
        beacons.ask(
            for: slot.offset - first..<(slot.index == last.index ? max(length, slot.end - first) : slot.end - first),
            ofAd: reference.ad, in: reference.breakID)
        var due: [DueBeacon] = []
        take(
            reference.ad, of: pod, breakID: reference.breakID, from: start + lead,
            upTo: slot.index == last.index ? length : slot.offset - first, into: &due)
        let lastOfPod = all.last { !$0.isSlate }
        return AskedSegment(
            due: due, span: slot.offset..<slot.end,
            isLast: lastOfPod.map { $0.ad == slot.ad && $0.index == slot.index } ?? false)
    }

    /// Whether players have jumped over what a beacon tells of: nothing of the ad is reported that was not played (R-K2). What begins or
    /// ends a break, and what an ad begins with, is never jumped over by who sees any of it.
    package func isPassedOver(_ due: DueBeacon) -> Bool {
        guard !due.event.isOfBreak, due.adPlayhead > .zero, let asked = beacons.asked(ofAd: due.ad, in: due.breakID)
        else { return false }
        return due.event.time == .end || due.adPlayhead >= due.adDuration
            ? !asked.covers(upTo: due.adDuration) : !asked.contains(due.adPlayhead)
    }

    private mutating func take(
        _ ad: Int, of pod: Pod, breakID: BreakID, from start: Duration, upTo playhead: Duration,
        into result: inout [DueBeacon]
    ) {
        let podAd = pod.ads[ad]
        let length = pod.length(ofAd: ad)
        for due in beacons.take(breakID: breakID, ad: ad, tracking: podAd.tracking, length: length, upTo: playhead) {
            result.append(
                DueBeacon(
                    breakID: breakID, ad: ad, adID: podAd.id, index: due.event, event: podAd.tracking.events[due.event],
                    adPlayhead: due.offset, adDuration: length, adCount: pod.ads.count, position: start + due.offset))
        }
    }
}

extension Pod {
    /// The ad's length on the leading rendition.
    package func length(ofAd index: Int) -> Duration {
        guard let matches = matches[leading], matches.indices.contains(index), ads.indices.contains(index) else {
            return .zero
        }
        return ads[index].media.rendition(of: matches[index])?.duration ?? .zero
    }
}
