internal import Stitching
internal import VAST

/// What a player is told of a break that comes with none of its linear ads. Kept with the decision, and never logged.
struct BreakHandout: Sendable, Codable {
    /// Elements of `nonLinearAdsList`, as JSON.
    var overlays: [String] = []
    /// Of the break as a whole, where no ad carries them: breakStart and breakEnd, the addresses with their macros.
    var events: [AdTracking.Event] = []
    /// A VMAP says that nothing is to be stitched here: told among `nonLinearAvails`.
    var isNonLinear = false

    var isEmpty: Bool { overlays.isEmpty && events.isEmpty }

    var byteCount: Int {
        events.reduce(overlays.reduce(0) { $0 + $1.utf8.count }) { sum, event in
            event.urls.reduce(sum) { $0 + $1.utf8.count }
        }
    }
}
