/// Reads a media playlist in one pass over its lines.
struct PlaylistParser {
    var header = MediaPlaylist.Header()
    var records: [SegmentRecord] = []
    private(set) var states = Self.firstStates
    var details: [SegmentDetail] = []
    var keyGroups = Self.clearGroups
    var maps: [MediaInitialization] = []
    private(set) var head = HeadDivider()

    /// What will hold for the next segment.
    var state = SegmentState()
    /// Where the lines of the next segment begin.
    var segmentStart = 0
    var pending = PendingSegment()
    private var ranges = ByteRangeResolver()
    /// Where the line that is being read begins.
    private var lineStart = 0
    /// The day of the last date that was read in the usual form.
    var day = UsualDay()
    var hasExtendedTag = false

    var endListRun: LineRun?

    // Most playlists need no more than these, which are made once.
    private static let firstStates = [SegmentState()]
    private static let clearGroups = [KeyGroup()]

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

    /// - Parameter readsUsualForms: whether lines of the usual forms are read several bytes at a step. The result is the same.
    mutating func parse(_ source: [UInt8], readsUsualForms: Bool = true) throws(PlaylistError) {
        let bytes = source.span
        guard bytes.count <= Int(UInt32.max) else {
            throw PlaylistError(.tooLarge, line: 1, detail: "\(bytes.count) bytes")
        }
        var position = bytes.textStart
        while position < bytes.count {
            if readsUsualForms, !records.isEmpty { position = readUsualLines(bytes, from: position) }
            var scanner = LineScanner(position..<bytes.count)
            guard let line = scanner.next(in: bytes) else { break }
            position = scanner.position
            lineStart = line.fullStart
            let kind = TagKind(bytes, start: line.start, end: line.end)
            if records.isEmpty { head.add(kind, line) }
            try read(kind, line, bytes)
        }
        try finish(bytes)
    }

    /// The number of the line that is being read, the first being 1. It is counted when an error asks for it.
    func lineNumber(in bytes: Span<UInt8>) -> Int {
        var number = 1
        for position in 0..<min(lineStart, bytes.count) where bytes[position] == 0x0A { number += 1 }
        return number
    }

    @inline(__always)
    private mutating func read(_ kind: TagKind, _ line: LineScanner.Line, _ bytes: Span<UInt8>) throws(PlaylistError) {
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
        let number = bytes.trimmed(range.lowerBound..<(comma ?? range.upperBound))
        guard let duration = DecimalText.duration(bytes, in: number) else {
            guard !number.contains(where: { !bytes[$0].isDigit }), !number.isEmpty else {
                pending.nanoseconds = 0
                return
            }
            throw PlaylistError(.numberOverflow, line: lineNumber(in: bytes), detail: "EXTINF")
        }
        guard duration < .seconds(Self.longestDuration) else {
            throw PlaylistError(.numberOverflow, line: lineNumber(in: bytes), detail: "EXTINF")
        }
        if duration < .zero {
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
            pending.contents.insert(.misplaced)
            return
        }
        var detail: UInt32 = 0
        if pending.contents.rawValue != 0 || pending.discontinuities != 0 || pending.keys != nil {
            detail = try settle(line.start..<line.end, bytes)
        }
        append(
            SegmentRecord(
                start: UInt32(truncatingIfNeeded: segmentStart), uriStart: UInt32(truncatingIfNeeded: line.start),
                durationStart: UInt32(truncatingIfNeeded: pending.durationStart),
                state: UInt32(truncatingIfNeeded: states.count &- 1), nanoseconds: pending.nanoseconds, detail: detail,
                contents: pending.contents.rawValue, discontinuities: UInt8(clamping: pending.discontinuities),
                isFine: pending.isFine),
            end: line.fullEnd, of: bytes.count)
        pending = PendingSegment()
    }

    /// - Parameters:
    ///   - end: where the segment's lines end.
    ///   - total: the bytes of the playlist.
    @inline(__always)
    mutating func append(_ record: SegmentRecord, end: Int, of total: Int) {
        if records.count == records.capacity { reserve(consumed: end, of: total) }
        records.append(record)
        segmentStart = end
    }

    /// Returns the index of the detail plus one.
    @inline(__always)
    mutating func append(_ detail: SegmentDetail) -> UInt32 {
        // Where one segment has a date, all have one.
        if details.count == details.capacity { details.reserveCapacity(max(records.capacity, details.count &* 2)) }
        details.append(detail)
        return UInt32(truncatingIfNeeded: details.count)
    }

    /// Grows the records to what the rest of the bytes will need if it goes on like this, so that little stays unused.
    @inline(never)
    private mutating func reserve(consumed: Int, of total: Int) {
        // Segments are hardly shorter than this, and short playlists shall need one allocation.
        if records.isEmpty {
            records.reserveCapacity(min(total / 48 + 2, 256))
            return
        }
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
            guard let resolved = ranges.resolve(range, uri: uri, bytes) else {
                throw PlaylistError(.numberOverflow, line: lineNumber(in: bytes), detail: "EXT-X-BYTERANGE")
            }
            detail.offset = resolved.offset
            detail.length = resolved.length
            hasDetail = true
        }
        if pending.contents.contains(.programDateTime) {
            detail.programDateTime = pending.programDateTime
            hasDetail = true
        }
        guard hasDetail else { return 0 }
        return append(detail)
    }

    mutating func settleState() {
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

    // MARK: The end

    private mutating func finish(_ bytes: Span<UInt8>) throws(PlaylistError) {
        guard hasExtendedTag || !records.isEmpty || pending.hasDuration else {
            throw PlaylistKind.rejection(bytes)
        }
        if records.isEmpty { head.finish(end: bytes.count, endList: endListRun) }
        settleState()
        let base = header.discontinuitySequence ?? 0
        if base != 0 {
            for index in states.indices { states[index].discontinuityNumber &+= base }
            state.discontinuityNumber &+= base
        }
    }
}
