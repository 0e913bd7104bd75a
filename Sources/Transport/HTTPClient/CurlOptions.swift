internal import CCurl

/// A request as options of an easy handle.
enum CurlOptions {
    static func apply(
        _ transfer: ClientTransfer, to easy: UnsafeMutableRawPointer, _ configuration: HTTPClientConfiguration,
        closeContext: Unmanaged<ClientLoop>
    ) throws(HTTPClientError) {
        let request = transfer.request
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        _ = ccurl_set_text(easy, CURLOPT_URL, transfer.url)
        _ = ccurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
        // Signed and templated paths go out as they are written.
        _ = ccurl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
        // Empty: no proxy, whatever the environment says.
        _ = ccurl_set_text(easy, CURLOPT_PROXY, "")
        _ = ccurl_set_long(easy, CURLOPT_NETRC, 0)
        _ = ccurl_set_long(easy, CURLOPT_NOSIGNAL, 1)
        // Else a transfer that ends while its name is looked up would block the loop until the resolver gives up.
        _ = ccurl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
        _ = ccurl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
        _ = ccurl_set_text(easy, CURLOPT_ACCEPT_ENCODING, "")
        _ = ccurl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request.connectTimeout))
        _ = ccurl_set_long(easy, CURLOPT_TIMEOUT_MS, transfer.remainingMilliseconds)
        if let rate = request.leastRate {
            _ = ccurl_set_long(easy, CURLOPT_LOW_SPEED_LIMIT, max(rate.bytesPerSecond, 1))
            _ = ccurl_set_long(easy, CURLOPT_LOW_SPEED_TIME, max(Int(rate.time.components.seconds), 1))
        }
        let isHTTP2 = request.httpVersion == .http2 && transfer.target.scheme == "https"
        _ = ccurl_set_long(
            easy, CURLOPT_HTTP_VERSION, isHTTP2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        // A transfer rather waits to learn whether it can share a connection than makes its own.
        if isHTTP2 { _ = ccurl_set_long(easy, CURLOPT_PIPEWAIT, 1) }
        if let file = configuration.certificateAuthorityFile { _ = ccurl_set_text(easy, CURLOPT_CAINFO, file) }
        // What is announced is refused before it comes; what comes is counted too.
        _ = ccurl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(clamping: request.byteLimit))
        _ = ccurl_set_data_function(easy, CURLOPT_WRITEFUNCTION, CurlCallbacks.body)
        _ = ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context)
        _ = ccurl_set_data_function(easy, CURLOPT_HEADERFUNCTION, CurlCallbacks.header)
        _ = ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context)
        _ = ccurl_set_open_socket_function(easy, CurlCallbacks.openSocket, context)
        _ = ccurl_set_close_socket_function(easy, CurlCallbacks.closeSocket, closeContext.toOpaque())
        if request.isSentOnce { _ = ccurl_set_prerequest_function(easy, CurlCallbacks.prerequest, context) }
        switch transfer.method {
        case .get: _ = ccurl_set_long(easy, CURLOPT_HTTPGET, 1)
        case .head: _ = ccurl_set_long(easy, CURLOPT_NOBODY, 1)
        case .post:
            _ = ccurl_set_long(easy, CURLOPT_POST, 1)
            _ = ccurl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(clamping: request.body.count))
            var body = request.body
            body.append(0)
            body.withUnsafeMutableBytes { bytes in
                _ = ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
            }
        }
        transfer.setCookies(of: easy)
        try setHeaders(transfer, easy, configuration)
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        max(1, Int(clamping: duration.clampedNanoseconds / 1_000_000))
    }

    private static func setHeaders(
        _ transfer: ClientTransfer, _ easy: UnsafeMutableRawPointer, _ configuration: HTTPClientConfiguration
    ) throws(HTTPClientError) {
        let request = transfer.request
        // An origin that was only redirected to must not get what is meant for another.
        let isForeign = transfer.target.origin != transfer.firstOrigin
        var hasAgent = false
        for (name, value) in request.headers {
            guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isTokenCharacter), value.utf8.allSatisfy(ASCII.isValueByte)
            else { throw HTTPClientError(.badHeader, "\(transfer.target.origin): a header cannot be sent") }
            let lowercased = ASCII.lowercased(name)
            if lowercased == "user-agent" { hasAgent = true }
            if isForeign, ["authorization", "cookie", "proxy-authorization"].contains(lowercased) { continue }
            if ["content-length", "transfer-encoding", "connection"].contains(lowercased) { continue }
            append(name, value, transfer)
        }
        if !hasAgent, let agent = configuration.userAgent { append("User-Agent", agent, transfer) }
        for (name, value) in [("If-None-Match", request.entityTag), ("If-Modified-Since", request.lastModified)] {
            if let value, value.utf8.allSatisfy(ASCII.isValueByte) { append(name, value, transfer) }
        }
        // Or curl would wait a second for 100 Continue before it sends a longer body.
        if transfer.method == .post { append("Expect:", transfer) }
        _ = ccurl_set_list(easy, CURLOPT_HTTPHEADER, transfer.headerList)
    }

    private static func append(_ name: String, _ value: String, _ transfer: ClientTransfer) {
        // The semicolon is curl's way of writing a header without a value.
        append(value.isEmpty ? "\(name);" : "\(name): \(value)", transfer)
    }

    private static func append(_ line: String, _ transfer: ClientTransfer) {
        if let list = curl_slist_append(transfer.headerList, line) { transfer.headerList = list }
    }
}
