internal import Synchronization

/// The windows of a source that viewers have asked for with parameters of their own: each is a source for itself, with its own
/// timeline. Bounded; one is let go of when all its sessions have ended.
final class SourceWindows: Sendable {
    private struct Window {
        var source: Source
        /// Monotonic.
        var usedAt: Duration
    }

    private let limit: Int
    private let idle: Duration
    private let make: @Sendable (OriginParameters) -> Source
    private let windows = Mutex<[OriginParameters: Window]>([:])

    /// - Parameters:
    ///   - idle: how long the sessions of the source live without a request.
    ///   - make: makes the source of a window.
    init(limit: Int, idle: Duration, make: @escaping @Sendable (OriginParameters) -> Source) {
        self.limit = limit
        self.idle = idle
        self.make = make
    }

    var count: Int { windows.withLock { $0.count } }

    /// The window of these parameters; nil where there is no room for another one.
    func source(_ parameters: OriginParameters, at now: Duration) -> Source? {
        windows.withLock { windows in
            if windows[parameters] == nil {
                // A window with sessions stays: nothing else knows its numbers.
                if windows.count >= limit { windows = windows.filter { now - $0.value.usedAt <= idle } }
                guard windows.count < limit else { return nil }
                windows[parameters] = Window(source: make(parameters), usedAt: now)
            }
            windows[parameters]?.usedAt = now
            return windows[parameters]?.source
        }
    }

    func removeIdle(at now: Duration) {
        windows.withLock { windows in windows = windows.filter { now - $0.value.usedAt <= idle } }
    }
}
