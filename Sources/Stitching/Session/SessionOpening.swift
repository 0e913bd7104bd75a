package import HLS

extension StitchingSession {
    /// What a live session begins with: ads of its own, and which of the breaks around the live edge are filled.
    package struct Opening: Sendable, Equatable {
        /// Breaks of the window that ended before the session began get pods.
        package var stitchesPastBreaks: Bool
        package var suppression: Suppression?
        /// The most that a pre-roll may last; nil for none.
        package var longestPreroll: Duration?
        /// Players are known to begin elsewhere than at the live edge.
        package var isAwayFromEdge = false

        package init(
            stitchesPastBreaks: Bool = false, suppression: Suppression? = nil, longestPreroll: Duration? = nil
        ) {
            self.stitchesPastBreaks = stitchesPastBreaks
            self.suppression = suppression
            self.longestPreroll = longestPreroll
        }
    }

    /// Breaks that are left to the content for where they begin, seen from the live edge at which the session begins.
    package enum Suppression: Sendable, Equatable {
        /// Those that begin so far behind the edge or farther.
        case behindEdge(Duration)
        /// Those that begin earlier than so long after the edge; what is left of one by then is filled, if `fillsRest`.
        case untilAfterEdge(Duration, fillsRest: Bool)
    }

    /// What is fixed when the session begins.
    package struct Start: Sendable, Equatable, Codable {
        package var targetDuration: Duration
        /// Nil for VOD.
        package var joinEdge: DateTime?
        /// Breaks that begin earlier are suppressed.
        var adsFrom: DateTime?
        /// What is left of a suppressed break from ``adsFrom`` on is a break of its own.
        var fillsRest: Bool?
        var stitchesPastBreaks: Bool?
        /// The most that a pre-roll may last.
        var longestPreroll: Duration?
        /// Players begin elsewhere than at the live edge.
        var isAwayFromEdge: Bool?
        /// Why the session gets no ads; nil: it may.
        var unstitched: String?

        func isSuppressed(_ contentBreak: ContentBreak) -> Bool {
            contentBreak.root == nil && adsFrom.map { contentBreak.start < $0 } ?? false
        }
    }

    /// The start that the session would have now; nil before the leading rendition was observed, and once it has begun.
    package func start(with ledger: BreakLedger) -> Start? {
        guard self.start == nil, let edge = ledger.heldEdge else { return nil }
        var result = Start(targetDuration: ledger.targetDuration)
        guard ledger.settings.kind == .live else { return result }
        result.joinEdge = edge
        if settings.needsWindow,
            let shortage = ledger.renditions[ledger.leading]?.lastingShortage(for: result.targetDuration)
        {
            result.unstitched = shortage.text
            result.targetDuration = ledger.contentTargetDuration
            return result
        }
        let opening = settings.opening
        if opening.stitchesPastBreaks { result.stitchesPastBreaks = true }
        switch opening.suppression {
        case .behindEdge(let distance):
            result.adsFrom = edge.advanced(by: .zero - distance).advanced(by: .nanoseconds(1))
        case .untilAfterEdge(let distance, let fillsRest):
            result.adsFrom = edge.advanced(by: distance)
            if fillsRest { result.fillsRest = true }
        case nil: break
        }
        result.longestPreroll = opening.longestPreroll
        if opening.isAwayFromEdge || ledger.isPlayedFromStart { result.isAwayFromEdge = true }
        return result
    }

    /// The breaks that the session would have of its own if its first playlist were made now; nil where that is known, or
    /// none is to be had.
    package func openingBreaks(with ledger: BreakLedger) -> [ContentBreak]? {
        guard !isOpen, let start, let longest = start.longestPreroll, ledger.heldEdge != nil else { return nil }
        return ledger.preroll(longest: longest, targetDuration: start.targetDuration).map { [$0] } ?? []
    }

    /// What becomes of a break that had begun when the session did.
    func outlook(
        for contentBreak: ContentBreak, begunBefore join: DateTime, _ start: Start, _ ledger: BreakLedger
    ) -> Outlook {
        if start.isSuppressed(contentBreak) { return .content(.suppressed) }
        let end = contentBreak.end?.time ?? contentBreak.plannedEnd
        guard end <= join else {
            if isPrerollUndecided { return .waitsForPreroll }
            return .content(prerollEnd == nil ? .joinedInside : .overlapsPreroll)
        }
        guard start.stitchesPastBreaks == true, contentBreak.startNumber != nil else { return .content(.beforeSession) }
        if let preroll, end > preroll.start { return .content(.overlapsPreroll) }
        // It can only lie later than it would now.
        if let coming = openingBreaks(with: ledger)?.first, end > coming.start { return .waitsForPreroll }
        return .ads(isOpening: true)
    }

    // MARK: - The pre-roll

    /// The session may have a pre-roll, and no playlist of it has been made.
    package var awaitsOpening: Bool { !isOpen && start?.longestPreroll != nil }

    var isPrerollUndecided: Bool {
        guard isOpen else { return start?.longestPreroll != nil }
        return preroll.map { decisions[$0.id] == nil && plan.isNew($0) } ?? false
    }

    /// Of a break that begins under the pre-roll, what is left of it behind; nil for any other.
    func timeAfterPreroll(_ end: DateTime, _ contentBreak: ContentBreak) -> Duration? {
        guard isUnderPreroll(contentBreak), let prerollEnd else { return nil }
        return prerollEnd.duration(to: end)
    }

    private func isUnderPreroll(_ contentBreak: ContentBreak) -> Bool {
        guard let preroll, let prerollEnd, contentBreak.id != preroll.id else { return false }
        return contentBreak.start >= preroll.start && contentBreak.start < prerollEnd
    }

    /// The part of a live break that is for ads: what is known of its end counts, and not what lies under the pre-roll.
    func span(of contentBreak: ContentBreak) -> (start: DateTime, end: DateTime) {
        let end = contentBreak.end.map { min($0.time, contentBreak.plannedEnd) } ?? contentBreak.plannedEnd
        guard isUnderPreroll(contentBreak), let prerollEnd else { return (contentBreak.start, end) }
        return (prerollEnd, end)
    }

    /// The break as it is lined up: the pre-roll is as long as its pod.
    func planned(_ contentBreak: ContentBreak, _ decision: Decision) -> ContentBreak {
        guard contentBreak.id == preroll?.id, let pod = decision.pod else { return contentBreak }
        var result = contentBreak
        result.learn(length: pod.duration)
        return result
    }

    /// Lets go of the session's own breaks that are lined up: the plan has them.
    mutating func forgetOwnBreaks() {
        guard !ownBreaks.isEmpty else { return }
        let left = ownBreaks.filter { plan.isNew($0) }
        // Not for nothing: it makes the plan anew.
        if left.count < ownBreaks.count { ownBreaks = left }
    }

    /// Of which pods requests for their segments tell what is seen of them.
    package var seenByRequest: SeenByRequest {
        guard let join = joinEdge, !settings.isSeenByRequest else { return .all }
        return start?.isAwayFromEdge == true ? .all : .podsBefore(join)
    }
}

/// Pods of which requests for their segments tell what is seen. Of the others it is known from the live edge.
package enum SeenByRequest: Sendable, Equatable {
    case all
    /// Those that begin earlier, but for a pre-roll.
    case podsBefore(DateTime)

    func contains(_ placement: Placement) -> Bool {
        switch self {
        case .all: true
        case .podsBefore(let time): placement.startTime < time && placement.breakID != .preroll
        }
    }
}

extension BreakID {
    /// The pre-roll of a live session.
    package static let preroll = BreakID("preroll")
}

extension Opportunity {
    /// Leaves so much of a live break to be filled. What was planned keeps its length where nothing is cut off.
    mutating func narrow(to span: (start: DateTime, end: DateTime)) {
        let left = span.start.duration(to: span.end)
        guard span.start > start || left < availableDuration else { return }
        let behind = start.duration(to: span.start)
        if behind > .zero { startNumber = nil }
        start = span.start
        availableDuration = max(left, .zero)
        plannedDuration = plannedDuration.map { max(min($0 - behind, left), .zero) }
    }
}

extension BreakLedger {
    /// How long what happens now can be worked out again: for as long as its segments are kept.
    package var keptTime: Duration {
        guard let leading = renditions[leading], let first = leading.segments.first, let edge = leading.edge else {
            return .zero
        }
        return first.time.duration(to: edge)
    }

    /// No more content comes.
    package var isOver: Bool { renditions[leading]?.hasEnded ?? false }

    /// How long nobody needs to look at the origin without anything going by unseen: less than its window lasts.
    package var unwatchedTime: Duration {
        guard let leading = renditions[leading], let first = leading.windowStartTime, let edge = leading.edge else {
            return .zero
        }
        return max(first.duration(to: edge) - targetDuration, .zero)
    }

    /// Where players begin that are given this live content: EXT-X-START counts from the start, or nothing more comes.
    var isPlayedFromStart: Bool {
        guard let leading = renditions[leading] else { return false }
        return leading.hasEnded || leading.frame.start.map { $0.timeOffset >= .zero } ?? false
    }

    /// The pre-roll of a session that begins now: it replaces content from where players begin. That is three target durations
    /// behind the edge (RFC 8216bis §6.3.3), more where the origin's HOLD-BACK or EXT-X-START says so; from the segment
    /// on that covers this point. Nil where the content has ended: nothing would be left of what it replaces.
    func preroll(longest: Duration, targetDuration: Duration) -> ContentBreak? {
        guard let leading = renditions[leading], !leading.hasEnded, let edge = leading.edge,
            let window = leading.windowStartTime
        else { return nil }
        let usual = edge.advanced(by: .zero - max(targetDuration * 3, leading.frame.holdBack ?? .zero))
        var point = usual
        if let offset = leading.frame.start?.timeOffset {
            point = min(offset < .zero ? edge.advanced(by: offset) : window.advanced(by: offset), usual)
        }
        let index = max(
            min(leading.index(covering: point), leading.segments.count - 1),
            leading.index(atOrAfter: leading.windowStart))
        guard index < leading.segments.count else { return nil }
        return ContentBreak(
            id: .preroll, startNumber: leading.segments[index].number, start: leading.segments[index].time,
            plannedDuration: nil, availableDuration: longest, isInsertion: false)
    }
}
