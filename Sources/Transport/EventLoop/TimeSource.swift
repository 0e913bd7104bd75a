internal import Glibc

/// A clock that can be waited on. Tests hand in `ManualTimeSource`.
package protocol TimeSource: Sendable {
    /// Wall clock, nanoseconds since 1970, UTC. May jump.
    func now() -> Int64
    /// Time since an arbitrary start. Never goes back.
    func monotonic() -> Duration
    /// Returns when `duration` has passed on this clock. Throws `CancellationError` if the task is cancelled before.
    func sleep(for duration: Duration) async throws
}

/// The clocks of the machine.
package struct SystemTimeSource: TimeSource {
    package init() {}

    package func now() -> Int64 { MachineClock.wall() }

    package func monotonic() -> Duration { .nanoseconds(Int64(clamping: MachineClock.monotonic())) }

    /// On a loop the loop's own timers are used, so that nothing hops.
    package func sleep(for duration: Duration) async throws {
        guard let loop = EventLoop.current else {
            try await Task.sleep(for: duration)
            return
        }
        let sleeper = LoopSleeper(loop: loop)
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                sleeper.start(for: duration, continuation)
            }
        } onCancel: {
            loop.execute { sleeper.finish(throwing: CancellationError()) }
        }
    }
}

/// `@unchecked Sendable`: touched on its loop's thread only.
private final class LoopSleeper: @unchecked Sendable {
    private let loop: EventLoop
    private var continuation: CheckedContinuation<Void, any Error>?
    private var timer: EventLoop.TimerID?
    private var stopAction: Int?
    private var isFinished = false

    init(loop: EventLoop) { self.loop = loop }

    func start(for duration: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
        guard !isFinished, !Task.isCancelled, loop.isCurrent else {
            isFinished = true
            continuation.resume(throwing: CancellationError())
            return
        }
        self.continuation = continuation
        timer = loop.schedule(after: duration) { self.finish(throwing: nil) }
        stopAction = loop.addStopAction { self.finish(throwing: CancellationError()) }
    }

    func finish(throwing error: CancellationError?) {
        guard !isFinished else { return }
        isFinished = true
        if let timer { loop.cancel(timer) }
        if let stopAction { loop.removeStopAction(stopAction) }
        if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
        continuation = nil
    }
}
