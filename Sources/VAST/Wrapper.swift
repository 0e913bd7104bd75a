/// A pointer to another document, with trackers of its own.
package struct Wrapper: Sendable, Hashable {
    package var elements: AdElements
    /// As read; nil where it is missing or blank (R-W1).
    package var adTagURI: String?
    /// Read from the old `VASTAdTagURL`.
    package var usesLegacyTagURL: Bool
    package var followAdditionalWrappers: Bool?
    package var allowMultipleAds: Bool?
    package var fallbackOnNoAd: Bool?
    /// Qualifier: the authority.
    package var blockedAdCategories: [QualifiedText]

    init(_ element: XMLElement) {
        elements = AdElements(element)
        adTagURI = element.child("VASTAdTagURI")?.url
        usesLegacyTagURL = false
        if adTagURI == nil, let legacy = element.child("VASTAdTagURL") {
            adTagURI = legacy.url ?? legacy.child("URL")?.url
            usesLegacyTagURL = adTagURI != nil
        }
        followAdditionalWrappers = element.boolean("followAdditionalWrappers")
        allowMultipleAds = element.boolean("allowMultipleAds")
        fallbackOnNoAd = element.boolean("fallbackOnNoAd")
        blockedAdCategories = element.children("BlockedAdCategories").map {
            QualifiedText(qualifier: $0.word("authority"), text: $0.text)
        }
    }
}
