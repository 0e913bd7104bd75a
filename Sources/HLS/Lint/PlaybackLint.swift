/// Rules of EXT-X-BITRATE and EXT-X-START: 1301, 1302.
struct PlaybackLint: LintCheck {
    private let playlist: MediaPlaylist
    private var bitrateLine = 0
    private var pendingBitrate = 0
    private var hasRange = false
    private var hasDiscontinuity = false
    private var duration = false
    private var start: (offset: Duration, line: Int)?

    init(_ playlist: MediaPlaylist) {
        self.playlist = playlist
    }

    mutating func read(_ line: LintLine, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        switch line.kind {
        case .bitrate:
            pendingBitrate = line.number
            if DecimalText.integer(bytes, in: line.value) == 0 {
                report.report(1301, line.number, "EXT-X-BITRATE is 0")
            }
        case .byteRange: hasRange = true
        case .discontinuity: hasDiscontinuity = true
        case .segmentDuration: duration = true
        case .uri where duration: readSegment(line.number, &report)
        case .start:
            if start == nil { start = line.duration("TIME-OFFSET", bytes).map { ($0, line.number) } }
        default: break
        }
    }

    /// What is inferred from one playlist weighs as a warning: the media may well have that rate.
    private mutating func readSegment(_ line: Int, _ report: inout LintReport) {
        if pendingBitrate != 0 {
            bitrateLine = pendingBitrate
            if hasRange {
                report.report(
                    1301, pendingBitrate, "EXT-X-BITRATE does not apply to a byte range", severity: .warning)
            }
        } else if hasDiscontinuity, bitrateLine != 0, !hasRange {
            report.report(
                1301, line, "the EXT-X-BITRATE of line \(bitrateLine) holds on behind a discontinuity",
                severity: .warning)
        }
        pendingBitrate = 0
        hasRange = false
        hasDiscontinuity = false
        duration = false
    }

    mutating func finish(end: Int, _ bytes: Span<UInt8>, _ report: inout LintReport) {
        guard let start, let fault = Self.fault(start.offset, in: playlist) else { return }
        report.report(1302, start.line, fault)
    }

    /// What is wrong with the TIME-OFFSET of an EXT-X-START that holds for a playlist; nil if nothing is.
    static func fault(_ offset: Duration, in playlist: MediaPlaylist) -> String? {
        guard playlist.skippedSegments == 0 else { return nil }
        let length = playlist.listedDuration
        let place = offset < .zero ? length + offset : offset
        let text = DecimalText.text(offset)
        if place < .zero || place > length {
            return "TIME-OFFSET \(text) lies outside the \(DecimalText.text(length)) s listed"
        }
        guard !playlist.hasEndList, let target = playlist.targetDuration, target <= 1_000_000_000,
            length - place < .seconds(3 * target)
        else { return nil }
        return "TIME-OFFSET \(text) is within three target durations of the end of a live playlist"
    }
}
