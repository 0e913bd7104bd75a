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
            JSONMembers.object {
                $0.add("event", event.event)
                $0.add("offset", event.offsetText)
                $0.add("url", event.url)
            }
        }
    }

    /// Its content as it came.
    static func object(_ element: AdExtension) -> JSONText {
        JSONMembers.object {
            $0.add("type", element.type)
            $0.add("attributes", attributes(element.attributes))
            $0.add("xml", element.innerXML)
        }
    }

    // MARK: - Parts

    private static func attributes(_ attributes: [XMLAttribute]) -> JSONText? {
        attributes.isEmpty ? nil : .object(attributes.map { ($0.name, .text($0.value)) })
    }

    private static func text(_ text: QualifiedText, _ qualifier: String) -> JSONText {
        JSONMembers.object {
            $0.add(qualifier, text.qualifier)
            $0.add("text", text.text)
        }
    }

    private static func pricing(_ pricing: Pricing) -> JSONText {
        JSONMembers.object {
            $0.add("model", pricing.model)
            $0.add("currency", pricing.currency)
            $0.add("value", pricing.value)
        }
    }

    private static func universalAdID(_ id: UniversalAdID) -> JSONText {
        JSONMembers.object {
            $0.add("registry", id.registry)
            $0.add("value", id.value)
        }
    }

    private static func offset(_ offset: TimeOffset) -> JSONText {
        switch offset {
        case .time(let time): .text(TimeText.formatted(time))
        case .fraction(let millionths): .text("\(Double(millionths) / 10_000)%")
        }
    }

    private static func media(_ file: MediaFile) -> JSONText {
        JSONMembers.object {
            $0.add("use", file.use.rawValue)
            $0.add("id", file.id)
            $0.add("type", file.type)
            $0.add("delivery", file.delivery)
            $0.add("width", file.width)
            $0.add("height", file.height)
            $0.add("bitsPerSecond", file.bitsPerSecond)
            $0.add("codec", file.codec)
            $0.add("apiFramework", file.apiFramework)
            $0.add("fileSize", file.fileSize)
            $0.add("mediaType", file.mediaType)
            $0.add("scalable", file.scalable)
            $0.add("maintainAspectRatio", file.maintainAspectRatio)
            $0.add("url", file.url)
        }
    }

    private static func interactive(_ file: InteractiveCreativeFile) -> JSONText {
        JSONMembers.object {
            $0.add("type", file.type)
            $0.add("apiFramework", file.apiFramework)
            $0.add("variableDuration", file.variableDuration)
            $0.add("url", file.url)
        }
    }

    private static func captions(_ file: ClosedCaptionFile) -> JSONText {
        JSONMembers.object {
            $0.add("type", file.type)
            $0.add("language", file.language)
            $0.add("url", file.url)
        }
    }

    private static func viewable(_ impression: ViewableImpression) -> JSONText {
        JSONMembers.object {
            $0.add("id", impression.id)
            $0.add("viewable", impression.viewable)
            $0.add("notViewable", impression.notViewable)
            $0.add("viewUndetermined", impression.viewUndetermined)
        }
    }

    private static func resource(_ resource: AdResource) -> JSONText {
        JSONMembers.object {
            $0.add("kind", resource.kind.rawValue)
            $0.add("creativeType", resource.creativeType)
            $0.add("content", resource.content)
        }
    }

    private static func companion(_ companion: Companion) -> JSONText {
        JSONMembers.object {
            $0.add("id", companion.id)
            $0.add("width", companion.width)
            $0.add("height", companion.height)
            $0.add("adSlotId", companion.adSlotID)
            $0.add("apiFramework", companion.apiFramework)
            $0.add("renderingMode", companion.renderingMode)
            $0.add("attributes", attributes(companion.attributes))
            $0.add("resources", companion.resources.map(resource))
            $0.add("adParameters", companion.adParameters?.text)
            $0.add("altText", companion.altText)
            $0.add("clickThrough", companion.clickThrough)
            $0.add("clickTracking", companion.clickTracking.map(\.url))
            $0.add("trackingEvents", events(companion.trackingEvents.events))
        }
    }

    private static func nonLinear(_ ads: NonLinearAds) -> JSONText {
        var object = JSONMembers()
        object.add(
            "nonLinears",
            ads.nonLinears.map { ad in
                JSONMembers.object {
                    $0.add("id", ad.id)
                    $0.add("width", ad.width)
                    $0.add("height", ad.height)
                    $0.add("apiFramework", ad.apiFramework)
                    $0.add("minSuggestedDuration", ad.minSuggestedDuration)
                    $0.add("resources", ad.resources.map(resource))
                    $0.add("adParameters", ad.adParameters?.text)
                    $0.add("clickThrough", ad.clickThrough)
                    $0.add("clickTracking", ad.clickTracking.map(\.url))
                }
            })
        object.add("trackingEvents", events(ads.trackingEvents.events))
        return object.object
    }

    private static func icon(_ icon: Icon) -> JSONText {
        JSONMembers.object {
            $0.add("program", icon.program)
            $0.add("width", icon.width)
            $0.add("height", icon.height)
            $0.add("xPosition", icon.xPosition)
            $0.add("yPosition", icon.yPosition)
            $0.add("offset", icon.offset.map(offset))
            $0.add("duration", icon.duration)
            $0.add("apiFramework", icon.apiFramework)
            $0.add("resources", icon.resources.map(resource))
            $0.add("clickThrough", icon.clickThrough)
            $0.add("clickTracking", icon.clickTracking.map(\.url))
            $0.add("viewTracking", icon.viewTracking)
        }
    }

    private static func verification(_ verification: AdVerification) -> JSONText {
        var object = JSONMembers()
        object.add("vendor", verification.vendor)
        object.add(
            "resources",
            verification.resources.map { resource in
                JSONMembers.object {
                    $0.add("kind", resource.kind == .javaScript ? "JavaScriptResource" : "ExecutableResource")
                    $0.add("apiFramework", resource.apiFramework)
                    $0.add("browserOptional", resource.browserOptional)
                    $0.add("type", resource.type)
                    $0.add("url", resource.url)
                }
            })
        object.add("parameters", verification.parameters)
        object.add("trackingEvents", events(verification.trackingEvents.events))
        return object.object
    }
}
