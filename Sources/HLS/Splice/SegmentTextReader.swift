/// Takes segments out of one playlist.
package struct SegmentTextReader {
    private let playlist: MediaPlaylist
    private let copier: LineCopier
    private let keepsHeaderTags: Bool
    private var states: [StateKey: SegmentText.State] = [:]
    // Many states share a line, which may be long: by where it stands, and by the map's index.
    private var keys: [Int: SegmentText.Key] = [:]
    private var maps: [Int: [UInt8]] = [:]

    private struct StateKey: Hashable {
        let keys: Int
        let map: Int?
    }

    /// - Parameters:
    ///   - base: makes URIs absolute; nil: they stay as they are.
    ///   - keepsHeaderTags: tags of the whole playlist that strayed in between segments stay there; else they are left out, to be
    ///     written once, in the header (rule 107).
    package init(_ playlist: MediaPlaylist, base: BaseURI?, keepsHeaderTags: Bool) {
        self.playlist = playlist
        self.keepsHeaderTags = keepsHeaderTags
        copier = LineCopier(playlist.source, base: base)
    }

    package mutating func text(of segment: MediaSegment) -> SegmentText {
        var output = PlaylistText(reservingBytes: segment.range.count + 128)
        var lines: [SegmentText.Line] = []
        lines.reserveCapacity(6)
        var explicitByteRange: [UInt8] = []
        for line in playlist.lines(ofSegmentAt: segment.index) {
            if !keepsHeaderTags, line.kind.isMediaPlaylistTag { continue }
            let start = output.count
            copier.append(line, to: &output)
            let role = Self.role(of: line, in: playlist.source)
            lines.append(SegmentText.Line(role: role, range: start..<output.count))
            if role == .byteRange, let range = segment.byteRange, !playlist.source[line.range].contains(0x40) {
                explicitByteRange = Self.line(range)
            }
        }
        return SegmentText(
            bytes: output.bytes, lines: lines, discontinuityCount: segment.discontinuityCount,
            hasDate: segment.programDateTime != nil, explicitByteRange: explicitByteRange, state: state(of: segment))
    }

    static func line(_ range: ByteRange) -> [UInt8] {
        var text = PlaylistText()
        text.append("#EXT-X-BYTERANGE:")
        text.append(range.length)
        text.append("@")
        text.append(range.offset)
        text.endLine()
        return text.bytes
    }

    /// Keys and map in force for a segment.
    mutating func state(of segment: MediaSegment) -> SegmentText.State {
        let key = StateKey(keys: segment.keyGroup, map: segment.map)
        if let known = states[key] { return known }
        var keys: [EncryptionKey] = []
        if playlist.keyGroups.indices.contains(segment.keyGroup) { keys = playlist.keyGroups[segment.keyGroup].keys }
        var map: [UInt8] = []
        var mapKeys: [SegmentText.Key]?
        if let index = segment.map, playlist.maps.indices.contains(index) {
            map = text(ofMapAt: index)
            if playlist.maps[index].isEncryptedOtherwise(than: keys, in: playlist.source) {
                mapKeys = texts(playlist.maps[index].keys)
            }
        }
        let state = SegmentText.State(keys: texts(keys), map: map, mapKeys: mapKeys)
        states[key] = state
        return state
    }

    private mutating func texts(_ inForce: [EncryptionKey]) -> [SegmentText.Key] {
        var texts: [SegmentText.Key] = []
        texts.reserveCapacity(inForce.count)
        for key in inForce {
            let start = key.line.range.lowerBound
            let text =
                keys[start]
                ?? SegmentText.Key(line: copier.text(of: key.line), hasImplicitIV: key.hasImplicitIV)
            keys[start] = text
            texts.append(text)
        }
        return texts
    }

    private mutating func text(ofMapAt index: Int) -> [UInt8] {
        let text = maps[index] ?? copier.text(of: playlist.maps[index].line)
        maps[index] = text
        return text
    }

    static func role(of line: PlaylistLine, in source: [UInt8]) -> LineRole {
        switch line.kind {
        case .discontinuity: .discontinuity
        case .key: .key
        case .map: .map
        case .programDateTime: .programDateTime
        case .bitrate: .bitrate
        case .part, .preloadHint, .renditionReport: .partial
        case .segmentDuration, .uri, .gap: .media
        case .byteRange: .byteRange
        case .cueOut, .signalExit: .opensBreak
        case .asset, .oatclsSCTE35: .breakDetail
        case .cueOutContinued, .cueSpan, .primetimeCueContinued, .signalSpan: .insideBreak
        case .cueIn, .signalReturn: .closesBreak
        case .scte35, .legacySCTE35, .splicePointSCTE35, .primetimeCue, .placementOpportunity: .opensBreak
        case .privateAdTag: .privateMarker
        case .dateRange: Self.role(ofDateRange: AttributeList(source, line: line))
        default: line.kind.isMediaPlaylistTag ? .header : .plain
        }
    }

    private static func role(ofDateRange attributes: AttributeList) -> LineRole {
        if attributes["SCTE35-OUT"] != nil || attributes["SCTE35-CMD"] != nil { return .opensBreak }
        if attributes["SCTE35-IN"] != nil { return .closesBreak }
        return .dateRange
    }
}
