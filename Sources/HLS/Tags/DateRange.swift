/// An EXT-X-DATERANGE, RFC 8216bis §4.4.5.1.
package struct DateRange: Sendable {
    package let line: PlaylistLine
    package let attributes: AttributeList

    package init(_ source: [UInt8], line: PlaylistLine) {
        self.line = line
        attributes = AttributeList(source, line: line)
    }

    package var id: String { attributes["ID"]?.text ?? "" }
    package var dateRangeClass: String? { attributes["CLASS"]?.text }
    package var startDate: DateTime? { attributes["START-DATE"]?.dateTime }
    package var endDate: DateTime? { attributes["END-DATE"]?.dateTime }
    package var duration: Duration? { attributes["DURATION"]?.duration }
    package var plannedDuration: Duration? { attributes["PLANNED-DURATION"]?.duration }
    package var endsOnNext: Bool { attributes["END-ON-NEXT"]?.isYes ?? false }
    /// The splice information section, quoted or not (rule 817).
    package var scte35Command: [UInt8]? { attributes["SCTE35-CMD"]?.hexadecimal }
    package var scte35Out: [UInt8]? { attributes["SCTE35-OUT"]?.hexadecimal }
    package var scte35In: [UInt8]? { attributes["SCTE35-IN"]?.hexadecimal }
    package var cue: String? { attributes["CUE"]?.text }

    /// Whether it carries any of the SCTE-35 attributes, and so marks an ad.
    package var isAdMarker: Bool {
        attributes["SCTE35-OUT"] != nil || attributes["SCTE35-IN"] != nil || attributes["SCTE35-CMD"] != nil
    }
}

extension MediaPlaylist {
    /// All date ranges, in the order of their lines.
    package var dateRanges: [DateRange] {
        lines.compactMap { $0.kind == .dateRange ? DateRange(source, line: $0) : nil }
    }
}
