import Stitching
import Testing
import Transport

@testable import Server

/// What is kept for players stays within bounds, of a session and of all of them.
struct HandoutsTests {
    private func kept(_ bytes: Int) -> KeptDecision {
        var kept = KeptDecision(decision: .content(.noAds))
        kept.breakHandout = BreakHandout(overlays: [String(repeating: "x", count: bytes)])
        return kept
    }

    @Test func `what is forgotten, or goes with its session, makes room for others`() {
        let budget = ByteBudget(1_000)
        do {
            var handouts = Handouts(budget: budget)
            handouts.add(kept(600), for: BreakID("a"))
            handouts.add(kept(600), for: BreakID("b"))
            // No room for the second one: its ads are told by name.
            #expect(handouts.breaks == [BreakID("a")])
            #expect(budget.remaining == 400)
            // The first stays.
            handouts.add(kept(1), for: BreakID("a"))
            #expect(handouts.handout(of: BreakID("a"))?.byteCount == 600)
            handouts.keep([BreakID("b")])
            #expect(handouts.isEmpty && budget.remaining == 1_000)
            handouts.add(kept(600), for: BreakID("b"))
            #expect(budget.remaining == 400)
        }
        #expect(budget.remaining == 1_000)
    }

    @Test func `one session takes eight megabytes at most, and others still find room`() {
        let budget = ByteBudget(64 << 20)
        var one = Handouts(budget: budget)
        var other = Handouts(budget: budget)
        for number in 0..<40 { one.add(kept(1 << 20), for: BreakID("\(number)")) }
        #expect(one.breaks.count == 8)
        other.add(kept(1 << 20), for: BreakID("a"))
        #expect(other.breaks.count == 1)
    }

    @Test func `sessions that a table forgets give back what they kept`() async throws {
        let budgets = SessionBudgets(handouts: ByteBudget(10_000), cookies: ByteBudget(10_000))
        let key = SessionKey(source: SourceID(kind: .vod, name: "film"), streamID: try #require(StreamID("a")))
        func use() {
            var session = KeptSession(
                record: SessionRecord(key: key, startedAt: 0, playerParameters: [:], viewer: Viewer(address: "")))
            session.decisions[BreakID("b")] = kept(5_000)
            let living = Session(session, settings: .init(), seenAt: .zero, budgets: budgets)
            #expect(living.breakHandout(of: BreakID("b")) != nil)
            #expect(budgets.handouts.remaining == 5_000)
        }
        use()
        #expect(budgets.handouts.remaining == 10_000)
    }
}
