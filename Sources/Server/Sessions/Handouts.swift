internal import Stitching
internal import Transport

/// What all sessions of this process together may keep.
struct SessionBudgets: Sendable {
    /// For players: what ads carry.
    var handouts = ByteBudget(256 << 20)
    /// Cookies of ad servers and trackers.
    var cookies = ByteBudget(64 << 20)
}

/// What a session's player is told of the breaks that its playlists may show. Where there is no room for more, ads are told by name and
/// times alone: what players count does not hang on it.
struct Handouts: ~Copyable, Sendable {
    private var ads: [BreakID: [AdHandout?]] = [:]
    private var handouts: [BreakID: BreakHandout] = [:]
    private var byteCounts: [BreakID: Int] = [:]
    private var byteCount = 0
    private let budget: ByteBudget

    /// Of one session, bytes: eight breaks that carry the most that one may.
    private static let byteLimit = HandoutMaker.byteLimit * 8
    private static let breakLimit = 1_000

    init(budget: ByteBudget) { self.budget = budget }

    deinit { budget.giveBack(byteCount) }

    var isEmpty: Bool { byteCounts.isEmpty }

    /// Breaks of which something is told besides their ads.
    var breaks: Set<BreakID> { Set(handouts.keys) }

    func ads(of adBreak: BreakID) -> [AdHandout?] { ads[adBreak] ?? [] }

    func handout(of adBreak: BreakID) -> BreakHandout? { handouts[adBreak] }

    /// What comes first for a break stays.
    mutating func add(_ kept: KeptDecision, for adBreak: BreakID) {
        guard kept.handouts != nil || kept.breakHandout != nil, byteCounts[adBreak] == nil else { return }
        let bytes =
            (kept.handouts ?? []).reduce(0) { $0 + ($1?.byteCount ?? 0) } + (kept.breakHandout?.byteCount ?? 0)
        guard byteCounts.count < Self.breakLimit, byteCount + bytes <= Self.byteLimit, budget.take(bytes) else {
            return
        }
        byteCount += bytes
        byteCounts[adBreak] = bytes
        ads[adBreak] = kept.handouts
        handouts[adBreak] = kept.breakHandout
    }

    /// Lets go of all other breaks.
    mutating func keep(_ current: Set<BreakID>) {
        let gone = byteCounts.keys.filter { !current.contains($0) }
        guard !gone.isEmpty else { return }
        var freed = 0
        for adBreak in gone {
            freed += byteCounts.removeValue(forKey: adBreak) ?? 0
            ads[adBreak] = nil
            handouts[adBreak] = nil
        }
        byteCount -= freed
        budget.giveBack(freed)
    }
}
