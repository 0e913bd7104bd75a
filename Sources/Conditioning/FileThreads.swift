internal import CLinux
internal import Glibc
internal import Synchronization

/// Threads for calls that block, so that no event loop waits for a disk or a child. They come with the work and go without.
package final class FileThreads: Sendable {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var threads = 0
    }

    private let count: Int
    private let limit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - count: of threads at one time.
    ///   - limit: of calls that wait for one; more are refused.
    package init(count: Int, limit: Int) {
        self.count = max(count, 1)
        self.limit = limit
    }

    /// Whether nothing runs or waits.
    package var isIdle: Bool { state.withLock { $0.threads == 0 } }

    /// Runs a call that blocks; nil where too many wait already.
    package func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value? {
        await withCheckedContinuation { continuation in
            let (isAccepted, needsThread) = state.withLock { state -> (Bool, Bool) in
                guard state.waiting.count < limit else { return (false, false) }
                state.waiting.append { continuation.resume(returning: body()) }
                guard state.threads < count else { return (true, false) }
                state.threads += 1
                return (true, true)
            }
            guard isAccepted else { return continuation.resume(returning: nil) }
            if needsThread, !Self.start({ [self] in work() }) { work() }
        }
    }

    private func work() {
        while true {
            let next = state.withLock { state -> (@Sendable () -> Void)? in
                guard !state.waiting.isEmpty else {
                    state.threads -= 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
            guard let next else { return }
            next()
        }
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Whether there is a thread for it.
    private static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let body = Unmanaged.passRetained(Body(run))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, body.toOpaque())
        if failure != 0 { body.release() }
        return failure == 0
    }
}
