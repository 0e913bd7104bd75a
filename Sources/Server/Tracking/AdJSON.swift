package import VAST

/// What an ad carries, as JSON: the members of an ad in MediaTailor's client-side tracking, by its names, and behind them what VAST has
/// and MediaTailor has no name for. What an ad's parameters, extensions and markup say is there as it came.
///
/// Players and `podstitch vast` are told the same.
package struct AdJSON: Sendable {
    /// How much of an ad is told.
    enum Extent: CaseIterable {
        case whole
        /// Without media files, icons, verifications and extensions.
        case essential
        /// The ad's names alone.
        case named
    }

    /// Fills the macros of an address that the player calls.
    var expand: @Sendable (String) -> String
    var extent = Extent.whole
    /// For the person who looks for what is wrong: what is made of each media file.
    var tellsUse = false

    init(extent: Extent = .whole, expand: @escaping @Sendable (String) -> String) {
        self.extent = extent
        self.expand = expand
    }

    /// For `podstitch vast`: addresses with their macros.
    package static var asAnswered: AdJSON {
        var json = AdJSON { $0 }
        json.tellsUse = true
        return json
    }

    /// - Parameter length: of the ad's media; nil: what the answer claims.
    package func members(of ad: ResolvedAd, length: Duration? = nil) -> JSONMembers {
        var object = JSONMembers()
        let isNamed = extent == .named
        let isWhole = extent == .whole
        object.add("adParameters", orEmpty: isNamed ? nil : ad.adParameters?.text)
        object.add("adSystem", orEmpty: ad.adSystem)
        object.add("adTitle", orEmpty: ad.title)
        object.add("adVerifications", isWhole ? ad.verifications.map(verification) : [])
        object.add("companionAds", isNamed ? [] : companions(of: ad))
        object.add("creativeId", orEmpty: ad.creativeID)
        object.add("creativeSequence", orEmpty: ad.creativeSequence.map { "\($0)" })
        object.add("extensions", isWhole ? (ad.extensions + ad.creativeExtensions).map(Self.adExtension) : [])
        object.add("icons", isWhole ? ad.icons.map(icon) : [])
        object.add("mediaFiles", isWhole ? mediaFiles(of: ad) : Self.mediaFiles([], mezzanine: nil))
        object.add("skipOffset", orNull: ad.skipTime(in: length ?? ad.duration).map(Self.clock))
        object.add("vastAdId", orEmpty: ad.id)
        if isWhole { addOthers(of: ad, to: &object) }
        return object
    }

    /// Of an ad of which only its name is known.
    static func members(vastAdID: String) -> JSONMembers {
        var ad = ResolvedAd()
        ad.id = vastAdID
        return AdJSON(extent: .named) { $0 }.members(of: ad)
    }

    /// What MediaTailor has no name for; what is not there is left out.
    private func addOthers(of ad: ResolvedAd, to object: inout JSONMembers) {
        object.add("adParametersXmlEncoded", ad.adParameters?.xmlEncoded)
        object.add("adServingId", ad.adServingID)
        object.add("adSystemVersion", ad.adSystemVersion)
        object.add("adType", ad.adType)
        object.add("advertiser", ad.advertiser.map { Self.qualified($0, "id") })
        object.addUnlessEmpty("blockedAdCategories", ad.blockedAdCategories.map { Self.qualified($0, "authority") })
        object.addUnlessEmpty("categories", ad.categories.map { Self.qualified($0, "authority") })
        object.addUnlessEmpty("closedCaptionFiles", ad.closedCaptions.map(Self.captions))
        object.add("conditionalAd", ad.conditionalAd)
        object.add("creativeAdId", ad.creativeAdID)
        object.add("description", ad.description)
        object.add("expiresInSeconds", seconds: ad.expires)
        object.add("pricing", ad.pricing.map(Self.pricing))
        object.addUnlessEmpty("surveys", ad.surveys)
        object.addUnlessEmpty("universalAdIds", ad.universalAdIDs.map(Self.universalAdID))
    }

    /// `00:00:05`, with milliseconds where there are any.
    private static func clock(_ time: Duration) -> String {
        let text = TimeText.formatted(time)
        return text.hasSuffix(".000") ? String(text.dropLast(4)) : text
    }

    // MARK: Media

    private func mediaFiles(of ad: ResolvedAd) -> JSONText {
        Self.mediaFiles(
            ad.mediaFiles.map(mediaFile) + ad.interactiveFiles.map(Self.interactiveFile),
            mezzanine: ad.mezzanines.first?.url)
    }

    private static func mediaFiles(_ files: [JSONText], mezzanine: String?) -> JSONText {
        .object {
            $0.add("mediaFilesList", files)
            $0.add("mezzanine", orEmpty: mezzanine)
        }
    }

    private func mediaFile(_ file: MediaFile) -> JSONText {
        .object {
            $0.add("apiFramework", orEmpty: file.apiFramework)
            $0.add("bitrate", orNull: file.bitrate)
            $0.add("delivery", orEmpty: file.delivery)
            $0.add("height", orNull: file.height)
            $0.add("maintainAspectRatio", file.maintainAspectRatio ?? false)
            $0.add("mediaFileUri", file.url)
            $0.add("mediaType", orEmpty: file.type)
            $0.add("scalable", file.scalable ?? false)
            $0.add("width", orNull: file.width)
            $0.add("codec", file.codec)
            $0.add("fileSize", file.fileSize)
            $0.add("id", file.id)
            $0.add("maxBitrate", file.maxBitrate)
            $0.add("minBitrate", file.minBitrate)
            $0.add("projection", file.mediaType)
            if tellsUse { $0.add("use", file.use.rawValue) }
        }
    }

    private static func interactiveFile(_ file: InteractiveCreativeFile) -> JSONText {
        .object {
            $0.add("apiFramework", orEmpty: file.apiFramework)
            $0.add("delivery", "")
            $0.add("mediaFileUri", file.url)
            $0.add("mediaType", orEmpty: file.type)
            $0.add("variableDuration", file.variableDuration)
        }
    }

    private static func captions(_ file: ClosedCaptionFile) -> JSONText {
        .object {
            $0.add("language", file.language)
            $0.add("mediaType", file.type)
            $0.add("uri", file.url)
        }
    }

    // MARK: Texts

    package static func adExtension(_ part: AdExtension) -> JSONText {
        .object {
            $0.add("content", part.innerXML)
            $0.add("type", orEmpty: part.type)
            let others = part.attributes.filter { $0.name != "type" }
            if !others.isEmpty { $0.add("attributes", JSONText.object(others.map { ($0.name, .text($0.value)) })) }
        }
    }

    private static func qualified(_ text: QualifiedText, _ qualifier: String) -> JSONText {
        .object {
            $0.add(qualifier, text.qualifier)
            $0.add("content", text.text)
        }
    }

    private static func pricing(_ pricing: Pricing) -> JSONText {
        .object {
            $0.add("currency", pricing.currency)
            $0.add("model", pricing.model)
            $0.add("value", pricing.value)
        }
    }

    private static func universalAdID(_ id: UniversalAdID) -> JSONText {
        .object {
            $0.add("registry", id.registry)
            $0.add("value", id.value)
        }
    }

    // MARK: What players show and call

    func companions(of ad: ResolvedAd) -> [JSONText] {
        ad.companionAds.flatMap { ads in ads.companions.map { companion($0, required: ads.required) } }
    }

    private func companion(_ part: Companion, required: String?) -> JSONText {
        .object {
            $0.add("adParameters", orEmpty: part.adParameters?.text)
            $0.add("altText", orEmpty: part.altText)
            var values = Self.values(part.attributes)
            values["adSlotId"] = part.adSlotID
            $0.add("attributes", Self.attributes(Self.companionAttributes, values))
            $0.add("companionClickThrough", orEmpty: part.clickThrough.map(expand))
            let clicks = requested(part.clickTracking.map(\.url))
            $0.add("companionClickTracking", orEmpty: clicks.first)
            if clicks.count > 1 { $0.add("companionClickTrackings", clicks) }
            add(part.resources, to: &$0, ifNone: .text(""))
            $0.add("required", orEmpty: required)
            $0.add("sequence", "")
            $0.add("trackingEvents", trackers(part.trackingEvents.events))
            $0.add("adParametersXmlEncoded", part.adParameters?.xmlEncoded)
        }
    }

    private static let companionAttributes = [
        "adSlotId", "apiFramework", "assetHeight", "assetWidth", "expandedHeight", "expandedWidth", "height", "id",
        "pxratio", "renderingMode", "width",
    ]

    private func icon(_ part: Icon) -> JSONText {
        .object {
            $0.add("attributes", Self.attributes(Self.iconAttributes, Self.values(part.attributes)))
            add(part.resources, to: &$0, ifNone: .text(""))
            $0.add(
                "iconClicks",
                JSONText.object {
                    $0.add("iconClickFallbackImages", part.clickFallbackImagesXML.map { [$0] } ?? [])
                    $0.add("iconClickThrough", orEmpty: part.clickThrough.map(expand))
                    $0.add("iconClickTracking", requested(part.clickTracking.map(\.url)))
                })
            $0.add("iconViewTracking", requested(part.viewTracking))
        }
    }

    private static let iconAttributes = [
        "altText", "apiFramework", "duration", "height", "hoverText", "offset", "program", "pxratio", "width",
        "xPosition", "yPosition",
    ]

    private static func values(_ attributes: [XMLAttribute]) -> [String: String] {
        Dictionary(attributes.map { ($0.name, $0.value) }) { first, _ in first }
    }

    private static func attributes(_ names: [String], _ values: [String: String]) -> JSONText {
        .object { object in
            for name in names { object.add(name, orEmpty: values[name]) }
        }
    }

    func verification(_ part: AdVerification) -> JSONText {
        .object {
            $0.add("executableResource", resources(of: part, .executable))
            $0.add("javaScriptResource", resources(of: part, .javaScript))
            $0.add("trackingEvents", trackers(part.trackingEvents.events))
            $0.add("vendor", orEmpty: part.vendor)
            $0.add("verificationParameters", orEmpty: part.parameters)
        }
    }

    private func resources(of part: AdVerification, _ kind: AdVerification.Resource.Kind) -> [JSONText] {
        part.resources.filter { $0.kind == kind }.map { resource in
            .object {
                $0.add("apiFramework", orEmpty: resource.apiFramework)
                if kind == .javaScript {
                    $0.add("browserOptional", orEmpty: resource.browserOptional.map { $0 ? "true" : "false" })
                } else {
                    $0.add("language", "")
                    $0.add("type", orEmpty: resource.type)
                }
                $0.add("uri", resource.url)
            }
        }
    }

    /// Trackers as the answer has them.
    package func events(_ events: [TrackingEvent]) -> [JSONText] {
        events.map { event in
            .object {
                $0.add("eventType", event.canonicalName)
                $0.add("offset", event.offsetText)
                $0.add("beaconUrls", [event.url])
            }
        }
    }

    /// MediaTailor tells trackers in two ways: both are there.
    func trackers(_ events: [TrackingEvent]) -> [JSONText] {
        events.filter { URLText.isRequestable($0.url) }.map { event in
            let url = expand(event.url)
            return .object {
                $0.add("beaconUrls", [url])
                $0.add("event", event.canonicalName)
                $0.add("eventType", event.canonicalName)
                $0.add("uri", url)
            }
        }
    }

    /// Addresses that a player can call, as it calls them.
    func requested(_ urls: [String]) -> [String] {
        urls.filter { URLText.isRequestable($0) }.map(expand)
    }

    /// The first resource of each kind under its own name; where there are more, all of them once more.
    func add(_ resources: [AdResource], to object: inout JSONMembers, ifNone: JSONText) {
        func first(_ kind: AdResource.Kind) -> AdResource? { resources.first { $0.kind == kind } }
        func text(_ text: String?) -> JSONText { text.map { .text($0) } ?? ifNone }
        object.add("htmlResource", text(first(.html)?.content))
        object.add("iFrameResource", text(first(.iFrame)?.content))
        object.add("staticResource", text(first(.staticResource)?.content))
        object.add("staticResourceCreativeType", text(first(.staticResource).map { $0.creativeType ?? "" }))
        guard Set(resources.map(\.kind)).count < resources.count else { return }
        object.add(
            "resources",
            resources.map { resource in
                .object {
                    $0.add("content", resource.content)
                    $0.add("creativeType", orEmpty: resource.creativeType)
                    $0.add("kind", resource.kind.rawValue)
                }
            })
    }
}
