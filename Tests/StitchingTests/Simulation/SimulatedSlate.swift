import HLS

@testable import Stitching

/// The fill policies of a simulated channel, and the slate it has, in two runs of three; the ad server of such a channel fails often.
struct SimulatedSlate {
    private(set) var settings: StitchingSession.Settings
    private(set) var media: AdMedia?
    private var generator: SeededGenerator

    init(seed: UInt64) {
        // Draws of its own: what else is drawn stays what it was.
        generator = SeededGenerator(seed: seed ^ 0x51A7_E000)
        settings = .init(earlyReturn: seed % 3 == 0 ? .complete : .cut)
        guard generator.chance(66) else { return }
        settings.fill = generator.pick([.content, .slate, .slate, .minimizeSlate])
        settings.join = generator.pick([.content, .slate, .fit])
        settings.retryRest = generator.chance(50) ? .seconds(generator.pick([5, 12])) : nil
        settings.personalisationThreshold = generator.chance(10) ? .seconds(25) : nil
        if generator.chance(90) { media = SimulatedAds.ad("slate", &generator).media }
    }

    func planner(_ session: StitchingSession, _ ledger: BreakLedger, _ catalog: SourceCatalog) -> PodPlanner {
        PodPlanner(session: session, ledger: ledger, catalog: catalog, slate: media)
    }

    /// What the session decides by itself, as the server keeps it; then which breaks are undecided.
    func pending(
        _ session: inout StitchingSession, _ ledger: BreakLedger, _ catalog: SourceCatalog, now: DateTime
    ) -> [StitchingSession.PendingBreak] {
        session.begin(with: ledger)
        if let own = session.openingBreaks(with: ledger) { session.open(with: own) }
        while true {
            let found = session.propose(with: ledger, now: now)
            if found.decided.isEmpty { return found.pending }
            let fallbacks = planner(session, ledger, catalog).fallbacks(for: found.decided)
            for (decided, fallback) in zip(found.decided, fallbacks) { session.decide(fallback, for: decided.id) }
        }
    }

    /// The answer to a request: nil where a break that has not begun is asked for again when it begins.
    mutating func decision(
        _ pending: StitchingSession.PendingBreak, _ ads: [PodAd], _ session: StitchingSession, _ ledger: BreakLedger,
        _ catalog: SourceCatalog
    ) -> Decision? {
        let planner = planner(session, ledger, catalog)
        if media != nil, generator.chance(25) {
            return pending.isAhead ? nil : planner.fallback(pending.opportunity, .providerFailed("status 500"))
        }
        return planner.decision(for: pending.opportunity, candidates: ads).decision
    }
}
