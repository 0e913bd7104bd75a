import Testing

@testable import HLS

@Suite struct PlaylistVariablesTests {
    @Test func `NAME, IMPORT and QUERYPARAM become plain text (rules 1201-1204)`() throws {
        let main = try multivariant(
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"host\",VALUE=\"https://h\"\n#EXT-X-DEFINE:QUERYPARAM=\"t\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"{$t}\"\n{$host}/v.m3u8?t={$t}&x={$}\n")
        let (bytes, variables) = try main.substitutingVariables(uri: "https://o/m.m3u8?a=1&t=a%2Fb")
        #expect(text(bytes) == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a/b\"\nhttps://h/v.m3u8?t=a/b&x={$}\n")
        let list = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-DEFINE:IMPORT=\"host\"\n#EXT-X-DEFINE:NAME=\"iv\",VALUE=\"01\"\n"
                + "#EXT-X-KEY:METHOD=AES-128,URI=\"{$host}/k\",IV=0x{$iv}\n#EXTINF:6,{$host}\n{$host}/a.ts\n")
        #expect(list.hasDefinitions)
        let plain = try list.substitutingVariables(imported: variables, uri: "https://o/v.m3u8")
        #expect(
            text(plain)
                == "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-KEY:METHOD=AES-128,URI=\"https://h/k\",IV=0x01\n"
                + "#EXTINF:6,{$host}\nhttps://h/a.ts\n")
    }

    @Test func `values are not searched for variables again`() throws {
        let list = try media(
            "#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"a\"\n#EXT-X-DEFINE:NAME=\"b\",VALUE=\"x\"\n#EXTINF:6,\n{$a}\n")
        #expect(text(try list.substitutingVariables(imported: .init(), uri: "/?a={$b}")).hasSuffix("\n{$b}\n"))
    }

    @Test(arguments: [
        ("#EXTM3U\n#EXTINF:6,\n{$a}\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"x\"\n", 3),
        ("#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"a\"\n", 2), ("#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"a\"\n", 2),
    ])
    func `a variable must be defined before its use (rule 1203)`(source: String, line: Int) throws {
        do {
            _ = try media(source).substitutingVariables(imported: .init(), uri: "https://h/x?b=1")
            Issue.record("was substituted")
        } catch let error as PlaylistError {
            #expect(error.code == .undefinedVariable)
            #expect(error.line == line)
        }
    }

    @Test func `definitions that double each other do not outgrow memory`() throws {
        var source = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"xxxxxxxxxx\"\n"
        for index in 1..<64 {
            source += "#EXT-X-DEFINE:NAME=\"v\(index)\",VALUE=\"{$v\(index - 1)}{$v\(index - 1)}\"\n"
        }
        let playlist = try media(source)
        #expect(throws: PlaylistError(.tooLarge, line: 0, detail: "")) {
            try playlist.substitutingVariables(imported: .init(), uri: "")
        }
    }
}
