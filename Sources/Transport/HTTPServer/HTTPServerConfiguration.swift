/// How a server listens, what it bears, and what it adds to answers.
package struct HTTPServerConfiguration: Sendable {
    /// What one request may weigh. What is over is answered with the status named.
    package struct Limits: Sendable {
        /// Method, target and version: 414.
        package var requestLineBytes = 8_192
        /// All header lines together: 431.
        package var headerBytes = 32_768
        /// 431.
        package var headerCount = 100
        /// After chunked decoding: 413.
        package var bodyBytes = 1_048_576
        package init() {}
    }

    package struct Timeouts: Sendable {
        /// A connection without a request is closed.
        package var idle: Duration = .seconds(60)
        /// From the first byte of a request to the end of its head: 408.
        package var header: Duration = .seconds(10)
        /// From the end of the head to the end of the body: 408.
        package var body: Duration = .seconds(30)
        /// From the end of the request to the handler's answer: 503.
        package var handler: Duration = .seconds(30)
        /// For a client that does not read its answer; a second per 16 KiB left is added.
        package var write: Duration = .seconds(20)
        package init() {}
    }

    package struct Compression: Sendable {
        package var isEnabled = true
        /// Smaller bodies are sent as they are.
        package var minimumBytes = 1_024
        package init() {}
    }

    /// Numeric IPv4 or IPv6 address, or a name that is looked up once: `127.0.0.1`, `::1`, `::` (all of both families).
    package var address: String
    /// 0 chooses a free one.
    package var port: UInt16
    package var limits = Limits()
    package var timeouts = Timeouts()
    package var compression = Compression()
    /// nil sends no CORS fields.
    package var crossOrigin: CrossOriginPolicy? = CrossOriginPolicy()
    /// Connections above this are answered 503 with Retry-After and closed.
    package var connectionLimit = 10_000
    /// Value of `Server`; nil sends none.
    package var serverName: String?
    /// Called on the loop after each answer was handed to the kernel. It must only hand the entry on.
    package var accessLog: (@Sendable (HTTPAccessLogEntry) -> Void)?

    package init(address: String = "127.0.0.1", port: UInt16 = 0) {
        self.address = address
        self.port = port
    }
}

/// What browsers on other origins may do. Fetch standard, "CORS protocol".
package struct CrossOriginPolicy: Sendable {
    package enum Origins: Sendable {
        case any
        /// `https://player.example`, compared exactly.
        case only([String])
    }

    package var origins: Origins
    /// Allows cookies; the origin is then named instead of `*`.
    package var allowsCredentials = false
    package var methods: [HTTPMethod] = [.get, .head, .post, .options]
    /// nil allows whatever headers a preflight asks for.
    package var headers: [String]?
    package var exposedHeaders = ["Content-Length", "Content-Encoding", "Date", "ETag"]
    /// How long a browser may remember a preflight.
    package var maxAge: Duration = .seconds(86_400)

    package init(origins: Origins = .any) { self.origins = origins }
}

/// One answered request. Has no headers, and so no tokens but what the target holds.
package struct HTTPAccessLogEntry: Sendable {
    package var method: HTTPMethod?
    /// As spelled; empty where the request line could not be read.
    package var target: String
    package var status: Int
    package var bodyBytes: Int
    /// From the end of the request to the answer.
    package var duration: Duration
    package var peerAddress: String
    package var userAgent: String?
}
