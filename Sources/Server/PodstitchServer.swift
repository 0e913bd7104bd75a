internal import Conditioning
internal import Synchronization
package import Transport

/// The whole server: a configuration in, and it answers viewers and operators until it is stopped.
package final class PodstitchServer: Sendable {
    /// Product and version, as it names itself to others.
    package static let userAgent = "Podstitch/0.1"

    private let configuration: Configuration
    private let log: Log
    package let metrics: Metrics
    private let time: any TimeSource
    private let group: EventLoopGroup
    private let ownsGroup: Bool
    private let client: HTTPClient
    private let outbox: BeaconOutbox
    private let sessions: SessionTable
    private let sources: [Source]
    private let service: PlaylistService
    private let origins: OriginCache
    private let viewers: HTTPServer
    private let operators: HTTPServer?
    private let store: ResilientStore
    private let conditioner: Conditioner?
    private let admin: AdminHandler
    private let background = Mutex<[Task<Void, Never>]>([])

    /// - Parameters:
    ///   - group: the loops to run on; its own ones, as many as the configuration says, if nil.
    ///   - store: where sessions are kept; as the configuration says, if nil.
    package init(
        configuration: Configuration, log: Log, time: any TimeSource = SystemTimeSource(),
        group: EventLoopGroup? = nil, store: (any StateStore)? = nil, metrics: Metrics = Metrics()
    ) throws(TransportError) {
        self.configuration = configuration
        self.log = log
        self.time = time
        self.metrics = metrics
        ownsGroup = group == nil
        let loops: EventLoopGroup
        if let group { loops = group } else { loops = try EventLoopGroup(count: configuration.server.threads) }
        self.group = loops
        var clientConfiguration = HTTPClientConfiguration()
        clientConfiguration.userAgent = Self.userAgent
        client = HTTPClient(group: loops, configuration: clientConfiguration)
        let primary: any StateStore =
            if let store { store } else { try Self.store(configuration.server.store, time: time) }
        self.store = ResilientStore(
            primary, time: time, log: log, metrics: metrics,
            start: { job in Task(executorPreference: loops.preferred()) { await job() } })
        let wiring = Wiring(
            configuration: configuration, log: log, time: time,
            upstream: HTTPUpstream(client: client, options: configuration.network, metrics: metrics),
            metrics: metrics, store: self.store, tools: ConditioningWiring.tools(configuration.conditioning, log: log),
            start: { job in
                // Work that outlives its request is bounded by its own deadline.
                Task(executorPreference: loops.preferred()) { await job() }
            })
        outbox = wiring.outbox
        sessions = wiring.sessions
        origins = wiring.origins
        service = wiring.service
        sources = Array(wiring.service.sources.values)
        admin = AdminHandler(debugger: wiring.debugger, sources: sources.map(\.id)) {
            metrics.measures + wiring.measures
        }
        let handler = PlaylistHandler(
            service: wiring.service, options: configuration.server, log: log, metrics: metrics,
            creativeFiles: wiring.conditioning?.files)
        conditioner = wiring.conditioning?.conditioner
        viewers = HTTPServer(
            configuration: Self.listening(configuration.server.listen, configuration.server), handler: handler,
            group: loops)
        if let address = configuration.server.admin {
            operators = HTTPServer(
                configuration: Self.listening(address, configuration.server), handler: admin, group: loops)
        } else {
            operators = nil
        }
    }

    /// Begins to listen. Throws with a sentence for the operator when an address cannot be had.
    ///
    /// - Returns: the addresses, with the ports that were chosen where the configuration said 0.
    package func start() async throws(TransportError) -> (listen: ListenAddress, admin: ListenAddress?) {
        // No viewer comes before it is known what the store holds, and who else uses it.
        await store.announce()
        var listen = configuration.server.listen
        var adminAddress = configuration.server.admin
        do throws(TransportError) {
            listen.port = try viewers.start()
            if let operators { adminAddress?.port = try operators.start() }
        } catch {
            // Nobody is to reckon with it.
            await store.close()
            throw error
        }
        admin.isReady = true
        // The first viewer of a channel has its slate at once. Titles, of which there may be many, fetch theirs with a session.
        for source in sources where source.id.kind == .live { source.refreshHouseMedia() }
        background.withLock { $0.append(Task(executorPreference: group.next()) { await self.housekeeping() }) }
        background.withLock { $0.append(Task(executorPreference: group.next()) { await self.attendBeacons() }) }
        if let conditioner {
            background.withLock {
                $0.append(
                    Task(executorPreference: group.next()) {
                        await conditioner.open()
                        await self.preparation()
                    })
            }
        }
        log.info(
            "server.started",
            [
                "listen": .text(listen.description), "admin": .text(adminAddress?.description ?? "off"),
                "channels": .number(configuration.channels.count), "titles": .number(configuration.titles.count),
            ])
        return (listen, adminAddress)
    }

    /// Stops in good order: says so to load balancers, lets running requests and due beacons finish within the grace period.
    package func stop() async {
        admin.isReady = false
        log.info("server.stopping")
        let grace = configuration.server.gracePeriod
        await viewers.shutdown(gracePeriod: grace)
        await outbox.drain(within: grace)
        for task in background.withLock({ $0 }) { task.cancel() }
        await conditioner?.stop()
        await operators?.shutdown(gracePeriod: .seconds(1))
        await client.shutdown()
        await store.close()
        if ownsGroup { await group.shutdown() }
        log.info("server.stopped")
        log.flush()
    }

    /// Slates and bumpers that have to be made are made before anybody watches, and made anew where they have gone.
    private func preparation() async {
        while !Task.isCancelled {
            for source in sources { await service.prepareHouseMedia(of: source) }
            do { try await time.sleep(for: .seconds(10)) } catch { return }
        }
    }

    private func housekeeping() async {
        while !Task.isCancelled {
            // One that begins finds this one's word, and this one is to know of it before the store may go away.
            for _ in 0..<10 {
                do { try await time.sleep(for: .seconds(1)) } catch { return }
                await store.lookForOthers()
            }
            for source in sources { source.windows?.removeIdle(at: time.monotonic()) }
            origins.removeIdle()
            await sessions.removeExpired()
            await store.announce()
            await outbox.removeSent()
        }
    }

    private func attendBeacons() async {
        while !Task.isCancelled {
            await outbox.attend { [sessions] in sessions.known($0)?.cookies ?? CookieJar() }
            do { try await time.sleep(for: BeaconOutbox.renewal) } catch { return }
        }
    }

    private static func store(
        _ option: ServerOptions.Store, time: any TimeSource
    ) throws(TransportError) -> any StateStore {
        switch option {
        case .memory: MemoryStore(time: time)
        case .sqlite(let path): try SQLiteStore(path: path, time: time, absencePatience: .milliseconds(500))
        }
    }

    private static func listening(_ address: ListenAddress, _ options: ServerOptions) -> HTTPServerConfiguration {
        var server = HTTPServerConfiguration(address: address.host, port: address.port)
        server.limits.requestLineBytes = options.maxRequestLineBytes
        server.limits.headerBytes = options.maxHeaderBytes
        server.limits.bodyBytes = options.maxBodyBytes
        server.timeouts.idle = options.idleTimeout
        server.timeouts.header = options.headerTimeout
        server.timeouts.body = options.bodyTimeout
        server.compression.isEnabled = options.gzip
        server.connectionLimit = options.maxConnections
        server.crossOrigin = options.corsAllowOrigin.map { origin in
            CrossOriginPolicy(origins: origin == "*" ? .any : .only([origin]))
        }
        return server
    }
}
