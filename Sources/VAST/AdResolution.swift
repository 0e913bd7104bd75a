/// A request the caller should make for a break.
package struct AdRequest: Sendable, Hashable, Identifiable {
    package var id: Int
    /// Absolute, macros still in it: expand for `.adRequest`, then `URLText.escaped`.
    package var url: String
    /// Wrappers above it; 0 for the first request.
    package var depth: Int
}

/// The flow over an ad answer and its wrapper chains, without I/O, clock or random source: events in, actions out.
///
///     var resolution = AdResolution(url: adTag)
///     loop: switch resolution.next() {
///     case .fetch(let requests): start them; on each answer `receive(_:for:)`, at the deadline `deadline()`, and again
///     case .finished(let ads): break loop
///     }
package struct AdResolution: Sendable {
    package struct Options: Sendable {
        /// Kinds of media that make an InLine playable. A server without packager takes `.hls` alone.
        package var playable: Set<MediaUse> = [.hls]
        /// A mezzanine of such a kind makes an InLine playable, too: for a server that makes media of it.
        package var takesMezzanines = false
        /// Refuse ads of a category that a wrapper above blocks, with 205; else such an ad plays and is noted.
        package var enforcesBlockedCategories = false
        /// Of the first document: false takes one ad, as below a wrapper that says so.
        package var allowMultipleAds = true
        /// Of the first document.
        package var followWrappers = true
        /// Ads that are overlays alone are kept for the player, in place of being refused with 201.
        package var keepsOverlays = false
        package var limits = VASTLimits()

        package init() {}
    }

    package enum Action: Sendable {
        /// Requests to start now; empty: wait for those under way.
        case fetch([AdRequest])
        case finished(ResolvedAds)
    }

    package enum FetchResult: Sendable {
        /// The body as it came, and the URL it came from after redirects. Status 204 is an empty body.
        case body([UInt8], finalURL: String?)
        case failure(FetchFailure)
    }

    var options: Options
    var ads: [AdNode] = []
    var documents: [DocumentNode] = []
    var errors: [ErrorReport] = []
    var overlays: [ResolvedAd] = []
    var log: [AdNote] = []
    var isNonLinear = false
    var breakEvents: [TrackingEvent] = []
    var rootDocument: Int?
    var requestFailure: FetchFailure?
    var answerError: VASTErrorCode?
    var rootState = RootState.requested
    var queue: [AdRequest] = []
    var underWay: Set<Int> = []
    var requestCount = 0
    var receivedBytes = 0
    var waiting: [Int: Waiter] = [:]
    var deadlinePassed = false
    var result: ResolvedAds?

    enum Waiter: Sendable {
        case root
        case wrapper(Int)
    }

    enum RootState: Sendable {
        case requested
        case answered
        case failed
    }

    /// Starts with a request for the ad tag.
    package init(url: String, options: Options = Options()) {
        self.options = options
        let cleaned = URLText.cleaned(Array(url.utf8)[...])
        if URLText.isRequestable(cleaned) {
            rootURL = cleaned
            enqueue(URLText.resolve(cleaned, against: nil), depth: 0, for: .root)
        } else {
            requestFailure = .unusableURL
            rootState = .failed
        }
    }

    /// Starts with a document that is there already, and the URL it came from.
    package init(document: VASTDocument, url: String?, options: Options = Options()) {
        self.options = options
        rootURL = url
        openRoot(document, finalURL: url)
    }

    /// Starts with what a VMAP names for a break, and the URL of the VMAP (R-V4).
    package init(source: AdSource, url: String?, options: Options = Options()) {
        var options = options
        if let allowed = source.allowMultipleAds { options.allowMultipleAds = allowed }
        if let follow = source.followRedirects { options.followWrappers = follow }
        switch source.content {
        case .vast(let document), .custom(_, _, let document?):
            self.init(document: document, url: url, options: options)
        case .adTagURI(let uri?, let template) where template?.lowercased() != "proprietary":
            self.init(url: URLText.resolve(uri, against: url), options: options)
        case .adTagURI(nil, _), .none:
            self.init(document: VASTDocument(), url: url, options: options)
        case .adTagURI:
            self.init(failed: .vmapTemplateType, options: options)
        case .custom:
            self.init(failed: .vmapTemplateType, options: options)
        case .unreadable(let code):
            self.init(failed: code, options: options)
        }
    }

    private init(failed code: VASTErrorCode, options: Options) {
        self.options = options
        rootState = .failed
        answerError = code
        log.append(AdNote(kind: .noAd, adID: nil, code: code, text: "the break's ad source cannot be used"))
    }

    /// URL of the first document, as requested.
    var rootURL: String?

    /// What to do now.
    package mutating func next() -> Action {
        if let result { return .finished(result) }
        switch rootState {
        case .failed:
            return finish([])
        case .answered:
            if let root = rootDocument {
                if let outcome = evaluate(document: root) { return finish(outcome) }
            } else {
                return finish([])
            }
        case .requested:
            break
        }
        var started: [AdRequest] = []
        while !queue.isEmpty, underWay.count < options.limits.parallelRequests {
            let request = queue.removeFirst()
            underWay.insert(request.id)
            started.append(request)
        }
        return .fetch(started)
    }

    /// Takes the answer of a request. Answers after the deadline, or a second one, are ignored.
    package mutating func receive(_ answer: FetchResult, for id: Int) {
        guard underWay.remove(id) != nil, let waiter = waiting.removeValue(forKey: id) else { return }
        var answer = answer
        if case .body(let bytes, _) = answer {
            receivedBytes += bytes.count
            if receivedBytes > options.limits.totalBytes { answer = .failure(.tooLarge) }
        }
        if case .failure(.status(204)) = answer { answer = .body([], finalURL: nil) }
        switch waiter {
        case .root: receiveRoot(answer)
        case .wrapper(let ad): receiveWrapper(answer, for: ad)
        }
    }

    /// No more time: what is ready is taken, the rest is reported with 301 (R-H4).
    package mutating func deadline() {
        guard result == nil, !deadlinePassed else { return }
        deadlinePassed = true
        queue.removeAll()
        underWay.removeAll()
        let open = waiting.sorted { $0.key < $1.key }.map(\.value)
        waiting.removeAll()
        for waiter in open {
            switch waiter {
            case .root: receiveRoot(.failure(.timeout))
            case .wrapper(let ad): ads[ad].state = .failed(.timeout)
            }
        }
    }

    private mutating func receiveRoot(_ answer: FetchResult) {
        switch answer {
        case .failure(let failure):
            requestFailure = failure
            rootState = .failed
            log.append(AdNote(kind: .noAd, adID: nil, code: nil, text: "ad request failed: \(failure)"))
        case .body(let bytes, let finalURL):
            do throws(VASTError) {
                let base = finalURL ?? rootURL
                switch try AdAnswer(parsing: bytes, limits: options.limits) {
                case .vast(let document):
                    openRoot(document, finalURL: base)
                case .vmap(let schedule):
                    openRoot(schedule, finalURL: base)
                }
            } catch {
                rootState = .failed
                answerError = error.code
                log.append(AdNote(kind: .noAd, adID: nil, code: error.code, text: "ad answer: \(error)"))
            }
        }
    }

    private mutating func openRoot(_ document: VASTDocument, finalURL: String?) {
        rootState = .answered
        rootDocument = open(
            document, below: nil, url: finalURL, multiple: options.allowMultipleAds, follow: options.followWrappers)
    }

    /// VMAP where one break was asked for: its first break that holds an ad (spec section 12). A linear one, if there is any.
    private mutating func openRoot(_ schedule: VMAPDocument, finalURL: String?) {
        let overlays = options.keepsOverlays ? schedule.breaks.filter { !$0.isLinear && $0.isNonLinear } : []
        for one in schedule.breaks.filter(\.isLinear) + overlays {
            guard let source = one.source else { continue }
            isNonLinear = !one.isLinear
            breakEvents = one.trackingEvents.events
            switch source.content {
            case .vast(let document) where !document.ads.isEmpty:
                note(.oddity, nil, "VMAP for a single break: its first break with an ad is taken")
                options.allowMultipleAds = source.allowMultipleAds ?? options.allowMultipleAds
                options.followWrappers = source.followRedirects ?? options.followWrappers
                return openRoot(document, finalURL: finalURL)
            case .adTagURI(let uri?, _) where requestCount < 3:
                note(.oddity, nil, "VMAP for a single break: its first break with an ad is taken")
                options.allowMultipleAds = source.allowMultipleAds ?? options.allowMultipleAds
                let target = URLText.resolve(uri, against: finalURL)
                rootURL = target
                return enqueue(target, depth: 0, for: .root)
            default: continue
            }
        }
        isNonLinear = false
        breakEvents = []
        rootState = .failed
        answerError = .schema
        log.append(AdNote(kind: .noAd, adID: nil, code: .schema, text: "VMAP without an ad for a single break"))
    }

    private mutating func receiveWrapper(_ answer: FetchResult, for ad: Int) {
        switch answer {
        case .failure(let failure):
            ads[ad].state = .failed(failure)
        case .body(let bytes, let finalURL):
            do throws(VASTError) {
                switch try AdAnswer(parsing: bytes, limits: options.limits) {
                case .vast(let document):
                    let wrapper = ads[ad].wrapper
                    ads[ad].state = .document(
                        open(
                            document, below: ad, url: finalURL ?? ads[ad].target,
                            multiple: wrapper?.allowMultipleAds ?? false,
                            follow: wrapper?.followAdditionalWrappers ?? true))
                case .vmap:
                    ads[ad].state = .unreadable(VASTError(.schema, place: "VMAP", "VMAP behind a wrapper"))
                }
            } catch {
                ads[ad].state = .unreadable(error)
            }
        }
    }

    mutating func enqueue(_ url: String, depth: Int, for waiter: Waiter) {
        requestCount += 1
        let request = AdRequest(id: requestCount, url: url, depth: depth)
        queue.append(request)
        waiting[request.id] = waiter
    }

    mutating func note(_ kind: AdNote.Kind, _ adID: String?, _ text: String, code: VASTErrorCode? = nil) {
        log.append(AdNote(kind: kind, adID: adID, code: code, text: text))
    }

    private mutating func finish(_ pod: [ResolvedAd]) -> Action {
        var ready = ResolvedAds()
        ready.pod = pod
        ready.mode = rootDocument.map { documents[$0].mode } ?? .none
        ready.spares = unusedSpares()
        ready.overlays = overlays
        ready.isNonLinear = isNonLinear
        ready.breakEvents = breakEvents
        ready.errors = errors
        ready.log = log
        ready.isPartial = deadlinePassed
        ready.requestFailure = requestFailure
        ready.answerError = answerError
        result = ready
        return .finished(ready)
    }
}
