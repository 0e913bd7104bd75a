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
    /// Index among the ad's events.
    package var index: Int
    package var event: AdTracking.Event
    /// The event's time in the ad: [ADPLAYHEAD].
    package var adPlayhead: Duration
    package var adDuration: Duration
    /// Number of ads in the pod.
    package var adCount: Int
    /// When it is played, on the timeline of ``StitchingSession/podStart(of:in:)``; since the pod's start where that is not known.
    package var position: Duration
}

/// Which events of which ads were reported for a session. Each is reported once and in order: the state of an ad is a count,
/// and two replicas' states merge to the larger.
package struct BeaconProgress: Sendable, Equatable, Codable {
    struct AdKey: Hashable, Sendable, Codable {
        var breakID: BreakID
        var ad: Int
    }

    private var reported: [AdKey: Int] = [:]
    /// What players have asked this process for, of ads that are seen by request.
    private var asked: [AdKey: AskedSpans] = [:]
    /// The pods lined up to this place have nothing more that falls due at the live edge: they are not looked at again.
    var finishedPods = -1

    private enum CodingKeys: CodingKey { case reported }

    package init() {}

    /// The events of an ad that fall due up to `playhead` (time in the ad) and were not reported. They count as reported.
    mutating func take(
        breakID: BreakID, ad: Int, tracking: AdTracking, length: Duration, upTo playhead: Duration
    ) -> [(event: Int, offset: Duration)] {
        let key = AdKey(breakID: breakID, ad: ad)
        var next = reported[key] ?? 0
        guard next < tracking.events.count else { return [] }
        let order = tracking.order(in: length)
        let first = next
        while next < order.count, order[next].offset <= playhead { next += 1 }
        guard next > first else { return [] }
        reported[key] = next
        return Array(order[first..<next])
    }

    /// Takes note of a part of an ad that a player asks for.
    mutating func ask(for span: Range<Duration>, ofAd ad: Int, in breakID: BreakID) {
        asked[AdKey(breakID: breakID, ad: ad), default: AskedSpans()].add(span)
    }

    /// What players have asked for of an ad; nil where it was nothing.
    func asked(ofAd ad: Int, in breakID: BreakID) -> AskedSpans? { asked[AdKey(breakID: breakID, ad: ad)] }

    package mutating func merge(_ other: BeaconProgress) {
        reported.merge(other.reported) { max($0, $1) }
    }

    /// Ads of which something was reported.
    var count: Int { reported.count }

    /// Forgets breaks that cannot fall due any more.
    mutating func forget(_ isOver: (BreakID) -> Bool) {
        reported = reported.filter { !isOver($0.key.breakID) }
        asked = asked.filter { !isOver($0.key.breakID) }
    }
}

/// Parts of an ad that players asked for, as times in it. Renditions may be cut otherwise by a little.
struct AskedSpans: Sendable, Equatable {
    /// Between what two requests ask for; less is no gap.
    private static let tolerance = Duration.milliseconds(500)
    /// Of an ad that is asked for in more pieces it is no longer known what was left out.
    private static let limit = 64

    /// In order, with gaps between them.
    private(set) var spans: [Range<Duration>] = []

    mutating func add(_ span: Range<Duration>) {
        var lower = span.lowerBound
        var upper = span.upperBound
        spans.removeAll { other in
            guard other.lowerBound <= upper + Self.tolerance, lower <= other.upperBound + Self.tolerance else {
                return false
            }
            lower = min(lower, other.lowerBound)
            upper = max(upper, other.upperBound)
            return true
        }
        spans.append(lower..<upper)
        spans.sort { $0.lowerBound < $1.lowerBound }
        if spans.count > Self.limit, let first = spans.first, let last = spans.last {
            spans = [first.lowerBound..<last.upperBound]
        }
    }

    /// Whether the moment was asked for.
    func contains(_ time: Duration) -> Bool {
        spans.contains { $0.lowerBound - Self.tolerance <= time && time < $0.upperBound + Self.tolerance }
    }

    /// Whether everything up to `end` was asked for.
    func covers(upTo end: Duration) -> Bool {
        spans.contains { $0.lowerBound <= Self.tolerance && $0.upperBound >= end - Self.tolerance }
    }
}
