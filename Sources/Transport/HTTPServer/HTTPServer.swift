/// An HTTP/1.1 server on the loops of a group. Each loop has its own listening socket.
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

    package init(configuration: HTTPServerConfiguration, handler: any HTTPHandler, group: EventLoopGroup) {
        self.configuration = configuration
    }

    /// Binds and listens. Connections are accepted from then on.
    /// - Returns: the port, which the system chose if the configuration says 0.
    @discardableResult
    package func start() throws(TransportError) -> UInt16 {
        throw TransportError(.system, "not built yet")
    }

    package var counters: Counters { Counters() }

    /// Stops accepting, closes idle connections, lets requests in flight finish within the grace period, then closes the rest.
    package func shutdown(gracePeriod: Duration) async {}
}
