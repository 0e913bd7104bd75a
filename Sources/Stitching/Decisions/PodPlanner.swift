import HLS

/// An ad that the provider names for a break, its media fetched.
package typealias PodCandidate = PodAd

/// How the ads of one provider are to be fitted in.
package struct CandidateGroup: Sendable {
    /// Index of its first candidate; they go up to the next group's.
    package var first: Int
    /// An ad that does not fit makes room for a shorter one behind it: the ads are no pod.
    package var isBuffet: Bool

    package init(first: Int, isBuffet: Bool) {
        self.first = first
        self.isBuffet = isBuffet
    }
}

/// Why an ad of an answer is not in the pod.
package enum AdSkip: Error, Sendable, Equatable {
    case mismatch(RenditionMatcher.Mismatch)
    /// A segment is longer than the session's target duration allows (rule 303).
    case segmentTooLong(Duration, target: Duration)
    /// It, or an ad before it, does not fit into what is left of the break.
    case doesNotFit

    package var text: String {
        switch self {
        case .mismatch(let mismatch): mismatch.text
        case .segmentTooLong(let duration, let target):
            "a segment of \(DecimalText.text(duration)) s is longer than the target duration of \(DecimalText.text(target)) s"
        case .doesNotFit: "it does not fit into the break"
        }
    }
}

/// Makes a decision of the ads that a provider names: which of them fit, what slate goes behind them, and whether playback gets back
/// to the content.
package struct PodPlanner {
    package struct Result: Sendable {
        package var decision: Decision
        /// Ads that were left out, by their place in the answer.
        package var skipped: [(index: Int, id: String, reason: AdSkip)]
        /// The pod begins, or ends, with a bumper.
        package var hasStartBumper = false
        package var hasEndBumper = false
    }

    let session: StitchingSession
    let ledger: BreakLedger
    private let catalog: SourceCatalog
    /// Media to fill with, and how it lies in the content's renditions; nil where there is none that can be used.
    let slate: (media: AdMedia, matches: [RenditionKey: AdMatch])?
    /// Why the slate that was given cannot be used.
    package let slateProblem: AdSkip?
    private let bumpers: FittingBumpers
    /// Why bumpers that were given cannot be used, by their ids.
    package var bumperProblems: [(id: String, reason: AdSkip)] { bumpers.problems }

    package init(
        session: StitchingSession, ledger: BreakLedger, catalog: SourceCatalog, slate: AdMedia? = nil,
        bumpers: Bumpers = Bumpers()
    ) {
        var session = session
        // A break right behind another one is planned with what that one leaves.
        if ledger.settings.kind == .live { session.resolve(with: ledger) }
        self.session = session
        self.ledger = ledger
        self.catalog = catalog
        self.bumpers = FittingBumpers(
            bumpers, MediaRules(session: session, ledger: ledger, catalog: catalog), leading: ledger.leading)
        guard let slate else {
            self.slate = nil
            slateProblem = nil
            return
        }
        let rules = MediaRules(session: session, ledger: ledger, catalog: catalog)
        do throws(AdSkip) {
            self.slate = (slate, try rules.matches(of: slate))
            slateProblem = nil
        } catch {
            self.slate = nil
            slateProblem = error
        }
    }

    /// The decision for a break. The ads keep their order; they are taken whole until the next would not fit.
    package func decision(
        for opportunity: Opportunity, candidates: [PodCandidate], groups: [CandidateGroup] = []
    ) -> Result {
        // A live pre-roll is none of the content's breaks.
        if !bumpers.isEmpty, ledger.settings.kind == .vod || opportunity.id != .preroll {
            let result = decision(for: opportunity, candidates, groups, bumpers: bumpers)
            if result.decision.reason == nil { return result }
        }
        return decision(for: opportunity, candidates, groups, bumpers: nil)
    }

    /// What the candidates leave of a break for the ads of somebody else; nil where any number of ads is welcome and there are some.
    package func timeLeft(
        of opportunity: Opportunity, candidates: [PodCandidate], groups: [CandidateGroup]
    ) -> Duration? {
        let fit = fit(opportunity, candidates, groups, bumpers: nil)
        if opportunity.isInsertion { return fit.ads.isEmpty ? opportunity.availableDuration : nil }
        return max(opportunity.availableDuration - fit.length, .zero)
    }

    private struct Fit {
        var ads: [PodAd] = []
        var matches: [[RenditionKey: AdMatch]] = []
        var skipped: [(index: Int, id: String, reason: AdSkip)] = []
        /// With bumpers.
        var length: Duration
    }

    private func fit(
        _ opportunity: Opportunity, _ candidates: [PodCandidate], _ groups: [CandidateGroup], bumpers: FittingBumpers?
    ) -> Fit {
        let rules = MediaRules(session: session, ledger: ledger, catalog: catalog)
        var fit = Fit(length: bumpers?.duration ?? .zero)
        // The length of a pre-roll is a maximum, not a break to get back from.
        let isExact = opportunity.id == .preroll
        let room = opportunity.isInsertion ? nil : opportunity.availableDuration + (isExact ? .zero : overrun)
        var isFull = false
        var isBuffet = false
        for (index, candidate) in candidates.enumerated() {
            if let group = groups.first(where: { $0.first == index }) { (isFull, isBuffet) = (false, group.isBuffet) }
            let match: [RenditionKey: AdMatch]
            do throws(AdSkip) {
                match = try rules.matches(of: candidate.media)
            } catch {
                fit.skipped.append((index, candidate.id, error))
                continue
            }
            let adLength = PodFill.duration(of: [(candidate.media, match[ledger.leading] ?? .rendition(0))])
            if isFull || room.map({ fit.length + adLength > $0 }) ?? false {
                isFull = !isBuffet
                fit.skipped.append((index, candidate.id, .doesNotFit))
                continue
            }
            fit.length += adLength
            fit.ads.append(candidate)
            fit.matches.append(match)
        }
        return fit
    }

    private func decision(
        for opportunity: Opportunity, _ candidates: [PodCandidate], _ groups: [CandidateGroup],
        bumpers: FittingBumpers?
    ) -> Result {
        guard !candidates.isEmpty else { return Result(decision: fallback(opportunity, .noAds), skipped: []) }
        let fit = fit(opportunity, candidates, groups, bumpers: bumpers)
        guard !fit.ads.isEmpty, fit.length > bumpers?.duration ?? .zero else {
            let allTooLong = fit.skipped.allSatisfy { $0.reason == .doesNotFit }
            return Result(decision: fallback(opportunity, allTooLong ? .nothingFits : .noAds), skipped: fit.skipped)
        }
        let decision = decision(
            opportunity, ads: bumpers?.around(fit.ads) ?? fit.ads,
            matches: bumpers?.around(fit.matches) ?? fit.matches, length: fit.length)
        return Result(
            decision: decision, skipped: fit.skipped, hasStartBumper: bumpers?.start != nil,
            hasEndBumper: bumpers?.end != nil)
    }

    private func decision(
        _ opportunity: Opportunity, ads: [PodAd], matches: [[RenditionKey: AdMatch]], length: Duration
    ) -> Decision {
        guard !isBelowThreshold(opportunity, filled: length) else { return .content(.belowThreshold) }
        var byKey: [RenditionKey: [AdMatch]] = [:]
        for key in Set(matches.flatMap(\.keys)) { byKey[key] = matches.compactMap { $0[key] } }
        let pod = Pod(ads: ads, leading: ledger.leading, dateShortening: 0, matches: byKey)
        guard !opportunity.isInsertion else { return .ads(pod) }
        // A pre-roll is as long as its ads.
        let policy = opportunity.id == .preroll ? FillPolicy.content : session.settings.fill
        return fitted(pod, opportunity, policy).map { .ads($0) } ?? fallback(opportunity, .noReturn)
    }

    /// More than the threshold of the break would be left without ads: then it is left to the content whole.
    func isBelowThreshold(_ opportunity: Opportunity, filled: Duration) -> Bool {
        guard let threshold = session.settings.personalisationThreshold, let planned = opportunity.plannedDuration
        else { return false }
        return planned - filled > threshold
    }

    /// The pod with the slate that the policy wants behind it, and with dates that let the content come back; nil where it cannot.
    func fitted(_ pod: Pod, _ opportunity: Opportunity, _ policy: FillPolicy) -> Pod? {
        let fill = pod.fill(for: pod.leading)
        let match = slate?.matches[ledger.leading]
        let entries = match.flatMap { slate?.media.rendition(of: $0)?.entries } ?? []
        let renditions = slate?.matches.values.compactMap { slate?.media.rendition(of: $0) } ?? []
        // The dates of all renditions run alike.
        let fit = SlateFit(
            length: fill.duration,
            longestEntry: pod.keys.reduce(fill.longestEntry) { max($0, pod.fill(for: $1).longestEntry) },
            forecast: ReturnForecast(opportunity, session: session, ledger: ledger),
            available: opportunity.availableDuration, slate: entries.map(\.duration),
            longestSlateEntry: renditions.map(\.longestEntry).max() ?? .zero,
            longestFirstEntry: renditions.compactMap { $0.entries.first?.duration }.max() ?? .zero)
        guard let choice = fit.choice(policy) else { return nil }
        var filler: PodSlate?
        if let slate, choice.count > 0 {
            filler = PodSlate(
                media: slate.media, matches: slate.matches, passes: (choice.count - 1) / entries.count + 1,
                lastEntries: (choice.count - 1) % entries.count + 1)
        }
        return Pod(
            ads: pod.ads, leading: pod.leading, dateShortening: choice.outcome.dateShortening, matches: pod.matches,
            slate: filler)
    }

    /// A pod that ends a frame or two late still fits: it returns at the same boundary.
    private var overrun: Duration { .milliseconds(500) }
}
