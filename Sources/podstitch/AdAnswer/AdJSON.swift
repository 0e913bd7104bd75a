import VAST

/// What an ad carries, as JSON. URLs are as the answer has them, macros still in them.
enum AdJSON {
    static func object(_ ad: ResolvedAd) -> JSONMembers {
        var object = JSONMembers()
        object.add("id", ad.id)
        object.add("sequence", ad.sequence)
        object.add("fate", ad.fate)
        object.add("adType", ad.adType)
        object.add("adSystem", ad.adSystem)
        object.add("adSystemVersion", ad.adSystemVersion)
        object.add("title", ad.title)
        object.add("description", ad.description)
        object.add("advertiser", ad.advertiser.map { text($0, "id") })
        object.add("adServingId", ad.adServingID)
        object.add("categories", ad.categories.map { text($0, "authority") })
        object.add("blockedAdCategories", ad.blockedAdCategories.map { text($0, "authority") })
        object.add("pricing", ad.pricing.map(pricing))
        object.add("expires", ad.expires)
        object.add("conditionalAd", ad.conditionalAd)
        object.add("surveys", ad.surveys)
        object.add("creativeId", ad.creativeID)
        object.add("creativeAdId", ad.creativeAdID)
        object.add("universalAdIds", ad.universalAdIDs.map(universalAdID))
        object.add("duration", ad.duration)
        object.add("skipOffset", ad.skipOffset.map(offset))
        object.add("mediaFiles", ad.mediaFiles.map(media))
        object.add("mezzanines", ad.mezzanines.map(media))
        object.add("interactiveCreativeFiles", ad.interactiveFiles.map(interactive))
        object.add("closedCaptionFiles", ad.closedCaptions.map(captions))
        object.add("adParameters", ad.adParameters?.text)
        object.add("impressions", ad.impressions)
        object.add("trackingEvents", events(ad.trackingEvents))
        object.add("errorURLs", ad.errorURLs)
        object.add("clickThrough", ad.clickThrough)
        object.add("clickTracking", ad.clickTracking)
        object.add("customClicks", ad.customClicks)
        object.add("viewableImpressions", ad.viewableImpressions.map(viewable))
        object.add("companionAds", ad.companionAds.flatMap(\.companions).map(companion))
        object.add("nonLinearAds", ad.nonLinearAds.map(nonLinear))
        object.add("icons", ad.icons.map(icon))
        object.add("adVerifications", ad.verifications.map(verification))
        object.add("extensions", ad.extensions.map(Self.object))
        object.add("creativeExtensions", ad.creativeExtensions.map(Self.object))
        object.add("unusedLinears", ad.unusedLinears.isEmpty ? nil : ad.unusedLinears.count)
        object.add("wrappers", ad.wrapperCount > 0 ? ad.wrapperCount : nil)
        object.add("wrapperAdSystems", ad.wrapperAdSystems)
        return object
    }

    static func events(_ events: [TrackingEvent]) -> [JSONText] {
        events.map { event in
            var object = JSONMembers()
            object.add("event", event.event)
            object.add("offset", event.offsetText)
            object.add("url", event.url)
            return object.object
        }
    }

    /// Its content as it came.
    static func object(_ element: AdExtension) -> JSONText {
        var object = JSONMembers()
        object.add("type", element.type)
        object.add("attributes", attributes(element.attributes))
        object.add("xml", element.innerXML)
        return object.object
    }

    // MARK: - Parts

    private static func attributes(_ attributes: [XMLAttribute]) -> JSONText? {
        attributes.isEmpty ? nil : .object(attributes.map { ($0.name, .text($0.value)) })
    }

    private static func text(_ text: QualifiedText, _ qualifier: String) -> JSONText {
        var object = JSONMembers()
        object.add(qualifier, text.qualifier)
        object.add("text", text.text)
        return object.object
    }

    private static func pricing(_ pricing: Pricing) -> JSONText {
        var object = JSONMembers()
        object.add("model", pricing.model)
        object.add("currency", pricing.currency)
        object.add("value", pricing.value)
        return object.object
    }

    private static func universalAdID(_ id: UniversalAdID) -> JSONText {
        var object = JSONMembers()
        object.add("registry", id.registry)
        object.add("value", id.value)
        return object.object
    }

    private static func offset(_ offset: TimeOffset) -> JSONText {
        switch offset {
        case .time(let time): .text(TimeText.formatted(time))
        case .fraction(let millionths): .text("\(Double(millionths) / 10_000)%")
        }
    }

    private static func media(_ file: MediaFile) -> JSONText {
        var object = JSONMembers()
        object.add("use", file.use.rawValue)
        object.add("id", file.id)
        object.add("type", file.type)
        object.add("delivery", file.delivery)
        object.add("width", file.width)
        object.add("height", file.height)
        object.add("bitsPerSecond", file.bitsPerSecond)
        object.add("codec", file.codec)
        object.add("apiFramework", file.apiFramework)
        object.add("fileSize", file.fileSize)
        object.add("mediaType", file.mediaType)
        object.add("scalable", file.scalable)
        object.add("maintainAspectRatio", file.maintainAspectRatio)
        object.add("url", file.url)
        return object.object
    }

    private static func interactive(_ file: InteractiveCreativeFile) -> JSONText {
        var object = JSONMembers()
        object.add("type", file.type)
        object.add("apiFramework", file.apiFramework)
        object.add("variableDuration", file.variableDuration)
        object.add("url", file.url)
        return object.object
    }

    private static func captions(_ file: ClosedCaptionFile) -> JSONText {
        var object = JSONMembers()
        object.add("type", file.type)
        object.add("language", file.language)
        object.add("url", file.url)
        return object.object
    }

    private static func viewable(_ impression: ViewableImpression) -> JSONText {
        var object = JSONMembers()
        object.add("id", impression.id)
        object.add("viewable", impression.viewable)
        object.add("notViewable", impression.notViewable)
        object.add("viewUndetermined", impression.viewUndetermined)
        return object.object
    }

    private static func resource(_ resource: AdResource) -> JSONText {
        var object = JSONMembers()
        object.add("kind", resource.kind.rawValue)
        object.add("creativeType", resource.creativeType)
        object.add("content", resource.content)
        return object.object
    }

    private static func companion(_ companion: Companion) -> JSONText {
        var object = JSONMembers()
        object.add("id", companion.id)
        object.add("width", companion.width)
        object.add("height", companion.height)
        object.add("adSlotId", companion.adSlotID)
        object.add("apiFramework", companion.apiFramework)
        object.add("renderingMode", companion.renderingMode)
        object.add("attributes", attributes(companion.attributes))
        object.add("resources", companion.resources.map(resource))
        object.add("adParameters", companion.adParameters?.text)
        object.add("altText", companion.altText)
        object.add("clickThrough", companion.clickThrough)
        object.add("clickTracking", companion.clickTracking.map(\.url))
        object.add("trackingEvents", events(companion.trackingEvents.events))
        return object.object
    }

    private static func nonLinear(_ ads: NonLinearAds) -> JSONText {
        var object = JSONMembers()
        object.add(
            "nonLinears",
            ads.nonLinears.map { ad in
                var object = JSONMembers()
                object.add("id", ad.id)
                object.add("width", ad.width)
                object.add("height", ad.height)
                object.add("apiFramework", ad.apiFramework)
                object.add("minSuggestedDuration", ad.minSuggestedDuration)
                object.add("resources", ad.resources.map(resource))
                object.add("adParameters", ad.adParameters?.text)
                object.add("clickThrough", ad.clickThrough)
                object.add("clickTracking", ad.clickTracking.map(\.url))
                return object.object
            })
        object.add("trackingEvents", events(ads.trackingEvents.events))
        return object.object
    }

    private static func icon(_ icon: Icon) -> JSONText {
        var object = JSONMembers()
        object.add("program", icon.program)
        object.add("width", icon.width)
        object.add("height", icon.height)
        object.add("xPosition", icon.xPosition)
        object.add("yPosition", icon.yPosition)
        object.add("offset", icon.offset.map(offset))
        object.add("duration", icon.duration)
        object.add("apiFramework", icon.apiFramework)
        object.add("resources", icon.resources.map(resource))
        object.add("clickThrough", icon.clickThrough)
        object.add("clickTracking", icon.clickTracking.map(\.url))
        object.add("viewTracking", icon.viewTracking)
        return object.object
    }

    private static func verification(_ verification: AdVerification) -> JSONText {
        var object = JSONMembers()
        object.add("vendor", verification.vendor)
        object.add(
            "resources",
            verification.resources.map { resource in
                var object = JSONMembers()
                object.add("kind", resource.kind == .javaScript ? "JavaScriptResource" : "ExecutableResource")
                object.add("apiFramework", resource.apiFramework)
                object.add("browserOptional", resource.browserOptional)
                object.add("type", resource.type)
                object.add("url", resource.url)
                return object.object
            })
        object.add("parameters", verification.parameters)
        object.add("trackingEvents", events(verification.trackingEvents.events))
        return object.object
    }
}
