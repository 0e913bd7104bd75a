import HLS
import Testing

@testable import Stitching

/// Parts of subtitle files that a joint cuts (rule 1115).
struct WebVTTDocumentTests {
    private static let film = """
        WEBVTT - film
        X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

        STYLE
        ::cue { color: lime }

        one
        00:05.000 --> 00:09.500 align:start
        <i>first</i>
        second line

        00:00:17.000 --> 00:00:21.000
        over the joint

        NOTE nothing

        01:00:00.250 --> 01:00:02.000
        late

        """

    private func document(_ text: String = film) throws -> WebVTTDocument {
        try #require(WebVTTDocument(Array(text.utf8)))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a first cue right behind the header, without a blank line, is no part of it`() throws {
        let map = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n"
        let dense = try document("\(map)00:05.000 --> 00:09.000\none\n\n00:17.000 --> 00:20.000\ntwo\n")
        #expect(text(dense.part(from: .seconds(10), to: nil)) == "\(map)\n00:00:17.000 --> 00:00:20.000\ntwo\n\n")
        #expect(text(dense.part(from: nil, to: .seconds(10))) == "\(map)\n00:00:05.000 --> 00:00:09.000\none\n\n")
        let plain = try document("WEBVTT\n00:05.000 --> 00:09.000\none\n")
        #expect(
            text(plain.part(from: nil, to: nil))
                == "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n00:00:05.000 --> 00:00:09.000\none\n\n")
    }

    @Test
    func
        `a part has the header, the styles and the cues of its time; one over the joint is on both sides, to the joint`()
        throws
    {
        let film = try document()
        #expect(
            text(film.part(from: nil, to: .seconds(18))) == """
                WEBVTT - film
                X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000

                STYLE
                ::cue { color: lime }

                one
                00:00:05.000 --> 00:00:09.500 align:start
                <i>first</i>
                second line

                00:00:17.000 --> 00:00:18.000
                over the joint


                """)
        let rest = text(film.part(from: .seconds(18), to: nil))
        #expect(rest.contains("00:00:18.000 --> 00:00:21.000\nover the joint\n\n01:00:00.250 --> 01:00:02.000\nlate\n"))
        #expect(!rest.contains("first") && rest.hasPrefix("WEBVTT - film\nX-TIMESTAMP-MAP="))
    }

    @Test(arguments: ["\r\n", "\r", "\n"])
    func `lines may end as they like`(end: String) throws {
        let film = try document(
            Self.film.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: end))
        let part = text(film.part(from: .seconds(60), to: nil))
        #expect(part.contains("01:00:00.250 --> 01:00:02.000\nlate"))
        #expect(film.mapTimestamp == 900_000)
    }

    @Test func `a file without a map gets the map that it has by the standard (R49)`() throws {
        let part = try document("WEBVTT\n\n00:01.000 --> 00:02.000\nx\n").part(from: nil, to: .seconds(5))
        #expect(
            text(part)
                == "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n00:00:01.000 --> 00:00:02.000\nx\n\n")
        let empty = try document("WEBVTT").part(from: nil, to: nil)
        #expect(text(empty) == "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n")
    }

    @Test func `the media tell where a time lies in the file`() throws {
        let film = try document()
        // The media begin ten seconds in, as the map says: the file's clock reads zero there.
        let piece = SubtitlePiece(number: 0, from: .seconds(10), to: .seconds(20))
        #expect(text(film.part(piece, startingAt: 900_000, expected: .zero)).contains("00:00:17.000 --> 00:00:20.000"))
        // They begin five seconds later on that clock.
        let late = text(film.part(piece, startingAt: 1_350_000, expected: .zero))
        #expect(late.contains("00:00:17.000 --> 00:00:21.000") && !late.contains("first"))
        // Without them the clock is taken to begin with the title.
        #expect(text(film.part(piece, startingAt: nil, expected: .zero)).contains("00:00:17.000 --> 00:00:20.000"))
    }

    @Test func `media time that began anew is told apart by the title's`() throws {
        let film = try document(
            "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n30:00:00.000 --> 30:00:05.000\nsecond day\n")
        let day = Int64(30 * 3600) * 90_000 & (MediaTimestamps.period - 1)
        let piece = SubtitlePiece(number: 4, from: .zero, to: .seconds(3))
        let part = text(film.part(piece, startingAt: day, expected: .seconds(30 * 3600)))
        #expect(part.contains("30:00:00.000 --> 30:00:03.000\nsecond day"))
    }

    @Test func `cues in no order are found all the same, and what is no cue is none`() throws {
        let film = try document(
            "WEBVTT\n\n00:09.000 --> 00:10.000\nb\n\n00:01.000 --> 00:02.000\na\n\n99:99.000 --> 00:01.000\nno\n\n00:05.000\n"
        )
        let part = text(film.part(from: .zero, to: .seconds(3)))
        #expect(part.contains("\na\n") && !part.contains("\nb\n") && !part.contains("no"))
        #expect(WebVTTDocument(Array("{}".utf8)) == nil)
        #expect(WebVTTDocument([]) == nil)
    }

    @Test func `addresses of parts are read back, and no others`() {
        for piece in [
            SubtitlePiece(number: 7, from: .zero, to: .milliseconds(1_500)),
            SubtitlePiece(number: 0, from: .milliseconds(18_000), to: nil),
        ] { #expect(SubtitlePiece(number: piece.number, bounds: piece.bounds) == piece) }
        for bounds in ["", "-", "5", "5-5", "9-1", "a-b", "-1-2", "1-2-3", "99999999999999-"] {
            #expect(SubtitlePiece(number: 0, bounds: bounds) == nil, "\(bounds)")
        }
    }
}
