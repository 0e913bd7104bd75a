import HLS

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

/// What fills the time behind a pod's ads: media played over and over, each pass a creative with its own joint. No ad: nothing is
/// reported of it.
package struct PodSlate: Sendable, Codable {
    package let media: AdMedia
    /// For each content rendition, which of the slate's renditions is listed.
    package let matches: [RenditionKey: AdMatch]
    /// Passes that are begun.
    package let passes: Int
    /// Entries of the last pass on the leading rendition.
    package let lastEntries: Int
}

/// What was decided for one break of one session: ads in order, and slate behind them. Shared by all copies.
package final class Pod: Sendable, Codable {
    /// Empty where slate alone fills the break.
    package let ads: [PodAd]
    /// The content rendition on whose timeline the pod was fitted.
    package let leading: RenditionKey
    /// How much the dates of the entries run slower than their durations, in millionths: so that the content's
    /// own dates never lie before the end of the pod's.
    package let dateShortening: Int64
    /// For each content rendition and ad, which of the ad's renditions is listed.
    package let matches: [RenditionKey: [AdMatch]]
    package let slate: PodSlate?
    /// For each joint, Σ up to the end of the first entry behind it, in the rendition where that is longest. Before that no rendition
    /// shows the entry: a return then cuts the pod behind the same ad in all of them.
    let jointEnds: [Duration]

    private enum CodingKeys: CodingKey { case ads, leading, dateShortening, matches, slate }

    package convenience init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            ads: try values.decode([PodAd].self, forKey: .ads),
            leading: try values.decode(RenditionKey.self, forKey: .leading),
            dateShortening: try values.decode(Int64.self, forKey: .dateShortening),
            matches: try values.decode([RenditionKey: [AdMatch]].self, forKey: .matches),
            slate: try values.decodeIfPresent(PodSlate.self, forKey: .slate))
    }

    package init(
        ads: [PodAd], leading: RenditionKey, dateShortening: Int64, matches: [RenditionKey: [AdMatch]],
        slate: PodSlate? = nil
    ) {
        self.ads = ads
        self.leading = leading
        self.dateShortening = dateShortening
        self.matches = matches
        self.slate = slate
        let content = PodContent(ads: ads, leading: leading, matches: matches, slate: slate)
        var ends: [Duration] = []
        for key in content.unlikeKeys {
            var joint = 0
            for slot in content.fill(for: key).slots where slot.joints > joint {
                joint = slot.joints
                if ends.count < joint {
                    ends.append(slot.end)
                } else {
                    ends[joint - 1] = max(ends[joint - 1], slot.end)
                }
            }
        }
        jointEnds = ends
    }

    /// The length on the leading rendition.
    package var duration: Duration { fill(for: leading).duration }

    /// How much of that is slate.
    package var slateDuration: Duration {
        let fill = fill(for: leading)
        guard let first = fill.slots.first(where: \.isSlate) else { return .zero }
        return fill.duration - first.offset
    }

    /// The same pod with other ads in the place of its own, of the same media.
    package func with(_ ads: [PodAd]) -> Pod {
        Pod(ads: ads, leading: leading, dateShortening: dateShortening, matches: matches, slate: slate)
    }

    /// How its first entries are listed in a rendition.
    func firstMatch(for key: RenditionKey) -> AdMatch? { matches[key]?.first ?? slate?.matches[key] }

    /// The content renditions that the pod has a fill for.
    var keys: Set<RenditionKey> { content.keys }

    /// The entries listed in a rendition, with their times. In one that is cut otherwise than the leading one the last pass of slate is
    /// whole: how much of it is listed is found where the pod gets its place.
    package func fill(for key: RenditionKey) -> PodFill { content.fill(for: key) }

    private var content: PodContent { PodContent(ads: ads, leading: leading, matches: matches, slate: slate) }
}

/// What a pod's entries are made from.
private struct PodContent {
    let ads: [PodAd]
    let leading: RenditionKey
    let matches: [RenditionKey: [AdMatch]]
    let slate: PodSlate?

    var keys: Set<RenditionKey> { Set(matches.keys).union(slate?.matches.keys.map { $0 } ?? []) }

    /// One of each renditions that list the same.
    var unlikeKeys: [RenditionKey] {
        var lists: [([AdMatch], AdMatch?)] = []
        return keys.sorted().filter { key in
            let list = (matches[key] ?? matches[leading] ?? [], slate?.matches[key])
            guard !lists.contains(where: { $0 == list }) else { return false }
            lists.append(list)
            return true
        }
    }

    func fill(for key: RenditionKey) -> PodFill {
        var fill = PodFill(ads: media(for: key))
        guard let slate else { return fill }
        let ads = key == leading ? fill.duration : PodFill.duration(of: media(for: leading))
        fill.append(slate, in: key, leading: leading, after: ads, pass: self.ads.count)
        return fill
    }

    private func media(for key: RenditionKey) -> [(media: AdMedia, match: AdMatch)] {
        zip(ads, matches[key] ?? matches[leading] ?? []).map { ad, match in (ad.media, match) }
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

    var index: Int {
        switch self {
        case .rendition(let index), .emptySubtitles(let index), .gaps(let index): index
        }
    }
}
