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
            if kind == .endList { endListRun = LineRun(line.fullStart..<line.fullEnd) }
            try readHeaderTag(kind, place.valueRange(in: bytes), bytes)
            return
        }
        switch kind {
        case .blank, .comment:
            pending.contents.insert(.other)
            return
        case .unknownTag: pending.contents.insert(.other)
        case .discontinuity:
            pending.contents.insert(.discontinuity)
            pending.discontinuities &+= 1
        case .key: readKey(place, bytes)
        case .map:
            pending.contents.insert(.map)
            let keys = pending.keys ?? keyGroups[Int(state.keyGroup)].keys
            let map = MediaInitialization(bytes, line: place, keys: keys)
            maps.append(map)
            state.map = UInt32(truncatingIfNeeded: maps.count)
        case .programDateTime:
            if let date = DateTime(bytes, in: place.valueRange(in: bytes)) {
                pending.contents.insert(.programDateTime)
                pending.programDateTime = date.nanoseconds
            } else {
                pending.contents.insert(.other)
            }
        case .byteRange:
            if let range = ByteRange.parse(bytes, in: place.valueRange(in: bytes)) {
                pending.contents.insert(.byteRange)
                pending.byteRange = range
            } else {
                pending.contents.insert(.other)
            }
        case .gap: pending.contents.insert(.gap)
        case .bitrate:
            pending.contents.insert(.bitrate)
            if let rate = DecimalText.integer(bytes, in: place.valueRange(in: bytes)) { state.bitrate = rate }
        case .dateRange: pending.contents.insert(.dateRange)
        case .part, .preloadHint, .renditionReport:
            pending.contents.insert(.partialSegment)
            header.isLowLatency = true
        case .media, .streamInformation, .iFrameStreamInformation, .imageStreamInformation, .sessionData, .sessionKey,
            .contentSteering:
            guard header.targetDuration != nil || !records.isEmpty || pending.hasDuration else {
                throw PlaylistError(.wrongKind, line: lineNumber(in: bytes), detail: "a multivariant playlist")
            }
            pending.contents.insert(.other)
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
            if keys.count < Self.keyFormatLimit { keys.append(key) }
        }
        pending.keys = keys
    }

    /// Key formats in force at one time. Real playlists have up to four; a bound keeps memory linear.
    private static var keyFormatLimit: Int { 16 }

    private mutating func readHeaderTag(
        _ kind: TagKind, _ value: Range<Int>, _ bytes: Span<UInt8>
    ) throws(PlaylistError) {
        switch kind {
        case .version:
            header.version = try number(value, bytes, header.version, "EXT-X-VERSION")
        case .targetDuration:
            if let duration = try number(value, bytes, header.targetDuration, "EXT-X-TARGETDURATION") {
                header.targetDuration = duration
            }
        case .mediaSequence:
            header.mediaSequence = try number(value, bytes, header.mediaSequence, "EXT-X-MEDIA-SEQUENCE")
        case .discontinuitySequence:
            let old = header.discontinuitySequence
            header.discontinuitySequence = try number(value, bytes, old, "EXT-X-DISCONTINUITY-SEQUENCE")
        case .endList: header.hasEndList = true
        case .playlistType:
            if bytes.equals("VOD", in: value) {
                header.playlistType = .vod
            } else if bytes.equals("EVENT", in: value) {
                header.playlistType = .event
            }
        case .iFramesOnly: header.isIFramesOnly = true
        case .independentSegments: header.isIndependent = true
        case .start: header.start = header.start ?? PlaylistStart(bytes, in: value)
        case .skip: try readSkip(value, bytes)
        case .define: header.hasDefinitions = true
        case .partInformation: header.isLowLatency = true
        default: break
        }
    }

    /// The value of a tag that may be there once: the first one holds (rule 107).
    private mutating func number(
        _ value: Range<Int>, _ bytes: Span<UInt8>, _ old: Int64?, _ name: StaticString
    ) throws(PlaylistError) -> Int64? {
        if let old { return old }
        if let number = DecimalText.integer(bytes, in: value) {
            // Numbers of segments are counted up from here, and must not run over.
            guard number < Int64.max - Int64(UInt32.max) else {
                throw PlaylistError(.numberOverflow, line: lineNumber(in: bytes), detail: "\(name)")
            }
            return number
        }
        guard value.isEmpty || value.contains(where: { !bytes[$0].isDigit }) else {
            throw PlaylistError(.numberOverflow, line: lineNumber(in: bytes), detail: "\(name)")
        }
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
                throw PlaylistError(.numberOverflow, line: lineNumber(in: bytes), detail: "SKIPPED-SEGMENTS")
            }
            header.skippedSegments = count
        }
    }
}
