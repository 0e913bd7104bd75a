internal import Synchronization

/// A clock that stands still until it is advanced.
package final class ManualTimeSource: TimeSource {
    private struct Sleeper {
        var id: UInt64
        var deadline: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct CountWaiter {
        var count: Int
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var wall: Int64
        var elapsed: Duration = .zero
        var sleepers: [Sleeper] = []
        var cancelled: Set<UInt64> = []
        var waiters: [CountWaiter] = []
        var lastID: UInt64 = 0
    }

    private let state: Mutex<State>

    /// - Parameter wallNanoseconds: the wall clock at the start, since 1970.
    package init(wallNanoseconds: Int64 = 1_700_000_000_000_000_000) {
        state = Mutex(State(wall: wallNanoseconds))
    }

    package func now() -> Int64 { state.withLock { $0.wall } }

    package func monotonic() -> Duration { state.withLock { $0.elapsed } }

    /// How many tasks sleep on this clock.
    package var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    package func sleep(for duration: Duration) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        // A cancellation that comes after waking up leaves its mark behind.
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(id, duration, continuation)
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Moves both clocks on, and wakes those whose time has come, the earliest first.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.elapsed += duration
            state.wall &+= Int64(clamping: duration.clampedNanoseconds)
            let limit = state.elapsed
            let due = state.sleepers.filter { $0.deadline <= limit }
            state.sleepers.removeAll { $0.deadline <= limit }
            return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Moves the wall clock alone, as an administrator or NTP might.
    package func jumpWall(toNanoseconds nanoseconds: Int64) { state.withLock { $0.wall = nanoseconds } }

    /// Returns once at least `count` tasks sleep on this clock, so that a test knows that advancing reaches them.
    package func waitForSleepers(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.waiters.append(CountWaiter(count: count, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private enum Arrival { case sleeping, due, cancelled }

    private func add(_ id: UInt64, _ duration: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
        let (arrival, waiters): (Arrival, [CountWaiter]) = state.withLock { state in
            if state.cancelled.remove(id) != nil { return (.cancelled, []) }
            if duration <= .zero { return (.due, []) }
            let deadline = state.elapsed + duration
            state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
            let count = state.sleepers.count
            let reached = state.waiters.filter { $0.count <= count }
            state.waiters.removeAll { $0.count <= count }
            return (.sleeping, reached)
        }
        switch arrival {
        case .sleeping: break
        case .due: continuation.resume()
        case .cancelled: continuation.resume(throwing: CancellationError())
        }
        for waiter in waiters { waiter.continuation.resume() }
    }

    private func cancel(_ id: UInt64) {
        let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.sleepers.remove(at: index).continuation
        }
        continuation?.resume(throwing: CancellationError())
    }
}
