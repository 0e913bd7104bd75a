internal import Stitching
internal import Synchronization

/// A session while this process serves it.
final class Session: Sendable {
    struct State {
        var decisions: [BreakID: Decision]
        /// Breaks being decided now.
        var pending: [BreakID: SharedWork<Decision>] = [:]
        /// Monotonic time of the last request.
        var seenAt: Duration
    }

    let record: SessionRecord
    private let state: Mutex<State>

    init(record: SessionRecord, decisions: [BreakID: Decision], seenAt: Duration) {
        self.record = record
        state = Mutex(State(decisions: decisions, seenAt: seenAt))
    }

    var key: SessionKey { record.key }
    /// For the log.
    var name: String { record.key.publicName }

    var seenAt: Duration { state.withLock { $0.seenAt } }

    func touch(at now: Duration) {
        state.withLock { $0.seenAt = max($0.seenAt, now) }
    }

    var decisions: [BreakID: Decision] { state.withLock { $0.decisions } }

    /// Decisions already taken, and the work on those under way.
    func decision(for adBreak: BreakID) -> Decision? { state.withLock { $0.decisions[adBreak] } }

    /// The work on a break's decision, and whether the caller is the one to do it.
    func claim(_ adBreak: BreakID) -> (work: SharedWork<Decision>, isNew: Bool) {
        state.withLock { state in
            if let work = state.pending[adBreak] { return (work, false) }
            let work = SharedWork<Decision>()
            if let decision = state.decisions[adBreak] {
                work.finish(with: decision)
                return (work, false)
            }
            state.pending[adBreak] = work
            return (work, true)
        }
    }

    /// Takes what the store has kept for a break, and wakes those who wait for it. The first decision stays.
    func settle(_ adBreak: BreakID, _ decision: Decision) {
        let (work, settled) = state.withLock { state -> (SharedWork<Decision>?, Decision) in
            let settled = state.decisions[adBreak] ?? decision
            state.decisions[adBreak] = settled
            return (state.pending.removeValue(forKey: adBreak), settled)
        }
        work?.finish(with: settled)
    }
}
