internal import Stitching
internal import Synchronization
internal import Transport

/// Media of the operator's own, that fill a source's breaks or stand around its ads: fetched ahead, a channel's when the server
/// starts, a title's with its first session, and then once in a while, so that no decision waits for them. What was fetched once stays while it cannot be fetched anew.
final class Slate: Sendable {
    private struct State {
        var media: AdMedia?
        /// It was fetched, and nobody has looked yet whether it fits the source.
        var isUnchecked = false
        var isFetching = false
        /// Monotonic time from which on it is fetched anew.
        var dueAt: Duration?
        var backOff = BackOff(first: .seconds(5), longest: .seconds(120))
    }

    private static let lifetime = Duration.seconds(600)

    /// What it is, for the log.
    private let name: String
    private let source: SourceID
    private let url: String
    private let time: any TimeSource
    private let log: Log
    private let read: @Sendable (String) async -> Result<AdMedia, CreativeFailure>
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - read: fetches and checks the playlists at an address; has its own deadline.
    ///   - start: runs a job in the background.
    init(
        _ name: String = "slate", of source: SourceID, at url: String, time: any TimeSource, log: Log,
        read: @escaping @Sendable (String) async -> Result<AdMedia, CreativeFailure>,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) {
        self.name = name
        self.source = source
        self.url = url
        self.time = time
        self.log = log
        self.read = read
        self.start = start
    }

    /// What there is now.
    var media: AdMedia? { state.withLock { $0.media } }

    /// Somebody watches: fetches it, if that is due.
    func refresh() {
        let now = time.monotonic()
        let isDue = state.withLock { state in
            guard !state.isFetching, state.dueAt.map({ $0 <= now }) ?? true else { return false }
            state.isFetching = true
            return true
        }
        guard isDue else { return }
        start { [self] in
            let result = await read(url)
            let now = time.monotonic()
            state.withLock { state in
                state.isFetching = false
                switch result {
                case .success(let media):
                    state.media = media
                    state.isUnchecked = true
                    state.backOff.succeeded()
                    state.dueAt = now + Self.lifetime
                case .failure:
                    state.backOff.failed(at: now)
                    state.dueAt = state.backOff.retryAt
                }
            }
            switch result {
            case .success(let media):
                log.once(
                    "\(name)/\(source.kind)/\(source.name)/ready", .info, "\(name).ready",
                    [
                        "source": .text(source.name), "url": .text(redactedURL(url)),
                        "durationMilliseconds": .span(media.renditions.first?.duration ?? .zero),
                    ])
            case .failure(let failure): refuse(failure.reason)
            }
        }
    }

    /// The media that were fetched since this was last asked.
    func takeUnchecked() -> AdMedia? {
        state.withLock { state in
            guard state.isUnchecked else { return nil }
            state.isUnchecked = false
            return state.media
        }
    }

    /// Says once why it cannot be used.
    func refuse(_ reason: String) {
        log.once(
            "\(name)/\(source.kind)/\(source.name)/\(reason)", .warning, "\(name).unusable", reason: reason,
            ["source": .text(source.name), "url": .text(redactedURL(url))])
    }
}
