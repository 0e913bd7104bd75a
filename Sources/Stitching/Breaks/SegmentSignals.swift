import HLS

/// What the markers of one segment say together, whatever their dialects: several dialects are one break.
package struct SegmentSignals: Sendable, Equatable, Codable {
    /// A break begins with this segment.
    package struct Out: Sendable, Equatable, Codable {
        /// By rank: what a CUE-OUT or a tag like it says, what the SCTE-35 message says, what a date range says. Zero in the
        /// first: nothing is replaced.
        var textLength: Duration?
        var messageLength: Duration?
        var rangeLength: Duration?
        var names: Set<BreakName> = []
        /// segmentation_type_id of the outermost start in the messages, and its level.
        var type: UInt8?
        var level: Int?
        /// A tag says so, not only a message.
        var isText = false

        var length: Duration? { textLength ?? messageLength ?? rangeLength }
        /// Where a length of zero is none.
        var positiveLength: Duration? {
            [textLength, messageLength, rangeLength].lazy.compactMap(\.self).first { $0 > .zero }
        }

        mutating func merge(_ other: Out) {
            textLength = textLength ?? other.textLength
            messageLength = messageLength ?? other.messageLength
            rangeLength = rangeLength ?? other.rangeLength
            isText = isText || other.isText
            guard let level = other.level, let own = self.level, level != own else {
                names.formUnion(other.names)
                self.level = self.level ?? other.level
                type = type ?? other.type
                return
            }
            // The names of what lies inside are not those of the break.
            guard level < own else { return }
            self.level = level
            type = other.type
            names = other.names
            messageLength = other.messageLength ?? messageLength
        }
    }

    /// This segment lies inside a break.
    package struct Inside: Sendable, Equatable, Codable {
        var elapsed: Duration?
        var length: Duration?
        var names: Set<BreakName> = []
        var type: UInt8?
        var level: Int?
    }

    /// The content returns with this segment, if it is the open break that ends.
    package enum End: Sendable, Equatable, Codable {
        /// A tag, with the names it gives: of the break that it ends, where it gives any; and the level where it tells it.
        case text(Set<BreakName>, level: Int? = nil)
        case splice(UInt32)
        /// `isLast`: not one of several ends with more to come.
        case segmentation(type: UInt8, event: UInt32, isLast: Bool)
        case program
    }

    package var out: Out?
    package var inside: Inside?
    package var ends: [End] = []
    /// Ads may be put in before this segment; nothing is replaced.
    package var isPoint = false
    /// Events that are off if they have not begun.
    package var cancelled: Set<BreakName> = []
    /// Attributes of all markers of the segment, names in upper case; of equal names the first counts.
    package var attributes: [String: String] = [:]
    /// Fields of the SCTE-35 message, by the names of ad server macros.
    package var splice: [String: String] = [:]
    /// EXT-X-ASSET, names in upper case.
    package var asset: [String: String] = [:]

    package init() {}

    var isEmpty: Bool { out == nil && inside == nil && ends.isEmpty && !isPoint && cancelled.isEmpty }

    /// A tag says that content returns here.
    var hasTextEnd: Bool {
        ends.contains { if case .text = $0 { true } else { false } }
    }

    mutating func merge(_ other: SegmentSignals) {
        if let out = other.out { add(out) }
        if let inside = other.inside { add(inside) }
        ends += other.ends
        isPoint = isPoint || other.isPoint
        cancelled.formUnion(other.cancelled)
        attributes.merge(other.attributes) { first, _ in first }
        splice.merge(other.splice) { first, _ in first }
        asset.merge(other.asset) { first, _ in first }
    }

    mutating func add(_ out: Out) {
        if self.out == nil { self.out = out } else { self.out?.merge(out) }
    }

    mutating func add(_ inside: Inside) {
        guard var known = self.inside else {
            self.inside = inside
            return
        }
        known.elapsed = known.elapsed ?? inside.elapsed
        known.length = known.length ?? inside.length
        known.names.formUnion(inside.names)
        known.type = known.type ?? inside.type
        known.level = known.level ?? inside.level
        self.inside = known
    }

    mutating func add(_ list: CueAttributes) {
        for pair in list.pairs where !pair.name.isEmpty {
            let name = pair.name.uppercased()
            if attributes[name] == nil { attributes[name] = pair.value }
        }
    }
}
