/// Times code against a limit.
enum Measurement {
    /// Shortest times of one call, the rounds of both alternated, so that what else the machine does hits both alike.
    ///
    /// Calls that are too short for the clock are timed in batches.
    static func alternated(
        rounds: Int = 40, limit: () -> Void, ours: () -> Void
    ) -> (limit: Duration, ours: Duration) {
        let clock = ContinuousClock()
        let limitBatch = batch(clock.measure(limit))
        let oursBatch = batch(clock.measure(ours))
        var best = (limit: Duration.seconds(1_000), ours: Duration.seconds(1_000))
        for _ in 0..<rounds {
            best.limit = min(best.limit, clock.measure { for _ in 0..<limitBatch { limit() } } / limitBatch)
            best.ours = min(best.ours, clock.measure { for _ in 0..<oursBatch { ours() } } / oursBatch)
        }
        return best
    }

    /// So many calls as last a millisecond, and no more than 500.
    private static func batch(_ single: Duration) -> Int {
        min(max(Int(Duration.milliseconds(1) / max(single, .nanoseconds(1))), 1), 500)
    }

    /// A number with two decimals.
    static func text(_ number: Double) -> String {
        let hundredths = Int(number * 100 + 0.5)
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
    }
}
