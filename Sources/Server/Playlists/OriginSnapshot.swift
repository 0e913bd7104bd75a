internal import HLS

/// One fetched version of one upstream playlist: parsed once, shared by all sessions, never changed.
struct OriginSnapshot: Sendable {
    /// Where it came from in the end: what relative URIs in it are relative to.
    var finalURL: String
    var playlist: Playlist
    /// Counts the versions of this playlist; the same number means the same bytes.
    var version: UInt64
    /// Monotonic time at which it was last known to be what the origin has.
    var confirmedAt: Duration

    var media: MediaPlaylist? { playlist.media }

    var multivariant: MultivariantPlaylist? {
        if case .multivariant(let playlist) = playlist { return playlist }
        return nil
    }
}

extension Playlist {
    var media: MediaPlaylist? {
        if case .media(let playlist) = self { return playlist }
        return nil
    }

    /// The bytes as they were received.
    var source: [UInt8] {
        switch self {
        case .multivariant(let playlist): playlist.source
        case .media(let playlist): playlist.source
        }
    }
}

/// Why there is no playlist of the origin's.
enum OriginFailure: Error, Sendable, Hashable {
    /// The origin says that there is none.
    case notFound(status: Int)
    /// Another status than 200.
    case status(Int)
    /// No answer in time.
    case timeout
    /// No connection, or it broke.
    case unreachable(String)
    /// An answer that is no playlist.
    case notAPlaylist(String)
    /// The address in the configuration or in the multivariant playlist cannot be used.
    case badURL

    /// One line for the log.
    var reason: String {
        switch self {
        case .notFound(let status): "origin answers \(status)"
        case .status(let status): "origin answers \(status)"
        case .timeout: "origin did not answer in time"
        case .unreachable(let detail): "origin cannot be reached: \(detail)"
        case .notAPlaylist(let detail): "origin's answer is no playlist: \(detail)"
        case .badURL: "origin's address cannot be used"
        }
    }
}
