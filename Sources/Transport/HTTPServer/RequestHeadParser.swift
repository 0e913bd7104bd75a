/// A request that cannot be handed to a handler: the answer it gets, after which the connection is closed.
struct ProtocolFailure: Error, Hashable {
    var status: Int
    var code: String
    var message: String

    static func badRequest(_ message: String) -> Self { Self(status: 400, code: "bad_request", message: message) }
    static let requestLineTooLong = Self(
        status: 414, code: "uri_too_long", message: "The request line is too long.")
    static let headersTooLarge = Self(
        status: 431, code: "headers_too_large", message: "The request has too many or too long header fields.")
    static let bodyTooLarge = Self(status: 413, code: "body_too_large", message: "The request body is too large.")
    static let unknownMethod = Self(
        status: 501, code: "method_not_implemented", message: "The request method is not implemented.")
    static let unknownTransferEncoding = Self(
        status: 501, code: "transfer_encoding_not_implemented",
        message: "Only the chunked transfer encoding is implemented.")
    static let unsupportedVersion = Self(
        status: 505, code: "http_version_not_supported", message: "Only HTTP/1.0 and HTTP/1.1 are supported.")
    static let expectationFailed = Self(
        status: 417, code: "expectation_failed", message: "Only the expectation 100-continue is supported.")
    static let timedOut = Self(status: 408, code: "request_timeout", message: "The request took too long to arrive.")
}

/// How the body of a request is delimited. RFC 9112 §6.
enum BodyFraming: Equatable {
    case none
    case sized(Int)
    case chunked
}

/// The head of one request, checked. RFC 9112 §3, §5.
struct RequestHead {
    var method: HTTPMethod = .get
    var minorVersion: UInt8 = 1
    var target = 0..<0
    var path = 0..<0
    var query: Range<Int>?
    var fields: [HTTPHeaders.Field] = []
    var framing = BodyFraming.none
    var keepsAlive = true
    var expectsContinue = false
    /// `OPTIONS *`.
    var isAsteriskForm = false
}

/// Reads a head whose end has been found. All lines end in CRLF; the last is empty.
struct RequestHeadParser {
    private var head = RequestHead()
    private var hostCount = 0
    private var contentLength: Int?
    private var transferEncodings = 0
    private var isChunked = false
    private var wantsClose = false
    private var wantsKeepAlive = false

    static func parse(
        _ bytes: Span<UInt8>, lineEnds: [Int], limits: HTTPServerConfiguration.Limits
    ) throws(ProtocolFailure) -> RequestHead {
        var parser = RequestHeadParser()
        guard let first = lineEnds.first else { throw .badRequest("There is no request line.") }
        try parser.requestLine(bytes, first - 1)
        guard lineEnds.count - 1 <= limits.headerCount else { throw .headersTooLarge }
        parser.head.fields.reserveCapacity(lineEnds.count - 1)
        var start = first + 1
        for end in lineEnds.dropFirst() {
            try parser.headerLine(bytes, start, end - 1)
            start = end + 1
        }
        return try parser.finish()
    }

    // MARK: Request line

    private mutating func requestLine(_ bytes: Span<UInt8>, _ end: Int) throws(ProtocolFailure) {
        var position = 0
        while position < end, ASCII.isTokenCharacter(bytes[position]) { position += 1 }
        guard position > 0, position < end, bytes[position] == ASCII.space else {
            throw .badRequest("The request line is malformed.")
        }
        let methodEnd = position
        let targetStart = position + 1
        position = targetStart
        while position < end, bytes[position] != ASCII.space {
            guard bytes[position] > 0x20, bytes[position] != 0x7F else {
                throw .badRequest("The request target holds a control character.")
            }
            position += 1
        }
        guard position > targetStart, position < end else { throw .badRequest("The request line is malformed.") }
        head.target = targetStart..<position
        try version(bytes, position + 1, end)
        // The version comes first: what an unknown protocol calls a method is not ours to judge.
        guard let method = method(bytes, methodEnd) else { throw .unknownMethod }
        head.method = method
        try target(bytes)
    }

    private func method(_ bytes: Span<UInt8>, _ end: Int) -> HTTPMethod? {
        switch end {
        case 3: equals(bytes, 0, "GET") ? .get : equals(bytes, 0, "PUT") ? .put : nil
        case 4: equals(bytes, 0, "HEAD") ? .head : equals(bytes, 0, "POST") ? .post : nil
        case 5: equals(bytes, 0, "PATCH") ? .patch : nil
        case 6: equals(bytes, 0, "DELETE") ? .delete : nil
        case 7: equals(bytes, 0, "OPTIONS") ? .options : nil
        default: nil
        }
    }

    private mutating func version(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) throws(ProtocolFailure) {
        guard end - start == 8, equals(bytes, start, "HTTP/"), bytes[start + 6] == UInt8(ascii: "."),
            ASCII.isDigit(bytes[start + 5]), ASCII.isDigit(bytes[start + 7])
        else { throw .badRequest("The request line is malformed.") }
        guard bytes[start + 5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
        head.minorVersion = bytes[start + 7] == UInt8(ascii: "0") ? 0 : 1
    }

    /// Origin form, absolute form, or the asterisk of OPTIONS. RFC 9112 §3.2.
    private mutating func target(_ bytes: Span<UInt8>) throws(ProtocolFailure) {
        var start = head.target.lowerBound
        let end = head.target.upperBound
        if end - start == 1, bytes[start] == UInt8(ascii: "*") {
            guard head.method == .options else { throw .badRequest("The target * is for OPTIONS alone.") }
            head.isAsteriskForm = true
            return
        }
        if bytes[start] != ASCII.slash {
            let schemeLength =
                equalsIgnoringCase(bytes, start, end, "http://")
                ? 7
                : equalsIgnoringCase(bytes, start, end, "https://") ? 8 : 0
            guard schemeLength > 0 else { throw .badRequest("The request target is neither a path nor an HTTP URL.") }
            start += schemeLength
            let authority = start
            while start < end, bytes[start] != ASCII.slash, bytes[start] != UInt8(ascii: "?") { start += 1 }
            guard start > authority else { throw .badRequest("The URL in the request line has no host.") }
        }
        var position = start
        var query: Int?
        // A fragment is not for servers; what follows # is left out.
        while position < end, bytes[position] != UInt8(ascii: "#") {
            if query == nil, bytes[position] == UInt8(ascii: "?") { query = position }
            position += 1
        }
        head.path = start..<(query ?? position)
        if let query { head.query = (query + 1)..<position }
    }

    // MARK: Header lines

    private mutating func headerLine(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) throws(ProtocolFailure) {
        var position = start
        while position < end, ASCII.isTokenCharacter(bytes[position]) { position += 1 }
        // This also refuses folded lines, which begin with white space, and white space before the colon.
        guard position > start, position < end, bytes[position] == ASCII.colon else {
            throw .badRequest("A header line is malformed.")
        }
        let nameEnd = position
        var valueStart = position + 1
        while valueStart < end, bytes[valueStart] == ASCII.space || bytes[valueStart] == ASCII.tab { valueStart += 1 }
        var valueEnd = end
        while valueEnd > valueStart, bytes[valueEnd - 1] == ASCII.space || bytes[valueEnd - 1] == ASCII.tab {
            valueEnd -= 1
        }
        position = valueStart
        while position < valueEnd {
            guard ASCII.isValueByte(bytes[position]) else {
                throw .badRequest("A header value holds a control character.")
            }
            position += 1
        }
        head.fields.append(
            HTTPHeaders.Field(
                nameStart: UInt32(truncatingIfNeeded: start), nameEnd: UInt32(truncatingIfNeeded: nameEnd),
                valueStart: UInt32(truncatingIfNeeded: valueStart), valueEnd: UInt32(truncatingIfNeeded: valueEnd)))
        try interpret(bytes, start, nameEnd, valueStart, valueEnd)
    }

    private mutating func interpret(
        _ bytes: Span<UInt8>, _ start: Int, _ nameEnd: Int, _ valueStart: Int, _ valueEnd: Int
    ) throws(ProtocolFailure) {
        switch nameEnd - start {
        case 4 where equalsIgnoringCase(bytes, start, nameEnd, "host"):
            hostCount += 1
            try host(bytes, valueStart, valueEnd)
        case 6 where equalsIgnoringCase(bytes, start, nameEnd, "expect"):
            guard valueEnd - valueStart == 12, equalsIgnoringCase(bytes, valueStart, valueEnd, "100-continue") else {
                throw .expectationFailed
            }
            head.expectsContinue = true
        case 10 where equalsIgnoringCase(bytes, start, nameEnd, "connection"):
            connection(bytes, valueStart, valueEnd)
        case 14 where equalsIgnoringCase(bytes, start, nameEnd, "content-length"):
            try contentLength(bytes, valueStart, valueEnd)
        case 17 where equalsIgnoringCase(bytes, start, nameEnd, "transfer-encoding"):
            try transferEncoding(bytes, valueStart, valueEnd)
        default: break
        }
    }

    private func host(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) throws(ProtocolFailure) {
        for position in start..<end {
            switch bytes[position] {
            case ASCII.space, ASCII.tab, ASCII.slash, UInt8(ascii: "@"), UInt8(ascii: "?"), UInt8(ascii: "#"),
                UInt8(ascii: ","), UInt8(ascii: "\\"):
                throw .badRequest("The Host header is malformed.")
            default: break
            }
        }
    }

    private mutating func connection(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) {
        Self.forEachListItem(bytes, start, end) { start, end in
            if end - start == 5, equalsIgnoringCase(bytes, start, end, "close") { wantsClose = true }
            if end - start == 10, equalsIgnoringCase(bytes, start, end, "keep-alive") { wantsKeepAlive = true }
        }
    }

    private mutating func contentLength(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) throws(ProtocolFailure) {
        guard end > start, end - start <= 19 else { throw .badRequest("The Content-Length is malformed.") }
        var value = 0
        for position in start..<end {
            guard ASCII.isDigit(bytes[position]) else { throw .badRequest("The Content-Length is malformed.") }
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowedToo) = product.addingReportingOverflow(Int(bytes[position] - 0x30))
            guard !overflowed, !overflowedToo else { throw .bodyTooLarge }
            value = sum
        }
        if let contentLength, contentLength != value { throw .badRequest("There are differing Content-Lengths.") }
        contentLength = value
    }

    private mutating func transferEncoding(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) throws(ProtocolFailure) {
        var isUnknown = false
        Self.forEachListItem(bytes, start, end) { start, end in
            transferEncodings += 1
            if end - start == 7, equalsIgnoringCase(bytes, start, end, "chunked") {
                isChunked = true
            } else {
                isUnknown = true
            }
        }
        if isUnknown { throw .unknownTransferEncoding }
        guard transferEncodings == 1 else { throw .badRequest("The Transfer-Encoding is malformed.") }
    }

    // MARK: The whole

    private consuming func finish() throws(ProtocolFailure) -> RequestHead {
        guard hostCount <= 1 else { throw .badRequest("There is more than one Host header.") }
        guard hostCount == 1 || head.minorVersion == 0 else { throw .badRequest("The Host header is missing.") }
        if isChunked {
            guard contentLength == nil else {
                throw .badRequest("There are both a Content-Length and a Transfer-Encoding.")
            }
            guard head.minorVersion == 1 else { throw .badRequest("HTTP/1.0 has no Transfer-Encoding.") }
            head.framing = .chunked
        } else if let contentLength, contentLength > 0 {
            head.framing = .sized(contentLength)
        }
        if head.minorVersion == 0 {
            head.keepsAlive = wantsKeepAlive && !wantsClose
            head.expectsContinue = false
        } else {
            head.keepsAlive = !wantsClose
        }
        return head
    }

    private static func forEachListItem(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ body: (Int, Int) -> Void) {
        var itemStart = start
        var position = start
        while position <= end {
            if position == end || bytes[position] == UInt8(ascii: ",") {
                var first = itemStart
                var last = position
                while first < last, bytes[first] == ASCII.space || bytes[first] == ASCII.tab { first += 1 }
                while last > first, bytes[last - 1] == ASCII.space || bytes[last - 1] == ASCII.tab { last -= 1 }
                if last > first { body(first, last) }
                itemStart = position + 1
            }
            position += 1
        }
    }

}

@inline(__always)
private func equals(_ bytes: Span<UInt8>, _ start: Int, _ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - start >= count else { return false }
    return text.withUTF8Buffer { expected in
        for offset in 0..<count where bytes[start + offset] != expected[offset] { return false }
        return true
    }
}

/// - Parameter text: lower case.
@inline(__always)
private func equalsIgnoringCase(_ bytes: Span<UInt8>, _ start: Int, _ end: Int, _ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard end - start >= count else { return false }
    return text.withUTF8Buffer { expected in
        for offset in 0..<count where ASCII.lowercased(bytes[start + offset]) != expected[offset] { return false }
        return true
    }
}
