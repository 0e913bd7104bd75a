internal import Glibc
internal import Synchronization

/// An HTTP/1.1 server on the loops of a group. Each loop has its own listening socket (SO_REUSEPORT) and its own connections.
package final class HTTPServer: Sendable {
    /// Totals since the start.
    package struct Counters: Sendable, Equatable {
        package var requests: UInt64 = 0
        package var connections: UInt64 = 0
        package var openConnections: Int = 0
        package var refusedConnections: UInt64 = 0
        package var receivedBytes: UInt64 = 0
        package var sentBytes: UInt64 = 0
        /// Requests answered by the server itself because they broke a rule or a limit.
        package var protocolErrors: UInt64 = 0
        package var handlerTimeouts: UInt64 = 0
    }

    package let configuration: HTTPServerConfiguration
    private let handler: any HTTPHandler
    private let group: EventLoopGroup
    private let totals = ServerCounters()
    private let parts = Mutex<[ServerLoop]>([])

    package init(configuration: HTTPServerConfiguration, handler: any HTTPHandler, group: EventLoopGroup) {
        self.configuration = configuration
        self.handler = handler
        self.group = group
    }

    /// Binds and listens. Connections are accepted from then on, until `shutdown`.
    /// - Returns: the port, which the system chose if the configuration says 0.
    @discardableResult
    package func start() throws(TransportError) -> UInt16 {
        let (descriptors, port) = try ListeningSocket.open(
            address: configuration.address, port: configuration.port, count: group.loops.count)
        let started = zip(group.loops, descriptors).map { loop, descriptor in
            ServerLoop(
                loop: loop, listener: descriptor, configuration: configuration, handler: handler, counters: totals)
        }
        for part in started where !part.loop.execute({ part.start() }) {
            for descriptor in descriptors { close(descriptor) }
            throw TransportError(.stopped, "the event loops have been stopped")
        }
        parts.withLock { $0.append(contentsOf: started) }
        return port
    }

    package var counters: Counters { totals.snapshot }

    /// Stops accepting, closes idle connections, lets requests in flight finish within the grace period, then closes the rest.
    package func shutdown(gracePeriod: Duration) async {
        let parts = self.parts.withLock { parts in
            defer { parts = [] }
            return parts
        }
        await withTaskGroup(of: Void.self) { group in
            for part in parts {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        let isRunning = part.loop.execute {
                            part.drain(gracePeriod: gracePeriod) { continuation.resume() }
                        }
                        // A stopped loop has closed its connections.
                        if !isRunning { continuation.resume() }
                    }
                }
            }
        }
    }
}
