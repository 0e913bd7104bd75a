internal import HLS
internal import Stitching
internal import Transport
internal import VAST

/// What a player is told of an ad besides its times, for sources whose players report what they show. Kept with the decision, and never
/// logged: it may hold the identifiers and tokens of one viewer (R-I9).
struct AdHandout: Sendable, Codable {
    /// Members of the ad's object in MediaTailor's names, as JSON. What an ad's parameters, extensions and markup say is there as it came.
    var members: String
    /// Elements of the break's `nonLinearAdsList`, as JSON.
    var nonLinears: [String] = []
    /// What only the player knows of: what a viewer does. The addresses with their macros.
    var actions: [AdTracking.Event] = []
}

extension AdHandout {
    /// How much of an ad is told.
    enum Extent: CaseIterable {
        case whole
        /// Without media files, icons, verifications and extensions.
        case essential
        /// The ad's names alone.
        case named
    }

    /// The most that is kept for the ads of a break, bytes.
    static let byteLimit = 1 << 20

    var byteCount: Int {
        actions.reduce(nonLinears.reduce(members.utf8.count) { $0 + $1.utf8.count }) { sum, action in
            action.urls.reduce(sum) { $0 + $1.utf8.count }
        }
    }

    /// - Parameters:
    ///   - length: of the ad's media.
    ///   - expand: fills the macros of an address that the player calls.
    init(_ ad: ResolvedAd, length: Duration, extent: Extent = .whole, expand: (String) -> String) {
        var told = Members(vastAdID: ad.id)
        told.adSystem = ad.adSystem
        told.adTitle = ad.title
        told.creativeID = ad.creativeID
        told.creativeSequence = ad.creativeSequence
        told.skipTime = Self.skipTime(ad, length)
        if extent != .named {
            told.adParameters = ad.adParameters?.text
            told.companions = ad.companionAds.flatMap { ads in
                ads.companions.map { Self.companion($0, required: ads.required, expand) }
            }
        }
        if extent == .whole {
            told.verifications = ad.verifications.map { Self.verification($0, expand) }
            told.extensions = (ad.extensions + ad.creativeExtensions).map(Self.adExtension)
            told.icons = ad.icons.map { Self.icon($0, expand) }
            told.mediaFiles = ad.mediaFiles.map(Self.mediaFile) + ad.interactiveFiles.map(Self.interactiveFile)
            told.mezzanine = ad.mezzanines.first?.url
        }
        members = told.json
        guard extent != .named else { return }
        nonLinears = ad.nonLinearAds.filter { !$0.nonLinears.isEmpty }.map {
            Self.nonLinears($0, $0.trackingEvents.events, of: ad, expand)
        }
        actions = Self.actions(of: ad)
    }

    /// Of an ad of which only its name is known.
    init(vastAdID: String) {
        members = Members(vastAdID: vastAdID).json
    }

    private struct Members {
        var vastAdID: String?
        var adSystem: String?
        var adTitle: String?
        var creativeID: String?
        var creativeSequence: Int?
        var skipTime: Duration?
        var adParameters: String?
        var companions: [String] = []
        var verifications: [String] = []
        var extensions: [String] = []
        var icons: [String] = []
        var mediaFiles: [String] = []
        var mezzanine: String?

        var json: String {
            var files = JSONObject()
            files.add("mediaFilesList", list: mediaFiles)
            files.add("mezzanine", mezzanine)
            var object = JSONObject()
            object.add("adParameters", adParameters)
            object.add("adSystem", adSystem)
            object.add("adTitle", adTitle)
            object.add("adVerifications", list: verifications)
            object.add("companionAds", list: companions)
            object.add("creativeId", creativeID)
            object.add("creativeSequence", creativeSequence.map { "\($0)" })
            object.add("extensions", list: extensions)
            object.add("icons", list: icons)
            object.add("mediaFiles", json: files.text)
            object.addOptional("skipOffset", skipTime.map(AdHandout.clock))
            object.add("vastAdId", vastAdID)
            return object.members
        }
    }

    /// Trackers that do not fall due by playing alone, by name, in the order in which the answer has them.
    private static func actions(of ad: ResolvedAd) -> [AdTracking.Event] {
        let timed = Set(AdTracking.timedNames)
        var events = ad.trackingEvents.filter { !timed.contains($0.canonicalName) }.map { ($0.canonicalName, [$0.url]) }
        events.append(("clickThrough", ad.clickThrough.map { [$0] } ?? []))
        events.append(("clickTracking", ad.clickTracking))
        events.append(("customClick", ad.customClicks))
        events.append(("viewable", ad.viewableImpressions.flatMap(\.viewable)))
        events.append(("notViewable", ad.viewableImpressions.flatMap(\.notViewable)))
        events.append(("viewUndetermined", ad.viewableImpressions.flatMap(\.viewUndetermined)))
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

    /// When a viewer may skip the ad; nil: not at all (R-T3).
    private static func skipTime(_ ad: ResolvedAd, _ length: Duration) -> Duration? {
        guard let time = ad.skipOffset?.time(in: length), time < length else { return nil }
        return time
    }

    /// `00:00:05`, with milliseconds where there are any.
    fileprivate static func clock(_ time: Duration) -> String {
        let text = TimeText.formatted(time)
        return text.hasSuffix(".000") ? String(text.dropLast(4)) : text
    }

    // MARK: Parts

    private static func mediaFile(_ file: MediaFile) -> String {
        var object = JSONObject()
        object.add("apiFramework", file.apiFramework)
        object.addOptional("bitrate", file.bitrate)
        object.add("delivery", file.delivery)
        object.addOptional("height", file.height)
        object.add("maintainAspectRatio", file.maintainAspectRatio ?? false)
        object.add("mediaFileUri", file.url)
        object.add("mediaType", file.type)
        object.add("scalable", file.scalable ?? false)
        object.addOptional("width", file.width)
        return object.text
    }

    private static func interactiveFile(_ file: InteractiveCreativeFile) -> String {
        var object = JSONObject()
        object.add("apiFramework", file.apiFramework)
        object.add("delivery", "")
        object.add("mediaFileUri", file.url)
        object.add("mediaType", file.type)
        return object.text
    }

    private static func adExtension(_ part: AdExtension) -> String {
        var object = JSONObject()
        object.add("content", part.innerXML)
        object.add("type", part.type)
        return object.text
    }

    private static func verification(_ part: AdVerification, _ expand: (String) -> String) -> String {
        func resources(_ kind: AdVerification.Resource.Kind) -> [String] {
            part.resources.filter { $0.kind == kind }.map { resource in
                var object = JSONObject()
                object.add("apiFramework", resource.apiFramework)
                if kind == .javaScript {
                    object.add("browserOptional", resource.browserOptional.map { $0 ? "true" : "false" })
                } else {
                    object.add("language", "")
                    object.add("type", resource.type)
                }
                object.add("uri", resource.url)
                return object.text
            }
        }
        var object = JSONObject()
        object.add("executableResource", list: resources(.executable))
        object.add("javaScriptResource", list: resources(.javaScript))
        object.add("trackingEvents", list: trackers(part.trackingEvents.events, expand))
        object.add("vendor", part.vendor)
        object.add("verificationParameters", part.parameters)
        return object.text
    }

    private static func trackers(_ events: [TrackingEvent], _ expand: (String) -> String) -> [String] {
        events.map { event in
            var object = JSONObject()
            object.add("event", event.canonicalName)
            object.add("uri", expand(event.url))
            return object.text
        }
    }

    private static func companion(_ part: Companion, required: String?, _ expand: (String) -> String) -> String {
        var attributes = JSONObject()
        let names = [
            "adSlotId", "apiFramework", "assetHeight", "assetWidth", "expandedHeight", "expandedWidth", "height", "id",
            "pxratio", "renderingMode", "width",
        ]
        for name in names {
            attributes.add(name, name == "adSlotId" ? part.adSlotID : part.attributes.first { $0.name == name }?.value)
        }
        var object = JSONObject()
        object.add("adParameters", part.adParameters?.text)
        object.add("altText", part.altText)
        object.add("attributes", json: attributes.text)
        object.add("companionClickThrough", part.clickThrough.map(expand))
        let clicks = part.clickTracking.map { expand($0.url) }
        object.add("companionClickTracking", clicks.first)
        if clicks.count > 1 { object.add("companionClickTrackings", texts: clicks) }
        add(part.resources, to: &object)
        object.add("required", required)
        object.add("sequence", "")
        object.add("trackingEvents", list: trackers(part.trackingEvents.events, expand))
        return object.text
    }

    /// The first resource of each kind under its own name; where there are more, all of them once more.
    private static func add(_ resources: [AdResource], to object: inout JSONObject) {
        object.add("htmlResource", resources.first { $0.kind == .html }?.content)
        object.add("iFrameResource", resources.first { $0.kind == .iFrame }?.content)
        let image = resources.first { $0.kind == .staticResource }
        object.add("staticResource", image?.content)
        object.add("staticResourceCreativeType", image?.creativeType)
        guard Set(resources.map(\.kind)).count < resources.count else { return }
        object.add(
            "resources",
            list: resources.map { resource in
                var one = JSONObject()
                one.add("content", resource.content)
                one.add("creativeType", resource.creativeType)
                one.add("kind", resource.kind.rawValue)
                return one.text
            })
    }

    private static func icon(_ part: Icon, _ expand: (String) -> String) -> String {
        var attributes = JSONObject()
        let names = [
            "altText", "apiFramework", "duration", "height", "hoverText", "offset", "program", "pxratio", "width",
            "xPosition", "yPosition",
        ]
        for name in names { attributes.add(name, part.attributes.first { $0.name == name }?.value) }
        var clicks = JSONObject()
        clicks.add("iconClickFallbackImages", texts: part.clickFallbackImagesXML.map { [$0] } ?? [])
        clicks.add("iconClickThrough", part.clickThrough.map(expand))
        clicks.add("iconClickTracking", texts: part.clickTracking.map { expand($0.url) })
        var object = JSONObject()
        object.add("attributes", json: attributes.text)
        add(part.resources, to: &object)
        object.add("iconClicks", json: clicks.text)
        object.add("iconViewTracking", texts: part.viewTracking.map(expand))
        return object.text
    }

    /// Elements of `nonLinearAdsList` for an ad that is an overlay alone: the first has its impressions, which are counted once.
    static func overlays(_ ad: ResolvedAd, expand: (String) -> String) -> [String] {
        ad.nonLinearAds.filter { !$0.nonLinears.isEmpty }.enumerated().map { index, part in
            let impressions = index > 0 ? [] : ad.impressions.map { TrackingEvent(event: "impression", url: $0) }
            return nonLinears(part, impressions + part.trackingEvents.events, of: ad, expand)
        }
    }

    /// One element of `nonLinearAdsList`. The impressions of overlays that come with an ad are the ad's.
    private static func nonLinears(
        _ part: NonLinearAds, _ trackers: [TrackingEvent], of ad: ResolvedAd, _ expand: (String) -> String
    ) -> String {
        let overlays = part.nonLinears.map { overlay in
            var object = JSONObject()
            object.add("adId", ad.id)
            object.addOptional("adParameters", overlay.adParameters?.text)
            object.add("adSystem", ad.adSystem)
            object.add("adTitle", ad.title)
            object.addOptional("apiFramework", overlay.apiFramework)
            object.addOptional("clickThrough", overlay.clickThrough.map(expand))
            object.addOptional("clickTracking", overlay.clickTracking.first.map { expand($0.url) })
            object.addOptional("clickTrackingId", overlay.clickTracking.first?.id)
            object.add("creativeAdId", "")
            object.add("creativeId", overlay.id)
            object.add("creativeSequence", "")
            object.addOptional("height", overlay.height.map { "\($0)" })
            object.addOptional("minSuggestedDuration", overlay.minSuggestedDuration.map(JSONObject.iso8601))
            add(overlay.resources, to: &object)
            object.addOptional("width", overlay.width.map { "\($0)" })
            return object.text
        }
        let events = trackers.map { event in
            var object = JSONObject()
            object.add("beaconUrls", texts: [expand(event.url)])
            object.addOptional("duration", nil as String?)
            object.add("durationInSeconds", json: "0")
            object.addOptional("eventId", nil as String?)
            object.addOptional("eventProgramDateTime", nil as String?)
            object.add("eventType", event.canonicalName)
            object.addOptional("startTime", nil as String?)
            object.add("startTimeInSeconds", json: "0")
            return object.text
        }
        var object = JSONObject()
        object.addOptional("extensions", nil as String?)
        object.add("nonLinearAdList", list: overlays)
        object.add("trackingEvents", list: events)
        return object.text
    }
}
