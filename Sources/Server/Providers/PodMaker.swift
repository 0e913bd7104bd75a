internal import Conditioning
internal import HLS
internal import Stitching
internal import Transport
internal import VAST

/// An ad that is not shown, and why.
struct SkippedAd: Sendable {
    var id: String
    var reason: String

    /// For the log.
    var text: String { "\(id): \(reason)" }
}

/// Makes a decision of an ad server's answer: gets the media of its ads, leaves out what cannot be shown, and fits the rest.
struct PodMaker: Sendable {
    struct Outcome: Sendable {
        var decision: Decision
        var skipped: [SkippedAd] = []
        /// Error beacons to be sent.
        var errors: [ErrorReport] = []
        /// Trackers of the break as a whole, and errors to be told to them.
        var tracking = BreakTracking()
        var breakErrors: [(urls: [String], code: VASTErrorCode)] = []
        /// An ad that may not be kept until the break begins, in words.
        var expiring: String?
        /// What trackers tell of each ad of the pod.
        var macros: [AdMacroValues] = []
        /// The ads of the pod; nil for bumpers.
        var ads: [ResolvedAd?] = []
        /// For the player alone.
        var overlays: [ResolvedAd] = []
        /// Nothing is to be stitched, a VMAP says.
        var isNonLinear = false
        /// Interactive ads whose time is filled by the slate.
        var standsIn: [String] = []
        /// What was odd about the answers.
        var notes: [String] = []

        /// Why a break that has not begun is better asked for again when it does; nil where this may stay.
        var reasonToWait: String? {
            if let expiring { return expiring }
            if case .providerFailed(let failure)? = decision.reason { return failure }
            return nil
        }
    }

    /// One ad whose media is there.
    private struct Prepared: Sendable {
        var ad: ResolvedAd
        /// The media file that it is of.
        var mediaURL: String
        var candidate: PodCandidate
        /// It is one of several that may be taken.
        var isOfBuffet = false
    }

    /// An ad's media that were found, and the media file that they are of.
    private typealias Found = (media: AdMedia, url: String)

    var creatives: CreativeLibrary
    /// For ads that the operator names, on whatever host.
    var operatorsCreatives: CreativeLibrary
    /// An ad's media made of others, as far as they are there by then; nil where none are made. The flag: the operator names the ad.
    var conditioned: (@Sendable (ResolvedAd, [MediaSource], Bool, Duration) async -> Result<AdMedia, CreativeFailure>)?
    /// What takes the place of an interactive ad's film that cannot be had.
    var standIn: (@Sendable (Duration) async -> AdMedia?)?
    /// Nothing is to be stitched: what can be laid over the content is for the player.
    var isNonLinear = false
    /// No player reports anything.
    var reportsAlone = false
    /// Time until the break begins.
    var lead = Duration.zero
    var time: any TimeSource

    init(creatives: CreativeLibrary, operatorsCreatives: CreativeLibrary, time: any TimeSource) {
        self.creatives = creatives
        self.operatorsCreatives = operatorsCreatives
        self.time = time
    }

    /// What is known of ads so far.
    private struct Gathered {
        var prepared: [Prepared] = []
        var groups: [CandidateGroup] = []
        /// Why answers gave nothing.
        var failures: [String] = []
        /// An answer has named an ad to be stitched, whether or not it can be.
        var hasPod = false

        var candidates: [PodCandidate] { prepared.map(\.candidate) }
    }

    /// - Parameters:
    ///   - answers: in the order in which their providers were asked.
    ///   - chain: who is asked for what is left after these.
    ///   - tracking: of the break as a whole, where a schedule has told it; else the answers tell it.
    ///   - limit: what is not there by then is left out.
    ///   - ask: the answer of the provider at a place of the chain for a break, within a time.
    ///   - planner: knows the timeline as it is when the ads are there.
    func decision(
        _ answers: [AdAnswerForBreak], _ chain: ProviderChain, _ opportunity: Opportunity, check: MediaRules,
        tracking: BreakTracking?, limit: Duration,
        ask: (Int, Opportunity, Duration) async -> AdAnswerForBreak?, planner: () -> PodPlanner
    ) async -> Outcome {
        let ends = time.monotonic() + limit
        var outcome = Outcome(decision: .content(.noAds))
        var gathered = Gathered()
        for (place, answer) in answers.enumerated() {
            let told = place + 1 == answers.count ? tracking : nil
            await take(answer, place, chain, check, told, ends: ends, into: &gathered, &outcome)
        }
        var place = answers.count
        while !outcome.isNonLinear, outcome.expiring == nil, !chain.isOver(after: place), ends > time.monotonic(),
            let rest = rest(of: opportunity, behind: gathered, chain, planner),
            let answer = await ask(place, rest, ends - time.monotonic())
        {
            await take(answer, place, chain, check, nil, ends: ends, into: &gathered, &outcome)
            place += 1
        }
        if outcome.isNonLinear { return outcome }
        if gathered.prepared.isEmpty, !gathered.hasPod, !outcome.overlays.isEmpty {
            // The content is what they are laid over.
            outcome.decision = .content(.overlays)
            return outcome
        }
        guard !gathered.prepared.isEmpty else {
            let reason = gathered.failures.isEmpty ? nil : gathered.failures.joined(separator: "; then ")
            outcome.decision = planner().fallback(opportunity, reason.map { .providerFailed($0) } ?? .noAds)
            return outcome
        }
        finish(gathered, opportunity, planner(), &outcome)
        return outcome
    }

    /// What the ads so far leave of a break, if it is worth another request.
    private func rest(
        of opportunity: Opportunity, behind gathered: Gathered, _ chain: ProviderChain, _ planner: () -> PodPlanner
    ) -> Opportunity? {
        guard !gathered.prepared.isEmpty else { return opportunity }
        let left = planner().timeLeft(of: opportunity, candidates: gathered.candidates, groups: gathered.groups)
        guard let left, left > .zero, left >= chain.leastLeft || left == opportunity.availableDuration else {
            return nil
        }
        var rest = opportunity
        rest.plannedDuration = opportunity.plannedDuration.map { _ in left }
        rest.availableDuration = left
        return rest
    }

    /// Adds an answer's ads to those there are.
    private func take(
        _ answer: AdAnswerForBreak, _ place: Int, _ chain: ProviderChain, _ check: MediaRules,
        _ told: BreakTracking?, ends: Duration, into gathered: inout Gathered, _ outcome: inout Outcome
    ) async {
        let tracking = told ?? BreakTracking(answer.ads?.breakEvents ?? [])
        outcome.tracking.add(tracking)
        guard let ads = answer.ads else {
            if let failure = answer.failure { gathered.failures.append(failure) }
            return
        }
        if let code = ads.breakErrorCode { outcome.breakErrors.append((tracking.error, code)) }
        outcome.errors += ads.errors
        outcome.overlays += ads.overlays
        outcome.notes += ads.log.filter { $0.kind != .adSkipped }.map(\.text)
        let known = outcome.skipped.count
        outcome.skipped += ads.log.filter { $0.kind == .adSkipped }.map { note in
            SkippedAd(id: note.adID ?? "ad", reason: note.text)
        }
        if isNonLinear || ads.isNonLinear {
            // Where others have ads to be stitched there is no content to lay anything over.
            if gathered.prepared.isEmpty { layOver(ads, outcome: &outcome) }
            return
        }
        // What may not be kept so long is not shown (VAST, Expires).
        if let ad = (ads.pod + ads.spares).first(where: { $0.expires.map { $0 < lead } ?? false }) {
            outcome.expiring = "\(ad.id ?? "ad") expires before the break begins"
            return
        }
        gathered.hasPod = gathered.hasPod || !ads.pod.isEmpty
        let now = time.monotonic()
        let prepared = await prepare(
            ads, check, isOperators: answer.isOperators, ends: now + chain.share(at: place, of: ends - now),
            outcome: &outcome)
        if prepared.isEmpty {
            let failure = ads.pod.isEmpty ? answer.failure : nil
            let skipped = outcome.skipped.count > known ? outcome.skipped.last?.text : nil
            if let reason = failure ?? skipped { gathered.failures.append(reason) }
            return
        }
        let isBuffet = ads.mode == .buffet
        gathered.groups.append(CandidateGroup(first: gathered.prepared.count, isBuffet: isBuffet))
        gathered.prepared += prepared.map {
            var prepared = $0
            prepared.isOfBuffet = isBuffet
            return prepared
        }
    }

    /// Fits the ads in.
    private func finish(
        _ gathered: Gathered, _ opportunity: Opportunity, _ planner: PodPlanner, _ outcome: inout Outcome
    ) {
        let prepared = gathered.prepared
        let result = planner.decision(for: opportunity, candidates: gathered.candidates, groups: gathered.groups)
        for skip in result.skipped where prepared.indices.contains(skip.index) {
            let left = prepared[skip.index]
            // Those of a buffet that were not taken get nothing (R-P3).
            if skip.reason == .doesNotFit, left.isOfBuffet { continue }
            outcome.skipped.append(SkippedAd(id: skip.id, reason: skip.reason.text))
            outcome.errors.append(
                left.ad.errorReport(skip.reason == .doesNotFit ? .breakShortened : .mediaFileUnusable))
        }
        let left = Set(result.skipped.map(\.index))
        let taken = prepared.indices.filter { !left.contains($0) }.map { prepared[$0] }
        outcome.macros = taken.enumerated().map { place, taken in
            var values = AdMacroValues(taken.ad)
            values.count = place + 1
            values.mediaURL = taken.mediaURL
            return values
        }
        outcome.ads = taken.map(\.ad)
        if result.hasStartBumper {
            outcome.macros.insert(AdMacroValues(), at: 0)
            outcome.ads.insert(nil, at: 0)
        }
        outcome.decision = tracked(result, outcome.tracking)
    }

    /// What a break gives in which nothing is stitched.
    private func layOver(_ ads: ResolvedAds, outcome: inout Outcome) {
        outcome.isNonLinear = true
        for ad in ads.pod {
            guard ad.nonLinearAds.allSatisfy(\.nonLinears.isEmpty) else {
                outcome.overlays.append(ad)
                continue
            }
            outcome.skipped.append(SkippedAd(id: ad.id ?? "ad", reason: "a linear ad in a break for overlays"))
            outcome.errors.append(ad.errorReport(.linearity))
        }
        outcome.decision = .content(outcome.overlays.isEmpty ? .noAds : .overlays)
    }

    /// The break's own trackers stand before the first ad's and after the last one's (R-V5).
    private func tracked(_ result: PodPlanner.Result, _ tracking: BreakTracking) -> Decision {
        guard case .ads(let pod) = result.decision, !tracking.isEmpty else { return result.decision }
        var ads = pod.ads
        let own = (result.hasStartBumper ? 1 : 0)..<max(ads.count - (result.hasEndBumper ? 1 : 0), 1)
        if let place = own.first, ads.indices.contains(place), !tracking.start.isEmpty {
            let first = ads[place]
            var events = first.tracking.events
            events.insert(AdTracking.Event(name: "breakStart", time: .start, urls: tracking.start), at: 0)
            ads[place] = PodAd(id: first.id, media: first.media, tracking: AdTracking(events: events))
        }
        if let place = own.last, ads.indices.contains(place), !tracking.end.isEmpty {
            let last = ads[place]
            let events = last.tracking.events + [AdTracking.Event(name: "breakEnd", time: .end, urls: tracking.end)]
            ads[place] = PodAd(id: last.id, media: last.media, tracking: AdTracking(events: events))
        }
        return .ads(pod.with(ads))
    }

    /// The ads whose media is there, in order; for one that fails, the next ad beside the pod (R-P2).
    private func prepare(
        _ ads: ResolvedAds, _ check: MediaRules, isOperators: Bool, ends: Duration, outcome: inout Outcome
    ) async -> [Prepared] {
        let results = await withTaskGroup(of: (Int, Result<Found, CreativeFailure>).self) { group in
            for (index, ad) in ads.pod.enumerated() {
                group.addTask { (index, await media(of: ad, check, isOperators: isOperators, ends: ends)) }
            }
            var results: [Int: Result<Found, CreativeFailure>] = [:]
            for await (index, result) in group { results[index] = result }
            return results
        }
        var prepared: [Prepared] = []
        var spares = ads.spares[...]
        for (index, ad) in ads.pod.enumerated() {
            var next: (ad: ResolvedAd, result: Result<Found, CreativeFailure>)? = (
                ad, results[index] ?? .failure(.timeout)
            )
            while let (ad, result) = next {
                let id = ad.id ?? "ad \(index + 1)"
                next = nil
                switch await standing(for: ad, result, check, ends: ends, &outcome) {
                case .success(let found):
                    let tracking = AdTracking(ad, isAlone: reportsAlone)
                    let candidate = PodCandidate(id: id, media: found.media, tracking: tracking)
                    prepared.append(Prepared(ad: ad, mediaURL: found.url, candidate: candidate))
                case .failure(let failure):
                    outcome.skipped.append(SkippedAd(id: id, reason: failure.reason))
                    outcome.errors.append(ad.errorReport(failure.code))
                    if let spare = spares.popFirst() {
                        next = (spare, await media(of: spare, check, isOperators: isOperators, ends: ends))
                    }
                }
            }
        }
        return prepared
    }

    /// An interactive ad only needs its film for the time that it takes (R-I3): where that cannot be had, or not yet, the slate is shown
    /// below it.
    private func standing(
        for ad: ResolvedAd, _ result: Result<Found, CreativeFailure>, _ check: MediaRules, ends: Duration,
        _ outcome: inout Outcome
    ) async -> Result<Found, CreativeFailure> {
        guard case .failure(let failure) = result, ad.interactive != nil,
            let media = await standIn?(ends - time.monotonic())?.beginning(upTo: ad.duration ?? .seconds(30)),
            check.mismatch(media) == nil
        else { return result }
        outcome.standsIn.append("\(ad.id ?? "ad"): the slate stands in for its film: \(failure.reason)")
        return .success((media, ad.mediaFiles.first { !$0.url.isEmpty }?.url ?? ""))
    }

    /// The first of an ad's media files that can be shown in this source; else what was made of its files, or of HLS of another kind.
    private func media(
        of ad: ResolvedAd, _ check: MediaRules, isOperators: Bool, ends: Duration
    ) async -> Result<Found, CreativeFailure> {
        var failure = CreativeFailure.noHLS
        var unfit: [String] = []
        let creatives = isOperators ? operatorsCreatives : creatives
        for file in ad.hlsMediaFiles {
            switch await creatives.media(at: file.url, within: ends - time.monotonic()) {
            case .success(let media):
                guard let mismatch = check.mismatch(media) else { return .success((media, file.url)) }
                failure = .unusable(mismatch)
                unfit.append(file.url)
            case .failure(let reason):
                failure = reason
                if case .unusable = reason { unfit.append(file.url) }
            }
        }
        let sources = ConditionedCreatives.sources(ad, unfit: unfit)
        guard let conditioned, let best = sources.first else { return .failure(failure) }
        switch await conditioned(ad, sources, isOperators, ends - time.monotonic()) {
        case .success(let media):
            return check.mismatch(media).map { .failure(.unusable($0)) } ?? .success((media, best.url))
        case .failure(let failure): return .failure(failure)
        }
    }
}
