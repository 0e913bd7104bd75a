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

    /// Insertions in the order of their dates, with what each and all before it have inserted: a title may have thousands of them,
    /// and as many date ranges.
    struct Insertions {
        private var dates: [DateTime] = []
        private var sums: [Duration] = []

        init(_ insertions: [Insertion]) {
            var sum = Duration.zero
            for insertion in insertions.sorted(by: { $0.at < $1.at }) {
                sum += insertion.length
                dates.append(insertion.at)
                sums.append(sum)
            }
        }

        var isEmpty: Bool { dates.isEmpty }

        /// What is inserted before a date; nil for nothing.
        ///
        /// - Parameter isStart: what begins where something is inserted begins behind it; what ends there ends before it.
        func length(before date: DateTime, isStart: Bool) -> Duration? {
            let count = dates.partitioningIndex { isStart ? $0 > date : $0 >= date }
            return count > 0 ? sums[count - 1] : nil
        }
    }

    /// The line with its dates moved by what is inserted before them; any other line stays.
    static func shifted(_ line: [UInt8], by insertions: Insertions) -> [UInt8] {
        guard !insertions.isEmpty else { return line }
        return shifted(line) { insertions.length(before: $0, isStart: $1) }
    }

    private static func shifted(_ line: [UInt8], by shift: (DateTime, _ isStart: Bool) -> Duration?) -> [UInt8] {
        guard line.starts(with: "#EXT-X-DATERANGE:".utf8), let colon = line.firstIndex(of: 0x3A) else { return line }
        var output = PlaylistText()
        var copied = 0
        for attribute in AttributeList(line, in: colon + 1..<line.count) {
            let isStart = attribute.name == "START-DATE"
            guard isStart || attribute.name == "END-DATE", let date = attribute.value.dateTime,
                attribute.value.range.lowerBound >= copied
            else { continue }
            guard let length = shift(date, isStart) else { continue }
            output.append(line, in: copied..<attribute.value.range.lowerBound)
            output.append(date.advanced(by: length))
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
