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
    }

    /// One ad whose media is there.
    private struct Prepared: Sendable {
        var ad: ResolvedAd
        /// The media file that it is of.
        var mediaURL: String
        var candidate: PodCandidate
    }

    /// An ad's media that were found, and the media file that they are of.
    private typealias Found = (media: AdMedia, url: String)

    var creatives: CreativeLibrary
    /// An ad's media made of others, as far as they are there by then; nil where none are made.
    var conditioned: (@Sendable (ResolvedAd, [MediaSource], Duration) async -> Result<AdMedia, CreativeFailure>)?
    /// What takes the place of an interactive ad's film that cannot be had.
    var standIn: (@Sendable (Duration) async -> AdMedia?)?
    /// Nothing is to be stitched: what can be laid over the content is for the player.
    var isNonLinear = false
    /// No player reports anything.
    var reportsAlone = false
    var time: any TimeSource

    init(creatives: CreativeLibrary, time: any TimeSource) {
        self.creatives = creatives
        self.time = time
    }

    /// - Parameters:
    ///   - limit: what is not there by then is left out.
    ///   - planner: knows the timeline as it is when the ads are there.
    func decision(
        _ answer: AdAnswerForBreak, _ opportunity: Opportunity, check: MediaRules, tracking: BreakTracking,
        limit: Duration, planner: () -> PodPlanner
    ) async -> Outcome {
        let ends = time.monotonic() + limit
        guard let ads = answer.ads else {
            let reason = answer.failure.map { ContentReason.providerFailed($0) } ?? .noAds
            return Outcome(decision: planner().fallback(opportunity, reason))
        }
        var outcome = Outcome(decision: .content(.noAds), errors: ads.errors)
        outcome.overlays = ads.overlays
        outcome.skipped = ads.log.filter { $0.kind == .adSkipped }.map { note in
            SkippedAd(id: note.adID ?? "ad", reason: note.text)
        }
        if isNonLinear || ads.isNonLinear {
            layOver(ads, outcome: &outcome)
            return outcome
        }
        let prepared = await prepare(ads, check, ends: ends, outcome: &outcome)
        if prepared.isEmpty, ads.pod.isEmpty, !outcome.overlays.isEmpty {
            // The content is what they are laid over.
            outcome.decision = .content(.overlays)
            return outcome
        }
        guard !prepared.isEmpty else {
            let failure = ads.pod.isEmpty ? answer.failure : nil
            let reason = (failure ?? outcome.skipped.last?.text).map { ContentReason.providerFailed($0) } ?? .noAds
            outcome.decision = planner().fallback(opportunity, reason)
            return outcome
        }
        let result = planner().decision(for: opportunity, candidates: prepared.map(\.candidate))
        for skip in result.skipped where prepared.indices.contains(skip.index) {
            let ad = prepared[skip.index].ad
            // Those of a buffet that were not taken get nothing (R-P3).
            if skip.reason == .doesNotFit, ads.mode == .buffet { continue }
            outcome.skipped.append(SkippedAd(id: skip.id, reason: skip.reason.text))
            outcome.errors.append(ad.errorReport(skip.reason == .doesNotFit ? .breakShortened : .mediaFileUnusable))
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
        outcome.decision = tracked(result, tracking)
        return outcome
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
        _ ads: ResolvedAds, _ check: MediaRules, ends: Duration, outcome: inout Outcome
    ) async -> [Prepared] {
        let results = await withTaskGroup(of: (Int, Result<Found, CreativeFailure>).self) { group in
            for (index, ad) in ads.pod.enumerated() {
                group.addTask { (index, await media(of: ad, check, ends: ends)) }
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
                    if let spare = spares.popFirst() { next = (spare, await media(of: spare, check, ends: ends)) }
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
        of ad: ResolvedAd, _ check: MediaRules, ends: Duration
    ) async -> Result<Found, CreativeFailure> {
        var failure = CreativeFailure.noHLS
        var unfit: [String] = []
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
        switch await conditioned(ad, sources, ends - time.monotonic()) {
        case .success(let media):
            return check.mismatch(media).map { .failure(.unusable($0)) } ?? .success((media, best.url))
        case .failure(let failure): return .failure(failure)
        }
    }
}
