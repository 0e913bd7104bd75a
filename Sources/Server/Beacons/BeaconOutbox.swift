internal import HLS
internal import Stitching
internal import Synchronization
internal import Transport

/// What is due and not sent yet. Kept in the store before it is sent, so that it survives the process; of several processes that see
/// one beacon fall due one sends it.
///
/// Keeping comes first, many in one commit; then it is sent, then marked as sent. A process that is killed between the last two leaves a
/// beacon that is sent a second time: one of a session and host at most. Nobody waits for any of it but who asks to.
final class BeaconOutbox: Sendable {
    struct Limits: Sendable {
        /// Beacons that are not sent yet.
        var beacons = 100_000
        /// And their bytes, as kept in memory.
        var bytes = 128 << 20
        /// One that is late by more is given up.
        var age = Duration.seconds(600)
        /// In one commit.
        var batch = 200
        /// How long a process that says nothing is taken to live.
        var lease = Duration.seconds(15)
    }

    private struct Entry {
        var beacon: Beacon
        var kept: SharedWork<Void>?
    }

    private struct State {
        /// Not sent yet, and their bytes.
        var count = 0
        var bytes = 0
        /// To be kept, from `first` on.
        var unkept: [Entry] = []
        var first = 0
        var isKeeping = false
        /// Nothing is kept until the store is back.
        var isStuck = false
        /// Kept, and not due yet.
        var later = DueHeap<Beacon>()
        var isTicking = false
        var isClosed = false
        var idleWaiters: [SharedWork<Void>] = []
    }

    /// Between two looks at the clock.
    private static let interval = Duration.milliseconds(200)
    /// Between two signs of life.
    static let renewal = Duration.seconds(3)

    private let limits: Limits
    private let store: (any BeaconStore)?
    private let holder: String
    private let time: any TimeSource
    private let log: Log
    private let metrics: Metrics
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    /// How long the name of a session's beacon is remembered.
    private let lifetime: @Sendable (SourceID) -> Duration
    /// Whether nothing is to be sent that the store has not taken: others use it, and cannot know.
    private let waitsForStore: @Sendable () -> Bool
    private let trials: BeaconStoreTrials
    private let marks: BeaconMarks
    private let queue = Mutex<BeaconQueue?>(nil)
    private let state = Mutex(State())

    init(
        limits: Limits = Limits(), store: (any BeaconStore)?, holder: String, time: any TimeSource, log: Log,
        metrics: Metrics, lifetime: @escaping @Sendable (SourceID) -> Duration,
        waitsForStore: @escaping @Sendable () -> Bool = { false },
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) {
        self.limits = limits
        self.store = store
        self.holder = holder
        self.time = time
        self.log = log
        self.metrics = metrics
        self.lifetime = lifetime
        self.waitsForStore = waitsForStore
        self.start = start
        trials = BeaconStoreTrials(time: time, log: log, metrics: metrics)
        marks = BeaconMarks(store: store, trials: trials, batch: limits.batch, start: start)
    }

    /// The queue that sends what is due here.
    ///
    /// - Parameters:
    ///   - limits: all that is taken here may wait there.
    ///   - send: makes one attempt; has its own deadline.
    ///   - report: hears the end of each beacon.
    func open(
        limits: BeaconQueue.Limits, send: @escaping @Sendable (Beacon) async -> BeaconOutcome,
        report: @escaping @Sendable (Beacon, BeaconOutcome) -> Void
    ) -> BeaconQueue {
        var limits = limits
        limits.waiting = self.limits.beacons
        let made = BeaconQueue(
            limits: limits, time: time, start: start, send: send, report: report,
            settle: { [self] in await settle($0) },
            attempted: { [self] beacon, attempts in marks.add(beacon, .attempted(attempts)) },
            lost: { [self] beacon, isClosed in lose(beacon, isClosed: isClosed) })
        queue.withLock { $0 = made }
        return made
    }

    /// Beacons that are not sent yet.
    var count: Int { state.withLock { $0.count } }

    /// Anything waits for its time.
    var isTicking: Bool { state.withLock { $0.isTicking } }

    // MARK: Taking

    /// Takes beacons, whose order is kept. What finds no room is lost, and counted.
    func submit(_ beacons: [Beacon], kept: SharedWork<Void>? = nil) {
        guard !beacons.isEmpty else {
            kept?.finish(with: ())
            return
        }
        var begins = false
        var lost = 0
        let now = time.now()
        state.withLock { state in
            var taken: [Beacon] = []
            for var beacon in beacons {
                beacon.due = max(beacon.due, now)
                guard !state.isClosed, state.count < limits.beacons, state.bytes + beacon.cost <= limits.bytes else {
                    lost += 1
                    continue
                }
                state.count += 1
                state.bytes += beacon.cost
                taken.append(beacon)
            }
            guard store != nil, !taken.isEmpty else {
                release(taken, &state)
                kept?.finish(with: ())
                return
            }
            for beacon in taken { state.unkept.append(Entry(beacon: beacon, kept: nil)) }
            state.unkept[state.unkept.count - 1].kept = kept
            begins = !state.isKeeping
            state.isKeeping = true
        }
        if lost > 0 { metrics.beaconsLost.increment(by: lost) }
        if begins { start { [self] in await keepAll() } }
        tickOn()
    }

    /// The same; waits until they are kept, a moment at most.
    func submitted(_ beacons: [Beacon]) async {
        let kept = SharedWork<Void>()
        submit(beacons, kept: kept)
        _ = await kept.value(within: .seconds(1), on: time)
    }

    private func keepAll() async {
        while true {
            let batch = state.withLock { state -> [Entry] in
                let end = min(state.first + limits.batch, state.unkept.count)
                let batch = Array(state.unkept[state.first..<end])
                state.first = end
                if state.first == state.unkept.count {
                    state.unkept = []
                    state.first = 0
                }
                if batch.isEmpty { state.isKeeping = false }
                return batch
            }
            if batch.isEmpty { break }
            let fates = await keep(batch.map(\.beacon))
            let lost = fates.count { $0 == .lost }
            state.withLock { state in
                var own: [Beacon] = []
                for (entry, fate) in zip(batch, fates) {
                    if fate == .own { own.append(entry.beacon) } else { Self.forget(entry.beacon, &state) }
                }
                release(own, &state)
            }
            if lost > 0 { metrics.beaconsLost.increment(by: lost) }
            for entry in batch { entry.kept?.finish(with: ()) }
            tickOn()
        }
        wakeIdle()
    }

    private enum Fate { case own, others, lost }

    private func keep(_ beacons: [Beacon]) async -> [Fate] {
        let own = beacons.map { _ in Fate.own }
        guard let store else { return own }
        let rows = beacons.map { beacon in
            let lifetime = lifetime(beacon.lane.session.source) * 5 / 4
            return BeaconRow(
                owner: SessionArchive.owner(beacon.lane.session), name: beacon.name, value: beacon.bytes ?? [],
                due: beacon.due, expiry: now(after: max(lifetime, .seconds(3_600))),
                isKeptWithOwner: beacon.lane.session.source.kind == .vod, attempts: beacon.attempts)
        }
        let ends = time.monotonic() + limits.age
        while true {
            let isNew = await trials.make { () throws(StoreError) in
                try await store.keep(rows, for: holder, until: leaseEnd)
            }
            if let isNew {
                state.withLock { $0.isStuck = false }
                return isNew.map { $0 ? .own : .others }
            }
            // One server alone goes on as if nothing had happened.
            guard waitsForStore() else { return own }
            state.withLock { $0.isStuck = true }
            wakeIdle()
            guard time.monotonic() < ends, !state.withLock({ $0.isClosed }),
                (try? await time.sleep(for: Self.interval)) != nil
            else {
                state.withLock { $0.isStuck = false }
                return beacons.map { _ in .lost }
            }
        }
    }

    private var leaseEnd: Int64 { now(after: limits.lease) }

    /// Wall clock so long after now, nanoseconds since 1970.
    private func now(after duration: Duration) -> Int64 {
        DateTime(nanoseconds: time.now()).advanced(by: duration).nanoseconds
    }

    /// Into the queue while the lock is held: two who do this at one time must not change the order.
    private func release(_ beacons: [Beacon], _ state: inout State) {
        let now = time.now()
        var due: [Beacon] = []
        for beacon in beacons {
            if beacon.due <= now { due.append(beacon) } else { state.later.add(beacon, at: beacon.due) }
        }
        if !due.isEmpty { queue.withLock { $0 }?.enqueue(due) }
    }

    // MARK: The clock

    private func tickOn() {
        let begins = state.withLock { state in
            guard !state.isTicking, !state.isClosed, !state.later.isEmpty else { return false }
            state.isTicking = true
            return true
        }
        guard begins else { return }
        start { [self] in
            while true {
                do { try await time.sleep(for: Self.interval) } catch { break }
                guard tick() else { return }
            }
            state.withLock { $0.isTicking = false }
        }
    }

    /// Sends what is due; false when there is nothing left to wait for.
    private func tick() -> Bool {
        let now = time.now()
        return state.withLock { state in
            var due: [Beacon] = []
            while let next = state.later.popFirst(upTo: now) { due.append(next) }
            release(due, &state)
            state.isTicking = !state.isClosed && !state.later.isEmpty
            return state.isTicking
        }
    }

    // MARK: Sent

    private static func forget(_ beacon: Beacon, _ state: inout State) {
        state.count -= 1
        state.bytes -= beacon.cost
    }

    private func settle(_ beacon: Beacon) async {
        state.withLock { Self.forget(beacon, &$0) }
        await marks.added(beacon, .done)
    }

    /// Called with the queue's lock held.
    private func lose(_ beacon: Beacon, isClosed: Bool) {
        // What is kept is for whoever comes next.
        guard !isClosed || store == nil else { return }
        metrics.beaconsLost.increment()
        start { [self] in await settle(beacon) }
    }

    // MARK: What others have left

    /// Tells that this process lives, and takes over what others have left that do not.
    ///
    /// - Parameter cookies: those of a session that is known here.
    func attend(cookies: (SessionKey) -> CookieJar) async {
        guard let store else { return }
        do throws(StoreError) {
            if count > 0 { try await store.renew(holder, until: leaseEnd) }
            await marks.tryAgain()
            let room = min(limits.beacons - count, 2_000)
            guard room > 0, !state.withLock({ $0.isClosed }) else { return }
            let found = try await store.adopt(
                for: holder, limit: room, oldest: now(after: .zero - limits.age), until: leaseEnd)
            if found.tooOld > 0 { metrics.beaconsLost.increment(by: found.tooOld) }
            guard !found.rows.isEmpty else { return }
            take(found.rows, cookies)
        } catch {
            trials.failed(error)
        }
    }

    private func take(_ rows: [BeaconRow], _ cookies: (SessionKey) -> CookieJar) {
        let beacons = rows.compactMap { Beacon($0, cookies: cookies) }
        metrics.beaconsAdopted.increment(by: beacons.count)
        metrics.beaconsLost.increment(by: rows.count - beacons.count)
        log.info("beacons.adopted", ["beacons": .number(beacons.count)])
        state.withLock { state in
            for beacon in beacons {
                state.count += 1
                state.bytes += beacon.cost
            }
            release(beacons, &state)
        }
        tickOn()
    }

    /// Forgets the names of beacons that cannot fall due again.
    func removeSent() async { try? await store?.removeSent() }

    // MARK: The end

    /// Takes nothing more, and waits until what is due is sent, at most `limit`. What is not sent then is left to whoever comes next.
    func drain(within limit: Duration) async {
        let ends = time.monotonic() + limit
        await becomesIdle(within: limit)
        let later = state.withLock { state in
            state.isClosed = true
            return state.later.removeAll()
        }
        if store == nil, !later.isEmpty { metrics.beaconsLost.increment(by: later.count) }
        await queue.withLock({ $0 })?.drain(within: ends - time.monotonic())
        try? await store?.leave(holder)
    }

    /// Waits until everything is kept that the store takes, and what is due is sent.
    func becomesIdle() async {
        await becomesIdle(within: nil)
        await queue.withLock({ $0 })?.becomesIdle()
    }

    private func becomesIdle(within limit: Duration?) async {
        let idle = SharedWork<Void>()
        let isIdle = state.withLock { state in
            guard state.isKeeping, !state.isStuck else { return true }
            state.idleWaiters.append(idle)
            return false
        }
        if isIdle { return }
        if let limit { _ = await idle.value(within: limit, on: time) } else { _ = await idle.value() }
    }

    private func wakeIdle() {
        let waiters = state.withLock { state -> [SharedWork<Void>] in
            guard !state.isKeeping || state.isStuck else { return [] }
            defer { state.idleWaiters = [] }
            return state.idleWaiters
        }
        for waiter in waiters { waiter.finish(with: ()) }
    }
}
