/// How often a viewer asked, and what of it went wrong: a playlist can only be as new as the requests that make it.
struct AnswerPace {
    private var polls: [(at: Duration, isFaulty: Bool)] = []

    mutating func poll(at time: Duration, isFaulty: Bool) { polls.append((time, isFaulty)) }

    /// Whether since a time there was a fault, or a pause longer than `pause`.
    func isDisturbed(since time: Duration, pause: Duration) -> Bool {
        var before: Duration?
        for poll in polls where poll.at >= time {
            if poll.isFaulty { return true }
            if let before, poll.at - before > pause { return true }
            before = poll.at
        }
        return false
    }
}
