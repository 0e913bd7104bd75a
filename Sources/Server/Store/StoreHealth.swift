/// What is known of whether a store can be used. Reading may go on where writing does not.
struct StoreHealth: Sendable {
    enum Kind: Hashable, Sendable { case read, write }

    private var failing: Set<Kind> = []
    /// Monotonic times.
    private var awaySince: Duration?
    private var backSince: Duration?
    private var failedAt: Duration?
    private var toldAt: Duration?
    /// A store that does not answer in time is left alone for a moment, so that nobody waits for it in vain.
    private var patience = BackOff(first: .seconds(1), longest: .seconds(15))

    /// What other servers have shown while it was away comes in first.
    static let settling = Duration.milliseconds(300)
    /// An absence is over when nothing has failed for so long: a full disk takes a little now and then.
    static let quietTime = Duration.seconds(5)
    /// Between two reports of one absence.
    private static let reportInterval = Duration.seconds(60)

    var isAway: Bool { !failing.isEmpty }

    func isAway(_ kind: Kind) -> Bool { failing.contains(kind) }

    func allows(at now: Duration) -> Bool { patience.allows(at: now) }

    /// It is there, and has been for a moment.
    func isSound(at now: Duration) -> Bool {
        !isAway(.write) && backSince.map { now - $0 >= Self.settling } ?? true
    }

    /// For how long it has been away, if that is to be told now.
    mutating func failed(_ kind: Kind, _ error: StoreError, at now: Duration) -> Duration? {
        if error.isTimeout { patience.failed(at: now) }
        failing.insert(kind)
        failedAt = now
        let since = awaySince ?? now
        awaySince = since
        if let toldAt, now - toldAt < Self.reportInterval { return nil }
        toldAt = now
        return now - since
    }

    mutating func succeeded(_ kind: Kind, at now: Duration) {
        patience.succeeded()
        guard failing.remove(kind) != nil else { return }
        if kind == .write { backSince = now }
    }

    /// How long it was away, if that is over now.
    mutating func endAbsence(at now: Duration) -> Duration? {
        guard failing.isEmpty, let since = awaySince, let failedAt, now - failedAt >= Self.quietTime else { return nil }
        awaySince = nil
        toldAt = nil
        return failedAt - since
    }
}
