import Testing

@testable import Transport

@Suite struct HTTPClientTests {
    @Test func `a fetch brings status, headers, body and the final URL`() async throws {
        try await withServer { server in
            let client = HTTPClient(group: server.group)
            let response = try await client.fetch(HTTPClientRequest(url: server.url + "/x?y=1"))
            #expect(response.status == 200)
            #expect(response.body == Array("GET x ? y=1 body ".utf8))
            #expect(response.header("content-type") == "text/plain")
            #expect(response.finalURL == server.url + "/x?y=1")
            await client.shutdown()
        }
    }
}
