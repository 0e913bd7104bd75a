/// What the client itself has to know of a URL; the rest is libcurl's.
struct ClientURL {
    let scheme: String
    /// Scheme, host and port: what connections and secrets belong to.
    let origin: String
    /// Without user, password, query and fragment: fit for logs.
    let redacted: String

    init(_ text: String) throws(HTTPClientError) {
        guard let colon = text.firstIndex(of: ":"), !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw HTTPClientError(.badURL, "not an absolute URL")
        }
        let scheme = ASCII.lowercased(text[..<colon])
        guard scheme == "http" || scheme == "https" else {
            throw HTTPClientError(.badScheme, "only http and https are fetched")
        }
        let rest = text[text.index(after: colon)...]
        guard rest.hasPrefix("//") else { throw HTTPClientError(.badURL, "not an absolute URL") }
        let afterSlashes = rest.dropFirst(2)
        let authority = afterSlashes.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
        guard !host.isEmpty else { throw HTTPClientError(.badURL, "the URL has no host") }
        let path = afterSlashes[authority.endIndex...].prefix { $0 != "?" && $0 != "#" }
        self.scheme = scheme
        var name = ASCII.lowercased(host)
        let defaultPort = scheme == "http" ? ":80" : ":443"
        if name.hasSuffix(defaultPort) { name.removeLast(defaultPort.count) }
        origin = "\(scheme)://\(name)"
        redacted = origin + path
    }
}
