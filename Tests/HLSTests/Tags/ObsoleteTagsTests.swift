import Testing

@testable import HLS

@Suite struct ObsoleteTagsTests {
    @Test func `EXT-X-ALLOW-CACHE and PROGRAM-ID are read and kept (rule 204)`() throws {
        let source = "#EXTM3U\n#EXT-X-ALLOW-CACHE:NO\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na\n"
        let playlist = try media(source)
        #expect(playlist.allowsCache == false)
        #expect(playlist.headerLines.map(\.kind.isObsolete) == [false, true, false])
        #expect(text(playlist.serialized()) == source)
        #expect(try media("#EXTM3U\n#EXTINF:6,\na\n#EXT-X-ALLOW-CACHE:YES\n").allowsCache == true)
        #expect(try media("#EXTM3U\n#EXT-X-ALLOW-CACHE:MAYBE\n").allowsCache == nil)
        #expect(try media("#EXTM3U\n").allowsCache == nil)
        let main = try multivariant("#EXTM3U\n#EXT-X-STREAM-INF:PROGRAM-ID=1,BANDWIDTH=1\nv\n")
        #expect(main.variants.first?.programID == 1)
    }

    @Test func `an I-frame playlist has its ranges and lengths (§4.4.3.6)`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-VERSION:4
            #EXT-X-TARGETDURATION:5
            #EXT-X-I-FRAMES-ONLY
            #EXT-X-PLAYLIST-TYPE:VOD
            #EXT-X-BYTERANGE:9400@376
            #EXTINF:4.12,
            a.ts
            #EXT-X-BYTERANGE:7144@47000
            #EXTINF:3.56,
            a.ts
            #EXT-X-ENDLIST

            """)
        #expect(playlist.isIFramesOnly)
        #expect(playlist.requiredVersion.version == 4)
        #expect(
            playlist.segments.map(\.byteRange) == [
                ByteRange(offset: 376, length: 9_400), ByteRange(offset: 47_000, length: 7_144),
            ])
        #expect(Timeline(playlist).duration == .milliseconds(7_680))
    }
}
