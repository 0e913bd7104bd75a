import Testing

@testable import HLS

@Suite struct AttributeListTests {
    private func list(_ text: String) -> AttributeList {
        let bytes = Array(text.utf8)
        return AttributeList(bytes, in: 0..<bytes.count)
    }

    @Test func `commas and signs inside quotes do not separate (rule 105)`() {
        let list = list(#"BANDWIDTH=1,CODECS="avc1.4d401f,mp4a.40.2",URI="a?b=c,d",DEFAULT=YES"#)
        #expect(list.map(\.name) == ["BANDWIDTH", "CODECS", "URI", "DEFAULT"])
        #expect(list["CODECS"]?.text == "avc1.4d401f,mp4a.40.2")
        #expect(list["URI"]?.text == "a?b=c,d")
        #expect(list["DEFAULT"]?.isYes == true)
        #expect(list["codecs"] == nil)
        #expect(list.value(ignoringCase: "codecs")?.text == "avc1.4d401f,mp4a.40.2")
    }

    @Test func `blanks around names, signs and values are borne (rule 104)`() {
        let list = list("METHOD = AES-128 , URI=\t\"k\" ,IV= 0xAB")
        #expect(list["METHOD"]?.text == "AES-128")
        #expect(list["URI"]?.text == "k")
        #expect(list["IV"]?.hexadecimal == [0xAB])
    }

    @Test func `a quote that is not closed ends with the line`() {
        #expect(list(#"A=1,URI="abc,B=2"#)["URI"]?.text == "abc,B=2")
        #expect(list(#"A=1,URI=""#)["URI"]?.text == "")
        #expect(list("A=")["A"]?.text == "")
        #expect(list("A")["A"]?.text == "")
        #expect(list(",,,").map(\.name).isEmpty)
        #expect(list("").map(\.name).isEmpty)
    }

    @Test func `values are decoded in their forms (rule 106)`() {
        let list = list(#"N=12,R=1920x1080,H=0xFc3,Q="0xFC",D=-1.5,T="2026-01-01T00:00:00Z",B=99999999999999999999"#)
        #expect(list["N"]?.integer == 12)
        #expect(list["R"]?.resolution == Resolution(width: 1_920, height: 1_080))
        #expect(list["H"]?.hexadecimal == [0x0F, 0xC3])
        #expect(list["Q"]?.hexadecimal == [0xFC])
        #expect(list["D"]?.duration == .milliseconds(-1_500))
        #expect(list["T"]?.dateTime == DateTime("2026-01-01T00:00:00Z"))
        #expect(list["B"]?.integer == nil)
        #expect(list["R"]?.hexadecimal == nil)
        #expect(list["N"]?.resolution == nil)
    }
}
