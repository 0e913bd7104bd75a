/// What a line of a playlist is.
package enum TagKind: UInt8, Hashable, Sendable, Codable {
    // Lines that are no known tag.
    case blank, comment, uri, unknownTag
    // Any playlist, RFC 8216bis §4.4.1-2.
    case extM3U, version, independentSegments, start, define
    // Media playlist tags, §4.4.3; with EXT-X-SKIP and what older versions had.
    case targetDuration, mediaSequence, discontinuitySequence, endList, playlistType, iFramesOnly
    case partInformation, serverControl, skip, allowCache
    // Media segment tags, §4.4.4, and media metadata tags, §4.4.5.
    case segmentDuration, byteRange, discontinuity, key, map, programDateTime, gap, bitrate, part
    case dateRange, preloadHint, renditionReport
    // Multivariant playlist tags, §4.4.6.
    case media, streamInformation, iFrameStreamInformation, imageStreamInformation, sessionData, sessionKey
    case contentSteering
    // Ad markers of vendors.
    case cueOut, cueOutContinued, cueSpan, cueIn, oatclsSCTE35, asset, primetimeCue, primetimeCueContinued
    case scte35, legacySCTE35, splicePointSCTE35, signalExit, signalSpan, signalReturn
    case placementOpportunity, privateAdTag

    /// Whether the tag says something of the whole media playlist, wherever it stands: a stitcher writes it once, at its
    /// own place (rule 107).
    package var isMediaPlaylistTag: Bool {
        switch self {
        case .extM3U, .version, .independentSegments, .start, .define, .targetDuration, .mediaSequence,
            .discontinuitySequence, .endList, .playlistType, .iFramesOnly, .partInformation, .serverControl, .skip,
            .allowCache:
            true
        default: false
        }
    }

    /// Whether only multivariant playlists have the tag.
    package var isMultivariantTag: Bool {
        switch self {
        case .media, .streamInformation, .iFrameStreamInformation, .imageStreamInformation, .sessionData,
            .sessionKey, .contentSteering:
            true
        default: false
        }
    }

    /// Whether only media playlists have the tag.
    var isMediaTag: Bool {
        switch self {
        case .targetDuration, .mediaSequence, .discontinuitySequence, .endList, .playlistType, .iFramesOnly,
            .partInformation, .serverControl, .skip, .segmentDuration, .byteRange, .discontinuity, .key, .map,
            .programDateTime, .gap, .bitrate, .part, .dateRange, .preloadHint, .renditionReport:
            true
        default: isAdMarker
        }
    }

    /// Whether the tag is one of the ad markers. EXT-X-DATERANGE is not: whether it marks an ad is in its attributes.
    package var isAdMarker: Bool {
        rawValue >= TagKind.cueOut.rawValue
    }

    /// Whether the standard defines the tag.
    var isStandardTag: Bool {
        rawValue > TagKind.unknownTag.rawValue && !isAdMarker
    }

    /// Whether the tag has an attribute list: by the standard, or, EXT-X-IMAGE-STREAM-INF, by its form.
    var hasAttributeList: Bool {
        switch self {
        case .start, .define, .partInformation, .serverControl, .skip, .key, .map, .part, .dateRange, .preloadHint,
            .renditionReport, .media, .streamInformation, .iFrameStreamInformation, .imageStreamInformation,
            .sessionData, .sessionKey, .contentSteering:
            true
        default: false
        }
    }

    /// Whether the line belongs to whatever stands after it: comments, blank lines and unknown tags (rule 109).
    var clingsToNextLine: Bool {
        rawValue <= TagKind.unknownTag.rawValue && self != .uri
    }
}

extension TagKind {
    /// `#EXTINF:`, the tag that is on every segment, as one word.
    static var segmentDurationWord: UInt64 { 0x3A46_4E49_5458_4523 }

    /// What the line in `[start, end)` is. Its blanks are trimmed already.
    @inline(__always)
    init(_ bytes: Span<UInt8>, start: Int, end: Int) {
        guard start < end else {
            self = .blank
            return
        }
        guard bytes[start] == 0x23 else {
            self = .uri
            return
        }
        if end &- start >= 8, bytes.word(at: start) == Self.segmentDurationWord {
            self = .segmentDuration
            return
        }
        self = TagKind.other(bytes, start: start, end: end)
    }

    @inline(never)
    private static func other(_ bytes: Span<UInt8>, start: Int, end: Int) -> TagKind {
        guard bytes.matches("#EXT", at: start), end - start >= 4 else { return .comment }
        var nameEnd = start + 4
        while nameEnd < end, bytes[nameEnd] != 0x3A, !bytes[nameEnd].isBlank { nameEnd += 1 }
        let length = nameEnd - start
        guard bytes.matches("#EXT-X-", at: start), length > 7 else {
            return withoutPrefix(bytes, start: start, length: length)
        }
        let name = start + 7
        switch length - 7 {
        case 3:
            if bytes.matches("KEY", at: name) { return .key }
            if bytes.matches("MAP", at: name) { return .map }
            if bytes.matches("GAP", at: name) { return .gap }
            if bytes.matches("CUE", at: name) { return .primetimeCue }
        case 4:
            if bytes.matches("PART", at: name) { return .part }
            if bytes.matches("SKIP", at: name) { return .skip }
        case 5:
            if bytes.matches("MEDIA", at: name) { return .media }
            if bytes.matches("START", at: name) { return .start }
            if bytes.matches("ASSET", at: name) { return .asset }
        case 6:
            if bytes.matches("CUE-IN", at: name) { return .cueIn }
            if bytes.matches("DEFINE", at: name) { return .define }
            if bytes.matches("SCTE35", at: name) { return .scte35 }
        case 7:
            if bytes.matches("ENDLIST", at: name) { return .endList }
            if bytes.matches("VERSION", at: name) { return .version }
            if bytes.matches("BITRATE", at: name) { return .bitrate }
            if bytes.matches("CUE-OUT", at: name) { return .cueOut }
        case 8:
            if bytes.matches("PART-INF", at: name) { return .partInformation }
            if bytes.matches("CUE-SPAN", at: name) { return .cueSpan }
            if bytes.matches("CUE-CONT", at: name) { return .primetimeCueContinued }
            if bytes.matches("CUEPOINT", at: name) { return .privateAdTag }
            if bytes.matches("BLACKOUT", at: name) { return .privateAdTag }
        case 9:
            if bytes.matches("BYTERANGE", at: name) { return .byteRange }
            if bytes.matches("DATERANGE", at: name) { return .dateRange }
        case 10:
            if bytes.matches("STREAM-INF", at: name) { return .streamInformation }
        case 11:
            if bytes.matches("SESSION-KEY", at: name) { return .sessionKey }
            if bytes.matches("ALLOW-CACHE", at: name) { return .allowCache }
            if bytes.matches("SIGNAL-EXIT", at: name) { return .signalExit }
            if bytes.matches("SIGNAL-SPAN", at: name) { return .signalSpan }
        case 12:
            if bytes.matches("CUE-OUT-CONT", at: name) { return .cueOutContinued }
            if bytes.matches("PRELOAD-HINT", at: name) { return .preloadHint }
            if bytes.matches("SESSION-DATA", at: name) { return .sessionData }
            if bytes.matches("MAMBA-AD-END", at: name) { return .privateAdTag }
        case 13:
            if bytes.matches("DISCONTINUITY", at: name) { return .discontinuity }
            if bytes.matches("PLAYLIST-TYPE", at: name) { return .playlistType }
            if bytes.matches("I-FRAMES-ONLY", at: name) { return .iFramesOnly }
            if bytes.matches("SIGNAL-RETURN", at: name) { return .signalReturn }
            if bytes.matches("VMAP-AD-BREAK", at: name) { return .privateAdTag }
        case 14:
            if bytes.matches("TARGETDURATION", at: name) { return .targetDuration }
            if bytes.matches("MEDIA-SEQUENCE", at: name) { return .mediaSequence }
            if bytes.matches("SERVER-CONTROL", at: name) { return .serverControl }
            if bytes.matches("MAMBA-AD-START", at: name) { return .privateAdTag }
        case 16:
            if bytes.matches("RENDITION-REPORT", at: name) { return .renditionReport }
            if bytes.matches("CONTENT-STEERING", at: name) { return .contentSteering }
            if bytes.matches("IMAGE-STREAM-INF", at: name) { return .imageStreamInformation }
        case 17:
            if bytes.matches("PROGRAM-DATE-TIME", at: name) { return .programDateTime }
        case 18:
            if bytes.matches("I-FRAME-STREAM-INF", at: name) { return .iFrameStreamInformation }
            if bytes.matches("SPLICEPOINT-SCTE35", at: name) { return .splicePointSCTE35 }
        case 20:
            if bytes.matches("INDEPENDENT-SEGMENTS", at: name) { return .independentSegments }
        case 21:
            if bytes.matches("PLACEMENT-OPPORTUNITY", at: name) { return .placementOpportunity }
        case 22:
            if bytes.matches("DISCONTINUITY-SEQUENCE", at: name) { return .discontinuitySequence }
        default: break
        }
        return bytes.matches("AD-", at: name) ? .privateAdTag : .unknownTag
    }

    private static func withoutPrefix(_ bytes: Span<UInt8>, start: Int, length: Int) -> TagKind {
        switch length {
        case 7:
            if bytes.matches("#EXTM3U", at: start) { return .extM3U }
            if bytes.matches("#EXTINF", at: start) { return .segmentDuration }
        case 11:
            if bytes.matches("#EXT-SCTE35", at: start) { return .legacySCTE35 }
        case 18:
            if bytes.matches("#EXT-OATCLS-SCTE35", at: start) { return .oatclsSCTE35 }
        default: break
        }
        return .unknownTag
    }
}
