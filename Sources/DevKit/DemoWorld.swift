internal import Transport

/// Everything around Podstitch that a demo needs, on 127.0.0.1: an origin with a live channel (TS and fMP4) and a title,
/// and an ad server. `podstitch demo` starts it, then its own server with `configuration(listen:admin:)`.
///
///     let media = try DemoMedia.prepare(folder: nil) { print($0) }   // blocks; ffmpeg runs the first time
///     let world = try await DemoWorld.start(media: media)
///     let text = world.configuration(listen: "127.0.0.1:8080", admin: "127.0.0.1:8081")
///     … load `text` as `serve` loads a file, start the server …
///     print(world.welcome(server: "http://127.0.0.1:8080", admin: "http://127.0.0.1:8081"))
///     … wait for the signal …
///     await world.shutdown()
package final class DemoWorld: Sendable {
    /// Base address of the origin, without a slash at the end.
    package let originURL: String
    /// Base address of the ad server, without a slash at the end.
    package let adServerURL: String

    private let group: EventLoopGroup
    private let servers: [HTTPServer]

    private init(originURL: String, adServerURL: String, group: EventLoopGroup, servers: [HTTPServer]) {
        self.originURL = originURL
        self.adServerURL = adServerURL
        self.group = group
        self.servers = servers
    }

    /// Starts origin and ad server. Port 0 takes a free one.
    package static func start(
        media: DemoMedia, originPort: UInt16 = 0, adServerPort: UInt16 = 0
    ) async throws(DemoError) -> DemoWorld {
        let origin = try DemoOrigin(media: media)
        let adServer = DemoAdServer(media: media)
        do {
            let group = try EventLoopGroup(count: 1)
            let originServer = server(origin, port: originPort, group)
            let adServerServer = server(adServer, port: adServerPort, group)
            let ports = (try originServer.start(), try adServerServer.start())
            return DemoWorld(
                originURL: "http://127.0.0.1:\(ports.0)", adServerURL: "http://127.0.0.1:\(ports.1)", group: group,
                servers: [originServer, adServerServer])
        } catch {
            throw DemoError(.listen, "the demo's own origin or ad server cannot start: \(error)")
        }
    }

    /// Stops both servers.
    package func shutdown() async {
        for server in servers { await server.shutdown(gracePeriod: .milliseconds(200)) }
        await group.shutdown()
    }

    private static func server(_ standIn: any StandIn, port: UInt16, _ group: EventLoopGroup) -> HTTPServer {
        HTTPServer(
            configuration: HTTPServerConfiguration(address: "127.0.0.1", port: port),
            handler: StandInHandler(standIn: standIn, time: SystemTimeSource()), group: group)
    }
}
