package import Transport
package import VAST

/// Runs the flow over an ad answer and its wrappers: makes the requests it asks for, until it is finished or time is up.
package struct AdResolver: Sendable {
    /// Makes one request; has its own deadline. The address still has its macros.
    package var fetch: @Sendable (AdRequest) async -> AdResolution.FetchResult
    package var time: any TimeSource

    package init(fetch: @escaping @Sendable (AdRequest) async -> AdResolution.FetchResult, time: any TimeSource) {
        self.fetch = fetch
        self.time = time
    }

    private enum Event: Sendable {
        case answer(AdResolution.FetchResult, Int)
        case deadline
    }

    /// The ads that are known after `limit` at the latest (R-H4).
    package func ads(_ resolution: AdResolution, within limit: Duration) async -> ResolvedAds {
        var resolution = resolution
        return await withTaskGroup(of: Event.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try? await time.sleep(for: limit)
                return .deadline
            }
            while true {
                switch resolution.next() {
                case .finished(let ads):
                    return ads
                case .fetch(let requests):
                    for request in requests {
                        group.addTask { .answer(await fetch(request), request.id) }
                    }
                    switch await group.next() {
                    case .answer(let result, let id): resolution.receive(result, for: id)
                    case .deadline, nil: resolution.deadline()
                    }
                }
            }
        }
    }
}
