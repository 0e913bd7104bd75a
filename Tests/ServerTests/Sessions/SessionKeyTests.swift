import Testing

@testable import Server

struct SessionKeyTests {
    @Test func `any printable text is a stream ID, also with a colon`() {
        #expect(
            StreamID("6f1c3a52-8e7b-4a43-9f0d-2b1d7a3c9e10:DLS")?.text == "6f1c3a52-8e7b-4a43-9f0d-2b1d7a3c9e10:DLS")
        #expect(StreamID("grüße aus köln") != nil)
        #expect(StreamID("a/b?c") != nil)
    }

    @Test func `an empty, overlong, controlling or path-like stream ID is refused`() {
        for text in ["", ".", "..", "a\u{0}b", "a\nb", String(repeating: "x", count: 257)] {
            #expect(StreamID(text) == nil, "\(text.debugDescription)")
        }
        #expect(StreamID(String(repeating: "x", count: 256)) != nil)
    }

    @Test func `a stream ID is escaped so that its colon begins no scheme`() {
        #expect(StreamID("uuid:LOC/ü")?.escaped == "uuid%3ALOC%2F%C3%BC")
    }

    @Test func `random stream IDs have the form of a UUID of version 4 and differ`() {
        var generator = SystemRandomNumberGenerator()
        let first = StreamID.random(using: &generator)
        let second = StreamID.random(using: &generator)
        #expect(first != second)
        #expect(first.text.utf8.count == 36)
        let parts = first.text.split(separator: "-")
        #expect(parts.map(\.count) == [8, 4, 4, 4, 12])
        #expect(parts[2].first == "4")
        #expect("89ab".contains(parts[3].first ?? "x"))
    }

    @Test func `a session's public name tells sources and viewers apart and shows no stream ID`() throws {
        let id = try #require(StreamID("secret-token"))
        let live = SessionKey(source: SourceID(kind: .live, name: "news"), streamID: id)
        let vod = SessionKey(source: SourceID(kind: .vod, name: "news"), streamID: id)
        #expect(live.publicName != vod.publicName)
        #expect(!live.publicName.contains("secret"))
        #expect(live.publicName.utf8.count == 16)
    }
}
