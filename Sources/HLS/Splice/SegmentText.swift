/// The lines of a segment taken out of its playlist, with all that it needs to stand anywhere else. Shared by all copies.
package final class SegmentText: Sendable, Codable {
    package struct Line: Sendable, Codable {
        package let role: LineRole
        /// Into ``SegmentText/bytes``, line end included.
        package let range: Range<Int>
    }

    /// All lines in their order.
    package let bytes: [UInt8]
    package let lines: [Line]
    /// The roles of all lines.
    package let roles: LineRoles
    /// EXT-X-DISCONTINUITY tags among them.
    package let discontinuityCount: Int
    /// A readable EXT-X-PROGRAM-DATE-TIME is among them.
    package let hasDate: Bool
    /// EXT-X-BYTERANGE with its offset, where the playlist left it out (rule 703); else empty.
    package let explicitByteRange: [UInt8]
    package let state: State

    init(
        bytes: [UInt8], lines: [Line], discontinuityCount: Int, hasDate: Bool, explicitByteRange: [UInt8], state: State
    ) {
        self.bytes = bytes
        self.lines = lines
        roles = lines.reduce(into: []) { $0.insert(LineRoles($1.role)) }
        self.discontinuityCount = discontinuityCount
        self.hasDate = hasDate
        self.explicitByteRange = explicitByteRange
        self.state = state
    }

    /// The segment with other bytes for some of its lines, line ends included; nil: a line stays.
    package func rewriting(_ rewriting: (Line, [UInt8]) -> [UInt8]?) -> SegmentText {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 16)
        let lines = lines.map { line in
            let start = output.count
            let known = Array(bytes[line.range])
            output += rewriting(line, known) ?? known
            return Line(role: line.role, range: start..<output.count)
        }
        return SegmentText(
            bytes: output, lines: lines, discontinuityCount: discontinuityCount, hasDate: hasDate,
            explicitByteRange: explicitByteRange, state: state)
    }

    /// Keys and map in force, shared by the segments of a run.
    package final class State: Sendable, Codable {
        /// EXT-X-KEY lines in force, in the playlist's order.
        package let keys: [Key]
        /// The EXT-X-MAP line in force, without its line end; empty where there is none.
        package let map: [UInt8]
        /// The keys that the map stands under, where it was encrypted otherwise than the segments (rule 610); else nil.
        package let mapKeys: [Key]?
        /// Whether any of the keys takes its IV from the media sequence number (rule 605).
        package let hasImplicitIV: Bool
        /// The lines of `keys`.
        let keyLines: [[UInt8]]

        init(keys: [Key], map: [UInt8], mapKeys: [Key]? = nil) {
            self.keys = keys
            self.map = map
            self.mapKeys = mapKeys
            hasImplicitIV = keys.contains(where: \.hasImplicitIV)
            keyLines = keys.map(\.line)
        }
    }

    package struct Key: Sendable, Equatable, Codable {
        /// The line, without its line end.
        package let line: [UInt8]
        /// The IV is the media sequence number and has to be written out once that changes (rule 605).
        package let hasImplicitIV: Bool
    }

    /// A byte range without offset goes on where that of the segment before ends, if both are of one resource (rule 703).
    package func continuesByteRange(of before: SegmentText) -> Bool {
        guard roles.contains(.byteRange) else { return true }
        let bytes = bytes
        let isImplicit = lines.contains { $0.role == .byteRange && !bytes[$0.range].contains(UInt8(ascii: "@")) }
        guard isImplicit, let uri, let other = before.uri else { return true }
        return uri.elementsEqual(other)
    }

    private var uri: ArraySlice<UInt8>? {
        guard let line = lines.last(where: { $0.role == .media }) else { return nil }
        let bytes = bytes
        return bytes[bytes.span.trimmed(line.range)]
    }
}

/// What a rewriter has to know of a segment's line.
package enum LineRole: UInt8, Sendable, Codable {
    /// Copied with its segment.
    case plain
    case discontinuity, key, map, programDateTime, bitrate, dateRange
    /// EXT-X-PART, EXT-X-PRELOAD-HINT, EXT-X-RENDITION-REPORT.
    case partial
    /// EXTINF, URI, EXT-X-GAP.
    case media
    case byteRange
    /// A marker that opens a break.
    case opensBreak
    case insideBreak, closesBreak
    /// Says more of the break that opens or closes here.
    case breakDetail
    /// A tag of the whole playlist that strayed in between segments (rule 107).
    case header
    /// A vendor's own ad tag, which opens and ends no break.
    case privateMarker
}

package struct LineRoles: OptionSet, Sendable, Codable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package init(_ role: LineRole) { rawValue = 1 << UInt16(role.rawValue) }

    package static let discontinuity = LineRoles(.discontinuity)
    package static let key = LineRoles(.key)
    package static let map = LineRoles(.map)
    package static let programDateTime = LineRoles(.programDateTime)
    package static let bitrate = LineRoles(.bitrate)
    package static let dateRange = LineRoles(.dateRange)
    package static let partial = LineRoles(.partial)
    package static let byteRange = LineRoles(.byteRange)
    package static let opensBreak = LineRoles(.opensBreak)
    package static let insideBreak = LineRoles(.insideBreak)
    package static let closesBreak = LineRoles(.closesBreak)
    package static let breakDetail = LineRoles(.breakDetail)
    package static let header = LineRoles(.header)
    package static let privateMarker = LineRoles(.privateMarker)
    /// Of all families by which ads are marked, date ranges of other stitchers not among them: those only their attributes tell.
    package static let allMarkers: LineRoles = [.opensBreak, .insideBreak, .closesBreak, .breakDetail, .privateMarker]
    /// All of a break's.
    package static let markers: LineRoles = [.opensBreak, .insideBreak, .closesBreak, .breakDetail]
    /// Of a break that began before.
    package static let markersWithin: LineRoles = [.insideBreak, .closesBreak]

    package func contains(_ role: LineRole) -> Bool { contains(LineRoles(role)) }
}
