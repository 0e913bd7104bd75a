internal import Glibc

/// Requests out of a stream of bytes, one at a time: no input or output of its own.
///
/// The caller hands in what it has from the first byte not yet consumed, and drops what was consumed.
struct RequestParser {
    enum Outcome {
        case needsMore
        /// As `needsMore`, and the client waits for `100 Continue` before it sends the body.
        case needsContinue
        case request(HTTPRequest)
        case failure(ProtocolFailure)
    }

    struct Step {
        var consumed: Int
        var outcome: Outcome
    }

    private enum Phase {
        case head
        case body(RequestHead, [UInt8], bytes: [UInt8])
        case chunks(RequestHead, [UInt8], ChunkedDecoder)
        case failed
    }

    private let limits: HTTPServerConfiguration.Limits
    private let peerAddress: String
    private var phase = Phase.head
    /// Positions of the line feeds found so far, after empty lines in front of the request.
    private var lineEnds: [Int] = []
    private var scanned = 0

    init(limits: HTTPServerConfiguration.Limits, peerAddress: String) {
        self.limits = limits
        self.peerAddress = peerAddress
    }

    /// Whether a head was read and its body is still coming.
    var isInBody: Bool {
        switch phase {
        case .body, .chunks: true
        case .head, .failed: false
        }
    }

    mutating func advance(_ input: Span<UInt8>) -> Step {
        do throws(ProtocolFailure) {
            switch phase {
            case .head: return try advanceHead(input)
            case .failed: return Step(consumed: input.count, outcome: .needsMore)
            case .body(let head, let bytes, let body):
                phase = .head
                return try advanceBody(head, bytes, body, input)
            case .chunks(let head, let bytes, let decoder):
                phase = .head
                return try advanceChunks(head, bytes, decoder, input)
            }
        } catch {
            phase = .failed
            return Step(consumed: input.count, outcome: .failure(error))
        }
    }

    // MARK: Head

    private mutating func advanceHead(_ input: Span<UInt8>) throws(ProtocolFailure) -> Step {
        // Empty lines before a request are skipped. RFC 9112 §2.2.
        if scanned == 0 {
            var skipped = 0
            while input.count - skipped >= 2, input[skipped] == ASCII.carriageReturn,
                input[skipped + 1] == ASCII.lineFeed
            { skipped += 2 }
            if skipped > 0 { return Step(consumed: skipped, outcome: .needsMore) }
        }
        guard let end = try findEnd(input) else { return Step(consumed: 0, outcome: .needsMore) }
        let head = try RequestHeadParser.parse(input, lineEnds: lineEnds, limits: limits)
        let bytes = input.extracting(0..<end).withUnsafeBufferPointer { Array($0) }
        lineEnds.removeAll(keepingCapacity: true)
        scanned = 0
        switch head.framing {
        case .none:
            return Step(consumed: end, outcome: .request(try request(head, bytes, body: [])))
        case .sized(let count):
            guard count <= limits.bodyBytes else { throw .bodyTooLarge }
            try checkTarget(head, bytes)
            phase = .body(head, bytes, bytes: [])
        case .chunked:
            try checkTarget(head, bytes)
            phase = .chunks(head, bytes, ChunkedDecoder(byteLimit: limits.bodyBytes))
        }
        let rest = advance(input.extracting(end..<input.count))
        if case .needsMore = rest.outcome, head.expectsContinue, rest.consumed == 0 {
            return Step(consumed: end, outcome: .needsContinue)
        }
        return Step(consumed: end + rest.consumed, outcome: rest.outcome)
    }

    /// The position after the empty line that ends the head. Remembers what was looked at, so that a client that sends a byte at
    /// a time costs no more than its bytes.
    private mutating func findEnd(_ input: Span<UInt8>) throws(ProtocolFailure) -> Int? {
        let lineLimit = limits.requestLineBytes &+ 2
        while scanned < input.count {
            guard let found = firstLineFeed(input, from: scanned) else {
                scanned = input.count
                break
            }
            guard found > 0, input[found - 1] == ASCII.carriageReturn else {
                throw .badRequest("A line does not end in CRLF.")
            }
            scanned = found + 1
            let start = (lineEnds.last ?? -1) + 1
            if lineEnds.isEmpty {
                guard found < lineLimit else { throw .requestLineTooLong }
            } else if found - start == 1 {
                guard found <= headerLimit else { throw .headersTooLarge }
                return found + 1
            }
            lineEnds.append(found)
            guard lineEnds.count - 1 <= limits.headerCount, found <= headerLimit else { throw .headersTooLarge }
        }
        if lineEnds.isEmpty {
            guard input.count <= lineLimit else { throw .requestLineTooLong }
        } else {
            guard input.count <= headerLimit else { throw .headersTooLarge }
        }
        return nil
    }

    private var headerLimit: Int { (lineEnds.first ?? 0) &+ limits.headerBytes &+ 3 }

    private func firstLineFeed(_ input: Span<UInt8>, from start: Int) -> Int? {
        input.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress, let found = memchr(base + start, 10, buffer.count - start) else {
                return nil
            }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }

    // MARK: Body

    private mutating func advanceBody(
        _ head: RequestHead, _ bytes: [UInt8], _ body: consuming [UInt8], _ input: Span<UInt8>
    ) throws(ProtocolFailure) -> Step {
        guard case .sized(let count) = head.framing else { throw .badRequest("The body is not sized.") }
        var body = body
        let taken = min(count - body.count, input.count)
        for position in 0..<taken { body.append(input[position]) }
        if body.count == count { return Step(consumed: taken, outcome: .request(try request(head, bytes, body: body))) }
        phase = .body(head, bytes, bytes: body)
        return Step(consumed: taken, outcome: .needsMore)
    }

    private mutating func advanceChunks(
        _ head: RequestHead, _ bytes: [UInt8], _ decoder: consuming ChunkedDecoder, _ input: Span<UInt8>
    ) throws(ProtocolFailure) -> Step {
        var decoder = decoder
        let consumed = try decoder.decode(input)
        if decoder.isFinished {
            return Step(consumed: consumed, outcome: .request(try request(head, bytes, body: decoder.body)))
        }
        phase = .chunks(head, bytes, decoder)
        return Step(consumed: consumed, outcome: .needsMore)
    }

    // MARK: Target

    /// Refuses a bad target before the body has come.
    private func checkTarget(_ head: RequestHead, _ bytes: [UInt8]) throws(ProtocolFailure) {
        _ = try request(head, bytes, body: [])
    }

    private func request(_ head: RequestHead, _ bytes: [UInt8], body: [UInt8]) throws(ProtocolFailure) -> HTTPRequest {
        let segments = head.isAsteriskForm ? ["*"] : try pathSegments(bytes[head.path])
        var query: [(name: String, value: String)] = []
        if let range = head.query { query = try queryItems(bytes[range]) }
        return HTTPRequest(
            storage: HTTPRequest.Storage(
                method: head.method, headers: HTTPHeaders(bytes: bytes, fields: head.fields), rawTarget: head.target,
                rawPath: head.path, rawQuery: head.query, pathSegments: segments, query: query, body: body,
                peerAddress: peerAddress, minorVersion: head.minorVersion, keepsAlive: head.keepsAlive))
    }

    private func pathSegments(_ path: ArraySlice<UInt8>) throws(ProtocolFailure) -> [String] {
        var segments: [String] = []
        for part in path.dropFirst().split(separator: ASCII.slash, omittingEmptySubsequences: false) {
            guard let decoded = PercentDecoding.decode(part) else {
                throw .badRequest("The path has a bad escape or a control character.")
            }
            guard let segment = String(validating: decoded, as: UTF8.self) else {
                throw .badRequest("The path is not UTF-8.")
            }
            // Escaped dots too: what stands behind a handler might be a file system or another server.
            guard !hasDotSegment(decoded) else { throw .badRequest("The path has a dot segment.") }
            segments.append(segment)
        }
        return segments
    }

    private func hasDotSegment(_ segment: [UInt8]) -> Bool {
        guard segment.contains(UInt8(ascii: ".")) else { return false }
        let parts = segment.split { $0 == ASCII.slash || $0 == UInt8(ascii: "\\") }
        return parts.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }

    private func queryItems(_ query: ArraySlice<UInt8>) throws(ProtocolFailure) -> [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        for part in query.split(separator: UInt8(ascii: "&")) {
            let separator = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            let value = separator < part.endIndex ? part[(separator + 1)...] : part[part.endIndex...]
            guard let decodedName = PercentDecoding.decode(part[..<separator], plusIsSpace: true),
                let decodedValue = PercentDecoding.decode(value, plusIsSpace: true)
            else { throw .badRequest("The query has a bad escape or a control character.") }
            // Old players send Latin-1 here; that is not worth refusing playback for.
            items.append((String(decoding: decodedName, as: UTF8.self), String(decoding: decodedValue, as: UTF8.self)))
        }
        return items
    }
}
