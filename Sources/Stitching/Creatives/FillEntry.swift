import HLS

/// One entry that a session's playlist lists in place of content: a segment of an ad.
package struct FillEntry: Sendable {
    package let duration: Duration
    /// A discontinuity stands before it: the first entry of an ad, or a break in the ad's own timestamps.
    package let isJoint: Bool
    /// Absolute.
    package let uri: String
    /// EXTINF as the ad's playlist spells it, and BYTERANGE with its offset, GAP.
    let tags: [UInt8]
    /// EXT-X-KEY lines in force, IVs written out; empty where the entry is clear.
    let keys: [UInt8]
    /// The EXT-X-MAP line in force; empty where there is none.
    let map: [UInt8]
    /// EXT-X-VERSION that the entry's lines need (rule 201).
    let neededVersion: Int

    init(
        duration: Duration, isJoint: Bool, uri: String, tags: [UInt8], keys: [UInt8] = [], map: [UInt8] = [],
        neededVersion: Int = 3
    ) {
        self.duration = duration
        self.isJoint = isJoint
        self.uri = uri
        self.tags = tags
        self.keys = keys
        self.map = map
        self.neededVersion = neededVersion
    }
}

/// What the segments of a media playlist are made of. A playlist that has had a MAP cannot go back to segments without
/// (rule 705), so ads and content must be alike in this.
package enum Container: Sendable, Equatable {
    /// MPEG transport streams, and all else that needs no initialization section (packed audio, WebVTT).
    case selfInitializing
    case fragmentedMP4
}

/// One rendition of an ad, ready to be listed.
package struct AdRendition: Sendable {
    package let description: MediaRendition
    package let container: Container
    package let entries: [FillEntry]
    package let duration: Duration
    package let longestEntry: Duration
    package let jointCount: Int

    init(description: MediaRendition, container: Container, entries: [FillEntry]) {
        self.description = description
        self.container = container
        self.entries = entries
        duration = entries.reduce(.zero) { $0 + $1.duration }
        longestEntry = entries.reduce(.zero) { max($0, $1.duration) }
        jointCount = entries.reduce(0) { $0 + ($1.isJoint ? 1 : 0) }
    }

    /// The ad's segments hold both video and audio, or may: a variant without audio playlists of its own.
    package var isMuxed: Bool {
        description.kind == .variant && !description.hasSeparateAudio && !description.isAudioOnlyVariant
    }
}
