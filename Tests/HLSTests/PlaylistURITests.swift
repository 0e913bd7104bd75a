import Testing

@testable import HLS

@Suite struct PlaylistURITests {
    static let source = """
        #EXTM3U
        #EXT-X-TARGETDURATION:4
        #EXT-X-MAP:URI="init.mp4",BYTERANGE="10@0"
        #EXT-X-KEY:METHOD=AES-128,URI="../k?a=%2F",IV=0x00000000000000000000000000000001
        #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"
        #EXT-X-DATERANGE:ID="a",X-ASSET-URI="asset.m3u8",X-ASSET-LIST="/list?x",X-URI="p",X-OTHER="kept"
        #EXTINF:4,
        a.ts?b=../c
        #EXTINF:4,\u{20}
          //cdn/b.ts\u{20}
        #EXT-X-PART:DURATION=1,URI="p1.mp4"
        #EXT-X-PRELOAD-HINT:TYPE=PART,URI="p2.mp4"
        #EXT-X-RENDITION-REPORT:URI="../audio.m3u8",LAST-MSN=1
        #EXT-X-KEY:METHOD=AES-128,URI=bare

        """

    @Test func `every URI becomes absolute, rendition reports stay, all else byte for byte (rules 1210, 1211, 1006)`()
        throws
    {
        let playlist = try media(Self.source)
        let expected = Self.source
            .replacing("\"init", with: "\"https://h/p/q/init").replacing("\"../k", with: "\"https://h/p/k")
            .replacing("\"asset", with: "\"https://h/p/q/asset").replacing("\"/list", with: "\"https://h/list")
            .replacing("X-URI=\"p\"", with: "X-URI=\"https://h/p/q/p\"").replacing(
                "\na.ts", with: "\nhttps://h/p/q/a.ts"
            )
            .replacing("//cdn", with: "https://cdn").replacing("\"p1", with: "\"https://h/p/q/p1")
            .replacing("\"p2", with: "\"https://h/p/q/p2").replacing("=bare", with: "=\"https://h/p/q/bare\"")
        let resolved = playlist.resolvingURIs(against: BaseURI("https://h/p/q/m.m3u8?t=1"))
        #expect(text(resolved) == expected)
        // Absolute URIs resolve to themselves.
        let again = try MediaPlaylist(parsing: resolved).resolvingURIs(against: BaseURI("https://other/"))
        #expect(again == resolved)
    }

    @Test func `single URIs and lines are replaced, the rest stays`() throws {
        let playlist = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI=\"i\",X=1\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n")
        var editor = PlaylistEditor(playlist)
        for uri in playlist.uris where uri.kind == .map { editor.replace(uri, with: "j") }
        for line in playlist.trailerLines where line.kind == .endList { editor.remove(line) }
        #expect(
            text(editor.applied()) == "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MAP:URI=\"j\",X=1\n#EXTINF:4,\na.ts\n")
    }

    /// Where rule 1210 says that URIs stand: a line with `<uri>` in each place.
    static let places: [(kind: TagKind, line: String)] = [
        (.uri, "<uri>"), (.map, "#EXT-X-MAP:URI=\"<uri>\",BYTERANGE=\"1@0\""),
        (.key, "#EXT-X-KEY:METHOD=AES-128,URI=\"<uri>\",IV=0x00000000000000000000000000000001"),
        (.part, "#EXT-X-PART:DURATION=1,URI=\"<uri>\""), (.preloadHint, "#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"<uri>\""),
        (.dateRange, "#EXT-X-DATERANGE:ID=\"a\",X-ASSET-LIST=\"<uri>\""),
        (.dateRange, "#EXT-X-DATERANGE:ID=\"a\",X-ASSET-URI=\"<uri>\""),
        (.dateRange, "#EXT-X-DATERANGE:ID=\"a\",CLASS=\"com.apple.hls.preload\",X-URI=\"<uri>\""),
        (.media, "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"n\",URI=\"<uri>\""),
        (.iFrameStreamInformation, "#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"<uri>\""),
        (.imageStreamInformation, "#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI=\"<uri>\""),
        (.sessionKey, "#EXT-X-SESSION-KEY:METHOD=AES-128,URI=\"<uri>\""),
        (.sessionData, "#EXT-X-SESSION-DATA:DATA-ID=\"d\",URI=\"<uri>\""),
        (.contentSteering, "#EXT-X-CONTENT-STEERING:SERVER-URI=\"<uri>\",PATHWAY-ID=\"p\""),
    ]

    /// References that differ in what is taken from the base, and those that pass as they are.
    static let references = [
        ("s.ts?sig=%2F+~%7e&x=../y", "https://cdn.test/a/b/s.ts?sig=%2F+~%7e&x=../y"),
        ("../s.ts", "https://cdn.test/a/s.ts"),
        ("/s.ts", "https://cdn.test/s.ts"), ("//other.test/s.ts", "https://other.test/s.ts"),
        ("?q=1", "https://cdn.test/a/b/list.m3u8?q=1"), ("http://other.test/a/../b", "http://other.test/a/../b"),
        ("data:text/plain,a%20b", "data:text/plain,a%20b"), ("skd://key-1/../x", "skd://key-1/../x"),
    ]

    @Test(arguments: places.indices)
    func `wherever a URI stands it is resolved against the playlist's own URI (rules 1210, 1211)`(place: Int) throws {
        let (kind, line) = Self.places[place]
        for (reference, target) in Self.references {
            let spelled = line.replacing("<uri>", with: reference)
            let head =
                kind.isMultivariantTag
                ? "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttps://h.test/v\n" : "#EXTM3U\n#EXTINF:1,\n"
            let source = Array((head + spelled + "\n").utf8)
            let base = BaseURI("https://cdn.test/a/b/list.m3u8?session=7#top")
            let (resolved, uris): ([UInt8], [PlaylistURI])
            switch try Playlist(parsing: source) {
            case .media(let playlist): (resolved, uris) = (playlist.resolvingURIs(against: base), playlist.uris)
            case .multivariant(let playlist): (resolved, uris) = (playlist.resolvingURIs(against: base), playlist.uris)
            }
            #expect(text(resolved) == head + line.replacing("<uri>", with: target) + "\n")
            #expect(uris.contains { $0.kind == kind && source.text(in: $0.range) == reference })
        }
    }

    @Test func `a variant's URI line is resolved, a rendition report is not (rules 1210, 1006)`() throws {
        let base = BaseURI("https://cdn.test/a/list.m3u8")
        let variants = try multivariant("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv/x.m3u8\n")
        #expect(text(variants.resolvingURIs(against: base)).hasSuffix("\nhttps://cdn.test/a/v/x.m3u8\n"))
        let report = "#EXTM3U\n#EXTINF:1,\nhttps://h.test/s\n#EXT-X-RENDITION-REPORT:URI=\"../audio.m3u8\",LAST-MSN=1\n"
        #expect(text(try media(report).resolvingURIs(against: base)) == report)
    }

    @Test func `comments, titles and other tags have no URIs`() throws {
        let source =
            "#EXTM3U\n#EXT-X-UNKNOWN:URI=\"u\"\n# URI=\"u\"\n#EXT-X-CUE-OUT:30,URI=\"u\"\n#EXTINF:1,URI=\"u\"\nhttps://h.test/s\n"
        let playlist = try media(source)
        #expect(playlist.uris.map(\.kind) == [.uri])
        #expect(text(playlist.resolvingURIs(against: BaseURI("https://cdn.test/"))) == source)
    }
}
