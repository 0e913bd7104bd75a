import HLS

extension StitchingSession {
    /// Breaks that nobody can meet any more may stay until there are so many of them, so that looking for them costs little.
    private static let forgettable = 64

    /// Breaks that a playlist may show, now or later: those with a place, those that the ledger knows, and those announced.
    package func currentBreaks(in ledger: BreakLedger) -> Set<BreakID> {
        plan.breakIDs.union(ledger.breaks.map(\.id)).union(breaks(in: ledger).map(\.id))
            .union(partsAhead(in: ledger).map(\.id)).union(ledger.announcedBreaks.map(\.id))
    }

    /// Breaks of which nothing is known any more since this was last asked: what a store has of them is of no use.
    package mutating func takeForgotten() -> [BreakID] {
        defer { forgotten = [] }
        return forgotten
    }

    /// Lets go of what is known of breaks that have left both the ledger and the plan: their pods are in the plan's sums, and
    /// their beacons were due long ago.
    mutating func forgetOldBreaks(_ ledger: BreakLedger) {
        guard ledger.settings.kind == .live else { return }
        let limit = Self.forgettable + ledger.breaks.count
        guard decisions.count > limit || indices.count > limit || beacons.count > limit * 4 else { return }
        let kept = currentBreaks(in: ledger)
        forgotten += decisions.keys.filter { !kept.contains($0) }.sorted()
        decisions = decisions.filter { kept.contains($0.key) }
        indices = indices.filter { kept.contains($0.key) }
        seen = seen.filter { kept.contains($0.key) }
        seenAhead = seenAhead.filter { kept.contains($0.key) }
        beacons.forget { !kept.contains($0) }
        // The plan was made with them.
        plannedVersion = ledger.version
    }
}
