/// Which jobs run, which wait, and which have failed and are left alone for a while. Times are monotonic.
package struct ConditioningSchedule<Key: Hashable & Sendable, Job: Sendable>: Sendable {
    package struct Limits: Sendable {
        /// Jobs at one time.
        package var running = 1
        /// Jobs that wait; more are refused.
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

    package let limits: Limits
    private var running: Set<Key> = []
    private var waiting: [(key: Key, job: Job)] = []
    private var isWaiting: Set<Key> = []
    private var failures: [Key: Failure] = [:]

    package init(limits: Limits = Limits()) { self.limits = limits }

    package var runningCount: Int { running.count }
    package var waitingCount: Int { waiting.count }

    /// Something is wanted that is not there.
    package mutating func request(_ key: Key, _ job: @autoclosure () -> Job, at now: Duration) -> Answer {
        if running.contains(key) || isWaiting.contains(key) { return .inProgress }
        if let failure = failures[key], now < failure.until { return .failed(failure.reason) }
        if running.count < limits.running {
            running.insert(key)
            return .run(job())
        }
        guard waiting.count < limits.waiting else { return .full }
        waiting.append((key, job()))
        isWaiting.insert(key)
        return .inProgress
    }

    /// A job has ended.
    ///
    /// - Returns: the next one, which the caller begins with now.
    package mutating func finished(
        _ key: Key, _ failure: ConditioningFailure?, at now: Duration
    ) -> (key: Key, job: Job)? {
        running.remove(key)
        if let failure {
            remember(failure, of: key, at: now)
        } else {
            failures[key] = nil
        }
        guard running.count < limits.running, !waiting.isEmpty else { return nil }
        let next = waiting.removeFirst()
        isWaiting.remove(next.key)
        running.insert(next.key)
        return next
    }

    /// Nothing that waits will be begun with.
    package mutating func dropWaiting() {
        waiting = []
        isWaiting = []
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
