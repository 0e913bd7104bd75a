package import Stitching

package enum SourceKind: String, Sendable, Hashable {
    case live, vod
}

/// A field of an HTTP request that the operator sets.
package struct HeaderOption: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// One entry of `channels` or `titles`: an origin, who decides its ads, and the policies.
package struct SourceOptions: Sendable, Equatable {
    /// What fills the part of a break that no ad covers.
    package enum Fill: String, Sendable, CaseIterable {
        case content, slate, minimizeSlate
    }

    /// Who sends the beacons: this server by itself; the players; or this server for the players, which report what they show.
    package enum Tracking: String, Sendable, CaseIterable, Codable {
        case server, client, relay
    }

    /// What a viewer sees who joins inside a break.
    package enum Join: String, Sendable, CaseIterable {
        case content, slate, fit
    }

    /// What an early return (CUE-IN) does to the running ad.
    package enum EarlyReturn: String, Sendable, CaseIterable {
        case cut, complete
    }

    /// What becomes of breaks that ended before the session began, in a DVR window.
    package enum PastBreaks: String, Sendable, CaseIterable {
        case content, stitch
    }

    /// Which breaks are left to the content for where they begin, seen from the live edge at which a session begins.
    package enum Suppression: String, Sendable, CaseIterable {
        case off, behindLiveEdge, afterLiveEdge
    }

    /// What becomes of a suppressed break that lasts beyond the suppression.
    package enum SuppressionFill: String, Sendable, CaseIterable {
        case fullBreak, partialBreak
    }

    /// In which renditions ad markers count.
    package enum MarkerRenditions: String, Sendable, CaseIterable {
        case all, leading
    }

    /// What becomes of I-frame playlists where sessions get ads.
    package enum IFrames: String, Sendable, CaseIterable {
        case stitch, remove
    }

    package var kind: SourceKind
    /// Stands in the URL: letters, digits, `-`, `_`, `.`, `~`.
    package var name: String
    /// URL of the origin's multivariant or media playlist.
    package var origin: String
    /// URLs of origins that take the place of one that fails, in this order.
    package var backupOrigins: [String] = []
    /// How long an origin may bring nothing new before another one takes its place; nil takes three target durations.
    package var failoverAfter: Duration?
    /// How long the first origin has to be well again before it takes its place back.
    package var failbackAfter = Duration.milliseconds(60_000)
    /// Names of the ad providers, in the order in which they are asked; empty for no ads.
    package var ads: [String] = []
    /// What the ads of one provider have to leave of a break for the next one to be asked.
    package var leastForNextProvider = Duration.milliseconds(5_000)
    package var fill = Fill.content
    /// URL of the HLS playlist of what fills; nil: nothing but content does.
    package var slate: String?
    package var tracking = Tracking.server
    /// Ads' segments have addresses of this server, which sends players on: it then knows what they ask for. Always so in titles whose
    /// beacons it sends by itself.
    package var segmentRedirect = false
    /// Longest segment of an ad, whole seconds: EXT-X-TARGETDURATION of the stream is at least this. nil takes the origin's,
    /// so that a stream without breaks stays as it was.
    package var maxAdSegmentDuration: Int?
    /// How long the live edge is held at an undecided break, or a title's first playlist for its breaks, before the fallback
    /// becomes the decision.
    package var decisionDeadline = Duration.milliseconds(2_000)
    /// How long one playlist answer may wait for a decision.
    package var decisionBudget = Duration.milliseconds(300)
    /// Whether requests for a break are spread over the time there is, where a channel has many sessions.
    package var spread = true
    /// More unfilled time than this leaves the whole break to the content; nil for no limit.
    package var personalisationThreshold: Duration?
    /// Where the ad server fails in a live break, the rest is asked for again if it is longer than this; nil for never.
    package var retryRest: Duration?
    /// Length of a break that does not say its own, and never returns.
    package var cueOutCap = Duration.milliseconds(180_000)
    /// Distance of the playhead from the live edge, for beacons; nil takes three target durations.
    package var holdBack: Duration?
    /// NAME, GROUP-ID, RESOLUTION or a folder in the URI of the rendition that times are chosen on; nil takes the first video rendition.
    package var leadingRendition: String?
    package var markerRenditions = MarkerRenditions.leading
    /// segmentation_type_id of the SCTE-35 starts that open a break.
    package var breakSegmentationTypes = BreakLevels.standard.opening
    /// Where an EXT-X-DATERANGE begins and ends its break.
    package var dateRangePlacing = DateRangePlacing.date
    /// Which of the origin's ad markers stand in stitched playlists.
    package var adMarkers = MarkerPassthrough.unstitched
    /// The session's own markers around the breaks that it has ads for.
    package var breakMarkers = BreakMarks.none
    package var iFrames = IFrames.stitch
    /// Requests to the ad server that one session of a title may need, wrappers not counted: breaks beyond are content.
    package var adRequestLimit = 100
    package var join = Join.content
    package var earlyReturn = EarlyReturn.cut
    package var pastBreaks = PastBreaks.content
    package var suppression = Suppression.off
    /// From the live edge at which a session begins.
    package var suppressionDistance = Duration.zero
    package var suppressionFill = SuppressionFill.fullBreak
    /// Names of the ad providers, or ad tags, that are asked for a pre-roll of live sessions, in that order; empty for none.
    package var preroll: [String] = []
    /// Media that are shown before and after the ads of each pod, at these URLs.
    package var startBumper: String?
    package var endBumper: String?
    /// Names of the parameters of a session's first request that go on to the origin.
    package var originParameters: [String] = []
    /// Windows with parameters of their own that are served at one time.
    package var maxOriginWindows = 200
    /// The most that a pre-roll may last.
    package var longestPreroll = Duration.milliseconds(30_000)
    /// A session without a request for this long has ended.
    package var sessionTimeout: Duration
    /// Ask the origin over HTTP/2 (TLS only).
    package var http2 = false
    /// Sent with each request to the origin.
    package var headers: [HeaderOption] = []

    package init(kind: SourceKind, name: String, origin: String, ads: String? = nil) {
        self.kind = kind
        self.name = name
        self.origin = origin
        self.ads = ads.map { [$0] } ?? []
        sessionTimeout = .milliseconds(kind == .live ? 300_000 : 3_600_000)
        retryRest = kind == .live ? .milliseconds(30_000) : nil
    }
}

/// One entry of `adProviders`.
package enum AdProviderOptions: Sendable, Equatable {
    /// No ads: every break is content.
    case none
    case vast(VASTProviderOptions)
    case schedule(ListedAdsOptions)
}

/// Ads that the configuration itself lists.
package struct ListedAdsOptions: Sendable, Equatable {
    package struct Ad: Sendable, Equatable {
        /// For logs and for players.
        package var id: String
        /// Of an HLS playlist, or of a file of which one is made.
        package var url: String
        /// Called when it begins, with macros.
        package var impressions: [String] = []

        package init(id: String, url: String, impressions: [String] = []) {
            self.id = id
            self.url = url
            self.impressions = impressions
        }
    }

    package var ads: [Ad]
    /// Whether each break begins with another ad.
    package var rotate = true
    /// Ads of one break.
    package var maxAds = 20

    package init(ads: [Ad] = []) {
        self.ads = ads
    }
}

/// An ad server that answers VAST or VMAP.
package struct VASTProviderOptions: Sendable, Equatable {
    /// Whose User-Agent ad requests bear. The viewer's always goes along in X-Device-User-Agent.
    package enum UserAgent: String, Sendable, CaseIterable {
        case device, own
    }

    /// URL with macros.
    package var url: String
    /// Whole time of a decision, all wrappers; it also ends at the source's decision deadline.
    package var timeout = Duration.milliseconds(8_000)
    /// Time of one request.
    package var requestTimeout = Duration.milliseconds(3_000)
    /// Wrappers in one chain.
    package var wrapperLimit = 5
    /// Ads in one pod.
    package var maxAds = 20
    /// Requests to the ad server at one time; more wait for a place as long as their decision has time.
    package var maxRequests = 1_000
    package var userAgent = UserAgent.device
    /// An ad of a category that a wrapper above it blocks is skipped with 205, and else only noted.
    package var refusesBlockedCategories = false
    package var http2 = false
    /// Sent to the host of `url` only, never to hosts that answers name.
    package var headers: [HeaderOption] = []

    package init(url: String) {
        self.url = url
    }
}
