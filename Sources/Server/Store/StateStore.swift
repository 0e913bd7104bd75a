/// One thing that is kept: a name, unique within its owner, and bytes that only who wrote them understands.
package struct StoreEntry: Sendable, Equatable {
    package var name: String
    package var value: [UInt8]

    package init(name: String, value: [UInt8]) {
        self.name = name
        self.value = value
    }
}

/// Why something was not kept or not found out.
package struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
    /// The answer did not come in time: it may have been kept all the same.
    package var isTimeout = false

    package init(_ description: String, isTimeout: Bool = false) {
        self.description = description
        self.isTimeout = isTimeout
    }
}

/// Where state is kept that must survive a process, or be the same for several: entries of owners (a session, a channel), each
/// written once by whoever comes first.
///
/// Every operation has a deadline of the store's own and may fail; nobody's playback depends on it. The operations are those of
/// a hash per owner with an expiry (Redis: HSETNX, HGETALL, EXPIREAT), so that other stores can follow.
package protocol StateStore: Sendable {
    /// Whether anybody but this process reads what is kept. If not, the process' own memory is enough.
    var isShared: Bool { get }

    /// Rises some time after anybody else has written, as long as it is asked for: a hint to look again.
    var changeCount: Int { get }

    /// Rises when the store may be another one, which has not got what was kept.
    var openingCount: Int { get }

    /// The entries of an owner whose names are not before `name`, by name. None of an owner that has expired.
    func entries(of owner: String, from name: String) async throws(StoreError) -> [StoreEntry]

    /// The value of one entry; nil where there is none.
    func value(of name: String, of owner: String) async throws(StoreError) -> [UInt8]?

    /// Keeps each entry unless there is one of its name; the values that hold are returned in the same order. All or none.
    ///
    /// - Parameter expiry: nanoseconds since 1970 until which the owner lives at least. What an expired owner had is gone.
    func setIfAbsent(
        _ entries: [StoreEntry], of owner: String, until expiry: Int64
    ) async throws(StoreError) -> [[UInt8]]

    /// Keeps entries that follow on one another, in their order: from the first on in whose place another value stands none is
    /// kept. The values that hold are returned, up to and with that one.
    func append(_ entries: [StoreEntry], of owner: String, until expiry: Int64) async throws(StoreError) -> [[UInt8]]

    /// Keeps the entry of the highest rank of its name.
    func keepNewest(_ entry: StoreEntry, rank: Int64, of owner: String, until expiry: Int64) async throws(StoreError)

    /// Forgets the entries whose names lie in a range.
    func remove(_ names: Range<String>, of owner: String) async throws(StoreError)

    /// Lets owners live on, at least until then.
    func extend(_ owners: [String], until expiry: Int64) async throws(StoreError)

    /// This process asks for the owner no more. A store that only it reads forgets it.
    func release(_ owner: String) async

    /// Forgets the owners that have expired.
    func removeExpired() async throws(StoreError)

    /// Ends in good order: what was taken is kept.
    func close() async
}

extension StateStore {
    func entries(of owner: String) async throws(StoreError) -> [StoreEntry] { try await entries(of: owner, from: "") }
    package func close() async {}
}
