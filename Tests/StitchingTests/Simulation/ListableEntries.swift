import HLS

@testable import Stitching

/// What there is to list around the entries of an answer, as the server that made it can know: nobody could have listed more.
struct ListableEntries {
    let session: StitchingSession
    let ledger: BreakLedger
    let now: DateTime
    /// The number of the first segment that was ever seen of the rendition.
    let oldest: Int64
    /// The server has all that the origin had of the rendition when it was asked, but for what it could not have or place:
    /// ``TimelineRun/isUpToDate(_:_:edge:)``.
    let isUpToDate: Bool
    /// Entries of ads wait for the segments in whose place they stand, whose markers they carry.
    let carriesMarkers: Bool

    // MARK: - Behind the last entry

    /// What is due behind the last entry, and not listed (rule 310); nil for nothing.
    func missing(behind answer: StitchedPlaylist, in key: RenditionKey) -> String? {
        guard let edge = ledger.heldEdge, let rendition = ledger.renditions[key], let last = answer.entries.last else {
            return nil
        }
        guard isUpToDate else { return "what the origin has by now" }
        let places = session.plan.renditions[key]?.placements ?? []
        switch last.source {
        case .content(let number):
            // What lies between may never have been seen.
            let known = rendition.index(atOrAfter: number &+ 1)
            let limit = known < rendition.segments.count ? rendition.segments[known].number : number &+ 1
            // Within a segment nothing is cut before the pod is sure to come.
            if let next = places.first(where: { place in
                !place.isUnseen && place.start > number
                    && (place.start <= limit || place.startsInside && place.start &- 1 == limit)
            }) {
                return missing(slot: 0, of: next, in: key, edge)
            }
            return missingContent(from: number &+ 1, in: rendition, edge)
        case .fill(let reference):
            guard let place = places.last(where: { $0.breakID == reference.breakID }) else { return nil }
            let slot = Int(last.number &- place.start &- place.numberOffset) + 1
            if slot < place.fillCount { return missing(slot: slot, of: place, in: key, edge) }
            guard let end = place.end else { return missingReturn(of: place, in: rendition, edge) }
            if let next = places.first(where: { $0.podIndex > place.podIndex && $0.start == end && $0.isJoined }) {
                return missing(slot: 0, of: next, in: key, edge)
            }
            // No rendition comes back before the leading one, which may be held at a break right there.
            let model = session.plan.renditions[ledger.leading]?.placement(ofPod: place.podIndex)
            if let back = model?.end.flatMap({ ledger.renditions[ledger.leading]?.segment(numbered: $0) }),
                back.end > min(hold ?? edge, edge)
            {
                return nil
            }
            return missingContent(from: end, in: rendition, edge)
        }
    }

    /// An entry is shown once as much time has passed as it lasts, and as the first entry of its ad lasts in any rendition.
    private func missing(slot: Int, of place: Placement, in key: RenditionKey, _ edge: DateTime) -> String? {
        let slots = place.pod.fill(for: key).slots
        guard slots.indices.contains(slot) else { return nil }
        let model = session.plan.renditions[ledger.leading]?.placement(ofPod: place.podIndex) ?? place
        var end = slots[slot].end
        for other in place.pod.keys {
            let first = place.pod.fill(for: other).slots.first { $0.joints == slots[slot].joints }
            end = max(end, first?.end ?? .zero)
        }
        let due = model.startTime.advanced(by: model.dated(end))
        var edge = carriesMarkers ? min(edge, ledger.renditions[key]?.edge ?? edge) : edge
        // What was not due when the leading rendition came back may be left out.
        if let leading = ledger.renditions[ledger.leading] {
            edge = place.releaseEdge(edge, model: model, leading: leading)
        }
        return due <= edge ? "entry \(slot) of \(place.breakID), due at \(due.formatted)" : nil
    }

    private func missingContent(from number: Int64, in rendition: RenditionLedger, _ edge: DateTime) -> String? {
        let index = rendition.index(atOrAfter: number)
        guard index < rendition.segments.count else { return nil }
        let segment = rendition.segments[index]
        let limit = hold.map { min($0, edge) } ?? edge
        // Without dates a rendition that was first seen when it was ahead stands a segment too early: its discontinuity waits for that of
        // the leading one.
        if segment.date == nil, let leading = ledger.renditions[ledger.leading],
            segment.discontinuity > leading.discontinuity(before: limit)
        {
            return nil
        }
        return segment.end <= limit ? "segment \(segment.number), over at \(segment.end.formatted)" : nil
    }

    /// The return is chosen when its segment appears, here and in the leading rendition: the boundary nearest to the end of the pod, or
    /// the one behind it.
    private func missingReturn(of place: Placement, in rendition: RenditionLedger, _ edge: DateTime) -> String? {
        var latest = end(of: place, in: rendition)
        if let leading = ledger.renditions[ledger.leading],
            let model = session.plan.renditions[ledger.leading]?.placement(ofPod: place.podIndex)
        {
            latest = max(latest, end(of: model, in: leading))
            if let back = model.end.flatMap(leading.segment(numbered:)) { latest = max(latest, back.end) }
        }
        return latest <= min(edge, rendition.edge ?? edge) ? "the return of \(place.breakID)" : nil
    }

    private func end(of place: Placement, in rendition: RenditionLedger) -> DateTime {
        let length = place.duration(of: place.pod.fill(for: rendition.key))
        let grid = rendition.segments.map(\.duration).max() ?? .zero
        return place.startTime.advanced(by: max(length + place.drift, place.dated(length)) + grid * 2)
    }

    /// The start of a break that is undecided, as long as this process has waited for ads no longer than it may.
    private var hold: DateTime? {
        let undecided = session.breaks(in: ledger).first { session.decisions[$0.id] == nil }
        guard let undecided, let seenAt = session.seen[undecided.id], let target = session.targetDuration,
            seenAt.duration(to: now) < min(session.settings.decisionDeadline, target * 2 / 5)
        else { return nil }
        return session.span(of: undecided).start
    }

    // MARK: - Before the first entry

    /// Whether nothing was ever seen of what comes right before the first entry: the list cannot begin earlier (rule 309).
    func isWhole(before answer: StitchedPlaylist, in key: RenditionKey) -> Bool {
        guard let first = answer.entries.first else { return true }
        let places = session.plan.renditions[key]?.placements ?? []
        switch first.source {
        case .content(let number):
            // Where discontinuities went by unseen the list begins anew behind the pod.
            if let place = places.first(where: { $0.end == number && !$0.isUnseen && $0.fillCount > 0 }),
                first.number == place.start &+ place.numberOffset &+ Int64(place.fillCount)
            {
                // The rest of a segment that was cut has the same number as its beginning.
                return place.startsInside && place.end == place.start &- 1 && first.time < place.startTime
                    && isUnseen(number &- 1, in: key)
            }
            return isUnseen(number &- 1, in: key)
        case .fill(let reference):
            guard let place = places.last(where: { $0.breakID == reference.breakID }) else { return false }
            let before = places.last { $0.podIndex < place.podIndex }
            let isJoined = place.isJoined && !(before?.isUnseen ?? true)
            guard first.number == place.start &+ place.numberOffset, !isJoined else { return false }
            // Without dates nothing tells how discontinuities here and there belong together: where they do not, the list begins anew.
            if first.date == nil, place.numberOffset != place.numberOffsetBefore { return true }
            return isUnseen(place.start &- 1, in: key)
        }
    }

    private func isUnseen(_ number: Int64, in key: RenditionKey) -> Bool {
        guard let rendition = ledger.renditions[key], let kept = rendition.segments.first else { return true }
        return number < oldest || (number > kept.number && rendition.segment(numbered: number) == nil)
    }
}
