/// A beacon as it is kept until it is sent, and its name for as long as it may fall due again.
struct BeaconRow: Sendable, Equatable {
    /// The session, as the store names it.
    var owner: String
    /// Unique in the session.
    var name: String
    /// Bytes that only who wrote them understands: a secret, since addresses of trackers are.
    var value: [UInt8]
    /// Before that it is not sent, nanoseconds since 1970.
    var due: Int64
    /// Until when the name is remembered once it is sent, nanoseconds since 1970.
    var expiry: Int64
    /// The name is also remembered for as long as the session lives.
    var isKeptWithOwner: Bool
    var attempts = 0
}

/// What became of a kept beacon.
struct BeaconMark: Sendable, Equatable {
    enum Fate: Sendable, Equatable {
        /// Sent, or given up: only its name is left.
        case done
        /// Nothing arrived in so many attempts.
        case attempted(Int)
    }

    var owner: String
    var name: String
    var fate: Fate
}

/// Where beacons are kept that are due and not sent: what a process leaves that ends, another one sends.
///
/// Each beacon has one holder, a process that has said not long ago that it lives.
protocol BeaconStore: Sendable {
    /// Keeps each unless there is, or was, one of its name; those that are new are the holder's to send. All or none, in one commit.
    ///
    /// - Parameter lease: until when the holder is taken to live, nanoseconds since 1970.
    func keep(_ rows: [BeaconRow], for holder: String, until lease: Int64) async throws(StoreError) -> [Bool]

    func mark(_ marks: [BeaconMark]) async throws(StoreError)

    /// The holder lives.
    func renew(_ holder: String, until lease: Int64) async throws(StoreError)

    /// Gives the holder what others have left, in the order in which it fell due, `limit` at most. What was due before `oldest` is given
    /// up.
    func adopt(
        for holder: String, limit: Int, oldest: Int64, until lease: Int64
    ) async throws(StoreError) -> (rows: [BeaconRow], tooOld: Int)

    /// The holder ends: what it has not sent is anybody's.
    func leave(_ holder: String) async throws(StoreError)

    /// Forgets names that nobody needs any more.
    func removeSent() async throws(StoreError)
}
