internal import Transport

/// What an address asks for. Read from decoded parts, so a raw colon and `%3A` in a stream ID are the same.
enum Route: Equatable {
    /// The multivariant playlist; without a stream ID a new one is given out.
    case multivariant(SourceID, StreamID?)
    case media(SessionKey, rendition: String)
    /// An ad segment of a VOD session: sent on to where it lies, and counted.
    case adSegment(SessionKey, path: [String])
    /// The empty WebVTT that fills subtitle renditions during ads, for media that begin at this time of their clock.
    case emptySubtitles(SourceID, timestamp: Int64)
    /// A part of a subtitle segment.
    case subtitlePiece(SessionKey, path: [String])
    /// A session in the form that players written for MediaTailor use.
    case sessionStart(name: String)
    /// What the session's breaks hold, for its player.
    case tracking(SessionKey)
    /// The same, by the stream ID alone.
    case trackingOf(StreamID)
    /// A player reports an event of an ad.
    case relay(SessionKey, RelayedEvent)

    enum Failure: Error, Equatable {
        case unknown
        /// There is such a route, but not with this stream ID.
        case badStreamID
    }

    static let multivariantName = "master.m3u8"
    static let adSegmentFolder = "ad"
    static let beaconPrefix = "/v1/beacon"

    /// - Parameters:
    ///   - segments: of the path, percent-decoded.
    ///   - streamID: the value of the query parameter `stream_id`, if there is one.
    init(segments: [String], streamID: String?) throws(Failure) {
        guard let first = segments.first else { throw .unknown }
        if let kind = SourceKind(rawValue: first), segments.count >= 3 {
            self = try Self.playlist(SourceID(kind: kind, name: segments[1]), segments[2...], streamID)
        } else if segments.count == 3, first == "v1", segments[1] == "session" {
            self = .sessionStart(name: segments[2])
        } else if segments.count == 3, first == "v1", segments[1] == "tracking" {
            guard let id = StreamID(segments[2]) else { throw .badStreamID }
            self = .trackingOf(id)
        } else if segments.count == 5, first == "v1", segments[1] == "tracking" {
            self = .tracking(try Self.session(segments[2..<5]))
        } else if segments.count == 8, first == "v1", segments[1] == "beacon" {
            guard let event = RelayedEvent(Array(segments[5...])) else { throw .unknown }
            self = .relay(try Self.session(segments[2..<5]), event)
        } else {
            throw .unknown
        }
    }

    /// Of `live/news/ID`.
    private static func session(_ parts: ArraySlice<String>) throws(Failure) -> SessionKey {
        let parts = Array(parts)
        guard parts.count == 3, let kind = SourceKind(rawValue: parts[0]) else { throw .unknown }
        guard let id = StreamID(parts[2]) else { throw .badStreamID }
        return SessionKey(source: SourceID(kind: kind, name: parts[1]), streamID: id)
    }

    private static func playlist(
        _ source: SourceID, _ rest: ArraySlice<String>, _ streamID: String?
    ) throws(Failure) -> Route {
        guard let first = rest.first else { throw .unknown }
        guard rest.count > 1 else {
            guard first == multivariantName else { throw .unknown }
            guard let streamID else { return .multivariant(source, nil) }
            guard let valid = StreamID(streamID) else { throw .badStreamID }
            return .multivariant(source, valid)
        }
        guard let valid = StreamID(first) else { throw .badStreamID }
        let key = SessionKey(source: source, streamID: valid)
        let name = rest[rest.startIndex + 1]
        if rest.count == 2 {
            if name == multivariantName { return .multivariant(source, valid) }
            if let timestamp = EmptySubtitles.timestamp(ofName: name) {
                return .emptySubtitles(source, timestamp: timestamp)
            }
            guard name.hasSuffix(".m3u8") else { throw .unknown }
            return .media(key, rendition: String(name.dropLast(5)))
        }
        let path = Array(rest.dropFirst(2))
        switch name {
        case adSegmentFolder: return .adSegment(key, path: path)
        case SubtitlePieces.folder: return .subtitlePiece(key, path: path)
        default: throw .unknown
        }
    }
}

extension Route {
    /// What may be asked of it, besides OPTIONS.
    var methods: [HTTPMethod] {
        switch self {
        // Asking what there is would begin a session.
        case .sessionStart: [.get, .post]
        case .tracking, .trackingOf, .relay: [.get, .head, .post]
        default: [.get, .head]
        }
    }

    /// For the header of that name.
    var allow: String { (methods + [.options]).map(\.rawValue).joined(separator: ", ") }
}
