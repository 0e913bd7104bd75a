package import HLS

/// What a session shows in a break. Taken once, kept for ever.
package enum Decision: Sendable, Codable {
    case ads(Pod)
    case content(ContentReason)

    package var pod: Pod? {
        if case .ads(let pod) = self { return pod }
        return nil
    }
}

/// Why a break stays content: the words of the log line.
package enum ContentReason: Sendable, Equatable, Codable {
    /// The ad server named no ad that could be used.
    case noAds
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
    /// The source's own ads, or a rendition that cannot carry ads; what is wrong is in the text.
    case notStitchable(String)
    /// Another process has decided, and what it has kept cannot be read.
    case unreadable

    /// A word for logs and metrics.
    package var code: String {
        switch self {
        case .noAds: "no_ads"
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
        }
    }

    package var detail: String? {
        switch self {
        case .providerFailed(let detail), .notStitchable(let detail): detail
        default: nil
        }
    }
}

/// One ad of a pod.
package struct PodAd: Sendable, Codable {
    /// The ad server's id of the ad, for logs and the tracking API.
    package let id: String
    package let media: AdMedia
    /// What is to be reported while the ad plays.
    package let tracking: AdTracking

    package init(id: String, media: AdMedia, tracking: AdTracking = AdTracking()) {
        self.id = id
        self.media = media
        self.tracking = tracking
    }
}

/// The ads decided for one break of one session, in order. Shared by all copies.
package final class Pod: Sendable, Codable {
    package let ads: [PodAd]
    /// The content rendition on whose timeline the pod was fitted.
    package let leading: RenditionKey
    /// How much the dates of the entries run slower than their durations, in millionths (DESIGN q): so that the content's
    /// own dates never lie before the end of the pod's.
    package let dateShortening: Int64
    /// For each content rendition and ad, which of the ad's renditions is listed.
    package let matches: [RenditionKey: [AdMatch]]

    package init(
        ads: [PodAd], leading: RenditionKey, dateShortening: Int64, matches: [RenditionKey: [AdMatch]]
    ) {
        self.ads = ads
        self.leading = leading
        self.dateShortening = dateShortening
        self.matches = matches
    }

    /// The length on the leading rendition.
    package var duration: Duration { fill(for: leading).duration }

    /// The entries listed in a rendition, with their times.
    package func fill(for key: RenditionKey) -> PodFill {
        let matches = matches[key] ?? matches[leading] ?? []
        return PodFill(
            ads: zip(ads, matches).map { ad, match in
                (ad.media, match)
            })
    }
}

/// Which rendition of an ad a content rendition lists.
package enum AdMatch: Sendable, Equatable, Codable {
    /// Index into ``AdMedia/renditions``.
    case rendition(Int)
    /// Entries as long as those of the rendition with this index, each an empty WebVTT file.
    case emptySubtitles(like: Int)
    /// Entries as long as those of the rendition with this index, of which nothing is shown (EXT-X-GAP): in an I-frame playlist.
    case gaps(like: Int)
}

/// The entries of a pod in one rendition.
package struct PodFill: Sendable {
    package struct Slot: Sendable {
        /// Index of the ad in the pod.
        package let ad: Int
        /// Index of the entry in the ad's rendition.
        package let index: Int
        package let entry: SpliceEntry
        /// Σ of the durations before it.
        package let offset: Duration
        package let isSubtitleFiller: Bool
        /// It stands for nothing to be shown.
        package let isGap: Bool
        /// Discontinuities of the pod up to and with this entry.
        package let joints: Int
        /// When the entry begins on the ad's own clock (90 kHz, 33 bits); nil where it is not known.
        package let timestamp: Int64?

        package var end: Duration { offset + entry.duration }
    }

    package private(set) var slots: [Slot] = []
    package private(set) var duration = Duration.zero
    package private(set) var longestEntry = Duration.zero

    init(ads: [(media: AdMedia, match: AdMatch)]) {
        var joints = 0
        for (adIndex, ad) in ads.enumerated() {
            let (renditionIndex, isFiller, isGap) =
                switch ad.match {
                case .rendition(let index): (index, false, false)
                case .emptySubtitles(let index): (index, true, false)
                case .gaps(let index): (index, false, true)
                }
            guard ad.media.renditions.indices.contains(renditionIndex) else { continue }
            let entries = ad.media.renditions[renditionIndex].entries
            slots.reserveCapacity(slots.count + entries.count)
            let timestamps = ad.media.timestamps ?? []
            var run = -1
            var elapsed = Duration.zero
            for (index, entry) in entries.enumerated() {
                if entry.isJoint {
                    joints += 1
                    run += 1
                    elapsed = .zero
                }
                let start = timestamps.indices.contains(run) ? timestamps[run] : nil
                slots.append(
                    Slot(
                        ad: adIndex, index: index, entry: entry, offset: duration, isSubtitleFiller: isFiller,
                        isGap: isGap, joints: joints,
                        timestamp: start.map { ($0 &+ elapsed.ticks) & (MediaTimestamps.period - 1) }))
                elapsed += entry.duration
                duration += entry.duration
                longestEntry = max(longestEntry, entry.duration)
            }
        }
    }
}
