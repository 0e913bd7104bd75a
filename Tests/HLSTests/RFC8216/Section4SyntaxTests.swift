import Testing

@testable import HLS

/// The examples printed within RFC 8216bis §4.1 to §4.3, in our own words.
@Suite struct Section4SyntaxTests {
    private func attribute(_ text: String) throws -> AttributeValue {
        let bytes = Array("A=\(text)".utf8)
        return try #require(AttributeList(bytes, in: 0..<bytes.count)["A"])
    }

    @Test func `4.1: lines end with LF or CR LF, blank lines and comments are none of a segment's`() throws {
        let playlist = try media("#EXTM3U\r\n\n#EXT-X-TARGETDURATION:9\n\r\n# a comment\n#EXTINF:9,\r\n\na.ts\r\n")
        #expect(playlist.segments.count == 1)
        #expect(playlist.uri(0) == "a.ts")
        #expect(playlist.targetDuration == 9)
        #expect(playlist.lines.count { $0.kind == .blank } == 3)
    }

    @Test func `4.1: tags are case sensitive`() throws {
        let playlist = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXT-X-Endlist\n#extinf:3,\na.ts\n#EXTINF:9,\nb.ts\n")
        #expect(!playlist.hasEndList)
        #expect(playlist.segments.count == 1)
        #expect(playlist.uri(0) == "b.ts")
    }

    @Test func `4.2: a decimal integer`() throws {
        #expect(try attribute("0").integer == 0)
        #expect(try attribute("9223372036854775807").integer == .max)
        #expect(try attribute("-1").integer == nil)
        // Up to 2^64 - 1 is legal; what is above 63 bits means nothing in any attribute there is.
        #expect(try attribute("18446744073709551615").integer == nil)
    }

    @Test func `4.2: a hexadecimal sequence`() throws {
        #expect(try attribute("0x00FF10").hexadecimal == [0x00, 0xFF, 0x10])
        #expect(try attribute("0Xab").hexadecimal == [0xAB])
        #expect(try attribute("00FF").hexadecimal == nil)
        #expect(try attribute("0x0G").hexadecimal == nil)
    }

    @Test func `4.2: decimal floating points, unsigned and signed`() throws {
        #expect(try attribute("23.976").decimal == DecimalNumber(23, thousandths: 976))
        #expect(try attribute("6.006").duration == .milliseconds(6_006))
        #expect(try attribute("-12.5").duration == .milliseconds(-12_500))
        #expect(try attribute("1e3").duration == nil)
    }

    @Test func `4.2: a quoted string may hold commas, and a list of strings is one`() throws {
        let value = try attribute("\"one,two,three\",B=1")
        #expect(value.text == "one,two,three")
        #expect(value.isQuoted)
        #expect(value.list() == ["one", "two", "three"])
    }

    @Test func `4.2: an enumerated string is not quoted`() throws {
        let value = try attribute("YES")
        #expect(value.isYes)
        #expect(!value.isQuoted)
        #expect(try !attribute("yes").isYes)
    }

    @Test func `4.2: a decimal resolution is width by height`() throws {
        #expect(try attribute("1920x1080").resolution == Resolution(width: 1_920, height: 1_080))
        #expect(try attribute("1920").resolution == nil)
    }

    @Test func `4.3: references are replaced in URI lines, quoted strings and hexadecimal sequences, once`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-DEFINE:NAME="host",VALUE="cdn.example"
            #EXT-X-DEFINE:NAME="nested",VALUE="{$host}/x"
            #EXT-X-DEFINE:NAME="iv",VALUE="0102"
            #EXT-X-TARGETDURATION:4
            #EXT-X-KEY:METHOD=AES-128,URI="https://{$host}/key",IV=0x{$iv}
            #EXTINF:4,{$host}
            https://{$nested}/a.ts
            #EXTINF:4,
            {$Host}{host}$host
            """)
        #expect(throws: PlaylistError(.undefinedVariable, line: 0, detail: "")) {
            try playlist.substitutingVariables(imported: .init(), uri: "https://origin.example/")
        }
        let source = text(playlist.source).replacing("{$Host}{host}$host", with: "{host}$host")
        let plain = try media(source).plain(importing: .init(), uri: "https://origin.example/")
        #expect(plain.uri(0) == "https://cdn.example/x/a.ts")
        // Only a brace with a dollar sign and a legal name refers to anything, and titles are not places for references.
        #expect(plain.uri(1) == "{host}$host")
        #expect(plain.text(plain.segments[0].title) == "{$host}")
        let key = try #require(plain.keyGroups[plain.segments[0].keyGroup].keys.first)
        #expect(key.uri(in: plain.source) == "https://cdn.example/key")
        #expect(key.initializationVector(in: plain.source)?.bytes.suffix(2) == [1, 2])
    }
}
