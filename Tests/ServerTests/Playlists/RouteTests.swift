import Stitching
import Testing

@testable import Server

struct RouteTests {
    private let news = SourceID(kind: .live, name: "news")
    private let film = SourceID(kind: .vod, name: "film")

    private func route(_ segments: String..., streamID: String? = nil) throws -> Route {
        try Route(segments: segments, streamID: streamID)
    }

    @Test func `the stream ID stands in the query or in the path`() throws {
        let id = try #require(StreamID("uuid:LOC"))
        #expect(try route("live", "news", "master.m3u8", streamID: "uuid:LOC") == .multivariant(news, id))
        #expect(try route("live", "news", "uuid:LOC", "master.m3u8") == .multivariant(news, id))
        #expect(try route("vod", "film", "master.m3u8") == .multivariant(film, nil))
    }

    @Test func `media playlists, ad segments and subtitle filler belong to a session`() throws {
        let key = SessionKey(source: film, streamID: try #require(StreamID("a")))
        #expect(try route("vod", "film", "a", "v0.m3u8") == .media(key, rendition: "v0"))
        #expect(try route("vod", "film", "a", "empty.vtt") == .emptySubtitles(film, timestamp: 0))
        #expect(try route("vod", "film", "a", "empty-900000.vtt") == .emptySubtitles(film, timestamp: 900_000))
        #expect(
            try route("vod", "film", "a", "sub", "s", "0-0-.vtt") == .subtitlePiece(key, path: ["s", "0-0-.vtt"]))
        #expect(try route("vod", "film", "a", "ad", "b", "0", "1") == .adSegment(key, path: ["b", "0", "1"]))
    }

    @Test func `session and tracking addresses are those of MediaTailor's players`() throws {
        #expect(try route("v1", "session", "news") == .sessionStart(name: "news"))
        let id = try #require(StreamID("x"))
        let key = SessionKey(source: news, streamID: id)
        #expect(try route("v1", "tracking", "live", "news", "x") == .tracking(key))
        #expect(try route("v1", "tracking", "x") == .trackingOf(id))
        #expect(
            try route("v1", "beacon", "live", "news", "x", "b/7", "0", "3")
                == .relay(key, RelayedEvent(breakID: BreakID("b/7"), ad: 0, event: 3)))
    }

    @Test(arguments: [
        [], ["live"], ["live", "news"], ["live", "news", "x"], ["live", "news", "x", "seg.ts"],
        ["nope", "a", "master.m3u8"], ["vod", "film", "a", "empty-8589934592.vtt"],
        ["vod", "film", "a", "empty--1.vtt"],
        ["live", "news", "x", "y", "z"], ["v1"], ["v1", "session"], ["v2", "session", "x"],
        ["v1", "tracking", "x", "y"], ["v1", "tracking", "radio", "news", "x"],
        ["v1", "beacon", "live", "news", "x", "b", "0"], ["v1", "beacon", "live", "news", "x", "b", "-1", "0"],
        ["v1", "beacon", "live", "news", "x", "b", "0", "first"],
    ])
    func `what is no route is unknown`(segments: [String]) {
        #expect(throws: Route.Failure.unknown) { try Route(segments: segments, streamID: nil) }
    }

    @Test(arguments: ["", "..", ".", "a\u{7}b"])
    func `what cannot be a stream ID is said to be so`(text: String) {
        #expect(throws: Route.Failure.badStreamID) {
            try Route(segments: ["live", "news", "master.m3u8"], streamID: text)
        }
        #expect(throws: Route.Failure.badStreamID) {
            try Route(segments: ["live", "news", text, "v0.m3u8"], streamID: nil)
        }
    }
}
