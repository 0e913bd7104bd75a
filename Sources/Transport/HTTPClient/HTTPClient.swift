internal import CCurl
internal import Synchronization

/// Fetches over the loops of a group with libcurl. Connections are kept per loop and used again; cookies are kept only where a request brings a jar, and proxy
/// settings of the environment are not looked at.
package final class HTTPClient: Sendable {
    package let group: EventLoopGroup
    package let configuration: HTTPClientConfiguration
    private let parts: [ClientPart]
    private let lastID = Atomic<UInt64>(0)

    package init(group: EventLoopGroup, configuration: HTTPClientConfiguration = HTTPClientConfiguration()) {
        _ = Self.initializeLibrary
        self.group = group
        self.configuration = configuration
        parts = group.loops.map { ClientPart(loop: $0, configuration: configuration) }
    }

    deinit {
        for part in parts { part.loop.execute { part.shutdown() } }
    }

    /// Not thread-safe in libcurl, so once and first.
    private static let initializeLibrary: Bool = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// Sends the request and waits for the whole answer. May be called from anywhere; a caller on a loop of the group stays on it.
    /// Cancelling the task ends the transfer.
    package func fetch(_ request: HTTPClientRequest) async throws(HTTPClientError) -> HTTPClientResponse {
        let part = parts[group.preferred().index]
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        let cancelled = CancellationMark()
        let outcome: ClientTransfer.Outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let begin: @Sendable () -> Void = {
                    // A cancellation from another thread may have overtaken the start.
                    guard !cancelled.isSet.load(ordering: .acquiring) else {
                        continuation.resume(returning: .failure(HTTPClientError(.cancelled, "cancelled")))
                        return
                    }
                    part.start(id, request) { continuation.resume(returning: $0) }
                }
                if part.loop.isCurrent {
                    begin()
                } else if !part.loop.execute(begin) {
                    continuation.resume(returning: .failure(HTTPClientError(.stopped, "the loops have been stopped")))
                }
            }
        } onCancel: {
            cancelled.isSet.store(true, ordering: .releasing)
            part.loop.execute { part.cancel(id) }
        }
        return try outcome.get()
    }

    /// How many connections finished transfers have made so far.
    package func connectionsMade() async -> Int {
        var total = 0
        for part in parts {
            total += await withCheckedContinuation { continuation in
                if !part.loop.execute({ continuation.resume(returning: part.connectionsMade) }) {
                    continuation.resume(returning: 0)
                }
            }
        }
        return total
    }

    /// Ends all transfers and closes all connections.
    package func shutdown() async {
        for part in parts {
            await withCheckedContinuation { continuation in
                let isRunning = part.loop.execute {
                    part.shutdown()
                    continuation.resume()
                }
                if !isRunning { continuation.resume() }
            }
        }
    }
}

private final class CancellationMark: Sendable {
    let isSet = Atomic<Bool>(false)
}

/// A client's part on one loop. `@unchecked Sendable`: touched on that loop's thread only.
private final class ClientPart: @unchecked Sendable {
    let loop: EventLoop
    private let configuration: HTTPClientConfiguration
    private var pools: [Pool: ClientLoop] = [:]
    /// Connections are shared only by requests that ask the same of them.
    private struct Pool: Hashable {
        var policy: AddressPolicy
        var version: HTTPClientRequest.Version
    }

    private var owners: [UInt64: ClientLoop] = [:]
    private var stopAction: Int?
    private var isShutDown = false

    init(loop: EventLoop, configuration: HTTPClientConfiguration) {
        self.loop = loop
        self.configuration = configuration
    }

    var connectionsMade: Int { pools.values.reduce(0) { $0 + $1.connectionsMade } }

    func start(_ id: UInt64, _ request: HTTPClientRequest, _ completion: @escaping (ClientTransfer.Outcome) -> Void) {
        guard !isShutDown else {
            completion(.failure(HTTPClientError(.stopped, "the client has been shut down")))
            return
        }
        if stopAction == nil { stopAction = loop.addStopAction { [weak self] in self?.shutdown() } }
        let pool = Pool(policy: request.addressPolicy, version: request.httpVersion)
        let owner = pools[pool] ?? ClientLoop(loop: loop, configuration: configuration)
        pools[pool] = owner
        do throws(HTTPClientError) {
            let transfer = try ClientTransfer(id: id, request: request, headerLimit: configuration.headerBytes) {
                [weak self] outcome in
                self?.owners[id] = nil
                completion(outcome)
            }
            owners[id] = owner
            owner.start(transfer)
        } catch {
            completion(.failure(error))
        }
    }

    func cancel(_ id: UInt64) { owners[id]?.cancel(id) }

    func shutdown() {
        isShutDown = true
        for owner in pools.values { owner.shutdown() }
        pools = [:]
        if let stopAction { loop.removeStopAction(stopAction) }
        stopAction = nil
    }
}
