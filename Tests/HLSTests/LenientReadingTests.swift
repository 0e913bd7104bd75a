import Testing

@testable import HLS

/// What origins get wrong and players bear: section 5 of the rules.
@Suite struct LenientReadingTests {
    static let head = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n"

    @Test(arguments: [
        ("\u{FEFF}\(head)#EXTINF:6,\na.ts\n", 102, 1),
        ("# a comment\n\(head)#EXTINF:6,\na.ts\n", 103, 1),
        ("#EXT-X-TARGETDURATION:6\n#EXT-X-VERSION:6\n#EXTINF:6,\na.ts\n", 103, 1),
        (
            "\(head)#EXT-X-KEY:METHOD=AES-128, URI=\"k\",IV=0x00000000000000000000000000000001\n#EXTINF:6,\na.ts\n",
            104, 4
        ),
        ("\(head) #EXTINF:6,\na.ts\n", 104, 4),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n", 201, 1),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:5.5,\na.ts\n", 305, 3),
        ("\(head)#EXTINF:6\na.ts\n", 304, 4),
        ("\(head)#EXTINF:;junk,\na.ts\n", 304, 4),
        ("\(head)#EXTINF:-1,\na.ts\n", 304, 4),
        ("\(head)#EXTINF:6,\na.ts\nstray.ts\n", 304, 6),
        ("\(head)#EXTINF:6,a\tb\na.ts\n", 102, 4),
        ("\(head)#EXTM3U\n#EXTINF:6,\na.ts\n", 107, 4),
        ("\(head)#EXT-X-TARGETDURATION:9\n#EXTINF:6,\na.ts\n", 107, 4),
        ("\(head)#EXTINF:6.5,\na.ts\n", 303, 4),
        ("\(head)#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\"\n#EXTINF:6,\na.ts\n", 812, 4),
        ("\(head)#EXT-X-DATERANGE:ID=\"a\",SCTE35-OUT=\"0xFC\"\n#EXTINF:6,\na.ts\n", 817, 4),
        ("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-MAP:URI=\"i\"\n#EXTINF:6,\na.ts\n", 202, 4),
        ("\(head)#EXT-X-KEY:METHOD=AES-128,URI=\"k\",IV=0x1\n#EXTINF:6,\na.ts\n", 604, 4),
        ("\(head)#EXT-X-PART:DURATION=1,URI=\"p\",BYTERANGE=1@2\n#EXTINF:6,\na.ts\n", 106, 4),
        ("\(head)#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:6,\na.ts\n", 902, 6),
        ("\(head)#EXT-X-PLAYLIST-TYPE:asdf\n#EXTINF:6,\na.ts\n", 901, 4),
        ("\(head)#EXT-X-MEDIA-SEQUENCE:asdf\n#EXTINF:6,\na.ts\n", 402, 4),
        ("\(head)#EXTINF:6,\na.ts\n#EXT-X-MEDIA-SEQUENCE:7\n", 401, 6),
        ("\(head)#EXT-X-PROGRAM-DATE-TIME:soon\n#EXTINF:6,\na.ts\n", 801, 4),
        ("\(head)#EXT-X-MAP:BYTERANGE=\"1@0\"\n#EXTINF:6,\na.ts\n", 701, 4),
        ("\(head)#EXT-X-START:PRECISE=YES\n#EXTINF:6,\na.ts\n", 111, 4),
        ("\(head)#EXT-X-STREAM-INF:BANDWIDTH=1\n#EXTINF:6,\na.ts\n", 108, 4),
        ("\(head)#EXT-X-DISCONTINUITY\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\na.ts\n", 506, 5),
        ("#EXTM3U\n#EXTINF:6,\na.ts\n", 301, 1),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:6.006\n#EXTINF:6,\na.ts\n", 302, 2),
    ])
    func `an odd playlist is read, with a finding of rule and line, and written back as it came`(
        source: String, rule: Int, line: Int
    ) throws {
        let playlist = try media(source)
        #expect(playlist.lint().contains { $0.rule == rule && $0.line == line }, "\(playlist.lint())")
        #expect(playlist.segments.count == 1)
        #expect(playlist.uri(0) == "a.ts")
        #expect(text(playlist.serialized()) == source)
    }

    @Test func `CR LF and a missing last newline are read and kept`() throws {
        let source =
            "#EXTM3U\r\n#EXT-X-VERSION:3\r\n#EXT-X-TARGETDURATION:6\r\n#EXTINF:5.5,x\r\na.ts\r\n#EXTINF:6,\r\nb.ts"
        let playlist = try media(source)
        #expect(playlist.lint().isEmpty)
        #expect(playlist.segments.count == 2)
        #expect(playlist.uri(0) == "a.ts")
        #expect(playlist.uri(1) == "b.ts")
        #expect(playlist.text(playlist.segments[0].title) == "x")
        #expect(text(playlist.serialized()) == source)
    }

    @Test func `a target duration with a fraction is rounded up`() throws {
        #expect(try media("#EXTM3U\n#EXT-X-TARGETDURATION:6.006\n#EXTINF:6,\na.ts\n").targetDuration == 7)
    }

    @Test func `a URI without EXTINF makes no segment, so that numbers stay those of players`() throws {
        let playlist = try media("\(Self.head)stray.ts\n#EXTINF:6,\na.ts\n#EXTINF:6,\nb.ts\n")
        #expect(playlist.segments.map(\.number) == [0, 1])
        #expect(playlist.uri(0) == "a.ts")
        #expect(playlist.lines(ofSegmentAt: 0).map(\.kind) == [.uri, .segmentDuration, .uri])
    }

    @Test func `of a tag that is there twice the first holds (rule 107)`() throws {
        let playlist = try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:5\n#EXTINF:6,\na.ts\n"
                + "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:6,\nb.ts\n")
        #expect(playlist.targetDuration == 6)
        #expect(playlist.segments.map(\.number) == [5, 6])
        #expect(playlist.segments[1].contents.contains(.misplaced))
    }

    @Test func `ENDLIST counts wherever it stands`() throws {
        let playlist = try media("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-ENDLIST\n#EXTINF:6,\na.ts\n")
        #expect(playlist.hasEndList)
        #expect(playlist.segments.count == 1)
    }

    @Test(arguments: [
        ("", PlaylistError.Code.empty, 1), ("\n \r\n\n", .empty, 1), ("\u{FEFF}", .empty, 1),
        ("\n<!DOCTYPE html>\n<html></html>", .webPage, 2), ("Not Found\n", .notAPlaylist, 1),
        ("# hello\n", .notAPlaylist, 1),
        ("{\"error\":1}", .notAPlaylist, 1), ("\u{0}\u{1}\u{2}", .notAPlaylist, 1),
        ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:99999999999999999999\n", .numberOverflow, 2),
        ("#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:9223372036854775807\n", .numberOverflow, 2),
        ("#EXTM3U\n#EXTINF:99999999999999999999,\na\n", .numberOverflow, 2),
        ("#EXTM3U\n#EXTINF:1000000000.0,\na\n", .numberOverflow, 2),
        ("#EXTM3U\n#EXT-X-BYTERANGE:9223372036854775807@9223372036854775807\n#EXTINF:1,\na\n", .numberOverflow, 4),
        ("#EXTM3U\n#EXT-X-SKIP:SKIPPED-SEGMENTS=99999999999\n", .numberOverflow, 2),
    ])
    func `what cannot be read is an error with code and line`(source: String, code: PlaylistError.Code, line: Int) {
        do {
            _ = try Playlist(parsing: Array(source.utf8))
            Issue.record("was read")
        } catch {
            #expect(error.code == code)
            #expect(error.line == line)
        }
    }
}
