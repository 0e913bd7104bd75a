import Testing

@testable import HLS

@Suite struct SpliceTagTests {
    private func tag(_ value: String) throws -> SpliceTag {
        guard case .scte35(let tag)? = try AdSignalTests.markers("#EXT-X-SCTE35:\(value)").first else {
            throw PlaylistError(.notAPlaylist, line: 1, detail: "no EXT-X-SCTE35")
        }
        return tag
    }

    @Test(arguments: [("0x34", 52), ("52", 52), ("\"0X36\"", 54), ("0x", nil), ("-5", nil), ("+5", nil), ("", nil)])
    func `TYPE is decimal or hexadecimal`(text: String, type: Int?) throws {
        #expect(try tag("CUE=\"/DAA\",TYPE=\(text)").segmentationType == type)
    }

    @Test func `every attribute is typed`() throws {
        let tag = try tag(
            "TYPE=0x34,ID=\"f7\",DURATION=60.06,ELAPSED=20.02,CUE-OUT=CONT,UPID=\"0x08:0x9425BC\",BLACKOUT=MAYBE,"
                + "SEGNE=\"1:3\",TIME=\"2026-01-01T00:00:00.5Z\",CUE=\"/DAA\"")
        #expect(tag.id == "f7")
        #expect(tag.duration == .milliseconds(60_060))
        #expect(tag.elapsed == .milliseconds(20_020))
        #expect(tag.cueOut == .known(.continues))
        #expect(!tag.isCueIn)
        #expect(tag.upid == SpliceTag.UPID(type: 8, value: [0x94, 0x25, 0xBC]))
        #expect(tag.blackout == .known(.maybe))
        #expect(tag.segmentNumber?.number == 1 && tag.segmentNumber?.expected == 3)
        #expect(tag.date == DateTime("2026-01-01T00:00:00.5Z"))
        #expect(tag.time == nil)
        #expect(tag.section == [0xFC, 0x30, 0x00])
    }

    @Test func `keys and values are read in any case, others keep their spelling`() throws {
        #expect(try tag("cue-out=yes").cueOut == .known(.begins))
        #expect(try tag("Cue-In=Yes").isCueIn)
        #expect(try tag("CUE-OUT=Perhaps").cueOut == .unknown("Perhaps"))
        #expect(try tag("BLACKOUT=no").blackout == .known(.no))
        #expect(try tag("TIME=123.12").time == .milliseconds(123_120))
    }

    @Test(arguments: ["UPID=\"8:1\"", "UPID=0x08", "UPID=\"0x0808:0x01\"", "UPID=\"0x08:\"", "ID=1"])
    func `an UPID of another form is only text`(value: String) throws {
        #expect(try tag(value).upid == nil)
    }

    @Test(arguments: ["SEGNE=\"1\"", "SEGNE=\"a:b\"", "SEGNE=\":\"", "SEGNE=\"-1:2\""])
    func `an unreadable SEGNE is none`(value: String) throws {
        #expect(try tag(value).segmentNumber == nil)
    }

    @Test func `typographic quotes enclose commas too`() throws {
        let tag = try tag("ID=\u{201C}a, b\u{201D},CUE=\u{201D}/DAA\u{201D},CUE-IN=YES")
        #expect(tag.id == "a, b")
        #expect(tag.section == [0xFC, 0x30, 0x00])
        #expect(tag.isCueIn)
    }
}
