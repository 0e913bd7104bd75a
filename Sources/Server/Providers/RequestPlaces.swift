internal import Synchronization
internal import Transport

/// Places for requests that are made at one time. Who finds none waits in line: the first come first, as long as there is time.
final class RequestPlaces: Sendable {
    private struct State {
        var free: Int
        /// Who waits, in order from `first` on; those that have given up are no more among `waiting`.
        var line: [UInt64] = []
        var first = 0
        var waiting: [UInt64: SharedWork<Void>] = [:]
        var lastID: UInt64 = 0

        /// Forgets those of the line that were served or have given up, once they are most of it.
        mutating func tidy() {
            guard line.count > 1_000 + waiting.count * 2 else { return }
            line = line[first...].filter { waiting[$0] != nil }
            first = 0
        }
    }

    private let lineLimit: Int
    private let time: any TimeSource
    private let state: Mutex<State>

    init(_ count: Int, lineLimit: Int = 20_000, time: any TimeSource) {
        self.lineLimit = lineLimit
        self.time = time
        state = Mutex(State(free: max(count, 1)))
    }

    /// Takes a place, which has to be given back. False where none has become free by then, or too many wait.
    func take(within limit: Duration) async -> Bool {
        let (place, work, id) = state.withLock { state -> (Bool, SharedWork<Void>?, UInt64) in
            if state.free > 0 {
                state.free -= 1
                return (true, nil, 0)
            }
            guard limit > .zero, state.waiting.count < lineLimit else { return (false, nil, 0) }
            let work = SharedWork<Void>()
            state.tidy()
            state.lastID += 1
            state.line.append(state.lastID)
            state.waiting[state.lastID] = work
            return (false, work, state.lastID)
        }
        guard let work else { return place }
        if await work.value(within: limit, on: time) != nil { return true }
        // Its turn may have come at this moment: then it is the next one's.
        if state.withLock({ $0.waiting.removeValue(forKey: id) }) == nil { give() }
        return false
    }

    /// Gives a place back.
    func give() {
        let next = state.withLock { state -> SharedWork<Void>? in
            while state.first < state.line.count {
                let id = state.line[state.first]
                state.first += 1
                if let work = state.waiting.removeValue(forKey: id) { return work }
            }
            state.free += 1
            return nil
        }
        next?.finish(with: ())
    }

    /// How many wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }
    /// How many the line remembers, those that have given up among them.
    var lineCount: Int { state.withLock { $0.line.count } }
}
