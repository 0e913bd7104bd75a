/// An EXT-X-DATERANGE, RFC 8216bis §4.4.5.1: one tag. Several of one ID are put together by ``MediaPlaylist/combinedDateRanges``.
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
    /// CUE as spelled.
    package var cue: String? { attributes["CUE"]?.text }
    package var triggers: DateRangeTriggers { DateRangeTriggers(attributes["CUE"]) }

    /// Whether it carries any of the SCTE-35 attributes, and so marks an ad.
    package var isAdMarker: Bool {
        attributes["SCTE35-OUT"] != nil || attributes["SCTE35-IN"] != nil || attributes["SCTE35-CMD"] != nil
    }

    /// The attributes whose names begin with X-, in their order.
    package var extensionAttributes: [ExtensionAttribute] {
        attributes.compactMap(ExtensionAttribute.init)
    }
}

/// CUE of a date range: when its action is triggered. Without either of the first two, at the start of the range.
package struct DateRangeTriggers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Before playback begins, wherever that is.
    package static let pre = DateRangeTriggers(rawValue: 1)
    /// After the end.
    package static let post = DateRangeTriggers(rawValue: 2)
    /// Not again once it was triggered.
    package static let once = DateRangeTriggers(rawValue: 4)

    init(_ value: AttributeValue?) {
        self =
            value.map { value in
                value.list().reduce(into: DateRangeTriggers()) { set, item in
                    switch item {
                    case "PRE": set.insert(.pre)
                    case "POST": set.insert(.post)
                    case "ONCE": set.insert(.once)
                    default: break
                    }
                }
            } ?? []
    }
}

/// An attribute of a date range that the standard does not define, or one of its classes: X-...
package struct ExtensionAttribute: Hashable, Sendable {
    /// A value by the forms that such attributes may have.
    package enum Value: Hashable, Sendable {
        /// A quoted string.
        case text(String)
        case hexadecimal([UInt8])
        case decimal(DecimalNumber)
        /// None of the three forms, as spelled.
        case other(String)
    }

    package let name: String
    package let value: Value

    /// Nil for an attribute with another name.
    init?(_ attribute: Attribute) {
        let name = attribute.name
        guard name.utf8.starts(with: "X-".utf8) else { return nil }
        self.name = name
        let value = attribute.value
        if value.isQuoted {
            self.value = .text(value.text)
        } else if let bytes = value.hexadecimal {
            self.value = .hexadecimal(bytes)
        } else if let number = value.decimal {
            self.value = .decimal(number)
        } else {
            self.value = .other(value.text)
        }
    }
}

extension MediaPlaylist {
    /// Whether there are any, without a look at the lines of segments.
    package var hasDateRanges: Bool {
        storage.records.contains { MediaSegment.Contents(rawValue: $0.contents).contains(.dateRange) }
            || trailerLines.contains { $0.kind == .dateRange }
    }

    /// All date ranges, in the order of their lines.
    package var dateRanges: [DateRange] {
        lines.compactMap { $0.kind == .dateRange ? DateRange(source, line: $0) : nil }
    }
}
