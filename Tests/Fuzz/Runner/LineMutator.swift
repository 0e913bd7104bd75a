/// Changes playlists line by line, so that inputs stay playlists: libFuzzer's own mutations, which know bytes alone, are
/// mixed with it.
struct LineMutator {
    private var state: UInt64

    init(seed: UInt32) {
        state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func next(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(truncatingIfNeeded: state >> 33) % max(bound, 1)
    }

    /// A playlist with one to three of its lines changed.
    mutating func mutated(_ input: [UInt8]) -> [UInt8] {
        var lines = input.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        for _ in 0...next(3) { change(&lines) }
        return Array(lines.joined(separator: [0x0A]))
    }

    private mutating func change(_ lines: inout [[UInt8]]) {
        let index = next(lines.count)
        switch next(12) {
        case 0 where lines.count > 1: lines.remove(at: index)
        case 1: lines.insert(lines[index], at: next(lines.count + 1))
        case 2: lines.swapAt(index, next(lines.count))
        case 3:
            lines[index] = lines[index].last == 0x0D ? Array(lines[index].dropLast()) : lines[index] + [0x0D]
        case 4: lines[index] = withNumber(lines[index])
        case 5: lines[index] += Array(("," + Self.attributes[next(Self.attributes.count)]).utf8)
        case 6 where lines.count > 1:
            // The attributes of one line behind the name of another.
            let other = lines[next(lines.count)]
            lines[index] = lines[index].prefix { $0 != 0x3A } + other.drop { $0 != 0x3A }
        case 7: lines.insert(Array("#EXTINF:4,\ns.ts".utf8), at: index)
        default: lines.insert(Array(Self.lines[next(Self.lines.count)].utf8), at: index)
        }
    }

    /// The line with one of its runs of digits replaced.
    private mutating func withNumber(_ line: [UInt8]) -> [UInt8] {
        let isDigit: (UInt8) -> Bool = { (0x30...0x39).contains($0) }
        let starts = line.indices.filter { isDigit(line[$0]) && ($0 == 0 || !isDigit(line[$0 - 1])) }
        guard !starts.isEmpty else { return line }
        let start = starts[next(starts.count)]
        let end = line[start...].firstIndex { !isDigit($0) } ?? line.endIndex
        return Array(line[..<start]) + Array(Self.numbers[next(Self.numbers.count)].utf8) + Array(line[end...])
    }

    private static let numbers = [
        "0", "1", "2", "00", "18446744073709551615", "9223372036854775807", "9223372036854775806", "4294967295",
        "4294967296", "2147483648", "999999999", "1000000000", "0.0000000001", "0.9999999999999999999", "5.5", "-1", "",
    ]

    private static let attributes = [
        "URI=\"u\"",
        "METHOD=NONE",
        "METHOD=AES-128",
        "IV=0x1",
        "KEYFORMAT=\"identity\"",
        "BYTERANGE=\"1@2\"",
        "ID=\"a\"",
        "START-DATE=\"2026-01-01T00:00:00Z\"",
        "DURATION=1",
        "END-ON-NEXT=YES",
        "CLASS=\"c\"",
        "SCTE35-OUT=0xFC",
        "NAME=\"n\"",
        "VALUE=\"{$a}\"",
        "GROUP-ID=\"g\"",
        "TYPE=AUDIO",
        "BANDWIDTH=1",
        "CODECS=\"avc1,mp4a\"",
        "LAST-MSN=1",
        "LAST-PART=1",
        "SKIPPED-SEGMENTS=1",
        "RECENTLY-REMOVED-DATERANGES=\"a\tb\"",
        "X-SNAP=\"IN,OUT\"",
    ]

    /// Lines of every kind.
    static let lines = [
        "#EXTM3U",
        "#EXT-X-VERSION:9",
        "#EXT-X-TARGETDURATION:4",
        "#EXT-X-MEDIA-SEQUENCE:7",
        "#EXT-X-ENDLIST",
        "#EXT-X-DISCONTINUITY-SEQUENCE:3",
        "#EXT-X-PLAYLIST-TYPE:EVENT",
        "#EXT-X-I-FRAMES-ONLY",
        "#EXT-X-INDEPENDENT-SEGMENTS",
        "#EXT-X-START:TIME-OFFSET=-1.5,PRECISE=YES",
        "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"b\"",
        "#EXT-X-DEFINE:IMPORT=\"a\"",
        "#EXT-X-DEFINE:QUERYPARAM=\"token\"",
        "{$a}/s.ts",
        "#EXT-X-PART-INF:PART-TARGET=1",
        "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=24,PART-HOLD-BACK=3,HOLD-BACK=12",
        "#EXT-X-SKIP:SKIPPED-SEGMENTS=2,RECENTLY-REMOVED-DATERANGES=\"a\"",
        "#EXTINF:4.000,",
        "#EXTINF:4,title",
        "s.ts",
        "#EXT-X-BYTERANGE:10@20",
        "#EXT-X-BYTERANGE:10",
        "#EXT-X-DISCONTINUITY",
        "#EXT-X-GAP",
        "#EXT-X-BITRATE:800",
        "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"",
        "#EXT-X-KEY:METHOD=NONE",
        "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"skd://k\",KEYFORMAT=\"f\"",
        "#EXT-X-MAP:URI=\"i\",BYTERANGE=\"5@0\"",
        "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000+01:00",
        "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:04Z\",PLANNED-DURATION=4,SCTE35-OUT=0xFC00",
        "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.interstitial\","
            + "START-DATE=\"2026-01-01T00:00:04Z\",X-ASSET-URI=\"https://h/a\"",
        "#EXT-X-PART:DURATION=1,URI=\"p\",INDEPENDENT=YES",
        "#EXT-X-PART:DURATION=1,URI=\"p\",BYTERANGE=\"5@5\",GAP=YES",
        "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"p\",BYTERANGE-START=10",
        "#EXT-X-RENDITION-REPORT:URI=\"../r\",LAST-MSN=9,LAST-PART=1",
        "#EXT-X-CUE-OUT:30",
        "#EXT-X-CUE-OUT-CONT:4/30",
        "#EXT-X-CUE-IN",
        "#EXT-OATCLS-SCTE35:/DAlAAAA",
        "#EXT-X-CUE:TYPE=\"SpliceOut\",ID=\"7\",TIME=\"1\",DURATION=\"30\"",
        "#EXT-X-SCTE35:TYPE=0x34,CUE-OUT=YES,CUE=\"/DA\"",
        "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\",DEFAULT=YES,AUTOSELECT=YES,URI=\"a.m3u8\","
            + "CHANNELS=\"2\"",
        "#EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID=\"c\",NAME=\"n\",INSTREAM-ID=\"CC1\"",
        "#EXT-X-STREAM-INF:BANDWIDTH=1000,AVERAGE-BANDWIDTH=900,CODECS=\"avc1.4d401f,mp4a.40.2\","
            + "RESOLUTION=1x2,AUDIO=\"g\"\nv.m3u8",
        "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=10,URI=\"i.m3u8\"",
        "#EXT-X-SESSION-DATA:DATA-ID=\"d\",VALUE=\"v\",LANGUAGE=\"en\"",
        "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"k\"",
        "#EXT-X-CONTENT-STEERING:SERVER-URI=\"s\",PATHWAY-ID=\"p\"",
        "#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=4,CAN-SKIP-DATERANGES=YES",
        "\0#EXTM3U", "\0", "\0#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-SKIP:SKIPPED-SEGMENTS=1\n#EXTINF:4,\ns.ts",
        "#EXT-X-DATERANGE:ID=\"p\",CLASS=\"com.apple.hls.preload\",START-DATE=\"2026-01-01T00:00:00Z\",DURATION=3,X-TARGET-ID=\"a\"",
        "#EXT-X-DATERANGE:ID=\"a\",CUE=\"PRE,ONCE\",X-SNAP=\"IN,OUT\",X-RESUME-OFFSET=-1.5,X-PLAYOUT-LIMIT=2",
        "#EXT-X-DATERANGE:ID=\"a\",END-ON-NEXT=YES,CLASS=\"c\",END-DATE=\"2026-01-01T00:00:09Z\"",
        "# comment",
        "#EXT-X-UNKNOWN:A=1",
        "",
        "\u{FEFF}#EXTM3U",
    ]
}
