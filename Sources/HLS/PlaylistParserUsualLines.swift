// The lines that are on every segment, in the forms that most packagers write. All else is read line by line.
extension PlaylistParser {
    /// Reads lines from `start` on as long as they are of the usual forms, and returns where the first other one begins.
    ///
    /// It does what ``parse(_:readsUsualForms:)`` would do for each of them. The first segment has been read before: until then
    /// lines are divided into those of the playlist and those of the segment.
    @inline(never)
    mutating func readUsualLines(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        let state = UInt32(truncatingIfNeeded: states.count &- 1)
        while let word = bytes.word(at: position) {
            if word == TagKind.segmentDurationWord {
                guard let duration = bytes.usualDuration(at: position &+ 8),
                    let end = lineEnd(behind: duration.comma &+ 1, bytes)
                else { break }
                pending.hasDuration = true
                pending.durationStart = position &+ 8
                pending.nanoseconds = duration.nanoseconds
                pending.isFine = false
                position = end &+ 1
            } else if word & 0xFF != 0x23 {
                // Tags of which more is to be done than taking over a date have left their trace in the contents.
                guard word & 0xFF > 0x20, pending.hasDuration, pending.contents.isSubset(of: .programDateTime) else {
                    break
                }
                let end = bytes.lineFeed(from: position, to: bytes.count)
                guard end < bytes.count else { break }
                var detail: UInt32 = 0
                if !pending.contents.isEmpty {
                    detail = append(SegmentDetail(programDateTime: pending.programDateTime))
                }
                append(
                    SegmentRecord(
                        start: UInt32(truncatingIfNeeded: segmentStart), uriStart: UInt32(truncatingIfNeeded: position),
                        durationStart: UInt32(truncatingIfNeeded: pending.durationStart), state: state,
                        nanoseconds: pending.nanoseconds, detail: detail, contents: pending.contents.rawValue,
                        discontinuities: 0, isFine: pending.isFine),
                    end: end &+ 1, of: bytes.count)
                pending.hasDuration = false
                pending.contents = []
                position = end &+ 1
            } else {
                guard bytes.word(at: position &+ 1) == Self.dateTag.0,
                    bytes.word(at: position &+ 9) == Self.dateTag.1,
                    bytes.word(at: position &+ 17) == Self.dateTag.2,
                    let date = bytes.usualDate(at: position &+ 25, &day), let end = bytes.usualLineEnd(at: date.end)
                else { break }
                pending.contents.insert(.programDateTime)
                pending.programDateTime = date.nanoseconds
                position = end &+ 1
            }
        }
        return position
    }

    /// The line feed behind an EXTINF's comma and the title that may follow.
    @inline(__always)
    private func lineEnd(behind position: Int, _ bytes: Span<UInt8>) -> Int? {
        if let end = bytes.usualLineEnd(at: position) { return end }
        let end = bytes.lineFeed(from: position, to: bytes.count)
        return end < bytes.count ? end : nil
    }

    /// `EXT-X-PR`, `OGRAM-DA`, `TE-TIME:`, which follow upon the number sign.
    private static var dateTag: (UInt64, UInt64, UInt64) {
        (0x5250_2D58_2D54_5845, 0x4144_2D4D_4152_474F, 0x3A45_4D49_542D_4554)
    }
}
