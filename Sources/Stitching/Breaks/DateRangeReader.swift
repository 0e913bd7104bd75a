import HLS

/// Where a date range takes effect.
package enum DateRangePlacing: String, Sendable, Codable, CaseIterable {
    /// At its START-DATE, as the standard has it.
    case date
    /// At the tag, like any other marker.
    case tag
}

/// Finds the date ranges that tell of ads, once each, and again when one of them changes. A range is printed in many
/// playlists, with other segments in each (rule 819).
struct DateRangeReader: Sendable, Codable {
    /// What was found in a playlist.
    struct Findings {
        var announcements: [BreakAnnouncement] = []
        /// By index of the segment with which the tag stands.
        var placed: [Int: SegmentSignals] = [:]
        /// Ads that another stitcher has put in.
        var stitched: [(start: DateTime, length: Duration)] = []
    }

    private struct Known: Equatable, Codable {
        var length: Duration?
        var end: DateTime?
        var begins = false
        var ends = false
        var commands = false
    }

    var levels: BreakLevels
    var placing: DateRangePlacing
    private var known: [String: Known] = [:]

    init(levels: BreakLevels, placing: DateRangePlacing) {
        self.levels = levels
        self.placing = placing
    }

    /// - Parameters:
    ///   - firstNew: index of the first segment that no playlist before has listed.
    mutating func read(_ playlist: MediaPlaylist, firstNew: Int) -> Findings {
        var findings = Findings()
        guard playlist.hasDateRanges else {
            known.removeAll(keepingCapacity: true)
            return findings
        }
        // Dates to place ranges by.
        let hasDates = playlist.segments.contains { $0.programDateTime != nil }
        let ranges = playlist.combinedDateRanges.filter { range in
            range.tags.contains { $0.isAdMarker || $0.isOfStitchedAd }
        }
        var places: [Int: Int]?
        var present: [String: Known] = [:]
        for range in ranges {
            let start = range.startDate
            guard range.tags.contains(where: \.isAdMarker) else {
                if let start { findings.stitched.append((start, range.duration ?? range.plannedDuration ?? .zero)) }
                continue
            }
            // IDs come again another day: the date belongs to the name.
            let key = range.id + "\n" + (start.map { String($0.nanoseconds / 1_000_000_000) } ?? "")
            let now = Known(
                length: range.plannedDuration, end: range.endDate, begins: range["SCTE35-OUT"] != nil,
                ends: range["SCTE35-IN"] != nil, commands: range["SCTE35-CMD"] != nil)
            present[key] = now
            let before = known[key]
            if before == now { continue }
            if placing == .tag || !hasDates || start == nil, places == nil {
                places = Self.places(in: playlist)
            }
            let isByDate = placing == .date && hasDates
            add(
                range, key: key, now: now, before: before, places: isByDate && start != nil ? nil : places, firstNew,
                to: &findings)
        }
        known = present
        return findings
    }

    private func add(
        _ range: CombinedDateRange, key: String, now: Known, before: Known?, places: [Int: Int]?, _ firstNew: Int,
        to findings: inout Findings
    ) {
        func put(_ signals: SegmentSignals, _ time: DateTime?, tag: DateRange?, isChange: Bool) {
            if let places, let tag, let segment = places[tag.line.range.lowerBound], segment >= firstNew {
                findings.placed[segment, default: SegmentSignals()].merge(signals)
            } else {
                findings.announcements.append(
                    BreakAnnouncement(
                        source: .dateRange(key: key), time: time, signals: signals, isChange: isChange))
            }
        }
        var begins = SegmentSignals()
        let name = BreakName.dateRange(range.id)
        begins.attributes["ID"] = range.id
        let message = SpliceReader(range.scte35Out ?? range.scte35Command ?? range.scte35In, levels: levels)
        begins.splice = message?.values ?? [:]
        if now.begins, let message, message.isAboutOtherThings {
            begins.ends = message.ends
        } else if now.begins {
            var out = SegmentSignals.Out()
            out.isText = true
            out.names = [name]
            if let told = message?.out { out.merge(told) }
            out.rangeLength = range.duration ?? range.plannedDuration
            // What a date range says of itself later is newer than the message of its beginning.
            if range.duration != nil || before != nil { out.messageLength = nil }
            begins.out = out
        } else if now.commands, let told = SpliceReader(range.scte35Command, levels: levels) {
            begins.cancelled = told.cancelled
            begins.ends = told.ends
            if var out = told.out {
                out.names.insert(name)
                out.rangeLength = range.duration ?? range.plannedDuration
                begins.out = out
            }
        }
        let isNew = before == nil || before?.begins != now.begins || before?.commands != now.commands
        if !begins.isEmpty, isNew || (before?.length != now.length && !now.ends) {
            let tag = range.tags.first { $0.attributes["SCTE35-IN"] == nil } ?? range.tags.first
            put(begins, range.startDate, tag: tag, isChange: before != nil)
        }
        if now.ends, before?.ends != true || before?.end != now.end {
            var ends = SegmentSignals()
            ends.ends = [.text([name])]
            let tag = range.tags.last { $0.attributes["SCTE35-IN"] != nil }
            put(ends, range.endDate, tag: tag, isChange: false)
        }
    }

    /// The segment with which each date range stands, by where its line begins; those behind the last segment with none.
    private static func places(in playlist: MediaPlaylist) -> [Int: Int] {
        var places: [Int: Int] = [:]
        for segment in playlist.segments where segment.contents.contains(.dateRange) {
            for line in playlist.lines(ofSegmentAt: segment.index) where line.kind == .dateRange {
                places[line.range.lowerBound] = segment.index
            }
        }
        return places
    }
}
