internal import HLS

/// Whether the origin in use brings what is new, and whether the first one is well again.
///
/// Times are monotonic. An origin that nobody asks is neither well nor ill.
struct OriginHealth: Sendable {
    private var edge: DateTime?
    private var silentSince: Duration?
    private var probedAt: Duration?
    private var primaryVersion: UInt64?
    private var primaryNewsAt = Duration.zero
    private var wellSince: Duration?

    /// The origin in use was asked; up to where the content is known since.
    mutating func asked(edge: DateTime?, at now: Duration) {
        if let edge, edge != self.edge {
            self.edge = edge
            silentSince = nil
        } else if silentSince == nil {
            silentSince = now
        }
    }

    /// How long the origin in use was asked and has brought nothing.
    func silence(at now: Duration) -> Duration { silentSince.map { now - $0 } ?? .zero }

    /// Another origin is in use.
    mutating func switched() {
        silentSince = nil
        probedAt = nil
        primaryVersion = nil
        wellSince = nil
    }

    /// It is time to look at the first origin, and the caller is the one to do it.
    mutating func claimProbe(every interval: Duration, at now: Duration) -> Bool {
        if let probedAt, now - probedAt < interval { return false }
        probedAt = now
        return true
    }

    /// The first origin was looked at: the version of its playlist; nil where it has failed. It is well as long as there are newer ones.
    mutating func probed(version: UInt64?, patience: Duration, at now: Duration) {
        guard let version else {
            wellSince = nil
            primaryVersion = nil
            return
        }
        if primaryVersion == nil {
            primaryNewsAt = now
        } else if version != primaryVersion {
            primaryNewsAt = now
            wellSince = wellSince ?? now
        } else if now - primaryNewsAt > patience {
            wellSince = nil
        }
        primaryVersion = version
    }

    /// How long the first origin has been well.
    func wellness(at now: Duration) -> Duration { wellSince.map { now - $0 } ?? .zero }
}
