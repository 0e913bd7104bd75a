import HLS

/// Moves the dates of EXT-X-DATERANGE lines along with the content behind insertions (rule 807).
enum DateRangeShift {
    struct Insertion {
        /// On the content's own dates.
        let at: DateTime
        let length: Duration

        /// Nil where nothing moves: the break replaces content, or there are no dates.
        init?(_ placement: Placement) {
            let length = placement.dateShiftAfter - placement.dateShift
            guard length != .zero, let date = placement.startDate else { return nil }
            at = date.advanced(by: .zero - placement.dateShift)
            self.length = length
        }
    }

    /// The line with its dates moved by what is inserted before them; any other line stays.
    static func shifted(_ line: [UInt8], by insertions: [Insertion]) -> [UInt8] {
        guard !insertions.isEmpty, line.starts(with: "#EXT-X-DATERANGE:".utf8), let colon = line.firstIndex(of: 0x3A)
        else { return line }
        var output = PlaylistText()
        var copied = 0
        for attribute in AttributeList(line, in: colon + 1..<line.count) {
            let isStart = attribute.name == "START-DATE"
            guard isStart || attribute.name == "END-DATE", let date = attribute.value.dateTime,
                attribute.value.range.lowerBound >= copied
            else { continue }
            // What ends where something is inserted ends before it.
            let before = insertions.filter { isStart ? $0.at <= date : $0.at < date }
            guard !before.isEmpty else { continue }
            output.append(line, in: copied..<attribute.value.range.lowerBound)
            output.append(date.advanced(by: before.reduce(.zero) { $0 + $1.length }))
            copied = attribute.value.range.upperBound
        }
        output.append(line, in: copied..<line.count)
        return output.bytes
    }
}

extension LineRole {
    /// Date ranges are among the markers, too.
    var mayBeDateRange: Bool { self == .dateRange || self == .opensBreak || self == .closesBreak }
}
