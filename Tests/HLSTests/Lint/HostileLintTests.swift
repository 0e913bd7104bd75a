import Testing

@testable import HLS

/// Playlists made to make lint slow or large.
@Suite struct HostileLintTests {
    private static let head = "#EXTM3U\n#EXT-X-VERSION:10\n#EXT-X-TARGETDURATION:6\n"

    /// A playlist that repeats a run of lines `count` times with a number in place of "%".
    private static func repeated(_ text: String, _ count: Int) -> [UInt8] {
        var result = head
        for index in 0..<count { result += text.replacing("%", with: String(index)) }
        return Array(result.utf8)
    }

    static let runs: [(name: String, text: String)] = [
        ("identifiers", "#EXT-X-DATERANGE:ID=\"%\",X-A=1\n"),
        ("one identifier", "#EXT-X-DATERANGE:ID=\"a\",X-%=1,X-A=%\n"),
        ("keys", "#EXT-X-KEY:METHOD=SAMPLE-AES,URI=k,KEYFORMAT=\"%\"\n#EXTINF:9\na.ts\n"),
        ("maps", "#EXT-X-MAP:URI=\"%\"\n#EXTINF:9\n%/a.ts\n"),
        ("ranges", "#EXT-X-BYTERANGE:5\n#EXTINF:9\n%.ts\n"),
        ("variables", "#EXT-X-DEFINE:NAME=\"%\",VALUE=\"{$a}{$%}\"\n"),
        ("tags", "#EXT-X-UNKNOWN-%\n"),
        ("hints", "#EXT-X-PRELOAD-HINT:TYPE=A%,URI=\"%\"\n#EXT-X-RENDITION-REPORT:URI=\"%\"\n#EXT-X-PART:URI=\"%\"\n"),
        ("marks", "#EXTINF:6,a\u{301}%\u{323}\u{307}\u{FEFF}\n%.ts\n"),
        ("dates", "#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n#EXTINF:9,\n%.ts\n"),
        ("headers", "#EXT-X-START:TIME-OFFSET=%\n#EXT-X-SKIP:SKIPPED-SEGMENTS=%\n#EXT-X-SERVER-CONTROL:HOLD-BACK=%\n"),
    ]

    private func time(_ bytes: [UInt8]) throws -> (findings: [PlaylistFinding], time: Duration) {
        let playlist = try MediaPlaylist(parsing: bytes)
        let clock = ContinuousClock()
        var findings: [PlaylistFinding] = []
        let time = clock.measure { findings = playlist.lint() }
        return (findings, time)
    }

    @Test(arguments: runs)
    func `findings are bounded and the time is that of the bytes`(run: (name: String, text: String)) throws {
        let small = try time(Self.repeated(run.text, 250))
        let large = try time(Self.repeated(run.text, 4_000))
        #expect(large.findings.count <= LintReport.limit + 1)
        // Sixteen times the bytes; what is quadratic takes 256 times as long. The margin is for a busy machine.
        #expect(large.time < max(small.time * 100, .seconds(1)), "\(small.time), \(large.time)")
    }

    @Test func `one line of very many attributes is looked at in bounded time`() throws {
        var line = "#EXT-X-DATERANGE:ID=\"a\""
        for index in 0..<50_000 { line += ",X-\(index)=1" }
        let findings = try time(Array((Self.head + line + "\n" + line + "\n").utf8)).findings
        #expect(findings.contains { $0.rule == 105 && $0.line == 4 })
    }

    @Test func `numbers beyond all bounds do not trap`() throws {
        let big = "9223372036854775807"
        let source =
            "#EXTM3U\n#EXT-X-VERSION:10\n#EXT-X-TARGETDURATION:9223372032000000000\n#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=\(big),HOLD-BACK=\(big)\n"
            + "#EXT-X-PART-INF:PART-TARGET=\(big)\n#EXT-X-START:TIME-OFFSET=-\(big)\n#EXT-X-MEDIA-SEQUENCE:1\n"
            + "#EXT-X-PROGRAM-DATE-TIME:2261-12-31T23:59:59Z\n#EXT-X-PART:URI=\"p\",DURATION=\(big)\n"
            + "#EXT-X-PART:URI=\"p\",DURATION=\(big),BYTERANGE=\"\(big)@\(big)\"\n"
            + "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2261-12-31T23:59:59Z\",END-DATE=\"1678-01-01T00:00:00Z\",DURATION=\(big)\n"
            + "#EXTINF:999999999,\na.ts\n#EXT-X-BITRATE:\(big)\n#EXTINF:999999999,\na.ts\n"
            + "#EXT-X-PROGRAM-DATE-TIME:1678-01-01T00:00:00Z\n#EXTINF:1,\nb.ts\n"
        _ = try time(Array(source.utf8))
        _ = try time(Array(source.replacing("9223372032000000000", with: "6").utf8))
    }
}
