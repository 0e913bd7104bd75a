/// The date ranges seen so far: rules 819 and 820.
struct DateRangeMemory: Sendable {
    private struct Known: Sendable {
        /// Text of each attribute.
        var attributes: [String: String]
        /// Whether the newest version has it.
        var isListed: Bool
    }

    private var known: [String: Known] = [:]
    /// Identifiers in the order in which they were met, to forget the oldest.
    private var order: [String] = []

    /// Identifiers remembered after their date ranges have left.
    private static let limit = 8_192
    /// Attributes remembered of one date range.
    private static let attributeLimit = 64

    /// Takes over the date ranges of a version without a past.
    mutating func read(_ playlist: MediaPlaylist, _ report: inout ReloadReport) {
        _ = take(playlist, window: nil, &report)
    }

    /// Holds the date ranges of a version against those before.
    mutating func check(_ new: ReloadLint.Version, _ report: inout ReloadReport) {
        let before = order.filter { known[$0]?.isListed == true }
        let window = new.dates.first.flatMap { first in new.dates.last.map { first..<max(first, $0) } }
        let now = take(new.playlist, window: window, &report)
        let missing = before.filter { now[$0] == nil }
        for id in missing { known[id]?.isListed = false }
        guard !missing.isEmpty, let window else { return }
        let starts = startsByClass()
        for id in missing {
            guard let range = known[id], let (start, last) = Self.times(of: range.attributes, starts),
                Self.maps(start, last, to: window)
            else { continue }
            let what = last == start ? "from \(start.formatted)" : "\(start.formatted) to \(last.formatted)"
            report.add(
                819, line: 1,
                "date range \"\(id)\", \(what), is gone while the segments from \(window.lowerBound.formatted) on are listed"
            )
        }
    }

    /// The ranges of a version, their attributes put together by identifier.
    private mutating func take(
        _ playlist: MediaPlaylist, window: Range<DateTime>?, _ report: inout ReloadReport
    ) -> [String: [String: String]] {
        var ranges: [String: [String: String]] = [:]
        var places: [(id: String, place: Int)] = []
        for range in playlist.dateRanges {
            let id = range.id
            guard !id.isEmpty else { continue }
            if ranges[id] == nil { places.append((id, range.line.range.lowerBound)) }
            var attributes = ranges[id] ?? [:]
            for attribute in range.attributes where attributes.count < Self.attributeLimit {
                let name = attribute.name
                if attributes[name] == nil { attributes[name] = attribute.value.text }
            }
            ranges[id] = attributes
        }
        let starts = startsByClass()
        for (id, place) in places {
            guard let attributes = ranges[id] else { continue }
            if let before = known[id] {
                // Of a range that maps to nothing listed any tag may go.
                let times = Self.times(of: before.attributes, starts)
                let isMapped =
                    window.map { window in times.map { Self.maps($0.start, $0.end, to: window) } ?? true } ?? true
                compare(id, before.attributes, attributes, isMapped: isMapped, at: place, &report)
            } else {
                order.append(id)
            }
            known[id] = Known(attributes: attributes, isListed: true)
        }
        forget()
        return ranges
    }

    private func compare(
        _ id: String, _ before: [String: String], _ now: [String: String], isMapped: Bool, at place: Int,
        _ report: inout ReloadReport
    ) {
        var changes: [String] = []
        for (name, value) in before.sorted(by: { $0.key < $1.key }) where name != "ID" {
            guard let other = now[name] else {
                if isMapped { changes.append("\(name) is gone") }
                continue
            }
            guard !AttributeText.areEqual(value, other) else { continue }
            if name == "START-DATE" {
                report.add(820, at: place, "date range \"\(id)\" has another START-DATE: \(value) became \(other)")
                return
            }
            let isShort =
                value.utf8.count <= 40 && other.utf8.count <= 40 && !name.hasSuffix("URI") && !name.hasSuffix("LIST")
            changes.append(isShort ? "\(name) was \(value) and is \(other)" : "\(name) changed")
        }
        guard !changes.isEmpty else { return }
        report.add(820, at: place, "date range \"\(id)\": \(changes.joined(separator: ", "))")
    }

    /// The start dates of each class in order, for END-ON-NEXT.
    private func startsByClass() -> [String: [DateTime]] {
        var starts: [String: [DateTime]] = [:]
        for range in known.values {
            guard let name = range.attributes["CLASS"],
                let start = range.attributes["START-DATE"].flatMap({ DateTime($0) })
            else { continue }
            starts[name, default: []].append(start)
        }
        return starts.mapValues { $0.sorted() }
    }

    /// When a range starts and ends; one whose end is not known is taken for a point.
    private static func times(
        of attributes: [String: String], _ starts: [String: [DateTime]]
    ) -> (start: DateTime, end: DateTime)? {
        guard let start = attributes["START-DATE"].flatMap({ DateTime($0) }) else { return nil }
        return (start, max(start, end(of: attributes, start: start, starts) ?? start))
    }

    /// Whether any of a range maps to a segment of the window; a point maps to the segment that has it.
    private static func maps(_ start: DateTime, _ end: DateTime, to window: Range<DateTime>) -> Bool {
        start < window.upperBound && (end > window.lowerBound || end == start && start >= window.lowerBound)
    }

    /// When a range ends, if that is known.
    private static func end(
        of attributes: [String: String], start: DateTime, _ starts: [String: [DateTime]]
    ) -> DateTime? {
        if let end = attributes["END-DATE"].flatMap({ DateTime($0) }) { return end }
        if let duration = attributes["DURATION"].flatMap({ DecimalText.duration($0) }) {
            return start.advanced(by: duration)
        }
        guard attributes["END-ON-NEXT"] == "YES", let following = attributes["CLASS"].flatMap({ starts[$0] }) else {
            return nil
        }
        return following.first { $0 > start }
    }

    /// Lets go of the oldest identifiers that are no longer listed.
    private mutating func forget() {
        guard order.count > Self.limit * 2 else { return }
        var surplus = order.count - Self.limit
        order.removeAll { id in
            guard surplus > 0, known[id]?.isListed != true else { return false }
            surplus -= 1
            known[id] = nil
            return true
        }
    }
}
