import RawSockets
import Testing

@testable import Transport

@Suite struct ContentNegotiationTests {
    private static let playlist = Array(String(repeating: "#EXTINF:6.0,\nsegment.ts\n", count: 200).utf8)

    private static let serve: Respond = { request in
        let type = request.path == "/video" ? "video/mp2t" : "application/vnd.apple.mpegurl"
        let body = request.path == "/small" ? Array("#EXTM3U\n".utf8) : playlist
        return HTTPResponse(headers: [("Content-Type", type), ("Cache-Control", "max-age=1")], body: body)
    }

    @Test func `Accept-Encoding is weighed`() {
        for field in ["gzip", "deflate, gzip;q=1.0, br", "GZIP", "*", "x-gzip", "gzip;q=0.001", "br;q=1, gzip;q=0.5"] {
            #expect(ContentNegotiation.acceptsGzip(field), "\(field)")
        }
        for field in [
            "", "identity", "br", "gzip;q=0", "gzip;q=0.000", "*;q=0", "*, gzip;q=0", "gzip;q=x",
            "gzip;q=0.5, identity",
        ] {
            #expect(!ContentNegotiation.acceptsGzip(field), "\(field)")
        }
    }

    @Test func `a large text is compressed for who accepts it, and caches are told`() async throws {
        try await withServer(respond: Self.serve) { server in
            let client = try server.client()
            let plain = try #require(client.roundTrip(get("/a")))
            #expect(plain.body == Self.playlist)
            #expect(plain.header("content-encoding") == nil)
            #expect(plain.header("vary") == "Accept-Encoding")
            let packed = try #require(client.roundTrip(get("/a", "Accept-Encoding: gzip")))
            #expect(packed.header("content-encoding") == "gzip")
            #expect(packed.body.count < plain.body.count / 4)
            #expect(packed.header("etag") != plain.header("etag"))
            let head = client.roundTrip(
                "HEAD /a HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n", isHead: true)
            #expect(head?.header("content-length") == String(packed.body.count))
            for path in ["/video", "/small"] {
                #expect(client.roundTrip(get(path, "Accept-Encoding: gzip"))?.header("content-encoding") == nil)
            }
            // Another implementation reads it.
            let fetched = try await HTTPClient(group: server.group).fetch(HTTPClientRequest(url: server.url + "/a"))
            #expect(fetched.body == Self.playlist)
            #expect(fetched.header("Content-Encoding") == "gzip")
        }
    }

    @Test func `a known entity tag gives 304, in each variant`() async throws {
        try await withServer(respond: Self.serve) { server in
            let client = try server.client()
            let plain = try #require(client.roundTrip(get("/a"))?.header("etag"))
            let packed = try #require(client.roundTrip(get("/a", "Accept-Encoding: gzip"))?.header("etag"))
            for condition in [plain, packed, "W/" + plain, "*", "\"x\", \(plain)", "\"x\",W/\(plain) , \"y\""] {
                let response = try #require(client.roundTrip(get("/a", "If-None-Match: \(condition)")), "\(condition)")
                #expect(response.status == 304, "\(condition)")
                #expect(response.header("etag") == plain)
                #expect(response.header("cache-control") == "max-age=1")
                #expect(response.header("content-type") == nil)
                #expect(response.header("content-length") == nil)
                #expect(response.header("vary") == "Accept-Encoding")
            }
            let variant = client.roundTrip(get("/a", "If-None-Match: \(packed)", "Accept-Encoding: gzip"))
            #expect(variant?.status == 304)
            #expect(variant?.header("etag") == packed)
            for condition in ["\"x\"", "x", "\"", "", "\(plain.dropLast())"] {
                #expect(client.roundTrip(get("/a", "If-None-Match: \(condition)"))?.status == 200, "\(condition)")
            }
        }
    }

    @Test func `a tag of the handler is kept, and an answer that wants none has none`() async throws {
        let respond: Respond = { request in
            request.path == "/own"
                ? HTTPResponse(headers: [("ETag", "\"v1\"")], body: [1])
                : request.path == "/none"
                    ? HTTPResponse(body: [1], entityTag: .none) : HTTPResponse(status: 404, body: [1])
        }
        try await withServer(respond: respond) { server in
            let client = try server.client()
            #expect(client.roundTrip(get("/own"))?.all("etag") == ["\"v1\""])
            #expect(client.roundTrip(get("/own", "If-None-Match: \"v1\""))?.status == 304)
            #expect(client.roundTrip(get("/none"))?.header("etag") == nil)
            #expect(client.roundTrip(get("/other", "If-None-Match: *"))?.status == 404)
        }
    }

    @Test func `bodies of any length survive compression`() async throws {
        let gzip = GzipEncoder()
        #expect(gzip.compress([]) == nil)
        var generator = SplitMix(state: 3)
        let noise = (0..<5_000).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        #expect(gzip.compress(noise) == nil)
        let respond: Respond = { request in
            let count = Int(request.queryValue("n") ?? "") ?? 0
            let body = (0..<count).map { UInt8(truncatingIfNeeded: 97 + ($0 &* $0 / 7) % 11) }
            return HTTPResponse(headers: [("Content-Type", "text/plain")], body: body)
        }
        try await withServer({ $0.compression.minimumBytes = 1 }, respond: respond) { server in
            let client = HTTPClient(group: server.group)
            for count in [1, 64, 65, 66, 1_000, 32_768, 65_535, 65_536, 300_000] {
                let response = try await client.fetch(HTTPClientRequest(url: server.url + "/?n=\(count)"))
                #expect(response.body == (0..<count).map { UInt8(truncatingIfNeeded: 97 + ($0 &* $0 / 7) % 11) })
            }
        }
    }

    @Test func `dates are written as HTTP wants them`() {
        #expect(HTTPDate.text(secondsSince1970: 784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(HTTPDate.text(secondsSince1970: 0) == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(HTTPDate.text(secondsSince1970: 951_782_400) == "Tue, 29 Feb 2000 00:00:00 GMT")
        #expect(HTTPDate.text(secondsSince1970: 1_796_022_000) == "Mon, 30 Nov 2026 07:00:00 GMT")
    }
}
