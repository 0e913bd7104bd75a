internal import CLinux
internal import Glibc
internal import Synchronization

/// The part of a server that lives on one loop: a listening socket and its connections.
///
/// `@unchecked Sendable`: after `init` it is touched on its loop's thread only.
final class ServerLoop: EventHandler, @unchecked Sendable {
    let loop: EventLoop
    let configuration: HTTPServerConfiguration
    let handler: any HTTPHandler
    let counters: ServerCounters
    let encoder: ResponseEncoder
    /// What a receive call fills. A connection keeps only what is left of an incomplete request.
    let scratch = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 65_536)

    private var listener: Int32
    private var connections: [Int32: HTTPConnection] = [:]
    private var sweepTimer: EventLoop.TimerID?
    private var acceptTimer: EventLoop.TimerID?
    private var graceTimer: EventLoop.TimerID?
    private var stopAction: Int?
    private let sweepInterval: Duration
    private(set) var isDraining = false
    private var drained: (@Sendable () -> Void)?

    init(
        loop: EventLoop, listener: Int32, configuration: HTTPServerConfiguration, handler: any HTTPHandler,
        counters: ServerCounters
    ) {
        self.loop = loop
        self.listener = listener
        self.configuration = configuration
        self.handler = handler
        self.counters = counters
        encoder = ResponseEncoder(configuration: configuration)
        let timeouts = configuration.timeouts
        let shortest = min(timeouts.idle, timeouts.header, timeouts.body, timeouts.handler, timeouts.write)
        sweepInterval = min(max(shortest / 8, .milliseconds(5)), .seconds(1))
    }

    deinit { scratch.deallocate() }

    func start() {
        stopAction = loop.addStopAction { [weak self] in self?.end() }
        listen()
    }

    private func listen() {
        do throws(TransportError) {
            try loop.register(listener, events: EPOLLIN.rawValue, handler: self)
        } catch {
            retryListening()
        }
    }

    // MARK: Accepting

    func handle(events: UInt32, descriptor: Int32) { accept(atMost: 64) }

    private func accept(atMost limit: Int) {
        for _ in 0..<limit {
            var address = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let descriptor = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { clinux_accept(listener, $0, &length) }
            }
            guard descriptor >= 0 else {
                switch errno {
                case EAGAIN: return
                case EMFILE, ENFILE, ENOBUFS, ENOMEM:
                    // The listener stays readable: watching it on would spin.
                    loop.unregister(listener)
                    retryListening()
                    return
                default: continue
                }
            }
            let peer = withUnsafeBytes(of: address) { IPAddress(socketAddress: $0) }
            add(descriptor, peerAddress: (peer?.mappedIPv4 ?? peer)?.description ?? "")
        }
    }

    private func retryListening() {
        acceptTimer = loop.schedule(after: .milliseconds(100)) { [weak self] in
            guard let self, !isDraining else { return }
            listen()
        }
    }

    private func add(_ descriptor: Int32, peerAddress: String) {
        let open = counters.openConnections.wrappingAdd(1, ordering: .relaxed).newValue
        let isOver = open > configuration.connectionLimit
        if isOver { counters.refusedConnections.wrappingAdd(1, ordering: .relaxed) }
        // A few more are accepted to be told; beyond that telling would cost what the limit is to save.
        if open > configuration.connectionLimit + 64 {
            close(descriptor)
            counters.openConnections.wrappingSubtract(1, ordering: .relaxed)
            return
        }
        counters.connections.wrappingAdd(1, ordering: .relaxed)
        let connection = HTTPConnection(descriptor: descriptor, peerAddress: peerAddress, server: self)
        connections[descriptor] = connection
        connection.start(isRefused: isOver)
        if sweepTimer == nil { scheduleSweep() }
    }

    // MARK: Deadlines

    private func scheduleSweep() {
        sweepTimer = loop.schedule(after: sweepInterval) { [weak self] in
            guard let self else { return }
            sweepTimer = nil
            let now = loop.now
            for connection in connections.values.filter({ $0.deadline <= now }) { connection.deadlinePassed() }
            if !connections.isEmpty { scheduleSweep() }
        }
    }

    // MARK: Ends

    /// Called by a connection that has closed its descriptor.
    func remove(_ connection: HTTPConnection, descriptor: Int32) {
        guard connections[descriptor] === connection else { return }
        connections[descriptor] = nil
        counters.openConnections.wrappingSubtract(1, ordering: .relaxed)
        if connections.isEmpty { finishDraining() }
    }

    /// Calls `drained` on the loop once no connection is left.
    func drain(gracePeriod: Duration, _ drained: @escaping @Sendable () -> Void) {
        guard !isDraining else {
            drained()
            return
        }
        // Who has connected already is served; who comes later is refused by the kernel.
        accept(atMost: 4_096)
        isDraining = true
        self.drained = drained
        closeListener()
        for connection in Array(connections.values) { connection.drain() }
        if connections.isEmpty {
            finishDraining()
        } else {
            graceTimer = loop.schedule(after: gracePeriod) { [weak self] in self?.end() }
        }
    }

    private func closeListener() {
        guard listener >= 0 else { return }
        loop.unregister(listener)
        close(listener)
        listener = -1
    }

    private func finishDraining() {
        guard isDraining, let drained else { return }
        self.drained = nil
        for timer in [graceTimer, sweepTimer, acceptTimer] { timer.map(loop.cancel) }
        if let stopAction { loop.removeStopAction(stopAction) }
        drained()
    }

    private func end() {
        isDraining = true
        closeListener()
        for connection in Array(connections.values) { connection.close() }
        finishDraining()
    }
}
