/// What is known of a session from its start to its end. None of it changes.
package struct SessionRecord: Sendable {
    package var key: SessionKey
    /// Nanoseconds since 1970, UTC.
    package var startedAt: Int64
    /// The query of the first request, or the `adsParams` of a session request: macros `[player_params.NAME]`.
    package var playerParameters: [String: String]
    package var viewer: Viewer
    /// What the first request had for the origin.
    package var originParameters = OriginParameters()
    /// Who calls what its ads name: settled with its beginning, so that a change of the configuration never lets two call one address.
    package var tracking: SourceOptions.Tracking

    /// Its player has to be told of all that ads carry.
    var tellsPlayer: Bool { tracking != .server }

    package init(
        key: SessionKey, startedAt: Int64, playerParameters: [String: String], viewer: Viewer,
        originParameters: OriginParameters = OriginParameters(), tracking: SourceOptions.Tracking = .server
    ) {
        self.tracking = tracking
        self.originParameters = originParameters
        self.key = key
        self.startedAt = startedAt
        self.playerParameters = playerParameters
        self.viewer = viewer
    }
}
