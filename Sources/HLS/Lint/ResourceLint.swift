/// Rules of byte ranges and init sections: 701, 703, and 106 of EXT-X-BYTERANGE and EXT-X-BITRATE.
struct ResourceLint: LintCheck {
    private var range: (length: Int64, offset: Int64?, line: Int)?
    private var hasDuration = false
    private var known: Set<String> = []

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .map:
            if line.attribute("URI", bytes)?.value.isEmpty ?? true {
                report.report(701, line.number, "EXT-X-MAP without URI")
            }
        case .byteRange:
            if let parsed = ByteRange.parse(bytes, in: line.value) {
                range = (parsed.length, parsed.offset, line.number)
            } else {
                report.report(106, line.number, "unreadable EXT-X-BYTERANGE")
            }
        case .bitrate:
            if DecimalText.integer(bytes, in: line.value) == nil {
                report.report(106, line.number, "unreadable EXT-X-BITRATE")
            }
        case .segmentDuration: hasDuration = true
        case .uri where hasDuration:
            hasDuration = false
            guard let range else { break }
            self.range = nil
            let uri = bytes.string(line.place.range)
            if range.offset == nil, !known.contains(uri) {
                report.report(703, range.line, "byte range without offset, and nothing to continue")
            }
            if known.count < 4_096 { known.insert(uri) }
        default: break
        }
    }
}
