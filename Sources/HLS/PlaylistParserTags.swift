// All tags but EXTINF, which is read in the loop.
extension PlaylistParser {
    @inline(never)
    mutating func readOther(
        _ kind: TagKind, _ line: LineScanner.Line, _ bytes: Span<UInt8>
    ) throws(PlaylistError) {
        let place = PlaylistLine(kind: kind, line: line)
        if kind.isMediaPlaylistTag {
            hasExtendedTag = true
            if !records.isEmpty || pending.hasDuration { pending.contents.insert(.misplaced) }
            if !hasSignature, kind != .extM3U { reportMissingSignature() }
            if kind == .endList { endListRun = LineRun(line.fullStart..<line.fullEnd) }
            try readHeaderTag(kind, place.valueRange(in: bytes), bytes)
            return
        }
        if !hasSignature, kind != .blank { reportMissingSignature() }
        if kind.hasAttributes { TagChecks.attributes(place, bytes, number: lineNumber, &findings) }
        switch kind {
        case .blank, .comment:
            pending.contents.insert(.other)
            return
        case .unknownTag: pending.contents.insert(.other)
        case .discontinuity:
            pending.contents.insert(.discontinuity)
            pending.discontinuities &+= 1
            if pending.discontinuities == 2 {
                findings.report(506, lineNumber, .warning, "two EXT-X-DISCONTINUITY for one segment")
            }
        case .key: readKey(place, bytes)
        case .map:
            pending.contents.insert(.map)
            if mapLine == 0 { mapLine = lineNumber }
            let keys = pending.keys ?? keyGroups[Int(state.keyGroup)].keys
            let map = MediaInitialization(bytes, line: place, keys: keys)
            if map.uri.isEmpty { findings.report(701, lineNumber, .error, "EXT-X-MAP without URI") }
            maps.append(map)
            state.map = UInt32(truncatingIfNeeded: maps.count)
        case .programDateTime:
            if let date = DateTime(bytes, in: place.valueRange(in: bytes)) {
                pending.contents.insert(.programDateTime)
                hasDate = true
                pending.programDateTime = date.nanoseconds
            } else {
                pending.contents.insert(.other)
                findings.report(801, lineNumber, .error, "unreadable date")
            }
        case .byteRange:
            if let range = ByteRange.parse(bytes, in: place.valueRange(in: bytes)) {
                pending.contents.insert(.byteRange)
                pending.byteRange = range
            } else {
                pending.contents.insert(.other)
                findings.report(106, lineNumber, .error, "unreadable EXT-X-BYTERANGE")
            }
        case .gap: pending.contents.insert(.gap)
        case .bitrate:
            pending.contents.insert(.bitrate)
            if let rate = DecimalText.integer(bytes, in: place.valueRange(in: bytes)) {
                state.bitrate = rate
            } else {
                findings.report(106, lineNumber, .error, "unreadable EXT-X-BITRATE")
            }
        case .dateRange:
            pending.contents.insert(.dateRange)
            if dateRangeLine == 0 { dateRangeLine = lineNumber }
        case .part, .preloadHint, .renditionReport:
            pending.contents.insert(.partialSegment)
            header.isLowLatency = true
        case .media, .streamInformation, .iFrameStreamInformation, .imageStreamInformation, .sessionData, .sessionKey,
            .contentSteering:
            guard header.targetDuration != nil || !records.isEmpty || pending.hasDuration else {
                throw PlaylistError(.wrongKind, line: lineNumber, detail: "a multivariant playlist")
            }
            pending.contents.insert(.other)
            findings.report(108, lineNumber, .error, "multivariant tag in a media playlist")
        default: pending.contents.insert(.adMarker)
        }
        hasExtendedTag = true
    }

    private mutating func readKey(_ place: PlaylistLine, _ bytes: Span<UInt8>) {
        pending.contents.insert(.key)
        let key = EncryptionKey(bytes, line: place)
        var keys = pending.keys ?? keyGroups[Int(state.keyGroup)].keys
        if key.method == .none {
            keys.removeAll()
        } else {
            // A tag replaces that of the same KEYFORMAT. The first of a new set of lines stands in front, so that the
            // group keeps the order of its lines.
            keys.removeAll { $0.hasSameFormat(as: key, in: bytes) }
            if keys.count < Self.keyFormatLimit {
                keys.append(key)
            } else {
                findings.report(609, lineNumber, .error, "more key formats than a group can have")
            }
        }
        pending.keys = keys
    }

    /// Key formats in force at one time. Real playlists have up to four; a bound keeps memory linear.
    private static var keyFormatLimit: Int { 16 }

    private mutating func reportMissingSignature() {
        hasSignature = true
        findings.report(103, lineNumber, .error, "the first line is not #EXTM3U")
    }

    private mutating func readHeaderTag(
        _ kind: TagKind, _ value: Range<Int>, _ bytes: Span<UInt8>
    ) throws(PlaylistError) {
        switch kind {
        case .extM3U:
            if hasSignature { findings.report(107, lineNumber, .error, "#EXTM3U twice") }
            hasSignature = true
        case .version:
            header.version = try number(value, bytes, header.version, "EXT-X-VERSION", rule: 106)
        case .targetDuration:
            if let duration = try number(value, bytes, header.targetDuration, "EXT-X-TARGETDURATION", rule: 302) {
                header.targetDuration = duration
            }
        case .mediaSequence:
            header.mediaSequence = try number(value, bytes, header.mediaSequence, "EXT-X-MEDIA-SEQUENCE", rule: 402)
            if !records.isEmpty { findings.report(401, lineNumber, .error, "EXT-X-MEDIA-SEQUENCE after a segment") }
        case .discontinuitySequence:
            let old = header.discontinuitySequence
            header.discontinuitySequence = try number(value, bytes, old, "EXT-X-DISCONTINUITY-SEQUENCE", rule: 501)
            if !records.isEmpty || pending.discontinuities != 0 {
                findings.report(501, lineNumber, .error, "EXT-X-DISCONTINUITY-SEQUENCE after a segment")
            }
        case .endList: header.hasEndList = true
        case .playlistType:
            if bytes.equals("VOD", in: value) {
                header.playlistType = .vod
            } else if bytes.equals("EVENT", in: value) {
                header.playlistType = .event
            } else {
                findings.report(901, lineNumber, .error, "EXT-X-PLAYLIST-TYPE is neither EVENT nor VOD")
            }
        case .iFramesOnly: header.isIFramesOnly = true
        case .independentSegments: header.isIndependent = true
        case .start:
            header.start = header.start ?? PlaylistStart(bytes, in: value)
            if header.start == nil { findings.report(111, lineNumber, .error, "EXT-X-START without TIME-OFFSET") }
        case .skip: try readSkip(value, bytes)
        case .define: header.hasDefinitions = true
        case .partInformation: header.isLowLatency = true
        default: break
        }
    }

    /// The value of a tag that may be there once: the first one holds (rule 107).
    private mutating func number(
        _ value: Range<Int>, _ bytes: Span<UInt8>, _ old: Int64?, _ name: StaticString, rule: Int
    ) throws(PlaylistError) -> Int64? {
        if let old {
            findings.report(107, lineNumber, .error, "\(name) twice")
            return old
        }
        if let number = DecimalText.integer(bytes, in: value) {
            // Numbers of segments are counted up from here, and must not run over.
            guard number < Int64.max - Int64(UInt32.max) else {
                throw PlaylistError(.numberOverflow, line: lineNumber, detail: "\(name)")
            }
            return number
        }
        guard value.isEmpty || value.contains(where: { !bytes[$0].isDigit }) else {
            throw PlaylistError(.numberOverflow, line: lineNumber, detail: "\(name)")
        }
        findings.report(rule, lineNumber, .error, "\(name) is not a whole number")
        // Origins write "6.006" for a target duration; it is an upper bound, so it is rounded up.
        guard name.utf8CodeUnitCount == 20, let duration = DecimalText.duration(bytes, in: value), duration > .zero,
            duration < .seconds(Self.longestDuration)
        else { return nil }
        let (seconds, rest) = duration.components
        return rest == 0 ? seconds : seconds + 1
    }

    private mutating func readSkip(_ value: Range<Int>, _ bytes: Span<UInt8>) throws(PlaylistError) {
        var scanner = AttributeScanner(value)
        while let attribute = scanner.next(in: bytes) {
            guard bytes.equals("SKIPPED-SEGMENTS", in: attribute.name),
                let count = DecimalText.integer(bytes, in: attribute.value)
            else { continue }
            guard count <= Int64(UInt32.max) else {
                throw PlaylistError(.numberOverflow, line: lineNumber, detail: "SKIPPED-SEGMENTS")
            }
            header.skippedSegments = count
        }
    }
}
