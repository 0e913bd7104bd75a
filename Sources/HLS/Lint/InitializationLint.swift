/// Rule 706: after an inserted part the content's init section is declared again. Seen by the folders that segments lie in:
/// after a discontinuity without EXT-X-MAP, a folder of segments that were under another one is content under the wrong one.
struct InitializationLint: LintCheck {
    private var map: (text: String, line: Int)?
    private var hasMapHere = false
    private var hasDiscontinuity = false
    private var duration = false
    /// The EXT-X-MAP that was in force for segments of a folder, up to a bound.
    private var maps: [String: String] = [:]
    private static let limit = 4_096

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .map:
            let range = line.text("BYTERANGE", bytes) ?? ""
            map = ((line.text("URI", bytes) ?? "") + "\n" + range, line.number)
            hasMapHere = true
        case .discontinuity: hasDiscontinuity = true
        case .segmentDuration: duration = true
        case .uri where duration:
            duration = false
            readSegment(line, bytes, &report)
            hasMapHere = false
            hasDiscontinuity = false
        default: break
        }
    }

    private mutating func readSegment(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard let map else { return }
        let folder = Self.folder(bytes, line.place.range)
        if let known = maps[folder], known != map.text, hasDiscontinuity, !hasMapHere {
            report.report(
                706, line.number,
                "segments of this folder were under another EXT-X-MAP than that of line \(map.line), still in force",
                severity: .warning)
        }
        if maps.count < Self.limit || maps[folder] != nil { maps[folder] = map.text }
    }

    /// The URI up to its last slash; a short text for what has none.
    private static func folder(_ bytes: Span<UInt8>, _ uri: Range<Int>) -> String {
        var end = uri.lowerBound
        var position = uri.lowerBound
        while position < uri.upperBound, bytes[position] != 0x3F, bytes[position] != 0x23 {
            if bytes[position] == 0x2F { end = position + 1 }
            position += 1
        }
        return bytes.string(uri.lowerBound..<end)
    }
}
