package import Stitching
package import VAST

/// Events of an ad that only its player knows of: what a viewer does, and what goes wrong while it plays.
package enum PlayerEvents {
    /// By name, in the order in which the answer has them; the addresses with their macros.
    package static func events(of ad: ResolvedAd) -> [AdTracking.Event] {
        let timed = Set(AdTracking.timedNames)
        var events = ad.trackingEvents.filter { !timed.contains($0.canonicalName) }.map { ($0.canonicalName, [$0.url]) }
        events.append((AdTracking.Event.clickThroughName, ad.clickThrough.map { [$0] } ?? []))
        events.append(("clickTracking", ad.clickTracking))
        events.append(("customClick", ad.customClicks))
        events += ofViews(of: ad)
        var result: [AdTracking.Event] = []
        var places: [String: Int] = [:]
        for (name, urls) in events where !urls.isEmpty {
            if let place = places[name] {
                result[place].urls += urls
            } else {
                places[name] = result.count
                result.append(AdTracking.Event(name: name, time: .start, urls: urls))
            }
        }
        return result
    }

    /// Those that any ad has, whatever its form: viewability, and the error of an ad that its player could not show.
    static func ofViews(of ad: ResolvedAd) -> [(name: String, urls: [String])] {
        [
            ("viewable", ad.viewableImpressions.flatMap(\.viewable)),
            ("notViewable", ad.viewableImpressions.flatMap(\.notViewable)),
            ("viewUndetermined", ad.viewableImpressions.flatMap(\.viewUndetermined)),
            (AdTracking.Event.errorName, ad.errorURLs),
        ]
    }
}

extension AdTracking.Event {
    static let clickThroughName = "clickThrough"
    static let errorName = "error"

    /// A page that the player opens, nothing to be reported.
    var isOpened: Bool { name == Self.clickThroughName }
    /// The ad could not be shown: its addresses ask for a code.
    var isError: Bool { name == Self.errorName }
}
