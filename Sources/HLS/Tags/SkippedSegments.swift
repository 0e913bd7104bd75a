/// An EXT-X-SKIP, RFC 8216bis §4.4.5.2: what a delta update leaves out.
package struct SkippedSegments: Sendable {
    package let line: PlaylistLine
    package let attributes: AttributeList

    init(_ source: [UInt8], line: PlaylistLine) {
        self.line = line
        attributes = AttributeList(source, line: line)
    }

    /// How many segments are left out; nil where it is missing or unreadable.
    package var count: Int64? { attributes["SKIPPED-SEGMENTS"]?.integer }

    /// IDs of date ranges that were removed lately. Nil where the attribute is missing: then no date range is left out.
    package var recentlyRemovedDateRanges: [String]? {
        attributes["RECENTLY-REMOVED-DATERANGES"].map { value in
            value.text.split(separator: "\t").map(String.init)
        }
    }
}

extension MediaPlaylist {
    /// EXT-X-SKIP; nil in a full playlist.
    package var skip: SkippedSegments? {
        headerTag(.skip).map { SkippedSegments(source, line: $0) }
    }
}
