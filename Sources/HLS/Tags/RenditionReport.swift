/// An EXT-X-RENDITION-REPORT, RFC 8216bis §4.4.5.4: how far another rendition has come.
package struct RenditionReport: Sendable {
    package let line: PlaylistLine
    /// All attributes, newer ones too.
    package let attributes: AttributeList

    init(_ source: [UInt8], line: PlaylistLine) {
        self.line = line
        attributes = AttributeList(source, line: line)
    }

    /// URI of the other rendition's media playlist as spelled; relative (rule 1006).
    package var uri: String { attributes["URI"]?.text ?? "" }
    /// Media sequence number of its last segment, or of its last part; nil where the tag leaves it out.
    package var lastMediaSequence: Int64? { attributes["LAST-MSN"]?.integer }
    /// Part index of its last part; nil where the tag leaves it out.
    package var lastPart: Int? { attributes["LAST-PART"]?.integer.map { Int(clamping: $0) } }

    /// Where the rendition ends. What the tag leaves out is as in the playlist that carries it. Nil where that has nothing.
    package func lastPosition(in playlist: MediaPlaylist) -> PlaylistPosition? {
        let own = playlist.lastPosition
        guard let number = lastMediaSequence ?? own?.mediaSequence else { return nil }
        return PlaylistPosition(mediaSequence: number, part: lastPart ?? playlist.lastPart?.index)
    }
}

extension MediaPlaylist {
    /// The reports on other renditions, in the order of their lines.
    package var renditionReports: [RenditionReport] {
        lowLatencyLines(.renditionReport).map { RenditionReport(source, line: $0) }
    }

    /// The last part listed; nil where the newest segment is given without parts.
    package var lastPart: PartialSegment? {
        trailerParts.last ?? parts(ofSegmentAt: storage.records.count - 1).last
    }
}
