package import VAST

extension AdTracking {
    /// The beacons of a resolved ad that fall due by playing alone, in the order of VAST's timeline. Errors, clicks and what a
    /// viewer does are not among them.
    ///
    /// - Parameter isAlone: no player reports anything: that no measurement script ran, and that nobody knows of view, is then told with
    ///   the ad's beginning, once each (R-C6).
    package init(_ ad: ResolvedAd, isAlone: Bool = false) {
        self.init()
        if !ad.impressions.isEmpty { events.append(Event(name: "impression", time: .start, urls: ad.impressions)) }
        for (name, time) in Self.timeline {
            let urls = ad.trackingEvents.filter { $0.canonicalName == name }.map(\.url)
            if !urls.isEmpty { events.append(Event(name: name, time: time, urls: urls)) }
        }
        for event in ad.trackingEvents where event.canonicalName == "progress" {
            switch event.offset {
            case .time(let offset): events.append(Event(name: "progress", time: .offset(offset), urls: [event.url]))
            case .fraction(let millionths):
                events.append(Event(name: "progress", time: .fraction(millionths: millionths), urls: [event.url]))
            case nil: break
            }
        }
        guard isAlone else { return }
        let untold = [
            (Event.notExecutedName, ad.verifications.flatMap(\.notExecuted)),
            ("viewUndetermined", ad.viewableImpressions.flatMap(\.viewUndetermined)),
        ]
        for (name, urls) in untold where !urls.isEmpty { events.append(Event(name: name, time: .start, urls: urls)) }
    }

    /// Trackers that fall due by playing alone.
    package static let timedNames = timeline.map(\.0) + ["progress"]

    private static let timeline: [(String, Event.Time)] = [
        ("creativeView", .start), ("loaded", .start), ("start", .start),
        ("firstQuartile", .fraction(millionths: 250_000)), ("midpoint", .fraction(millionths: 500_000)),
        ("thirdQuartile", .fraction(millionths: 750_000)), ("complete", .end),
    ]
}
