/// A request as the stand-in servers look at it.
struct StandInRequest: Sendable {
    var path: String
    /// Decoded query parameters in order.
    var query: [(name: String, value: String)] = []
    /// Path and query as received.
    var target: String
    /// Value of the Range header.
    var range: String?
    /// Where this server is reached, without a slash at the end: `http://127.0.0.1:9100`.
    var base = "http://127.0.0.1"

    /// First value of a query parameter.
    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// An answer of the stand-in servers.
struct StandInResponse: Sendable, Equatable {
    var status = 200
    var contentType = "text/plain; charset=utf-8"
    var body: [UInt8] = []
    /// Seconds it may be cached; 0 is never.
    var maxAge = 0
    /// `bytes 0-99/200` of a part.
    var contentRange: String?

    init(_ text: String, _ contentType: String) {
        self.contentType = contentType
        body = Array(text.utf8)
    }

    init(status: Int, _ text: String) {
        self.status = status
        body = Array((text + "\n").utf8)
    }

    init(status: Int, contentType: String, body: [UInt8], contentRange: String?) {
        self.status = status
        self.contentType = contentType
        self.body = body
        self.contentRange = contentRange
    }

    static let notFound = StandInResponse(status: 404, "not found")
}

/// A server of the demo: a pure function of request and time.
protocol StandIn: Sendable {
    /// - Parameter milliseconds: wall clock, since 1970.
    func respond(to request: StandInRequest, at milliseconds: Int64) -> StandInResponse
}
