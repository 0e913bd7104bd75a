import Synchronization
import Testing

@testable import Transport

/// An origin with a path for each behaviour.
let origin: Respond = { request in
    switch request.pathSegments[0] {
    case "redirect":
        let status = Int(request.queryValue("status") ?? "") ?? 302
        return HTTPResponse(status: status, headers: [("Location", request.queryValue("to") ?? "")])
    case "loop":
        let number = Int(request.queryValue("n") ?? "") ?? 0
        return HTTPResponse(status: 302, headers: [("Location", "loop?n=\(number + 1)")])
    case "slow":
        try? await SystemTimeSource().sleep(for: .seconds(20))
        return HTTPResponse()
    case "headers":
        let lines = request.headers.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
        return HTTPResponse(contentType: "text/plain", text: lines)
    case "zeros":
        let count = Int(request.queryValue("n") ?? "") ?? 0
        return HTTPResponse(
            headers: [("Content-Type", "text/plain"), ("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")],
            body: [UInt8](repeating: 48, count: count))
    case "error": return .error(500, code: "x", message: "y")
    default: return await echo(request)
    }
}

func withClient<Result>(
    _ configure: (inout HTTPClientConfiguration) -> Void = { _ in },
    _ body: (TestServer, HTTPClient) async throws -> Result
) async throws -> Result {
    try await withServer(respond: origin) { server in
        var configuration = HTTPClientConfiguration()
        configure(&configuration)
        let client = HTTPClient(group: server.group, configuration: configuration)
        do {
            let result = try await body(server, client)
            await client.shutdown()
            return result
        } catch {
            await client.shutdown()
            throw error
        }
    }
}

extension HTTPClient {
    /// The code of the error a fetch ends with; nil if it succeeds.
    func code(
        _ url: String, _ change: (inout HTTPClientRequest) -> Void = { _ in }
    ) async -> HTTPClientError.Code? {
        var request = HTTPClientRequest(url: url)
        change(&request)
        do throws(HTTPClientError) {
            _ = try await fetch(request)
            return nil
        } catch {
            return error.code
        }
    }

    func text(_ url: String, _ change: (inout HTTPClientRequest) -> Void = { _ in }) async throws -> String {
        var request = HTTPClientRequest(url: url)
        change(&request)
        return String(decoding: try await fetch(request).body, as: UTF8.self)
    }
}

@Suite struct HTTPClientTests {
    @Test(arguments: [true, false])
    func `a request that is sent once is not repeated when its connection ends without an answer`(
        isSentOnce: Bool
    ) async throws {
        let origin = try RawOrigin("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", dropsNext: true)
        try await withClient { server, client in
            // On one loop, so that the connection is kept for the second request.
            let code = await Task(executorPreference: server.group.loops[0]) {
                #expect(await client.code(origin.url) == nil)
                return await client.code(origin.url) { $0.isSentOnce = isSentOnce }
            }.value
            #expect(code == (isSentOnce ? .protocolError : nil))
        }
        #expect(origin.requests == (isSentOnce ? 2 : 3))
        await origin.stop()
    }

    @Test func `a fetch brings status, headers, body and the final URL`() async throws {
        try await withClient { server, client in
            let response = try await client.fetch(HTTPClientRequest(url: server.url + "/x?y=1"))
            #expect(response.status == 200)
            #expect(response.body == Array("GET x ? y=1 body ".utf8))
            #expect(response.header("content-type") == "text/plain")
            #expect(response.finalURL == server.url + "/x?y=1")
            #expect(response.elapsed > .zero)
            #expect(try await client.fetch(HTTPClientRequest(url: server.url + "/error")).status == 500)
        }
    }

    @Test func `connections are used again, from loops and from outside`() async throws {
        try await withClient { server, client in
            for _ in 0..<20 { _ = try await client.fetch(HTTPClientRequest(url: server.url + "/")) }
            let loop = server.group.loops[0]
            let stays = try await Task(executorPreference: loop) {
                for _ in 0..<20 { _ = try await client.fetch(HTTPClientRequest(url: server.url + "/")) }
                return loop.isCurrent
            }.value
            #expect(stays)
            #expect(await client.connectionsMade() == 1)
            #expect(server.server.counters.connections == 1)
        }
    }

    @Test func `many fetches at once keep to the limit of connections`() async throws {
        try await withClient({ $0.connectionsPerOrigin = 4 }) { server, client in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        try await client.fetch(HTTPClientRequest(url: server.url + "/\(number)")).status
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses == [Int](repeating: 200, count: 200))
            #expect(server.server.counters.connections <= 4)
        }
    }

    @Test func `a request may name a limit of connections of its own`() async throws {
        try await withClient({ $0.connectionsPerOrigin = 1 }) { server, client in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<50 {
                    var request = HTTPClientRequest(url: server.url + "/slow?\(number)")
                    request.connectionsPerOrigin = 8
                    group.addTask { [request] in
                        var request = request
                        request.timeout = .milliseconds(200)
                        return (try? await client.fetch(request).status) ?? 0
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.count == 50)
            #expect(server.server.counters.connections > 1)
        }
    }

    @Test func `more than may wait are refused, and the waiting ones have deadlines`() async throws {
        let configure: (inout HTTPClientConfiguration) -> Void = {
            $0.connectionsPerOrigin = 1
            $0.waitingLimit = 1
        }
        try await withClient(configure) { server, client in
            let codes = await withTaskGroup(of: HTTPClientError.Code?.self) { group in
                for _ in 0..<3 {
                    group.addTask { await client.code(server.url + "/slow") { $0.timeout = .milliseconds(100) } }
                }
                return await group.reduce(into: [HTTPClientError.Code?]()) { $0.append($1) }
            }
            #expect(codes == [.overloaded, .timeout, .timeout])
            #expect(await client.code(server.url + "/") == nil)
        }
    }

    @Test func `redirects are followed up to the limit, and the last URL is told`() async throws {
        try await withClient { server, client in
            for status in [301, 302, 303, 307, 308] {
                let request = HTTPClientRequest(url: server.url + "/redirect?status=\(status)&to=../x%3Fa=b%23frag")
                let response = try await client.fetch(request)
                #expect(response.status == 200)
                #expect(response.finalURL == server.url + "/x?a=b")
            }
            #expect(await client.code(server.url + "/loop") == .tooManyRedirects)
            let last = try await client.fetch(
                HTTPClientRequest(url: server.url + "/redirect?to=" + server.url + "/zeros?n=3"))
            #expect(last.body.count == 3)
            var unfollowed = HTTPClientRequest(url: server.url + "/redirect?to=/x")
            unfollowed.followsRedirects = false
            let first = try await client.fetch(unfollowed)
            #expect(first.status == 302)
            #expect(first.header("location") == "/x")
            for target in ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/"] {
                #expect(await client.code(server.url + "/redirect?to=" + target) == .badScheme, "\(target)")
            }
        }
    }

    @Test func `a redirect turns POST into GET as browsers do`() async throws {
        try await withClient { server, client in
            let post: (inout HTTPClientRequest) -> Void = {
                $0.method = .post
                $0.body = Array("abc".utf8)
            }
            #expect(try await client.text(server.url + "/p", post) == "POST p ?  body abc")
            #expect(try await client.text(server.url + "/redirect?status=302&to=/p", post) == "GET p ?  body ")
            #expect(try await client.text(server.url + "/redirect?status=307&to=/p", post) == "POST p ?  body abc")
            let head = try await client.fetch(
                {
                    var request = HTTPClientRequest(url: server.url + "/zeros?n=7")
                    request.method = .head
                    request.headers = [("Accept-Encoding", "identity")]
                    return request
                }())
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
        }
    }

    @Test func `secrets stay with the first origin`() async throws {
        try await withServer(respond: origin) { other in
            try await withClient { server, client in
                let secret: (inout HTTPClientRequest) -> Void = {
                    $0.headers = [("Authorization", "Bearer s"), ("Cookie", "c"), ("X-Plain", "p")]
                }
                let same = try await client.text(server.url + "/redirect?to=/headers", secret)
                #expect(same.contains("Bearer s") && same.contains("X-Plain"))
                let foreign = try await client.text(server.url + "/redirect?to=\(other.url)/headers", secret)
                #expect(!foreign.contains("Bearer") && !foreign.contains("Cookie") && foreign.contains("X-Plain"))
            }
        }
    }

    @Test func `the next host of a redirect gets what is told of the viewer's device (V41, R-H1)`() async throws {
        try await withServer(respond: origin) { other in
            try await withClient { server, client in
                let device = [
                    ("X-Device-IP", "203.0.113.7"), ("X-Device-User-Agent", "TV/1"), ("X-Forwarded-For", "203.0.113.7"),
                    ("User-Agent", "TV/1"),
                ]
                for status in [301, 302, 303, 307, 308] {
                    let text = try await client.text(
                        "\(server.url)/redirect?status=\(status)&to=\(other.url)/redirect?to=/headers"
                    ) { $0.headers = device }
                    for (name, value) in device { #expect(text.contains("\(name): \(value)"), "\(status)") }
                }
            }
        }
    }

    @Test func `headers are sent as given, and none can be smuggled in`() async throws {
        try await withClient { server, client in
            let text = try await client.text(server.url + "/headers") {
                $0.headers = [("X-A", "b c"), ("X-Empty", ""), ("user-agent", "player/2")]
            }
            #expect(text.contains("X-A: b c\nX-Empty: \nuser-agent: player/2"))
            #expect(!text.contains("Podstitch"))
            for bad in [("X", "a\r\nY: b"), ("X\r\nY", "a"), ("X", "a\nb"), ("X", "a\u{0}"), ("", "a"), ("X:", "a")] {
                #expect(await client.code(server.url + "/") { $0.headers = [bad] } == .badHeader)
            }
            #expect(try await client.text(server.url + "/headers").contains("User-Agent: Podstitch"))
        }
    }

    @Test func `URLs that cannot be fetched are told apart`() async throws {
        try await withClient { _, client in
            let cases: [(String, HTTPClientError.Code)] = [
                ("", .badURL), ("/relative", .badURL), ("http://", .badURL), ("http:/x", .badURL),
                ("http://a b/", .badURL),
                ("http://a\r\nb/", .badURL), ("http://a:99999/", .badURL), ("file:///etc/passwd", .badScheme),
                ("ftp://a/", .badScheme), ("javascript:1", .badScheme),
                ("http://no.such.host.invalid/", .resolve), ("http://127.0.0.1:1/", .connect),
            ]
            for (url, code) in cases { #expect(await client.code(url) == code, "\(url)") }
        }
    }

    @Test func `errors do not hold queries or passwords`() async throws {
        try await withClient { _, client in
            let error = await #expect(throws: HTTPClientError.self) {
                try await client.fetch(HTTPClientRequest(url: "http://user:pass@127.0.0.1:1/path?token=secret"))
            }
            #expect(error?.detail.contains("http://127.0.0.1:1/path") == true)
            #expect(error?.detail.contains("secret") == false)
            #expect(error?.detail.contains("pass") == false || error?.detail.contains("user") == false)
        }
    }

    @Test func `deadlines hold for a silent peer, across redirects, and for a body that stalls`() async throws {
        let stalling = try RawOrigin("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", holdsOpen: true)
        try await withClient { server, client in
            let start = ContinuousClock.now
            for url in ["\(server.url)/slow", "\(server.url)/redirect?to=/slow", stalling.url] {
                #expect(await client.code(url) { $0.timeout = .milliseconds(60) } == .timeout, "\(url)")
            }
            #expect(start.duration(to: .now) < .seconds(5))
        }
        await stalling.stop()
    }

    @Test func `cancelling the task ends the transfer`() async throws {
        try await withClient { server, client in
            let task = Task { await client.code(server.url + "/slow") }
            await poll { server.server.counters.requests == 1 }
            task.cancel()
            #expect(await task.value == .cancelled)
            let early = Task {
                while !Task.isCancelled { await Task.yield() }
                return await client.code(server.url + "/")
            }
            early.cancel()
            #expect(await early.value == .cancelled)
            #expect(await client.code(server.url + "/") == nil)
        }
    }

    @Test func `shutting down ends what runs and refuses what comes`() async throws {
        try await withClient { server, client in
            let task = Task { await client.code(server.url + "/slow") }
            await poll { server.server.counters.requests == 1 }
            await client.shutdown()
            #expect(await task.value == .stopped)
            #expect(await client.code(server.url + "/") == .stopped)
        }
        let group = try EventLoopGroup(count: 1)
        let client = HTTPClient(group: group)
        await group.shutdown()
        #expect(await client.code("http://127.0.0.1:1/") == .stopped)
    }
}
