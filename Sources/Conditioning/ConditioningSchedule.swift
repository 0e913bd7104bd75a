/// Which jobs run, which wait, and which have failed and are left alone for a while. Jobs are of hosts, which have their turns: one whose
/// server is slow, or that many files are wanted of, keeps no other one waiting. Times are monotonic.
package struct ConditioningSchedule<Key: Hashable & Sendable, Job: Sendable>: Sendable {
    package struct Limits: Sendable {
        /// Jobs at one time.
        package var running = 1
        /// Those of one host.
        package var runningOfHost = 1
        /// Jobs that wait. A further one takes the place of the last one of the host that has most of them, or is refused.
        package var waiting = 100
        /// Failures remembered; beyond it those that are over first are forgotten.
        package var failures = 10_000
        /// Pause after the first failure; it doubles with each further one.
        package var pause = Duration.seconds(30)
        /// The same where nothing will change soon.
        package var lastingPause = Duration.seconds(600)
        package var longestPause = Duration.seconds(21_600)

        package init() {}
    }

    package enum Answer: Sendable {
        /// The caller begins with it now.
        case run(Job)
        /// Somebody is at it, or will be.
        case inProgress
        /// It failed, and is left alone until later.
        case failed(ConditioningFailure)
        /// Too many are waiting.
        case full
    }

    private struct Failure {
        var reason: ConditioningFailure
        var count: Int
        var until: Duration
    }

    private struct Host {
        var name: String
        var running = 0
        var waiting: [(key: Key, job: Job)] = []
    }

    package let limits: Limits
    private var running: [Key: String] = [:]
    private var isWaiting: Set<Key> = []
    /// Those with jobs, the one whose turn is next first.
    private var hosts: [Host] = []
    private var failures: [Key: Failure] = [:]

    package init(limits: Limits = Limits()) { self.limits = limits }

    package var runningCount: Int { running.count }
    package var waitingCount: Int { isWaiting.count }

    /// Something is wanted that is not there.
    package mutating func request(
        _ key: Key, of host: String, _ job: @autoclosure () -> Job, at now: Duration
    ) -> Answer {
        if running[key] != nil || isWaiting.contains(key) { return .inProgress }
        if let failure = failures[key], now < failure.until { return .failed(failure.reason) }
        let place = place(of: host)
        if running.count < limits.running, hosts[place].running < limits.runningOfHost {
            running[key] = host
            hosts[place].running += 1
            return .run(job())
        }
        guard waitingCount < limits.waiting || displace(for: place) else {
            remove(emptyAt: place)
            return .full
        }
        // The one that gave way may have been a host's last.
        hosts[self.place(of: host)].waiting.append((key, job()))
        isWaiting.insert(key)
        return .inProgress
    }

    private mutating func place(of host: String) -> Int {
        if let place = hosts.firstIndex(where: { $0.name == host }) { return place }
        hosts.append(Host(name: host))
        return hosts.count - 1
    }

    private mutating func remove(emptyAt place: Int) {
        if hosts[place].running == 0, hosts[place].waiting.isEmpty { hosts.remove(at: place) }
    }

    /// Takes the last job of the host that has most of them waiting, if that is more than the new one's host will have.
    private mutating func displace(for place: Int) -> Bool {
        guard let largest = hosts.indices.max(by: { hosts[$0].waiting.count < hosts[$1].waiting.count }),
            hosts[largest].waiting.count > hosts[place].waiting.count + 1, let last = hosts[largest].waiting.popLast()
        else { return false }
        isWaiting.remove(last.key)
        return true
    }

    /// A job has ended.
    ///
    /// - Returns: the next ones, which the caller begins with now.
    package mutating func finished(_ key: Key, _ failure: ConditioningFailure?, at now: Duration) -> [Job] {
        if let host = running.removeValue(forKey: key) {
            let place = place(of: host)
            hosts[place].running -= 1
            remove(emptyAt: place)
        }
        if let failure {
            remember(failure, of: key, at: now)
        } else {
            failures[key] = nil
        }
        var next: [Job] = []
        while running.count < limits.running, let job = takeNext() { next.append(job) }
        return next
    }

    private mutating func takeNext() -> Job? {
        let turn = hosts.firstIndex { !$0.waiting.isEmpty && $0.running < limits.runningOfHost }
        guard let turn else { return nil }
        var host = hosts.remove(at: turn)
        let next = host.waiting.removeFirst()
        isWaiting.remove(next.key)
        running[next.key] = host.name
        host.running += 1
        hosts.append(host)
        return next.job
    }

    /// Nothing that waits will be begun with.
    package mutating func dropWaiting() {
        isWaiting = []
        for place in hosts.indices { hosts[place].waiting = [] }
        hosts.removeAll { $0.running == 0 }
    }

    private mutating func remember(_ failure: ConditioningFailure, of key: Key, at now: Duration) {
        let count = min((failures[key]?.count ?? 0) + 1, 32)
        var pause = failure.isLasting ? limits.lastingPause : limits.pause
        for _ in 1..<count where pause < limits.longestPause { pause = pause * 2 }
        if failures.count >= limits.failures, failures[key] == nil {
            failures = failures.filter { now < $0.value.until }
            // A tenth at a time: finding the first costs a pass.
            if failures.count >= limits.failures {
                let first = failures.sorted { $0.value.until < $1.value.until }
                for old in first.prefix(max(limits.failures / 10, 1)) { failures[old.key] = nil }
            }
        }
        failures[key] = Failure(reason: failure, count: count, until: now + min(pause, limits.longestPause))
    }
}
