/// Whether a server is asked that has failed: while it answers everybody may; when its last answers were failures one request at a
/// time is let through, after a wait that doubles.
struct Circuit: Sendable {
    /// Leave to make one request; its outcome is told with it.
    struct Permit: Sendable {
        fileprivate let round: Int
        let isProbe: Bool
    }

    enum Outcome: Sendable {
        /// It has answered, whatever the answer says of ads.
        case answered
        case failed
        /// Nothing was learned of the server.
        case unknown
    }

    /// Outcomes that are looked at.
    private static let memory = 16
    /// One lost request is no reason to lose the next viewer's ads.
    private static let toleratedFailures = 3

    /// The latest outcomes, the last one in the lowest bit; a failure is a 1.
    private var history: UInt32 = 0
    private var count = 0
    /// Rises whenever it opens: what was asked before tells no more than is known.
    private var round = 0
    private var backOff = BackOff(first: .seconds(1), longest: .seconds(15))
    /// Monotonic time at which the probe under way is over.
    private var probeEnds: Duration?
    /// The server is left alone, but for probes.
    private(set) var isOpen = false

    /// Whether ``permit(at:until:)`` would give leave now.
    func mayAsk(at now: Duration) -> Bool {
        guard isOpen else { return true }
        return backOff.allows(at: now) && probeEnds.map { now >= $0 } ?? true
    }

    /// - Parameters:
    ///   - now: monotonic.
    ///   - ends: when the request is over at the latest.
    mutating func permit(at now: Duration, until ends: Duration) -> Permit? {
        guard mayAsk(at: now) else { return nil }
        guard isOpen else { return Permit(round: round, isProbe: false) }
        probeEnds = max(ends, now + .milliseconds(1))
        return Permit(round: round, isProbe: true)
    }

    mutating func ended(_ permit: Permit, _ outcome: Outcome, at now: Duration) {
        switch outcome {
        case .answered:
            if isOpen {
                close()
            } else {
                remember(failure: false)
            }
        case .unknown:
            if permit.isProbe, permit.round == round { probeEnds = nil }
        case .failed:
            // Of those under way when it opened, none makes the wait longer.
            guard permit.round == round else { return }
            if isOpen {
                guard permit.isProbe else { return }
                probeEnds = nil
                backOff.failed(at: now)
            } else {
                remember(failure: true)
                if isFailing { open(at: now) }
            }
        }
    }

    private mutating func remember(failure: Bool) {
        history = (history << 1 | (failure ? 1 : 0)) & ((1 << UInt32(Self.memory)) - 1)
        count = min(count + 1, Self.memory)
    }

    /// All of a few, or nearly all of many: a server that answers some is worth asking.
    private var isFailing: Bool {
        let failures = history.nonzeroBitCount
        return failures >= Self.toleratedFailures && (count - failures) * 8 <= count
    }

    private mutating func open(at now: Duration) {
        isOpen = true
        round += 1
        probeEnds = nil
        backOff.failed(at: now)
    }

    private mutating func close() {
        isOpen = false
        history = 0
        count = 0
        probeEnds = nil
        backOff.succeeded()
    }
}
