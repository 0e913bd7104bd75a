internal import Synchronization
internal import Transport

/// Sends beacons off the path of the playlists. Bounded: when it is full the newest are lost, and counted.
///
/// Order is kept within a lane; lanes of one host share a number of connections in turn, and a slow host holds up nobody else.
final class BeaconQueue: Sendable {
    struct Limits: Sendable {
        var waiting = 20_000
        var perHost = 8
        var atOnce = 64
        /// Attempts in sum, when nothing arrived.
        var attempts = 3
        var retryDelay = Duration.seconds(2)
    }

    /// First in, first out.
    private struct LaneQueue {
        private var lanes: [Beacon.Lane] = []
        private var first = 0

        var isEmpty: Bool { first == lanes.count }
        mutating func append(_ lane: Beacon.Lane) { lanes.append(lane) }

        mutating func popFirst() -> Beacon.Lane? {
            guard first < lanes.count else { return nil }
            defer { first += 1 }
            if first > 64, first * 2 > lanes.count {
                lanes.removeFirst(first)
                first = 0
            }
            return lanes[first]
        }
    }

    private struct State {
        var lanes: [Beacon.Lane: [Beacon]] = [:]
        /// Lanes that have something to send and wait for a slot, by host.
        var ready: [String: LaneQueue] = [:]
        /// The hosts of those, in turn: the longest wait first.
        var hosts: [String] = []
        var busyLanes: Set<Beacon.Lane> = []
        var inFlightByHost: [String: Int] = [:]
        var waiting = 0
        var lost = 0
        /// Requests on their way: lanes may be busy without one.
        var inFlight = 0
        var isClosed = false
        var idleWaiters: [SharedWork<Void>] = []
    }

    private let limits: Limits
    private let time: any TimeSource
    private let send: @Sendable (Beacon) async -> BeaconOutcome
    private let report: @Sendable (Beacon, BeaconOutcome) -> Void
    private let settle: @Sendable (Beacon) async -> Void
    private let attempted: @Sendable (Beacon, Int) -> Void
    private let lost: @Sendable (Beacon, _ isClosed: Bool) -> Void
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - send: makes one attempt; has its own deadline.
    ///   - report: hears the end of each beacon, for the log.
    ///   - settle: keeps that a beacon was sent. The next one of its lane waits for that, so that of a lane no more than one is ever
    ///     sent twice; nothing else does.
    ///   - attempted: hears of attempts in which nothing arrived.
    ///   - lost: hears of each beacon that found no room, or came when the queue was closed.
    ///   - start: runs a job in the background.
    init(
        limits: Limits = Limits(), time: any TimeSource,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
        send: @escaping @Sendable (Beacon) async -> BeaconOutcome,
        report: @escaping @Sendable (Beacon, BeaconOutcome) -> Void,
        settle: @escaping @Sendable (Beacon) async -> Void = { _ in },
        attempted: @escaping @Sendable (Beacon, Int) -> Void = { _, _ in },
        lost: @escaping @Sendable (Beacon, _ isClosed: Bool) -> Void = { _, _ in }
    ) {
        self.settle = settle
        self.attempted = attempted
        self.limits = limits
        self.time = time
        self.start = start
        self.send = send
        self.report = report
        self.lost = lost
    }

    /// How many wait or are being sent, and how many were lost to the bound.
    var counts: (waiting: Int, lost: Int) { state.withLock { ($0.waiting, $0.lost) } }

    /// Takes the beacons in their order. What does not fit is lost.
    func enqueue(_ beacons: [Beacon]) {
        guard !beacons.isEmpty else { return }
        let starting = state.withLock { state -> [Beacon.Lane] in
            for beacon in beacons {
                guard !state.isClosed, state.waiting < limits.waiting else {
                    state.lost += 1
                    lost(beacon, state.isClosed)
                    continue
                }
                state.waiting += 1
                let isNew = state.lanes[beacon.lane, default: []].isEmpty
                state.lanes[beacon.lane, default: []].append(beacon)
                if isNew, !state.busyLanes.contains(beacon.lane) { Self.wait(beacon.lane, &state) }
            }
            return lanesToStart(&state)
        }
        launch(starting)
    }

    /// Waits until everything is sent, at most `limit`; takes nothing more afterwards.
    func drain(within limit: Duration) async {
        let idle = SharedWork<Void>()
        let isIdle = state.withLock { state in
            state.isClosed = true
            guard state.waiting > 0 else { return true }
            state.idleWaiters.append(idle)
            return false
        }
        if !isIdle { _ = await idle.value(within: limit, on: time) }
    }

    /// Waits until nothing is waiting or on its way. For tests and orderly ends.
    func becomesIdle() async {
        let idle = SharedWork<Void>()
        let isIdle = state.withLock { state in
            guard state.waiting > 0 else { return true }
            state.idleWaiters.append(idle)
            return false
        }
        if !isIdle { _ = await idle.value() }
    }

    private static func wait(_ lane: Beacon.Lane, _ state: inout State) {
        if state.ready[lane.host] == nil { state.hosts.append(lane.host) }
        state.ready[lane.host, default: LaneQueue()].append(lane)
    }

    /// One lane of each host in turn, as long as there are slots: what waits for a slow host costs the others nothing.
    private func lanesToStart(_ state: inout State) -> [Beacon.Lane] {
        var starting: [Beacon.Lane] = []
        var passedOver: [String] = []
        var hosts = state.hosts[...]
        var behind: [String] = []
        while state.inFlight < limits.atOnce, let host = hosts.popFirst() ?? nextRound(&hosts, &behind) {
            guard state.inFlightByHost[host, default: 0] < limits.perHost, let lane = state.ready[host]?.popFirst()
            else {
                passedOver.append(host)
                continue
            }
            if state.ready[host]?.isEmpty ?? true { state.ready[host] = nil } else { behind.append(host) }
            state.busyLanes.insert(lane)
            state.inFlight += 1
            state.inFlightByHost[host, default: 0] += 1
            starting.append(lane)
        }
        state.hosts = passedOver + hosts + behind
        return starting
    }

    private func nextRound(_ hosts: inout ArraySlice<String>, _ behind: inout [String]) -> String? {
        hosts = behind[...]
        behind = []
        return hosts.popFirst()
    }

    private func launch(_ lanes: [Beacon.Lane]) {
        for lane in lanes { start { await self.sendNext(of: lane) } }
    }

    private func sendNext(of lane: Beacon.Lane) async {
        guard let beacon = state.withLock({ $0.lanes[lane]?.first }) else { return }
        report(beacon, await deliver(beacon))
        launch(
            state.withLock { state in
                state.inFlight -= 1
                let inFlight = state.inFlightByHost[lane.host, default: 1] - 1
                state.inFlightByHost[lane.host] = inFlight > 0 ? inFlight : nil
                return lanesToStart(&state)
            })
        await settle(beacon)
        let (starting, idle) = state.withLock { state -> ([Beacon.Lane], [SharedWork<Void>]) in
            state.waiting -= 1
            state.busyLanes.remove(lane)
            var rest = state.lanes[lane] ?? []
            if !rest.isEmpty { rest.removeFirst() }
            state.lanes[lane] = rest.isEmpty ? nil : rest
            if !rest.isEmpty { Self.wait(lane, &state) }
            guard state.waiting == 0 else { return (lanesToStart(&state), []) }
            defer { state.idleWaiters = [] }
            return ([], state.idleWaiters)
        }
        for waiter in idle { waiter.finish(with: ()) }
        launch(starting)
    }

    private func deliver(_ beacon: Beacon) async -> BeaconOutcome {
        var delay = limits.retryDelay
        for attempt in beacon.attempts + 1..<max(limits.attempts, beacon.attempts + 1) {
            let outcome = await send(beacon)
            guard case .notSent = outcome else { return outcome }
            attempted(beacon, attempt)
            do { try await time.sleep(for: delay) } catch { return outcome }
            delay = delay * 2
        }
        return await send(beacon)
    }
}
