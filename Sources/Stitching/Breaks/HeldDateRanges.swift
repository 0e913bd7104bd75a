import HLS

/// The date ranges of a live rendition that its segments have brought: each stays listed for as long as it maps to a listed
/// segment, also when the segment before which it stood has left the playlist (rule 819).
struct HeldDateRanges: Sendable, Codable {
    /// One EXT-X-DATERANGE line; several lines may say of one ID.
    struct Line: Sendable, Codable {
        /// The segment before which it stood.
        let number: Int64
        let time: DateTime
        let duration: Duration
        /// Line end included.
        let bytes: [UInt8]
        /// It marks an ad, and is left out with the other markers of its break.
        let isMarker: Bool
        let opensBreak: Bool
        /// It tells of an ad that another stitcher has put in.
        var isOfStitchedAd: Bool { bytes.isDateRangeOfStitchedAd }
        let id: String
        let dateRangeClass: String?
        let start: DateTime?
        /// As said by the line itself.
        let end: DateTime?
        let plannedEnd: DateTime?
        let endsOnNext: Bool
        /// Its counterpart in another rendition has the same.
        var name: Name { Name(id: id, opensBreak: opensBreak, isMarker: isMarker) }
    }

    struct Name: Hashable {
        let id: String
        let opensBreak: Bool
        let isMarker: Bool
    }

    /// In the order of their segments.
    private(set) var lines: [Line] = []
    /// The rendition has brought any.
    private(set) var isUsed = false

    /// More are not held; the oldest goes first.
    private static let limit = 256

    mutating func read(_ segment: LedgerSegment) {
        guard !segment.text.roles.isDisjoint(with: Self.roles) else { return }
        for line in segment.text.lines {
            guard let range = Line(line, of: segment) else { continue }
            isUsed = true
            lines.append(range)
        }
        if lines.count > Self.limit { lines.removeFirst(lines.count - Self.limit) }
    }

    private static let roles: LineRoles = [.dateRange, .opensBreak, .closesBreak]

    /// The lines that stood before a segment in front of `number`, of ranges which map to something from `date` on, or of
    /// which another line is still to come there (rule 820).
    ///
    /// - Parameter others: IDs of ranges of which other lines are listed.
    func lines(before number: Int64, from date: DateTime?, or others: Set<String> = []) -> ArraySlice<Line> {
        guard let first = lines.first, first.number < number else { return [] }
        let end = lines.firstIndex { $0.number >= number } ?? lines.endIndex
        var kept = others.union(lines[end...].lazy.map(\.id))
        if let date { kept.formUnion(mappedIDs(from: date)) }
        return lines[..<end].filter { kept.contains($0.id) }[...]
    }

    /// The lines of ranges which map to something from `date` on.
    func lines(from date: DateTime?) -> [Line] {
        guard let date, !lines.isEmpty else { return lines }
        let mapped = mappedIDs(from: date)
        return lines.filter { mapped.contains($0.id) }
    }

    /// Lets go of ranges that do not map to anything from `date` on any more, and stood before segments in front of `number`.
    mutating func forget(before number: Int64, from date: DateTime) {
        guard let first = lines.first, first.number < number else { return }
        let mapped = mappedIDs(from: date)
        lines.removeAll { $0.number < number && !mapped.contains($0.id) }
    }

    mutating func forget(from number: Int64) { lines.removeAll { $0.number >= number } }

    private func mappedIDs(from date: DateTime) -> Set<String> {
        var ends: [String: (start: DateTime, end: DateTime?, planned: DateTime?, line: Line)] = [:]
        for line in lines {
            guard var known = ends[line.id] else {
                if let start = line.start { ends[line.id] = (start, line.end, line.plannedEnd, line) }
                continue
            }
            known.end = line.end ?? known.end
            known.planned = line.plannedEnd ?? known.planned
            ends[line.id] = known
        }
        var starts: [String: [DateTime]] = [:]
        for (_, range) in ends {
            if let name = range.line.dateRangeClass { starts[name, default: []].append(range.start) }
        }
        return Set(
            ends.compactMap { id, range in
                var end = range.end ?? range.planned
                if range.line.endsOnNext, range.end == nil {
                    let next = starts[range.line.dateRangeClass ?? ""]?.filter { $0 > range.start }.min()
                    // The next one has not come: it goes on.
                    guard let next else { return id }
                    end = next
                }
                let last = max(end ?? range.start, range.start)
                return last > date || last == range.start && last >= date ? id : nil
            })
    }
}

extension HeldDateRanges.Line {
    /// Nil for another line.
    init?(_ line: SegmentText.Line, of segment: LedgerSegment) {
        guard line.role.mayBeDateRange else { return nil }
        let bytes = Array(segment.text.bytes[line.range])
        guard bytes.starts(with: "#EXT-X-DATERANGE:".utf8) else { return nil }
        self.init(bytes, role: line.role, segment: segment)
    }

    private init(_ bytes: [UInt8], role: LineRole, segment: LedgerSegment) {
        number = segment.number
        time = segment.time
        duration = segment.duration
        isMarker = role != .dateRange
        opensBreak = role == .opensBreak
        let colon = bytes.firstIndex(of: 0x3A) ?? bytes.startIndex
        let attributes = AttributeList(bytes, in: colon + 1..<bytes.count)
        id = attributes["ID"]?.text ?? ""
        dateRangeClass = attributes["CLASS"]?.text
        start = attributes["START-DATE"]?.dateTime
        end =
            attributes["END-DATE"]?.dateTime
            ?? attributes["DURATION"]?.duration.flatMap { [start] length in start?.advanced(by: length) }
        plannedEnd = attributes["PLANNED-DURATION"]?.duration.flatMap { [start] length in start?.advanced(by: length) }
        endsOnNext = attributes["END-ON-NEXT"]?.isYes ?? false
        self.bytes = bytes
    }
}
