package import HLS

/// What the segments of a media playlist are made of. A playlist that has had a MAP cannot go back to segments without
/// (rule 705), so ads and content must be alike in this.
package enum Container: Sendable, Equatable, Codable {
    /// MPEG transport streams, and all else that needs no initialization section (packed audio, WebVTT).
    case selfInitializing
    case fragmentedMP4
}

/// One rendition of an ad, ready to be listed.
package struct AdRendition: Sendable, Codable {
    package let description: MediaRendition
    package let container: Container
    package let entries: [SpliceEntry]
    package let duration: Duration
    package let longestEntry: Duration
    package let jointCount: Int

    init(description: MediaRendition, container: Container, entries: [SpliceEntry]) {
        self.description = description
        self.container = container
        self.entries = entries
        duration = entries.reduce(.zero) { $0 + $1.duration }
        longestEntry = entries.reduce(.zero) { max($0, $1.duration) }
        jointCount = entries.reduce(0) { $0 + ($1.isJoint ? 1 : 0) }
    }
}
