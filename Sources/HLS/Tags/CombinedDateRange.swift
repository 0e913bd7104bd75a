/// A date range: all EXT-X-DATERANGE tags of one ID together, as players see it. RFC 8216bis §4.4.5.1.
package struct CombinedDateRange: Sendable {
    /// An attribute that two tags of the ID give different values (rule 816). The first one holds.
    package struct Conflict: Hashable, Sendable {
        package let name: String
        /// The line that contradicts an earlier one.
        package let line: PlaylistLine
    }

    package let id: String
    /// In the order of their lines; at least one.
    package private(set) var tags: [DateRange]
    package private(set) var conflicts: [Conflict] = []
    /// Where it ends by END-ON-NEXT: at the start of the next range of its class. Nil where there is none yet.
    fileprivate(set) var followingStart: DateTime?

    fileprivate init(_ tag: DateRange) {
        id = tag.id
        tags = [tag]
    }

    /// The value of an attribute: that of the first tag that has it.
    package subscript(_ name: StaticString) -> AttributeValue? {
        for tag in tags {
            if let value = tag.attributes[name] { return value }
        }
        return nil
    }

    package var dateRangeClass: String? { self["CLASS"]?.text }
    package var startDate: DateTime? { self["START-DATE"]?.dateTime }
    package var plannedDuration: Duration? { self["PLANNED-DURATION"]?.duration }
    package var endsOnNext: Bool { self["END-ON-NEXT"]?.isYes ?? false }
    package var triggers: DateRangeTriggers { DateRangeTriggers(self["CUE"]) }
    package var scte35Command: [UInt8]? { self["SCTE35-CMD"]?.hexadecimal }
    package var scte35Out: [UInt8]? { self["SCTE35-OUT"]?.hexadecimal }
    package var scte35In: [UInt8]? { self["SCTE35-IN"]?.hexadecimal }

    /// The X- attributes of all tags, each name once.
    package var extensionAttributes: [ExtensionAttribute] {
        var names: Set<String> = []
        return tags.flatMap(\.extensionAttributes).filter { names.insert($0.name).inserted }
    }

    /// Where it ends: END-DATE, else DURATION after the start, else by END-ON-NEXT. Nil while that is not known; a planned
    /// length is no end.
    package var endDate: DateTime? {
        if let end = self["END-DATE"]?.dateTime { return end }
        guard let start = startDate else { return nil }
        if let duration = self["DURATION"]?.duration { return start.advanced(by: duration) }
        return endsOnNext ? followingStart : nil
    }

    /// Its length: DURATION, else the time to its end. Nil while that is not known.
    package var duration: Duration? {
        if let duration = self["DURATION"]?.duration { return duration }
        guard let start = startDate, let end = endDate else { return nil }
        return start.duration(to: end)
    }

    /// Where it will end as far as can be told: its end, else the planned length after its start.
    package var expectedEndDate: DateTime? {
        if let end = endDate { return end }
        guard let start = startDate, let planned = plannedDuration else { return nil }
        return start.advanced(by: planned)
    }

    fileprivate mutating func add(_ tag: DateRange, known: inout [String: AttributeValue]) {
        for attribute in tag.attributes {
            guard let first = known[attribute.name] else {
                known[attribute.name] = attribute.value
                continue
            }
            if !first.isEqual(to: attribute.value) {
                conflicts.append(Conflict(name: attribute.name, line: tag.line))
            }
        }
        tags.append(tag)
    }
}

extension AttributeValue {
    /// Whether both say the same: byte for byte, or as a number or date.
    fileprivate func isEqual(to other: AttributeValue) -> Bool {
        if source[range] == other.source[other.range] { return true }
        // Spellings of one value are about as long as each other; a long value would be read again for each tag of its ID.
        guard abs(range.count - other.range.count) <= 64 else { return false }
        if let duration, let second = other.duration { return duration == second }
        if let dateTime, let second = other.dateTime { return dateTime == second }
        if let hexadecimal, let second = other.hexadecimal { return hexadecimal == second }
        return false
    }
}

extension MediaPlaylist {
    /// The date ranges, those of one ID put together, in the order in which they first stand. Tags without ID are left out.
    package var combinedDateRanges: [CombinedDateRange] {
        var ranges: [CombinedDateRange] = []
        var places: [String: Int] = [:]
        var known: [[String: AttributeValue]] = []
        for tag in dateRanges {
            let id = tag.id
            guard !id.isEmpty else { continue }
            if let place = places[id] {
                if known[place].isEmpty { known[place] = Self.values(of: ranges[place].tags[0]) }
                ranges[place].add(tag, known: &known[place])
            } else {
                places[id] = ranges.count
                ranges.append(CombinedDateRange(tag))
                // Most IDs have one tag: its attributes are not read for nothing.
                known.append([:])
            }
        }
        Self.setFollowingStarts(&ranges)
        return ranges
    }

    private static func values(of tag: DateRange) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        for attribute in tag.attributes where values[attribute.name] == nil { values[attribute.name] = attribute.value }
        return values
    }

    private static func setFollowingStarts(_ ranges: inout [CombinedDateRange]) {
        guard ranges.contains(where: \.endsOnNext) else { return }
        var starts: [String: [DateTime]] = [:]
        for range in ranges {
            if let start = range.startDate, let name = range.dateRangeClass { starts[name, default: []].append(start) }
        }
        for name in starts.keys { starts[name]?.sort() }
        for index in ranges.indices where ranges[index].endsOnNext {
            guard let start = ranges[index].startDate, let name = ranges[index].dateRangeClass else { continue }
            let sorted = starts[name] ?? []
            let next = sorted.partitioningIndex { $0 > start }
            if next < sorted.count { ranges[index].followingStart = sorted[next] }
        }
    }
}
