/// How long the leading rendition has brought nothing new, as a server measures it: from when it got the newest segment that it knows.
struct LeadingSilence {
    /// Before the playlists of this round.
    private(set) var length = Duration.zero
    private var now = Duration.zero
    /// The end of the newest segment, and when it was seen first.
    private var newest: (end: Duration, seenAt: Duration)?

    /// Playlists that are asked for together are measured from before them all.
    mutating func beginRound(at now: Duration) {
        self.now = now
        length = newest.map { now - $0.seenAt } ?? .zero
    }

    /// A playlist of the leading rendition. An older one brings nothing.
    mutating func see(_ end: Duration) {
        if newest.map({ end > $0.end }) ?? true { newest = (end, now) }
    }
}
