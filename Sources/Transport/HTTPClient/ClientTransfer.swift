internal import CCurl

/// One request on its way through redirects: what callbacks fill and the loop reads.
///
/// `@unchecked Sendable`: touched on its loop's thread only, but for `request`, which does not change.
final class ClientTransfer: @unchecked Sendable {
    typealias Outcome = Result<HTTPClientResponse, HTTPClientError>

    let id: UInt64
    let request: HTTPClientRequest
    let startTime: UInt64
    let headerLimit: Int
    private var completion: ((Outcome) -> Void)?

    /// What is fetched now.
    var url: String
    var target: ClientURL
    let firstOrigin: String
    var method: HTTPClientRequest.Method
    var redirects = 0
    var timer: EventLoop.TimerID?
    /// nil while the transfer waits for its turn.
    var easy: UnsafeMutableRawPointer?
    var headerList: UnsafeMutablePointer<curl_slist>?
    /// What the jar held when the present URL was asked for.
    private var cookies: [CookieJar.Cookie] = []

    // Of the answer that comes in.
    private(set) var status = 0
    private(set) var headers: [(name: String, value: String)] = []
    private(set) var body: [UInt8] = []
    private var headerBytes = 0
    /// Set by a callback that stops the transfer: tells more than curl's code.
    private(set) var failure: HTTPClientError?
    private var wasRefused = false
    private var wasSent = false

    init(
        id: UInt64, request: HTTPClientRequest, headerLimit: Int, completion: @escaping (Outcome) -> Void
    ) throws(HTTPClientError) {
        self.id = id
        self.request = request
        self.headerLimit = headerLimit
        self.completion = completion
        startTime = MachineClock.monotonic()
        url = request.url
        method = request.method
        target = try ClientURL(request.url)
        firstOrigin = target.origin
    }

    func complete(_ outcome: Outcome) {
        completion?(outcome)
        completion = nil
    }

    func takeResponse() -> HTTPClientResponse {
        HTTPClientResponse(
            status: status, headers: headers, body: body, finalURL: url,
            elapsed: .nanoseconds(Int64(clamping: MachineClock.monotonic() &- startTime)))
    }

    func setCookies(of easy: UnsafeMutableRawPointer) {
        guard let jar = request.cookies else { return }
        cookies = jar.cookies
        CookieJar.Cookie.set(cookies, of: easy)
    }

    func keepCookies(of easy: UnsafeMutableRawPointer) {
        request.cookies?.replace(cookies, with: CookieJar.Cookie.all(of: easy))
    }

    /// What is left of the whole time, in milliseconds, at least one.
    var remainingMilliseconds: Int {
        let end = startTime &+ request.timeout.clampedNanoseconds
        let now = MachineClock.monotonic()
        return now >= end ? 1 : max(1, Int(clamping: (end - now) / 1_000_000))
    }

    func beginAnswer() {
        status = 0
        headers = []
        body = []
        headerBytes = 0
        failure = nil
        wasRefused = false
        wasSent = false
    }

    // MARK: Callbacks

    /// Returns false to stop the transfer.
    func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= request.byteLimit - body.count else {
            failure = HTTPClientError(.tooLarge, "\(target.redacted): more than \(request.byteLimit) bytes")
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    func receivedHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= headerLimit else {
            failure = HTTPClientError(.tooLarge, "\(target.redacted): more than \(headerLimit) bytes of headers")
            return false
        }
        if line.starts(with: "HTTP/".utf8) {
            // An interim answer may have gone before.
            headers = []
            let parts = line.split(separator: ASCII.space, maxSplits: 2)
            status = parts.count >= 2 ? parts[1].prefix(3).reduce(0) { $0 &* 10 &+ Int($1 &- 0x30) } : 0
            return true
        }
        guard let colon = line.firstIndex(of: ASCII.colon) else { return true }
        let name = String(decoding: line[..<colon], as: UTF8.self)
        let value = line[(colon + 1)...].filter { $0 >= 0x20 || $0 == ASCII.tab }
        headers.append((name, String(ASCII.trimmed(String(decoding: value, as: UTF8.self)[...]))))
        return true
    }

    /// Whether the request may go out now; asked before each attempt on the present URL.
    func maySend() -> Bool {
        defer { wasSent = true }
        guard request.isSentOnce, wasSent else { return true }
        failure = HTTPClientError(.protocolError, "\(target.redacted): the connection ended without an answer")
        return false
    }

    /// Whether a socket to this address may be made.
    func allows(_ address: IPAddress?) -> Bool {
        if case .any = request.addressPolicy { return true }
        if let address, request.addressPolicy.allows(address) { return true }
        wasRefused = true
        return false
    }

    // MARK: Results

    func error(_ code: CURLcode) -> HTTPClientError {
        if let failure { return failure }
        let reason = String(cString: curl_easy_strerror(code))
        let kind: HTTPClientError.Code =
            switch code {
            case CURLE_URL_MALFORMAT: .badURL
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .resolve
            case CURLE_COULDNT_CONNECT: wasRefused ? .refusedAddress : .connect
            case CURLE_OPERATION_TIMEDOUT: .timeout
            case CURLE_FILESIZE_EXCEEDED: .tooLarge
            case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
                CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED, CURLE_SSL_ENGINE_NOTFOUND,
                CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS:
                .tls
            default: .protocolError
            }
        if kind == .refusedAddress {
            return HTTPClientError(kind, "\(target.origin): the address of the host may not be connected to")
        }
        return HTTPClientError(kind, "\(target.redacted): \(reason)")
    }
}
