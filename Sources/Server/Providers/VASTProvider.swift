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
}

/// An ad server that answers VAST or VMAP.
final class VASTProvider: AdProvider {
    private let options: VASTProviderOptions
    private let limits: VASTLimits
    private let time: any TimeSource
    private let macros: SessionMacros
    private let metrics: Metrics
    private let debugger: AdDebugger
    private let fetch: @Sendable (AdServerRequest) async -> AdResolution.FetchResult
    /// Rises while the ad server does not answer at all.
    private let backOff = Mutex(BackOff(first: .seconds(1), longest: .seconds(15)))
    /// Failures in a row before it is left alone: one lost request is no reason to lose the next viewer's ads.
    private static let toleratedFailures = 3

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
    }

    func ads(for request: BreakRequest) async -> AdAnswerForBreak {
        if let refusal = refusal() { return refusal }
        return await resolve(
            AdResolution(url: options.url, options: resolutionOptions(request)), request, operatorsDepth: 0)
    }

    func schedule(for request: BreakRequest) async -> AdSchedule {
        if let refusal = refusal() { return .oneBreak(refusal) }
        let began = time.monotonic()
        let first = await self.request(options.url, request, isNamedByAnswer: false)
        var rest = request
        rest.limit -= time.monotonic() - began
        switch first {
        case .failure(let failure):
            return .oneBreak(AdAnswerForBreak(failure: "ad request failed: \(failure)"))
        case .body(let bytes, let finalURL):
            let url = finalURL ?? options.url
            do throws(VASTError) {
                switch try AdAnswer(parsing: bytes, limits: limits) {
                case .vmap(let schedule): return .breaks(schedule, url: url)
                case .vast(let document):
                    let resolution = AdResolution(document: document, url: url, options: resolutionOptions(request))
                    return .oneBreak(await resolve(resolution, rest, operatorsDepth: nil))
                }
            } catch {
                return .oneBreak(AdAnswerForBreak(failure: "ad answer cannot be read: \(error)"))
            }
        }
    }

    func ads(from source: AdSource, url: String, for request: BreakRequest) async -> AdAnswerForBreak {
        await resolve(
            AdResolution(source: source, url: url, options: resolutionOptions(request)), request, operatorsDepth: nil)
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
        _ resolution: AdResolution, _ request: BreakRequest, operatorsDepth: Int?
    ) async -> AdAnswerForBreak {
        let operatorsURL = options.url
        let resolver = AdResolver(
            fetch: { adRequest in
                let isOwn = adRequest.depth == operatorsDepth && adRequest.url == operatorsURL
                return await self.request(adRequest.url, request, isNamedByAnswer: !isOwn)
            }, time: time)
        var ads = await resolver.ads(resolution, within: request.limit)
        for ad in ads.pod.dropFirst(options.maxAds) {
            ads.log.append(AdNote(kind: .adSkipped, adID: ad.id, text: "more ads than maxAds (\(options.maxAds))"))
        }
        ads.pod = Array(ads.pod.prefix(options.maxAds))
        var answer = AdAnswerForBreak(ads: ads)
        if ads.pod.isEmpty, ads.spares.isEmpty {
            if let failure = ads.requestFailure {
                answer.failure = "ad request failed: \(failure)"
            } else if let note = ads.log.last(where: { $0.kind == .noAd && $0.code != .noAd }) {
                answer.failure = note.text
            }
        }
        return answer
    }

    private func request(
        _ url: String, _ request: BreakRequest, isNamedByAnswer: Bool
    ) async -> AdResolution.FetchResult {
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
                url: called, headers: headers,
                isNamedByAnswer: isNamedByAnswer, timeout: min(options.requestTimeout, request.limit),
                byteLimit: limits.documentBytes, cookies: request.cookies))
        let outcome: (text: String, body: [UInt8]) =
            switch result {
            case .body(let bytes, _): ("answered", bytes)
            case .failure(let failure): ("\(failure)", [])
            }
        debugger.requested(
            called, for: request.opportunity.id, request.record.key, isNamedByAnswer: isNamedByAnswer, began: began,
            elapsed: time.monotonic() - clock, outcome: outcome.text, body: outcome.body)
        if case .failure = result { metrics.adRequestFailures.increment() }
        if !isNamedByAnswer { remember(result) }
        return result
    }

    /// The answer while the ad server is left alone.
    private func refusal() -> AdAnswerForBreak? {
        let now = time.monotonic()
        let isOpen = backOff.withLock { $0.failures < Self.toleratedFailures || $0.allows(at: now) }
        return isOpen ? nil : AdAnswerForBreak(failure: "ad server is left alone for a moment after failures")
    }

    private func remember(_ result: AdResolution.FetchResult) {
        let now = time.monotonic()
        backOff.withLock { backOff in
            switch result {
            case .failure(.timeout), .failure(.connection): backOff.failed(at: now)
            default: backOff.succeeded()
            }
        }
    }
}
