/// Why an ad was not made.
package struct ConditioningFailure: Error, Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// There is no file at the address.
        case notFound
        /// The file did not come in time: its server is silent, or sends too little.
        case slow
        /// The whole work took too long.
        case timeout
        /// The file holds nothing that can be made into the ladder, is damaged, or is larger or longer than allowed.
        case unusable
        /// Its HLS segments are encrypted.
        case encrypted
        /// The channel is of a kind that no ad can be made for.
        case unsupported
        /// Trouble of this machine's: disk, memory, programs.
        case machine
        /// The server stops.
        case cancelled
    }

    package var kind: Kind
    /// For the log. Holds no address.
    package var reason: String

    package init(_ kind: Kind, _ reason: String) {
        self.kind = kind
        self.reason = reason
    }

    static let stopped = ConditioningFailure(.cancelled, "the server stops")

    /// Whether nothing will change soon.
    var isLasting: Bool { kind == .unusable || kind == .unsupported || kind == .encrypted }
}
