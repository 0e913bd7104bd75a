// Date ranges: the same ones wherever there are any.
extension RenditionsLint {
    /// Rule 821.
    func checkDateRanges(_ report: inout RenditionsReport) {
        let ranges = sources.map { $0.playlist.map(RenditionDateRanges.init) }
        let first = ranges.indices.first { ranges[$0]?.ids.isEmpty == false && sources[$0].reference.kind == .video }
        guard let first = first ?? ranges.indices.first(where: { ranges[$0]?.ids.isEmpty == false }),
            let expected = ranges[first]
        else { return }
        let name = sources[first].reference.shownURI
        for (index, mine) in ranges.enumerated() where index != first {
            guard let mine, !mine.ids.isEmpty else { continue }
            compare(mine, source: index, with: expected, named: name, &report)
        }
        checkCombinations(ranges, expected, named: name, &report)
    }

    private func compare(
        _ mine: RenditionDateRanges, source: Int, with expected: RenditionDateRanges, named name: String,
        _ report: inout RenditionsReport
    ) {
        let areEnded = mine.isEnded && expected.isEnded
        for id in mine.order {
            guard let range = mine.ids[id] else { continue }
            guard let other = expected.ids[id] else {
                if mine.isToBeIn(expected, range) {
                    report.add(821, source: source, at: range.place, "date range \"\(id.excerpt)\" is not in \(name)")
                }
                continue
            }
            for (attribute, value) in range.attributes.sorted(by: { $0.key < $1.key }) {
                guard let theirs = other.attributes[attribute] else {
                    // A tag that completes a live range may have come between the two requests.
                    guard areEnded else { continue }
                    report.add(
                        821, source: source, at: range.place,
                        "\(attribute.excerpt) of date range \"\(id.excerpt)\" is not in \(name)")
                    continue
                }
                guard !AttributeText.areEqual(value, theirs) else { continue }
                report.add(
                    821, source: source, at: range.place,
                    "\(attribute.excerpt) of date range \"\(id.excerpt)\" is \(value.excerpt), but \(theirs.excerpt) in \(name)"
                )
            }
            if areEnded, let missing = other.attributes.keys.filter({ range.attributes[$0] == nil }).min() {
                report.add(
                    821, source: source, at: range.place,
                    "date range \"\(id.excerpt)\" has no \(missing.excerpt), as in \(name)")
            }
        }
        for id in expected.order where mine.ids[id] == nil {
            guard let range = expected.ids[id], expected.isToBeIn(mine, range) else { continue }
            report.add(821, source: source, tag: .dateRange, "date range \"\(id.excerpt)\" of \(name) is missing")
        }
    }

    /// Whatever is played together has at least one playlist with the date ranges.
    private func checkCombinations(
        _ ranges: [RenditionDateRanges?], _ expected: RenditionDateRanges, named name: String,
        _ report: inout RenditionsReport
    ) {
        guard let multivariant else { return }
        let places = Dictionary(
            sources.enumerated().map { ($0.element.reference.uri, $0.offset) }, uniquingKeysWith: { one, _ in one })
        /// Whether each member of an audio group has date ranges, by group.
        var groups: [String: Bool] = [:]
        for variant in multivariant.variants {
            guard let index = places[variant.uri], let mine = ranges[index], mine.ids.isEmpty,
                expected.order.contains(where: { id in expected.ids[id].map { expected.isToBeIn(mine, $0) } ?? false })
            else { continue }
            if let group = variant.audioGroup {
                let isCovered: Bool
                if let known = groups[group] {
                    isCovered = known
                } else {
                    let members = multivariant.renditions(.audio, group: group)
                    isCovered =
                        !members.isEmpty
                        && members.allSatisfy { member in
                            guard let uri = member.uri, let place = places[uri] else { return false }
                            return ranges[place]?.ids.isEmpty != true
                        }
                    groups[group] = isCovered
                }
                if isCovered { continue }
            }
            report.add(
                821, source: index, tag: .extM3U,
                "no date ranges here nor in all that is played with it, though \(name) has them")
        }
    }
}

/// The date ranges of a playlist, tags of one ID together.
struct RenditionDateRanges {
    struct Entry {
        /// Where the first tag stands.
        let place: Int
        let start: Int64?
        /// As said by any of its tags.
        var end: Int64?
        /// All attributes but ID; of one that is there twice the first.
        var attributes: [String: String]
    }

    private(set) var ids: [String: Entry] = [:]
    private(set) var order: [String] = []
    let isEnded: Bool
    /// What is listed of the wall clock; nil without dates.
    private let window: Range<Int64>?
    private let target: Int64

    init(_ playlist: MediaPlaylist) {
        isEnded = playlist.isEnded
        target = Int64(min(max(playlist.targetDuration ?? 0, 1), 1_000_000_000)) * 1_000_000_000
        for line in playlist.lines where line.kind == .dateRange {
            let list = AttributeList(playlist.source, line: line)
            guard let id = list["ID"]?.text else { continue }
            if ids[id] == nil {
                order.append(id)
                ids[id] = Entry(
                    place: line.range.lowerBound, start: list["START-DATE"]?.dateTime?.nanoseconds, attributes: [:])
            }
            if let end = Self.end(list, start: ids[id]?.start) {
                let known = ids[id]?.end
                ids[id]?.end = max(end, known ?? end)
            }
            for attribute in list.prefix(LintLine.attributeLimit) where attribute.name != "ID" {
                let name = attribute.name
                if ids[id]?.attributes[name] == nil { ids[id]?.attributes[name] = attribute.value.text }
            }
        }
        guard !ids.isEmpty || playlist.hasProgramDateTime else {
            window = nil
            return
        }
        let timeline = RenditionTimeline(playlist)
        window = timeline.hasDates && !playlist.segments.isEmpty ? timeline.window(.dates) : nil
    }

    private static func end(_ list: AttributeList, start: Int64?) -> Int64? {
        if let date = list["END-DATE"]?.dateTime { return date.nanoseconds }
        guard let start, let length = (list["DURATION"] ?? list["PLANNED-DURATION"])?.duration else { return nil }
        return start.saturatingSum(length.wholeNanoseconds)
    }

    /// Whether another playlist has to list one of these ranges: where both are ended unless it was over before what that one lists
    /// (rule 819), else where it began well inside what both list.
    func isToBeIn(_ other: RenditionDateRanges, _ range: Entry) -> Bool {
        if isEnded, other.isEnded {
            guard let end = range.end, let their = other.window else { return true }
            return end > their.lowerBound
        }
        guard let start = range.start, let window, let their = other.window else { return false }
        let margin = max(target, other.target)
        let lower = max(window.lowerBound, their.lowerBound).saturatingSum(margin)
        return start > lower && start < min(window.upperBound, their.upperBound).saturatingDifference(margin)
    }
}
