import RawSockets
import Synchronization
import Testing

@testable import Transport

@Suite struct HTTPServerTests {
    @Test func `a request is answered and the connection stays open`() async throws {
        try await withServer { server in
            let client = try server.client()
            for number in 0..<3 {
                let response = try #require(client.roundTrip(get("/a/b?n=\(number)")))
                #expect(response.status == 200)
                #expect(response.text == "GET a|b ? n=\(number) body ")
                #expect(response.header("content-length") == String(response.body.count))
                #expect(response.header("date")?.hasSuffix(" GMT") == true)
                #expect(response.header("connection") == nil)
                #expect(response.header("access-control-allow-origin") == "*")
            }
            #expect(server.server.counters.requests == 3)
            #expect(server.server.counters.connections == 1)
        }
    }

    @Test func `pipelined requests are answered in order, the slow one too`() async throws {
        let respond: Respond = { request in
            if request.path == "/slow" { try? await SystemTimeSource().sleep(for: .milliseconds(20)) }
            return HTTPResponse(contentType: "text/plain", text: request.path)
        }
        try await withServer(respond: respond) { server in
            let client = try server.client()
            client.send(get("/1") + get("/slow") + get("/3") + get("/4", "Connection: close") + get("/5"))
            #expect(["/1", "/slow", "/3", "/4"] == (0..<4).map { _ in client.response()?.text })
            #expect(client.isClosed())
        }
    }

    @Test func `a long rest behind a bad pipelined request is dropped with the connection`() async throws {
        let respond: Respond = { request in
            // Long enough for all that follows to arrive meanwhile.
            if request.path == "/slow" { try? await SystemTimeSource().sleep(for: .milliseconds(50)) }
            return HTTPResponse(contentType: "text/plain", text: request.path)
        }
        try await withServer(respond: respond) { server in
            let client = try server.client()
            client.send(get("/slow") + "B@D / HTTP/1.1\r\n\r\n" + String(repeating: "x", count: 50_000))
            #expect([200, 400] == (0..<2).map { _ in client.response()?.status })
            #expect(try server.client().roundTrip(get("/after"))?.text == "/after")
        }
    }

    @Test func `thousands of pipelined requests are answered`() async throws {
        try await withServer { server in
            let client = try server.client()
            let text = (0..<3_000).map { get("/\($0)") }.joined()
            let sender = server.inBackground { client.send(text) }
            for number in 0..<3_000 {
                let response = try #require(client.response())
                #expect(response.text.hasPrefix("GET \(number) "))
            }
            await sender.value
        }
    }

    @Test func `HTTP 1.0 closes unless it asks to keep alive`() async throws {
        try await withServer { server in
            let once = try server.client()
            #expect(once.roundTrip("GET / HTTP/1.0\r\n\r\n")?.header("connection") == "close")
            #expect(once.isClosed())
            let kept = try server.client()
            for _ in 0..<2 {
                let response = kept.roundTrip("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
                #expect(response?.header("connection") == "keep-alive")
            }
        }
    }

    @Test func `HEAD has the headers of GET and no body`() async throws {
        try await withServer { server in
            let client = try server.client()
            let response = try #require(
                client.roundTrip("HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\n", isHead: true))
            #expect(response.header("content-length") == "17")
            // The next answer comes right after the head.
            #expect(client.roundTrip(get("/"))?.text.hasPrefix("GET ") == true)
        }
    }

    @Test func `bodies come sized or chunked, whole or in pieces`() async throws {
        try await withServer { server in
            let client = try server.client()
            let sized = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
            #expect(client.roundTrip(sized)?.text == "POST a ?  body hello")
            let chunked =
                "POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "3;name=\"v\"\r\nhel\r\n00002\r\nlo\r\n0\r\nTrailer: x\r\n\r\n"
            #expect(client.roundTrip(chunked)?.text == "POST a ?  body hello")
            for text in [sized, chunked] {
                for byte in text.utf8 { client.send([byte]) }
                #expect(client.response()?.text == "POST a ?  body hello")
            }
            client.send(sized + chunked + sized)
            for _ in 0..<3 { #expect(client.response()?.text == "POST a ?  body hello") }
        }
    }

    @Test func `a client that expects 100 gets it before it sends the body`() async throws {
        try await withServer { server in
            let client = try server.client()
            client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n")
            #expect(client.response()?.status == 100)
            client.send("ok")
            #expect(client.response()?.text == "POST  ?  body ok")
            // Not when the body has come already, nor when it is refused.
            let both = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok"
            #expect(client.roundTrip(both)?.status == 200)
            let long = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9999999\r\n\r\n"
            #expect(client.roundTrip(long)?.status == 413)
        }
    }

    @Test func `paths and queries are decoded`() async throws {
        try await withServer { server in
            let client = try server.client()
            let cases = [
                "/live/n/uuid:LOC/m": "live|n|uuid:LOC|m ? ",
                "/live/n/uuid%3ALOC/m": "live|n|uuid:LOC|m ? ",
                "/a+b%20c": "a+b c ? ",
                "/a%2Fb//c/": "a/b||c| ? ",
                "/%C3%A4": "ä ? ",
                "/p?a=1+2%2B3&b&=c&a=%26&&d=e=f": "p ? a=1 2+3|b=|=c|a=&|d=e=f",
                "/p?stream_id=x:Y": "p ? stream_id=x:Y",
                "/p?": "p ? ",
                "/p?q=caf%E9": "p ? q=caf\u{FFFD}",
                "/p?a?b#fragment": "p ? a?b=",
                "http://other.example/p?x=y": "p ? x=y",
                "HTTP://other.example": " ? ",
                "/...": "... ? ",
            ]
            for (target, expected) in cases {
                #expect(client.roundTrip(get(target))?.text == "GET \(expected) body ", "\(target)")
            }
        }
    }

    @Test func `empty lines before a request are skipped`() async throws {
        try await withServer { server in
            let client = try server.client()
            #expect(client.roundTrip("\r\n\r\n" + get("/"))?.status == 200)
        }
    }

    @Test func `a preflight is answered without the handler, other OPTIONS with it`() async throws {
        try await withServer { server in
            let client = try server.client()
            let preflight = try #require(
                client.roundTrip(
                    "OPTIONS /x HTTP/1.1\r\nHost: a\r\nOrigin: https://p\r\nAccess-Control-Request-Method: GET\r\n"
                        + "Access-Control-Request-Headers: range, x-a\r\n\r\n"))
            #expect(preflight.status == 204)
            #expect(preflight.header("access-control-allow-origin") == "*")
            #expect(preflight.header("access-control-allow-methods") == "GET, HEAD, POST, OPTIONS")
            #expect(preflight.header("access-control-allow-headers") == "range, x-a")
            #expect(preflight.header("access-control-max-age") == "86400")
            #expect(preflight.header("content-length") == nil)
            #expect(client.roundTrip("OPTIONS /x HTTP/1.1\r\nHost: a\r\n\r\n")?.text.hasPrefix("OPTIONS x") == true)
            #expect(client.roundTrip("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 204)
            let actual = client.roundTrip(get("/x", "Origin: https://p"))
            #expect(actual?.header("access-control-expose-headers")?.contains("ETag") == true)
        }
    }

    @Test func `only the origins of the list are let in, by name`() async throws {
        let configure: (inout HTTPServerConfiguration) -> Void = { configuration in
            configuration.crossOrigin = CrossOriginPolicy(origins: .only(["https://good"]))
            configuration.crossOrigin?.allowsCredentials = true
        }
        try await withServer(configure) { server in
            let client = try server.client()
            let good = client.roundTrip(get("/", "Origin: https://good"))
            #expect(good?.header("access-control-allow-origin") == "https://good")
            #expect(good?.header("access-control-allow-credentials") == "true")
            #expect(good?.header("vary") == "Origin")
            let bad = client.roundTrip(get("/", "Origin: https://bad"))
            #expect(bad?.header("access-control-allow-origin") == nil)
        }
    }

    @Test func `a handler cannot break out of a header`() async throws {
        let respond: Respond = { _ in
            HTTPResponse(
                headers: [("X-A", "b\r\nX-Evil: 1"), ("X B", "c"), ("Content-Length", "7"), ("Date", "never")],
                body: Array("ok".utf8))
        }
        try await withServer(respond: respond) { server in
            let response = try #require(try server.client().roundTrip(get("/")))
            #expect(response.header("x-a") == "b  X-Evil: 1")
            #expect(response.header("x-evil") == nil)
            #expect(response.all("content-length") == ["2"])
            #expect(response.all("date").count == 1)
            #expect(response.headers.allSatisfy { !$0.0.contains(" ") })
        }
    }

    @Test func `the access log has one entry per answer`() async throws {
        let entries = LogEntries()
        try await withServer({ $0.accessLog = { entries.append($0) } }) { server in
            let client = try server.client()
            _ = client.roundTrip(get("/a?b=c", "User-Agent: player/1"))
            _ = client.roundTrip("bad\r\n\r\n")
        }
        let all = entries.all
        #expect(all.map(\.status) == [200, 400])
        #expect(all.first?.target == "/a?b=c")
        #expect(all.first?.userAgent == "player/1")
        #expect(all.first?.peerAddress == "127.0.0.1")
        #expect(all.first?.method == .get)
    }

    @Test func `a request can be made without a connection`() throws {
        let request = try #require(
            HTTPRequest(method: .post, target: "/a/b%3A?x=1", headers: [("X-Y", "z")], body: Array("q".utf8)))
        #expect(request.pathSegments == ["a", "b:"])
        #expect(request.path == "/a/b:")
        #expect(request.rawPath == "/a/b%3A")
        #expect(request.rawQuery == "x=1")
        #expect(request.queryValue("x") == "1")
        #expect(request.headers["x-y"] == "z")
        #expect(request.headers.map(\.name) == ["Host", "X-Y", "Content-Length"])
        #expect(request.body == Array("q".utf8))
        #expect(HTTPRequest(target: "/%") == nil)
    }
}

final class LogEntries: Sendable {
    private let entries = Mutex<[HTTPAccessLogEntry]>([])
    func append(_ entry: HTTPAccessLogEntry) { entries.withLock { $0.append(entry) } }
    var all: [HTTPAccessLogEntry] { entries.withLock { $0 } }
}
