/// A request whose head and body have been received whole. Cheap to copy.
package struct HTTPRequest: Sendable {
    final class Storage: Sendable {
        let method: HTTPMethod
        let headers: HTTPHeaders
        let rawPath: Range<Int>
        let rawQuery: Range<Int>?
        let rawTarget: Range<Int>
        let pathSegments: [String]
        let query: [(name: String, value: String)]
        let body: [UInt8]
        let peerAddress: String
        let minorVersion: UInt8
        let keepsAlive: Bool

        init(
            method: HTTPMethod, headers: HTTPHeaders, rawTarget: Range<Int>, rawPath: Range<Int>, rawQuery: Range<Int>?,
            pathSegments: [String], query: [(name: String, value: String)], body: [UInt8], peerAddress: String,
            minorVersion: UInt8, keepsAlive: Bool
        ) {
            self.method = method
            self.headers = headers
            self.rawTarget = rawTarget
            self.rawPath = rawPath
            self.rawQuery = rawQuery
            self.pathSegments = pathSegments
            self.query = query
            self.body = body
            self.peerAddress = peerAddress
            self.minorVersion = minorVersion
            self.keepsAlive = keepsAlive
        }
    }

    let storage: Storage

    init(storage: Storage) { self.storage = storage }

    package var method: HTTPMethod { storage.method }
    package var headers: HTTPHeaders { storage.headers }
    package var body: [UInt8] { storage.body }
    /// The client's address without its port: `192.0.2.7`, `2001:db8::7`.
    package var peerAddress: String { storage.peerAddress }

    /// The target as spelled in the request line.
    package var rawTarget: String { text(storage.rawTarget) }
    /// The path as spelled, beginning with `/`.
    package var rawPath: String { storage.rawPath.isEmpty ? "/" : text(storage.rawPath) }
    /// The query as spelled, without the `?`; nil where there is no `?`.
    package var rawQuery: String? { storage.rawQuery.map { text($0) } }

    /// The parts of the path between slashes, each percent-decoded. `/a%2Fb/c` is `["a/b", "c"]`; `/` is `[""]`.
    /// None is `.` or `..`; `+` stays a plus.
    package var pathSegments: [String] { storage.pathSegments }
    /// The decoded path. A decoded `%2F` looks like a separator here; routes should use `pathSegments`.
    package var path: String { "/" + storage.pathSegments.joined(separator: "/") }

    /// The parameters of the query in order, percent-decoded, `+` being a space. A parameter without `=` has an empty value.
    package var query: [(name: String, value: String)] { storage.query }
    /// The value of the first parameter of that name.
    package func queryValue(_ name: String) -> String? { storage.query.first { $0.name == name }?.value }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: storage.headers.bytes[range], as: UTF8.self)
    }

    /// A request as if it had come over a connection; nil where a server would have refused it. For tests and internal calls.
    package init?(
        method: HTTPMethod = .get, target: String, headers: [(String, String)] = [], body: [UInt8] = [],
        peerAddress: String = "127.0.0.1"
    ) {
        var text = "\(method.rawValue) \(target) HTTP/1.1\r\n"
        if !headers.contains(where: { ASCII.lowercased($0.0) == "host" }) { text += "Host: localhost\r\n" }
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.count)\r\n" }
        var parser = RequestParser(limits: HTTPServerConfiguration.Limits(), peerAddress: peerAddress)
        let input = Array((text + "\r\n").utf8) + body
        guard case .request(let request) = parser.advance(input.span).outcome else { return nil }
        self = request
    }
}

extension HTTPRequest {
    /// Whether `If-None-Match` says that the client has what bears this tag. RFC 9110 §13.1.2.
    package func hasCurrent(_ tag: String) -> Bool {
        headers.list("If-None-Match").map { ContentNegotiation.matches($0, tag) } ?? false
    }
}
