import HLS

/// A stretch of a rendition's timeline on which the origin's numbers follow one another. Where the origin begins to count anew, or
/// another one takes its place, a new run begins: the ledger's own numbers go on rising through all of them.
struct OriginRun: Sendable, Equatable, Codable {
    /// Counts the times that the channel's origin has begun anew. Equal in all renditions.
    var epoch: Int
    /// The ledger's number of its first segment.
    var firstNumber: Int64
    /// What is added to the origin's numbers; to its discontinuity numbers.
    var numberOffset: Int64
    var discontinuityOffset: Int64
    /// EXT-X-DISCONTINUITY-SEQUENCE is written: discontinuity numbers of renditions can be compared.
    var declaresDiscontinuities: Bool
    /// What the origin's window lasted in the run before: the list does not become shorter at once where it begins anew.
    var formerWindow = Duration.zero

    /// Up to where the leading rendition was known when another one began this run by itself: it may be of the epoch to which the leading
    /// one goes over next, or has just gone over.
    var begunAloneAt: DateTime?

    static let first = OriginRun(
        epoch: 0, firstNumber: .min, numberOffset: 0, discontinuityOffset: 0, declaresDiscontinuities: true)
}

/// Where the leading rendition went over to the newest epoch.
struct EpochJoint: Sendable, Equatable, Codable {
    var epoch: Int
    /// The end of the epoch before: of it no rendition is listed beyond.
    var formerEdge: DateTime
    /// The discontinuity number of its last segment.
    var formerDiscontinuity: Int64
    /// t of the first segment, and its number in the origin's playlist.
    var time: DateTime
    var originNumber: Int64
    /// The origin counts its segments on: the epoch begins because discontinuities went by unseen and uncounted.
    var isGap: Bool?

    /// A segment of the epoch before lies behind its end: it was not listed while that was the newest.
    func isBehind(_ segment: LedgerSegment, targetDuration: Duration) -> Bool {
        !segment.isListed(before: formerEdge, reached: formerDiscontinuity, targetDuration: targetDuration)
    }
}

/// How the first segment of a run follows on the last one of the run before.
struct RunEntrance {
    /// Index in the playlist.
    var firstNew: Int
    /// t, where another rendition tells it.
    var time: DateTime?
    /// Nil: one more than before.
    var discontinuity: Int64?
    /// What the dates are moved by, where another rendition tells it.
    var dateShift: Duration?
    /// A discontinuity stands before it.
    var isDiscontinuity = true
    /// Its number tells how many segments were not seen.
    var isBehindGap = false
}
