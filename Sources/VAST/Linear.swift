/// A creative that takes the place of content for a time.
package struct Linear: Sendable, Hashable {
    /// The skipoffset attribute as written; nil: not skippable (R-T3).
    package var skipOffsetText: String?
    package var skipOffset: TimeOffset?
    package var durationText: String?
    /// A claim (R-T4); nil where it is not to be trusted.
    package var duration: Duration?
    package var trackingEvents: TrackingEvents
    package var clickThrough: IdentifiedURL?
    package var clickTracking: [IdentifiedURL]
    package var customClicks: [IdentifiedURL]
    package var adParameters: AdParameters?
    package var mediaFiles: [MediaFile]
    package var mezzanines: [MediaFile]
    package var interactiveFiles: [InteractiveCreativeFile]
    package var closedCaptions: [ClosedCaptionFile]
    package var icons: [Icon]

    init(_ element: XMLElement) {
        skipOffsetText = element.attribute("skipoffset")
        skipOffset = skipOffsetText.flatMap(TimeOffset.init(parsing:))
        durationText = element.child("Duration")?.text
        duration = durationText.flatMap(TimeText.duration)
        trackingEvents = TrackingEvents(in: element)
        let clicks = element.children("VideoClicks")
        clickThrough = clicks.flatMap { $0.identifiedURLs("ClickThrough") }.first
        clickTracking = clicks.flatMap { $0.identifiedURLs("ClickTracking") }
        customClicks = clicks.flatMap { $0.identifiedURLs("CustomClick") }
        adParameters = element.child("AdParameters").map(AdParameters.init)
        mediaFiles = element.children("MediaFiles", "MediaFile").map(MediaFile.init)
        mezzanines = element.children("MediaFiles", "Mezzanine").map(MediaFile.init)
        interactiveFiles = element.children("MediaFiles", "InteractiveCreativeFile").map(InteractiveCreativeFile.init)
        closedCaptions = element.children("MediaFiles").flatMap {
            $0.children("ClosedCaptionFiles", "ClosedCaptionFile")
        }
        .map(ClosedCaptionFile.init)
        icons = element.children("Icons", "Icon").map(Icon.init)
    }

}

/// A script or page that runs beside the video (R-M6).
package struct InteractiveCreativeFile: Sendable, Hashable {
    package var url: String
    package var type: String?
    package var apiFramework: String?
    package var variableDuration: Bool?

    init(_ element: XMLElement) {
        url = URLText.cleaned(element.textBytes)
        type = element.word("type")
        apiFramework = element.word("apiFramework")
        variableDuration = element.boolean("variableDuration")
    }
}

/// Subtitles of the ad (R-M7).
package struct ClosedCaptionFile: Sendable, Hashable {
    package var url: String
    package var type: String?
    package var language: String?

    init(_ element: XMLElement) {
        url = URLText.cleaned(element.textBytes)
        type = element.word("type")
        language = element.word("language")
    }
}

/// A mark laid over the ad by the client (R-C5).
package struct Icon: Sendable, Hashable {
    package var program: String?
    package var width: Int?
    package var height: Int?
    /// A number of pixels, or `left`, `right`.
    package var xPosition: String?
    /// A number of pixels, or `top`, `bottom`.
    package var yPosition: String?
    package var offset: TimeOffset?
    package var duration: Duration?
    package var apiFramework: String?
    package var resources: [AdResource]
    package var clickThrough: String?
    package var clickTracking: [IdentifiedURL]
    /// IconClickFallbackImages as received.
    package var clickFallbackImagesXML: String?
    package var viewTracking: [String]
    package var attributes: [XMLAttribute]

    init(_ element: XMLElement) {
        program = element.word("program")
        width = element.integer("width")
        height = element.integer("height")
        xPosition = element.word("xPosition")
        yPosition = element.word("yPosition")
        offset = element.attribute("offset").flatMap(TimeOffset.init(parsing:))
        duration = element.attribute("duration").flatMap(TimeText.duration)
        apiFramework = element.word("apiFramework")
        resources = AdResource.resources(of: element)
        let clicks = element.child("IconClicks")
        clickThrough = clicks?.child("IconClickThrough")?.url
        clickTracking = clicks?.identifiedURLs("IconClickTracking") ?? []
        clickFallbackImagesXML = clicks?.child("IconClickFallbackImages")?.innerXML
        viewTracking = element.urls("IconViewTracking")
        attributes = element.attributes
    }
}
