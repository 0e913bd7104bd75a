package import HLS

/// One viewer's stream: what was decided for it, and where that put its numbers.
///
/// The sequence of a media playlist request: ``BreakLedger/observe(_:at:as:)`` of the leading and of the requested rendition,
/// ``prepare(with:now:)``, decisions by ``decide(_:for:)``, ``stitch(_:ledger:options:)``.
package struct StitchingSession: Sendable {
    /// What a return before the planned end does to the running ad.
    package enum EarlyReturn: Sendable, Equatable {
        /// It ends with the segments that were due by then.
        case cut
        /// It is shown to its end; ads behind it are left out.
        case complete
    }

    package struct Settings: Sendable, Equatable {
        /// How long the edge is held at a break without a decision; never as long as a target duration.
        package var decisionDeadline: Duration
        /// More unfilled time than this, and the whole break stays content. Nil: no limit.
        package var personalisationThreshold: Duration?
        package var earlyReturn: EarlyReturn
        package var fill: FillPolicy
        package var join: JoinPolicy
        /// Where the ad server has failed in a break, the rest is asked for again if it is longer than this. Nil: never.
        package var retryRest: Duration?
        /// What the session begins with.
        package var opening = Opening()
        /// Breaks before which too little was seen of a live channel stay content (rule 309). Not where nobody is to play the list.
        package var needsWindow = true
        /// Requests for the segments of all ads tell what is seen of them.
        package var isSeenByRequest = false

        package init(
            decisionDeadline: Duration = .seconds(2), personalisationThreshold: Duration? = nil,
            earlyReturn: EarlyReturn = .cut, fill: FillPolicy = .content, join: JoinPolicy = .content,
            retryRest: Duration? = nil, opening: Opening = Opening()
        ) {
            self.earlyReturn = earlyReturn
            self.fill = fill
            self.join = join
            self.retryRest = retryRest
            self.opening = opening
            self.decisionDeadline = decisionDeadline
            self.personalisationThreshold = personalisationThreshold
        }
    }

    /// A break without a decision, for which the ad provider is to be asked.
    package struct PendingBreak: Sendable, Equatable {
        package var opportunity: Opportunity
        /// When the session first asked for a playlist with this break.
        package var seenAt: DateTime
        /// When a fallback becomes the decision.
        package var deadline: DateTime
        /// It has not begun: what fails now is asked for again when it does.
        package var isAhead = false
    }

    /// What ``prepare(with:now:)`` found.
    package struct Preparation: Sendable {
        /// To be asked for, in timeline order.
        package var pending: [PendingBreak] = []
        /// Of ``pending``, those that have to be decided before the session's first playlist.
        package var opening: [BreakID] = []
        /// Breaks that just became content, for one log line each.
        package var decided: [(id: BreakID, reason: ContentReason)] = []
    }

    package let settings: Settings
    /// What was fixed when the session began. Nil before its first request.
    package private(set) var start: Start?
    /// The held edge when the session began; breaks that began before it stay content unless its ``Opening`` says otherwise.
    /// Nil before the first request, and for VOD.
    package var joinEdge: DateTime? { start?.joinEdge }
    /// EXT-X-TARGETDURATION of all the session's playlists, fixed when it begins (rules 307, 308).
    package var targetDuration: Duration? { start?.targetDuration }
    /// The pre-roll, once ``open(with:)`` has said whether there is one.
    private(set) var preroll: ContentBreak?
    private(set) var isOpen = false
    /// Where the pod of the pre-roll is planned to end.
    private(set) var prerollEnd: DateTime?
    package internal(set) var decisions: [BreakID: Decision] = [:] {
        didSet { plannedVersion = nil }
    }
    /// Breaks of this session alone: from a VMAP answer, or a pre-roll.
    package internal(set) var ownBreaks: [ContentBreak] = [] {
        didSet { plannedVersion = nil }
    }
    var seen: [BreakID: DateTime] = [:]
    var seenAhead: [BreakID: DateTime] = [:]
    var breakCount = 0
    var indices: [BreakID: Int] = [:]
    var plan = SessionPlan()
    /// ``BreakLedger/revision`` with which the plan was last made.
    var plannedRevision: Int64 = .min
    /// The ledger with which the plan was last made; nil where decisions came since.
    var plannedVersion: BreakLedger.Version?
    /// ``takeForgotten()``
    var forgotten: [BreakID] = []
    /// Which beacons were handed out.
    package internal(set) var beacons = BeaconProgress()

    package init(settings: Settings = Settings()) {
        self.settings = settings
    }

    package var hasBegun: Bool { start != nil }

    /// Begins the session, once the leading rendition was observed; later calls change nothing.
    package mutating func begin(with ledger: BreakLedger) {
        guard let start = start(with: ledger) else { return }
        begin(start)
    }

    /// Begins the session where it began in another process; once it has begun nothing changes.
    package mutating func begin(_ start: Start) {
        guard self.start == nil else { return }
        self.start = start
    }

    /// Takes over the breaks that a live session has of its own, as they were when its first playlist was made: the pre-roll.
    /// Once it has been opened nothing changes.
    package mutating func open(with ownBreaks: [ContentBreak]) {
        guard !isOpen else { return }
        isOpen = true
        preroll = ownBreaks.first { $0.id == .preroll }
        add(ownBreaks)
    }

    /// Adds a break for this session alone, before its first playlist. Set if absent.
    package mutating func add(_ ownBreak: ContentBreak) { add([ownBreak]) }

    /// Adds breaks at once: a schedule may name thousands.
    package mutating func add(_ added: [ContentBreak]) {
        var known = Set(ownBreaks.map(\.id))
        let new = added.filter { known.insert($0.id).inserted }
        guard !new.isEmpty else { return }
        ownBreaks = (ownBreaks + new).sorted(by: ContentBreak.isBefore)
    }

    /// All breaks of the session that the ledger still knows, in timeline order.
    package func breaks(in ledger: BreakLedger) -> [ContentBreak] {
        let parts = ledger.settings.kind == .live ? ledger.breaks.flatMap { self.parts(of: $0, in: ledger).begun } : []
        guard !ownBreaks.isEmpty || !parts.isEmpty else { return ledger.breaks }
        let known = Set(ledger.breaks.map(\.id))
        var own = ownBreaks.filter { !known.contains($0.id) }[...]
        if !parts.isEmpty { own = (own + parts).sorted(by: ContentBreak.isBefore)[...] }
        var result: [ContentBreak] = []
        result.reserveCapacity(ledger.breaks.count + own.count)
        for contentBreak in ledger.breaks {
            while let next = own.first, ContentBreak.isBefore(next, contentBreak) {
                result.append(next)
                own = own.dropFirst()
            }
            result.append(contentBreak)
        }
        return result + own
    }

    /// Begins the session if it has not begun, decides what needs no ad provider (breaks that began before the session, that
    /// have passed, whose deadline is over) and tells which breaks are undecided.
    ///
    /// - Parameter now: the wall clock, for deadlines only.
    package mutating func prepare(with ledger: BreakLedger, now: DateTime) -> Preparation {
        begin(with: ledger)
        if let ownBreaks = openingBreaks(with: ledger) { open(with: ownBreaks) }
        let result = propose(with: ledger, now: now)
        for (id, reason) in result.decided { decide(.content(reason), for: id) }
        return result
    }

    /// As ``prepare(with:now:)``, but leaves what it would decide to the caller, who first asks others whether it was decided
    /// already: ``decide(_:for:)`` makes it hold. Until then the edge is held at the break.
    package mutating func propose(with ledger: BreakLedger, now: DateTime) -> Preparation {
        begin(with: ledger)
        var result = Preparation()
        guard hasBegun else { return result }
        for contentBreak in breaks(in: ledger) where decisions[contentBreak.id] == nil {
            switch outlook(for: contentBreak, ledger: ledger, now: now) {
            case .content(let reason): result.decided.append((contentBreak.id, reason))
            case .waitsForPreroll: continue
            case .ads(let isOpening):
                if isJoinedWithSlate(contentBreak) {
                    result.decided.append((contentBreak.id, .joinedInside))
                    continue
                }
                if isOpening { result.opening.append(contentBreak.id) }
                let seenAt = seen[contentBreak.id] ?? now
                seen[contentBreak.id] = seenAt
                result.pending.append(
                    PendingBreak(
                        opportunity: counted(contentBreak, ledger: ledger), seenAt: seenAt,
                        deadline: seenAt.advanced(by: decisionDeadline)))
            }
        }
        for part in partsAhead(in: ledger)
        where decisions[part.id] == nil && isJoinedWithSlate(part)
            && shortage(before: nil, at: part.start, in: ledger) == nil
        {
            result.decided.append((part.id, .joinedInside))
        }
        result.pending += pendingAhead(with: ledger, now: now)
        return result
    }

    /// Keeps a decision, if there is none yet. Returns the one that holds.
    @discardableResult
    package mutating func decide(_ decision: Decision, for id: BreakID) -> Decision {
        if let held = decisions[id] { return held }
        decisions[id] = decision
        if let preroll, preroll.id == id, let pod = decision.pod {
            prerollEnd = preroll.start.advanced(by: pod.duration)
        }
        seen[id] = nil
        seenAhead[id] = nil
        return decision
    }

    /// A live playlist gets a new segment in time whatever the ad server does (rule 310): a segment of the origin's and this wait
    /// are less than one and a half target durations.
    var decisionDeadline: Duration {
        guard joinEdge != nil, let targetDuration else { return settings.decisionDeadline }
        return min(settings.decisionDeadline, targetDuration * 2 / 5)
    }

    /// What becomes of a break that is undecided.
    enum Outlook {
        case content(ContentReason)
        /// To be asked for; before the first playlist if it belongs to the opening.
        case ads(isOpening: Bool)
        /// Whether the pre-roll has a pod has to be known first.
        case waitsForPreroll
    }

    private func outlook(for contentBreak: ContentBreak, ledger: BreakLedger, now: DateTime) -> Outlook {
        guard ledger.settings.kind == .live else { return .ads(isOpening: false) }
        if contentBreak.isInsertion { return .content(.insertionIntoLive) }
        if let unstitched { return .content(.notStitchable(unstitched)) }
        guard let start, let join = start.joinEdge, let edge = ledger.heldEdge else { return .ads(isOpening: false) }
        let isOpening: Bool
        if contentBreak.id == preroll?.id {
            isOpening = true
        } else if contentBreak.startNumber == nil || contentBreak.start < join {
            switch outlook(for: contentBreak, begunBefore: join, start, ledger) {
            case .ads: isOpening = true
            case .content(.joinedInside) where contentBreak.root != nil:
                // Slate may stand there.
                let reason = shortage(before: nil, at: contentBreak.start, in: ledger)
                return .content(reason ?? .joinedInside)
            case let other: return other
            }
        } else {
            if start.isSuppressed(contentBreak) { return .content(.suppressed) }
            if isPrerollUndecided { return .waitsForPreroll }
            let end = contentBreak.end?.time ?? contentBreak.plannedEnd
            if end < edge { return .content(.passed) }
            if timeAfterPreroll(end, contentBreak) ?? .seconds(1) < .seconds(1) { return .content(.overlapsPreroll) }
            isOpening = false
        }
        if leavesLittle(before: contentBreak, isOpening: isOpening, ledger: ledger, edge: edge) {
            return .content(.passed)
        }
        let number = isOpening ? nil : contentBreak.startNumber
        if let reason = shortage(before: number, at: contentBreak.start, in: ledger) { return .content(reason) }
        if let seenAt = seen[contentBreak.id], seenAt.advanced(by: decisionDeadline) <= now {
            return .content(.deadline)
        }
        return .ads(isOpening: isOpening)
    }

    /// Holding the edge at a place that has left the origin's window, or is about to, would leave too little to list (rule 309).
    private func leavesLittle(
        before contentBreak: ContentBreak, isOpening: Bool, ledger: BreakLedger, edge: DateTime
    ) -> Bool {
        guard let leading = ledger.renditions[ledger.leading] else { return false }
        if let window = leading.windowStartTime, contentBreak.start < window { return true }
        // The opening is decided before anything is listed.
        guard !isOpening, let number = contentBreak.startNumber, let targetDuration else { return false }
        return contentBreak.start.duration(to: edge) > targetDuration * 3 / 2
            && leading.knownDuration(before: number) < targetDuration * 3
    }

    mutating func counted(_ contentBreak: ContentBreak, ledger: BreakLedger) -> Opportunity {
        if indices[contentBreak.id] == nil {
            breakCount += 1
            indices[contentBreak.id] = breakCount
        }
        return opportunity(for: contentBreak, index: indices[contentBreak.id] ?? breakCount, ledger: ledger)
    }

    func opportunity(for contentBreak: ContentBreak, index: Int, ledger: BreakLedger) -> Opportunity {
        var position = Opportunity.Position.midroll
        if contentBreak.id == preroll?.id { position = .preroll }
        if ledger.settings.kind == .vod, let leading = ledger.renditions[ledger.leading],
            let number = contentBreak.startNumber
        {
            if contentBreak.isInsertion, number <= leading.segments.first?.number ?? .min { position = .preroll }
            if number > leading.lastNumber ?? .max { position = .postroll }
        }
        var opportunity = Opportunity(
            id: contentBreak.id, start: contentBreak.start, plannedDuration: contentBreak.plannedDuration,
            availableDuration: contentBreak.availableDuration, position: position,
            index: index, attributes: contentBreak.attributes,
            splice: contentBreak.splice, asset: contentBreak.asset, isInsertion: contentBreak.isInsertion)
        opportunity.startNumber = contentBreak.startNumber
        let beginning =
            ledger.settings.kind == .vod ? ledger.renditions[ledger.leading]?.segments.first?.time : joinEdge
        opportunity.contentTime = beginning.map { max($0.duration(to: contentBreak.start), .zero) }
        opportunity.part = contentBreak.root.flatMap { contentBreak.id.attempt(of: $0.id) }
        if ledger.settings.kind == .live { opportunity.narrow(to: span(of: contentBreak)) }
        return opportunity
    }

    /// The first break that holds the edge of a live session.
    private func firstUndecided(in ledger: BreakLedger) -> ContentBreak? {
        breaks(in: ledger).first { decisions[$0.id] == nil && !isFoundLate($0) }
    }

    /// A break that had begun before anything was seen of it, while the session went on: its content is listed already, and holds nothing up.
    func isFoundLate(_ contentBreak: ContentBreak) -> Bool {
        guard let found = contentBreak.foundAt, let joinEdge else { return false }
        return found >= joinEdge
    }

    /// Up to where the session's timeline is released: the held edge, or the start of the first undecided break.
    func releasedEdge(in ledger: BreakLedger) -> DateTime? {
        guard let edge = ledger.heldEdge else { return nil }
        guard let undecided = firstUndecided(in: ledger) else { return edge }
        let start = span(of: undecided).start
        return min(ledger.renditions[ledger.leading]?.edge(at: start) ?? start, edge)
    }

    /// Up to where the leading rendition is listed: an undecided break does not hold up the pod that reaches into it.
    func listedEdge(in ledger: BreakLedger) -> DateTime? {
        guard let held = ledger.heldEdge, let released = releasedEdge(in: ledger) else { return nil }
        guard let last = plan.renditions[ledger.leading]?.placements.last else { return released }
        let length = last.dated(last.duration(of: last.pod.fill(for: ledger.leading)))
        return min(max(released, last.startTime.advanced(by: length)), held)
    }

    /// No more content of a rendition comes, and nothing is undecided. Until its own end is known it is not listed beyond the leading
    /// one's: an origin may go on behind an end, with a break.
    private func isWhollyReleased(_ rendition: RenditionLedger, _ ledger: BreakLedger) -> Bool {
        if ledger.settings.kind == .vod { return true }
        return rendition.hasEnded && (ledger.renditions[ledger.leading]?.hasEnded ?? false)
            && firstUndecided(in: ledger) == nil
    }

    /// Places the decided pods in all renditions that the ledger knows. Every number given is kept.
    mutating func resolve(with ledger: BreakLedger) {
        guard plannedVersion !== ledger.version else { return }
        plannedVersion = ledger.version
        plannedRevision = ledger.revision
        for contentBreak in breaks(in: ledger) where plan.isNew(contentBreak) {
            guard let decision = decisions[contentBreak.id] else { break }
            plan.append(planned(contentBreak, decision), pod: decision.pod, from: span(of: contentBreak).start)
        }
        if ledger.settings.kind == .live { forgetOwnBreaks() }
        plan.place(with: ledger, earlyReturn: settings.earlyReturn)
    }

    /// The session's playlist of a rendition. Nil before the rendition or the leading one was observed.
    ///
    /// In VOD all breaks are published at once: those still undecided become content.
    package mutating func stitch(
        _ key: RenditionKey, ledger: BreakLedger, options: StitchOptions = StitchOptions()
    ) -> StitchedPlaylist? {
        begin(with: ledger)
        if let ownBreaks = openingBreaks(with: ledger) { open(with: ownBreaks) }
        guard let targetDuration, ledger.heldEdge != nil, let rendition = ledger.renditions[key] else { return nil }
        if ledger.settings.kind == .vod {
            for contentBreak in breaks(in: ledger) { decide(.content(.deadline), for: contentBreak.id) }
        }
        resolve(with: ledger)
        forgetOldBreaks(ledger)
        var options = options
        options.seenByRequest = seenByRequest
        return Stitcher(
            rendition: rendition, ledger: ledger, plan: plan, targetDuration: targetDuration,
            edge: isWhollyReleased(rendition, ledger) ? nil : releasedEdge(in: ledger),
            undecided: firstUndecided(in: ledger)?.start, options: options
        ).playlist()
    }
}
