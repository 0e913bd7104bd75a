/// The ad itself.
package struct InLine: Sendable, Hashable {
    package var elements: AdElements
    package var adServingID: String?
    package var description: String?
    /// Qualifier: the id.
    package var advertiser: QualifiedText?
    /// Qualifier: the authority.
    package var categories: [QualifiedText]
    /// How long the ad may be kept before it starts, from the answer on.
    package var expires: Duration?
    /// Relayed only; deprecated.
    package var surveys: [String]

    init(_ element: XMLElement) {
        elements = AdElements(element)
        adServingID = element.text(of: "AdServingId").flatMap { $0.isEmpty ? nil : $0 }
        description = element.text(of: "Description")
        advertiser = element.child("Advertiser").map { QualifiedText(qualifier: $0.word("id"), text: $0.text) }
        categories = element.children("Category").map {
            QualifiedText(qualifier: $0.word("authority"), text: $0.text)
        }
        if let seconds = element.text(of: "Expires").flatMap({ Int64($0) }), (0...(1 << 40)).contains(seconds) {
            expires = .seconds(seconds)
        }
        surveys = element.urls("Survey")
    }

    /// The first linear creative that can be played with the given kinds of media, and its creative's index (R-C2).
    ///
    /// - Parameter takesMezzanines: whether a mezzanine of such a kind will do, too (R-M5).
    package func playableLinear(
        _ uses: Set<MediaUse>, takesMezzanines: Bool = false
    ) -> (index: Int, linear: Linear)? {
        for (index, creative) in elements.creatives.enumerated() {
            guard let linear = creative.linear else { continue }
            let files = takesMezzanines ? linear.mediaFiles + linear.mezzanines : linear.mediaFiles
            if files.contains(where: { uses.contains($0.use) }) { return (index, linear) }
        }
        return nil
    }

    /// Why no linear creative can be played (R-E2).
    package var unplayableCode: VASTErrorCode {
        if elements.creatives.contains(where: { $0.linear != nil }) { return .mediaFileUnsupported }
        return elements.creatives.contains { $0.nonLinearAds != nil } ? .linearity : .schema
    }
}
