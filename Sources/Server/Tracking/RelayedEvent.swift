internal import Stitching

/// An event of an ad that a player reports to us, and we to whom the ad names: `/v1/beacon/{kind}/{source}/{ID}/{break}/{ad}/{event}`.
struct RelayedEvent: Hashable, Sendable {
    var breakID: BreakID
    /// Index in the pod.
    var ad: Int
    /// Index among the ad's events: first those of its ``AdTracking``, then the actions of its ``AdHandout``.
    var event: Int

    func path(in session: SessionKey) -> String {
        "\(Route.beaconPrefix)/\(session.path)/\(percentEscaped(breakID.text))/\(ad)/\(event)"
    }

    init(breakID: BreakID, ad: Int, event: Int) {
        self.breakID = breakID
        self.ad = ad
        self.event = event
    }

    /// From the parts of a path behind the session, percent-decoded.
    init?(_ parts: [String]) {
        guard parts.count == 3, let ad = Int(parts[1]), let event = Int(parts[2]), ad >= 0, event >= 0 else {
            return nil
        }
        self.init(breakID: BreakID(parts[0]), ad: ad, event: event)
    }

    /// Names it among all that a session claims in the store.
    var claim: String { "relay/\(breakID)/\(ad)/\(event)" }
}
