import Testing

@testable import HLS

/// Whatever is spliced where: what stays of the content means what it meant.
@Suite struct SplicePropertyTests {
    private struct Content: Equatable {
        var title: String
        var duration: Duration
        var date: DateTime?
        var byteRange: ByteRange?
        var map: String?
        /// Of each key the line without its IV, and the IV.
        var keys: [String]
        var bitrate: Int64?
    }

    /// What a player makes of each segment with a title.
    private func contents(_ playlist: MediaPlaylist) -> [Content] {
        let dates = Timeline(playlist).dates
        return playlist.segments.compactMap { segment in
            let title = playlist.text(segment.title)
            guard !title.isEmpty else { return nil }
            let keys = playlist.keyGroups[segment.keyGroup].keys.map { key in
                let attributes = key.attributes(in: playlist.source)
                let iv = attributes["IV"].flatMap(\.hexadecimal) ?? []
                let implicit = key.hasImplicitIV ? withUnsafeBytes(of: segment.number.bigEndian) { Array($0) } : []
                return "\(attributes["URI"]?.text ?? "") \(attributes["KEYFORMAT"]?.text ?? "") "
                    + "\((iv + implicit).drop { $0 == 0 }.map(Int.init))"
            }
            return Content(
                title: title, duration: segment.duration, date: dates.isEmpty ? nil : dates[segment.index],
                byteRange: segment.byteRange, map: segment.map.map { playlist.text(playlist.maps[$0].uri) }, keys: keys,
                bitrate: segment.bitrate)
        }
    }

    private func content(_ numbers: inout UsualFormsTests.Numbers) -> String {
        func chance(_ parts: Int) -> Bool { Int.random(in: 0..<parts, using: &numbers) == 0 }
        let hasMaps = chance(2)
        let hasDates = chance(2)
        let hasRanges = chance(3)
        let hasRates = chance(3)
        var text =
            "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(Int.random(in: 0...300, using: &numbers))\n"
        if hasMaps { text += "#EXT-X-MAP:URI=\"0.mp4\"\n" }
        if hasRates { text += "#EXT-X-BITRATE:100\n" }
        if hasDates { text += "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:15:07.127Z\n" }
        for index in 0..<Int.random(in: 1...12, using: &numbers) {
            if chance(6) { text += "#EXT-X-DISCONTINUITY\n" }
            if chance(5) { text += "#EXT-X-KEY:METHOD=AES-128,URI=\"k\(index)\"\(chance(2) ? ",IV=0x7" : "")\n" }
            if chance(6) { text += "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"s\(index)\",KEYFORMAT=\"f\"\n" }
            if chance(8) { text += "#EXT-X-KEY:METHOD=NONE\n" }
            if hasMaps, chance(5) { text += "#EXT-X-MAP:URI=\"\(index).mp4\"\n" }
            if hasDates, chance(3) { text += "#EXT-X-PROGRAM-DATE-TIME:2026-01-17T08:16:\(10 + index).5+01:00\n" }
            if hasRates, chance(5) { text += "#EXT-X-BITRATE:\(200 + index)\n" }
            if hasRanges {
                text += "#EXT-X-BYTERANGE:\(10 + index)\(index == 0 || chance(4) ? "@\(index * 100)" : "")\n"
            }
            if chance(6) { text += "# comment\n" }
            text += "#EXTINF:6,\(index)\n\(hasRanges ? "all" : "\(index)").ts\n"
        }
        return text + (chance(2) ? "#EXT-X-ENDLIST\n" : "")
    }

    @Test func `dates, byte ranges, keys, IVs, maps and bit rates of what stays are those it had`() throws {
        var numbers = UsualFormsTests.Numbers(state: 5)
        for _ in 0..<1_500 {
            let text = content(&numbers)
            let original = try media(text)
            let hasMaps = original.segments.allSatisfy { $0.map != nil }
            var splice = PlaylistSplice(original)
            var gone: Set<Int> = []
            var entryCount = 0
            var position = 0
            while position <= original.segments.count {
                let start = Int.random(in: position...original.segments.count, using: &numbers)
                let end = Int.random(in: start...min(start + 3, original.segments.count), using: &numbers)
                let count = Int.random(in: 0...3, using: &numbers)
                let isKeyed = Bool.random(using: &numbers)
                let entries = try (0..<count).map { _ in
                    try SpliceSample.entry(
                        "ad", "5", keys: isKeyed ? ["#EXT-X-KEY:METHOD=AES-128,URI=\"ad\",IV=0x9"] : [],
                        map: hasMaps ? "#EXT-X-MAP:URI=\"ad.mp4\"" : nil, bitrate: 50)
                }
                let isReplaced = splice.replace(start..<end, with: entries)
                #expect(isReplaced)
                gone.formUnion(start..<end)
                entryCount += count
                position = end + Int.random(in: 1...5, using: &numbers)
            }
            if Bool.random(using: &numbers) { splice.mediaSequence = Int64.random(in: 0...1_000, using: &numbers) }
            let bytes = splice.bytes()
            let result = try MediaPlaylist(parsing: bytes)
            let expected = contents(original).filter { !gone.contains(Int($0.title) ?? -1) }
            guard contents(result) == expected,
                result.segments.count == original.segments.count - gone.count + entryCount
            else {
                Issue.record("\(text)became\n\(String(decoding: bytes, as: UTF8.self))")
                return
            }
            for segment in result.segments where result.text(segment.uri) == "ad" {
                let keys = result.keyGroups[segment.keyGroup].keys.map { $0.attributes(in: bytes)["URI"]?.text }
                #expect(keys == [] || keys == ["ad"])
                #expect(!hasMaps || segment.map.map { result.text(result.maps[$0].uri) } == "ad.mp4")
            }
            #expect(result.segments.allSatisfy { $0.discontinuityCount <= 1 })
        }
    }
}
