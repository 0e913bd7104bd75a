/// An answer of a handler. The server adds `Date`, `Content-Length`, `Connection`, CORS fields and `Vary`, compresses, and turns
/// an answer whose entity tag the client knows into 304.
package struct HTTPResponse: Sendable {
    /// What the server does about `ETag` on a 200 to GET or HEAD that has none among its headers.
    package enum EntityTag: Sendable {
        /// A strong tag made from the body's bytes.
        case fromBody
        case none
    }

    package var status: Int
    /// Sent in this order. `Date`, `Content-Length`, `Connection` and `Transfer-Encoding` are ignored.
    package var headers: [(String, String)]
    package var body: [UInt8]
    package var entityTag: EntityTag
    /// Whether the server may gzip the body, if its type and size are worth it.
    package var mayCompress: Bool

    package init(
        status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = [], entityTag: EntityTag = .fromBody,
        mayCompress: Bool = true
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.entityTag = entityTag
        self.mayCompress = mayCompress
    }

    /// A text body of a media type.
    package init(status: Int = 200, contentType: String, text: String, headers: [(String, String)] = []) {
        self.init(status: status, headers: [("Content-Type", contentType)] + headers, body: Array(text.utf8))
    }

    /// `{"error":{"code","message"}}`.
    package static func error(
        _ status: Int, code: String, message: String, headers: [(String, String)] = []
    ) -> HTTPResponse {
        let body = "{\"error\":{\"code\":\(JSONString.quoted(code)),\"message\":\(JSONString.quoted(message))}}\n"
        return HTTPResponse(
            status: status,
            headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")] + headers,
            body: Array(body.utf8), entityTag: .none)
    }

    /// 405 with the methods that are allowed.
    package static func methodNotAllowed(allow methods: [HTTPMethod]) -> HTTPResponse {
        let names = methods.map(\.rawValue).joined(separator: ", ")
        return .error(
            405, code: "method_not_allowed", message: "This resource allows \(names).", headers: [("Allow", names)])
    }

    package static func notFound(_ message: String = "There is nothing at this path.") -> HTTPResponse {
        .error(404, code: "not_found", message: message)
    }
}

/// Answers requests. Called on the event loop of the connection, so it must not block; it may suspend.
package protocol HTTPHandler: Sendable {
    /// The task is cancelled when the connection breaks or the handler's deadline has passed; what is returned then is dropped.
    func respond(to request: HTTPRequest) async -> HTTPResponse
}

/// A handler made of a closure.
package struct HTTPHandlerFunction: HTTPHandler {
    private let body: @Sendable (HTTPRequest) async -> HTTPResponse

    package init(_ body: @escaping @Sendable (HTTPRequest) async -> HTTPResponse) { self.body = body }

    package func respond(to request: HTTPRequest) async -> HTTPResponse { await body(request) }
}
