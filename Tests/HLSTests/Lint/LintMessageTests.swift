import Testing

@testable import HLS

/// Messages name the values.
@Suite struct LintMessageTests {
    private func messages(_ rule: Int, _ source: String) throws -> [String] {
        try media(source).lint().filter { $0.rule == rule }.map(\.message)
    }

    @Test func `an EXTINF above the target is told with both numbers (rule 303)`() throws {
        let source = LintCases.list("#EXTINF:7.2,\na.ts\n")
        #expect(try messages(303, source) == ["EXTINF 7.2 rounds to 7, above the target duration 6"])
    }

    @Test func `an unknown tag is noted once, with its count (rule 109)`() throws {
        let body = "#EXT-X-A:1\n#EXT-X-B\n#EXT-X-A:2\n#EXTINF:6,\na.ts\n"
        #expect(try messages(109, LintCases.list(body)) == ["unknown tag EXT-X-A, 2 times", "unknown tag EXT-X-B"])
    }

    @Test func `keys without IV are one finding, with their count (rule 605)`() throws {
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:6,\na.ts\n"
        let text = try #require(try messages(605, LintCases.list(key + key + key)).first)
        #expect(text == "the IV is the media sequence number, as 2 more: renumbering breaks decryption")
    }

    @Test func `that a length is rounded below version 6 is said once (rule 303)`() throws {
        let source = LintCases.list("#EXTINF:6.006,\na.ts\n#EXTINF:6.006,\nb.ts\n", version: 3)
        #expect(try messages(303, source).count == 1)
    }

    @Test func `long values are cut`() throws {
        let value = String(repeating: "x", count: 5_000)
        let text = try #require(try messages(901, LintCases.list("#EXT-X-PLAYLIST-TYPE:\(value)\n")).first)
        #expect(text.utf8.count < 200)
    }

    @Test func `a clean playlist has no finding`() throws {
        let source = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXTINF:5.5,\na.ts\n#EXT-X-ENDLIST\n"
        #expect(try media(source).lint().isEmpty)
    }

    @Test func `blanks and quotes that players bear are warnings, what they cannot read is an error (rules 104, 106)`()
        throws
    {
        let bearable = "#EXT-X-KEY:METHOD=\"AES-128\", URI=k,IV=\"\(LintCases.vector)\"\n#EXTINF:6,\na.ts\n"
        let findings = try media(LintCases.list(bearable)).lint().filter { [104, 106].contains($0.rule) }
        #expect(findings.map(\.severity) == [.warning, .warning, .warning, .warning])
        let unreadable = try media(LintCases.list("#EXT-X-START:TIME-OFFSET=soon\n#EXTINF:6,\na.ts\n")).lint()
        #expect(unreadable.contains { $0.rule == 106 && $0.severity == .error })
    }
}
