/// The answer to a session request of a player written for MediaTailor.
struct MediaTailorSession {
    static let contentType = "application/json"

    var manifestURL: String
    var trackingURL: String

    /// The addresses of a session, relative to the server or, with a prefix, absolute.
    ///
    /// - Parameter publicURL: scheme, host and path that viewers reach the server under; without it the addresses begin with a slash.
    init(_ key: SessionKey, publicURL: String?) {
        let prefix = publicURL ?? ""
        manifestURL = "\(prefix)/\(key.path)/\(Route.multivariantName)"
        trackingURL = "\(prefix)/v1/tracking/\(key.path)"
    }

    var body: [UInt8] {
        // Percent-escaped addresses hold nothing to escape in JSON, and the prefix was checked to be an address.
        Array("{\"manifestUrl\":\"\(manifestURL)\",\"trackingUrl\":\"\(trackingURL)\"}\n".utf8)
    }
}
