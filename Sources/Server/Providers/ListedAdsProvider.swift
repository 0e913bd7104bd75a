internal import Stitching
internal import VAST

/// Ads that the configuration lists: house ads, or the only ones there are. Each break begins with another one.
struct ListedAdsProvider: AdProvider {
    var options: ListedAdsOptions

    func ads(for request: BreakRequest) async -> AdAnswerForBreak {
        let count = options.ads.count
        guard count > 0 else { return AdAnswerForBreak() }
        let session = UInt64(fingerprint(request.record.key.publicName), radix: 16) ?? 0
        let first = options.rotate ? (Int(session % UInt64(count)) + max(request.opportunity.index - 1, 0)) % count : 0
        var ads = ResolvedAds()
        ads.mode = .buffet
        ads.pod = (0..<min(count, options.maxAds)).map { place in
            let ad = options.ads[(first + place) % count]
            return ResolvedAd(id: ad.id, mediaURL: ad.url, impressions: ad.impressions)
        }
        return AdAnswerForBreak(ads: ads, isOperators: true)
    }

    func schedule(for request: BreakRequest) async -> AdSchedule { .oneBreak(await ads(for: request)) }

    func ads(from source: AdSource, url: String, for request: BreakRequest) async -> AdAnswerForBreak {
        AdAnswerForBreak()
    }
}
