import Server
import Stitching
import VAST

/// What became of an answer: printed as text or JSON.
struct AdAnswerReport {
    enum Form: Equatable {
        case vast(version: String?)
        case vmap(version: String?)
    }

    struct Break {
        /// Of a VMAP; nil for the one break that a VAST answers.
        var adBreak: AdBreak?
        /// Nil where nothing was resolved.
        var ads: ResolvedAds?
        /// Why nothing comes of it; nil where something may.
        var skipped: String?
    }

    let source: String
    /// Players call what ads name, and show overlays.
    let tellsPlayer: Bool
    /// What the macros of trackers are filled with.
    let context: MacroContext
    /// Nil where nothing could be read.
    var form: Form?
    /// Why nothing could be read.
    var problem: String?
    var problemCode: VASTErrorCode?
    /// What is odd about the document as a whole.
    var notes: [String] = []
    var breaks: [Break] = []
    var requests: [AdAnswerRequest] = []

    init(source: String, tellsPlayer: Bool, context: MacroContext) {
        self.source = source
        self.tellsPlayer = tellsPlayer
        self.context = context
    }

    var status: Int32 {
        if form == nil { return 2 }
        return breaks.contains { $0.ads?.pod.contains(where: \.canBeStitched) ?? false } ? 0 : 1
    }

    /// A URL that is called by playing alone, when, and in the form in which it is sent.
    struct Call {
        var event: String
        /// Into the ad; nil where that hangs on a length that the answer does not tell.
        var time: Duration?
        var url: String
    }

    /// What is called while an ad plays, in that order: at once, or once its media are made.
    ///
    /// - Parameter place: of the ad in its pod, from 0.
    func calls(of ad: ResolvedAd, at place: Int) -> [Call] {
        guard ad.canBeStitched || ad.needsConditioning else { return [] }
        return playingCalls(of: ad, at: place)
    }

    /// What the server calls since ads of a break do not play: those that the answer itself fails, those without media for it, and the
    /// break as a whole.
    func errors(of told: Break) -> [ErrorReport] {
        guard let ads = told.ads else { return [] }
        var errors = ads.errors
        for ad in ads.pod where !ad.canBeStitched {
            errors.append(ad.errorReport(ad.needsConditioning ? .mezzanineInProgress : .mediaFileUnsupported))
        }
        if let code = ads.breakErrorCode, let adBreak = told.adBreak {
            errors.append(ErrorReport(adID: nil, code: code, urls: adBreak.trackers("error")))
        }
        return errors
    }

    /// What is called for the break as a whole.
    func breakCalls(of told: Break) -> [Call] {
        // The server has ads tell it of the break; players are told of it always.
        let hasAds = told.ads?.pod.contains { $0.canBeStitched || $0.needsConditioning } ?? false
        guard let adBreak = told.adBreak, told.skipped == nil, hasAds || tellsPlayer else { return [] }
        return ["breakStart", "breakEnd"].flatMap { name in
            adBreak.trackers(name).map { url in
                Call(event: name, time: nil, url: Macros.requestURL(url, in: context, for: use))
            }
        }
    }

    /// Elements of `nonLinearAdsList` that come with none of the linear ads, as players are told of them.
    func overlays(of ads: ResolvedAds) -> [JSONText] {
        ads.overlays.flatMap { AdJSON.asAnswered.nonLinears(of: $0, isAlone: true) }
    }

    /// What a player calls that shows an overlay.
    func calls(ofOverlay ad: ResolvedAd) -> [Call] {
        let trackers = ad.nonLinearTrackers + ad.nonLinearAds.flatMap(\.trackingEvents.events)
        let events = ad.impressions.map { ("impression", $0) } + trackers.map { ($0.canonicalName, $0.url) }
        return events.map { Call(event: $0, time: nil, url: called($1, of: ad, at: 0, playhead: nil, for: .client)) }
    }

    /// Who calls: the server, or the player in its place.
    private var use: MacroUse { tellsPlayer ? .client : .tracker }

    private func playingCalls(of ad: ResolvedAd, at place: Int) -> [Call] {
        let tracking = AdTracking(ad, isAlone: !tellsPlayer)
        return tracking.order(in: ad.duration ?? .zero).flatMap { index, offset -> [Call] in
            let event = tracking.events[index]
            let use = event.isNotExecuted ? MacroUse.verificationNotExecuted(reason: 2) : self.use
            let isKnown = ad.duration != nil || event.time == .start
            return event.urls.map { url in
                Call(
                    event: event.name, time: isKnown ? offset : nil,
                    url: called(url, of: ad, at: place, playhead: isKnown ? offset : nil, for: use))
            }
        }
    }

    /// What the server calls since an ad does not play.
    func calls(of error: ErrorReport) -> [String] {
        error.urls.map { Macros.requestURL($0, in: context, for: .error(error.code)) }
    }

    private func called(
        _ url: String, of ad: ResolvedAd, at place: Int, playhead: Duration?, for use: MacroUse
    ) -> String {
        var context = context
        var values = AdMacroValues(ad)
        values.count = place + 1
        values.playhead = playhead
        values.mediaURL = ad.hlsMediaFiles.first?.url ?? ad.progressiveMediaFiles.first?.url
        context.ad = values
        return Macros.requestURL(url, in: context, for: use)
    }
}

extension ResolvedAd {
    /// It has media of a kind that can be stitched. Whether they can be had, and fit, is seen where they are fetched.
    var canBeStitched: Bool { !hlsMediaFiles.isEmpty }

    /// Its media are made of a file first.
    var needsConditioning: Bool { !canBeStitched && !(progressiveMediaFiles.isEmpty && mezzanines.isEmpty) }

    /// What the server does with its media.
    var fate: String {
        if canBeStitched { return "HLS: can be stitched" }
        if needsConditioning { return "files without HLS: made into HLS, and skipped until then" }
        return "no media that can be played: skipped"
    }
}
