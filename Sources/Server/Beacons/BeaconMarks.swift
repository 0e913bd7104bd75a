internal import Synchronization
internal import Transport

/// What the store is still to be told of its beacons: that they are sent, or in how many attempts nothing arrived. Many in one commit.
final class BeaconMarks: Sendable {
    private struct State {
        var waiting: [(mark: BeaconMark, work: SharedWork<Void>?)] = []
        var isTelling = false
    }

    /// While the store is away no more wait: of the oldest it then takes that they are not sent.
    private static let limit = 20_000

    private let store: (any BeaconStore)?
    private let trials: BeaconStoreTrials
    private let batch: Int
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - store: nil where beacons are kept nowhere: there is nobody to be told.
    ///   - batch: marks in one commit.
    init(
        store: (any BeaconStore)?, trials: BeaconStoreTrials, batch: Int,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) {
        self.store = store
        self.trials = trials
        self.batch = batch
        self.start = start
    }

    func add(_ beacon: Beacon, _ fate: BeaconMark.Fate) { add(beacon, fate, nil) }

    /// The same; waits until the store has been told, or is away: it is then told when it is back.
    func added(_ beacon: Beacon, _ fate: BeaconMark.Fate) async {
        guard store != nil else { return }
        let work = SharedWork<Void>()
        add(beacon, fate, work)
        _ = await work.value()
    }

    private func add(_ beacon: Beacon, _ fate: BeaconMark.Fate, _ work: SharedWork<Void>?) {
        guard store != nil else { return }
        let mark = BeaconMark(owner: SessionArchive.owner(beacon.lane.session), name: beacon.name, fate: fate)
        let begins = state.withLock { state in
            state.waiting.append((mark, work))
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if begins { start { [self] in await tellAll() } }
    }

    /// Tells what is left from when the store was away.
    func tryAgain() async {
        let begins = state.withLock { state in
            guard !state.waiting.isEmpty, !state.isTelling else { return false }
            state.isTelling = true
            return true
        }
        if begins { await tellAll() }
    }

    private func tellAll() async {
        while true {
            let batch = state.withLock { state in
                let batch = Array(state.waiting.prefix(self.batch))
                state.waiting.removeFirst(batch.count)
                if batch.isEmpty { state.isTelling = false }
                return batch
            }
            guard !batch.isEmpty, let store else { return }
            let isTold: Void? = await trials.make { () throws(StoreError) in try await store.mark(batch.map(\.mark)) }
            for (_, work) in batch { work?.finish(with: ()) }
            if isTold != nil { continue }
            let rest = state.withLock { state in
                let rest = state.waiting
                state.waiting = (batch + rest).suffix(Self.limit).map { ($0.mark, nil) }
                state.isTelling = false
                return rest
            }
            // Nobody waits for a store that is away.
            for (_, work) in rest { work?.finish(with: ()) }
            return
        }
    }
}
