import HLS

extension StitchingSession {
    /// The beacons that fall due in a live session at its estimated playhead: the listed edge minus the hold-back. To be
    /// asked after ``stitch(_:ledger:options:)`` of any rendition; each beacon is handed out once.
    ///
    /// - Parameter holdBack: how far behind the edge players play; nil: three target durations.
    package mutating func dueBeacons(ledger: BreakLedger, holdBack: Duration? = nil) -> [DueBeacon] {
        guard ledger.settings.kind == .live, let targetDuration, let edge = listedEdge(in: ledger),
            let leading = plan.renditions[ledger.leading]
        else { return [] }
        let playhead = edge.advanced(by: .zero - (holdBack ?? targetDuration * 3))
        var result: [DueBeacon] = []
        for placement in leading.placements where !seenByRequest.contains(placement) {
            let position = placement.startTime.duration(to: playhead) - placement.drift
            guard position >= .zero else { break }
            let fill = placement.pod.fill(for: ledger.leading)
            for ad in placement.pod.ads.indices {
                guard let start = fill.slots.first(where: { $0.ad == ad })?.offset, position >= start else { continue }
                // An ad that was cut off is played as far as it was listed.
                let shown = fill.slots.prefix(placement.fillCount).last { $0.ad == ad }?.end
                guard let shown else { continue }
                take(
                    ad, of: placement.pod, breakID: placement.breakID, key: ledger.leading,
                    upTo: min(position, shown) - start, into: &result)
            }
        }
        return result
    }

    /// The beacons that fall due when a player asks for a segment of an ad that is seen by request: those up to its start,
    /// and with the last segment all.
    package mutating func dueBeacons(afterRequestOf reference: FillReference, in key: RenditionKey) -> [DueBeacon] {
        guard let pod = decisions[reference.breakID]?.pod, pod.ads.indices.contains(reference.ad) else { return [] }
        let slots = pod.fill(for: key).slots.filter { $0.ad == reference.ad }
        guard let start = slots.first?.offset, let slot = slots.first(where: { $0.index == reference.segment }),
            let last = slots.last
        else { return [] }
        let playhead =
            slot.index == last.index
            ? pod.length(ofAd: reference.ad)
            : slot.offset - start
        var result: [DueBeacon] = []
        take(reference.ad, of: pod, breakID: reference.breakID, key: pod.leading, upTo: playhead, into: &result)
        return result
    }

    private mutating func take(
        _ ad: Int, of pod: Pod, breakID: BreakID, key: RenditionKey, upTo playhead: Duration,
        into result: inout [DueBeacon]
    ) {
        let podAd = pod.ads[ad]
        let length = pod.length(ofAd: ad)
        for due in beacons.take(breakID: breakID, ad: ad, tracking: podAd.tracking, length: length, upTo: playhead) {
            result.append(
                DueBeacon(
                    breakID: breakID, ad: ad, adID: podAd.id, event: due.event, adPlayhead: due.offset,
                    adDuration: length,
                    adCount: pod.ads.count))
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
