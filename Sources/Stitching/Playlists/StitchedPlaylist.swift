package import HLS

/// What the server adds to a stitched playlist.
package struct StitchOptions: Sendable {
    /// The address of the empty WebVTT file that stands for subtitles during ads.
    package var emptySubtitlesURI: String
    /// The address under which a session lists a segment of an ad; nil: the ad's own.
    package var fillURI: (@Sendable (FillReference, SpliceEntry) -> String?)?
    /// What becomes of the origin's ad markers.
    package var markers = MarkerPassthrough.unstitched
    /// The session's own markers.
    package var breakMarks = BreakMarks.none

    package init(
        emptySubtitlesURI: String = "empty.vtt", fillURI: (@Sendable (FillReference, SpliceEntry) -> String?)? = nil
    ) {
        self.emptySubtitlesURI = emptySubtitlesURI
        self.fillURI = fillURI
    }
}

/// Names an entry of a pod.
package struct FillReference: Hashable, Sendable {
    package var breakID: BreakID
    /// Index of the ad in the pod.
    package var ad: Int
    /// Index of the entry in the ad.
    package var segment: Int

    package init(breakID: BreakID, ad: Int, segment: Int) {
        self.breakID = breakID
        self.ad = ad
        self.segment = segment
    }
}

/// A session's media playlist.
package struct StitchedPlaylist: Sendable {
    package struct Entry: Sendable, Equatable {
        package enum Source: Sendable, Equatable {
            /// A content segment, with the origin's number.
            case content(Int64)
            case fill(FillReference)
        }

        package var number: Int64
        package var discontinuity: Int64
        package var source: Source
        package var duration: Duration
        /// On the channel's timeline.
        package var time: DateTime
        /// As written or implied; nil without dates.
        package var date: DateTime?
    }

    package let bytes: [UInt8]
    /// The listed entries, in order.
    package let entries: [Entry]
    /// EXT-X-ENDLIST is written.
    package let hasEnded: Bool
}
