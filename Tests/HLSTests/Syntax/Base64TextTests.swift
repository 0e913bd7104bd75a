import Testing

@testable import HLS

@Suite struct Base64TextTests {
    @Test(arguments: [
        ("/DA=", [0xFC, 0x30]), ("/DA", [0xFC, 0x30]), ("/DAl", [0xFC, 0x30, 0x25]), ("AA==", [0]), ("AA", [0]),
        ("+/+/", [0xFB, 0xFF, 0xBF]), ("-_-_", [0xFB, 0xFF, 0xBF]), (" /D Al\t", [0xFC, 0x30, 0x25]),
        ("\"/DA=\"", [0xFC, 0x30]), ("\u{201D}/DA=\u{201D}", [0xFC, 0x30]), ("\u{201C}/DA=\u{201D}", [0xFC, 0x30]),
        ("'/DA='", [0xFC, 0x30]), ("/DA= ", [0xFC, 0x30]), ("\"/DA=", [0xFC, 0x30]),
    ])
    func `base64 is read with blanks, quotes of any kind and without padding`(text: String, bytes: [UInt8]) {
        #expect(Base64Text.decoded(text) == bytes)
    }

    @Test(arguments: ["", "=", "\"\"", "A", "AAAAA", "/DA\u{2026}AA", "AA==AA", "/DA;", "0x%", "\u{201D}"])
    func `what is no base64 gives nothing`(text: String) {
        #expect(Base64Text.decoded(text) == nil)
    }

    @Test func `percent escapes are resolved, and a sign without digits stands for itself`() {
        #expect(PercentText.decoded("a%20b%2Cc%zz%4") == "a b,c%zz%4")
        #expect(PercentText.decoded("%C3%BC") == "\u{FC}")
        #expect(PercentText.decoded("plain+text") == "plain+text")
    }

    @Test func `hexadecimal needs its prefix and digits`() {
        #expect(HexadecimalText.decoded("0x0aFF") == [0x0A, 0xFF])
        #expect(HexadecimalText.decoded("0X123") == [0x01, 0x23])
        for text in ["0x", "12", "0xG", "", "x12"] { #expect(HexadecimalText.decoded(text) == nil) }
    }
}
