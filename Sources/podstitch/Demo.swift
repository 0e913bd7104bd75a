import DevKit
import Glibc
import Server

extension Podstitch {
    static func demo(_ arguments: DemoArguments) async -> Int32 {
        do {
            let media = try DemoMedia.prepare(folder: arguments.mediaFolder) { complain($0) }
            StopSignal.install()
            let world = try await DemoWorld.start(media: media)
            let text = world.configuration(
                listen: "127.0.0.1:\(arguments.port)", admin: "127.0.0.1:\(arguments.adminPort)")
            let configuration = try Configuration.decode(Array(text.utf8), file: "demo", secrets: .none)
            guard let level = logLevel(configuration) else { return 2 }
            let log = Log(level: level, output: ThreadedLogOutput.standardError)
            let status = await run(configuration, log: log) { listen, admin in
                print(world.welcome(server: "http://\(listen)", admin: "http://\(admin?.description ?? "")"))
                fflush(nil)
            }
            await world.shutdown()
            return status
        } catch {
            complain("podstitch demo: \(error)")
            return 1
        }
    }
}
