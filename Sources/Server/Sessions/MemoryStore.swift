package import Stitching
internal import Synchronization

/// Keeps sessions in this process. They end with it.
package final class MemoryStore: SessionStore {
    private struct Kept {
        var record: SessionRecord
        var decisions: [BreakID: Decision] = [:]
    }

    private let sessions = Mutex<[SessionKey: Kept]>([:])

    package init() {}

    package func session(_ key: SessionKey) async -> (record: SessionRecord, decisions: [BreakID: Decision])? {
        sessions.withLock { sessions in sessions[key].map { ($0.record, $0.decisions) } }
    }

    package func create(_ record: SessionRecord) async -> SessionRecord {
        sessions.withLock { sessions in
            if let kept = sessions[record.key] { return kept.record }
            sessions[record.key] = Kept(record: record)
            return record
        }
    }

    package func decide(
        _ decision: Decision, for adBreak: BreakID, in session: SessionKey
    ) async -> Decision {
        sessions.withLock { sessions in
            // A session that was dropped meanwhile keeps nothing: its next request starts it anew.
            guard let kept = sessions[session] else { return decision }
            if let first = kept.decisions[adBreak] { return first }
            sessions[session]?.decisions[adBreak] = decision
            return decision
        }
    }

    package func remove(_ key: SessionKey) async {
        sessions.withLock { $0[key] = nil }
    }
}
