import Testing

@testable import Transport

@Suite struct ClientLimitTests {
    @Test func `a body is bounded after decompression`() async throws {
        try await withClient { server, client in
            // 4 MB of zeros are 4 KB on the wire.
            let url = server.url + "/zeros?n=4000000"
            #expect(await client.code(url) { $0.byteLimit = 1_000_000 } == .tooLarge)
            let whole = try await client.text(url)
            #expect(whole.utf8.count == 4_000_000)
            #expect(await client.code(server.url + "/zeros?n=100") { $0.byteLimit = 99 } == .tooLarge)
            #expect(await client.code(server.url + "/zeros?n=100") { $0.byteLimit = 100 } == nil)
            #expect(await client.code(server.url + "/zeros?n=0") { $0.byteLimit = 0 } == nil)
        }
    }

    @Test func `a body without a length, or longer than it says, is bounded too`() async throws {
        let endless = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 500_000)
        let chunked =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + String(repeating: "3e8\r\n" + String(repeating: "x", count: 1_000) + "\r\n", count: 500) + "0\r\n\r\n"
        let lying = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + String(repeating: "x", count: 500_000)
        try await withClient { _, client in
            for (answer, code) in [(endless, HTTPClientError.Code.tooLarge), (chunked, .tooLarge), (lying, nil)] {
                let origin = try RawOrigin(answer)
                #expect(await client.code(origin.url) { $0.byteLimit = 100_000 } == code)
                await origin.stop()
            }
            let announced = try RawOrigin("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n", holdsOpen: true)
            #expect(await client.code(announced.url) == .tooLarge)
            await announced.stop()
        }
    }

    @Test func `a server that is silent, or sends hardly anything, is given up before the whole time is over`()
        async throws
    {
        let heads = ["", "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nabc"]
        try await withClient { _, client in
            for head in heads {
                let origin = try RawOrigin(head, holdsOpen: true)
                let clock = ContinuousClock()
                let began = clock.now
                let code = await client.code(origin.url) {
                    $0.timeout = .seconds(60)
                    $0.leastRate = HTTPClientRequest.LeastRate(bytesPerSecond: 1_000, time: .seconds(1))
                }
                #expect(code == .timeout)
                #expect(clock.now - began < .seconds(30))
                await origin.stop()
            }
        }
    }

    @Test func `headers are bounded`() async throws {
        let origin = try RawOrigin(
            "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Y: \(String(repeating: "z", count: 1_000))\r\n", count: 200)
                + "\r\n")
        try await withClient { _, client in #expect(await client.code(origin.url) == .tooLarge) }
        await origin.stop()
    }

    @Test func `peers that break HTTP are an error, not a crash`() async throws {
        let answers = [
            "", "garbage", "\u{0}\u{1}\u{2}", "HTTP/1.1\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nno colon\r\n\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        ]
        try await withClient { _, client in
            for answer in answers {
                let origin = try RawOrigin(answer)
                let code = await client.code(origin.url) { $0.timeout = .seconds(2) }
                #expect(code == .protocolError, "\(answer)")
                await origin.stop()
            }
        }
    }

    @Test func `odd answers are read leniently`() async throws {
        let answers = [
            "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.0 200 OK\r\n\r\nok",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-A:  b \r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 302 Found\r\nContent-Length: 2\r\n\r\nok",
        ]
        try await withClient { _, client in
            for answer in answers {
                let origin = try RawOrigin(answer)
                let text = try await client.text(origin.url)
                #expect(text == "ok", "\(answer)")
                await origin.stop()
            }
        }
    }

    @Test func `what the caller has is asked about, and 304 says that it is current`() async throws {
        try await withClient { server, client in
            let first = try await client.fetch(HTTPClientRequest(url: server.url + "/zeros?n=50"))
            #expect(!first.notModified)
            #expect(first.lastModified == "Sun, 06 Nov 1994 08:49:37 GMT")
            var request = HTTPClientRequest(url: server.url + "/zeros?n=50")
            request.entityTag = first.entityTag
            request.lastModified = first.lastModified
            let second = try await client.fetch(request)
            #expect(second.notModified)
            #expect(second.body.isEmpty)
            let text = try await client.text(server.url + "/headers") {
                $0.entityTag = "\"a\""
                $0.lastModified = "b"
            }
            #expect(text.contains("If-None-Match: \"a\"\nIf-Modified-Since: b"))
        }
    }

    @Test func `the environment's proxies are not used`() async throws {
        setProxy("http://127.0.0.1:1")
        defer { setProxy(nil) }
        try await withClient { server, client in #expect(await client.code(server.url + "/") == nil) }
    }
}
