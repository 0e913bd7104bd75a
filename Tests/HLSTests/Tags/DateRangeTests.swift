import Testing

@testable import HLS

@Suite struct DateRangeTests {
    private func playlist(_ ranges: String...) throws -> MediaPlaylist {
        try media(
            "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00Z\n#EXTINF:6,\na\n"
                + ranges.map { "#EXT-X-DATERANGE:\($0)\n" }.joined())
    }

    @Test func `every attribute of a tag is typed (rule 811)`() throws {
        let tag = try #require(
            try playlist(
                "ID=\"a\",CLASS=\"c\",START-DATE=\"2026-01-01T00:00:00.5Z\",END-DATE=\"2026-01-01T01:00:30.5+01:00\",DURATION=30.0,"
                    + "PLANNED-DURATION=31.5,CUE=\"PRE, ONCE,LATER\",END-ON-NEXT=YES,SCTE35-CMD=0xFC30,SCTE35-OUT=\"0xfc31\","
                    + "SCTE35-IN=0xC"
            ).dateRanges.first)
        #expect(tag.id == "a")
        #expect(tag.dateRangeClass == "c")
        #expect(tag.startDate == DateTime("2026-01-01T00:00:00.5Z"))
        #expect(tag.endDate == DateTime("2026-01-01T00:00:30.5Z"))
        #expect(tag.duration == .seconds(30))
        #expect(tag.plannedDuration == .milliseconds(31_500))
        #expect(tag.triggers == [.pre, .once])
        #expect(tag.endsOnNext)
        #expect(tag.scte35Command == [0xFC, 0x30])
        #expect(tag.scte35Out == [0xFC, 0x31])
        #expect(tag.scte35In == [0x0C])
        #expect(tag.isAdMarker)
        #expect(tag.extensionAttributes.isEmpty)
    }

    @Test func `X- attributes are typed by their form, in their order`() throws {
        let tag = try #require(
            try playlist("ID=\"a\",X-COM-T=\"1,5\",X-H=0x0aFF,X-N=-1.50,X-M=0x,X-E=YES").dateRanges.first)
        #expect(tag.extensionAttributes.map(\.name) == ["X-COM-T", "X-H", "X-N", "X-M", "X-E"])
        #expect(
            tag.extensionAttributes.map(\.value) == [
                .text("1,5"), .hexadecimal([0x0A, 0xFF]),
                .decimal(try #require(AttributeList(Array("A=-1.5".utf8), in: 0..<6)["A"]?.decimal)), .other("0x"),
                .other("YES"),
            ])
    }

    @Test func `tags of one ID are one date range, whatever stands between them`() throws {
        let ranges = try playlist(
            "ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\",PLANNED-DURATION=59.993,SCTE35-OUT=0xFC01,X-A=\"1\"",
            "ID=\"b\",START-DATE=\"2026-01-01T00:00:00Z\",X-A=2", "START-DATE=\"2026-01-01T00:00:00Z\"",
            "ID=\"a\",DURATION=59.5,SCTE35-IN=0xFC02,X-B=2,X-A=\"1\""
        ).combinedDateRanges
        #expect(ranges.map(\.id) == ["a", "b"])
        #expect(ranges.map { $0.tags.count } == [2, 1])
        #expect(ranges[0].scte35Out == [0xFC, 1])
        #expect(ranges[0].scte35In == [0xFC, 2])
        #expect(ranges[0].plannedDuration == .milliseconds(59_993))
        #expect(ranges[0].endDate == DateTime("2026-01-01T00:00:59.5Z"))
        #expect(ranges[0].extensionAttributes.map(\.name) == ["X-A", "X-B"])
        #expect(ranges[0].conflicts.isEmpty)
        #expect(ranges[1].endDate == nil)
    }

    @Test func `of values that contradict each other the first holds, spelling apart (rule 816)`() throws {
        let playlist = try playlist(
            "ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\",DURATION=30,SCTE35-OUT=0xFC01",
            "ID=\"a\",START-DATE=\"2026-01-01T01:00:00.000+01:00\",DURATION=30.000,SCTE35-OUT=\"0xfc01\",CLASS=\"x\"",
            "ID=\"a\",START-DATE=\"2026-01-01T00:00:01Z\",DURATION=31,CLASS=\"X\"")
        let range = try #require(playlist.combinedDateRanges.first)
        #expect(range.duration == .seconds(30))
        #expect(range.startDate == DateTime("2026-01-01T00:00:00Z"))
        #expect(range.conflicts.map(\.name) == ["START-DATE", "DURATION", "CLASS"])
        #expect(Set(range.conflicts.map { playlist.lineNumber(at: $0.line.range.lowerBound) }) == [8])
    }

    @Test func `a range ends by END-DATE, DURATION or at the next of its class, and else not yet (rules 814, 815)`()
        throws
    {
        let ranges = try playlist(
            "ID=\"a\",CLASS=\"c\",START-DATE=\"2026-01-01T00:00:10Z\",END-ON-NEXT=YES",
            "ID=\"later\",CLASS=\"c\",START-DATE=\"2026-01-01T00:00:40Z\"",
            "ID=\"next\",CLASS=\"c\",START-DATE=\"2026-01-01T00:00:30Z\",END-ON-NEXT=YES",
            "ID=\"same\",CLASS=\"c\",START-DATE=\"2026-01-01T00:00:10Z\"",
            "ID=\"other\",CLASS=\"d\",START-DATE=\"2026-01-01T00:00:20Z\",END-ON-NEXT=YES",
            "ID=\"planned\",START-DATE=\"2026-01-01T00:00:20Z\",PLANNED-DURATION=5",
            "ID=\"end\",START-DATE=\"2026-01-01T00:00:20Z\",END-DATE=\"2026-01-01T00:00:21Z\""
        ).combinedDateRanges
        #expect(
            ranges.map { $0.endDate?.formatted } == [
                "2026-01-01T00:00:30.000Z", nil, "2026-01-01T00:00:40.000Z", nil, nil, nil, "2026-01-01T00:00:21.000Z",
            ])
        #expect(ranges[0].duration == .seconds(20))
        #expect(ranges[5].duration == nil)
        #expect(ranges[5].expectedEndDate == DateTime("2026-01-01T00:00:25Z"))
        #expect(ranges[6].duration == .seconds(1))
    }

    @Test(.timeLimit(.minutes(1))) func `any number of tags of one ID or class is read in linear time`() throws {
        var text = "#EXTM3U\n"
        for index in 0..<20_000 {
            text +=
                "#EXT-X-DATERANGE:ID=\"\(index % 3)\",CLASS=\"c\",START-DATE=\"2026-01-01T00:00:00Z\",END-ON-NEXT=YES\n"
            text +=
                "#EXT-X-DATERANGE:ID=\"i\(index)\",CLASS=\"c\",START-DATE=\"2026-01-01T00:00:00Z\",END-ON-NEXT=YES\n"
        }
        let ranges = try media(text).combinedDateRanges
        #expect(ranges.count == 20_003)
        #expect(ranges[0].tags.count == 6_667)
    }
}
