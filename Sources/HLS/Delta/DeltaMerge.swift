extension MediaPlaylist {
    /// The full playlist that this delta update stands for: what it leaves out is taken from `previous`, the full playlist
    /// received before, or merged before. RFC 8216bis §6.3.7.
    ///
    /// The header and the listed segments are the delta update's, line by line; so are the lines of the segments it leaves
    /// out `previous`'s. What was in force before the first of those (KEY, MAP, BITRATE, a date, an offset) is written out
    /// where its line is gone. Parts further than three target durations from the end go, as they do at servers (§6.2.2).
    ///
    /// - Parameter byteLimit: What the result may have at most.
    /// - Throws: ``PlaylistError`` where the two do not fit: the playlist then has to be fetched without `_HLS_skip`.
    package func merged(
        onto previous: MediaPlaylist, byteLimit: Int = 67_108_864
    ) throws(PlaylistError) -> MediaPlaylist {
        var merge = try DeltaMerge(delta: self, previous: previous)
        let bytes = merge.bytes()
        guard bytes.count <= byteLimit else {
            throw PlaylistError(.tooLarge, line: 1, detail: "\(bytes.count) bytes after merging")
        }
        return try MediaPlaylist(parsing: bytes)
    }
}

/// Puts a delta update and the playlist before it together.
struct DeltaMerge {
    private let delta: MediaPlaylist
    private let previous: MediaPlaylist
    /// Indices, in `previous`, of the segments left out.
    private let skipped: Range<Int>
    /// Whether date ranges are left out too.
    private let skipsDateRanges: Bool
    private let removedDateRanges: Set<String>
    /// Index of the first segment left out that keeps its parts.
    private let firstWithParts: Int
    private var output: PlaylistText
    private let lineEnd: String

    init(delta: MediaPlaylist, previous: MediaPlaylist) throws(PlaylistError) {
        guard let skip = delta.skip else {
            throw PlaylistError(.notADeltaUpdate, line: 1, detail: "no EXT-X-SKIP")
        }
        let line = delta.lineNumber(of: skip.line)
        guard let count = skip.count, count == delta.skippedSegments else {
            throw PlaylistError(.invalidSkip, line: line, detail: "EXT-X-SKIP without a count, or twice")
        }
        guard previous.skip == nil else {
            throw PlaylistError(.notExtensible, line: line, detail: "the playlist before is a delta update, too")
        }
        guard !previous.hasEndList else {
            throw PlaylistError(.notExtensible, line: line, detail: "the playlist before has ended")
        }
        let known = previous.segments.count
        let (first, overflow) = delta.mediaSequence.subtractingReportingOverflow(previous.mediaSequence)
        if count == 0 {
            skipped = known..<known
        } else {
            guard !overflow, first >= 0, first <= Int64(known), count <= Int64(known) - first else {
                let last = previous.mediaSequence &+ Int64(known) &- 1
                throw PlaylistError(
                    .missingSegments, line: line,
                    detail: "\(count) segments from \(delta.mediaSequence) on are left out; "
                        + "known are \(previous.mediaSequence) to \(last)")
            }
            skipped = Int(first)..<Int(first + count)
        }
        skipsDateRanges = skip.recentlyRemovedDateRanges != nil
        removedDateRanges = Set(skip.recentlyRemovedDateRanges ?? [])
        self.delta = delta
        self.previous = previous
        firstWithParts = Self.firstWithParts(delta, previous, skipped)
        output = PlaylistText(reservingBytes: delta.source.count + previous.source.count)
        lineEnd = delta.lineEnd
        try checkOverlap()
    }

    /// Segments of both under one number have one URI (rule 404). Queries may differ: they hold signatures.
    private func checkOverlap() throws(PlaylistError) {
        let (start, overflow) = (delta.mediaSequence &+ delta.skippedSegments)
            .subtractingReportingOverflow(previous.mediaSequence)
        guard !overflow, start < Int64(previous.segments.count) else { return }
        for segment in delta.segments {
            let index = start + Int64(segment.index)
            guard index >= 0, index < Int64(previous.segments.count) else { continue }
            let other = previous.segments[Int(index)]
            guard !delta.source.path(in: segment.uri).elementsEqual(previous.source.path(in: other.uri)) else {
                continue
            }
            throw PlaylistError(
                .differingSegments, line: delta.lineNumber(at: segment.uri.lowerBound),
                detail: "segment \(segment.number) was \(previous.text(other.uri))")
        }
    }

    mutating func bytes() -> [UInt8] {
        appendHeader()
        let deltaRanges = dateRangeLines(of: delta, in: delta.lines)
        var kept: Set<ArraySlice<UInt8>> = []
        if skipsDateRanges { appendDateRanges(before: skipped.lowerBound, unless: deltaRanges) }
        if !skipped.isEmpty {
            var restatement = RestatedHead(previous, at: skipped.lowerBound)
            restatement.append(to: &output, lineEnd: lineEnd)
        }
        for index in skipped { appendSkipped(index, keeping: &kept) }
        if skipsDateRanges { appendDateRanges(from: skipped.upperBound, unless: deltaRanges) }
        appendListed(except: kept)
        return output.bytes
    }

    private mutating func appendHeader() {
        for line in delta.headerLines where line.kind != .skip { append(line, of: delta.source) }
    }

    // MARK: What was left out

    private mutating func appendSkipped(_ index: Int, keeping kept: inout Set<ArraySlice<UInt8>>) {
        let segment = previous.segments[index]
        let source = previous.source
        if index > 0, segment.contents.isDisjoint(with: [.dateRange, .partialSegment, .misplaced, .byteRange]) {
            output.append(source, in: segment.range)
            endLine()
            return
        }
        for line in previous.lines(ofSegmentAt: index) {
            switch line.kind {
            case .part where index < firstWithParts: continue
            case .preloadHint, .renditionReport: continue
            case .dateRange:
                guard !removedDateRanges.contains(DateRange(source, line: line).id) else { continue }
                kept.insert(source[line.range])
                append(line, of: source)
            case .byteRange:
                if let text = ExplicitByteRange.text(of: segment, line, in: previous, first: skipped.lowerBound) {
                    output.append(text)
                    output.append(lineEnd)
                } else {
                    append(line, of: source)
                }
            default:
                if !line.kind.isMediaPlaylistTag { append(line, of: source) }
            }
        }
    }

    /// Parts are kept while their segment ends at most three target durations from the end of the merged playlist.
    private static func firstWithParts(
        _ delta: MediaPlaylist, _ previous: MediaPlaylist, _ skipped: Range<Int>
    ) -> Int {
        let limit = Duration.seconds(delta.targetDuration ?? 0) * 3
        var distance = Duration.zero
        for segment in delta.segments.reversed() {
            distance += segment.duration
            if distance > limit { return skipped.upperBound }
        }
        for index in skipped.reversed() {
            if distance > limit { return index + 1 }
            distance += previous.segments[index].duration
        }
        return skipped.lowerBound
    }

    // MARK: Date ranges

    private func dateRangeLines(of playlist: MediaPlaylist, in lines: PlaylistLines) -> Set<ArraySlice<UInt8>> {
        Set(lines.lazy.filter { $0.kind == .dateRange }.map { playlist.source[$0.range] })
    }

    /// Date ranges of segments that have left the playlist.
    private mutating func appendDateRanges(before index: Int, unless listed: Set<ArraySlice<UInt8>>) {
        for segment in 0..<index { appendDateRanges(previous.lines(ofSegmentAt: segment), at: segment, unless: listed) }
    }

    /// Date ranges that stood at segments which the delta update lists.
    private mutating func appendDateRanges(from index: Int, unless listed: Set<ArraySlice<UInt8>>) {
        guard index <= previous.segments.count else { return }
        for segment in index..<previous.segments.count {
            appendDateRanges(previous.lines(ofSegmentAt: segment), at: segment, unless: listed)
        }
        appendDateRanges(previous.trailerLines, at: nil, unless: listed)
    }

    private mutating func appendDateRanges(
        _ lines: PlaylistLines, at segment: Int?, unless listed: Set<ArraySlice<UInt8>>
    ) {
        if let segment, !previous.segments[segment].contents.contains(.dateRange) { return }
        let source = previous.source
        for line in lines where line.kind == .dateRange {
            guard !listed.contains(source[line.range]),
                !removedDateRanges.contains(DateRange(source, line: line).id)
            else { continue }
            append(line, of: source)
        }
    }

    // MARK: What is listed

    private mutating func appendListed(except kept: Set<ArraySlice<UInt8>>) {
        let source = delta.source
        for segment in delta.segments {
            if segment.index > 0, segment.contents.isDisjoint(with: [.dateRange, .misplaced]) {
                output.append(source, in: segment.range)
            } else {
                appendListed(delta.lines(ofSegmentAt: segment.index), except: kept)
            }
        }
        appendListed(delta.trailerLines, except: kept)
    }

    private mutating func appendListed(_ lines: PlaylistLines, except kept: Set<ArraySlice<UInt8>>) {
        let source = delta.source
        for line in lines {
            if line.kind == .skip || (line.kind == .dateRange && kept.contains(source[line.range])) { continue }
            output.append(source, in: line.fullRange)
        }
    }

    // MARK: Lines

    private mutating func append(_ line: PlaylistLine, of source: [UInt8]) {
        output.append(source, in: line.fullRange)
        endLine()
    }

    /// Ends the line, where the playlist it is from ended without.
    private mutating func endLine() {
        if output.count > 0, !output.endsLine { output.append(lineEnd) }
    }
}

extension MediaPlaylist {
    /// How its first line ends, and lines that are added to it should: LF, or CR LF.
    var lineEnd: String {
        let ending = lines.first { _ in true }.map { VersionedText.lineEnd(source, of: $0) } ?? ""
        return ending.isEmpty ? "\n" : ending
    }

    /// Number of the line at a place in the bytes, the first being 1.
    package func lineNumber(at position: Int) -> Int {
        source.prefix(max(position, 0)).reduce(1) { $1 == 0x0A ? $0 + 1 : $0 }
    }

    /// Number of one of its lines.
    package func lineNumber(of line: PlaylistLine) -> Int { lineNumber(at: line.fullRange.lowerBound) }
}

extension [UInt8] {
    /// A URI without its query and fragment.
    fileprivate func path(in range: Range<Int>) -> ArraySlice<UInt8> {
        self[range.clamped(to: 0..<count)].prefix { $0 != 0x3F && $0 != 0x23 }
    }
}
