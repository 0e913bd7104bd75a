internal import Stitching
internal import VAST

/// Writes down what players are told of the ads of a decided break, within a bound.
struct HandoutMaker: Sendable {
    var macros: SessionMacros
    var log: Log

    /// Elements of `nonLinearAdsList` for ads that are overlays alone, as many as there is room for.
    func overlays(_ ads: [ResolvedAd], _ record: SessionRecord, _ facts: BreakFacts) -> [String] {
        var context = macros.context(record, facts)
        var left = AdHandout.byteLimit / 4
        return ads.flatMap { ad in
            context.ad = AdMacroValues(ad)
            return AdHandout.overlays(ad) { Macros.requestURL($0, in: context, for: .client) }
        }.filter { overlay in
            left -= overlay.utf8.count
            return left >= 0
        }
    }

    /// - Parameters:
    ///   - ads: of the pod, in its order; nil for bumpers.
    ///   - values: what trackers tell of each.
    func handouts(
        _ ads: [ResolvedAd?], of pod: Pod, _ values: [AdMacroValues], _ record: SessionRecord, _ facts: BreakFacts
    ) -> [AdHandout?] {
        var context = macros.context(record, facts)
        func made(_ index: Int, _ extent: AdHandout.Extent) -> AdHandout? {
            guard let ad = ads[index] else { return nil }
            context.ad = values.indices.contains(index) ? values[index] : nil
            return AdHandout(ad, length: pod.length(ofAd: index), extent: extent) {
                Macros.requestURL($0, in: context, for: .client)
            }
        }
        var left = AdHandout.byteLimit
        return ads.indices.map { index in
            // Each ad has an equal share of what is left.
            let share = left / max(ads.count - index, 1)
            for extent in AdHandout.Extent.allCases {
                guard let handout = made(index, extent) else { return nil }
                guard handout.byteCount <= share || extent == .named else { continue }
                left -= min(handout.byteCount, left)
                if extent != .whole {
                    log.warning(
                        "tracking.shortened", session: record.key.publicName,
                        reason:
                            "it carries more than its share of the \(AdHandout.byteLimit) bytes of a break",
                        ["source": .text(record.key.source.name), "ad": .number(index)])
                }
                return handout
            }
            return nil
        }
    }
}
