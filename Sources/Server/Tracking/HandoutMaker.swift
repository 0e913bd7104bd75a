internal import Stitching
internal import VAST

/// Writes down what players are told of the ads of a decided break, within a bound.
struct HandoutMaker: Sendable {
    var macros: SessionMacros
    var log: Log

    /// The most that is kept for the ads of a break, and for what comes with none of them, bytes.
    static let byteLimit = 1 << 20
    private static let overlayByteLimit = byteLimit / 4

    /// What belongs to the break and to none of the ads in its pod.
    ///
    /// - Parameter decision: a pod with ads tells of the break's own events itself.
    func breakHandout(
        _ outcome: PodMaker.Outcome, _ record: SessionRecord, _ facts: BreakFacts
    ) -> BreakHandout? {
        var handout = BreakHandout(
            overlays: overlays(outcome.overlays, record, facts), isNonLinear: outcome.isNonLinear)
        if outcome.ads.isEmpty { handout.events = outcome.tracking.events }
        return handout.isEmpty ? nil : handout
    }

    /// Elements of `nonLinearAdsList` for ads that are overlays alone, as many as there is room for.
    private func overlays(_ ads: [ResolvedAd], _ record: SessionRecord, _ facts: BreakFacts) -> [String] {
        var left = Self.overlayByteLimit
        var told: [String] = []
        for element in ads.flatMap({ json($0, nil, record, facts).nonLinears(of: $0, isAlone: true) }) {
            let text = element.compact
            left -= text.utf8.count
            guard left >= 0 else {
                warn(record, facts, "its overlays are more than \(Self.overlayByteLimit) bytes")
                break
            }
            told.append(text)
        }
        return told
    }

    /// - Parameters:
    ///   - ads: of the pod, in its order; nil for bumpers.
    ///   - values: what trackers tell of each.
    func handouts(
        _ ads: [ResolvedAd?], of pod: Pod, _ values: [AdMacroValues], _ record: SessionRecord, _ facts: BreakFacts
    ) -> [AdHandout?] {
        func made(_ index: Int, _ extent: AdJSON.Extent) -> AdHandout? {
            guard let ad = ads[index] else { return nil }
            var json = json(ad, values.indices.contains(index) ? values[index] : nil, record, facts)
            json.extent = extent
            return AdHandout(ad, length: pod.length(ofAd: index), json)
        }
        var extents = ads.map { _ in AdJSON.Extent.whole }
        var handouts = ads.indices.map { made($0, .whole) }
        var sum = handouts.reduce(0) { $0 + ($1?.byteCount ?? 0) }
        // The largest is shortened first: what one ad carries too much costs the others nothing.
        while sum > Self.byteLimit {
            let shortenable = ads.indices.filter { extents[$0] != .named && handouts[$0] != nil }
            guard
                let largest = shortenable.max(by: {
                    (handouts[$0]?.byteCount ?? 0) < (handouts[$1]?.byteCount ?? 0)
                })
            else { break }
            extents[largest] = extents[largest] == .whole ? .essential : .named
            sum -= handouts[largest]?.byteCount ?? 0
            handouts[largest] = made(largest, extents[largest])
            sum += handouts[largest]?.byteCount ?? 0
            warn(
                record, facts, "it carries more than there is room for in the \(Self.byteLimit) bytes of a break",
                ad: largest)
        }
        guard sum > Self.byteLimit else { return handouts }
        return ads.map { ad in ad.map { AdHandout(vastAdID: String(($0.id ?? "").prefix(256))) } }
    }

    private func json(
        _ ad: ResolvedAd, _ values: AdMacroValues?, _ record: SessionRecord, _ facts: BreakFacts
    ) -> AdJSON {
        var context = macros.context(record, facts)
        context.ad = values ?? AdMacroValues(ad)
        return AdJSON { [context] in Macros.requestURL($0, in: context, for: .client) }
    }

    private func warn(_ record: SessionRecord, _ facts: BreakFacts, _ reason: String, ad: Int? = nil) {
        let source = LogValue.text(record.key.source.name)
        let adBreak = LogValue.text(facts.id.text)
        guard let ad else {
            log.warning(
                "tracking.shortened", session: record.key.publicName, reason: reason,
                ["source": source, "break": adBreak])
            return
        }
        log.warning(
            "tracking.shortened", session: record.key.publicName, reason: reason,
            ["source": source, "break": adBreak, "ad": .number(ad)])
    }
}
