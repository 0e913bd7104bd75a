import Testing

@testable import HLS

/// Makes entries and splices of literals.
enum SpliceSample {
    static func entry(
        _ uri: String, _ duration: String = "4.0", isJoint: Bool = false, keys: [String] = [], map: String? = nil,
        byteRange: ByteRange? = nil, date: DateTime? = nil, bitrate: Int64? = nil
    ) throws -> SpliceEntry {
        try #require(
            SpliceEntry(
                uri: uri, durationText: duration, isJoint: isJoint, byteRange: byteRange, keys: keys, map: map,
                date: date,
                bitrate: bitrate))
    }

    static func spliced(
        _ content: String, _ range: Range<Int>, with entries: [SpliceEntry],
        _ change: (inout PlaylistSplice) -> Void = { _ in }
    ) throws -> String {
        var splice = PlaylistSplice(try media(content))
        let isReplaced = splice.replace(range, with: entries)
        #expect(isReplaced)
        change(&splice)
        return text(splice.bytes())
    }
}
