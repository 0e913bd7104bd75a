import RawSockets
import Testing

@testable import Transport

struct BadRequest: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var status: Int
    var testDescription: String { name }

    init(_ name: String, _ text: String, _ status: Int = 400) {
        self.name = name
        self.text = text
        self.status = status
    }
}

private let host = "Host: test\r\n"

private let badRequests: [BadRequest] = [
    BadRequest("garbage", "\u{1}\u{2}\u{3}\r\n\r\n"),
    BadRequest("no version", "GET /\r\n\(host)\r\n"),
    BadRequest("no target", "GET  HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("two blanks in the request line", "GET /  HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("blank in the target", "GET /a b HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("a TLS client hello", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\n"),
    BadRequest("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    BadRequest("HTTP/3.0", "GET / HTTP/3.0\r\n\(host)\r\n", 505),
    BadRequest("HTTP/0.9", "GET / HTTP/0.9\r\n\(host)\r\n", 505),
    BadRequest("malformed version", "GET / HTTP/1.1x\r\n\(host)\r\n"),
    BadRequest("lower-case version", "GET / http/1.1\r\n\(host)\r\n"),
    BadRequest("unknown method", "BREW / HTTP/1.1\r\n\(host)\r\n", 501),
    BadRequest("lower-case method", "get / HTTP/1.1\r\n\(host)\r\n", 501),
    BadRequest("CONNECT", "CONNECT test:443 HTTP/1.1\r\n\(host)\r\n", 501),
    BadRequest("TRACE", "TRACE / HTTP/1.1\r\n\(host)\r\n", 501),
    BadRequest("method with a bad character", "GE(T / HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("relative target", "GET a HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("target of another scheme", "GET ftp://test/ HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("absolute target without host", "GET http:///a HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("asterisk with GET", "GET * HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("missing Host", "GET / HTTP/1.1\r\n\r\n"),
    BadRequest("two Hosts", "GET / HTTP/1.1\r\n\(host)\(host)\r\n"),
    BadRequest("Host with a blank", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
    BadRequest("Host with a user", "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"),
    BadRequest("blank before the colon", "GET / HTTP/1.1\r\n\(host)A : b\r\n\r\n"),
    BadRequest("blank before the first header", "GET / HTTP/1.1\r\n A: b\r\n\(host)\r\n"),
    BadRequest("folded header", "GET / HTTP/1.1\r\n\(host)A: b\r\n c\r\n\r\n"),
    BadRequest("header without colon", "GET / HTTP/1.1\r\n\(host)A\r\n\r\n"),
    BadRequest("header without name", "GET / HTTP/1.1\r\n\(host): b\r\n\r\n"),
    BadRequest("NUL in a value", "GET / HTTP/1.1\r\n\(host)A: b\u{0}c\r\n\r\n"),
    BadRequest("control character in a value", "GET / HTTP/1.1\r\n\(host)A: b\u{7}c\r\n\r\n"),
    BadRequest("bare LF", "GET / HTTP/1.1\n\(host)\r\n"),
    BadRequest("bare LF in the headers", "GET / HTTP/1.1\r\nHost: test\nA: b\r\n\r\n"),
    BadRequest("bare CR in a value", "GET / HTTP/1.1\r\n\(host)A: b\rc\r\n\r\n"),
    BadRequest("bad escape in the path", "GET /%zz HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("cut escape in the path", "GET /%4 HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("NUL in the path", "GET /a%00b HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("line feed in the path", "GET /a%0Ab HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("path that is not UTF-8", "GET /%FF HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("overlong UTF-8", "GET /%C0%AE%C0%AE/a HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("dot segment", "GET /a/../b HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("escaped dot segment", "GET /a/%2e%2E/b HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("dot segment behind an escaped slash", "GET /a%2F..%2Fb HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("dot segment behind a backslash", "GET /a%5C..%5Cb HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("bad escape in the query", "GET /?a=%x1 HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("NUL in the query", "GET /?a=%00 HTTP/1.1\r\n\(host)\r\n"),
    BadRequest("long request line", "GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\n\(host)\r\n", 414),
    BadRequest("endless request line", String(repeating: "a", count: 9_000), 414),
    BadRequest("long header", "GET / HTTP/1.1\r\n\(host)A: \(String(repeating: "a", count: 40_000))\r\n\r\n", 431),
    BadRequest("endless header", "GET / HTTP/1.1\r\n\(host)A: \(String(repeating: "a", count: 40_000))", 431),
    BadRequest("many headers", "GET / HTTP/1.1\r\n\(String(repeating: "A: b\r\n", count: 101))\r\n", 431),
    BadRequest("long body", "POST / HTTP/1.1\r\n\(host)Content-Length: 1048577\r\n\r\n", 413),
    BadRequest("huge body", "POST / HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999\r\n\r\n"),
    BadRequest("largest body", "POST / HTTP/1.1\r\n\(host)Content-Length: 9999999999999999999\r\n\r\n", 413),
    BadRequest("long chunk", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n100001\r\n", 413),
    BadRequest(
        "huge chunk", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n", 413),
    BadRequest("negative length", "POST / HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n"),
    BadRequest("length with a sign", "POST / HTTP/1.1\r\n\(host)Content-Length: +1\r\n\r\na"),
    BadRequest("empty length", "POST / HTTP/1.1\r\n\(host)Content-Length:\r\n\r\n"),
    BadRequest("list of lengths", "POST / HTTP/1.1\r\n\(host)Content-Length: 1, 1\r\n\r\na"),
    BadRequest("differing lengths", "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nContent-Length: 2\r\n\r\nab"),
    BadRequest(
        "length and chunked",
        "POST / HTTP/1.1\r\n\(host)Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    BadRequest("unknown transfer encoding", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip\r\n\r\n", 501),
    BadRequest("gzip and chunked", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
    BadRequest("chunked twice", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked, chunked\r\n\r\n"),
    BadRequest("chunked in HTTP/1.0", "POST / HTTP/1.0\r\n\(host)Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    BadRequest("chunk without size", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n\r\n"),
    BadRequest("chunk size not hexadecimal", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nx\r\n"),
    BadRequest("chunk longer than said", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n"),
    BadRequest("chunk with bare LF", "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n1\nab\r\n"),
    BadRequest("unknown expectation", "POST / HTTP/1.1\r\n\(host)Expect: miracles\r\nContent-Length: 1\r\n\r\n", 417),
]

@Suite struct BadRequestTests {
    @Test func `each bad request gets its status as JSON, the connection ends, and the server lives on`() async throws {
        try await withServer { server in
            for bad in badRequests {
                let client = try server.client()
                client.send(bad.text)
                let response = try #require(client.response(), "\(bad.name)")
                #expect(response.status == bad.status, "\(bad.name)")
                #expect(response.header("content-type") == "application/json", "\(bad.name)")
                #expect(response.text.hasPrefix("{\"error\":{\"code\":\""), "\(bad.name)")
                #expect(response.header("connection") == "close", "\(bad.name)")
                #expect(client.isClosed(), "\(bad.name)")
                let next = try #require(try server.client().roundTrip(get("/")), "\(bad.name)")
                #expect(next.status == 200, "\(bad.name)")
            }
            #expect(server.server.counters.protocolErrors == UInt64(badRequests.count))
        }
    }

    @Test func `bad requests have their status however they are cut into pieces`() {
        for bad in badRequests {
            var parser = RequestParser(limits: HTTPServerConfiguration.Limits(), peerAddress: "")
            var status = 0
            var kept: [UInt8] = []
            for byte in bad.text.utf8 where status == 0 {
                kept.append(byte)
                let step = parser.advance(kept.span)
                kept.removeFirst(step.consumed)
                if case .failure(let failure) = step.outcome { status = failure.status }
                if case .request = step.outcome { status = 200 }
            }
            #expect(status == bad.status, "\(bad.name)")
        }
    }

    @Test func `a client that sends a bad request and does not read it is let go`() async throws {
        try await withServer { server in
            for _ in 0..<50 { try server.client().send("nonsense\r\n\r\n" + String(repeating: "x", count: 10_000)) }
            #expect(try server.client().roundTrip(get("/"))?.status == 200)
        }
    }

    @Test func `random bytes never stop the server`() async throws {
        try await withServer { server in
            var generator = SplitMix(state: 7)
            for _ in 0..<200 {
                let client = try server.client()
                let pieces = [
                    "GET ", "/", "\r\n", " HTTP/1.1", ":", "Host: a", "%", "\u{0}", "\n", "chunked", "5", " ",
                ]
                var text = ""
                for _ in 0..<Int(generator.next() % 40) { text += pieces[Int(generator.next() % 12)] }
                client.send(text)
                client.shutdownWriting()
                _ = client.receiveAll()
            }
            #expect(try server.client().roundTrip(get("/"))?.status == 200)
        }
    }
}

/// The same numbers in every run.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
