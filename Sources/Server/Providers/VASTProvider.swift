internal import Stitching
internal import Synchronization
internal import Transport
internal import VAST

/// A request to an ad server, ready to be made.
struct AdServerRequest: Sendable {
    var url: String
    var headers: [(String, String)]
    /// The host is named by an ad answer, not by the operator: private addresses are not allowed.
    var isNamedByAnswer: Bool
    var timeout: Duration
    var byteLimit: Int
    var cookies: CookieJar
    /// At one time to its host, on each event loop. More wait.
    var connections = 64
}

/// An ad server that answers VAST or VMAP.
///
/// Requests to it are bounded in number, and there are none but probes while it does not answer. Both are told as `.notSent`.
final class VASTProvider: AdProvider {
    private struct State {
        var circuit = Circuit()
        /// The request by which it is found out whether the ad server is well again; tells whether it was answered.
        var probe: SharedWork<Bool>?
        /// How long answers have taken of late.
        var typicalTime = Duration.zero
    }

    private let options: VASTProviderOptions
    private let limits: VASTLimits
    private let time: any TimeSource
    private let macros: SessionMacros
    private let metrics: Metrics
    private let debugger: AdDebugger
    private let fetch: @Sendable (AdServerRequest) async -> AdResolution.FetchResult
    private let places: RequestPlaces
    /// No request is answered faster, as far as is known before the first one.
    private static let leastTime = Duration.milliseconds(50)
    private let state = Mutex(State())

    init(
        options: VASTProviderOptions, maxAnswerBytes: Int, time: any TimeSource, macros: SessionMacros,
        metrics: Metrics, debugger: AdDebugger,
        fetch: @escaping @Sendable (AdServerRequest) async -> AdResolution.FetchResult
    ) {
        self.options = options
        self.limits = VASTLimits(
            documentBytes: maxAnswerBytes, breaks: 5_000, wrappers: options.wrapperLimit,
            totalBytes: maxAnswerBytes * 4)
        self.time = time
        self.macros = macros
        self.metrics = metrics
        self.debugger = debugger
        self.fetch = fetch
        places = RequestPlaces(options.maxRequests, time: time)
    }

    /// A break's request, and the monotonic time at which its answer has to be there.
    private struct Asked: Sendable {
        var request: BreakRequest
        var ends: Duration
    }

    private func asked(_ request: BreakRequest) -> Asked {
        Asked(request: request, ends: time.monotonic() + min(request.limit, options.timeout))
    }

    func ads(for request: BreakRequest) async -> AdAnswerForBreak {
        await resolve(
            AdResolution(url: options.url, options: resolutionOptions(request)), asked(request), operatorsDepth: 0)
    }

    func schedule(for request: BreakRequest) async -> AdSchedule {
        let asked = asked(request)
        switch await ownAnswer(asked) {
        case .failure(let failure): return .oneBreak(AdAnswerForBreak(failure: failure.reason))
        case .body(let bytes, let finalURL):
            let url = finalURL ?? options.url
            do throws(VASTError) {
                switch try AdAnswer(parsing: bytes, limits: limits) {
                case .vmap(let schedule): return .breaks(schedule, url: url)
                case .vast(let document):
                    let resolution = AdResolution(document: document, url: url, options: resolutionOptions(request))
                    return .oneBreak(await resolve(resolution, asked, operatorsDepth: nil))
                }
            } catch {
                return .oneBreak(AdAnswerForBreak(failure: "ad answer cannot be read: \(error)"))
            }
        }
    }

    func ads(from source: AdSource, url: String, for request: BreakRequest) async -> AdAnswerForBreak {
        await resolve(
            AdResolution(source: source, url: url, options: resolutionOptions(request)), asked(request),
            operatorsDepth: nil)
    }

    private func resolutionOptions(_ request: BreakRequest) -> AdResolution.Options {
        var resolution = AdResolution.Options()
        resolution.keepsOverlays = request.keepsOverlays
        resolution.enforcesBlockedCategories = options.refusesBlockedCategories
        resolution.limits = limits
        // Files that are not HLS make an ad resolve too: which of them can be played is seen when it is prepared.
        resolution.playable = [.hls, .progressive]
        resolution.takesMezzanines = true
        return resolution
    }

    /// - Parameter operatorsDepth: the depth at which the address is the operator's own; nil where none is.
    private func resolve(
        _ resolution: AdResolution, _ asked: Asked, operatorsDepth: Int?
    ) async -> AdAnswerForBreak {
        let operatorsURL = options.url
        let resolver = AdResolver(
            fetch: { adRequest in
                let isOwn = adRequest.depth == operatorsDepth && adRequest.url == operatorsURL
                return isOwn
                    ? await self.ownAnswer(asked) : await self.answer(adRequest.url, asked, isNamedByAnswer: true)
            }, time: time)
        var ads = await resolver.ads(resolution, within: asked.ends - time.monotonic())
        for ad in ads.pod.dropFirst(options.maxAds) {
            ads.log.append(AdNote(kind: .adSkipped, adID: ad.id, text: "more ads than maxAds (\(options.maxAds))"))
        }
        ads.pod = Array(ads.pod.prefix(options.maxAds))
        var answer = AdAnswerForBreak(ads: ads)
        if ads.pod.isEmpty, ads.spares.isEmpty {
            if let failure = ads.requestFailure {
                answer.failure = failure.reason
            } else if let note = ads.log.last(where: { $0.kind == .noAd && $0.code != .noAd }) {
                answer.failure = note.text
            }
        }
        return answer
    }

    /// The answer of the operator's own ad server, unless it is left alone or there is no place for a request in time.
    private func ownAnswer(_ asked: Asked) async -> AdResolution.FetchResult {
        // The second time where somebody else has become the one to try it, and was answered.
        for _ in 0..<2 {
            guard await mayAsk(asked) else { break }
            // A request that cannot be answered in time any more is not made.
            let needed = max(state.withLock { $0.typicalTime } * 2, Self.leastTime)
            let patience = asked.ends - time.monotonic() - needed
            guard await places.take(within: patience) else {
                metrics.adRequestsHeldBack.increment()
                return .failure(
                    .notSent("none of maxRequests (\(options.maxRequests)) requests at one time came free in time"))
            }
            defer { places.give() }
            if let result = await permittedAnswer(asked) { return result }
        }
        metrics.adRequestsHeldBack.increment()
        return .failure(.notSent("ad server is left alone for a moment after failures"))
    }

    /// Whether the ad server answers, as far as is known: while it is tried, that is waited for, up to half of the time.
    private func mayAsk(_ asked: Asked) async -> Bool {
        let now = time.monotonic()
        let (mayAsk, probe) = state.withLock { ($0.circuit.mayAsk(at: now), $0.probe) }
        if mayAsk { return true }
        guard let probe else { return false }
        return await probe.value(within: (asked.ends - now) / 2, on: time) ?? false
    }

    /// Nil where the ad server is left alone.
    private func permittedAnswer(_ asked: Asked) async -> AdResolution.FetchResult? {
        let began = time.monotonic()
        let probe = SharedWork<Bool>()
        let permit = state.withLock { state in
            let permit = state.circuit.permit(at: began, until: asked.ends)
            if let permit, permit.isProbe { state.probe = probe }
            return permit
        }
        guard let permit else { return nil }
        let result = await answer(options.url, asked, isNamedByAnswer: false)
        let now = time.monotonic()
        let outcome = Circuit.Outcome(result)
        state.withLock { state in
            state.circuit.ended(permit, outcome, at: now)
            if outcome == .answered { state.typicalTime = (state.typicalTime * 7 + (now - began)) / 8 }
            // A probe that has taken too long may have a successor.
            if state.probe === probe { state.probe = nil }
        }
        probe.finish(with: outcome == .answered)
        return result
    }

    private func answer(
        _ url: String, _ asked: Asked, isNamedByAnswer: Bool
    ) async -> AdResolution.FetchResult {
        let request = asked.request
        let context = macros.context(request.record, BreakFacts(request.opportunity))
        var headers = request.record.viewer.requestHeaders
        if options.userAgent == .own {
            headers.removeAll { $0.0 == "User-Agent" }
            headers.append(("User-Agent", macros.serverUserAgent))
        }
        if !isNamedByAnswer { headers += options.headers.map { ($0.name, $0.value) } }
        metrics.adRequests.increment()
        let called = Macros.requestURL(url, in: context, for: .adRequest)
        let (began, clock) = (time.now(), time.monotonic())
        let result = await fetch(
            AdServerRequest(
                url: called, headers: headers, isNamedByAnswer: isNamedByAnswer,
                timeout: min(options.requestTimeout, max(asked.ends - clock, .milliseconds(1))),
                byteLimit: limits.documentBytes, cookies: request.cookies, connections: options.maxRequests))
        let outcome: (text: String, body: [UInt8]) =
            switch result {
            case .body(let bytes, _): ("answered", bytes)
            case .failure(let failure): ("\(failure)", [])
            }
        debugger.requested(
            called, for: request.opportunity.id, request.record.key, isNamedByAnswer: isNamedByAnswer, began: began,
            elapsed: time.monotonic() - clock, outcome: outcome.text, body: outcome.body)
        if case .failure = result { metrics.adRequestFailures.increment() }
        return result
    }
}

extension FetchFailure {
    /// For the log.
    fileprivate var reason: String {
        if case .notSent(let reason) = self { return reason }
        return "ad request failed: \(self)"
    }
}

extension Circuit.Outcome {
    /// A server that says of itself that it cannot, or that there are too many, has failed; any other status is an answer.
    fileprivate init(_ result: AdResolution.FetchResult) {
        self =
            switch result {
            case .body: .answered
            case .failure(.timeout), .failure(.connection): .failed
            case .failure(.status(let status)): status >= 500 || status == 429 ? .failed : .answered
            case .failure(.tooLarge): .answered
            case .failure(.refusedAddress), .failure(.unusableURL), .failure(.notSent): .unknown
            }
    }
}
