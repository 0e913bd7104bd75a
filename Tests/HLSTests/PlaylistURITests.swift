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
}
