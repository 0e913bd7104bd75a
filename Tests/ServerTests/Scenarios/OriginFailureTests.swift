import Testing
import Transport

@testable import Server

/// Origins that do not answer with a playlist: the last good one serves on for a while, then a clear error (rule 1501).
struct OriginFailureTests {
    @Test(arguments: [
        ("404", 404, "origin_not_found"), ("500", 502, "origin_unavailable"), ("refused", 502, "origin_unavailable"),
        ("timeout", 504, "origin_timed_out"), ("html", 502, "origin_unreadable"), ("empty", 502, "origin_unreadable"),
    ])
    func `without an older playlist a viewer gets the right status and JSON`(
        name: String, status: Int, code: String
    ) async throws {
        let world = FakeWorld()
        let fault: FakeWorld.Fault =
            switch name {
            case "404": .status(404)
            case "500": .status(500)
            case "refused": .refused
            case "timeout": .timeout
            case "html": .body("<!DOCTYPE html><html><body>Sign in</body></html>")
            default: .body("")
            }
        world.fail("http://o/live/v", fault)
        let response = try await TestServer(world).get("/live/news/a/v0.m3u8")
        #expect(response.status == status)
        #expect(String(decoding: response.body, as: UTF8.self).contains("\"code\":\"\(code)\""))
        #expect(response.headers.contains { $0 == ("Content-Type", "application/json") })
    }

    @Test func `with an older playlist it goes on for a while`() async throws {
        let world = FakeWorld()
        let server = TestServer(world)
        _ = try await server.text("/live/news/master.m3u8?stream_id=a")
        let before = try await server.text("/live/news/a/v0.m3u8")
        world.fail("http://o/live", .status(503))
        world.time.advance(by: .seconds(4))
        #expect(try await server.text("/live/news/a/v0.m3u8") == before)
        #expect(server.output.lines.contains { $0.contains("origin.failed") && $0.contains("503") })
        world.time.advance(by: .seconds(40))
        #expect(try await server.text("/live/news/a/v0.m3u8") == before)
        world.time.advance(by: .seconds(20))
        #expect(try await server.get("/live/news/a/v0.m3u8").status == 502)
        world.fail("http://o/live", nil)
        world.time.advance(by: .seconds(10))
        #expect(try await server.get("/live/news/a/v0.m3u8").status == 200)
    }

    @Test func `any number of viewers are one request for each playlist and refresh`() async throws {
        let world = FakeWorld()
        let server = TestServer(world)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for viewer in 0..<40 { group.addTask { _ = try await server.text("/live/news/s\(viewer)/v1.m3u8") } }
            try await group.waitForAll()
        }
        #expect(
            world.requests.sorted() == ["http://o/live/master.m3u8", "http://o/live/v0.m3u8", "http://o/live/v1.m3u8"])
    }
}
