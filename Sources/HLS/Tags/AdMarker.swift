/// A tag by which an origin marks ads. The dialects are one family, told apart by their tags.
package enum AdMarker: Sendable {
    case cueOut(CueOut)
    /// EXT-X-CUE-OUT-CONT.
    case cueOutContinued(CueOutContinued)
    /// EXT-X-CUE-SPAN.
    case cueSpan(CueOutContinued)
    case cueIn(CueIn)
    /// EXT-X-ASSET: ids and pairs for the ad request, values percent-encoded.
    case asset(VendorMarker)
    /// EXT-OATCLS-SCTE35: base64.
    case oatclsSCTE35(VendorMarker)
    /// EXT-X-SPLICEPOINT-SCTE35: base64.
    case splicePointSCTE35(VendorMarker)
    /// EXT-X-SCTE35 of SCTE 35 §12.2.
    case scte35(VendorMarker)
    /// EXT-SCTE35 of older standards.
    case legacySCTE35(VendorMarker)
    /// EXT-X-CUE of Adobe Primetime.
    case primetimeCue(VendorMarker)
    /// EXT-X-CUE-CONT of Adobe Primetime.
    case primetimeCueContinued(VendorMarker)
    /// EXT-X-SIGNAL-EXIT, -SPAN and -RETURN of manifest conditioning.
    case signalExit(VendorMarker)
    case signalSpan(VendorMarker)
    case signalReturn(VendorMarker)
    /// EXT-X-DATERANGE with an SCTE35 attribute.
    case dateRange(DateRange)
    /// EXT-X-PLACEMENT-OPPORTUNITY: a place to insert.
    case placementOpportunity(VendorMarker)
    /// Private tags that only pass through.
    case other(VendorMarker)

    /// The marker a line is, nil for other lines.
    package init?(_ source: [UInt8], line: PlaylistLine) {
        let bytes = source.span
        switch line.kind {
        case .cueOut: self = .cueOut(CueOut(bytes, line: line))
        case .cueOutContinued: self = .cueOutContinued(CueOutContinued(bytes, line: line))
        case .cueSpan: self = .cueSpan(CueOutContinued(bytes, line: line))
        case .cueIn: self = .cueIn(CueIn(bytes, line: line))
        case .asset: self = .asset(VendorMarker(bytes, line: line))
        case .oatclsSCTE35: self = .oatclsSCTE35(VendorMarker(bytes, line: line))
        case .splicePointSCTE35: self = .splicePointSCTE35(VendorMarker(bytes, line: line))
        case .scte35: self = .scte35(VendorMarker(bytes, line: line))
        case .legacySCTE35: self = .legacySCTE35(VendorMarker(bytes, line: line))
        case .primetimeCue: self = .primetimeCue(VendorMarker(bytes, line: line))
        case .primetimeCueContinued: self = .primetimeCueContinued(VendorMarker(bytes, line: line))
        case .signalExit: self = .signalExit(VendorMarker(bytes, line: line))
        case .signalSpan: self = .signalSpan(VendorMarker(bytes, line: line))
        case .signalReturn: self = .signalReturn(VendorMarker(bytes, line: line))
        case .placementOpportunity: self = .placementOpportunity(VendorMarker(bytes, line: line))
        case .privateAdTag: self = .other(VendorMarker(bytes, line: line))
        case .dateRange:
            let range = DateRange(source, line: line)
            guard range.isAdMarker else { return nil }
            self = .dateRange(range)
        default: return nil
        }
    }

    package var line: PlaylistLine {
        switch self {
        case .cueOut(let cue): cue.line
        case .cueOutContinued(let cue), .cueSpan(let cue): cue.line
        case .cueIn(let cue): cue.line
        case .dateRange(let range): range.line
        case .asset(let marker), .oatclsSCTE35(let marker), .splicePointSCTE35(let marker), .scte35(let marker),
            .legacySCTE35(let marker), .primetimeCue(let marker), .primetimeCueContinued(let marker),
            .signalExit(let marker), .signalSpan(let marker), .signalReturn(let marker),
            .placementOpportunity(let marker), .other(let marker):
            marker.line
        }
    }
}

extension MediaPlaylist {
    /// The ad markers before a segment, in the order of their lines. Empty for an index out of range.
    package func markers(ofSegmentAt index: Int) -> [AdMarker] {
        guard storage.records.indices.contains(index) else { return [] }
        // Most segments have none: their lines are not looked at.
        let contents = MediaSegment.Contents(rawValue: storage.records[index].contents)
        guard !contents.isDisjoint(with: [.adMarker, .dateRange]) else { return [] }
        return lines(ofSegmentAt: index).compactMap { AdMarker(source, line: $0) }
    }

    /// The ad markers after the last segment, waiting for the next one.
    package var trailerMarkers: [AdMarker] {
        trailerLines.compactMap { AdMarker(source, line: $0) }
    }
}
