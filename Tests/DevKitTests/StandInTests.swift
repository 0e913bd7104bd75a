import Testing
import Transport

@testable import DevKit

@Suite struct StandInTests {
    @Test(
        arguments: [
            (nil, ByteRange.whole), ("bytes=0-9", .part(0..<10)), ("bytes=90-", .part(90..<100)),
            ("bytes=-5", .part(95..<100)), ("bytes=-500", .part(0..<100)), ("bytes=50-500", .part(50..<100)),
            ("bytes=100-", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=5-4", .whole), ("bytes=-", .whole),
            ("bytes=0-1,5-6", .whole), ("lines=0-1", .whole), ("bytes=99999999999999999999-", .whole),
            ("bytes=+1-2", .whole),
        ] as [(String?, ByteRange)])
    func `a range is whole, a part or unsatisfiable`(header: String?, expected: ByteRange) {
        #expect(ByteRange(header: header, size: 100) == expected)
    }

    @Test func `files are handed out whole and in part and nothing else is`() throws {
        let folder = try Files.makeTemporaryFolder("/tmp/podstitch-files-")
        defer { Files.removeTree(folder) }
        try Files.write("0123456789", to: "\(folder)/a.ts")
        try Files.write("secret", to: "\(folder)/complete")
        let files = MediaFiles(root: folder)
        #expect(files.respond(relativePath: "a.ts", range: nil).body == Array("0123456789".utf8))
        let part = files.respond(relativePath: "a.ts", range: "bytes=2-4")
        #expect(part.status == 206)
        #expect(part.body == Array("234".utf8))
        #expect(part.contentRange == "bytes 2-4/10")
        #expect(part.contentType == "video/mp2t")
        for path in ["", "b.ts", "../a.ts", "./a.ts", "/a.ts", "a.ts/", "complete", "..", "a.ts\0.ts"] {
            #expect(files.respond(relativePath: path, range: nil).status == 404)
        }
    }

    @Test func `the ad server fills the time asked for and records beacons`() {
        let server = DemoAdServer(media: DemoMedia(folder: "/nowhere"))
        func get(_ path: String, _ query: [(name: String, value: String)] = []) -> StandInResponse {
            server.respond(to: StandInRequest(path: path, query: query, target: path), at: 1000)
        }
        let vast = get("/vast", [("dur", "26.000")])
        #expect(vast.contentType == "application/xml")
        #expect(String(decoding: vast.body, as: UTF8.self).contains("<Ad "))
        for duration in ["-1", "nan", "1e300", ""] { #expect(get("/vast", [("dur", duration)]).status == 200) }
        #expect(get("/beacon", [("event", "start"), ("request", "1"), ("ad", "red-1")]).status == 204)
        #expect(String(decoding: get("/report.json").body, as: UTF8.self).contains("\"event\":\"start\""))
        #expect(get("/media/complete").status == 404)
        #expect(get("/elsewhere").status == 404)
    }
}

@Suite struct StandInHandlerTests {
    struct Echo: StandIn {
        func respond(to request: StandInRequest, at milliseconds: Int64) -> StandInResponse {
            let parameter = request.parameter("a") ?? "-"
            return StandInResponse("\(request.base) \(request.path) \(parameter) \(milliseconds)", "text/plain")
        }
    }

    @Test(arguments: [("127.0.0.1:9100", "http://127.0.0.1:9100"), ("]]><x", "http://127.0.0.1")])
    func `only an address gets from the Host header into documents`(host: String, base: String) async throws {
        let time = ManualTimeSource(wallNanoseconds: 7_000_000)
        let handler = StandInHandler(standIn: Echo(), time: time)
        let request = try #require(HTTPRequest(target: "/x?a=b%20c", headers: [("Host", host)]))
        let response = await handler.respond(to: request)
        #expect(String(decoding: response.body, as: UTF8.self) == "\(base) /x b c 7")
        #expect(response.headers.contains { $0 == ("Cache-Control", "no-cache") })
    }
}
