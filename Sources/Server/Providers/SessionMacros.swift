internal import Stitching
package import VAST

/// What a session and a break tell to the macros of ad tags and trackers.
struct SessionMacros: Sendable {
    /// Wall clock, nanoseconds since 1970.
    var now: @Sendable () -> Int64
    var random: @Sendable () -> UInt64
    /// Product and version, for [SERVERUA].
    var serverUserAgent: String
    /// Also `%%NAME%%`, `${NAME}` and the like, in requests and trackers (R-Y4).
    var acceptsOtherForms = false

    /// NAME of all `[session.NAME]`.
    static let sessionNames = [
        "id", "uuid", "client_ip", "user_agent", "referer", "source", "avail_duration_secs", "avail_duration_ms",
        "duration_secs", "duration_ms",
    ]

    /// Macros of the VAST table of which only the player knows: parameters of these names fill them, in wrappers and trackers
    /// too.
    static let playerMacros = [
        "APPBUNDLE", "BLOCKEDADCATEGORIES", "CLIENTUA", "CONTENTCAT", "CONTENTID", "CONTENTURI", "DOMAIN",
        "GDPRCONSENT", "GPPSECTIONID", "GPPSTRING", "IFA", "IFATYPE", "INVENTORYSTATE", "LATLONG", "OMIDPARTNER",
        "PAGEURL",
        "PLACEMENTTYPE", "PLAYBACKMETHODS", "PLAYERCAPABILITIES", "PLAYERSIZE", "REGULATIONS", "STOREID", "STOREURL",
    ]

    /// The context of a call made now.
    func context(_ record: SessionRecord, _ opportunity: BreakFacts) -> MacroContext {
        var context = MacroContext(timeSince1970: .nanoseconds(now()), random: random)
        context.acceptsOtherForms = acceptsOtherForms
        let viewer = record.viewer
        context.describe(server: serverUserAgent, viewer: viewer)
        context.values["CONTENTID"] = .text(record.key.source.name)
        context.session["id"] = record.key.streamID.text
        context.session["uuid"] = record.key.streamID.text
        context.session["client_ip"] = viewer.address
        context.session["user_agent"] = viewer.userAgent ?? ""
        context.session["referer"] = viewer.referer ?? ""
        context.session["source"] = record.key.source.name
        context.playerParameters = record.playerParameters
        for name in Self.playerMacros {
            guard let value = record.playerParameters[name], !value.isEmpty else { continue }
            context.values[name] = .text(value)
        }
        context.limitsAdTracking = record.playerParameters["LIMITADTRACKING"] == "1"
        context.transactionID = Self.transactionID(record.key, opportunity.id)
        context.availDuration = opportunity.duration
        context.contentPlayhead = opportunity.contentPlayhead
        context.splice = Self.withParts(opportunity.splice)
        context.asset = opportunity.asset
        context.avail = opportunity.attributes
        context.avail["id"] = opportunity.id.text
        context.avail["index"] = String(opportunity.index)
        context.breakPosition =
            switch opportunity.position {
            case .preroll: .preRoll
            case .midroll: .midRoll
            case .postroll: .postRoll
            }
        return context
    }

    /// Private data of a segmentation UPID that is JSON gives a name for each of its values:
    /// `segmentation_upid.cueData.key`.
    static func withParts(_ splice: [String: String]) -> [String: String] {
        guard let text = splice["segmentation_upid"], let start = text.firstIndex(of: "{"),
            let value = try? JSON5Parser.parse(Array(text[start...].utf8))
        else { return splice }
        var result = splice
        addParts(of: value, named: "segmentation_upid", to: &result)
        return result
    }

    private static func addParts(of value: JSON5Value, named name: String, to result: inout [String: String]) {
        switch value.content {
        case .object(let members):
            for member in members { addParts(of: member.value, named: "\(name).\(member.name)", to: &result) }
        case .string(let text): result[name] = text
        case .bool(let flag): result[name] = flag ? "true" : "false"
        case .number(let number): result[name] = Int(exactly: number).map(String.init) ?? "\(number)"
        case .array, .null: break
        }
    }

    /// One for a break of a session: the same in the request, its wrappers and all trackers, also after a restart.
    static func transactionID(_ key: SessionKey, _ adBreak: BreakID) -> String {
        let session = key.publicName
        let digits = session + fingerprint("\(session)/\(adBreak.text)")
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place == 8 || place == 12 || place == 16 || place == 20 { text.append("-") }
            text.append(place == 12 ? "4" : place == 16 ? "8" : digit)
        }
        return text
    }
}

extension MacroContext {
    /// What requests and trackers tell of this server and of the viewer's device.
    package mutating func describe(server userAgent: String, viewer: Viewer) {
        values["SERVERUA"] = .text(userAgent)
        values["VASTVERSIONS"] = .list(["2", "3", "5", "6", "7", "8", "11", "12", "13", "14", "15", "16"])
        values["MEDIAMIME"] = .list(["application/x-mpegURL", "application/vnd.apple.mpegurl"])
        if !viewer.address.isEmpty { values["DEVICEIP"] = .text(viewer.address) }
        if let userAgent = viewer.userAgent { values["DEVICEUA"] = .text(userAgent) }
        if let referer = viewer.referer { values["PAGEURL"] = .text(referer) }
    }
}

/// What is told of a break.
struct BreakFacts: Sendable, Codable {
    var id: BreakID
    var index: Int
    var position: Opportunity.Position
    /// The room in it; nil where any length is welcome.
    var duration: Duration?
    var contentPlayhead: Duration?
    var attributes: [String: String]
    /// `[scte.NAME]`.
    var splice: [String: String] = [:]
    /// `[asset.NAME]`.
    var asset: [String: String] = [:]

    /// A break of which no more is known than its name.
    init(unknown id: BreakID) {
        self.id = id
        index = 0
        position = .midroll
        attributes = [:]
    }

    init(_ opportunity: Opportunity) {
        id = opportunity.id
        index = opportunity.index
        position = opportunity.position
        duration = opportunity.plannedDuration ?? (opportunity.isInsertion ? nil : opportunity.availableDuration)
        contentPlayhead = opportunity.contentTime
        attributes = opportunity.attributes
        splice = opportunity.splice
        asset = opportunity.asset
    }
}
