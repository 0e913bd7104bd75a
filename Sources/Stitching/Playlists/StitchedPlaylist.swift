package import HLS

/// What the server adds to a stitched playlist.
package struct StitchOptions: Sendable {
    /// The address of the empty WebVTT file that stands for subtitles during ads, by the ad's own time at which it begins (90 kHz,
    /// 33 bits), for its X-TIMESTAMP-MAP (rule 1115); nil where that is not known.
    package var emptySubtitlesURI: @Sendable (Int64?) -> String
    /// The address of a part of a subtitle segment.
    package var subtitlePieceURI: @Sendable (SubtitlePiece) -> String
    /// The address under which a session lists a segment of an ad, where its request tells that it is seen
    /// (``SeenByRequest``); nil: the ad's own.
    package var fillURI: (@Sendable (FillReference, SpliceEntry) -> String?)?
    /// Set by the session.
    var seenByRequest = SeenByRequest.all
    /// What becomes of the origin's ad markers.
    package var markers = MarkerPassthrough.unstitched
    /// The session's own markers.
    package var breakMarks = BreakMarks.none

    package init(
        emptySubtitlesURI: @escaping @Sendable (Int64?) -> String = { $0.map { "empty-\($0).vtt" } ?? "empty.vtt" },
        subtitlePieceURI: @escaping @Sendable (SubtitlePiece) -> String = { piece in
            "piece-\(piece.number)-\(piece.bounds).vtt"
        },
        fillURI: (@Sendable (FillReference, SpliceEntry) -> String?)? = nil
    ) {
        self.subtitlePieceURI = subtitlePieceURI
        self.emptySubtitlesURI = emptySubtitlesURI
        self.fillURI = fillURI
    }
}

/// Names an entry of a pod.
package struct FillReference: Hashable, Sendable {
    package var breakID: BreakID
    /// Index of the ad in the pod; passes of slate count on from the last ad.
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
