import HLS

extension StitchingSession {
    /// Breaks that are announced for a time soon after the edge: they are decided before they begin, and hold nothing up.
    mutating func pendingAhead(with ledger: BreakLedger, now: DateTime) -> [PendingBreak] {
        guard let start, let join = start.joinEdge, let edge = ledger.heldEdge else { return [] }
        let announced = ledger.announcedBreaks.filter { announced in
            announced.start >= join && !start.isSuppressed(announced)
                && edge.duration(to: announced.start) <= Self.longestAhead
        }
        let parts = partsAhead(in: ledger).filter { part in
            edge.duration(to: part.start) <= retryLead && !isJoinedWithSlate(part)
        }
        let undecided = (announced + parts).filter { coming in
            decisions[coming.id] == nil && shortage(before: nil, at: coming.start, in: ledger) == nil
        }
        return undecided.map { announced in
            let seenAt = seenAhead[announced.id] ?? now
            seenAhead[announced.id] = seenAt
            return PendingBreak(
                opportunity: counted(announced, ledger: ledger), seenAt: seenAt,
                deadline: seenAt.advanced(by: decisionDeadline), isAhead: true)
        }
    }

    /// Earlier than this before its start a break is not decided: ad servers forget, and what is announced may change.
    private static let longestAhead = Duration.seconds(60)
}
