internal import Stitching
internal import Transport
internal import VAST

/// A break of one session that ads are wanted for.
struct BreakRequest: Sendable {
    var record: SessionRecord
    /// Those of the session.
    var cookies: CookieJar
    var opportunity: Opportunity
    /// The answer is there after this time, with what is known by then.
    var limit: Duration
    /// Ads that are overlays alone are for the player.
    var keepsOverlays = false
}

/// What an ad server says of a break.
struct AdAnswerForBreak: Sendable {
    /// Nil where nothing came that could be read.
    var ads: ResolvedAds?
    /// Why there are none, when it is not simply that: for the log.
    var failure: String?
    /// The operator names the ads, and the hosts of their media.
    var isOperators = false

    var hasAds: Bool { ads.map { !$0.pod.isEmpty || !$0.spares.isEmpty } ?? false }
}

/// What an ad server says of a whole title.
enum AdSchedule: Sendable {
    /// The ads of the break that was asked about.
    case oneBreak(AdAnswerForBreak)
    /// Breaks at its own offsets, and the address the document came from.
    case breaks(VMAPDocument, url: String)
}

/// Decides which ads a viewer is to see.
protocol AdProvider: Sendable {
    /// The ads of one break.
    func ads(for request: BreakRequest) async -> AdAnswerForBreak

    /// The ads of a title whose first, or only, break is the request's.
    func schedule(for request: BreakRequest) async -> AdSchedule

    /// The ads of a break that a schedule names.
    func ads(from source: AdSource, url: String, for request: BreakRequest) async -> AdAnswerForBreak
}

/// No ads.
struct NoAdProvider: AdProvider {
    func ads(for request: BreakRequest) async -> AdAnswerForBreak { AdAnswerForBreak() }
    func schedule(for request: BreakRequest) async -> AdSchedule { .oneBreak(AdAnswerForBreak()) }
    func ads(from source: AdSource, url: String, for request: BreakRequest) async -> AdAnswerForBreak {
        AdAnswerForBreak()
    }
}
