internal import Synchronization
internal import Transport

/// Uses a store of beacons, leaves it alone for a moment when it fails, and tells of that once a minute.
final class BeaconStoreTrials: Sendable {
    private let time: any TimeSource
    private let log: Log
    private let metrics: Metrics
    private let patience = Mutex(BackOff(first: .seconds(1), longest: .seconds(5)))

    init(time: any TimeSource, log: Log, metrics: Metrics) {
        self.time = time
        self.log = log
        self.metrics = metrics
    }

    /// What a use of the store gives; nil where it has failed, now or a moment ago.
    func make<Value: Sendable>(_ use: () async throws(StoreError) -> Value) async -> Value? {
        guard patience.withLock({ $0.allows(at: time.monotonic()) }) else { return nil }
        do throws(StoreError) {
            let value = try await use()
            patience.withLock { $0.succeeded() }
            return value
        } catch {
            failed(error)
            return nil
        }
    }

    func failed(_ error: StoreError) {
        metrics.storeFailures.increment()
        let now = time.monotonic()
        patience.withLock { $0.failed(at: now) }
        log.once(
            "beacons.unkept/\(now.components.seconds / 60)", .error, "beacons.unkept",
            reason: "\(error); what is due would be lost with the process")
    }
}
