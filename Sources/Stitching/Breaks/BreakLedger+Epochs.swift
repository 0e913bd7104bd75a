import HLS

/// An origin that begins to count anew: the encoder has started again, its numbers leap, or another origin took its place. The
/// leading rendition chooses where the new epoch begins. Every other rendition goes over by its own playlist at its own moment,
/// and is not listed beyond the end of the epoch before until then.
extension BreakLedger {
    func succession(
        of playlist: MediaPlaylist, to ledger: RenditionLedger, from origin: Int, after silence: Duration
    ) -> SegmentSuccession {
        guard settings.kind == .live else {
            guard let first = playlist.segments.first, let last = ledger.lastNumber else { return .follows }
            let isOlder = first.number &+ Int64(playlist.segments.count - 1) < last || first.number < ledger.windowStart
            return isOlder ? .stale : .follows
        }
        let room = ledger.edge.flatMap { edge in heldEdge.map { max(edge.duration(to: $0), .zero) } } ?? .zero
        return SuccessionReader(
            playlist: playlist, ledger: ledger, isLeading: ledger.key == leading,
            isElsewhere: ledger.origin != origin, isExpectedAnew: ledger.epoch < epoch, room: room, silence: silence
        ).succession()
    }

    /// Goes over to a new run of numbers.
    mutating func enter(
        _ playlist: MediaPlaylist, url: String, into known: RenditionLedger, at firstNew: Int, isNext: Bool,
        origin: Int
    ) -> Observation {
        guard let last = known.segments.last else { return .stale }
        var ledger = known
        ledger.origin = origin
        ledger.turn = turns
        if known.key == leading {
            beginEpoch(playlist, url: url, &ledger, behind: last, firstNew: firstNew)
        } else {
            if known.epoch < epoch, let joint {
                let isNumbered = isNumberedAlike(playlist, in: joint.epoch)
                // The first segments of a count are where it began, in all renditions.
                let isFresh = !isNumbered && playlist.segments[0].number <= 1 && joint.originNumber <= 1
                let next = isNext ? (firstNew, last.end) : isFresh ? (0, joint.time) : nil
                let places = places(of: playlist, as: known.key, next: next)
                // Renditions that only end together are not aligned well enough.
                let isExact = isNext || playlist.hasDates
                if isExact { takeFormer(playlist, url: url, &ledger, places) }
                let takesMissed = isExact && ledger.epoch == joint.epoch - 1
                let isOver = goOver(playlist, url: url, &ledger, to: joint, places, takesMissed: takesMissed)
                guard isOver || ledger.lastNumber != known.lastNumber else { return .stale }
            } else {
                let places = places(of: playlist, as: known.key, next: isNext ? (firstNew, last.end) : nil)
                // The leading rendition is asked for first, but its answer may be the older one, unless it has these numbers, too.
                guard let edge = heldEdge,
                    isNumberedAlike(playlist, in: epoch) || hasMissed(playlist, places, behind: last, upTo: edge),
                    renumber(playlist, url: url, &ledger, places)
                else { return .waiting }
            }
        }
        renditions[known.key] = ledger
        forgetOldSegments(of: known.key)
        return .restarted
    }

    /// Whether a playlist that counts anew, and the leading rendition's does not, has something that was listed there already: that is
    /// taken from it, whoever is right.
    private func hasMissed(
        _ playlist: MediaPlaylist, _ places: [LedgerSegment.Place], behind last: LedgerSegment, upTo edge: DateTime
    ) -> Bool {
        if last.end.duration(to: edge) >= targetDuration * 3 { return true }
        return playlist.segments.contains { $0.programDateTime != nil }
            && places.contains { $0.isBehind(last) && $0.middle < edge }
    }

    /// Whether the numbers that a rendition goes on with are those of the epoch to which the leading one has gone over: it was there
    /// first.
    func isAhead(_ ledger: RenditionLedger, _ playlist: MediaPlaylist, of joint: EpochJoint) -> Bool {
        guard ledger.key != leading, ledger.epoch < joint.epoch, !(joint.isGap ?? false) else { return false }
        if let begun = ledger.run.begunAloneAt { return begun.duration(to: joint.formerEdge) < targetDuration * 3 }
        guard let leading = renditions[leading], isNumberedAlike(playlist, in: joint.epoch) else { return false }
        return !playlist.segments.contains {
            leading.segment(originNumber: $0.number, epoch: joint.epoch - 1) != nil
        }
    }

    /// The segments have the numbers of the leading rendition's, and are cut like them.
    private func isNumberedAlike(_ playlist: MediaPlaylist, in epoch: Int) -> Bool {
        var isKnown = false
        for segment in playlist.segments {
            guard let twin = renditions[leading]?.segment(originNumber: segment.number, epoch: epoch) else { continue }
            guard (twin.duration - segment.length).magnitude <= .milliseconds(20) else { return false }
            isKnown = true
        }
        return isKnown
    }

    /// By dates alone nothing tells whose numbers a rendition has, if it has not those of the leading one: it may go on with them behind
    /// the next joint.
    func isOfUnknownCount(_ playlist: MediaPlaylist, in epoch: Int) -> Bool {
        settings.kind == .live && playlist.hasDates && !isNumberedAlike(playlist, in: epoch)
    }

    /// The leading rendition was not watched for longer than its window lasts, and the origin does not write how many discontinuities
    /// went by: no two renditions would count them alike.
    func isUncounted(_ playlist: MediaPlaylist, behind ledger: RenditionLedger) -> Bool {
        guard settings.kind == .live, ledger.key == leading, playlist.discontinuitySequence == nil,
            let last = ledger.lastNumber, let first = playlist.segments.first
        else { return false }
        return ledger.number(of: first) > last &+ 1
    }

    /// The leading rendition goes on behind such a gap with a number that all renditions have from there on.
    mutating func enter(
        _ playlist: MediaPlaylist, url: String, behindGap known: RenditionLedger, origin: Int
    ) -> Observation {
        guard let last = known.segments.last else { return .stale }
        var ledger = known
        ledger.origin = origin
        ledger.noteAgreement()
        beginEpoch(playlist, url: url, &ledger, behind: last, firstNew: 0, isGap: true)
        renditions[known.key] = ledger
        forgetOldSegments(of: known.key)
        return .advanced
    }

    private mutating func beginEpoch(
        _ playlist: MediaPlaylist, url: String, _ ledger: inout RenditionLedger, behind last: LedgerSegment,
        firstNew: Int, isGap: Bool = false
    ) {
        let segment = playlist.segments[firstNew]
        let number = isGap ? ledger.number(of: segment) : last.number &+ 1
        epoch += 1
        var joint = EpochJoint(
            epoch: epoch, formerEdge: last.end, formerDiscontinuity: last.discontinuity, time: last.end,
            originNumber: segment.number, isGap: isGap ? true : nil)
        var former = last.discontinuity
        for key in renditions.keys where key != leading {
            renditions[key]?.endEpoch(at: joint)
            // Of what went by unseen here more may have been counted elsewhere.
            if isGap { former = max(former, renditions[key]?.segments.last?.discontinuity ?? former) }
        }
        let discontinuity = former &+ Int64(max(segment.discontinuityCount, 1))
        ledger.begin(
            OriginRun(
                epoch: epoch, firstNumber: number, numberOffset: number &- segment.number,
                discontinuityOffset: discontinuity &- segment.discontinuityNumber,
                declaresDiscontinuities: playlist.discontinuitySequence != nil), isGap: isGap)
        append(
            playlist, url: url, to: &ledger,
            entrance: RunEntrance(
                firstNew: firstNew, discontinuity: isGap ? discontinuity : nil, isBehindGap: isGap))
        joint.time = ledger.segment(numbered: number)?.time ?? last.end
        if let former = self.joint { formerJoints = ((formerJoints ?? []) + [former]).suffix(Self.keptJoints) }
        self.joint = joint
    }

    private static let keptJoints = 4

    /// Where an epoch began, if that was seen.
    func beginning(of epoch: Int) -> EpochJoint? {
        if let joint, joint.epoch == epoch { return joint }
        return formerJoints?.first { $0.epoch == epoch }
    }

    /// Where an epoch ended; nil for the newest.
    func end(of epoch: Int) -> EpochJoint? {
        guard epoch < self.epoch else { return nil }
        return formerJoints?.first { $0.epoch > epoch } ?? joint
    }

    /// A rendition that missed more than one joint takes what its playlist lists of the epochs between as theirs.
    private mutating func takeFormer(
        _ playlist: MediaPlaylist, url: String, _ ledger: inout RenditionLedger, _ places: [LedgerSegment.Place]
    ) {
        for former in formerJoints ?? [] where former.epoch > ledger.epoch {
            guard let last = ledger.segments.last, let end = end(of: former.epoch),
                places.contains(where: {
                    $0.isBehind(last) && $0.middle >= former.time && $0.middle < end.formerEdge
                })
            else { continue }
            _ = goOver(
                playlist, url: url, &ledger, to: former, places, takesMissed: ledger.epoch == former.epoch - 1)
        }
    }

    /// A rendition goes over to the epoch of the leading one, at its boundary nearest to the joint there. False while it lists
    /// nothing behind it.
    private mutating func goOver(
        _ playlist: MediaPlaylist, url: String, _ ledger: inout RenditionLedger, to joint: EpochJoint,
        _ places: [LedgerSegment.Place], takesMissed: Bool
    ) -> Bool {
        // What it lists from before the joint it may not have listed in time.
        if takesMissed, let last = ledger.segments.last, let missed = places.first(where: { $0.isBehind(last) }),
            missed.middle < joint.formerEdge
        {
            if joint.isGap ?? false {
                append(playlist, url: url, to: &ledger)
            } else {
                _ = renumber(playlist, url: url, &ledger, places)
            }
        }
        guard let reference = renditions[leading], let last = ledger.segments.last,
            !isBefore(joint, places, last, ledger.run.epoch),
            let nearest = places.firstIndex(where: { $0.middle >= joint.time && $0.isBehind(last) })
        else { return false }
        let offset = offset(of: places[nearest...], playlist, epoch: joint.epoch, leading: reference)
        // Where the joint is one of the origin's discontinuities, it is the same here.
        let index =
            places[nearest...].firstIndex { place in
                place.discontinuity &+ offset > joint.formerDiscontinuity
                    && place.time < joint.time.advanced(by: place.duration)
            } ?? nearest
        let place = places[index]
        let segment = playlist.segments[index]
        let discontinuity = max(
            place.discontinuity &+ offset, joint.formerDiscontinuity &+ 1, last.discontinuity &+ 1)
        // Where more was missed than the joint, the list begins anew behind a gap.
        let hasGap =
            discontinuity &- last.discontinuity > 2
            || last.end.duration(to: joint.formerEdge) > ledger.targetDuration
        let entrance = RunEntrance(
            firstNew: index, time: place.time, discontinuity: discontinuity, dateShift: place.dateShift)
        var number = last.number &+ (hasGap ? 2 : 1)
        let isGap = joint.isGap ?? false
        // Equal segments keep their equal numbers.
        if isGap { number = max(number, ledger.number(of: segment)) }
        enter(
            playlist, url: url, &ledger, entrance, discontinuity: discontinuity, epoch: joint.epoch, number: number,
            isGap: isGap)
        return true
    }

    /// Without dates: what is listed has lower numbers than the first segment of the epoch, in renditions that are numbered alike.
    private func isBefore(
        _ joint: EpochJoint, _ places: [LedgerSegment.Place], _ last: LedgerSegment, _ epoch: Int
    ) -> Bool {
        guard let newest = places.last, newest.date == nil, newest.originNumber < joint.originNumber,
            joint.originNumber &- newest.originNumber <= Int64(places.count),
            let twin = renditions[leading]?.segment(originNumber: last.originNumber, epoch: epoch)
        else { return false }
        return twin.time == last.time && (twin.duration - last.duration).magnitude <= .milliseconds(20)
    }

    /// What is to be added to the numbers of segments of an epoch.
    private func offset(
        of places: ArraySlice<LedgerSegment.Place>, _ playlist: MediaPlaylist, epoch: Int, leading: RenditionLedger
    ) -> Int64 {
        LeadingLevels(leading, epoch: epoch).offset(
            of: Array(places),
            isCounted: playlist.discontinuitySequence != nil && leading.run.declaresDiscontinuities)
    }

    /// A rendition that ``isAhead(_:_:of:)`` the leading one goes over with the numbers that it has. False while it lists nothing behind
    /// the joint.
    mutating func follow(_ playlist: MediaPlaylist, url: String, _ ledger: inout RenditionLedger) -> Bool {
        guard let joint, isAhead(ledger, playlist, of: joint), let last = ledger.segments.last,
            let next = playlist.segments.firstIndex(where: { ledger.number(of: $0) > last.number })
        else { return false }
        let places = places(of: playlist, as: ledger.key, next: (next, last.end))
        return goOver(playlist, url: url, &ledger, to: joint, places, takesMissed: false)
    }

    /// Begins a run of the origin's numbers, whose first segment has `number` in the ledger, and takes in its segments.
    private mutating func enter(
        _ playlist: MediaPlaylist, url: String, _ ledger: inout RenditionLedger, _ entrance: RunEntrance,
        discontinuity: Int64, epoch: Int, number: Int64, isGap: Bool = false, isAlone: Bool = false
    ) {
        let segment = playlist.segments[entrance.firstNew]
        let isAlone = isAlone || isOfUnknownCount(playlist, in: epoch)
        ledger.begin(
            OriginRun(
                epoch: epoch, firstNumber: number, numberOffset: number &- segment.number,
                discontinuityOffset: discontinuity &- segment.discontinuityNumber,
                declaresDiscontinuities: playlist.discontinuitySequence != nil, begunAloneAt: isAlone ? heldEdge : nil),
            isGap: isGap)
        append(playlist, url: url, to: &ledger, entrance: entrance)
    }

    /// A rendition other than the leading one counts anew by itself: its content goes on as it was.
    private mutating func renumber(
        _ playlist: MediaPlaylist, url: String, _ ledger: inout RenditionLedger, _ places: [LedgerSegment.Place]
    ) -> Bool {
        guard let last = ledger.segments.last, let index = places.firstIndex(where: { $0.isBehind(last) }) else {
            return false
        }
        let place = places[index]
        let segment = playlist.segments[index]
        var discontinuity = last.discontinuity &+ Int64(segment.discontinuityCount)
        let lost = last.end.duration(to: place.time)
        if let reference = renditions[leading] {
            let known =
                place.discontinuity
                &+ offset(of: places[index...], playlist, epoch: ledger.epoch, leading: reference)
            discontinuity = max(discontinuity, known)
        }
        // Where more was missed, the list begins anew behind a gap.
        let hasGap = lost > ledger.targetDuration || discontinuity &- last.discontinuity > 2
        let entrance = RunEntrance(
            firstNew: index, time: place.time, discontinuity: discontinuity, dateShift: place.dateShift,
            isDiscontinuity: false)
        enter(
            playlist, url: url, &ledger, entrance, discontinuity: discontinuity, epoch: ledger.epoch,
            number: last.number &+ (hasGap ? 2 : 1), isAlone: true)
        return true
    }

    /// Where the segments of a playlist of the leading rendition's epoch stand on the timeline.
    ///
    /// - Parameter next: a segment whose time is known.
    func places(
        of playlist: MediaPlaylist, as key: RenditionKey, next: (index: Int, time: DateTime)? = nil
    ) -> [LedgerSegment.Place] {
        guard let reference = renditions[leading] else { return [] }
        var probe = RenditionLedger(key: key)
        var run = reference.run
        run.numberOffset = 0
        probe.begin(run)
        var clock = SegmentClock(ledger: probe, playlist: playlist, reference: reference)
        var places = playlist.segments.map { clock.place($0) }
        guard let next, next.index < places.count, places[next.index].date == nil else { return places }
        let shift = places[next.index].time.duration(to: next.time)
        for index in places.indices { places[index].time = places[index].time.advanced(by: shift) }
        return places
    }

    /// All that a rendition lists, which is first seen, is newer than what is known of the leading one: that has yet to go over.
    func isAhead(_ playlist: MediaPlaylist) -> Bool {
        guard settings.kind == .live, let last = renditions[leading]?.segments.last, let edge = last.originEnd,
            let first = playlist.segments.first, let date = first.programDateTime
        else { return false }
        return date.advanced(by: first.length / 2) >= edge
    }

    /// A rendition that goes on with the numbers of the epoch that has ended, far beyond its end.
    func isBeyond(_ joint: EpochJoint, _ playlist: MediaPlaylist, _ ledger: RenditionLedger) -> Bool {
        guard ledger.key != leading, let last = ledger.lastNumber, let edge = ledger.edge else { return false }
        if joint.isGap ?? false, let newest = places(of: playlist, as: ledger.key).last {
            return newest.middle >= joint.time
        }
        // Without dates nothing tells what of it lies behind the joint, as long as it may be what the leading rendition missed before.
        if !playlist.hasDates, let heldEdge, joint.time.duration(to: heldEdge) < ledger.targetDuration * 3 {
            return false
        }
        let further = playlist.segments.reduce(Duration.zero) { length, segment in
            ledger.number(of: segment) > last ? length + segment.length : length
        }
        return joint.formerEdge.duration(to: edge.advanced(by: further)) >= ledger.targetDuration * 3
    }
}

extension MediaPlaylist {
    var hasDates: Bool { segments.contains { $0.programDateTime != nil } }
}

extension RenditionLedger {
    /// The run that ended at the joint, if a playlist of another rendition is still of that epoch.
    func run(of playlist: MediaPlaylist, behind joint: EpochJoint) -> OriginRun? {
        guard let former = runs.last(where: { $0.epoch < joint.epoch }) else { return nil }
        if let own = playlist.segments.last(where: { $0.programDateTime != nil }), let date = own.programDateTime,
            let known = segments.last, let origin = known.originDate
        {
            // Its last segment with a date begins before the joint, and no more than that one ends behind it.
            let time = known.time.advanced(by: origin.duration(to: date))
            let rest = playlist.segments[(own.index + 1)...].reduce(Duration.zero) { $0 + $1.length }
            let end = time.advanced(by: rest + (rest > .zero ? .zero : own.length / 2))
            return end <= joint.time ? former : nil
        }
        // Without dates: by numbers that only one of the epochs has.
        guard !playlist.segments.contains(where: { segment(originNumber: $0.number, epoch: joint.epoch) != nil }) else {
            return nil
        }
        let isKnown = playlist.segments.contains { segment(originNumber: $0.number, epoch: former.epoch) != nil }
        return isKnown ? former : nil
    }
}

extension LedgerSegment.Place {
    var middle: DateTime { time.advanced(by: duration / 2) }

    /// Nothing of it was listed with the segment before: dates jitter.
    fileprivate func isBehind(_ last: LedgerSegment) -> Bool {
        time >= last.end.advanced(by: .zero - min(duration / 2, .milliseconds(900)))
    }
}
