/// Reads a media playlist in one pass over its lines.
struct PlaylistParser {
    private(set) var header = MediaPlaylist.Header()
    private(set) var records: [SegmentRecord] = []
    private(set) var states: [SegmentState] = [SegmentState()]
    private(set) var details: [SegmentDetail] = []
    private(set) var keyGroups: [KeyGroup] = [KeyGroup()]
    private(set) var maps: [MediaInitialization] = []
    private(set) var headerLines: [PlaylistLine] = []
    private(set) var firstSegmentLines: [PlaylistLine] = []
    private(set) var trailerLines: [PlaylistLine] = []
    var findings = FindingList()

    /// Lines up to the first segment's URI, not yet divided.
    private var headLines: [PlaylistLine] = []
    /// What will hold for the next segment.
    private(set) var state = SegmentState()
    /// Where the lines of the next segment begin.
    private(set) var segmentStart = 0
    private var pending = PendingSegment()
    private var ranges = ByteRangeResolver()
    private var lineNumber = 0
    private var hasSignature = false
    private var hasExtendedTag = false

    /// EXTINF above this is no duration. It keeps sums of any number of segments in 64 bits of seconds.
    static let longestDuration: Int64 = 1_000_000_000

    /// What the tags since the last segment said of the next one.
    struct PendingSegment {
        var hasDuration = false
        var durationStart = 0
        var nanoseconds: Int64 = 0
        var isFine = false
        var contents: MediaSegment.Contents = []
        var discontinuities: Int64 = 0
        var programDateTime: Int64 = 0
        var byteRange: (length: Int64, offset: Int64?)?
        var keys: [EncryptionKey]?
    }

    mutating func parse(_ source: [UInt8]) throws(PlaylistError) {
        let bytes = source.span
        guard bytes.count <= Int(UInt32.max) else {
            throw PlaylistError(.tooLarge, line: 1, detail: "\(bytes.count) bytes")
        }
        var start = 0
        if bytes.matches("\u{FEFF}", at: 0) {
            findings.report(102, 1, .error, "byte order mark")
            start = 3
        }
        var scanner = LineScanner(start..<bytes.count)
        while let line = scanner.next(in: bytes) {
            lineNumber &+= 1
            let kind = TagKind(bytes, start: line.start, end: line.end)
            if records.isEmpty { headLines.append(PlaylistLine(kind: kind, line: line)) }
            try read(kind, line, bytes)
        }
        try finish(bytes)
    }

    @inline(__always)
    private mutating func read(_ kind: TagKind, _ line: LineScanner.Line, _ bytes: Span<UInt8>) throws(PlaylistError) {
        if line.start != line.fullStart, kind != .blank {
            findings.report(104, lineNumber, .warning, "blanks before the line")
        }
        switch kind {
        case .segmentDuration:
            try readDuration(line, bytes)
        case .uri:
            try readURI(line, bytes)
        default:
            try readOther(kind, line, bytes)
        }
    }

    // MARK: Segments

    @inline(__always)
    private mutating func readDuration(_ line: LineScanner.Line, _ bytes: Span<UInt8>) throws(PlaylistError) {
        if pending.hasDuration { findings.report(304, lineNumber, .error, "EXTINF twice for one segment") }
        let start = min(line.start + 8, line.end)
        pending.hasDuration = true
        pending.durationStart = start
        pending.isFine = false
        // The usual form, digits and at most nine after the point, is read here; anything else below.
        var position = start
        var whole: Int64 = 0
        while position < line.end, bytes[position].isDigit, whole < Self.longestDuration {
            whole = whole &* 10 &+ Int64(bytes[position] &- 0x30)
            position &+= 1
        }
        var isUsual = position > start && whole < Self.longestDuration
        var fraction: Int64 = 0
        if position < line.end, bytes[position] == 0x2E {
            position &+= 1
            var scale: Int64 = 100_000_000
            while position < line.end, bytes[position].isDigit {
                fraction = fraction &+ Int64(bytes[position] &- 0x30) &* scale
                if scale == 0, bytes[position] != 0x30 { pending.isFine = true }
                scale /= 10
                position &+= 1
            }
        }
        pending.nanoseconds = whole &* 1_000_000_000 &+ fraction
        if position >= line.end || bytes[position] != 0x2C { isUsual = false }
        if !isUsual { try readUnusualDuration(start..<line.end, bytes) }
    }

    @inline(never)
    private mutating func readUnusualDuration(_ range: Range<Int>, _ bytes: Span<UInt8>) throws(PlaylistError) {
        let comma = bytes.firstIndex(of: 0x2C, in: range)
        if comma == nil { findings.report(304, lineNumber, .warning, "EXTINF without comma") }
        let number = bytes.trimmed(range.lowerBound..<(comma ?? range.upperBound))
        guard let duration = DecimalText.duration(bytes, in: number) else {
            guard !number.contains(where: { !bytes[$0].isDigit }), !number.isEmpty else {
                findings.report(304, lineNumber, .error, "EXTINF without a readable number")
                pending.nanoseconds = 0
                return
            }
            throw PlaylistError(.numberOverflow, line: lineNumber, detail: "EXTINF")
        }
        guard duration < .seconds(Self.longestDuration) else {
            throw PlaylistError(.numberOverflow, line: lineNumber, detail: "EXTINF")
        }
        if duration < .zero {
            findings.report(304, lineNumber, .error, "negative EXTINF")
            pending.nanoseconds = 0
            pending.isFine = false
            return
        }
        pending.nanoseconds = duration.wholeNanoseconds
        pending.isFine = Duration.nanoseconds(pending.nanoseconds) != duration
    }

    @inline(__always)
    private mutating func readURI(_ line: LineScanner.Line, _ bytes: Span<UInt8>) throws(PlaylistError) {
        guard pending.hasDuration else {
            // Players make no segment of it; counting it would shift the numbers of all that follow.
            findings.report(304, lineNumber, .error, "URI without EXTINF")
            pending.contents.insert(.misplaced)
            return
        }
        var detail: UInt32 = 0
        if pending.contents.rawValue != 0 || pending.discontinuities != 0 || pending.keys != nil {
            detail = try settle(line.start..<line.end, bytes)
        }
        if records.isEmpty {
            divideHead()
        } else if records.count == records.capacity {
            reserve(consumed: line.fullEnd, of: bytes.count)
        }
        records.append(
            SegmentRecord(
                start: UInt32(truncatingIfNeeded: segmentStart), uriStart: UInt32(truncatingIfNeeded: line.start),
                durationStart: UInt32(truncatingIfNeeded: pending.durationStart),
                state: UInt32(truncatingIfNeeded: states.count &- 1), nanoseconds: pending.nanoseconds, detail: detail,
                contents: pending.contents.rawValue, discontinuities: UInt8(clamping: pending.discontinuities),
                isFine: pending.isFine))
        segmentStart = line.fullEnd
        pending = PendingSegment()
    }

    /// Grows the records to what the rest of the bytes will need if it goes on like this, so that little stays unused.
    private mutating func reserve(consumed: Int, of total: Int) {
        let expected = Double(records.count) * Double(total) / Double(max(consumed, 1))
        let bound = max(total / 16, records.count &* 2)
        records.reserveCapacity(min(Int(expected * 1.02) + 16, bound))
    }

    /// Takes over what the tags before a segment said. Returns the index of its detail plus one.
    @inline(never)
    private mutating func settle(_ uri: Range<Int>, _ bytes: Span<UInt8>) throws(PlaylistError) -> UInt32 {
        settleState()
        var detail = SegmentDetail()
        var hasDetail = false
        if let range = pending.byteRange {
            let resolved = try ranges.resolve(range, uri: uri, bytes, line: lineNumber, &findings)
            detail.offset = resolved.offset
            detail.length = resolved.length
            hasDetail = true
        }
        if pending.contents.contains(.programDateTime) {
            detail.programDateTime = pending.programDateTime
            hasDetail = true
        }
        guard hasDetail else { return 0 }
        details.append(detail)
        return UInt32(truncatingIfNeeded: details.count)
    }

    private mutating func settleState() {
        if let keys = pending.keys {
            pending.keys = nil
            let group = KeyGroup(keys: keys)
            if keys.isEmpty {
                state.keyGroup = 0
            } else if keyGroups[Int(state.keyGroup)] != group {
                keyGroups.append(group)
                state.keyGroup = UInt32(truncatingIfNeeded: keyGroups.count - 1)
            }
        }
        state.discontinuityNumber &+= pending.discontinuities
        if states[states.count - 1] != state {
            // The first state belongs to nobody before the first segment.
            if records.isEmpty { states[0] = state } else { states.append(state) }
        }
    }

    // MARK: The other tags

    @inline(never)
    private mutating func readOther(
        _ kind: TagKind, _ line: LineScanner.Line, _ bytes: Span<UInt8>
    ) throws(PlaylistError) {
        let place = PlaylistLine(kind: kind, line: line)
        if kind.isMediaPlaylistTag {
            hasExtendedTag = true
            if !records.isEmpty || pending.hasDuration { pending.contents.insert(.misplaced) }
            try readHeaderTag(kind, place.valueRange(in: bytes), bytes)
            return
        }
        if !hasSignature, kind != .blank { reportMissingSignature() }
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
            let map = MediaInitialization(bytes, line: place)
            if map.uri.isEmpty { findings.report(701, lineNumber, .error, "EXT-X-MAP without URI") }
            maps.append(map)
            state.map = UInt32(truncatingIfNeeded: maps.count)
        case .programDateTime:
            if let date = DateTime(bytes, in: place.valueRange(in: bytes)) {
                pending.contents.insert(.programDateTime)
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
        case .dateRange: pending.contents.insert(.dateRange)
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
    private static let keyFormatLimit = 16

    private mutating func reportMissingSignature() {
        hasSignature = true
        findings.report(103, lineNumber, .error, "the first line is not #EXTM3U")
    }

    private mutating func readHeaderTag(
        _ kind: TagKind, _ value: Range<Int>, _ bytes: Span<UInt8>
    ) throws(PlaylistError) {
        switch kind {
        case .extM3U:
            if hasSignature, headLines.count > 1 || !records.isEmpty {
                reportSecondSignature()
            }
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
        case .start: readStart(value, bytes)
        case .skip: try readSkip(value, bytes)
        case .define: header.hasDefinitions = true
        case .partInformation: header.isLowLatency = true
        default: break
        }
    }

    private mutating func reportSecondSignature() {
        findings.report(107, lineNumber, .error, "#EXTM3U twice")
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

    private mutating func readStart(_ value: Range<Int>, _ bytes: Span<UInt8>) {
        var offset: Duration?
        var isPrecise = false
        var scanner = AttributeScanner(value)
        while let attribute = scanner.next(in: bytes) {
            if bytes.equals("TIME-OFFSET", in: attribute.name) {
                offset = DecimalText.duration(bytes, in: attribute.value)
            } else if bytes.equals("PRECISE", in: attribute.name) {
                isPrecise = bytes.equals("YES", in: attribute.value)
            }
        }
        guard let offset else {
            findings.report(111, lineNumber, .error, "EXT-X-START without TIME-OFFSET")
            return
        }
        header.start = MediaPlaylist.Start(timeOffset: offset, isPrecise: isPrecise)
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

    // MARK: Head and end

    /// Divides the lines before the first URI into those of the playlist and those of its first segment (rule 109).
    private mutating func divideHead() {
        var clinging: [PlaylistLine] = []
        for line in headLines {
            if line.kind.clingsToNextLine {
                clinging.append(line)
                continue
            }
            if line.kind.isMediaPlaylistTag {
                headerLines.append(contentsOf: clinging)
                headerLines.append(line)
            } else {
                firstSegmentLines.append(contentsOf: clinging)
                firstSegmentLines.append(line)
            }
            clinging.removeAll(keepingCapacity: true)
        }
        firstSegmentLines.append(contentsOf: clinging)
        headLines = []
    }

    private mutating func finish(_ bytes: Span<UInt8>) throws(PlaylistError) {
        guard hasExtendedTag || !records.isEmpty || pending.hasDuration else {
            throw PlaylistKind.rejection(bytes)
        }
        if records.isEmpty {
            divideHead()
            // Without a segment nothing is "of the first segment": those lines, and ENDLIST, are what follows the header.
            trailerLines = firstSegmentLines
            firstSegmentLines = []
            if let last = headerLines.last, last.kind == .endList {
                headerLines.removeLast()
                trailerLines.append(last)
            }
        }
        if pending.hasDuration { findings.report(304, lineNumber, .error, "EXTINF without URI") }
        if pending.discontinuities != 0, !header.isLowLatency {
            findings.report(507, lineNumber, .note, "EXT-X-DISCONTINUITY without a segment after it")
        }
        settleState()
        let base = header.discontinuitySequence ?? 0
        if base != 0 {
            for index in states.indices { states[index].discontinuityNumber &+= base }
            state.discontinuityNumber &+= base
        }
        reportWholePlaylist()
    }

    private mutating func reportWholePlaylist() {
        if header.targetDuration == nil { findings.report(301, 1, .error, "no EXT-X-TARGETDURATION") }
        if let target = header.targetDuration, target < 1 {
            findings.report(302, 1, .error, "EXT-X-TARGETDURATION below 1")
        }
        if header.version == nil { findings.report(201, 1, .warning, "no EXT-X-VERSION") }
        if header.playlistType == .vod, !header.hasEndList {
            findings.report(902, lineNumber, .warning, "VOD without EXT-X-ENDLIST")
        }
    }
}
