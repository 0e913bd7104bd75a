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

    package init(
        key: SessionKey, startedAt: Int64, playerParameters: [String: String], viewer: Viewer,
        originParameters: OriginParameters = OriginParameters()
    ) {
        self.originParameters = originParameters
        self.key = key
        self.startedAt = startedAt
        self.playerParameters = playerParameters
        self.viewer = viewer
    }
}
