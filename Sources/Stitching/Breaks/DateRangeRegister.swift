import HLS

/// The date ranges of a source by their IDs: what is written of one says the same in every rendition, whichever tag brings it
/// (rules 816, 820, 821).
///
/// Where the origin's clock has stepped back the dates of the content are moved, and those of a range with them: for good by so much
/// as when its first tag came. An ID that comes again with another date names another range, and gets that date into its name.
struct DateRangeRegister: Sendable, Codable {
    private struct Range: Sendable, Codable {
        /// START-DATE as the origin has it.
        let start: DateTime
        /// What its dates are moved by.
        let shift: Duration
        /// Nil: its own ID.
        let name: String?
    }

    private var ranges: [String: [Range]] = [:]
    /// The IDs in the order in which they came.
    private var order: [String] = []

    /// More are not remembered; the oldest goes first.
    private static let limit = 512
    private static let limitOfID = 16
    /// START-DATE may be rounded otherwise in another tag, and clocks jitter.
    private static let rounding = Duration.seconds(1)
    private static let jitter = Duration.seconds(10)

    /// A segment's lines as they are to be written.
    mutating func written(_ text: SegmentText, shift: Duration) -> SegmentText {
        guard !text.roles.isDisjoint(with: Self.roles) else { return text }
        var changed: [Int: [UInt8]] = [:]
        for line in text.lines where line.role.mayBeDateRange {
            changed[line.range.lowerBound] = written(Array(text.bytes[line.range]), shift: shift)
        }
        guard !changed.isEmpty else { return text }
        return text.rewriting { line, _ in changed[line.range.lowerBound] }
    }

    private static let roles: LineRoles = [.dateRange, .opensBreak, .closesBreak]

    /// Nil: as it is.
    private mutating func written(_ line: [UInt8], shift: Duration) -> [UInt8]? {
        guard line.starts(with: "#EXT-X-DATERANGE:".utf8), let colon = line.firstIndex(of: 0x3A) else { return nil }
        let attributes = AttributeList(line, in: colon + 1..<line.count)
        guard let id = attributes["ID"]?.text, !id.isEmpty else { return nil }
        let start = attributes["START-DATE"]?.dateTime
        let range = range(id, start: start, shift: shift)
        let isMoved = range.shift != .zero || start.map { $0 != range.start } ?? false
        guard isMoved || range.name != nil else { return nil }
        var output = PlaylistText()
        var copied = 0
        for attribute in attributes where attribute.value.range.lowerBound >= copied {
            let place = attribute.value.range
            switch attribute.name {
            case "ID":
                guard let name = range.name else { continue }
                output.append(line, in: copied..<place.lowerBound)
                output.append(name)
            case "START-DATE", "END-DATE":
                guard isMoved, let date = attribute.value.dateTime else { continue }
                output.append(line, in: copied..<place.lowerBound)
                output.append((attribute.name == "START-DATE" ? range.start : date).advanced(by: range.shift))
            default: continue
            }
            copied = place.upperBound
        }
        output.append(line, in: copied..<line.count)
        return output.bytes
    }

    private mutating func range(_ id: String, start: DateTime?, shift: Duration) -> Range {
        let known = ranges[id] ?? []
        guard let start else {
            // It says more of the one that came last.
            return known.last ?? Range(start: DateTime(nanoseconds: 0), shift: shift, name: nil)
        }
        let same = known.last {
            $0.start.duration(to: start).magnitude < Self.rounding && ($0.shift - shift).magnitude < Self.jitter
        }
        if let same { return same }
        let date = start.advanced(by: shift).nanoseconds / 1_000_000
        let range = Range(start: start, shift: shift, name: known.isEmpty ? nil : "\(id)-\(date)")
        if known.isEmpty { order.append(id) }
        ranges[id] = known.suffix(Self.limitOfID - 1) + [range]
        if order.count > Self.limit * 2 {
            for old in order.prefix(Self.limit) { ranges[old] = nil }
            order.removeFirst(Self.limit)
        }
        return range
    }
}
