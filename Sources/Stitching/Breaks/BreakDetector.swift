import HLS

/// Finds the breaks of the leading rendition, segment by segment in the order of their numbers.
///
/// A break ends at the first of: a return marker, a new out marker, its planned length or, where none is known, the cap.
struct BreakDetector: Sendable, Codable {
    /// How long a break without a length may be filled.
    var unknownLengthCap: Duration
    /// Ascending on the timeline.
    private(set) var breaks: [ContentBreak] = []
    /// The last break is still open.
    private(set) var isOpen = false

    init(unknownLengthCap: Duration) {
        self.unknownLengthCap = unknownLengthCap
    }

    /// Reads a segment.
    mutating func read(
        _ segment: SegmentSignals, number: Int64, time: DateTime, duration: Duration, date: DateTime?
    ) {
        closeByLength(at: time)
        if segment.returns, isOpen { close(at: time, number: number) }
        if let out = segment.out {
            open(out.duration, segment: segment, number: number, time: time, date: date)
        } else if let inside = segment.inside {
            if isOpen {
                complete(with: inside, attributes: segment.attributes)
            } else if !segment.returns {
                join(inside, segment: segment, time: time, duration: duration)
            }
        }
    }

    private mutating func open(
        _ duration: Duration?, segment: SegmentSignals, number: Int64, time: DateTime, date: DateTime?
    ) {
        if isOpen, let last = breaks.last, let event = Self.eventID(segment.attributes),
            event == Self.eventID(last.attributes)
        {
            // A repeat of the message of the open break.
            return
        }
        if isOpen { close(at: time, number: number) }
        let isInsertion = duration == .zero
        let id = Self.id(number: number, date: date, isInsertion: isInsertion)
        breaks.append(
            ContentBreak(
                id: id, startNumber: number, start: time, plannedDuration: isInsertion ? nil : duration,
                availableDuration: duration.map { $0 > .zero ? $0 : unknownLengthCap } ?? unknownLengthCap,
                isInsertion: isInsertion, end: isInsertion ? ContentBreak.End(time: time, number: number) : nil,
                attributes: segment.attributes))
        isOpen = !isInsertion
    }

    /// The first thing seen of a break is that it goes on.
    private mutating func join(
        _ inside: (elapsed: Duration?, duration: Duration?), segment: SegmentSignals, time: DateTime, duration: Duration
    ) {
        let elapsed = max(inside.elapsed ?? .zero, .zero)
        if let length = inside.duration, elapsed >= length { return }
        let start = time.advanced(by: .zero - elapsed)
        // The origin's break outlasts its planned length: no new one.
        if let last = breaks.last, let end = last.end {
            if inside.elapsed == nil, end.time.advanced(by: duration) >= time { return }
            if start < end.time { return }
        }
        let available = inside.duration ?? unknownLengthCap
        breaks.append(
            ContentBreak(
                id: BreakID("c\(start.nanoseconds / 1_000_000)"), startNumber: nil, start: start,
                plannedDuration: inside.duration, availableDuration: available, isInsertion: false,
                attributes: segment.attributes))
        isOpen = true
    }

    /// A continuation names the length that the out marker left open.
    private mutating func complete(
        with inside: (elapsed: Duration?, duration: Duration?), attributes: [String: String]
    ) {
        guard let index = breaks.indices.last else { return }
        if breaks[index].plannedDuration == nil, let length = inside.duration, length > .zero {
            breaks[index].plannedDuration = length
            breaks[index].availableDuration = length
        }
        breaks[index].attributes.merge(attributes) { old, _ in old }
    }

    private mutating func close(at time: DateTime, number: Int64) {
        guard let index = breaks.indices.last else { return }
        isOpen = false
        breaks[index].end = ContentBreak.End(time: time, number: number)
    }

    private mutating func closeByLength(at time: DateTime) {
        guard isOpen, let index = breaks.indices.last, breaks[index].plannedEnd <= time else { return }
        isOpen = false
        breaks[index].end = ContentBreak.End(time: breaks[index].plannedEnd, number: nil)
    }

    /// Forgets breaks that ended before `time`.
    mutating func forgetBreaks(before time: DateTime) {
        var count = 0
        while count < breaks.count, let end = breaks[count].end, max(end.time, breaks[count].plannedEnd) < time {
            count += 1
        }
        if count > 0 { breaks.removeFirst(count) }
    }

    /// A date names a break for ever, also after the origin has begun to count anew; a number only without dates.
    private static func id(number: Int64, date: DateTime?, isInsertion: Bool) -> BreakID {
        let kind = isInsertion ? "i" : "b"
        guard let date else { return BreakID("\(kind)n\(number)") }
        return BreakID("\(kind)\(date.nanoseconds / 1_000_000)")
    }

    private static func eventID(_ attributes: [String: String]) -> String? {
        attributes["BREAKID"] ?? attributes["ID"] ?? attributes["SCTE35"]
    }
}
