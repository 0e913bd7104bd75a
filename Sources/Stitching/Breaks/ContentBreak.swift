package import HLS

/// A break of the content: where the origin, or a VMAP answer for one session, says that ads may go.
package struct ContentBreak: Sendable, Equatable, Codable {
    package let id: BreakID
    /// Media sequence number, on the leading rendition, of the first segment of the break: replaced, or pushed back by an
    /// insertion. One past the last for a post-roll. Nil where the break began before anything was seen of it.
    package let startNumber: Int64?
    /// t(start) on the channel's timeline.
    package let start: DateTime
    /// Nil where the marker names no length.
    package internal(set) var plannedDuration: Duration?
    /// The most that ads may fill.
    package internal(set) var availableDuration: Duration
    /// Ads go between two segments; nothing is replaced.
    package let isInsertion: Bool
    /// Where the content returned, set when a CUE-IN, a new CUE-OUT or the planned length ended the break.
    package internal(set) var end: End?
    /// The attributes of the break's markers, names in upper case.
    package internal(set) var attributes: [String: String]

    /// How a break ended.
    package struct End: Sendable, Equatable, Codable {
        package var time: DateTime
        /// The leading rendition's segment that brings the content back; nil where only the planned length tells.
        package var number: Int64?
    }

    package init(
        id: BreakID, startNumber: Int64?, start: DateTime, plannedDuration: Duration?, availableDuration: Duration,
        isInsertion: Bool, end: End? = nil, attributes: [String: String] = [:]
    ) {
        self.id = id
        self.startNumber = startNumber
        self.start = start
        self.plannedDuration = plannedDuration
        self.availableDuration = availableDuration
        self.isInsertion = isInsertion
        self.end = end
        self.attributes = attributes
    }

    /// When the break ends if nothing ends it early.
    package var plannedEnd: DateTime {
        start.advanced(by: isInsertion ? .zero : availableDuration)
    }

    /// Timeline order; two at one place are ordered by id.
    static func isBefore(_ left: ContentBreak, _ right: ContentBreak) -> Bool {
        if left.start != right.start { return left.start < right.start }
        let leftNumber = left.startNumber ?? .min
        let rightNumber = right.startNumber ?? .min
        if leftNumber != rightNumber { return leftNumber < rightNumber }
        return left.id < right.id
    }
}
