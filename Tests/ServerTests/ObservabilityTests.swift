import FoundationEssentials
import Glibc
import Testing
import Transport

@testable import Server

private let time: Int64 = 1_768_637_707_127_000_000

@Suite struct ObservabilityTests {
    @Test func `a record is one JSON object on one line`() throws {
        let output = RecordingLogOutput()
        let log = Log(output: output, now: { time })
        log.info(
            "break.decided", session: "uuid:\"DFW\"", reason: "two\nlines",
            [
                "ads": .list(["a", "b"]), "count": 2, "isFirst": true, "tookMilliseconds": .span(.microseconds(1_500)),
                "zero": .span(.zero),
            ])
        #expect(
            output.lines == [
                #"{"time":"2026-01-17T08:15:07.127Z","level":"info","event":"break.decided","session":"uuid:\"DFW\"","#
                    + #""reason":"two\nlines","ads":["a","b"],"count":2,"isFirst":true,"tookMilliseconds":1.500,"zero":0}"#
            ])
    }

    @Test func `what is below the level is neither written nor computed`() {
        let output = RecordingLogOutput()
        let log = Log(level: .warning, output: output, now: { time })
        log.info(
            "quiet",
            reason: {
                Issue.record("computed"); return nil
            }())
        log.debug("quiet")
        log.once("key", .info, "quiet")
        log.warning("loud")
        log.error("loud")
        #expect(output.lines.count == 2)
    }

    @Test func `a line says once per break which fallback was taken`() {
        let output = RecordingLogOutput()
        let log = Log(output: output, now: { time })
        for _ in 0..<3 { log.once("news/1", .warning, "break.fallback") }
        log.once("news/2", .warning, "break.fallback")
        #expect(output.lines.count == 2)
    }

    @Test func `remembered keys are bounded`() {
        let filter = OnceFilter(limit: 2)
        let firsts = ["a", "b", "c", "d", "e"].map { filter.insert($0) }
        #expect(firsts == [true, true, true, true, true])
        #expect(!filter.insert("e") && !filter.insert("d"))
        #expect(filter.insert("a"))
    }

    @Test(arguments: [
        ("https://ads.example/vast?key=secret#x", "https://ads.example/vast?…"),
        ("https://user:pass@h:8/p/q", "https://h:8/p/q"), ("http://h", "http://h"), ("http://h/a@b", "http://h/a@b"),
        ("not a url?x", "not a url?…"), ("http://a@b@h?x@y", "http://h?…"),
    ])
    func `a logged URL keeps scheme, host and path alone`(url: String, shown: String) {
        #expect(redactedURL(url) == shown)
    }

    @Test func `a URL anywhere in a record is redacted, whoever wrote the text`() {
        let output = RecordingLogOutput()
        let log = Log(output: output, now: { time })
        log.warning(
            "origin.failed", reason: "connect: http://u:p@h/x.m3u8?key=secret: refused, see https://b/?t=secret.",
            ["url": "https://h/a?sig=secret", "ads": .list(["q: \"http://a/b#secret\" x"])])
        let line = output.lines.first ?? ""
        #expect(!line.contains("secret") && !line.contains("u:p"))
        #expect(line.contains("connect: http://h/x.m3u8?…: refused, see https://b/?…."))
        #expect(line.contains(#""q: \"http://a/b?…\" x""#))
        #expect(redactedText("no URL? none") == "no URL? none")
    }

    @Test func `control characters and very long texts cannot break a line`() throws {
        let record = LogRecord(
            time: 0, level: .info, event: "e", session: "\u{1}\u{7F}\t\r", reason: String(repeating: "é", count: 5_000),
            fields: [])
        let line = record.line
        #expect(line.count < 3_000)
        #expect(line.last == 0x0A && line.dropLast().allSatisfy { $0 >= 0x20 && $0 != 0x7F })
        struct Shape: Decodable { var session: String }
        #expect(try JSONDecoder().decode(Shape.self, from: Data(line)).session == "\u{1}\u{7F}\t\r")
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000_000_000, "2000-02-29T00:00:00.000Z"),
        (4_102_444_799_999_999_999, "2099-12-31T23:59:59.999Z"),
    ])
    func `times are written in UTC with milliseconds`(nanoseconds: Int64, text: String) {
        #expect(formattedTime(nanoseconds) == text)
    }

    @Test func `the writer thread writes whole lines in order`() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let output = ThreadedLogOutput(descriptor: ends[1])
        for number in 0..<100 { output.write(Array("\(number)\n".utf8)) }
        output.flush()
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = read(ends[0], &bytes, bytes.count)
        close(ends[0])
        #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == (0..<100).map { "\($0)\n" }.joined())
        #expect(output.lostRecords == 0)
    }

    @Test func `a reader that stops reading costs lines, never time`() {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let output = ThreadedLogOutput(descriptor: ends[1], byteLimit: 10_000)
        let line = [UInt8](repeating: 0x61, count: 999) + [0x0A]
        for _ in 0..<200 { output.write(line) }
        #expect(output.lostRecords > 0)
        // Before the reader goes: the writer may be at it already.
        signal(SIGPIPE, SIG_IGN)
        close(ends[0])
        output.flush()
        close(ends[1])
    }

    @Test func `counters count, each under its own name`() {
        let metrics = Metrics()
        metrics.playlists.increment()
        metrics.playlists.increment(by: 2)
        metrics.creativesFailed["slow"].increment()
        let all = metrics.measures
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(all.flatMap { $0.values.map(\.value) }.reduce(0, +) == 4)
        let text = all.map(\.text).joined()
        #expect(text.contains("# TYPE podstitch_playlists_total counter\npodstitch_playlists_total 3\n"))
        #expect(text.contains("\npodstitch_creatives_failed_total{kind=\"slow\"} 1\n"))
    }

    @Test func `playlists of both kinds are counted, and nothing else`() async throws {
        let server = TestServer(FakeWorld())
        _ = try await server.text("/vod/film/a/master.m3u8")
        #expect(server.metrics.playlists.value == 1)
        _ = try await server.text("/vod/film/a/v0.m3u8")
        _ = try await server.text("/vod/film/a/v0.m3u8")
        #expect(server.metrics.playlists.value == 3)
        #expect(try await server.get("/vod/film/a/v9.m3u8").status == 404)
        #expect(try await server.get("/vod/film/master.m3u8").status == 302)
        #expect(server.metrics.playlists.value == 3)
    }

    @Test func `an error for a viewer is generic and an error for the log is not`() {
        let error = ServerError(.originTimedOut, place: "channel news", detail: "http://10.0.0.1/secret")
        let response = ErrorResponse(error)
        #expect(response.status == 504)
        let body = String(decoding: response.body, as: UTF8.self)
        #expect(
            body == #"{"error":{"code":"origin_timed_out","message":"The content did not answer in time."}}"# + "\n")
        #expect(error.description == "originTimedOut: channel news: http://10.0.0.1/secret")
        struct Strange: Error {}
        #expect(ErrorResponse(Strange()).status == 500)
        for code in ServerError.Code.allCases { #expect((400...599).contains(ErrorResponse(code).status)) }
    }
}
