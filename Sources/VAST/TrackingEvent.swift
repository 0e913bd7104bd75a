/// A URL to be called at an event of an ad or a break.
package struct TrackingEvent: Sendable, Hashable {
    /// As written; see `canonicalName`.
    package var event: String
    package var url: String
    /// The offset attribute as written.
    package var offsetText: String?
    /// When `progress` fires; nil where the offset is missing or bad: then it never does (R-T2).
    package var offset: TimeOffset?

    package init(event: String, url: String, offsetText: String? = nil) {
        self.event = event
        self.url = url
        self.offsetText = offsetText
        offset = offsetText.flatMap(TimeOffset.init(parsing:))
    }

    /// The name of VAST 4 for what older versions spell otherwise (spec section 8).
    package var canonicalName: String {
        switch event {
        case "fullscreen": "playerExpand"
        case "exitFullscreen": "playerCollapse"
        case "expand": "adExpand"
        case "collapse": "adCollapse"
        default: event
        }
    }
}

/// All Tracking elements of one parent, also where it repeats TrackingEvents (R-K4).
package struct TrackingEvents: Sendable, Hashable {
    package var events: [TrackingEvent]
    /// Trackers of a named event without a usable URL.
    package var blank: Int
    /// Trackers without an event name.
    package var unnamed: Int

    package init(events: [TrackingEvent] = []) {
        self.events = events
        blank = 0
        unnamed = 0
    }

    init(in parent: XMLElement) {
        self.init()
        for tracking in parent.children("TrackingEvents", "Tracking") {
            guard let name = tracking.word("event") else {
                unnamed += 1
                continue
            }
            guard let url = tracking.url else {
                blank += 1
                continue
            }
            events.append(TrackingEvent(event: name, url: url, offsetText: tracking.attribute("offset")))
        }
    }
}
