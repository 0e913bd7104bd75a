/// What becomes of the origin's ad markers in a stitched playlist: all the families of tags by which ads are marked.
package enum MarkerPassthrough: String, Sendable, Equatable, CaseIterable {
    /// Those of a break that the session has ads for go, so that no stitcher behind this one fills it again; those of breaks that
    /// stay content pass.
    case unstitched
    /// All pass byte for byte, each at its place on the timeline: where its segment is replaced, before the entry that takes the
    /// place.
    case all
    /// None passes.
    case none
}

/// The session's own markers around the breaks that it has ads for.
package enum BreakMarks: String, Sendable, Equatable, CaseIterable {
    case none
    /// EXT-X-CUE-OUT, -CONT and -IN, and an EXT-X-ASSET before each ad.
    case cue
    /// EXT-X-DATERANGE; none where the content has no dates (rule 812).
    case dateRange
}
