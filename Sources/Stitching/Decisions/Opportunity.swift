package import HLS

/// Names a break for ever. A function of what the origin says of it (date, number, event id), so replicas agree.
package struct BreakID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { text }

    package static func < (left: BreakID, right: BreakID) -> Bool { left.text < right.text }
}

/// A break for which a session has no decision yet: what an ad provider is asked about.
package struct Opportunity: Sendable, Equatable {
    package enum Position: String, Sendable, Codable { case preroll, midroll, postroll }

    package var id: BreakID
    /// Where the break begins on the channel's timeline.
    package var start: DateTime
    /// The planned length; nil where the marker names none (an inserted break, or one that ends at its CUE-IN only).
    package var plannedDuration: Duration?
    /// The most that ads may fill: the planned length or, where none is known, the cap.
    package var availableDuration: Duration
    package var position: Position
    /// Counts the breaks of this session from 1.
    package var index: Int
    /// The attributes of the break's markers (`BREAKID`, `CAID`, EXT-X-ASSET values), names in upper case, for macros.
    package var attributes: [String: String]
    /// Fields of the break's SCTE-35 message, by the names of ad server macros.
    package var splice: [String: String]
    /// Values of the break's EXT-X-ASSET, names in upper case.
    package var asset: [String: String]
    /// Ads go between two segments and replace nothing.
    package var isInsertion: Bool
    /// The leading rendition's first segment of the break, where it is known.
    package var startNumber: Int64?
    /// Where it begins in the content: from the beginning of a title, in live from the live edge at which the session began.
    package var contentTime: Duration?
    /// It is the rest of a break, after so many attempts to get ads for it: 0 where the session joined inside the break.
    package var part: Int?

    package init(
        id: BreakID, start: DateTime, plannedDuration: Duration?, availableDuration: Duration, position: Position,
        index: Int, attributes: [String: String] = [:], splice: [String: String] = [:], asset: [String: String] = [:],
        isInsertion: Bool = false
    ) {
        self.id = id
        self.start = start
        self.plannedDuration = plannedDuration
        self.availableDuration = availableDuration
        self.position = position
        self.index = index
        self.attributes = attributes
        self.splice = splice
        self.asset = asset
        self.isInsertion = isInsertion
    }
}
