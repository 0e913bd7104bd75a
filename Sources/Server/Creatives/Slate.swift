internal import Stitching
internal import Synchronization
internal import Transport

/// Media of the operator's own, that fill a source's breaks or stand around its ads: fetched ahead, a channel's and what is
/// to be made when the server starts, a title's with its first session, and then once in a while, so that no decision waits for them. What was fetched once stays while it cannot be fetched anew.
final class Slate: Sendable {
    private struct State {
        var media: AdMedia?
        /// It was fetched, and nobody has looked yet whether it fits the source.
        var isUnchecked = false
        /// The fetch that runs now.
        var fetch: SharedWork<Void>?
        /// They are made into what the source is like.
        var isMade = false
        /// Monotonic time from which on it is fetched anew.
        var dueAt: Duration?
        var backOff = BackOff(first: .seconds(5), longest: .seconds(120))
    }

    /// When media are made into what the source is like.
    enum Making: Sendable {
        case never
        /// They are a file.
        case always
        /// They are HLS: once that turns out to be of another kind.
        case whereUnfit
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
    private let making: Making
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let state = Mutex(State())

    /// - Parameters:
    ///   - read: fetches and checks the playlists at an address, or has them made for a source; has its own deadline.
    ///   - start: runs a job in the background.
    init(
        _ name: String = "slate", of source: SourceID, at url: String, making: Making = .never,
        time: any TimeSource, log: Log,
        read: @escaping @Sendable (String, LadderSubject?) async -> Result<AdMedia, CreativeFailure>,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) {
        self.name = name
        self.source = source
        self.url = url
        self.making = making
        self.time = time
        self.log = log
        self.read = read
        self.start = start
        if making == .always { state.withLock { $0.isMade = true } }
    }

    /// Whether it is still to be made, for which the source has to be known.
    var awaitsContent: Bool { state.withLock { $0.isMade && $0.media == nil } }

    /// What there is now.
    var media: AdMedia? { state.withLock { $0.media } }

    /// Somebody watches: fetches it, if that is due.
    ///
    /// - Parameter content: what the source is like, once it is known: a file waits for that.
    func refresh(for content: (() -> LadderSubject)? = nil) {
        let now = time.monotonic()
        let due = state.withLock { state -> (fetch: SharedWork<Void>, isMade: Bool)? in
            guard content != nil || !state.isMade else { return nil }
            guard state.fetch == nil, state.dueAt.map({ $0 <= now }) ?? true else { return nil }
            let fetch = SharedWork<Void>()
            state.fetch = fetch
            return (fetch, state.isMade)
        }
        guard let (fetch, isMade) = due else { return }
        let subject = isMade ? content?() : nil
        start { [self] in
            let result = await read(url, subject)
            let now = time.monotonic()
            state.withLock { state in
                state.fetch = nil
                // Meanwhile it turned out that it has to be made.
                guard state.isMade == isMade else { return }
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
            case .failure(let failure): report(failure.reason)
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

    /// It cannot be used in the source. Where something that fits can be made of it, that is done; else the log says why, once.
    func refuse(_ reason: String) {
        let isMade = state.withLock { state in
            guard making == .whereUnfit, !state.isMade else { return false }
            state.isMade = true
            state.media = nil
            state.dueAt = nil
            return true
        }
        guard isMade else { return report(reason) }
        log.once(
            "\(name)/\(source.kind)/\(source.name)/made", .info, "\(name).conditioned", reason: reason,
            ["source": .text(source.name), "url": .text(redactedURL(url))])
    }

    private func report(_ reason: String) {
        log.once(
            "\(name)/\(source.kind)/\(source.name)/\(reason)", .warning, "\(name).unusable", reason: reason,
            ["source": .text(source.name), "url": .text(redactedURL(url))])
    }
}
