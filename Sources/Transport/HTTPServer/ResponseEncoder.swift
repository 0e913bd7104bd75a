/// Answers as bytes: adds what the protocol and the configuration ask for. One per loop and server; `head` is used again.
final class ResponseEncoder {
    /// What of the request shapes its answer.
    struct Context {
        var request: HTTPRequest?
        var keepsAlive: Bool
    }

    private let configuration: HTTPServerConfiguration
    private let gzip = GzipEncoder()
    private var dateSecond = -1
    private var dateLine: [UInt8] = []

    /// The head of the answer encoded last.
    private(set) var head: [UInt8] = []

    init(configuration: HTTPServerConfiguration) {
        self.configuration = configuration
        head.reserveCapacity(2_048)
    }

    /// Fills `head`.
    /// - Returns: the body to send after it, and the status, which may have become 304.
    func encode(_ response: HTTPResponse, _ context: Context) -> (status: Int, body: [UInt8]) {
        let request = context.request
        let headers = request?.headers
        var status = (200...599).contains(response.status) ? response.status : 500
        var body = response.body
        var tag: String?
        var varies = false
        var isGzip = false
        let isRead = request.map { $0.method == .get || $0.method == .head } ?? false

        let given = givenHeaders(response)
        if isRead, status == 200 {
            tag = given.entityTag
            if tag == nil, case .fromBody = response.entityTag { tag = ContentNegotiation.entityTag(of: body) }
        }
        if configuration.compression.isEnabled, response.mayCompress, !given.isEncoded,
            let type = given.contentType, ContentNegotiation.isCompressible(type),
            body.count >= configuration.compression.minimumBytes
        {
            varies = true
            isGzip = headers?.list("Accept-Encoding").map(ContentNegotiation.acceptsGzip) ?? false
        }
        if let tag, let condition = headers?.list("If-None-Match"), ContentNegotiation.matches(condition, tag) {
            status = 304
        } else if isGzip, let compressed = gzip.compress(body) {
            body = compressed
        } else {
            isGzip = false
        }

        head.removeAll(keepingCapacity: true)
        append("HTTP/1.1 ")
        append(number: status)
        append(" ")
        append(Self.reason(status))
        append("\r\n")
        appendDate()
        if let server = configuration.serverName { appendField("Server", server) }
        let hasBody = status != 204 && status != 304
        appendGiven(response, status: status, tag: tag, isGzip: isGzip, varies: varies)
        if hasBody {
            append("Content-Length: ")
            append(number: body.count)
            append("\r\n")
        }
        appendCrossOrigin(request)
        appendConnection(context)
        append("\r\n")
        return (status, hasBody && request?.method != .head ? body : [])
    }

    // MARK: What the handler gave

    private struct Given {
        var contentType: String?
        var entityTag: String?
        var isEncoded = false
    }

    private func givenHeaders(_ response: HTTPResponse) -> Given {
        var given = Given()
        for (name, value) in response.headers {
            switch name.utf8.count {
            case 4 where ASCII.matches(name, "etag"): given.entityTag = value
            case 12 where ASCII.matches(name, "content-type"): given.contentType = value
            case 16 where ASCII.matches(name, "content-encoding"): given.isEncoded = true
            default: break
            }
        }
        return given
    }

    private func appendGiven(_ response: HTTPResponse, status: Int, tag: String?, isGzip: Bool, varies: Bool) {
        for (name, value) in response.headers {
            if isOwn(name) || tag != nil && ASCII.matches(name, "etag") { continue }
            if status == 304, ASCII.matches(name, "content-type") || ASCII.matches(name, "content-encoding") {
                continue
            }
            if name.isEmpty || !name.utf8.allSatisfy(ASCII.isTokenCharacter) { continue }
            appendField(name, value)
        }
        if let tag { appendField("ETag", isGzip ? ContentNegotiation.gzipTag(tag) : tag) }
        if isGzip, status != 304 { append("Content-Encoding: gzip\r\n") }
        if varies { append("Vary: Accept-Encoding\r\n") }
    }

    /// Fields that only the server can write.
    private func isOwn(_ name: String) -> Bool {
        switch name.utf8.count {
        case 4: ASCII.matches(name, "date")
        case 10: ASCII.matches(name, "connection") || ASCII.matches(name, "keep-alive")
        case 14: ASCII.matches(name, "content-length")
        case 17: ASCII.matches(name, "transfer-encoding")
        default: false
        }
    }

    // MARK: What the server adds

    private func appendDate() {
        let second = MachineClock.coarseSeconds()
        if second != dateSecond {
            dateSecond = second
            dateLine = Array("Date: \(HTTPDate.text(secondsSince1970: second))\r\n".utf8)
        }
        head.append(contentsOf: dateLine)
    }

    private func appendConnection(_ context: Context) {
        if !context.keepsAlive {
            append("Connection: close\r\n")
        } else if context.request?.storage.minorVersion == 0 {
            append("Connection: keep-alive\r\n")
        }
    }

    private func appendCrossOrigin(_ request: HTTPRequest?) {
        guard let policy = configuration.crossOrigin else { return }
        let origin = request?.headers["Origin"]
        appendAllowedOrigin(policy, origin)
        if origin != nil, !policy.exposedHeaders.isEmpty {
            appendField("Access-Control-Expose-Headers", policy.exposedHeaders.joined(separator: ", "))
        }
    }

    private func appendAllowedOrigin(_ policy: CrossOriginPolicy, _ origin: String?) {
        switch policy.origins {
        case .any where !policy.allowsCredentials: append("Access-Control-Allow-Origin: *\r\n")
        case .any:
            append("Vary: Origin\r\n")
            guard let origin else { return }
            appendField("Access-Control-Allow-Origin", origin)
            append("Access-Control-Allow-Credentials: true\r\n")
        case .only(let allowed):
            append("Vary: Origin\r\n")
            guard let origin, allowed.contains(origin) else { return }
            appendField("Access-Control-Allow-Origin", origin)
            if policy.allowsCredentials { append("Access-Control-Allow-Credentials: true\r\n") }
        }
    }

    // MARK: Bytes

    private func append(_ text: StaticString) {
        text.withUTF8Buffer { head.append(contentsOf: $0) }
    }

    private func append(_ text: String) { head.append(contentsOf: text.utf8) }

    private func append(number: Int) { append(String(number)) }

    /// A value of a handler must not be able to end its line.
    private func appendField(_ name: String, _ value: String) {
        append(name)
        append(": ")
        if value.utf8.allSatisfy(ASCII.isValueByte) {
            append(value)
        } else {
            for byte in value.utf8 { head.append(ASCII.isValueByte(byte) ? byte : ASCII.space) }
        }
        append("\r\n")
    }

    static func reason(_ status: Int) -> StaticString {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        default: "Status"
        }
    }
}
