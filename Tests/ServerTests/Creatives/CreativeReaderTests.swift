import HLS
import Stitching
import Testing

@testable import Server

@Suite struct CreativeReaderTests {
    private func read(_ segments: String, beginning: [UInt8]? = nil) async -> Result<AdMedia, CreativeFailure> {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n\(segments)#EXT-X-ENDLIST\n"
        let reader = CreativeReader(
            fetch: { .body(Array(text.utf8), finalURL: $0, etag: nil, lastModified: nil) },
            beginning: { url, offset in url == "http://ads.example/a/s0.ts" && offset == 0 ? beginning : nil })
        return await reader.media(at: "http://ads.example/a/index.m3u8")
    }

    private func packet(pid: UInt8, _ section: [UInt8]) -> [UInt8] {
        let bytes: [UInt8] = [0x47, 0x40, pid, 0x10, 0] + section + [0, 0, 0, 0]
        return bytes + [UInt8](repeating: 0xFF, count: 188 - bytes.count)
    }

    @Test func `codecs that no playlist says are read from the first segment (rule 1110)`() async throws {
        let hevcAlone =
            packet(pid: 0, [0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xE0, 0x20])
            + packet(pid: 0x20, [2, 0xB0, 18, 0, 1, 0xC1, 0, 0, 0xE1, 0, 0xF0, 0, 0x24, 0xE1, 0, 0xF0, 0])
        let media = try await read("#EXTINF:2,\ns0.ts\n", beginning: hevcAlone).get()
        #expect(media.renditions.map(\.description.codecs) == [["hvc1"]])
        let unread = try await read("#EXTINF:2,\ns0.ts\n").get()
        #expect(unread.renditions.map(\.description.codecs) == [[]])
        // An encrypted segment tells nothing.
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n"
        let encrypted = try await read("\(key)#EXTINF:2,\ns0.ts\n", beginning: hevcAlone).get()
        #expect(encrypted.renditions.map(\.description.codecs) == [[]])
    }

    @Test func `media whose segments are not at HTTP addresses is not used`() async {
        for address in ["file:///etc/passwd", "javascript:alert(1)", "data:,x"] {
            let result = await read("#EXTINF:2,\ns0.ts\n#EXTINF:2,\n\(address)\n")
            #expect(throws: CreativeFailure.unusable("a segment's address is not HTTP")) { try result.get() }
        }
    }

    @Test func `an ad of nothing but crumbs is not used`() async throws {
        let crumbs = await read(String(repeating: "#EXTINF:0.1,\ns.ts\n", count: 100))
        #expect(throws: CreativeFailure.self) { try crumbs.get() }
        let short = try await read(String(repeating: "#EXTINF:0.4,\ns.ts\n", count: 150)).get()
        #expect(short.renditions.first?.entries.count == 150)
    }

    @Test func `a playlist of far too many segments is not used`() async {
        let result = await read(String(repeating: "#EXTINF:0.001,\ns.ts\n", count: 5_001))
        #expect(throws: CreativeFailure.unusable("rendition v0 has more than 5000 segments")) { try result.get() }
    }
}
