package import Stitching

/// What is kept of a session from its start to its end. None of it changes.
package struct SessionRecord: Sendable {
    package var key: SessionKey
    /// Nanoseconds since 1970, UTC.
    package var startedAt: Int64
    /// The query of the first request, or the `adsParams` of a session request: macros `[player_params.NAME]`.
    package var playerParameters: [String: String]
    package var viewer: Viewer

    package init(key: SessionKey, startedAt: Int64, playerParameters: [String: String], viewer: Viewer) {
        self.key = key
        self.startedAt = startedAt
        self.playerParameters = playerParameters
        self.viewer = viewer
    }
}

/// Where sessions and decisions are kept. Every entry is written once, by whoever comes first; the others are told what it says.
package protocol SessionStore: Sendable {
    /// What is known of a session: its record and the decisions taken for it.
    func session(_ key: SessionKey) async throws -> (record: SessionRecord, decisions: [BreakID: Decision])?

    /// Keeps a new session, unless there is one of this key already: then that one is answered.
    func create(_ record: SessionRecord) async throws -> SessionRecord

    /// Keeps a decision, unless there is one for this break already: then that one is answered.
    func decide(_ decision: Decision, for adBreak: BreakID, in session: SessionKey) async throws -> Decision

    /// Forgets a session.
    func remove(_ key: SessionKey) async throws
}
