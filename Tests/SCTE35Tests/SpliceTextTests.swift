import Testing

@testable import SCTE35

struct SpliceTextTests {
    private static let bytes: [UInt8] = [0xFC, 0x30, 0x11, 0xFB, 0xEF, 0xBE, 0xFF, 0x00]

    @Test(arguments: [
        "/DAR++++/wA=", "/DAR++++/wA", "_DAR----_wA", "_DAR----_wA=", "\"/DAR++++/wA=\"", "'/DAR++++/wA='",
        " /DAR++\n++/wA= ", "0xFC3011FBEFBEFF00", "0XFC3011FBEFBEFF00", "0xfc3011fbefbeff00", "fc3011FBEFBEFF00",
        "\"0xFC3011FBEFBEFF00\"", "FC 30 11 FB EF BE FF 00", "\"/DAR++++/wA=",
    ])
    func `every spelling in use is read`(text: String) throws {
        #expect(try SpliceText.bytes(text) == Self.bytes)
        #expect(try SpliceText.bytes(characters: Array(text.utf8)) == Self.bytes)
    }

    @Test func `base64 is written with padding, hexadecimal with 0x and capitals`() {
        #expect(SpliceText.base64(Self.bytes) == "/DAR++++/wA=")
        #expect(SpliceText.hexadecimal(Self.bytes) == "0xFC3011FBEFBEFF00")
        #expect(SpliceText.base64([]) == "")
        #expect(SpliceText.base64([0]) == "AA==")
        #expect(SpliceText.base64([0, 0, 0]) == "AAAA")
    }

    @Test(arguments: ["", " ", "\"\"", "0x", "0xF", "0xFG", "FC3", "/DA*", "/DAR=A", "/DARA", "=", "ä", "\"", "'"])
    func `what is neither base64 nor hexadecimal is refused`(text: String) {
        let error = #expect(throws: SCTE35Error.self) { try SpliceText.bytes(text) }
        #expect(error?.code == .text)
    }

    @Test func `the error tells how far the text was good`() {
        let error = #expect(throws: SCTE35Error.self) { try SpliceText.bytes("/DAR/D!R") }
        #expect(error?.bitOffset == 32)
    }
}
