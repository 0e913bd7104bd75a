/// One request to an origin or an ad server.
package struct HTTPClientRequest: Sendable {
    package enum Version: Sendable {
        /// The default: HTTP/2 in the libcurl of Debian 12 stalls now and then.
        case http1
        /// Negotiated over TLS; plain connections stay HTTP/1.1.
        case http2
    }

    package struct LeastRate: Sendable, Hashable {
        package var bytesPerSecond: Int
        /// In whole seconds.
        package var time: Duration

        package init(bytesPerSecond: Int, time: Duration) {
            self.bytesPerSecond = bytesPerSecond
            self.time = time
        }
    }

    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
    }

    /// Absolute, http or https.
    package var url: String
    package var method = Method.get
    /// Names and values without line breaks. `Authorization` and `Cookie` are not sent on to another origin.
    package var headers: [(String, String)] = []
    /// Sent with POST.
    package var body: [UInt8] = []
    /// For everything: waiting for a connection, redirects, body.
    package var timeout: Duration = .seconds(10)
    /// For each connection: name, TCP and TLS.
    package var connectTimeout: Duration = .seconds(3)
    /// Fewer bytes in so long a time, the wait for the first one counted, are taken as ``HTTPClientError/Code/timeout``; nil waits for
    /// the whole time.
    package var leastRate: LeastRate?
    /// Bound of the body after decompression.
    package var byteLimit = 16 << 20
    /// How many redirects are followed; the next one is an error.
    package var redirectLimit = 5
    /// false hands a 3xx back as it is.
    package var followsRedirects = true
    package var addressPolicy = AddressPolicy.any
    package var httpVersion = Version.http1
    /// Never sent again by itself. libcurl else repeats a request when a kept connection ends without an answer to it, though
    /// the server may have taken it.
    package var isSentOnce = false
    /// The cookies that are sent with it, and where those of the answer go, on every hop; nil neither sends nor keeps any.
    package var cookies: CookieJar?
    /// Connections to its origin on the loop beyond which it waits; nil takes the client's.
    package var connectionsPerOrigin: Int?
    /// The ETag of what the caller has: sent as If-None-Match.
    package var entityTag: String?
    /// The Last-Modified of what the caller has: sent as If-Modified-Since.
    package var lastModified: String?

    package init(url: String) { self.url = url }
}

/// The answer to the last request of a chain of redirects. Any status is an answer.
package struct HTTPClientResponse: Sendable {
    package var status: Int
    /// In order, names as received.
    package var headers: [(name: String, value: String)]
    /// Decompressed.
    package var body: [UInt8]
    /// The URL that answered: the base for relative references.
    package var finalURL: String
    package var elapsed: Duration

    package init(
        status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = [], finalURL: String,
        elapsed: Duration = .zero
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.finalURL = finalURL
        self.elapsed = elapsed
    }

    /// 304: what the caller has is current.
    package var notModified: Bool { status == 304 }

    /// The value of the first header of that name, compared without case.
    package func header(_ name: String) -> String? {
        let name = ASCII.lowercased(name)
        return headers.first { ASCII.lowercased($0.name) == name }?.value
    }

    package var entityTag: String? { header("ETag") }
    package var lastModified: String? { header("Last-Modified") }
}

/// Why there is no answer.
package struct HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable {
        /// The URL cannot be read.
        case badURL
        /// Neither http nor https.
        case badScheme
        /// A header name or value cannot be sent.
        case badHeader
        case resolve
        case connect
        case tls
        /// The deadline of the connection or of the whole has passed.
        case timeout
        /// The body, or the headers, exceed their bounds.
        case tooLarge
        /// The policy forbids the address that the host has.
        case refusedAddress
        case tooManyRedirects
        /// The peer broke HTTP or the connection off.
        case protocolError
        /// Too many requests are waiting already.
        case overloaded
        case cancelled
        /// The client or its loops have been shut down.
        case stopped
    }

    package let code: Code
    /// For logs. Holds no query, user or password.
    package let detail: String

    package init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    package var description: String { "\(code.rawValue): \(detail)" }

    /// Equality looks at the code alone.
    package static func == (left: Self, right: Self) -> Bool { left.code == right.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

package struct HTTPClientConfiguration: Sendable {
    /// Per loop and origin (scheme, host, port). More requests wait.
    package var connectionsPerOrigin = 64
    /// Per loop, for all origins together. More are refused as overloaded.
    package var waitingLimit = 4_096
    /// Idle connections kept per loop, address policy and HTTP version.
    package var idleConnections = 256
    /// Sent unless the request has its own; nil sends none.
    package var userAgent: String? = "Podstitch"
    /// PEM file of certificate authorities in place of the system's.
    package var certificateAuthorityFile: String?
    /// Bound of all header lines of an answer.
    package var headerBytes = 65_536

    package init() {}
}
