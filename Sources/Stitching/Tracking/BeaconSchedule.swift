import HLS

/// What is to be reported while an ad plays, in the order of its times.
package struct AdTracking: Sendable, Equatable, Codable {
    package struct Event: Sendable, Equatable, Codable {
        package enum Time: Sendable, Equatable, Codable {
            /// With the first frame.
            case start
            /// Of the ad's length, in millionths.
            case fraction(millionths: Int64)
            case offset(Duration)
            /// Only when the ad was shown to its end.
            case end
        }

        /// The name by VAST: impression, creativeView, start, firstQuartile, ...
        package var name: String
        package var time: Time
        /// Addresses to call, macros still in them.
        package var urls: [String]

        package init(name: String, time: Time, urls: [String]) {
            self.name = name
            self.time = time
            self.urls = urls
        }

        /// It is the break's own, which the ads only carry: VMAP's breakStart and breakEnd.
        package var isOfBreak: Bool { name == "breakStart" || name == "breakEnd" }

        static let notExecutedName = "verificationNotExecuted"

        /// A vendor's script did not run: its addresses ask for the reason.
        package var isNotExecuted: Bool { name == Self.notExecutedName }
    }

    package var events: [Event]

    package init(events: [Event] = []) { self.events = events }

    /// The event's time in an ad of that length.
    static func offset(of event: Event, in length: Duration) -> Duration {
        switch event.time {
        case .start: .zero
        case .end: length
        case .fraction(let millionths): length * Int(min(max(millionths, 0), 1_000_000)) / 1_000_000
        case .offset(let offset): max(offset, .zero)
        }
    }

    /// Indices of the events in the order in which they fall due; equal times in the order given.
    package func order(in length: Duration) -> [(event: Int, offset: Duration)] {
        events.indices.map { ($0, Self.offset(of: events[$0], in: length)) }
            .filter { $0.1 <= length }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
            .map { (event: $0.0, offset: $0.1) }
    }
}

/// A beacon that is due.
package struct DueBeacon: Sendable, Equatable {
    package var breakID: BreakID
    /// Index of the ad in the pod, and its id.
    package var ad: Int
    package var adID: String
    package var event: AdTracking.Event
    /// The event's time in the ad: [ADPLAYHEAD].
    package var adPlayhead: Duration
    package var adDuration: Duration
    /// Number of ads in the pod.
    package var adCount: Int
}

/// Which events of which ads were reported for a session. Each is reported once and in order: the state of an ad is a count,
/// and two replicas' states merge to the larger.
package struct BeaconProgress: Sendable, Equatable, Codable {
    struct AdKey: Hashable, Sendable, Codable {
        var breakID: BreakID
        var ad: Int
    }

    private var reported: [AdKey: Int] = [:]

    package init() {}

    /// The events of an ad that fall due up to `playhead` (time in the ad) and were not reported. They count as reported.
    mutating func take(
        breakID: BreakID, ad: Int, tracking: AdTracking, length: Duration, upTo playhead: Duration
    ) -> [(event: AdTracking.Event, offset: Duration)] {
        let key = AdKey(breakID: breakID, ad: ad)
        let order = tracking.order(in: length)
        var next = reported[key] ?? 0
        var result: [(event: AdTracking.Event, offset: Duration)] = []
        while next < order.count, order[next].offset <= playhead {
            result.append((tracking.events[order[next].event], order[next].offset))
            next += 1
        }
        if !result.isEmpty { reported[key] = next }
        return result
    }

    package mutating func merge(_ other: BeaconProgress) {
        reported.merge(other.reported) { max($0, $1) }
    }

    /// Ads of which something was reported.
    var count: Int { reported.count }

    /// Forgets breaks that cannot fall due any more.
    mutating func forget(_ isOver: (BreakID) -> Bool) {
        reported = reported.filter { !isOver($0.key.breakID) }
    }
}
