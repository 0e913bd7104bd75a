import Testing

@testable import HLS

@Suite struct EncryptionKeyTests {
    private func key(_ attributes: String) throws -> (EncryptionKey, [UInt8]) {
        let playlist = try media("#EXTM3U\n#EXT-X-KEY:\(attributes)\n#EXTINF:6,\na\n")
        return (try #require(playlist.keyGroups[playlist.segments[0].keyGroup].keys.first), playlist.source)
    }

    @Test func `the attributes of a key are typed, with their defaults (rules 601-604)`() throws {
        let (key, source) = try key(
            "METHOD=SAMPLE-AES,URI=\"skd://k?a=1,2\",IV=0x000102030405060708090A0B0C0D0E0F,KEYFORMAT=\"com.x\",KEYFORMATVERSIONS=\"1/2/x/0/ 5\""
        )
        #expect(key.method == .sampleAES)
        #expect(key.uri(in: source) == "skd://k?a=1,2")
        #expect(key.keyFormat(in: source) == "com.x")
        #expect(key.keyFormatVersions(in: source) == [1, 2, 5])
        #expect(key.initializationVector(in: source)?.bytes == Array(0...15))
        #expect(key.initializationVector(in: source)?.text == "0x000102030405060708090A0B0C0D0E0F")
        let (bare, bareSource) = try self.key("METHOD=AES-128,URI=\"k\"")
        #expect(bare.keyFormat(in: bareSource) == "identity")
        #expect(bare.keyFormatVersions(in: bareSource) == [1])
        #expect(bare.initializationVector(in: bareSource) == nil)
    }

    @Test func `without IV it is the segment's number, in the identity format (rule 605)`() throws {
        let number = InitializationVector(mediaSequence: 7_794)
        #expect(number.text == "0x00000000000000000000000000001E72")
        for (attributes, isNumber) in [
            ("METHOD=AES-128,URI=\"k\"", true), ("METHOD=SAMPLE-AES,URI=\"k\",KEYFORMAT=\"identity\"", true),
            ("METHOD=SAMPLE-AES,URI=\"k\",KEYFORMAT=\"com.x\"", false), ("METHOD=AES-256-GCM,URI=\"k\"", false),
            ("METHOD=SAMPLE-AES-CTR,URI=\"k\"", false), ("METHOD=NEW,URI=\"k\"", false),
        ] {
            let (key, source) = try key(attributes)
            #expect(key.initializationVector(ofSegment: 7_794, in: source) == (isNumber ? number : nil))
        }
        let (explicit, source) = try key("METHOD=AES-128,URI=\"k\",IV=0x1f")
        #expect(explicit.initializationVector(ofSegment: 7_794, in: source) == InitializationVector(mediaSequence: 31))
    }

    @Test func `IVs with few digits are filled up, and with too many refused`() {
        #expect(InitializationVector([1, 0])?.text == "0x" + String(repeating: "0", count: 29) + "100")
        #expect(InitializationVector([])?.bytes == [UInt8](repeating: 0, count: 16))
        #expect(InitializationVector([UInt8](repeating: 255, count: 16))?.bytes == [UInt8](repeating: 255, count: 16))
        #expect(InitializationVector([0] + [UInt8](repeating: 255, count: 16)) != nil)
        #expect(InitializationVector([UInt8](repeating: 1, count: 17)) == nil)
        #expect(InitializationVector(mediaSequence: .max).text == "0x00000000000000007FFFFFFFFFFFFFFF")
    }

    @Test func `each segment has the IV of its key of the identity format (rule 605)`() throws {
        let playlist = try media(
            """
            #EXTM3U
            #EXT-X-TARGETDURATION:6
            #EXT-X-MEDIA-SEQUENCE:10
            #EXTINF:6,
            clear.ts
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://k",KEYFORMAT="com.x"
            #EXTINF:6,
            a.ts
            #EXT-X-KEY:METHOD=AES-128,URI="k"
            #EXTINF:6,
            b.ts
            #EXTINF:6,
            c.ts
            #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0xFF
            #EXTINF:6,
            d.ts

            """)
        let vectors = (-1..<6).map { playlist.initializationVector(ofSegmentAt: $0) }
        #expect(
            vectors == [
                nil, nil, nil, InitializationVector(mediaSequence: 12), InitializationVector(mediaSequence: 13),
                InitializationVector(mediaSequence: 255), nil,
            ])
    }
}
