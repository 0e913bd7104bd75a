package import HLS

/// What a session shows in a break. Taken once, kept for ever.
package enum Decision: Sendable, Codable {
    case ads(Pod)
    case content(ContentReason)
    case fallback(Fallback)

    /// What takes the place of ads that cannot be had: slate, or content up to a time from which the rest is asked for again.
    package struct Fallback: Sendable, Codable {
        /// Why there are no ads.
        package let reason: ContentReason
        /// A pod of slate alone; nil: the content itself.
        package let slate: Pod?
        /// Nil: the fallback holds to the end of the break.
        package let rest: Rest?
    }

    /// The rest of a break, which is a break of its own.
    package struct Rest: Sendable, Equatable, Codable {
        /// The boundary of the leading rendition nearest to this time is where it begins.
        package var start: DateTime
        /// How many times ads were asked for again by then; 0 where a session joined inside the break.
        package var attempt: Int
    }

    package var pod: Pod? {
        switch self {
        case .ads(let pod): pod
        case .content: nil
        case .fallback(let fallback): fallback.slate
        }
    }

    /// Why the break has no ads; nil where it has.
    package var reason: ContentReason? {
        switch self {
        case .ads: nil
        case .content(let reason): reason
        case .fallback(let fallback): fallback.reason
        }
    }

    package var rest: Rest? {
        if case .fallback(let fallback) = self { return fallback.rest }
        return nil
    }
}

/// Why a break has no ads: the words of the log line.
package enum ContentReason: Sendable, Equatable, Codable {
    /// The ad server named no ad that could be used.
    case noAds
    /// The ad server named overlays alone, which players lay over the content.
    case overlays
    /// The ad server did not answer well; what happened is in the text.
    case providerFailed(String)
    /// No answer came before the decision deadline.
    case deadline
    /// The session began inside the break.
    case joinedInside
    /// The break had ended before the session began.
    case beforeSession
    /// The operator wants no ads so far behind or so soon after the live edge at which the session began.
    case suppressed
    /// It lies under the pre-roll.
    case overlapsPreroll
    /// Nobody asked for the session's playlists while the break lasted.
    case passed
    /// No ad fits into the planned length.
    case nothingFits
    /// What the ads leave unfilled is above the personalisation threshold.
    case belowThreshold
    /// No segment boundary of the content brings playback back close enough to the live timeline.
    case noReturn
    /// The marker asks for an insertion, which a live timeline cannot hold.
    case insertionIntoLive
    /// Three target durations could not be listed (rule 309): what there is stands in the text.
    case notStitchable(String)
    /// Another process has decided, and what it has kept cannot be read.
    case unreadable
    /// Several servers share a store that was away: none could know what the others show.
    case storeAway

    /// A word for logs and metrics.
    package var code: String {
        switch self {
        case .noAds: "no_ads"
        case .overlays: "overlays"
        case .providerFailed: "provider_failed"
        case .deadline: "deadline"
        case .joinedInside: "joined_inside"
        case .beforeSession: "before_session"
        case .suppressed: "suppressed"
        case .overlapsPreroll: "overlaps_preroll"
        case .passed: "passed"
        case .nothingFits: "nothing_fits"
        case .belowThreshold: "below_threshold"
        case .noReturn: "no_return"
        case .insertionIntoLive: "insertion_into_live"
        case .notStitchable: "not_stitchable"
        case .unreadable: "unreadable"
        case .storeAway: "store_away"
        }
    }

    package var detail: String? {
        switch self {
        case .providerFailed(let detail), .notStitchable(let detail): detail
        default: nil
        }
    }
}
