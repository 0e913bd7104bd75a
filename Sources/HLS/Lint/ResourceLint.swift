/// Rules of init sections, byte ranges and gaps: 701-707.
struct ResourceLint: LintCheck {
    private let isIFramesOnly: Bool
    /// Whether lines have been left out (a delta update): what is not there may be among them.
    private let isPartial: Bool
    private var map: (format: MediaFormat, line: Int)?
    private var hasUnmapped = false
    private var hasMisfit = false
    private var duration = false
    private var hasSegment = false
    private var gapLine = 0
    private var range: (hasOffset: Bool, line: Int)?
    /// The URI of the segment before, if it is a byte range.
    private var previous: Range<Int>?
    /// Resources of which a range is listed, up to a bound; beyond it nothing is claimed of them.
    private var known: Set<String> = []
    private static let knownLimit = 4_096
    /// The part before, of one segment.
    private var part: Range<Int>?

    init(_ playlist: MediaPlaylist) {
        isIFramesOnly = playlist.isIFramesOnly
        isPartial = playlist.skippedSegments > 0
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .map: readMap(line, bytes, &report)
        case .byteRange:
            if let parsed = ByteRange.parse(bytes, in: line.value) { range = (parsed.offset != nil, line.number) }
        case .part: readPart(line, bytes, &report)
        case .gap:
            if gapLine != 0 { report.report(707, line.number, "two EXT-X-GAP for one segment", severity: .warning) }
            gapLine = line.number
        case .segmentDuration: duration = true
        case .uri where duration:
            duration = false
            readSegment(line, bytes, &report)
        default: break
        }
    }

    private mutating func readMap(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let uri = line.attribute("URI", bytes)?.value ?? 0..<0
        if uri.isEmpty { report.report(701, line.number, "EXT-X-MAP without URI") }
        if let range = line.attribute("BYTERANGE", bytes), let parsed = ByteRange.parse(bytes, in: range.value),
            parsed.offset == nil
        {
            report.report(701, line.number, "EXT-X-MAP with BYTERANGE \(bytes.excerpt(range.value)), without offset")
        }
        map = (MediaFormat(bytes, uri: uri), line.number)
        hasMisfit = false
    }

    private mutating func readPart(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let uri = line.attribute("URI", bytes)?.value ?? 0..<0
        defer { part = line.attribute("BYTERANGE", bytes) == nil ? nil : uri }
        guard let range = line.attribute("BYTERANGE", bytes), let parsed = ByteRange.parse(bytes, in: range.value),
            parsed.offset == nil
        else { return }
        if let part, bytes.areEqual(part, uri) { return }
        report.report(703, line.number, "EXT-X-PART with BYTERANGE \(bytes.excerpt(range.value)) continues nothing")
    }

    private mutating func readSegment(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        let uri = line.place.range
        if gapLine == 0 { checkFormat(MediaFormat(bytes, uri: uri), line.number, &report) }
        gapLine = 0
        part = nil
        defer { hasSegment = true }
        guard let range else {
            previous = nil
            return
        }
        self.range = nil
        if !range.hasOffset {
            if let previous, bytes.areEqual(previous, uri) {
                // Continued, as it should be.
            } else if known.contains(bytes.string(uri)) {
                report.report(704, range.line, "the segment before is no range of \(bytes.excerpt(uri))")
            } else if known.count < Self.knownLimit, !isPartial || hasSegment {
                report.report(703, range.line, "a byte range without offset, and nothing before it to continue")
            }
        }
        previous = uri
        if known.count < Self.knownLimit { known.insert(bytes.string(uri)) }
    }

    private mutating func checkFormat(_ format: MediaFormat, _ line: Int, _ report: inout LintReport) {
        // The resources of I-frame playlists may begin with their init section.
        if map == nil, !isIFramesOnly, !isPartial, format == .fragmentedMP4, !hasUnmapped {
            hasUnmapped = true
            report.report(702, line, "a fragmented MP4 segment without EXT-X-MAP")
        }
        guard let map, !hasMisfit else { return }
        // What an init section is whose URI does not tell, its segments do.
        if map.format == .unknown, format == .fragmentedMP4 { self.map?.format = format }
        // A transport stream may have an init section too: its program tables.
        let isMisfit =
            format.needsNoInitialization || (format == .transportStream && map.format == .fragmentedMP4)
        guard isMisfit else { return }
        hasMisfit = true
        report.report(705, line, "a segment of \(format.name) under the EXT-X-MAP of line \(map.line)")
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        if gapLine != 0 { report.report(707, gapLine, "EXT-X-GAP without a segment after it") }
    }
}
