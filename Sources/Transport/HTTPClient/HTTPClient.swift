/// Fetches over the loops of a group. Connections are kept and used again.
package final class HTTPClient: Sendable {
    package let group: EventLoopGroup
    package let configuration: HTTPClientConfiguration

    package init(group: EventLoopGroup, configuration: HTTPClientConfiguration = HTTPClientConfiguration()) {
        self.group = group
        self.configuration = configuration
    }

    /// Sends the request and waits for the whole answer. May be called from anywhere; a caller on a loop of the group stays on it.
    /// Cancelling the task ends the transfer.
    package func fetch(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse {
        throw HTTPClientError(.stopped, "not built yet")
    }

    /// Ends all transfers and closes all connections.
    package func shutdown() async {}
}
