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
    /// Fields of its SCTE-35 message, by the names of ad server macros.
    package internal(set) var splice: [String: String]
    /// Values of its EXT-X-ASSET, names in upper case.
    package internal(set) var asset: [String: String]
    /// The most that ads were ever told they may fill: a pod may have been made for it.
    private(set) var longestDuration: Duration
    /// Of a break that had begun before anything was seen of it: the first segment that told of it. Nil for any other.
    var foundAt: DateTime?
    /// The break of the ledger that this is a part of.
    package private(set) var root: Root?

    /// Names a break of the ledger.
    package struct Root: Sendable, Equatable, Codable {
        package var id: BreakID
        package var start: DateTime
        package var startNumber: Int64?
    }

    /// How a break ended.
    package struct End: Sendable, Equatable, Codable {
        package var time: DateTime
        /// The leading rendition's segment that brings the content back; nil where only the planned length tells.
        package var number: Int64?
    }

    package init(
        id: BreakID, startNumber: Int64?, start: DateTime, plannedDuration: Duration?, availableDuration: Duration,
        isInsertion: Bool, end: End? = nil, attributes: [String: String] = [:], splice: [String: String] = [:],
        asset: [String: String] = [:]
    ) {
        self.id = id
        self.startNumber = startNumber
        self.start = start
        self.plannedDuration = plannedDuration
        self.availableDuration = availableDuration
        self.isInsertion = isInsertion
        self.end = end
        self.attributes = attributes
        self.splice = splice
        self.asset = asset
        longestDuration = availableDuration
    }

    /// The rest of this break from a time on, as a break of its own; nil where nothing is left.
    func part(_ id: BreakID, from start: DateTime, startNumber: Int64?) -> ContentBreak? {
        guard !isInsertion, start > self.start, plannedEnd > start, end.map({ $0.time > start }) ?? true else {
            return nil
        }
        var part = ContentBreak(
            id: id, startNumber: startNumber, start: start,
            plannedDuration: plannedDuration.map { _ in start.duration(to: plannedEnd) },
            availableDuration: start.duration(to: plannedEnd), isInsertion: false, end: end, attributes: attributes,
            splice: splice, asset: asset)
        part.longestDuration = start.duration(to: latestEnd)
        part.root = Root(id: self.id, start: self.start, startNumber: self.startNumber)
        return part
    }

    /// The length becomes known, once.
    mutating func learn(length: Duration) {
        plannedDuration = length
        availableDuration = length
        longestDuration = max(longestDuration, length)
    }

    /// The latest end that a pod may have been made for. A return before it is early.
    var latestEnd: DateTime { start.advanced(by: isInsertion ? .zero : longestDuration) }

    /// When the break ends if nothing ends it early.
    package var plannedEnd: DateTime {
        start.advanced(by: isInsertion ? .zero : availableDuration)
    }

    /// Timeline order; two at one place are ordered by id. What begins together with the pre-roll begins under it.
    static func isBefore(_ left: ContentBreak, _ right: ContentBreak) -> Bool {
        if left.start != right.start { return left.start < right.start }
        if left.id == .preroll || right.id == .preroll { return left.id != right.id && left.id == .preroll }
        let leftNumber = left.startNumber ?? .min
        let rightNumber = right.startNumber ?? .min
        if leftNumber != rightNumber { return leftNumber < rightNumber }
        return left.id < right.id
    }
}
