internal import Synchronization

/// Totals that all loops add to. Relaxed: they are only read for reports.
final class ServerCounters: Sendable {
    let requests = Atomic<UInt64>(0)
    let connections = Atomic<UInt64>(0)
    let openConnections = Atomic<Int>(0)
    let refusedConnections = Atomic<UInt64>(0)
    let receivedBytes = Atomic<UInt64>(0)
    let sentBytes = Atomic<UInt64>(0)
    let protocolErrors = Atomic<UInt64>(0)
    let handlerTimeouts = Atomic<UInt64>(0)

    var snapshot: HTTPServer.Counters {
        HTTPServer.Counters(
            requests: requests.load(ordering: .relaxed), connections: connections.load(ordering: .relaxed),
            openConnections: openConnections.load(ordering: .relaxed),
            refusedConnections: refusedConnections.load(ordering: .relaxed),
            receivedBytes: receivedBytes.load(ordering: .relaxed), sentBytes: sentBytes.load(ordering: .relaxed),
            protocolErrors: protocolErrors.load(ordering: .relaxed),
            handlerTimeouts: handlerTimeouts.load(ordering: .relaxed))
    }
}
