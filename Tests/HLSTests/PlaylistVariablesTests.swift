import Testing

@testable import HLS

@Suite struct PlaylistVariablesTests {
    @Test func `NAME, IMPORT and QUERYPARAM become plain text (rules 1201-1204)`() throws {
        let main = try multivariant(
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"host\",VALUE=\"https://h\"\n#EXT-X-DEFINE:QUERYPARAM=\"t\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"{$t}\"\n{$host}/v.m3u8?t={$t}&x={$}\n")
        let (bytes, variables) = try main.substitutingVariables(uri: "https://o/m.m3u8?a=1&t=a%2Fb")
        #expect(text(bytes) == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a/b\"\nhttps://h/v.m3u8?t=a/b&x={$}\n")
        #expect(variables["host"] == "https://h")
        #expect(variables["Host"] == nil)
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

    @Test func `definitions are typed (rule 1201)`() throws {
        let list = try media(
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\"\n#EXT-X-DEFINE:IMPORT=\"b\"\n#EXT-X-DEFINE:QUERYPARAM=\"c\"\n"
                + "#EXT-X-DEFINE:VALUE=\"d\"\n#EXT-X-DEFINE:IMPORT=\"e e\",NAME=\"e\"\n")
        #expect(list.variableDefinitions.map(\.origin) == [.value, .imported, .queryParameter, nil, .value])
        #expect(list.variableDefinitions.map(\.name) == ["a", "b", "c", "", "e"])
        #expect(list.variableDefinitions.map(\.isAmbiguous) == [false, false, false, false, true])
        #expect(list.variableDefinitions.map(\.hasLegalName) == [true, true, true, false, true])
        #expect(try media("#EXTM3U\n").variableDefinitions.isEmpty)
    }

    @Test func `values are not searched for variables again, those of the query neither (rule 1204)`() throws {
        let list = try media(
            "#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"a\"\n#EXT-X-DEFINE:NAME=\"b\",VALUE=\"x\"\n"
                + "#EXT-X-DEFINE:NAME=\"c\",VALUE=\"{$a}{$b}\"\n#EXTINF:6,\n{$c}\n")
        #expect(text(try list.substitutingVariables(imported: .init(), uri: "/?a={$b}")).hasSuffix("\n{$b}x\n"))
    }

    @Test func `quoted strings, hexadecimal values and URI lines are searched, and nothing else (rule 1204)`() throws {
        let list = try media(
            """
            #EXTM3U
            #EXT-X-DEFINE:NAME="v",VALUE="1"
            #EXT-X-PLAYLIST-TYPE:{$v}
            #EXT-X-DATERANGE:ID="{$v}{$v}",START-DATE="2026-01-0{$v}T00:00:00Z",SCTE35-OUT=0xFC{$v},X-A={$v}
            #EXT-X-UNKNOWN:A="{$v}"
            #EXT-X-CUE-OUT:"{$v}"
            # {$v}
            #EXTINF:6,{$v}
            #EXT-X-PART:DURATION={$v},URI="{$v"
            {$v}/{$v}{$v

            """)
        #expect(
            text(try list.substitutingVariables(imported: .init(), uri: "")) == """
                #EXTM3U
                #EXT-X-PLAYLIST-TYPE:{$v}
                #EXT-X-DATERANGE:ID="11",START-DATE="2026-01-01T00:00:00Z",SCTE35-OUT=0xFC1,X-A={$v}
                #EXT-X-UNKNOWN:A="{$v}"
                #EXT-X-CUE-OUT:"{$v}"
                # {$v}
                #EXTINF:6,{$v}
                #EXT-X-PART:DURATION={$v},URI="{$v"
                1/1{$v

                """)
    }

    @Test(arguments: [
        ("t", "b%20c%2b+%zz%4"), ("t", ""), ("T", "1"), ("a-b_9", "x"),
    ])
    func `a query parameter is found by its whole name and percent-decoded (rule 1204)`(name: String, value: String)
        throws
    {
        let list = try media("#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"\(name)\"\n#EXTINF:6,\n<{$\(name)}>\n")
        let bytes = try list.substitutingVariables(
            imported: .init(),
            uri: "https://h/\(name)=no?\(name)&x\(name)=no&\(name)x=no&\(name)=\(value)&\(name)=later#\(name)=no")
        #expect(text(bytes).hasSuffix("\n<\(value.replacing("%20", with: " ").replacing("%2b", with: "+"))>\n"))
    }

    /// The playlist, and the rule, the code and the line of what is wrong.
    static let faults: [(String, Int, PlaylistError.Code, Int)] = [
        ("#EXT-X-DEFINE:VALUE=\"x\"\n", 1201, .invalidDefinition, 2),
        ("#EXT-X-DEFINE:NAME=\"a\"\n", 1201, .invalidDefinition, 2),
        ("#EXT-X-DEFINE:NAME=\"a\",VALUE=\"x\",IMPORT=\"b\"\n", 1201, .invalidDefinition, 2),
        ("#EXT-X-DEFINE:IMPORT=\"i\",QUERYPARAM=\"q\"\n", 1201, .invalidDefinition, 2),
        (
            "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"x\"\n#EXT-X-DEFINE:QUERYPARAM=\"q\"\n#EXT-X-DEFINE:NAME=\"q\",VALUE=\"x\"\n",
            1202, .duplicateDefinition, 4
        ),
        ("#EXTINF:6,\n{$a}\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"x\"\n", 1203, .undefinedVariable, 3),
        (
            "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"{$b}\"\n#EXT-X-DEFINE:NAME=\"b\",VALUE=\"x\"\n", 1203, .undefinedVariable,
            2
        ),
        ("#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x{$n}\n", 1203, .undefinedVariable, 2),
        ("#EXT-X-DEFINE:NAME=\"a b\",VALUE=\"x\"\n", 1204, .invalidDefinition, 2),
        ("#EXT-X-DEFINE:NAME=\"\",VALUE=\"x\"\n", 1204, .invalidDefinition, 2),
        ("#EXT-X-DEFINE:IMPORT=\"a\"\n", 1204, .undefinedVariable, 2),
        ("#EXT-X-DEFINE:QUERYPARAM=\"a\"\n", 1204, .undefinedVariable, 2),
        ("#EXT-X-DEFINE:QUERYPARAM=\"none\"\n", 1204, .undefinedVariable, 2),
        ("#EXT-X-DEFINE:QUERYPARAM=\"lf\"\n", 1204, .invalidDefinition, 2),
        ("#EXT-X-DEFINE:QUERYPARAM=\"quote\"\n", 1204, .invalidDefinition, 2),
    ]

    @Test(arguments: faults.indices)
    func `what strict players refuse is an error with its line (rules 1201-1204)`(index: Int) throws {
        let (lines, rule, code, line) = Self.faults[index]
        let list = try media("#EXTM3U\n" + lines)
        let imported = PlaylistVariables(["i": "x"])
        let uri = "https://h/x?b=1&q=2&none&lf=a%0A%23EXT-X-ENDLIST&quote=%22"
        let faults = list.variableFaults(imported: imported, uri: uri)
        #expect(faults.map(\.rule) == [rule])
        #expect(faults.map(\.error) == [PlaylistError(code, line: line, detail: "")])
        #expect(faults.first?.error.line == line)
        let error = #expect(throws: PlaylistError.self) {
            try list.substitutingVariables(imported: imported, uri: uri)
        }
        #expect(error?.code == code)
        #expect(error?.line == line)
    }

    @Test func `nothing is imported into a multivariant playlist (rule 1204)`() throws {
        let main = try multivariant(
            "#EXTM3U\n#EXT-X-DEFINE:IMPORT=\"a\"\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n")
        #expect(main.variableFaults(uri: "").map(\.rule) == [1204])
        #expect(throws: PlaylistError(.invalidDefinition, line: 2, detail: "")) {
            try main.substitutingVariables(uri: "")
        }
        #expect(main.variableDefinitions.map(\.origin) == [.imported])
    }

    @Test func `what can be resolved is, in a playlist that strict players refuse (rules 1202, 1203)`() throws {
        let list = try media(
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"1\"\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"2\"\n"
                + "#EXT-X-DEFINE:IMPORT=\"b\"\n#EXTINF:6,\n{$a}{$b}\n")
        let plain = list.plain(importing: .init(), uri: "")
        #expect(text(plain.source) == "#EXTM3U\n#EXTINF:6,\n1{$b}\n")
        let main = try multivariant(
            "#EXTM3U\n#EXT-X-DEFINE:QUERYPARAM=\"x\"\n#EXT-X-DEFINE:NAME=\"y\",VALUE=\"1\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1\n{$x}{$y}\n")
        let (playlist, variables) = main.plain(uri: "https://h/")
        #expect(playlist.variants.first?.uri == "{$x}1")
        #expect(variables == PlaylistVariables(["y": "1"]))
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
        #expect(playlist.plain(importing: .init(), uri: "").source == playlist.source)
        let many = try media("#EXTM3U\n" + String(repeating: "#EXT-X-DEFINE:A=1\n", count: 1_000))
        #expect(many.variableFaults(imported: .init(), uri: "").count == 256)
    }

    @Test(arguments: [
        // Of one line and of one value with each reference, of all values together.
        "#EXTINF:6,\n" + String(repeating: "{$a}", count: 1_000_000) + "\n",
        "#EXT-X-DEFINE:NAME=\"b\",VALUE=\"" + String(repeating: "{$a}", count: 1_000_000) + "\"\n",
        (0..<1_000).reduce(into: "") { $0 += "#EXT-X-DEFINE:NAME=\"b\($1)\",VALUE=\"{$a}\"\n" },
    ])
    func `a long value that is named often does not outgrow memory`(_ lines: String) throws {
        let value = String(repeating: "x", count: 60_000)
        let playlist = try media("#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\(value)\"\n" + lines)
        #expect(throws: PlaylistError(.tooLarge, line: 0, detail: "")) {
            try playlist.substitutingVariables(imported: .init(), uri: "")
        }
    }
}
