/// Identifier of a creative in a registry (R-C3).
package struct UniversalAdID: Sendable, Hashable, Codable {
    package var registry: String?
    package var value: String
}

extension UniversalAdID {
    /// The text; where that is empty, VAST 4.0's attribute.
    init(_ element: XMLElement) {
        let text = element.text
        self.init(registry: element.word("idRegistry"), value: text.isEmpty ? element.word("idValue") ?? "" : text)
    }
}

/// One part of an ad.
package struct Creative: Sendable, Hashable {
    package var id: String?
    /// `adId`, `adID` or `AdID`; may be empty.
    package var adID: String?
    /// Order of parts in the ad; nothing to do with pods.
    package var sequence: Int?
    package var apiFramework: String?
    package var universalAdIDs: [UniversalAdID]
    package var linear: Linear?
    package var nonLinearAds: NonLinearAds?
    package var companionAds: CompanionAds?
    package var extensions: [AdExtension]

    init(_ element: XMLElement) {
        id = element.word("id")
        adID = (element.attribute("adId") ?? element.attribute("adID") ?? element.attribute("AdID"))?.trimmed
        sequence = element.integer("sequence")
        apiFramework = element.word("apiFramework")
        universalAdIDs = element.children("UniversalAdId").map(UniversalAdID.init)
        linear = element.child("Linear").map(Linear.init)
        nonLinearAds = element.child("NonLinearAds").map(NonLinearAds.init)
        nonLinearAds?.creativeID = id
        nonLinearAds?.creativeAdID = adID
        nonLinearAds?.creativeSequence = sequence
        companionAds = element.child("CompanionAds").map(CompanionAds.init)
        let extensionElements = element.children("CreativeExtensions", "CreativeExtension")
        extensions = extensionElements.map(AdExtension.init)
        if universalAdIDs.isEmpty {
            universalAdIDs = extensionElements.flatMap { $0.children("UniversalAdId") }.map(UniversalAdID.init)
        }
    }
}

/// Something to be shown: an image, a page, markup.
package struct AdResource: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case staticResource = "StaticResource"
        case iFrame = "IFrameResource"
        case html = "HTMLResource"
    }

    package var kind: Kind
    package var creativeType: String?
    /// URL, `data:` URI or markup, as read.
    package var content: String

    static func resources(of element: XMLElement) -> [AdResource] {
        element.children.compactMap { child in
            guard let kind = Kind(rawValue: child.name) else { return nil }
            let content = kind == .html ? child.text : URLText.cleaned(child.textBytes)
            return AdResource(kind: kind, creativeType: child.word("creativeType"), content: content)
        }
    }
}

/// Text for the creative, handed on and never read, logged or fetched (R-M8).
package struct AdParameters: Sendable, Hashable {
    package var text: String
    package var xmlEncoded: Bool?

    init(_ element: XMLElement) {
        text = element.text
        xmlEncoded = element.boolean("xmlEncoded")
    }
}

/// Overlays: not stitchable; relayed.
package struct NonLinearAds: Sendable, Hashable {
    package struct NonLinear: Sendable, Hashable {
        package var id: String?
        package var width: Int?
        package var height: Int?
        package var expandedWidth: Int?
        package var expandedHeight: Int?
        package var scalable: Bool?
        package var maintainAspectRatio: Bool?
        package var apiFramework: String?
        package var minSuggestedDuration: Duration?
        package var resources: [AdResource]
        package var adParameters: AdParameters?
        package var clickThrough: String?
        package var clickTracking: [IdentifiedURL]

        init(_ element: XMLElement) {
            id = element.word("id")
            width = element.integer("width")
            height = element.integer("height")
            expandedWidth = element.integer("expandedWidth")
            expandedHeight = element.integer("expandedHeight")
            scalable = element.boolean("scalable")
            maintainAspectRatio = element.boolean("maintainAspectRatio")
            apiFramework = element.word("apiFramework")
            minSuggestedDuration = element.attribute("minSuggestedDuration").flatMap(TimeText.duration)
            resources = AdResource.resources(of: element)
            adParameters = element.child("AdParameters").map(AdParameters.init)
            clickThrough = element.child("NonLinearClickThrough")?.url
            clickTracking = element.identifiedURLs("NonLinearClickTracking")
        }
    }

    package var nonLinears: [NonLinear]
    package var trackingEvents: TrackingEvents
    /// Of the Creative they are.
    package var creativeID: String?
    package var creativeAdID: String?
    package var creativeSequence: Int?

    init(_ element: XMLElement) {
        nonLinears = element.children("NonLinear").map(NonLinear.init)
        trackingEvents = TrackingEvents(in: element)
    }
}

/// Companions, shown by the client beside the player (R-C4).
package struct CompanionAds: Sendable, Hashable {
    /// `all`, `any`, `none`.
    package var required: String?
    package var companions: [Companion]

    init(_ element: XMLElement) {
        required = element.word("required")
        companions = element.children("Companion").map(Companion.init)
    }
}

/// One companion, all its data as read.
package struct Companion: Sendable, Hashable {
    package var id: String?
    package var width: Int?
    package var height: Int?
    package var adSlotID: String?
    package var apiFramework: String?
    package var renderingMode: String?
    package var resources: [AdResource]
    package var adParameters: AdParameters?
    package var altText: String?
    package var clickThrough: String?
    package var clickTracking: [IdentifiedURL]
    package var trackingEvents: TrackingEvents
    /// All attributes, the less common ones (assetWidth, pxratio, ...) among them.
    package var attributes: [XMLAttribute]

    init(_ element: XMLElement) {
        id = element.word("id")
        width = element.integer("width")
        height = element.integer("height")
        adSlotID = element.word("adSlotId") ?? element.word("adSlotID")
        apiFramework = element.word("apiFramework")
        renderingMode = element.word("renderingMode")
        resources = AdResource.resources(of: element)
        adParameters = element.child("AdParameters").map(AdParameters.init)
        altText = element.text(of: "AltText")
        clickThrough = element.child("CompanionClickThrough")?.url
        clickTracking = element.identifiedURLs("CompanionClickTracking")
        trackingEvents = TrackingEvents(in: element)
        attributes = element.attributes
    }
}
