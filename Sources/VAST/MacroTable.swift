/// The macros of the VAST table (IAB macro list, spec section 10).
enum MacroTable {
    /// All names replaced. Those of the next release (DSA...) are left alone.
    static let names: Set<String> = [
        "TIMESTAMP", "CACHEBUSTING", "ERRORCODE", "REASON", "LIMITADTRACKING", "CONTENTPLAYHEAD", "MEDIAPLAYHEAD",
        "ADPLAYHEAD", "ASSETURI", "BREAKPOSITION", "ADCOUNT", "PODSEQUENCE", "TRANSACTIONID", "UNIVERSALADID",
        "ADSERVINGID", "ADTYPE", "PLACEMENTTYPE", "BLOCKEDADCATEGORIES", "ADCATEGORIES", "CONTENTCAT",
        "BREAKMAXDURATION", "BREAKMAXADS", "BREAKMINADLENGTH", "BREAKMAXADLENGTH", "IFA", "IFATYPE", "DEVICEUA",
        "DEVICEIP", "SERVERUA", "CLIENTUA", "SERVERSIDE", "LATLONG", "DOMAIN", "PAGEURL", "APPBUNDLE", "STOREID",
        "STOREURL", "VASTVERSIONS", "APIFRAMEWORKS", "EXTENSIONS", "VERIFICATIONVENDORS", "MEDIAMIME", "OMIDPARTNER",
        "PLAYERCAPABILITIES", "CLICKTYPE", "INVENTORYSTATE", "PLAYERSIZE", "PLAYBACKMETHODS", "PLAYERSTATE",
        "CLICKPOS", "CONTENTID", "CONTENTURI", "REGULATIONS", "GDPRCONSENT", "GPPSTRING", "GPPSECTIONID",
        "ERRORMESSAGE",
    ]

    /// Only in trackers: a request knows no ad yet.
    private static let trackerOnly: Set<String> = [
        "ADPLAYHEAD", "ASSETURI", "PODSEQUENCE", "UNIVERSALADID", "ADSERVINGID", "PLAYERSTATE", "CLICKPOS",
    ]

    /// What is known; nil: not known. In URLs for the client, what only the moment of the call tells is not known.
    static func value(of name: String, in context: MacroContext, for use: MacroUse) -> MacroValue? {
        if use == .adRequest, trackerOnly.contains(name) { return nil }
        if name == "ERRORCODE" {
            guard case .error(let code) = use else { return nil }
            return .text(String(code.rawValue))
        }
        if name == "REASON" {
            guard case .verificationNotExecuted(let reason) = use else { return nil }
            return .text(String(reason))
        }
        if use == .client, momentary.contains(name) { return nil }
        if let computed = moment(name, context) ?? adValue(name, context) ?? breakValue(name, context) {
            return computed
        }
        if let given = context.values[name] { return given }
        return standing(name, use)
    }

    private static let momentary: Set<String> = [
        "TIMESTAMP", "CACHEBUSTING", "CONTENTPLAYHEAD", "MEDIAPLAYHEAD", "ADPLAYHEAD",
    ]

    private static func moment(_ name: String, _ context: MacroContext) -> MacroValue? {
        switch name {
        case "TIMESTAMP": .text(timestamp(context.timeSince1970))
        case "CACHEBUSTING": .text(TimeText.padded(Int64(context.random() % 100_000_000), 8))
        case "LIMITADTRACKING": .text(context.limitsAdTracking ? "1" : "0")
        case "TRANSACTIONID": context.transactionID.map { .text($0) }
        case "CONTENTPLAYHEAD", "MEDIAPLAYHEAD":
            context.contentPlayhead.map { .text(TimeText.formatted($0)) }
        default: nil
        }
    }

    private static func adValue(_ name: String, _ context: MacroContext) -> MacroValue? {
        guard let ad = context.ad else { return nil }
        return switch name {
        case "ADPLAYHEAD": ad.playhead.map { .text(TimeText.formatted($0)) }
        case "ASSETURI": ad.mediaURL.map { .text($0) }
        case "ADCOUNT": ad.count.map { .text(String($0)) }
        case "PODSEQUENCE": ad.sequence.map { .text(String($0)) }
        case "UNIVERSALADID":
            ad.universalAdIDs.isEmpty
                ? nil : .list(ad.universalAdIDs.map { "\($0.registry ?? "unknown") \($0.value)" })
        case "ADSERVINGID": ad.adServingID.map { .text($0) }
        case "ADTYPE": ad.adType.map { .text($0) }
        default: nil
        }
    }

    private static func breakValue(_ name: String, _ context: MacroContext) -> MacroValue? {
        switch name {
        case "BREAKPOSITION": .text(String(context.breakPosition.rawValue))
        case "BREAKMAXDURATION":
            context.availDuration.map { .text(String(max(0, $0.components.seconds))) }
        default: nil
        }
    }

    /// What holds for this server whatever the session: it calls by itself, reads VAST 2.0 to 4.3, plays HLS, and
    /// runs no script of any framework.
    private static func standing(_ name: String, _ use: MacroUse) -> MacroValue? {
        switch name {
        case "SERVERSIDE": .text(use == .client ? "0" : "2")
        case "VASTVERSIONS": .list(["2", "3", "5", "6", "7", "8", "11", "12", "13", "14", "15", "16"])
        case "MEDIAMIME": .list(["application/x-mpegURL", "application/vnd.apple.mpegurl"])
        case "ADTYPE": .text("video")
        default: nil
        }
    }

    /// ISO 8601 with milliseconds, in UTC: `2026-01-17T08:15:07.127Z`.
    static func timestamp(_ sinceEpoch: Duration) -> String {
        let (seconds, attoseconds) = sinceEpoch.components
        let clamped = max(0, min(seconds, 253_402_300_799))
        let day = clamped / 86_400
        let rest = clamped % 86_400
        let milliseconds = seconds == clamped ? max(0, attoseconds) / 1_000_000_000_000_000 : 0
        // Days to a civil date, in eras of 400 years that begin on the first of March.
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let date = dayOfYear - (153 * month + 2) / 5 + 1
        let civilMonth = month < 10 ? month + 3 : month - 9
        let year = yearOfEra + era * 400 + (civilMonth <= 2 ? 1 : 0)
        let clock =
            "\(TimeText.padded(rest / 3600, 2)):\(TimeText.padded(rest / 60 % 60, 2)):"
            + "\(TimeText.padded(rest % 60, 2)).\(TimeText.padded(milliseconds, 3))Z"
        return "\(TimeText.padded(year, 4))-\(TimeText.padded(civilMonth, 2))-\(TimeText.padded(date, 2))T\(clock)"
    }
}
