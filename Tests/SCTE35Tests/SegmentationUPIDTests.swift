import Testing

@testable import SCTE35

struct SegmentationUPIDTests {
    private func upid(_ kind: SegmentationUPID.Kind, hex: String) throws -> SegmentationUPID {
        SegmentationUPID(kind: kind, bytes: try SpliceText.bytes("0x" + hex))
    }

    @Test func `an EIDR is spelled with its check character`() throws {
        let upid = try upid(.eidr, hex: "14780E4F892E442F6BD415B0")
        #expect(upid.text == "10.5240/0E4F-892E-442F-6BD4-15B0-1")
    }

    @Test func `an EIDR of a video service is short`() throws {
        #expect(try upid(.eidr, hex: "1477C370DCA5000000000000").text == "10.5239/C370-DCA5")
    }

    @Test func `an ISAN with version is spelled with both check characters`() throws {
        let text = try upid(.isan, hex: "00000000D07A0090" + "00000000").text
        #expect(text == "0000-0000-D07A-0090-Q-0000-0000-X")
    }

    @Test func `numbers have their usual spelling`() throws {
        #expect(try upid(.isan64, hex: "00000001 2C520000").text == "0000-0001-2C52-0000")
        #expect(try upid(.airingID, hex: "0A42235B81BC70FC").text == "0x0a42235b81bc70fc")
        #expect(
            try upid(.uuid, hex: "CB0350A0AE6F4A5C9D1A3B6C9E0F1122").text == "cb0350a0-ae6f-4a5c-9d1a-3b6c9e0f1122")
        #expect(
            try upid(.umid, hex: "060A2B340101010501010D2013000000D2C9036C8F195343AB7014D2D718BFDA").text
                == "060A2B34.01010105.01010D20.13000000.D2C9036C.8F195343.AB7014D2.D718BFDA")
    }

    @Test(arguments: [
        SegmentationUPID.Kind.userDefined, .isci, .adID, .tid, .adi, .adsInformation, .uri, .scr,
    ])
    func `characters are shown as they are, binary as hexadecimal`(kind: SegmentationUPID.Kind) {
        #expect(SegmentationUPID(kind: kind, bytes: Array("SIGNAL:ä/1".utf8)).text == "SIGNAL:ä/1")
        #expect(SegmentationUPID(kind: kind, bytes: [0x41, 0x00]).text == "0x4100")
        #expect(SegmentationUPID(kind: kind, bytes: [0x41, 0xFF]).text == "0x41ff")
    }

    @Test func `managed private data names its owner`() {
        let upid = SegmentationUPID(kind: .mpu, bytes: Array("GOOG{}".utf8))
        #expect(upid.value == .managedPrivate(FormatIdentifier(rawValue: 0x474F_4F47), Array("{}".utf8)))
        #expect(SegmentationUPID(kind: .mpu, bytes: [1, 2, 3]).value == .other([1, 2, 3]))
    }

    @Test func `an ATSC content identifier is taken apart`() throws {
        guard case .atsc(let content) = try upid(.atsc, hex: "1234EA0A41").value else {
            Issue.record("no ATSC content identifier")
            return
        }
        #expect(content.transportStreamID == 0x1234)
        #expect(content.endOfDay == 0b10101 && content.uniqueFor == 10)
        #expect(content.contentID == [0x41])
    }

    @Test func `a MID holds several, also another MID`() throws {
        let adID = SegmentationUPID(kind: .adID, bytes: Array("ABCD1234567H".utf8))
        let airing = try upid(.airingID, hex: "000000002E538481")
        let inner = try SegmentationUPID(multiple: [adID, airing])
        let outer = try SegmentationUPID(multiple: [inner, adID])
        #expect(outer.value == .multiple([inner, adID]))
        #expect(outer.flattened == [adID, airing, adID])
        #expect(outer.text == "ABCD1234567H,0x000000002e538481,ABCD1234567H")
    }

    @Test func `a MID nested as deep as its bytes allow is read without harm`() throws {
        var upid = SegmentationUPID(kind: .uri, bytes: [])
        for _ in 0..<127 { upid = try SegmentationUPID(multiple: [upid]) }
        #expect(upid.bytes.count == 254)
        #expect(upid.flattened.count == 1)
        #expect(upid.text == "")
    }

    @Test func `a MID that doesn't add up is kept as bytes`() {
        let upid = SegmentationUPID(kind: .mid, bytes: [9, 200, 1])
        #expect(upid.value == .other([9, 200, 1]))
        #expect(upid.flattened == [upid])
    }

    @Test func `a reserved type is shown as hexadecimal and has no name`() {
        let upid = SegmentationUPID(kind: SegmentationUPID.Kind(rawValue: 0x77), bytes: [0xAB])
        #expect(upid.text == "0xab")
        #expect(upid.kind.name == nil)
        #expect(SegmentationUPID.Kind.scr.name == "SCR")
        #expect(SegmentationUPID.none.text == "" && SegmentationUPID.none.value == .none)
    }

    @Test(arguments: 0...17)
    func `bytes of a wrong length are kept as they are`(type: UInt8) {
        for count in 0...34 {
            let upid = SegmentationUPID(
                kind: SegmentationUPID.Kind(rawValue: type), bytes: Array(repeating: 0x80, count: count))
            #expect(upid.text.isEmpty == (count == 0))
        }
    }
}
