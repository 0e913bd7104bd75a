/// A VAST answer of any version (R-E1).
package struct VASTDocument: Sendable, Hashable {
    /// As written; decides nothing.
    package var version: String?
    package var ads: [Ad]
    /// `VAST/Error`: called with 303 when there is no ad (R-E4).
    package var errors: [String]
    /// What had to be mended to read it.
    package var repairs: [XMLRepair]
    /// Ads beyond the limit, not read.
    package var ignoredAds: Int

    /// Reads a document. An empty body is a document without ads, as is an empty VAST element.
    package init(parsing bytes: [UInt8], limits: VASTLimits = VASTLimits()) throws(VASTError) {
        switch try AdAnswer(parsing: bytes, limits: limits) {
        case .vast(let document): self = document
        case .vmap: throw VASTError(.schema, place: "VMAP", "VMAP where VAST was expected")
        }
    }

    /// The answer of a server that has no ad.
    package init() {
        ads = []
        errors = []
        repairs = []
        ignoredAds = 0
    }

    init(_ root: XMLElement, repairs: [XMLRepair], limits: VASTLimits) {
        version = root.attribute("version")
        errors = root.urls("Error")
        let elements = root.children("Ad")
        ads = elements.prefix(limits.adsPerDocument).map(Ad.init)
        ignoredAds = max(0, elements.count - limits.adsPerDocument)
        self.repairs = repairs
    }

    /// Sequenced ads as indices of `ads`, in playing order (R-P1).
    package var pod: [Int] {
        let sequenced = ads.indices.filter { ads[$0].sequence != nil }
        return sequenced.sorted { (ads[$0].sequence ?? 0, $0) < (ads[$1].sequence ?? 0, $1) }
    }

    /// Ads outside the pod as indices of `ads`, in document order.
    package var standAlone: [Int] {
        ads.indices.filter { ads[$0].sequence == nil }
    }
}

/// What an ad server answered: VAST or VMAP, told apart by the root element's local name (R-X5).
package enum AdAnswer: Sendable, Hashable {
    case vast(VASTDocument)
    case vmap(VMAPDocument)

    /// Throws 100 for bytes that cannot be read, 102 for VAST 1, 101 for another root.
    package init(parsing bytes: [UInt8], limits: VASTLimits = VASTLimits()) throws(VASTError) {
        guard let (tree, repairs) = try XMLParser.parse(bytes, limits: limits), let root = tree.root else {
            self = .vast(VASTDocument())
            return
        }
        switch root.name {
        case "VAST":
            self = .vast(VASTDocument(root, repairs: repairs, limits: limits))
        case "VMAP":
            self = .vmap(VMAPDocument(root, repairs: repairs, limits: limits))
        case "VideoAdServingTemplate":
            throw VASTError(.unsupportedVersion, place: root.name, "VAST 1")
        default:
            throw VASTError(.schema, place: String(root.name.prefix(60)), "root is neither VAST nor VMAP")
        }
    }
}
