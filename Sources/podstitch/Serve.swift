import FoundationEssentials
import Server
import Transport

extension Podstitch {
    static func serve(_ arguments: ServeArguments) async -> Int32 {
        var configuration: Configuration
        do {
            configuration = try Configuration.load(path: arguments.configurationFile)
        } catch {
            complain(error.description)
            return 1
        }
        if let listen = arguments.listen { configuration.server.listen = listen }
        if let admin = arguments.admin { configuration.server.admin = admin }
        guard let level = logLevel(configuration) else { return 2 }
        StopSignal.install()
        return await run(configuration, log: Log(level: level, output: ThreadedLogOutput.standardError)) { _, _ in }
    }

    /// The level of the environment, else of the configuration; nil, after a complaint, where it is none.
    static func logLevel(_ configuration: Configuration) -> LogLevel? {
        guard let name = ProcessInfo.processInfo.environment["PODSTITCH_LOG_LEVEL"] else {
            return configuration.server.logLevel
        }
        guard let level = LogLevel(rawValue: name) else {
            let levels = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
            complain("PODSTITCH_LOG_LEVEL: \"\(name)\" is not one of \(levels)")
            return nil
        }
        return level
    }

    /// Serves until a stop signal comes. `onStart` hears the addresses that were bound, ports filled in.
    static func run(
        _ configuration: Configuration, log: Log, onStart: (_ listen: ListenAddress, _ admin: ListenAddress?) -> Void
    ) async -> Int32 {
        do {
            let server = try PodstitchServer(configuration: configuration, log: log)
            let (listen, admin) = try await server.start()
            onStart(listen, admin)
            await StopSignal.wait()
            await server.stop()
            log.flush()
            return 0
        } catch {
            log.flush()
            complain("podstitch: \(error)")
            return 1
        }
    }
}
