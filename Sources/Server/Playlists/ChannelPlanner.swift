internal import HLS
internal import Stitching
internal import Transport

/// Takes the decisions that a channel's session waits for: the pre-roll and breaks of the past before its first playlist, which
/// fixes the numbers, and those at the live edge.
struct ChannelPlanner: Sendable {
    var desk: DecisionDesk
    var time: any TimeSource

    /// Sessions begin with decisions that better are begun before the first media playlist is asked for.
    func opensWithAds(_ source: Source) -> Bool {
        source.id.kind == .live && (!source.preroll.isEmpty || source.options.pastBreaks == .stitch)
    }

    /// Begins to find out what the session opens with, and waits for it no longer than `patience`.
    ///
    /// Where a pre-roll lies is known when the first media playlist is made: until then its ads are only asked for.
    func plan(
        _ session: Session, of source: Source, catalog: SourceCatalog, ledger: BreakLedger, patience: Duration
    ) async {
        let ends = time.monotonic() + patience
        let early = desk.askAhead(for: session, of: source)
        let breaks = session.propose(with: ledger, now: DateTime(nanoseconds: time.now()))
        await desk.decide(breaks, for: session, of: source, catalog: catalog, until: ends)
        _ = await early?.value(within: ends - time.monotonic(), on: time)
    }

    /// Decides what is undecided in the playlist that is about to be shown, within the source's budget. Of what the session opens
    /// with, what has no answer by then is content.
    func decide(_ session: Session, of source: Source, catalog: SourceCatalog, ledger: BreakLedger) async {
        let ends = time.monotonic() + source.options.decisionBudget
        if let own = session.openingBreaks(with: ledger) {
            session.open(with: await desk.archive.add(own, session.key))
        }
        let breaks = session.propose(with: ledger, now: DateTime(nanoseconds: time.now()))
        await desk.decide(breaks, for: session, of: source, catalog: catalog, until: ends)
        guard !breaks.opening.isEmpty else { return }
        await desk.keep(
            breaks.opening.filter { session.decision(for: $0) == nil }.map { ($0, .deadline) }, of: session, source,
            catalog, within: source.options.decisionBudget)
        // What had to wait for the pre-roll.
        let rest = session.propose(with: ledger, now: DateTime(nanoseconds: time.now()))
        await desk.decide(rest, for: session, of: source, catalog: catalog, until: ends)
    }
}
