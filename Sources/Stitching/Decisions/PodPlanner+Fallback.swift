import HLS

extension PodPlanner {
    /// What a break shows for which no ads can be had: slate where the policy wants it, else the content; and whether the rest of a
    /// long break is asked for again.
    package func fallback(_ opportunity: Opportunity, _ reason: ContentReason) -> Decision {
        let rest = rest(of: opportunity, after: reason)
        var first = opportunity
        if let rest {
            first.availableDuration = opportunity.start.duration(to: rest.start)
            first.plannedDuration = first.availableDuration
        }
        let slate = takesSlate(opportunity, reason) ? slatePod(first) : nil
        guard slate != nil || rest != nil else { return .content(reason) }
        return .fallback(Decision.Fallback(reason: reason, slate: slate, rest: rest))
    }

    /// As ``fallback(_:_:)``, for breaks that the session decides without having asked for ads, or no longer waits for.
    package func fallbacks(for decided: [(id: BreakID, reason: ContentReason)]) -> [Decision] {
        let known = session.knownBreaks(in: ledger)
        return decided.map { id, reason in
            guard let contentBreak = known[id] else { return .content(reason) }
            if reason == .joinedInside, session.isFoundLate(contentBreak) { return .content(reason) }
            let found = session.opportunity(for: contentBreak, ledger: ledger)
            if reason == .joinedInside, found.part == nil { return joined(found) }
            if reason == .suppressed, found.part == nil { return suppressed(found) }
            return fallback(found, reason)
        }
    }

    /// A session that begins inside a break: what is left of it is a break of its own, never what was already shown.
    private func joined(_ opportunity: Opportunity) -> Decision {
        guard session.settings.join != .content else { return .content(.joinedInside) }
        return rest(of: opportunity, from: session.joinEdge, .joinedInside)
    }

    /// A break that begins before ads are wanted may last until they are.
    private func suppressed(_ opportunity: Opportunity) -> Decision {
        guard session.start?.fillsRest == true else { return .content(.suppressed) }
        return rest(of: opportunity, from: session.start?.adsFrom, .suppressed)
    }

    private func rest(of opportunity: Opportunity, from time: DateTime?, _ reason: ContentReason) -> Decision {
        guard let time, let segment = ledger.renditions[ledger.leading]?.segments.last?.duration else {
            return .content(reason)
        }
        let left = time.duration(to: opportunity.start.advanced(by: opportunity.availableDuration))
        guard left * 2 > segment else { return .content(reason) }
        return .fallback(
            Decision.Fallback(reason: reason, slate: nil, rest: Decision.Rest(start: time, attempt: 0)))
    }

    private func takesSlate(_ opportunity: Opportunity, _ reason: ContentReason) -> Bool {
        guard slate != nil, !opportunity.isInsertion, opportunity.id != .preroll else { return false }
        switch reason {
        case .noAds, .nothingFits, .providerFailed, .deadline, .noReturn:
            return session.settings.fill == .slate && !isBelowThreshold(opportunity, filled: .zero)
        case .joinedInside: return session.settings.join == .slate
        default: return false
        }
    }

    private func slatePod(_ opportunity: Opportunity) -> Pod? {
        let empty = Pod(ads: [], leading: ledger.leading, dateShortening: 0, matches: [:])
        return fitted(empty, opportunity, .slate)
    }

    // MARK: - The rest of a long break

    /// Times that ads are asked for again in one break.
    private static let attempts = 3

    /// From when on ads are asked for again, if the break is long enough and the ad server has failed or was late.
    private func rest(of opportunity: Opportunity, after reason: ContentReason) -> Decision.Rest? {
        switch reason {
        case .providerFailed, .deadline: break
        default: return nil
        }
        guard ledger.settings.kind == .live, !opportunity.isInsertion, opportunity.id != .preroll,
            let least = session.settings.retryRest,
            let edge = ledger.heldEdge, let segment = ledger.renditions[ledger.leading]?.segments.last?.duration,
            segment > .zero
        else { return nil }
        let attempt = (opportunity.part ?? 0) + 1
        guard attempt <= Self.attempts else { return nil }
        // Nothing that is released already is touched, and there is time to ask before the rest begins.
        let begun = max(opportunity.start.duration(to: edge), .zero)
        let delay = session.retryLead + .seconds(5) * (1 << (attempt - 1))
        let count = ((begun + delay).nanosecondCount - 1) / max(segment.nanosecondCount, 1) + 1
        let offset = segment * Int(clamping: count)
        guard opportunity.availableDuration - offset > least else { return nil }
        return Decision.Rest(start: opportunity.start.advanced(by: offset), attempt: attempt)
    }
}
