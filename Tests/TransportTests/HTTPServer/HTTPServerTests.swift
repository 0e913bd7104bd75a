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
}
