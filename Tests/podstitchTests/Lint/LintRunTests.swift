import FoundationEssentials
import HLS
import Synchronization
import Testing
import Transport

@testable import podstitch

/// A clock on which sleeping takes no time, but moves it on.
private final class ImpatientTimeSource: TimeSource {
    private let elapsed = Mutex(Duration.zero)

    func now() -> Int64 { 0 }
    func monotonic() -> Duration { elapsed.withLock { $0 } }
    func sleep(for duration: Duration) async throws { elapsed.withLock { $0 += duration } }
}

/// A server on a free port: what it answers, by path, as a function of how often the path was asked for before.
private final class FakeOrigin: Sendable {
    typealias Respond = @Sendable (_ request: HTTPRequest, _ before: Int) -> HTTPResponse

    let url: String
    let group: EventLoopGroup
    private let server: HTTPServer

    init(_ respond: @escaping Respond) throws {
        let counts = Counts()
        group = try EventLoopGroup(count: 1)
        let handler = HTTPHandlerFunction { request in respond(request, counts.next(request.rawPath)) }
        server = HTTPServer(configuration: HTTPServerConfiguration(), handler: handler, group: group)
        url = "http://127.0.0.1:\(try server.start())"
    }

    func stop() async {
        await server.shutdown(gracePeriod: .zero)
        await group.shutdown()
    }

    private final class Counts: Sendable {
        private let counts = Mutex<[String: Int]>([:])

        func next(_ path: String) -> Int {
            counts.withLock { counts in
                defer { counts[path, default: 0] += 1 }
                return counts[path, default: 0]
            }
        }
    }
}

private func playlist(_ text: String, _ headers: [(String, String)] = [("Cache-Control", "no-store")]) -> HTTPResponse {
    HTTPResponse(contentType: "application/vnd.apple.mpegurl", text: text, headers: headers)
}

private let master = """
    #EXTM3U
    #EXT-X-VERSION:1
    #EXT-X-STREAM-INF:BANDWIDTH=1000000,RESOLUTION=640x360,CODECS="avc1.4d401e,mp4a.40.2"
    v0/index.m3u8?key=secret
    #EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=320x180,CODECS="avc1.4d401e,mp4a.40.2"
    v1/index.m3u8

    """

/// Answers a multivariant playlist at /master.m3u8, and below it what `media` says.
private func origin(_ media: @escaping @Sendable (_ path: String, _ before: Int) -> HTTPResponse) throws -> FakeOrigin {
    try FakeOrigin { request, before in
        let path = request.rawPath
        if path.hasSuffix("master.m3u8") { return playlist(master) }
        if path.hasSuffix(".ts") { return HTTPResponse(contentType: "video/mp2t", text: "x") }
        return media(path, before)
    }
}

private func lint(
    _ origin: FakeOrigin, _ path: String = "/master.m3u8", _ words: String...
) async throws -> LintResult {
    try await lint(origin.url + path, origin.group, words)
}

private func lint(_ source: String, _ group: EventLoopGroup, _ words: [String] = []) async throws -> LintResult {
    guard case .lint(let arguments) = try Command(["lint", source] + words) else { throw UsageError(message: "") }
    let loader = LintLoader(client: HTTPClient(group: group), standardInput: { .read(Array(livePlaylist().utf8)) })
    var run = LintRun(arguments, loader: loader, time: ImpatientTimeSource())
    return await run.run()
}

private func rules(_ result: LintResult) -> [Int] { result.findings.map(\.finding.rule) }

@Suite struct LintRunTests {
    @Test func `a healthy stream ends with 0, all its playlists loaded as often as asked`() async throws {
        let origin = try origin { _, before in playlist(livePlaylist(7 + before)) }
        let result = try await lint(origin, "/master.m3u8", "--poll", "5")
        #expect(result.status == 0 && result.findings.isEmpty, "\(result.text)")
        #expect(result.playlists.map(\.loads) == [1, 5, 5])
        #expect(result.text == "3 playlists, 11 loads: 0 errors, 0 warnings, 0 notes\n")
        await origin.stop()
    }

    @Test func `a rendition that goes wrong at its second version is found (rule 404)`() async throws {
        let origin = try origin { path, before in
            let text = livePlaylist(7 + before)
            let isWrong = path.hasPrefix("/v1") && before == 1
            return playlist(isWrong ? text.replacing("\n9.ts", with: "\nother.ts") : text)
        }
        let result = try await lint(origin, "/master.m3u8", "--poll", "2")
        #expect(result.status == 1)
        let entry = try #require(result.findings.first)
        #expect(result.findings.count == 1 && entry.playlist == 2 && entry.finding.rule == 404)
        #expect(
            result.text.hasPrefix("\(origin.url)/v1/index.m3u8:8: error 404: number 9 was 9.ts and is other.ts\n"),
            "\(result.text)")
        await origin.stop()
    }

    @Test func `media playlists are held against each other at each load (rule 308)`() async throws {
        let origin = try origin { path, before in
            let text = livePlaylist(7 + before)
            return playlist(path.hasPrefix("/v1") ? text.replacing("TARGETDURATION:4", with: "TARGETDURATION:5") : text)
        }
        let result = try await lint(origin, "/master.m3u8", "--poll", "2", "--rule", "308")
        #expect(result.status == 1 && rules(result) == [308])
        #expect(result.findings.first?.playlist == 2 && result.findings.first?.count == 2, "\(result.text)")
        await origin.stop()
    }

    @Test func `what an earlier load showed is counted, not told again`() async throws {
        let origin = try origin { _, before in
            playlist(livePlaylist(7 + before).replacing("TARGETDURATION:4", with: "TARGETDURATION:3"))
        }
        let result = try await lint(origin, "/v1/index.m3u8", "--poll", "3", "--rule", "303")
        #expect(result.status == 1)
        #expect(result.findings.contains { $0.count == 3 })
        #expect(result.text.contains("(in 3 loads)"))
        await origin.stop()
    }

    @Test func `a live playlist that stands still is found without waiting (rule 310)`() async throws {
        let origin = try origin { _, _ in playlist(livePlaylist()) }
        let result = try await lint(origin, "/v1/index.m3u8", "--poll", "8")
        #expect(rules(result) == [310])
        await origin.stop()
    }

    @Test func `redirects are followed, and references start from where they lead`() async throws {
        let origin = try FakeOrigin { request, _ in
            switch request.rawPath {
            case "/start": HTTPResponse(status: 302, headers: [("Location", "/deep/master.m3u8")])
            case "/deep/master.m3u8": playlist(master)
            case "/deep/v0/index.m3u8", "/deep/v1/index.m3u8": playlist(livePlaylist())
            case let path where path.hasPrefix("/deep/v") && path.hasSuffix(".ts"):
                HTTPResponse(contentType: "video/mp2t", text: "x")
            default: .notFound()
            }
        }
        let result = try await lint(origin, "/start")
        #expect(result.status == 0 && result.findings.isEmpty, "\(result.text)")
        #expect(result.playlists.count == 3)
        await origin.stop()
    }

    @Test func `compression is asked for and seen (rule 1502)`() async throws {
        let origin = try FakeOrigin { request, _ in
            var response = playlist(livePlaylist(count: 100))
            response.mayCompress = request.rawPath == "/gzip.m3u8"
            return request.rawPath.hasSuffix(".ts") ? HTTPResponse(contentType: "video/mp2t", text: "x") : response
        }
        #expect(rules(try await lint(origin, "/gzip.m3u8")) == [])
        #expect(rules(try await lint(origin, "/plain.m3u8")) == [1502])
        await origin.stop()
    }

    @Test func `what cannot be read ends with 2 and says why (rule 1501)`() async throws {
        let origin = try FakeOrigin { request, _ in
            switch request.rawPath {
            case "/page.m3u8": HTTPResponse(contentType: "text/html", text: "\n<html></html>")
            case "/empty.m3u8": playlist("")
            case "/large.m3u8": playlist("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:99999999999999999999\n")
            case "/loop": HTTPResponse(status: 302, headers: [("Location", "/loop")])
            default: .notFound()
            }
        }
        let expected = [
            ("/none.m3u8", 1501, 1, "the answer has status 404"),
            ("/page.m3u8", 1501, 2, "cannot be read: markup where #EXTM3U was expected (webPage)"),
            ("/empty.m3u8", 1501, 1, "cannot be read: nothing but blank lines (empty)"),
            ("/large.m3u8", 402, 2, "cannot be read: the number of EXT-X-MEDIA-SEQUENCE is too large"),
        ]
        for (path, rule, line, message) in expected {
            // Told of whatever rules were asked for.
            let result = try await lint(origin, path, "--rule", "303")
            #expect(result.status == 2)
            let finding = try #require(result.findings.first?.finding)
            #expect(finding == PlaylistFinding(rule: rule, line: line, severity: .error, message: message))
        }
        #expect(try await lint(origin, "/loop").text.contains("tooManyRedirects"))
        let group = origin.group
        #expect(try await lint("http://127.0.0.1:1/x.m3u8", group).status == 2)
        await origin.stop()
    }

    @Test func `a media playlist that cannot be loaded is told at the line that names it (rule 1114)`() async throws {
        let origin = try origin { path, _ in path.hasPrefix("/v0") ? .notFound() : playlist(livePlaylist()) }
        let result = try await lint(origin)
        #expect(result.status == 1)
        let message = "variant 640x360 \(origin.url)/v0/index.m3u8?…: the answer has status 404"
        #expect(
            result.text.hasPrefix("\(origin.url)/master.m3u8:4: error 1114: \(message)\n"), "\(result.text)")
        #expect(!result.text.contains("secret") && !result.json.contains("secret"))
        #expect(try await lint(origin, "/master.m3u8", "--no-renditions").status == 0)
        await origin.stop()
    }

    @Test func `a segment that cannot be loaded is told at its line (rule 1114)`() async throws {
        let origin = try FakeOrigin { request, _ in
            if request.rawPath == "/10.ts" { return .notFound() }
            if request.rawPath.hasSuffix(".ts") { return HTTPResponse(contentType: "video/mp2t", text: "x") }
            return playlist(livePlaylist())
        }
        let result = try await lint(origin, "/index.m3u8")
        #expect(result.findings.map(\.finding.line) == [12])
        #expect(rules(result) == [1114])
        await origin.stop()
    }

    @Test func `a load that fails between others is told, and the rest goes on (rule 1501)`() async throws {
        let origin = try origin { _, before in
            before == 1 ? .error(503, code: "later", message: "later") : playlist(livePlaylist(7 + before))
        }
        let result = try await lint(origin, "/v1/index.m3u8", "--poll", "4")
        #expect(rules(result) == [1501])
        #expect(result.playlists.map(\.loads) == [4])
        await origin.stop()
    }

    @Test func `what reloads prove is told in place of what one load hints at (rule 309)`() async throws {
        let origin = try origin { _, before in
            playlist(before == 0 ? livePlaylist(7, count: 4) : livePlaylist(9, count: 2))
        }
        let result = try await lint(origin, "/v1/index.m3u8", "--poll", "2", "--rule", "309")
        #expect(result.findings.map(\.finding.severity) == [.error])
        await origin.stop()
    }

    @Test func `announced blocking reloads are tried (rule 1011)`() async throws {
        let control = "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES\n"
        let origin = try FakeOrigin { request, _ in
            if request.rawPath.hasSuffix(".ts") { return HTTPResponse(contentType: "video/mp2t", text: "x") }
            let number = request.query.first { $0.name == "_HLS_msn" }?.value
            let hasPart = request.query.contains { $0.name == "_HLS_part" }
            let isDeaf = request.rawPath == "/deaf.m3u8"
            guard !isDeaf, number != nil || hasPart else { return playlist(livePlaylist(7, control)) }
            return number == "11" ? playlist(livePlaylist(8, control)) : .error(400, code: "no", message: "no")
        }
        #expect(rules(try await lint(origin, "/good.m3u8")) == [])
        let result = try await lint(origin, "/deaf.m3u8")
        #expect(rules(result) == [1011, 1011, 1011])
        #expect(result.text.contains("_HLS_msn=11 was not held until the playlist had number 11"))
        await origin.stop()
    }

    @Test func `announced delta updates and asset lists are asked for (rules 1007, 824)`() async throws {
        let head = """
            #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=24
            #EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:00:00.000Z
            #EXT-X-DATERANGE:ID="x",CLASS="com.apple.hls.interstitial",START-DATE="2026-01-17T07:00:00.000Z",DURATION=3,X-ASSET-LIST="list.json?t=1"

            """
        let origin = try FakeOrigin { request, _ in
            switch request.rawPath {
            case "/list.json":
                let isPlayer = request.query.contains { $0.name == "_HLS_primary_id" }
                let asset = "{\"URI\":\"1.m3u8\",\"DURATION\":1}"
                return HTTPResponse(
                    contentType: "application/json", text: isPlayer ? "{\"ASSETS\":[\(asset)]}" : "{\"ASSETS\":[]}")
            case "/index.m3u8":
                let skip = "#EXT-X-SKIP:SKIPPED-SEGMENTS=5\n"
                let isDelta = request.query.contains { $0.name == "_HLS_skip" && $0.value == "YES" }
                let rest = (12..<17).map { "#EXTINF:4,\n\($0).ts\n" }.joined()
                return playlist(
                    isDelta ? livePlaylist(7, count: 0, head + skip, tail: rest) : livePlaylist(7, count: 10, head))
            default: return HTTPResponse(contentType: "video/mp2t", text: "x")
            }
        }
        let result = try await lint(origin, "/index.m3u8", "--rule", "824", "--rule=1008")
        #expect(result.findings.map(\.finding.line) == [5, 7])
        #expect(rules(result) == [1008, 824])
        await origin.stop()
    }

    @Test func `files are followed to the files beside them, and standard input to none`() async throws {
        let group = try EventLoopGroup(count: 1)
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "podstitch-lint-\(UInt64.random(in: 0...UInt64.max))")
        try FileManager.default.createDirectory(at: folder.appending(path: "v0"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(master.replacing("?key=secret", with: "").utf8).write(to: folder.appending(path: "master.m3u8"))
        try Data(livePlaylist().replacing("TARGETDURATION:4", with: "TARGETDURATION:2").utf8)
            .write(to: folder.appending(path: "v0/index.m3u8"))
        let result = try await lint("\(folder.path)/master.m3u8", group, ["--rule", "303", "--rule", "1114"])
        #expect(Set(rules(result)) == [303, 1114])
        #expect(result.text.contains("\(folder.path)/v0/index.m3u8:5: error 303: "), "\(result.text)")
        #expect(result.text.contains("\(folder.path)/master.m3u8:6: warning 1114: "), "\(result.text)")
        #expect(try await lint("\(folder.path)/none.m3u8", group).text.contains("cannot be read: no such file"))
        #expect(try await lint(folder.path, group).text.contains("a folder, not a file"))
        #expect(try await lint(folder.path, group).status == 2)
        let input = try await lint("-", group)
        #expect(input.status == 0 && input.playlists.map(\.shown) == ["standard input"])
        await group.shutdown()
    }

    @Test func `a segment that only its variables make is no reason to fail`() async throws {
        let origin = try origin { _, _ in
            playlist(
                "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"#EXTINF:6,\"\n{$a}\nu.ts\n")
        }
        #expect(try await lint(origin, "/v1/index.m3u8").playlists.map(\.loads) == [1])
        await origin.stop()
    }

    @Test func `media playlists beyond those that are checked are told of`() async throws {
        let origin = try FakeOrigin { request, _ in
            request.rawPath == "/main.m3u8"
                ? playlist(
                    (0..<300).reduce(into: "#EXTM3U\n") { $0 += "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\($1).m3u8\n" })
                : playlist(livePlaylist())
        }
        let result = try await lint(origin, "/main.m3u8")
        #expect(result.text.contains("/main.m3u8:515: note: only 256 of the media playlists are checked"))
        await origin.stop()
    }

    @Test func `the name of a playlist does not steer the terminal`() async throws {
        let group = try EventLoopGroup(count: 1)
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "podstitch-lint-\(UInt64.random(in: 0...UInt64.max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let name = "v\u{1B}[2J\u{202E}.m3u8"
        try Data("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n\(name)\n".utf8)
            .write(to: folder.appending(path: "main.m3u8"))
        try Data("#EXTM3U\n#EXTINF:6,\ns.ts\n".utf8).write(to: folder.appending(path: name))
        let text = try await lint("\(folder.path)/main.m3u8", group).text
        #expect(text.contains("/v\u{FFFD}[2J\u{FFFD}.m3u8:1: error 301: "), "\(text)")
        #expect(!text.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
        await group.shutdown()
    }

    @Test func `the level decides about the exit status, and rules can be chosen`() async throws {
        let origin = try origin { _, _ in playlist(livePlaylist(), [("Cache-Control", "max-age=60")]) }
        let path = "/v1/index.m3u8"
        #expect(rules(try await lint(origin, path)) == [1503])
        #expect(try await lint(origin, path).status == 0)
        #expect(try await lint(origin, path, "--fail-on", "warning").status == 1)
        #expect(try await lint(origin, path, "--fail-on", "note").status == 1)
        #expect(try await lint(origin, path, "--fail-on", "note", "--ignore", "1503").status == 0)
        #expect(try await lint(origin, path, "--fail-on", "note", "--rule", "303").status == 0)
        await origin.stop()
    }

    @Test func `the document has what the text has, and more`() async throws {
        struct Document: Decodable {
            struct Playlist: Decodable {
                var url: String
                var kind: String
                var name: String?
                var loads: Int
                var versions: Int
            }
            struct Finding: Decodable {
                var playlist: Int
                var line: Int
                var rule: Int
                var level: String
                var severity: String
                var message: String
                var title: String
                var loads: Int
            }
            var source: String
            var playlists: [Playlist]
            var findings: [Finding]
            var counts: [String: Int]
            var stopped: Bool
            var exit: Int
        }
        let origin = try origin { path, _ in
            playlist(
                livePlaylist().replacing(
                    "TARGETDURATION:4", with: path.hasPrefix("/v1") ? "TARGETDURATION:3" : "TARGETDURATION:4"))
        }
        let json = try await lint(origin, "/master.m3u8?mine=1", "--json", "--rule", "303").json
        let document = try JSONDecoder().decode(Document.self, from: Data(json.utf8))
        #expect(document.source == "\(origin.url)/master.m3u8?mine=1")
        #expect(document.playlists.map(\.kind) == ["multivariant", "media", "media"])
        #expect(document.playlists.map(\.name) == [nil, "variant 640x360", "variant 320x180"])
        #expect(document.playlists[1].url == "\(origin.url)/v0/index.m3u8?…")
        #expect(document.playlists.allSatisfy { $0.loads == 1 && $0.versions == 1 })
        let finding = try #require(document.findings.first)
        #expect(finding.playlist == 2 && finding.rule == 303 && finding.level == "must" && finding.severity == "error")
        #expect(finding.line == 5 && finding.loads == 1 && finding.title == LintRule.numbered(303)?.title)
        #expect(document.counts["error"] == document.findings.count && document.counts["warning"] == 0)
        #expect(document.exit == 1 && !document.stopped)
        await origin.stop()
    }

    @Test func `a stopped run tells what it found so far`() async throws {
        let origin = try origin { _, _ in playlist(livePlaylist(), [("Cache-Control", "max-age=60")]) }
        let time = ManualTimeSource()
        var arguments = LintArguments(source: "\(origin.url)/v1/index.m3u8")
        arguments.loads = 100
        let loader = LintLoader(client: HTTPClient(group: origin.group))
        let task = Task { [arguments] in
            var run = LintRun(arguments, loader: loader, time: time)
            return await run.run()
        }
        await time.waitForSleepers(1)
        task.cancel()
        let result = await task.value
        #expect(result.wasStopped && rules(result) == [1503])
        #expect(result.text.hasSuffix("; stopped early\n"))
        await origin.stop()
    }
}
