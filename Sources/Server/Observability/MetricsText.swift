/// One line of what is told to a Prometheus server: a counter, or what something is at now.
struct Measure: Sendable, Equatable {
    enum Kind: String, Sendable {
        case counter, gauge
    }

    var name: String
    var kind: Kind
    /// What it counts, in a sentence.
    var help: String
    /// Each value with its label, or one without.
    var values: [(label: String?, value: Int)]

    static func == (left: Self, right: Self) -> Bool { left.name == right.name && left.text == right.text }

    static func counter(_ name: String, _ value: Int, _ help: String) -> Measure {
        Measure(name: "podstitch_\(name)_total", kind: .counter, help: help, values: [(nil, value)])
    }

    static func counters(
        _ name: String, _ label: String, _ values: [(key: String, value: Int)], _ help: String
    ) -> Measure {
        Measure(
            name: "podstitch_\(name)_total", kind: .counter, help: help,
            values: values.map { ("\(label)=\"\($0.key)\"", $0.value) })
    }

    static func gauge(_ name: String, _ value: Int, _ help: String) -> Measure {
        Measure(name: "podstitch_\(name)", kind: .gauge, help: help, values: [(nil, value)])
    }

    /// In the text format of Prometheus, version 0.0.4.
    var text: String {
        var text = "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
        for (label, value) in values { text += "\(name)\(label.map { "{\($0)}" } ?? "") \(value)\n" }
        return text
    }

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"
}

extension Metrics {
    /// All of them, in a fixed order.
    var measures: [Measure] {
        [
            .counter("playlists", playlists.value, "Multivariant and media playlists answered."),
            .counters(
                "request_errors", "class", [("4xx", clientErrors.value), ("5xx", serverErrors.value)],
                "Requests of viewers answered with an error."),
            .counter("sessions_started", sessionsStarted.value, "Sessions begun."),
            .counter("sessions_evicted", sessionsEvicted.value, "Sessions that went because there were too many."),
            .counter(
                "sessions_unstitched", sessionsUnstitched.value,
                "Sessions without ads, because the origin's window is too short."),
            .counter("origin_requests", originRequests.value, "Playlists asked of origins."),
            .counter("origin_failures", originFailures.value, "Playlists that an origin failed to give."),
            .counter("decisions", decisions.value, "Breaks decided for a session."),
            .counter("fallbacks", fallbacks.value, "Breaks decided as content or slate because no ad came of them."),
            .counter(
                "breaks_unstitched", breaksUnstitched.value,
                "Breaks left to the content, because the live window is too short."),
            .counter("ad_requests", adRequests.value, "Requests to ad servers, of wrappers too."),
            .counter("ad_request_failures", adRequestFailures.value, "Requests to ad servers that failed."),
            .counter(
                "ad_requests_held_back", adRequestsHeldBack.value,
                "Requests not made: the ad server does not answer, or too many were under way."),
            .counter("ads_skipped", adsSkipped.value, "Ads that were answered and cannot be played."),
            .counter("creatives_made", creativesMade.value, "Ads made into HLS."),
            .counters(
                "creatives_failed", "kind", creativesFailed.values, "Ads that could not be made into HLS, by why."),
            .counter("creatives_evicted", creativesEvicted.value, "Made ads that went for want of room."),
            .counters(
                "creative_lookups", "result", [("hit", creativeHits.value), ("miss", creativeMisses.value)],
                "Ads wanted that have to be made: there, and not there."),
            .counter("creative_requests", creativeRequests.value, "Files of made ads that were served."),
            .counter("creative_bytes_served", creativeBytes.value, "Bytes of such files."),
            .counter("beacons_sent", beaconsSent.value, "Beacons that got an answer."),
            .counter("beacons_failed", beaconsFailed.value, "Beacons given up."),
            .counter(
                "beacons_lost", beaconsLost.value, "Beacons never sent: there was no room, or they were too late."),
            .counter("beacons_adopted", beaconsAdopted.value, "Beacons that another process had left."),
            .counter("store_failures", storeFailures.value, "Operations of the store that failed."),
            .counter(
                "breaks_store_away", breaksStoreAway.value, "Breaks left to the content while the store was away."),
            .counter(
                "sessions_overruled", sessionsOverruled.value,
                "Sessions that took over what another server had kept, when the store was back."),
        ]
    }
}
