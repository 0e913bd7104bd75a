internal import HLS
internal import Stitching
internal import Transport

/// What became of one attempt to send a beacon.
enum BeaconOutcome: Sendable {
    /// The server gave an answer, whatever its status.
    case delivered(status: Int)
    /// It is certain that nothing arrived (no address, connection refused): may be tried again.
    case notSent(reason: String)
    /// It may have arrived: never sent again.
    case unknown(reason: String)
    /// Not to be sent at all: the address is not allowed, or is no address.
    case refused(reason: String)

    /// For operators.
    var text: String {
        switch self {
        case .delivered(let status): "delivered, \(status)"
        case .notSent(let reason): "not sent: \(reason)"
        case .unknown(let reason): "unknown: \(reason)"
        case .refused(let reason): "refused: \(reason)"
        }
    }
}

/// One call to a tracking address, ready to be made.
struct Beacon: Sendable {
    /// The order is kept among the beacons of one session to one host.
    struct Lane: Hashable, Sendable {
        var session: SessionKey
        var host: String
    }

    /// VAST's or VMAP's word for the event: `impression`, `start`, `error`, ...
    var event: String
    var adBreak: BreakID
    var lane: Lane
    /// With its macros filled in as they were when the event fell due.
    var url: String
    var headers: [(String, String)]
    /// Those of the session.
    var cookies: CookieJar
    /// Names it among all of its session, for all servers and for ever.
    var name = ""
    /// Wall clock before which it is not sent, nanoseconds since 1970; what is past is now.
    var due: Int64 = 0
    /// Those that were made, when nothing arrived.
    var attempts = 0

    /// About how much memory it takes, bytes.
    var cost: Int { 200 + url.utf8.count + headers.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count } }
}

extension Beacon {
    /// As it is kept in a store.
    private struct Kept: Codable {
        var kind: String
        var source: String
        var stream: String
        var event: String
        var adBreak: String
        var url: String
        /// Names and values in turn.
        var headers: [String]
    }

    /// What a store is to keep until it is sent.
    var bytes: [UInt8]? {
        let key = lane.session
        let kept = Kept(
            kind: key.source.kind.rawValue, source: key.source.name, stream: key.streamID.text, event: event,
            adBreak: adBreak.text, url: url, headers: headers.flatMap { [$0.0, $0.1] })
        return try? StateEncoder().bytes(kept)
    }

    /// What another process has left in a store.
    ///
    /// - Parameter cookies: those of the session, if it is known here.
    init?(_ row: BeaconRow, cookies: (SessionKey) -> CookieJar) {
        guard let kept = try? StateDecoder().value(Kept.self, from: row.value),
            let kind = SourceKind(rawValue: kept.kind), let id = StreamID(kept.stream)
        else { return nil }
        let key = SessionKey(source: SourceID(kind: kind, name: kept.source), streamID: id)
        let pairs = stride(from: 0, to: kept.headers.count - 1, by: 2).map { (kept.headers[$0], kept.headers[$0 + 1]) }
        self.init(
            event: kept.event, adBreak: BreakID(kept.adBreak),
            lane: Lane(session: key, host: URIReference.host(of: kept.url)), url: kept.url, headers: pairs,
            cookies: cookies(key), name: row.name, due: row.due, attempts: row.attempts)
    }
}
