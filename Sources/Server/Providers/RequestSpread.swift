internal import Stitching

/// Spreads the requests of a channel's sessions for one break over the time there is, so that they do not all come in one instant.
///
/// Each session has its own share of the time, the same whenever it is worked out.
struct RequestSpread: Sendable {
    /// So many sessions ask at once: nobody is kept waiting where there is no crowd.
    private static let few = 16
    /// Time for each session, before the break begins and when it has.
    private static let stepAhead = Duration.milliseconds(10)
    private static let step = Duration.microseconds(500)

    /// Of the channel.
    var sessions: Int

    /// - Parameters:
    ///   - isAhead: the break has not begun.
    ///   - room: until it does; else until it is decided without ads.
    func delay(of session: SessionKey, for adBreak: BreakID, isAhead: Bool, room: Duration) -> Duration {
        guard sessions > Self.few, room > .zero else { return .zero }
        // What is left is for the ad server: most of a deadline, and time enough before a break.
        let window = min((isAhead ? Self.stepAhead : Self.step) * sessions, isAhead ? room / 2 : room / 4)
        let digits = fingerprint("\(adBreak.text)/\(session.publicName)").prefix(4)
        return window * Int(UInt16(digits, radix: 16) ?? 0) / 65_536
    }
}
