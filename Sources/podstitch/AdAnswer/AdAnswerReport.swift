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
        /// Nil where nothing was resolved: a break that is not linear, or has no source.
        var ads: ResolvedAds?
    }

    let source: String
    /// What the macros of trackers are filled with.
    let context: MacroContext
    /// Nil where nothing could be read.
    var form: Form?
    /// Why nothing could be read.
    var problem: String?
    var problemCode: VASTErrorCode?
    var breaks: [Break] = []
    var requests: [AdAnswerRequest] = []

    init(source: String, context: MacroContext) {
        self.source = source
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

    /// What the server calls while an ad plays, in that order.
    ///
    /// - Parameter place: of the ad in its pod, from 0.
    func calls(of ad: ResolvedAd, at place: Int) -> [Call] {
        guard ad.canBeStitched else { return [] }
        return playingCalls(of: ad, at: place)
    }

    /// What the server calls since ads of a break do not play: those that the answer itself fails, and those without media for it.
    func errors(of ads: ResolvedAds) -> [ErrorReport] {
        ads.errors + ads.pod.filter { !$0.canBeStitched }.map { $0.errorReport(.mediaFileUnsupported) }
    }

    private func playingCalls(of ad: ResolvedAd, at place: Int) -> [Call] {
        AdTracking(ad).order(in: ad.duration ?? .zero).flatMap { index, offset -> [Call] in
            let event = AdTracking(ad).events[index]
            let isKnown = ad.duration != nil || event.time == .start
            return event.urls.map { url in
                Call(
                    event: event.name, time: isKnown ? offset : nil,
                    url: called(url, of: ad, at: place, playhead: isKnown ? offset : nil, for: .tracker))
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

    /// What the server does with its media.
    var fate: String {
        if canBeStitched { return "HLS: can be stitched" }
        if !progressiveMediaFiles.isEmpty { return "files without HLS: made into HLS, and skipped until then" }
        return "no media that can be played: skipped"
    }
}
