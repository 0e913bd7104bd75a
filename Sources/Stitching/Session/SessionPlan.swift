import HLS

/// The decided pods of a session in timeline order, and their places in every rendition.
///
/// A place is a function of ledger and decisions; once given it is kept, since what it was made from is forgotten in time.
struct SessionPlan: Sendable, Codable {
    struct PlannedPod: Sendable, Codable {
        let contentBreak: ContentBreak
        let pod: Pod
        /// Where the pod is to begin: later than the break where what comes first reaches into it.
        let start: DateTime

        init(contentBreak: ContentBreak, pod: Pod, start: DateTime? = nil) {
            self.contentBreak = contentBreak
            self.pod = pod
            self.start = start ?? contentBreak.start
        }
    }

    /// The break up to which all are decided and lined up.
    private var last: ContentBreak?
    private var pods: [PlannedPod] = []
    /// How many were lined up before the first of ``pods``.
    private var dropped = 0
    /// Pods for which nothing was left on the leading rendition.
    private var skipped: Set<BreakID> = []
    private(set) var renditions: [RenditionKey: RenditionPlan] = [:]

    /// How many were lined up.
    var podCount: Int { dropped + pods.count }

    /// The session's numbers may differ from the origin's.
    var hasPods: Bool { podCount > 0 }

    /// A break is lined up once, also where the segment that it began with is forgotten and another one has its time.
    func isNew(_ contentBreak: ContentBreak) -> Bool {
        last.map { $0.id != contentBreak.id && ContentBreak.isBefore($0, contentBreak) } ?? true
    }

    /// The break of a pod, by its place in the session, as it was when the pod was lined up; nil where it is forgotten.
    func contentBreak(ofPod index: Int) -> ContentBreak? {
        let place = index - dropped
        return pods.indices.contains(place) ? pods[place].contentBreak : nil
    }

    /// Breaks with a pod that is still placed, or will be.
    var breakIDs: Set<BreakID> {
        var result = Set(pods.map(\.contentBreak.id))
        for rendition in renditions.values { result.formUnion(rendition.placements.map(\.breakID)) }
        return result
    }

    mutating func append(_ contentBreak: ContentBreak, pod: Pod?, from start: DateTime? = nil) {
        last = contentBreak
        guard let pod else { return }
        pods.append(PlannedPod(contentBreak: contentBreak, pod: pod, start: start))
    }

    mutating func place(with ledger: BreakLedger, earlyReturn: StitchingSession.EarlyReturn) {
        guard hasPods, let leadingLedger = ledger.renditions[ledger.leading] else { return }
        placeLeading(leadingLedger, ledger: ledger, earlyReturn: earlyReturn)
        for (key, rendition) in ledger.renditions where key != ledger.leading && !rendition.segments.isEmpty {
            placeOther(rendition, leading: leadingLedger, ledger: ledger)
        }
        forgetOldPods(ledger)
    }

    /// Where a pod begins on the leading rendition; nil for none.
    func startOfPod(_ index: Int, leading: RenditionLedger) -> DateTime? {
        var index = max(index, dropped)
        while index - dropped < pods.count {
            let planned = pods[index - dropped]
            if !skipped.contains(planned.contentBreak.id) {
                let placement = renditions[leading.key]?.placement(ofPod: index)
                return leading.edge(at: placement?.startTime ?? planned.start)
            }
            index += 1
        }
        return nil
    }

    // MARK: - The leading rendition

    private mutating func placeLeading(
        _ rendition: RenditionLedger, ledger: BreakLedger, earlyReturn: StitchingSession.EarlyReturn
    ) {
        var plan = renditions[ledger.leading] ?? RenditionPlan()
        defer { renditions[ledger.leading] = plan }
        while plan.nextPod - dropped < pods.count, plan.nextPod >= dropped {
            let planned = pods[plan.nextPod - dropped]
            if !plan.isOpen {
                guard let placement = LeadingPlacer(planned, plan: plan.sums, rendition: rendition)?.placement() else {
                    skipped.insert(planned.contentBreak.id)
                    plan.nextPod += 1
                    continue
                }
                plan.open(placement)
            }
            guard let open = plan.placements.last else { return }
            let current = ledger.current(planned.contentBreak)
            let back = LeadingReturn(
                placement: open, rendition: rendition, contentBreak: current, pod: planned.pod,
                earlyReturn: earlyReturn)
            switch back.choose() {
            case .notYet(let placement):
                plan.update(placement)
                return
            case .nothingShown:
                plan.cancel()
                skipped.insert(planned.contentBreak.id)
            case .at(let placement): plan.close(placement)
            }
        }
    }

    // MARK: - Other renditions

    private mutating func placeOther(_ rendition: RenditionLedger, leading: RenditionLedger, ledger: BreakLedger) {
        var plan = renditions[rendition.key] ?? RenditionPlan()
        defer { renditions[rendition.key] = plan }
        guard let leadingPlan = renditions[ledger.leading] else { return }
        // A rendition first seen late takes over what was lined up before, as far as it is still known.
        if plan.isFresh {
            let twin = rendition.segments.last { leading.segment(numbered: $0.number) != nil }
            plan.begin(like: leadingPlan, sharesGrid: twin.map { rendition.sharesGrid($0, with: leading) } ?? false)
        }
        while plan.nextPod - dropped < pods.count, plan.nextPod >= dropped {
            let planned = pods[plan.nextPod - dropped]
            if skipped.contains(planned.contentBreak.id) {
                if plan.isOpen { plan.cancel() } else { plan.nextPod += 1 }
                continue
            }
            guard let model = leadingPlan.placement(ofPod: plan.nextPod) else { return }
            // No placer is left over: its copy of the plan would make each pod copy the placements of all others.
            func placer(_ plan: RenditionPlan, like model: Placement) -> RenditionPlacer {
                RenditionPlacer(
                    model: model, leading: leading, rendition: rendition, plan: plan,
                    isLive: ledger.settings.kind == .live)
            }
            if !plan.isOpen {
                let begun = model.uncut(of: model.pod.fill(for: leading.key))
                guard let placement = placer(plan, like: begun).placement() else { return }
                plan.open(placement)
            }
            guard let last = plan.placements.last else { return }
            let open = placer(plan, like: model).limited(last)
            guard let closed = placer(plan, like: model).closed(open) else {
                plan.update(open)
                return
            }
            plan.close(closed)
        }
    }

    // MARK: - Forgetting

    /// Placements that lie wholly before what the ledger still keeps are summed up.
    private mutating func forgetOldPods(_ ledger: BreakLedger) {
        guard ledger.settings.kind == .live, let leading = ledger.renditions[ledger.leading]?.segments.first?.number
        else { return }
        for model in renditions[ledger.leading]?.forgettable(before: leading) ?? [] {
            // A rendition that nobody asks for any more does not hold up the others.
            for key in renditions.keys where key != ledger.leading {
                renditions[key]?.pass(model, lastNumber: ledger.renditions[key]?.lastNumber)
            }
        }
        for key in renditions.keys {
            guard let rendition = ledger.renditions[key], let first = rendition.segments.first?.number else { continue }
            renditions[key]?.forgetPlacements(before: first, of: rendition)
        }
        let passed = renditions.values.map(\.firstKeptPod).min() ?? dropped
        while dropped < passed, !pods.isEmpty {
            skipped.remove(pods.removeFirst().contentBreak.id)
            dropped += 1
        }
    }
}

/// The places of a session's pods in one rendition.
struct RenditionPlan: Sendable, Codable {
    /// In timeline order; all have an end but perhaps the last.
    private(set) var placements: [Placement] = []
    /// Counts the pods lined up in the session: the next one to be closed here.
    var nextPod = 0
    private(set) var isOpen = false
    /// Behind the last closed placement.
    private(set) var numberOffset: Int64 = 0
    private(set) var discontinuityOffset: Int64 = 0
    private(set) var drift = Duration.zero
    private(set) var dateShift = Duration.zero
    /// e of the last closed placement.
    private(set) var lastEnd: Int64?
    /// Where within that segment the content came back; nil: with its start.
    private(set) var lastEndTime: DateTime?
    /// The stitched discontinuity number of the last entry of the last closed placement.
    private(set) var lastFillDiscontinuity: Int64?
    /// Where pods stood whose placements are forgotten, as long as date ranges from there are held.
    private var former: [MarkerPlace]?

    var isFresh: Bool { nextPod == 0 && placements.isEmpty && lastEnd == nil }

    /// The first pod of the session whose placement is still kept.
    var firstKeptPod: Int { placements.first?.podIndex ?? nextPod }

    /// The kept placement of a pod, by its place in the session.
    func placement(ofPod index: Int) -> Placement? {
        var low = 0
        var high = placements.count
        while low < high {
            let middle = (low + high) / 2
            if placements[middle].podIndex < index { low = middle + 1 } else { high = middle }
        }
        return low < placements.count && placements[low].podIndex == index ? placements[low] : nil
    }

    /// Without the placements, so that a copy does not make each change copy them.
    var sums: RenditionPlan {
        var result = self
        result.placements = []
        return result
    }

    mutating func open(_ placement: Placement) {
        placements.append(placement)
        isOpen = true
    }

    mutating func update(_ placement: Placement) {
        placements[placements.count - 1] = placement
    }

    mutating func cancel() {
        placements.removeLast()
        isOpen = false
        nextPod += 1
    }

    mutating func close(_ placement: Placement) {
        placements[placements.count - 1] = placement
        isOpen = false
        nextPod += 1
        numberOffset = placement.numberOffsetAfter
        discontinuityOffset = placement.discontinuityOffsetAfter
        drift = placement.driftAfter
        dateShift = placement.dateShiftAfter
        lastEnd = placement.end
        lastEndTime = placement.endTime
        lastFillDiscontinuity = placement.lastDiscontinuity
    }

    /// Begins with the leading rendition's sums before its first kept placement.
    ///
    /// - Parameter sharesGrid: its numbers are the leading rendition's; else what was taken from those may be more than these are.
    mutating func begin(like leading: RenditionPlan, sharesGrid: Bool) {
        defer { if !sharesGrid { numberOffset = max(numberOffset, 0) } }
        if let first = leading.placements.first {
            nextPod = first.podIndex
            numberOffset = first.numberOffsetBefore
            discontinuityOffset = first.discontinuityOffset
            drift = first.drift
            dateShift = first.dateShift
        } else {
            nextPod = leading.nextPod
            numberOffset = leading.numberOffset
            discontinuityOffset = leading.discontinuityOffset
            drift = leading.drift
            dateShift = leading.dateShift
        }
    }

    /// The placements that `forgetPlacements` would drop.
    func forgettable(before number: Int64) -> [Placement] {
        placements.filter { placement in placement.end.map { $0 < number } ?? false }
    }

    /// Closes the pod of the leading rendition's placement without having seen the content around its end.
    mutating func pass(_ model: Placement, lastNumber: Int64?) {
        if nextPod < model.podIndex, !isOpen { nextPod = model.podIndex }
        guard nextPod == model.podIndex else { return }
        if !isOpen {
            open(model.unseen(at: lastNumber.map { $0 &+ 1 } ?? model.start, after: self))
        }
        guard let open = placements.last else { return }
        close(open.closedUnseen(like: model, previous: lastNumber))
    }

    mutating func forgetPlacements(before number: Int64, of rendition: RenditionLedger) {
        var count = 0
        while count < placements.count, let end = placements[count].end, end < number { count += 1 }
        guard count > 0 || former != nil else { return }
        let places = formerPlaces + placements.prefix(count).filter { !$0.isUnseen }.map(MarkerPlace.init)
        placements.removeFirst(count)
        let kept = places.filter { $0.matters(to: rendition) }.suffix(Self.formerLimit)
        former = kept.isEmpty ? nil : Array(kept)
    }

    var formerPlaces: [MarkerPlace] { former ?? [] }

    /// More than there are in a date range of an hour.
    private static let formerLimit = 32
}
