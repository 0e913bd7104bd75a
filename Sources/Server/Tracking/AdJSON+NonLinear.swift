package import VAST

extension AdJSON {
    /// Elements of `nonLinearAdsList`: the overlays of an ad, with the trackers of its wrappers (R-W7).
    ///
    /// - Parameter isAlone: the ad is overlays alone. What else it carries is told with the first of them, its impressions, which are
    ///   counted once, among the trackers.
    package func nonLinears(of ad: ResolvedAd, isAlone: Bool) -> [JSONText] {
        ad.nonLinearAds.filter { !$0.nonLinears.isEmpty }.enumerated().map { index, part in
            var events = ad.nonLinearTrackers + part.trackingEvents.events
            let isFirst = isAlone && index == 0
            if isFirst {
                events = ad.impressions.map { TrackingEvent(event: "impression", url: $0) } + events
                events += PlayerEvents.ofViews(of: ad).flatMap { name, urls in
                    urls.map { TrackingEvent(event: name, url: $0) }
                }
            }
            return nonLinears(part, events, of: ad, isFirst: isFirst)
        }
    }

    private func nonLinears(
        _ part: NonLinearAds, _ events: [TrackingEvent], of ad: ResolvedAd, isFirst: Bool
    ) -> JSONText {
        var object = JSONMembers()
        let extensions = isFirst ? (ad.extensions + ad.creativeExtensions).map(Self.adExtension) : []
        object.add("extensions", extensions.isEmpty ? JSONText.null : .list(extensions))
        object.add("nonLinearAdList", part.nonLinears.map { overlay($0, part, of: ad) })
        object.add("trackingEvents", events.compactMap(event))
        if isFirst {
            object.addUnlessEmpty("adVerifications", ad.verifications.map(verification))
            object.addUnlessEmpty("companionAds", companions(of: ad))
        }
        return object.object
    }

    private func overlay(_ overlay: NonLinearAds.NonLinear, _ part: NonLinearAds, of ad: ResolvedAd) -> JSONText {
        var object = JSONMembers()
        let clicks = requested(ad.nonLinearClickTracking.map(\.url) + overlay.clickTracking.map(\.url))
        object.add("adId", orEmpty: ad.id)
        object.add("adParameters", orNull: overlay.adParameters?.text)
        object.add("adSystem", orEmpty: ad.adSystem)
        object.add("adTitle", orEmpty: ad.title)
        object.add("apiFramework", orNull: overlay.apiFramework)
        object.add("clickThrough", orNull: overlay.clickThrough.map(expand))
        object.add("clickTracking", orNull: clicks.first)
        object.add("clickTrackingId", orNull: (ad.nonLinearClickTracking + overlay.clickTracking).first?.id)
        object.add("creativeAdId", orEmpty: part.creativeAdID)
        object.add("creativeId", orEmpty: overlay.id ?? part.creativeID)
        object.add("creativeSequence", orEmpty: part.creativeSequence.map { "\($0)" })
        object.add("duration", JSONText.null)
        object.add("durationInSeconds", 0)
        object.add("expandedHeight", orNull: overlay.expandedHeight.map { "\($0)" })
        object.add("expandedWidth", orNull: overlay.expandedWidth.map { "\($0)" })
        object.add("height", orNull: overlay.height.map { "\($0)" })
        object.add("maintainAspectRatio", overlay.maintainAspectRatio ?? false)
        object.add("minSuggestedDuration", orNull: overlay.minSuggestedDuration.map(JSONTime.iso8601))
        object.add("scalable", overlay.scalable ?? false)
        add(overlay.resources, to: &object, ifNone: .null)
        object.add("width", orNull: overlay.width.map { "\($0)" })
        object.add("adParametersXmlEncoded", overlay.adParameters?.xmlEncoded)
        if clicks.count > 1 { object.add("clickTrackings", clicks) }
        return object.object
    }

    /// When a player shows an overlay is its own business: the events have no times.
    private func event(_ event: TrackingEvent) -> JSONText? {
        let urls = requested([event.url])
        guard !urls.isEmpty else { return nil }
        return .object {
            $0.add("beaconUrls", urls)
            $0.add("duration", JSONText.null)
            $0.add("durationInSeconds", 0)
            $0.add("eventId", JSONText.null)
            $0.add("eventProgramDateTime", JSONText.null)
            $0.add("eventType", event.canonicalName)
            $0.add("startTime", JSONText.null)
            $0.add("startTimeInSeconds", 0)
        }
    }
}
