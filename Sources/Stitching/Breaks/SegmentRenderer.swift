import HLS

/// Makes ledger texts from the segments of one snapshot.
struct SegmentRenderer {
    private let playlist: MediaPlaylist
    private let copier: LineCopier
    private var states: [StateKey: SegmentText.SegmentState] = [:]

    private struct StateKey: Hashable {
        let keys: Int
        let map: Int?
    }

    init(_ playlist: MediaPlaylist, url: String) {
        self.playlist = playlist
        copier = LineCopier(source: playlist.source, base: BaseURI(url))
    }

    mutating func text(of segment: MediaSegment) -> SegmentText {
        var output = PlaylistText(reservingBytes: segment.range.count + 128)
        var lines: [SegmentText.Line] = []
        var explicitByteRange: [UInt8] = []
        var hasDateRanges = false
        for line in playlist.lines(ofSegmentAt: segment.index) {
            // A tag of the whole playlist that strayed in between segments is written once, in the header (rule 107).
            if line.kind.isMediaPlaylistTag { continue }
            let start = output.count
            copier.append(line, to: &output)
            let role = Self.role(of: line, in: playlist.source)
            lines.append(SegmentText.Line(kind: role, range: start..<output.count))
            if role == .dateRange { hasDateRanges = true }
            if role == .byteRange, let range = segment.byteRange,
                !playlist.source[line.range].contains(0x40)
            {
                var text = PlaylistText()
                text.append("#EXT-X-BYTERANGE:")
                text.append(range.length)
                text.append("@")
                text.append(range.offset)
                text.endLine()
                explicitByteRange = text.bytes
            }
        }
        return SegmentText(
            bytes: output.bytes, lines: lines, discontinuityCount: segment.discontinuityCount,
            hasMarkers: lines.contains { $0.kind.rawValue >= SegmentText.LineRole.opensBreak.rawValue },
            hasDateRanges: hasDateRanges, hasBitrate: segment.contents.contains(.bitrate),
            hasDate: segment.programDateTime != nil, hasPartials: segment.contents.contains(.partialSegment),
            explicitByteRange: explicitByteRange, state: state(of: segment))
    }

    private mutating func state(of segment: MediaSegment) -> SegmentText.SegmentState {
        let key = StateKey(keys: segment.keyGroup, map: segment.map)
        if let known = states[key] { return known }
        var keys: [EncryptionKey] = []
        if playlist.keyGroups.indices.contains(segment.keyGroup) { keys = playlist.keyGroups[segment.keyGroup].keys }
        var map: [UInt8] = []
        var mapKeys: [SegmentText.Key]?
        if let index = segment.map, playlist.maps.indices.contains(index) {
            map = copier.text(of: playlist.maps[index].line)
            if playlist.maps[index].isEncryptedOtherwise(than: keys, in: playlist.source) {
                mapKeys = texts(playlist.maps[index].keys)
            }
        }
        let state = SegmentText.SegmentState(keys: texts(keys), map: map, mapKeys: mapKeys)
        states[key] = state
        return state
    }

    private func texts(_ keys: [EncryptionKey]) -> [SegmentText.Key] {
        keys.map { SegmentText.Key(line: copier.text(of: $0.line), hasImplicitIV: $0.hasImplicitIV) }
    }

    private static func role(of line: PlaylistLine, in source: [UInt8]) -> SegmentText.LineRole {
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
        case .scte35, .legacySCTE35, .splicePointSCTE35, .primetimeCue: .opensBreak
        case .dateRange: Self.role(ofDateRange: AttributeList(source, line: line))
        default: .plain
        }
    }

    private static func role(ofDateRange attributes: AttributeList) -> SegmentText.LineRole {
        if attributes["SCTE35-OUT"] != nil || attributes["SCTE35-CMD"] != nil { return .opensBreak }
        if attributes["SCTE35-IN"] != nil { return .closesBreak }
        return .dateRange
    }
}
