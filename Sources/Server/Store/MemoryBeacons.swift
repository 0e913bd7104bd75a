internal import Synchronization
internal import Transport

/// Beacons of several servers in one process.
final class MemoryBeacons: Sendable {
    private struct Kept {
        var row: BeaconRow
        /// Nil once it is sent.
        var holder: String?
        var order: Int
    }

    private struct State {
        var rows: [[String]: Kept] = [:]
        var leases: [String: Int64] = [:]
        var count = 0
    }

    private let time: any TimeSource
    private let state = Mutex(State())

    init(time: any TimeSource) { self.time = time }

    func keep(_ rows: [BeaconRow], for holder: String, until lease: Int64) -> [Bool] {
        state.withLock { state in
            state.leases[holder] = lease
            return rows.map { row in
                let key = [row.owner, row.name]
                guard state.rows[key] == nil else { return false }
                state.count += 1
                state.rows[key] = Kept(row: row, holder: holder, order: state.count)
                return true
            }
        }
    }

    func mark(_ marks: [BeaconMark]) {
        state.withLock { state in
            for mark in marks {
                let key = [mark.owner, mark.name]
                switch mark.fate {
                case .done:
                    state.rows[key]?.holder = nil
                    state.rows[key]?.row.value = []
                case .attempted(let attempts): state.rows[key]?.row.attempts = attempts
                }
            }
        }
    }

    func renew(_ holder: String, until lease: Int64) { state.withLock { $0.leases[holder] = lease } }

    func adopt(for holder: String, limit: Int, oldest: Int64, until lease: Int64) -> (rows: [BeaconRow], tooOld: Int) {
        let now = time.now()
        return state.withLock { state in
            let ended = Set(state.leases.filter { $0.value <= now && $0.key != holder }.keys)
            guard !ended.isEmpty else { return ([], 0) }
            state.leases[holder] = lease
            let left = state.rows.filter { $0.value.holder.map(ended.contains) ?? false }
            let old = left.filter { $0.value.row.due < oldest }
            for key in old.keys { state.rows[key]?.holder = nil }
            let found = left.filter { $0.value.row.due >= oldest }.sorted {
                ($0.value.row.due, $0.value.order) < ($1.value.row.due, $1.value.order)
            }
            for (key, _) in found.prefix(limit) { state.rows[key]?.holder = holder }
            if found.count <= limit { for other in ended { state.leases[other] = nil } }
            return (found.prefix(limit).map(\.value.row), old.count)
        }
    }

    func leave(_ holder: String) {
        state.withLock { state in
            if state.leases[holder] != nil { state.leases[holder] = 0 }
        }
    }

    /// - Parameter lives: whether a session does.
    func removeSent(lives: (String) -> Bool) {
        let now = time.now()
        state.withLock { state in
            state.rows = state.rows.filter {
                $0.value.holder != nil || $0.value.row.expiry > now
                    || $0.value.row.isKeptWithOwner && lives($0.value.row.owner)
            }
        }
    }
}

extension MemoryStore: BeaconStore {
    func keep(_ rows: [BeaconRow], for holder: String, until lease: Int64) async -> [Bool] {
        beacons.keep(rows, for: holder, until: lease)
    }

    func mark(_ marks: [BeaconMark]) async { beacons.mark(marks) }

    func renew(_ holder: String, until lease: Int64) async { beacons.renew(holder, until: lease) }

    func adopt(
        for holder: String, limit: Int, oldest: Int64, until lease: Int64
    ) async -> (rows: [BeaconRow], tooOld: Int) {
        beacons.adopt(for: holder, limit: limit, oldest: oldest, until: lease)
    }

    func leave(_ holder: String) async { beacons.leave(holder) }

    func removeSent() async { beacons.removeSent { lives($0) } }
}
