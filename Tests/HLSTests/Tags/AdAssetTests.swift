import Testing

@testable import HLS

@Suite struct AdAssetTests {
    @Test func `ids and pairs of an EXT-X-ASSET, percent escapes resolved`() throws {
        let line = "#EXT-X-ASSET:CAID=0x0000000020FB6501,GENRE=CV,Title=a%20b%2Cc, EPISODE=\"7\""
        guard case .asset(let asset)? = try AdSignalTests.markers(line).first else {
            Issue.record("no asset")
            return
        }
        #expect(asset.contentID == "0x0000000020FB6501")
        #expect(asset.contentIDBytes == [0, 0, 0, 0, 0x20, 0xFB, 0x65, 0x01])
        #expect(asset["title"] == "a b,c")
        #expect(asset.attributes["TITLE"] == "a%20b%2Cc")
        #expect(asset.pairs.map(\.name) == ["CAID", "GENRE", "Title", "EPISODE"])
        #expect(asset.pairs.map(\.value) == ["0x0000000020FB6501", "CV", "a b,c", "7"])
        #expect(asset["none"] == nil)
    }
}
