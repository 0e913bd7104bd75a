/// A tag by which an origin marks ads. The dialects are one family, told apart by their tags; ``signal`` is what they have in
/// common.
package enum AdMarker: Sendable {
    case cueOut(CueOut)
    /// EXT-X-CUE-OUT-CONT.
    case cueOutContinued(CueOutContinued)
    /// EXT-X-CUE-SPAN.
    case cueSpan(CueOutContinued)
    case cueIn(CueIn)
    /// EXT-X-ASSET.
    case asset(AdAsset)
    /// EXT-OATCLS-SCTE35: base64.
    case oatclsSCTE35(SpliceMessage)
    /// EXT-X-SPLICEPOINT-SCTE35: base64.
    case splicePointSCTE35(SpliceMessage)
    /// EXT-X-SCTE35 of SCTE 35 §12.2.
    case scte35(SpliceTag)
    /// EXT-SCTE35 of older standards.
    case legacySCTE35(SpliceTag)
    /// EXT-X-CUE of Adobe Primetime.
    case primetimeCue(PrimetimeCue)
    /// EXT-X-CUE-CONT of Adobe Primetime.
    case primetimeCueContinued(PrimetimeCueContinued)
    /// EXT-X-SIGNAL-EXIT, -SPAN and -RETURN of manifest conditioning.
    case signalExit(ConditioningSignal)
    case signalSpan(ConditioningSignal)
    case signalReturn(ConditioningSignal)
    /// EXT-X-DATERANGE with an SCTE35 attribute.
    case dateRange(DateRange)
    /// EXT-X-DATERANGE by which another stitcher tells of an ad that it has put in.
    case stitchedAd(DateRange)
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
        case .asset: self = .asset(AdAsset(bytes, line: line))
        case .oatclsSCTE35: self = .oatclsSCTE35(SpliceMessage(bytes, line: line))
        case .splicePointSCTE35: self = .splicePointSCTE35(SpliceMessage(bytes, line: line))
        case .scte35: self = .scte35(SpliceTag(bytes, line: line))
        case .legacySCTE35: self = .legacySCTE35(SpliceTag(bytes, line: line))
        case .primetimeCue: self = .primetimeCue(PrimetimeCue(bytes, line: line))
        case .primetimeCueContinued: self = .primetimeCueContinued(PrimetimeCueContinued(bytes, line: line))
        case .signalExit: self = .signalExit(ConditioningSignal(bytes, line: line))
        case .signalSpan: self = .signalSpan(ConditioningSignal(bytes, line: line))
        case .signalReturn: self = .signalReturn(ConditioningSignal(bytes, line: line))
        case .placementOpportunity: self = .placementOpportunity(VendorMarker(bytes, line: line))
        case .privateAdTag: self = .other(VendorMarker(bytes, line: line))
        case .dateRange:
            let range = DateRange(source, line: line)
            if range.isAdMarker {
                self = .dateRange(range)
            } else if range.isOfStitchedAd {
                self = .stitchedAd(range)
            } else {
                return nil
            }
        default: return nil
        }
    }

    package var line: PlaylistLine {
        switch self {
        case .cueOut(let cue): cue.line
        case .cueOutContinued(let cue), .cueSpan(let cue): cue.line
        case .cueIn(let cue): cue.line
        case .asset(let asset): asset.line
        case .oatclsSCTE35(let message), .splicePointSCTE35(let message): message.line
        case .scte35(let tag), .legacySCTE35(let tag): tag.line
        case .primetimeCue(let cue): cue.line
        case .primetimeCueContinued(let cue): cue.line
        case .signalExit(let signal), .signalSpan(let signal), .signalReturn(let signal): signal.line
        case .dateRange(let range), .stitchedAd(let range): range.line
        case .placementOpportunity(let marker), .other(let marker): marker.line
        }
    }
}

extension DateRange {
    /// Whether it tells of an ad that another stitcher has put in already, and over which no break may be stitched.
    package var isOfStitchedAd: Bool {
        // Twitch writes CLASS="twitch-stitched-ad" with IDs that begin "stitched-ad-"; others took the word over.
        let word = "stitched-ad"
        return attributes["CLASS"]?.contains(ignoringCase: word) == true
            || attributes["ID"]?.contains(ignoringCase: word) == true
    }
}

extension AttributeValue {
    /// Whether an ASCII text occurs in the value, letters of either case being equal.
    func contains(ignoringCase text: String) -> Bool {
        let length = text.utf8.count
        guard range.count >= length else { return false }
        let bytes = source.span
        return (range.lowerBound...range.upperBound - length).contains { start in
            bytes.equalsIgnoringCase(text, in: start..<start + length)
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
