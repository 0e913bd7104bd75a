/// A value for a macro of the VAST table.
package enum MacroValue: Sendable, Hashable {
    case text(String)
    /// The commas between the members stay bare (R-Y2).
    case list([String])
    /// Known, but not to be shared: -2.
    case notShared
}

/// What is known when a URL is called. The caller fills it; nothing is read from clock or system here.
package struct MacroContext: Sendable {
    /// Wall clock of the call, since 1970 in UTC.
    package var timeSince1970: Duration
    /// Gives random numbers, a new one for each call.
    package var random: @Sendable () -> UInt64
    /// Macros of the table by name, for what has no property of its own: `DEVICEIP`, `DEVICEUA`, `IFA`, `CONTENTID`,
    /// `GDPRCONSENT`, `SERVERUA`, ...
    package var values: [String: MacroValue] = [:]
    /// [LIMITADTRACKING], required.
    package var limitsAdTracking = false
    /// [TRANSACTIONID]: one for the whole chain and its trackers.
    package var transactionID: String?
    /// [CONTENTPLAYHEAD], [MEDIAPLAYHEAD]: content time at the break, ads not counted.
    package var contentPlayhead: Duration?
    /// [BREAKPOSITION].
    package var breakPosition: BreakPosition = .other
    /// Room in the break: [BREAKMAXDURATION], `[session.avail_duration_secs]`, `[session.avail_duration_ms]`.
    package var availDuration: Duration?
    /// The ad a tracker belongs to.
    package var ad: AdMacroValues?

    /// `[session.NAME]`.
    package var session: [String: String] = [:]
    /// `[player_params.NAME]`: query parameters of the viewer's first request.
    package var playerParameters: [String: String] = [:]
    /// `[scte.NAME]`: fields of the break's SCTE-35 message.
    package var splice: [String: String] = [:]
    /// `[asset.NAME]`, names in upper case here: what EXT-X-ASSET says of the break.
    package var asset: [String: String] = [:]
    /// `[avail.NAME]`.
    package var avail: [String: String] = [:]

    /// Also `%%NAME%%`, `${NAME}`, `{NAME}`, `%5BNAME%5D`, `[timestamp]`, `[random]` (R-Y4).
    package var acceptsOtherForms = false
    /// Characters kept of a viewer's value (R-Y5).
    package var valueLimit = 2048

    package enum BreakPosition: Int, Sendable, Hashable {
        case other = 0, preRoll, midRoll, postRoll, standalone
    }

    package init(timeSince1970: Duration, random: @escaping @Sendable () -> UInt64) {
        self.timeSince1970 = timeSince1970
        self.random = random
    }
}

/// What trackers of one ad tell of it.
package struct AdMacroValues: Sendable, Hashable, Codable {
    package var universalAdIDs: [UniversalAdID] = []
    package var adServingID: String?
    package var adType: String?
    /// [PODSEQUENCE]: the Ad's own number.
    package var sequence: Int?
    /// [ADCOUNT]: ads played so far in the break, this one included.
    package var count: Int?
    /// [ADPLAYHEAD]: time inside the ad.
    package var playhead: Duration?
    /// [ASSETURI]: the media being played.
    package var mediaURL: String?

    package init() {}

    package init(_ ad: ResolvedAd) {
        universalAdIDs = ad.universalAdIDs
        adServingID = ad.adServingID
        adType = ad.adType
        sequence = ad.sequence
    }
}

/// Where a URL is called.
package enum MacroUse: Sendable, Hashable {
    /// The ad tag, a wrapper's URI.
    case adRequest
    /// Impression, event or break tracker fired by the server.
    case tracker
    /// Error of an ad or a break.
    case error(VASTErrorCode)
    /// verificationNotExecuted, with its reason: 1 refused, 2 not supported, 3 load error.
    case verificationNotExecuted(reason: Int)
    /// Handed to the client, which fires it: what is not known stays for the client to fill (R-K6).
    case client
}
