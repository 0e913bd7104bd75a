import HLS
import Transport

/// What an HTTP server answered when it was asked for a playlist.
struct LintAnswer: Sendable {
    /// The URL that was asked for, and the one that answered.
    var url: String
    var finalURL: String
    var status: Int
    var headers: [(name: String, value: String)]
    /// Decompressed.
    var body: [UInt8]
    var elapsed: Duration

    init(
        url: String, finalURL: String? = nil, status: Int = 200, headers: [(name: String, value: String)] = [],
        body: [UInt8] = [], elapsed: Duration = .zero
    ) {
        self.url = url
        self.finalURL = finalURL ?? url
        self.status = status
        self.headers = headers
        self.body = body
        self.elapsed = elapsed
    }

    init(url: String, _ response: HTTPClientResponse) {
        self.init(
            url: url, finalURL: response.finalURL, status: response.status, headers: response.headers,
            body: response.body, elapsed: response.elapsed)
    }

    /// The value of the first header of that name, in lower case here.
    func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name }?.value
    }

    /// The media type without its parameters, in lower case; nil where there is none.
    var mediaType: String? {
        guard let value = header("content-type")?.split(separator: ";").first else { return nil }
        let type = value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined().lowercased()
        return type.isEmpty ? nil : type
    }

    /// The directives of Cache-Control by their names in lower case.
    var cacheControl: [String: String]? {
        let values = headers.filter { $0.name.lowercased() == "cache-control" }.map(\.value)
        guard !values.isEmpty else { return nil }
        var directives: [String: String] = [:]
        for directive in values.joined(separator: ",").split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1)
            let name = parts[0].filter { $0 != " " && $0 != "\t" }.lowercased()
            let value = parts.count > 1 ? parts[1].filter { $0 != " " && $0 != "\"" } : ""
            if directives[name] == nil { directives[name] = value }
        }
        return directives
    }
}

/// A URL's path and query, and directives added to it.
enum LintURL {
    static func isWeb(_ location: String) -> Bool {
        let scheme = location.prefix { $0 != ":" }.lowercased()
        return (scheme == "http" || scheme == "https") && location.dropFirst(scheme.count).hasPrefix("://")
    }

    /// The path alone, without query and fragment.
    static func path(_ url: String) -> Substring {
        url.prefix { $0 != "?" && $0 != "#" }
    }

    /// The names in the query.
    static func queryNames(_ url: String) -> [String] {
        guard let mark = url.firstIndex(of: "?") else { return [] }
        let query = url[url.index(after: mark)...].prefix { $0 != "#" }
        return query.split(separator: "&").map { String($0.prefix { $0 != "=" }) }
    }

    /// The URL with further parameters at the end of its query.
    static func adding(_ parameters: [(name: String, value: String)], to url: String) -> String {
        let bare = url.prefix { $0 != "#" }
        let text = parameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return "\(bare)\(bare.contains("?") ? "&" : "?")\(text)"
    }
}
