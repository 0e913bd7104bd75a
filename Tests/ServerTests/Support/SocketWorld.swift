import HLS
import Synchronization
import Testing
import Transport
import VAST

@testable import Server

/// The fake world behind a listening socket.
final class FakeSite: Sendable {
    let world: FakeWorld
    let server: HTTPServer
    let port: UInt16
    private let seen: Tracks

    final class Tracks: Sendable {
        let paths = Mutex<[String]>([])
        /// The `Cookie` headers of the requests, in the same order.
        let cookies = Mutex<[String]>([])
        /// Their `X-Device-IP`.
        let devices = Mutex<[String]>([])
        let base = Mutex("")
    }

    init(_ world: FakeWorld, group: EventLoopGroup) throws {
        self.world = world
        let seen = Tracks()
        self.seen = seen
        server = HTTPServer(
            configuration: HTTPServerConfiguration(),
            handler: HTTPHandlerFunction { request in await Self.respond(request, world, seen) }, group: group)
        port = try server.start()
        let port = port
        seen.base.withLock { $0 = "http://127.0.0.1:\(port)" }
    }

    var base: String { seen.base.withLock { $0 } }
    /// Paths that were asked for, in order.
    var paths: [String] { seen.paths.withLock { $0 } }
    /// The cookies that came with requests of a path, once each.
    func cookies(of path: String) -> Set<String> {
        Set(zip(paths, seen.cookies.withLock { $0 }).filter { $0.0.hasPrefix(path) }.map(\.1))
    }
    /// The viewers' addresses that came with requests of a path.
    func devices(of path: String) -> [String] {
        zip(paths, seen.devices.withLock { $0 }).filter { $0.0.hasPrefix(path) }.map(\.1)
    }
    func tracked() -> [String] { paths.filter { $0.hasPrefix("/track/") }.map { String($0.dropFirst(7)) } }

    private static func respond(_ request: HTTPRequest, _ world: FakeWorld, _ seen: Tracks) async -> HTTPResponse {
        seen.cookies.withLock { $0.append(request.headers.first { $0.name.lowercased() == "cookie" }?.value ?? "") }
        seen.devices.withLock { $0.append(request.headers["X-Device-IP"] ?? "") }
        seen.paths.withLock { $0.append(request.rawPath) }
        let base = seen.base.withLock { $0 }
        let target = "http://o\(request.rawTarget)"
        switch request.pathSegments.first {
        case "track": return HTTPResponse(status: 204)
        case "vast", "tag":
            let wanted = AdServerRequest(
                url: target, headers: [], isNamedByAnswer: false, timeout: .seconds(1), byteLimit: 1 << 20,
                cookies: CookieJar())
            guard case .body(let bytes, _) = await world.ads(wanted, http2: false) else {
                return HTTPResponse(status: 500)
            }
            let text = String(decoding: bytes, as: UTF8.self).replacing("http://o/", with: "\(base)/")
                .replacing("http://track/", with: "\(base)/track/")
            var response = HTTPResponse(contentType: "application/xml", text: text)
            let viewer = request.queryValue("viewer") ?? ""
            if !viewer.isEmpty { response.headers.append(("Set-Cookie", "viewer=\(viewer); Path=/")) }
            return response
        default:
            let answer = await world.playlist(UpstreamRequest(address: OriginAddress(url: target)))
            guard case .body(let bytes, _, _, _) = answer else { return HTTPResponse(status: 404) }
            return HTTPResponse(headers: [("Content-Type", "application/vnd.apple.mpegurl")], body: bytes)
        }
    }
}

/// The whole server between a player, an origin and an ad server, each on a socket of loopback.
struct SocketWorld {
    var site: FakeSite
    var server: PodstitchServer
    var client: HTTPClient
    var group: EventLoopGroup
    var base: String
    var admin: String
    var output: RecordingLogOutput

    func get(_ path: String, headers: [(String, String)] = []) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: base + path)
        request.headers = headers
        return try await client.fetch(request)
    }

    func stop() async {
        await server.stop()
        await site.server.shutdown(gracePeriod: .zero)
        await client.shutdown()
        await group.shutdown()
    }

    static func setUp(
        _ world: FakeWorld, allowPrivate: Bool = true, _ change: (inout Configuration) -> Void = { _ in }
    ) async throws -> SocketWorld {
        let group = try EventLoopGroup(count: 2)
        let site = try FakeSite(world, group: group)
        var configuration = Configuration()
        configuration.server.listen.port = 0
        configuration.server.admin?.port = 0
        configuration.network.allowPrivateUpstreams = allowPrivate
        configuration.server.store = .memory
        configuration.conditioning.isEnabled = false
        configuration.channels = [
            SourceOptions(kind: .live, name: "news", origin: "\(site.base)/live/master.m3u8", ads: "main")
        ]
        configuration.titles = [
            SourceOptions(kind: .vod, name: "film", origin: "\(site.base)/vod/master.m3u8", ads: "main")
        ]
        configuration.adProviders = ["main": .vast(VASTProviderOptions(url: "\(site.base)/vast"))]
        change(&configuration)
        let output = RecordingLogOutput()
        let server = try PodstitchServer(
            configuration: configuration, log: Log(level: .debug, output: output), time: world.time, group: group)
        let (listen, admin) = try await server.start()
        return SocketWorld(
            site: site, server: server, client: HTTPClient(group: group), group: group,
            base: "http://127.0.0.1:\(listen.port)", admin: "http://127.0.0.1:\(try #require(admin).port)",
            output: output)
    }
}
