internal import Conditioning
import Synchronization

/// A number that only rises.
package final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    package init() {}

    package var value: Int { count.load(ordering: .relaxed) }

    package func increment(by amount: Int = 1) { count.wrappingAdd(amount, ordering: .relaxed) }
}

/// What the server counts, from its start.
package final class Metrics: Sendable {
    /// Multivariant and media playlists answered.
    package let playlists = Counter()
    /// Answers with a status of 400 to 499.
    package let clientErrors = Counter()
    /// Answers with a status of 500 and above.
    package let serverErrors = Counter()
    package let sessionsStarted = Counter()
    /// Operations of the store that failed: sessions and decisions were then kept in memory only.
    package let storeFailures = Counter()
    /// Breaks that stayed content because the store was away that several servers share.
    package let breaksStoreAway = Counter()
    /// Sessions that took over what another server had shown while the store was away.
    package let sessionsOverruled = Counter()
    /// Sessions that went because there were too many.
    package let sessionsEvicted = Counter()
    /// Sessions that get no ads, because the origin's window is too short for their target duration.
    package let sessionsUnstitched = Counter()
    /// Playlist requests to origins.
    package let originRequests = Counter()
    package let originFailures = Counter()
    /// Breaks decided for a session.
    package let decisions = Counter()
    /// Breaks decided as content because no ad came of it.
    package let fallbacks = Counter()
    /// Of those, breaks of live windows in which three target durations could not be listed.
    package let breaksUnstitched = Counter()
    package let adRequests = Counter()
    package let adRequestFailures = Counter()
    /// Requests that were not made, because the ad server does not answer or too many were under way.
    package let adRequestsHeldBack = Counter()
    /// Ads that were answered and cannot be played.
    package let adsSkipped = Counter()
    /// Ads that were made of files, those that could not be, by the kind of ``ConditioningFailure``, and those that went for want of room.
    package let creativesMade = Counter()
    package let creativesFailed = CounterFamily(ConditioningFailure.Kind.allCases.map(\.rawValue))
    package let creativesEvicted = Counter()
    /// Ads wanted that were there, and that were not.
    package let creativeHits = Counter()
    package let creativeMisses = Counter()
    /// Files of such ads that were served.
    package let creativeRequests = Counter()
    package let creativeBytes = Counter()
    package let beaconsSent = Counter()
    package let beaconsFailed = Counter()
    /// Beacons that were never sent: there was no room, or they were too late.
    package let beaconsLost = Counter()
    /// Beacons that another process had left.
    package let beaconsAdopted = Counter()

    package init() {}
}

/// Counters that differ in one property, whose values are known ahead.
package final class CounterFamily: Sendable {
    private let counters: [(key: String, counter: Counter)]
    private let others = Counter()

    init(_ keys: [String]) { counters = keys.map { ($0, Counter()) } }

    /// One that is not known is counted for none.
    package subscript(_ key: String) -> Counter { counters.first { $0.key == key }?.counter ?? others }

    /// Of all of them.
    package var value: Int { counters.reduce(0) { $0 + $1.counter.value } }

    var values: [(key: String, value: Int)] { counters.map { ($0.key, $0.counter.value) } }
}
