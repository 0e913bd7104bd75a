package import HLS

/// A playlist as the origin has it, URIs absolute: what a session without ads is served.
package enum PassthroughPlaylist {
    /// All lines of a media playlist, byte for byte but for URLs.
    package static func bytes(of playlist: MediaPlaylist, at url: String) -> [UInt8] {
        playlist.resolvingURIs(against: BaseURI(url))
    }

    /// The same as an answer. Nil where bytes alone would promise what a server in between does not keep: low-latency
    /// delivery (rules 1006, 1011).
    package static func playlist(_ playlist: MediaPlaylist, at url: String) -> StitchedPlaylist? {
        guard !playlist.isLowLatency, playlist.skippedSegments == 0 else { return nil }
        return StitchedPlaylist(bytes: bytes(of: playlist, at: url), entries: [], hasEnded: playlist.hasEndList)
    }
}
