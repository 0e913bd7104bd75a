internal import Stitching
internal import VAST

/// What a player is told of an ad besides its times, for sources whose players report what they show. Kept with the decision, and never
/// logged: it may hold the identifiers and tokens of one viewer (R-I9).
struct AdHandout: Sendable, Codable {
    /// Members of the ad's object as ``AdJSON`` has them, without the braces.
    var members: String
    /// Elements of the break's `nonLinearAdsList`, as JSON.
    var nonLinears: [String] = []
    /// What only the player knows of. The addresses with their macros.
    var actions: [AdTracking.Event] = []

    /// - Parameter length: of the ad's media.
    init(_ ad: ResolvedAd, length: Duration, _ json: AdJSON) {
        members = json.members(of: ad, length: length).written
        guard json.extent != .named else { return }
        nonLinears = json.nonLinears(of: ad, isAlone: false).map(\.compact)
        actions = PlayerEvents.events(of: ad)
    }

    /// Of an ad of which only its name is known.
    init(vastAdID: String) {
        members = AdJSON.members(vastAdID: vastAdID).written
    }

    var byteCount: Int {
        actions.reduce(nonLinears.reduce(members.utf8.count) { $0 + $1.utf8.count }) { sum, action in
            action.urls.reduce(sum) { $0 + $1.utf8.count }
        }
    }
}
