/// An Ad of a VAST document, as read: nothing resolved, nothing judged.
package struct Ad: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case inLine(InLine)
        case wrapper(Wrapper)
        /// Neither or both of InLine and Wrapper (R-E2).
        case invalid
    }

    package var id: String?
    /// Place in the pod, from 1; nil for a stand-alone ad.
    package var sequence: Int?
    /// The sequence attribute where it is there and no valid place (0, negative, a word).
    package var invalidSequence: String?
    /// `video`, `audio`, `hybrid`; VAST 4.1.
    package var adType: String?
    package var conditionalAd: Bool?
    package var content: Content

    /// What InLine and Wrapper have in common; nil for an invalid ad.
    package var elements: AdElements? {
        switch content {
        case .inLine(let inLine): inLine.elements
        case .wrapper(let wrapper): wrapper.elements
        case .invalid: nil
        }
    }

    init(_ element: XMLElement) {
        id = element.word("id")
        adType = element.word("adType")
        conditionalAd = element.boolean("conditionalAd")
        if let text = element.attribute("sequence") {
            if let number = Int(text.trimmed), number >= 1 {
                sequence = number
            } else {
                invalidSequence = text
            }
        }
        switch (element.child("InLine"), element.child("Wrapper")) {
        case (let inLine?, nil): content = .inLine(InLine(inLine))
        case (nil, let wrapper?): content = .wrapper(Wrapper(wrapper))
        default: content = .invalid
        }
    }
}

/// A URL with the id its element carries.
package struct IdentifiedURL: Sendable, Hashable {
    package var id: String?
    /// As read: trimmed, unescaped once, macros in place, relative ones relative.
    package var url: String

    package init(id: String? = nil, url: String) {
        self.id = id
        self.url = url
    }
}

/// A text with the attribute that qualifies it: Category, BlockedAdCategories, Advertiser.
package struct QualifiedText: Sendable, Hashable {
    package var qualifier: String?
    package var text: String
}

/// Price as written; may be encrypted.
package struct Pricing: Sendable, Hashable {
    package var model: String?
    package var currency: String?
    package var value: String
}

/// URLs for the three outcomes of viewability measurement.
package struct ViewableImpression: Sendable, Hashable {
    package var id: String?
    package var viewable: [String]
    package var notViewable: [String]
    package var viewUndetermined: [String]

    init(_ element: XMLElement) {
        id = element.word("id")
        viewable = element.urls("Viewable")
        notViewable = element.urls("NotViewable")
        viewUndetermined = element.urls("ViewUndetermined")
    }
}

/// An Extension or CreativeExtension, handed on unread.
package struct AdExtension: Sendable, Hashable {
    package var type: String?
    package var attributes: [XMLAttribute]
    /// The content as received, namespaces and order unchanged.
    package var innerXML: String

    init(_ element: XMLElement) {
        type = element.word("type")
        attributes = element.attributes
        innerXML = element.innerXML
    }
}

/// A UniversalAdId found in an Extension, and the creative it belongs to.
package struct ExtensionUniversalAdID: Sendable, Hashable {
    package var creativeID: String?
    package var id: UniversalAdID
}

/// What InLine and Wrapper both may hold, of all versions.
package struct AdElements: Sendable, Hashable {
    package var adSystem: String?
    package var adSystemVersion: String?
    package var adTitle: String?
    package var impressions: [IdentifiedURL]
    /// Impressions without a usable URL.
    package var blankImpressions: Int
    package var errors: [String]
    package var pricing: Pricing?
    package var viewableImpressions: [ViewableImpression]
    package var verifications: [AdVerification]
    package var extensions: [AdExtension]
    package var creatives: [Creative]
    /// UniversalAdId of VAST 2 and 3, which had no element for it and carry it in an Extension (CTV addendum).
    package var extensionUniversalAdIDs: [ExtensionUniversalAdID]

    init(_ element: XMLElement) {
        let system = element.child("AdSystem")
        adSystem = system?.text
        adSystemVersion = system?.word("version")
        adTitle = element.text(of: "AdTitle")
        impressions = element.identifiedURLs("Impression")
        blankImpressions = element.children("Impression").count - impressions.count
        errors = element.urls("Error")
        pricing = element.child("Pricing").map {
            Pricing(model: $0.word("model"), currency: $0.word("currency"), value: $0.text)
        }
        viewableImpressions = element.children("ViewableImpression").map(ViewableImpression.init)
        let extensionElements = element.children("Extensions", "Extension")
        extensions = extensionElements.map(AdExtension.init)
        verifications = element.children("AdVerifications", "Verification").map { AdVerification($0) }
        // Before VAST 4.1 verifications stood in an extension (R-C6).
        for holder in extensionElements {
            let lists = holder.name == "AdVerifications" ? [holder] : holder.children("AdVerifications")
            let direct = lists.isEmpty && holder.word("type") == "AdVerifications" ? [holder] : lists
            verifications += direct.flatMap { $0.children("Verification") }.map {
                AdVerification($0, fromExtension: true)
            }
        }
        extensionUniversalAdIDs = extensionElements.flatMap { $0.children("UniversalAdId") }.map {
            ExtensionUniversalAdID(creativeID: $0.word("creativeId"), id: UniversalAdID($0))
        }
        creatives = element.children("Creatives", "Creative").map(Creative.init)
    }
}
