@testable import HLS

/// A generator that gives the same numbers each time.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// A live playlist as a server would write it, with whatever segments can have; it grows and slides at random.
struct ChangingPlaylist {
    private struct Segment {
        var uri: String
        var milliseconds: Int
        var title: String
        var hasDiscontinuity: Bool
        var keys: [String]
        var map: String?
        /// The KEY lines in force at the MAP.
        var mapKeys: [String]
        var bitrate: Int?
        var range: (length: Int, offset: Int)?
        var hasDate: Bool
        /// Milliseconds since the first segment.
        var date: Int
        var extra: [String]
        var dateRange: String?
    }

    private var random: SeededGenerator
    private var segments: [Segment] = []
    private(set) var mediaSequence = 100
    private var discontinuitySequence = 3
    private var counter = 0
    private var keys: [String] = []
    private var map: String?
    private var mapKeys: [String] = []
    private var bitrate: Int?
    private var file = 0
    private var fileEnd = 0
    private var time = 0
    private let hasDates: Bool

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        hasDates = random.next() % 4 != 0
    }

    private mutating func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }

    /// Appends a segment, and slides the window while it is longer than it should be.
    mutating func advance() {
        counter += 1
        var extra: [String] = []
        if chance(10) { extra.append("#EXT-X-CUE-OUT:30") }
        if chance(10) { extra.append("# comment \(counter)") }
        if chance(10) { extra.append("#EXT-X-UNKNOWN:\(counter)") }
        if chance(5) { extra.append("#EXT-X-GAP") }
        let hasDiscontinuity = chance(15)
        if chance(12) { keys = [] }
        if chance(15) { keys = ["#EXT-X-KEY:METHOD=AES-128,URI=\"k\(counter)\",IV=0x0123456789ABCDEF0123456789ABCDEF"] }
        if chance(15) {
            keys.removeAll { $0.contains("skd") }
            keys.append(
                "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://\(counter)\",KEYFORMAT=\"com.apple.streamingkeydelivery\"")
        }
        if chance(15) { (map, mapKeys) = ("#EXT-X-MAP:URI=\"init\(counter).mp4\"", keys) }
        if chance(15) { bitrate = Int(random.next() % 5_000) }
        var range: (Int, Int)?
        if chance(50) {
            if chance(30) { (file, fileEnd) = (file + 1, 0) }
            range = (Int(random.next() % 1_000) + 1, fileEnd)
            fileEnd += range?.0 ?? 0
        }
        let milliseconds = 1_000 + Int(random.next() % 5_000)
        segments.append(
            Segment(
                uri: range == nil ? "s\(counter).ts?sig=\(random.next() % 9)" : "all\(file).ts",
                milliseconds: milliseconds, title: chance(20) ? "title \(counter)" : "",
                hasDiscontinuity: hasDiscontinuity, keys: keys, map: map, mapKeys: mapKeys, bitrate: bitrate,
                range: range,
                hasDate: hasDates && chance(30), date: time, extra: extra,
                dateRange: hasDates && chance(20) ? dateRange() : nil))
        time += milliseconds
        while segments.count > 40 || (segments.count > 15 && chance(30)) {
            // A tag stays as long as its segment, and is counted when that leaves (rule 502).
            if segments.removeFirst().hasDiscontinuity { discontinuitySequence += 1 }
            mediaSequence += 1
        }
    }

    private func dateRange() -> String {
        "#EXT-X-DATERANGE:ID=\"r\(counter)\",START-DATE=\"\(date(time))\",DURATION=3"
    }

    private func date(_ milliseconds: Int) -> String {
        (DateTimeSpelling("2026-03-01T12:00:00.000+02:00")?
            .text(of: DateTime(nanoseconds: 1_772_359_200_000_000_000 + Int64(milliseconds) * 1_000_000))) ?? ""
    }

    /// The full playlist of this moment.
    func text(end: String = "") -> String {
        var output = """
            #EXTM3U
            #EXT-X-VERSION:8
            #EXT-X-TARGETDURATION:6
            ## about the sequence
            #EXT-X-MEDIA-SEQUENCE:\(mediaSequence)
            #EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)
            #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=36,CAN-SKIP-DATERANGES=YES
            #EXT-X-PART-INF:PART-TARGET=1

            """
        var before: Segment?
        for (index, segment) in segments.enumerated() {
            var lines: [String] = []
            if segment.hasDiscontinuity { lines.append("#EXT-X-DISCONTINUITY") }
            var inForce = before?.keys ?? []
            func change(to keys: [String]) {
                guard keys != inForce else { return }
                if !inForce.isEmpty { lines.append("#EXT-X-KEY:METHOD=NONE") }
                lines += keys
                inForce = keys
            }
            if let map = segment.map, map != before?.map {
                change(to: segment.mapKeys)
                lines.append(map)
            }
            change(to: segment.keys)
            if let bitrate = segment.bitrate, bitrate != before?.bitrate { lines.append("#EXT-X-BITRATE:\(bitrate)") }
            if hasDates, segment.hasDate || index == 0 {
                lines.append("#EXT-X-PROGRAM-DATE-TIME:" + date(segment.date))
            }
            if let dateRange = segment.dateRange { lines.append(dateRange) }
            lines += segment.extra
            if let range = segment.range {
                let continues = before?.uri == segment.uri && before?.range != nil
                lines.append("#EXT-X-BYTERANGE:\(range.length)" + (continues ? "" : "@\(range.offset)"))
            }
            if index >= segments.count - 2 { lines.append("#EXT-X-PART:DURATION=1,URI=\"\(segment.uri).0\"") }
            lines.append(
                "#EXTINF:\(segment.milliseconds / 1_000).\(segment.milliseconds % 1_000 + 1_000),\(segment.title)"
                    .replacing(".1", with: ".", maxReplacements: 1))
            lines.append(segment.uri)
            output += lines.joined(separator: "\n") + "\n"
            before = segment
        }
        return output + "#EXT-X-PART:DURATION=1,URI=\"next.0\"\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"next.1\"\n" + end
    }
}

extension MediaPlaylist {
    /// What a player would make of the playlist, as text to compare: not how it is spelled.
    func meaning() -> [String] {
        let dates = Timeline(self).dates
        var result = segments.map { segment -> String in
            let keys = keyGroups[segment.keyGroup].keys.map { text($0.line.range) }
            let map = segment.map.map { index in
                text(maps[index].line.range) + " under \(maps[index].keys.map { text($0.line.range) }.sorted())"
            }
            let others = lines(ofSegmentAt: segment.index).filter {
                [.comment, .unknownTag, .cueOut, .gap, .part].contains($0.kind)
            }
            let date = dates.isEmpty ? "" : dates[segment.index].formatted
            return "\(segment.number) \(segment.discontinuityNumber) \(segment.discontinuityCount) "
                + "\(text(segment.durationText)) \(text(segment.title)) \(text(segment.uri)) "
                + "\(String(describing: segment.byteRange)) \(segment.bitrate ?? -1) \(keys) \(map ?? "") \(date) "
                + "\(others.map { text($0.range) })"
        }
        result += dateRanges.map { text($0.line.range) }.sorted()
        result += trailerLines.filter { $0.kind != .dateRange }.map { text($0.range) }
        result += headerLines.filter { $0.kind != .version && $0.kind != .skip }.map { text($0.range) }
        return result
    }
}
