import Testing

@testable import Transport

/// One jar per viewer, never shared, over redirects too (R-H6, V42).
@Suite struct CookieJarTests {
    /// Sets a cookie, tells what came, or redirects, with a cookie of its own.
    private static let cookies: Respond = { request in
        switch request.pathSegments[0] {
        case "set":
            let lines = (request.queryValue("c") ?? "").split(separator: "|").map { ("Set-Cookie", String($0)) }
            return HTTPResponse(headers: lines)
        case "redirect":
            return HTTPResponse(
                status: 302, headers: [("Location", request.queryValue("to") ?? ""), ("Set-Cookie", "hop=1; Path=/")])
        default:
            let lines = request.headers.filter { ASCII.lowercased($0.name) == "cookie" }.map(\.value)
            return HTTPResponse(contentType: "text/plain", text: lines.joined(separator: "&"))
        }
    }

    private func sent(_ client: HTTPClient, _ url: String, _ jar: CookieJar?) async throws -> Set<String> {
        let text = try await client.text(url) { $0.cookies = jar }
        return Set(text.split(separator: ";").map { ASCII.trimmed($0).description })
    }

    private func withJars(
        _ body: (_ url: String, _ other: String, HTTPClient) async throws -> Void
    ) async throws {
        try await withServer(respond: Self.cookies) { other in
            try await withServer(respond: Self.cookies) { server in
                let client = HTTPClient(group: server.group)
                do { try await body(server.url, other.url, client) } catch {
                    await client.shutdown()
                    throw error
                }
                await client.shutdown()
            }
        }
    }

    @Test func `cookies of a jar are sent again, and those of no other viewer`() async throws {
        try await withJars { url, _, client in
            let (mine, yours) = (CookieJar(), CookieJar())
            _ = try await client.text("\(url)/set?c=a=1%3B%20Path=/|b=2%3B%20Path=/%3B%20HttpOnly") {
                $0.cookies = mine
            }
            _ = try await client.text("\(url)/set?c=a=9%3B%20Path=/") { $0.cookies = yours }
            for _ in 0..<3 {
                #expect(try await sent(client, "\(url)/show", mine) == ["a=1", "b=2"])
                #expect(try await sent(client, "\(url)/show", yours) == ["a=9"])
                #expect(try await sent(client, "\(url)/show", nil) == [])
                #expect(try await sent(client, "\(url)/show", CookieJar()) == [])
            }
        }
    }

    @Test func `a request without a jar leaves nothing for those behind it`() async throws {
        try await withJars { url, _, client in
            let jar = CookieJar()
            _ = try await client.text("\(url)/show") { $0.cookies = jar }
            _ = try await client.text("\(url)/set?c=a=1%3B%20Path=/")
            #expect(try await sent(client, "\(url)/show", nil) == [])
            #expect(try await sent(client, "\(url)/show", jar) == [])
        }
    }

    @Test func `a cookie is kept over each hop, and goes to the path and host it is for`() async throws {
        try await withJars { url, other, client in
            let jar = CookieJar()
            _ = try await client.text("\(url)/set?c=a=1%3B%20Path=/|p=1%3B%20Path=/deep") { $0.cookies = jar }
            #expect(try await sent(client, "\(url)/redirect?to=/show", jar) == ["a=1", "hop=1"])
            #expect(try await sent(client, "\(url)/deep/show", jar) == ["a=1", "hop=1", "p=1"])
            // Cookies know no ports: the other server stands for another host by its name.
            let foreign = other.replacing("127.0.0.1", with: "localhost")
            #expect(try await sent(client, "\(url)/redirect?to=\(foreign)/show", jar) == [])
        }
    }

    @Test func `a cookie can be changed, and taken back`() async throws {
        try await withJars { url, _, client in
            let jar = CookieJar()
            for (value, expected) in [
                ("a=1%3B%20Path=/", ["a=1"]), ("a=2%3B%20Path=/", ["a=2"]), ("a=x%3B%20Path=/%3B%20Max-Age=0", []),
            ] {
                _ = try await client.text("\(url)/set?c=\(value)") { $0.cookies = jar }
                #expect(try await sent(client, "\(url)/show", jar) == Set(expected))
            }
        }
    }

    @Test func `requests at one time lose nothing of each other's`() async throws {
        try await withJars { url, _, client in
            let jar = CookieJar()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        _ = try await client.text("\(url)/set?c=c\(number)=1%3B%20Path=/") { $0.cookies = jar }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await sent(client, "\(url)/show", jar) == Set((0..<8).map { "c\($0)=1" }))
        }
    }

    @Test func `a jar is bounded`() async throws {
        try await withJars { url, _, client in
            let jar = CookieJar()
            for round in 0..<4 {
                let many = (0..<30).map { "c\(round)-\($0)=1%3B%20Path=/" }.joined(separator: "|")
                _ = try await client.text("\(url)/set?c=\(many)") { $0.cookies = jar }
            }
            #expect(jar.cookies.count == CookieJar.limit)
            let long = CookieJar()
            for name in ["a", "b", "c"] {
                _ = try await client.text("\(url)/set?c=\(name)=\(String(repeating: "x", count: 3_000))") {
                    $0.cookies = long
                }
            }
            #expect(long.cookies.count == 2)
        }
    }

    @Test func `jars that share a budget hold no more than it, and give back what they lose`() {
        let budget = ByteBudget(100)
        let cookie = { (name: String, bytes: Int) in
            CookieJar.Cookie(line: "h\tFALSE\t/\tFALSE\t0\t\(name)\t".padded(to: bytes))
        }
        do {
            let (mine, yours) = (CookieJar(budget: budget), CookieJar(budget: budget))
            mine.replace([], with: [cookie("a", 70)])
            yours.replace([], with: [cookie("b", 70), cookie("c", 30)])
            #expect(mine.cookies.count == 1)
            #expect(yours.cookies.map(\.line) == [cookie("c", 30).line])
            #expect(budget.remaining == 0)
            mine.replace(mine.cookies, with: [])
            #expect(budget.remaining == 70)
            yours.replace([], with: [cookie("b", 70)])
            #expect(yours.cookies.count == 2)
        }
        #expect(budget.remaining == 100)
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: "v", count: max(0, count - utf8.count))
    }
}
