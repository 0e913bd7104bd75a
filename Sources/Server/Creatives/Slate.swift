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
        /// The fetch that runs now.
        var fetch: SharedWork<Void>?
        /// Monotonic time from which on it is fetched anew.
        var dueAt: Duration?
        var backOff = BackOff(first: .seconds(5), longest: .seconds(120))
    }

    private static let lifetime = Duration.seconds(600)
    /// Between two looks at whether it has been made.
    private static let interval = Duration.seconds(5)

    /// What it is, for the log.
    private let name: String
    private let source: SourceID
    private let url: String
    private let time: any TimeSource
    private let log: Log
    private let read: @Sendable (String, LadderSubject?) async -> Result<AdMedia, CreativeFailure>
    /// It is a file, which is made into what the source is like.
    private let isFile: Bool
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - isFile: it is no playlist, but a file that is made into what the source is like.
    ///   - read: fetches and checks the playlists at an address, or has them made for a source; has its own deadline.
    ///   - start: runs a job in the background.
    init(
        _ name: String = "slate", of source: SourceID, at url: String, isFile: Bool = false, time: any TimeSource,
        log: Log, read: @escaping @Sendable (String, LadderSubject?) async -> Result<AdMedia, CreativeFailure>,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) {
        self.name = name
        self.source = source
        self.url = url
        self.isFile = isFile
        self.time = time
        self.log = log
        self.read = read
        self.start = start
    }

    /// What there is now.
    var media: AdMedia? { state.withLock { $0.media } }

    /// Somebody watches: fetches it, if that is due.
    ///
    /// - Parameter content: what the source is like, once it is known: a file waits for that.
    func refresh(for content: (() -> LadderSubject)? = nil) {
        guard content != nil || !isFile else { return }
        let now = time.monotonic()
        let fetch = state.withLock { state -> SharedWork<Void>? in
            guard state.fetch == nil, state.dueAt.map({ $0 <= now }) ?? true else { return nil }
            let fetch = SharedWork<Void>()
            state.fetch = fetch
            return fetch
        }
        guard let fetch else { return }
        let subject = isFile ? content?() : nil
        start { [self] in
            let result = await read(url, subject)
            let now = time.monotonic()
            state.withLock { state in
                state.fetch = nil
                switch result {
                case .success(let media):
                    state.media = media
                    state.isUnchecked = true
                    state.backOff.succeeded()
                    state.dueAt = now + Self.lifetime
                case .failure(.beingMade): state.dueAt = now + Self.interval
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
            case .failure(.beingMade): break
            case .failure(let failure): refuse(failure.reason)
            }
            fetch.finish(with: ())
        }
    }

    /// What there is, or will be once the fetch that runs now has ended: a title's first session may need it before.
    func media(within limit: Duration) async -> AdMedia? {
        let (media, fetch) = state.withLock { ($0.media, $0.fetch) }
        guard media == nil, let fetch else { return media }
        _ = await fetch.value(within: limit, on: time)
        return self.media
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
