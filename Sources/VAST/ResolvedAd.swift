/// An ad ready to be stitched: its InLine with the wrappers above it merged in, outermost first (R-W7).
/// URLs are made absolute against their documents; macros are still in them.
package struct ResolvedAd: Sendable, Hashable {
    package var id: String?
    /// The ad's own place in its pod, for [PODSEQUENCE].
    package var sequence: Int?
    package var adType: String?
    package var adSystem: String?
    package var adSystemVersion: String?
    package var title: String?
    package var description: String?
    package var advertiser: QualifiedText?
    package var adServingID: String?
    package var categories: [QualifiedText] = []
    /// Joined over the chain.
    package var blockedAdCategories: [QualifiedText] = []
    /// Of the outermost element that has one.
    package var pricing: Pricing?
    package var expires: Duration?
    package var conditionalAd: Bool?
    package var surveys: [String] = []

    package var creativeID: String?
    package var creativeAdID: String?
    /// Creative@sequence.
    package var creativeSequence: Int?
    package var universalAdIDs: [UniversalAdID] = []
    /// As claimed; the playlist goes by the media (R-T4).
    package var duration: Duration?
    package var skipOffset: TimeOffset?
    package var mediaFiles: [MediaFile] = []
    package var mezzanines: [MediaFile] = []
    package var interactiveFiles: [InteractiveCreativeFile] = []
    package var closedCaptions: [ClosedCaptionFile] = []
    package var adParameters: AdParameters?

    package var impressions: [String] = []
    /// Linear trackers of all levels.
    package var trackingEvents: [TrackingEvent] = []
    package var errorURLs: [String] = []
    package var viewableImpressions: [ViewableImpression] = []
    package var clickThrough: String?
    package var clickTracking: [String] = []
    package var customClicks: [String] = []

    /// Of the InLine; where it has none, of the wrapper next to it that has.
    package var companionAds: [CompanionAds] = []
    /// Companions of the InLine and of all wrappers, before one level was chosen.
    package var companionsOfInLine = 0
    package var companionsOfWrappers = 0
    /// Overlays of the InLine.
    package var nonLinearAds: [NonLinearAds] = []
    /// What wrappers want to be told of the overlays (R-W7).
    package var nonLinearTrackers: [TrackingEvent] = []
    package var nonLinearClickTracking: [IdentifiedURL] = []
    package var icons: [Icon] = []
    package var verifications: [AdVerification] = []
    package var extensions: [AdExtension] = []
    package var creativeExtensions: [AdExtension] = []
    /// Linear creatives of the InLine that were not chosen; nothing of them is fired (R-C2).
    package var unusedLinears: [Linear] = []
    /// Wrappers above the InLine.
    package var wrapperCount = 0
    /// AdSystem of each wrapper, outermost first.
    package var wrapperAdSystems: [String] = []

    package init() {}

    /// An ad of which nothing more is known than its media.
    package init(id: String, mediaURL: String, impressions: [String]) {
        self.id = id
        self.impressions = impressions
        mediaFiles = [MediaFile(url: mediaURL)]
    }

    /// Playable media of one kind, best bit rate first, document order among equals.
    package func mediaFiles(for use: MediaUse) -> [MediaFile] {
        let matching = mediaFiles.enumerated().filter { $0.element.use == use }
        return matching.sorted {
            ($1.element.bitsPerSecond ?? 0, $0.offset) < ($0.element.bitsPerSecond ?? 0, $1.offset)
        }
        .map(\.element)
    }

    package var hlsMediaFiles: [MediaFile] { mediaFiles(for: .hls) }

    /// The best progressive file for a transcoder: the highest bit rate (R-M3).
    package var progressiveMediaFiles: [MediaFile] { mediaFiles(for: .progressive) }

    /// When a viewer may skip media of that duration; nil: not at all (R-T3).
    package func skipTime(in duration: Duration?) -> Duration? {
        guard let time = skipOffset?.time(in: duration) else { return nil }
        if let duration, duration > .zero, time >= duration { return nil }
        return time
    }

    /// URLs of one event, aliases of older versions included.
    package func trackers(_ event: String) -> [String] {
        trackingEvents.filter { $0.canonicalName == event }.map(\.url)
    }

    /// What to call when this ad fails after it was resolved.
    package func errorReport(_ code: VASTErrorCode) -> ErrorReport {
        ErrorReport(adID: id, code: code, urls: errorURLs)
    }

    /// The answer gives the creative a name: its files' addresses need not tell it from others.
    package var namesMedia: Bool { !mediaKey.hasPrefix("m:") }

    /// A key for transcoded media: never two ids in one (R-C3).
    package var mediaKey: String {
        let media = (hlsMediaFiles.first ?? progressiveMediaFiles.first).map { URLText.withoutQuery($0.url) } ?? ""
        let known = universalAdIDs.first { !$0.value.isEmpty && $0.value.lowercased() != "unknown" }
        if let known { return "u:\(known.registry ?? "unknown")|\(known.value)|\(media)" }
        if let creativeAdID, !creativeAdID.isEmpty { return "a:\(creativeAdID)|\(media)" }
        if let creativeID { return "c:\(creativeID)|\(media)" }
        return "m:\(media)"
    }
}

/// Error URLs to be called with one code, macros still in them.
package struct ErrorReport: Sendable, Hashable {
    /// The ad that failed: the InLine, or the innermost wrapper that was read.
    package var adID: String?
    package var code: VASTErrorCode
    package var urls: [String]

    package init(adID: String?, code: VASTErrorCode, urls: [String]) {
        self.adID = adID
        self.code = code
        self.urls = urls
    }
}

/// A line for the log of a break: what happened to an ad and why. Holds no query of any URL (R-H7).
package struct AdNote: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        /// An ad that will not play.
        case adSkipped
        /// Something odd that costs nothing.
        case oddity
        /// The whole answer gave nothing.
        case noAd
    }

    package var kind: Kind
    package var adID: String?
    package var code: VASTErrorCode?
    package var text: String

    package init(kind: Kind, adID: String? = nil, code: VASTErrorCode? = nil, text: String) {
        self.kind = kind
        self.adID = adID
        self.code = code
        self.text = text
    }
}

/// How the ads of an answer relate (spec section 6).
package enum AdMode: String, Sendable, Hashable {
    /// Nothing there.
    case none
    case pod, buffet, waterfall, single
}

/// The ads of one break.
package struct ResolvedAds: Sendable, Hashable {
    /// To be played in this order, as far as the break has room. In mode `buffet` one or several may be taken.
    package var pod: [ResolvedAd] = []
    /// Stand-alone ads beside a pod that were not used: replacements for one whose media fails (R-P2).
    package var spares: [ResolvedAd] = []
    /// Ads that are overlays alone, where they are kept.
    package var overlays: [ResolvedAd] = []
    package var mode: AdMode = .none
    /// They came as a break of a VMAP in which nothing is to be stitched.
    package var isNonLinear = false
    /// Of the break of a VMAP that they came as (R-V5).
    package var breakEvents: [TrackingEvent] = []
    /// To be called once each.
    package var errors: [ErrorReport] = []
    package var log: [AdNote] = []
    /// The deadline came before everything was there.
    package var isPartial = false
    /// The first request itself failed, as told by the caller; nil where an answer came.
    package var requestFailure: FetchFailure?
    /// The first answer could not be used: 100, 101, 102, or what a VMAP's source is refused with.
    package var answerError: VASTErrorCode?

    package init() {}

    /// For a VMAP break's own error event; nil where the source could be used (R-V5).
    package var breakErrorCode: VASTErrorCode? {
        switch requestFailure {
        case .timeout: return .vmapTimeout
        case .some: return .vmapRetrieval
        case nil: break
        }
        guard let answerError else { return nil }
        return answerError.rawValue >= 900 ? answerError : .vmapAdResponseUnreadable
    }
}

/// Why a request gave no document.
package enum FetchFailure: Error, Sendable, Hashable {
    case timeout
    case status(Int)
    case connection
    /// The address guard forbids the host.
    case refusedAddress
    case tooLarge
    /// The URL cannot be requested.
    case unusableURL
    /// The caller has not made the request, for a reason of its own.
    case notSent(String)
}
