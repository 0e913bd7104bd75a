import Testing

@testable import HLS

@Suite struct PlaylistTextTests {
    @Test func `literals, numbers, durations, dates and runs of bytes are appended`() {
        var output = PlaylistText(reservingBytes: 100)
        output.append("#EXT-X-MEDIA-SEQUENCE:")
        output.append(Int64.min)
        output.endLine()
        output.append(Int64.max)
        output.append(byte: 0x20)
        output.append(0)
        output.append(" ")
        output.append(Duration.milliseconds(6_006))
        output.append(" ")
        output.append(DateTime(nanoseconds: 0))
        output.append(Array("xabcx".utf8), in: 1..<4)
        output.append(Array("abc".utf8), in: 2..<9)
        #expect(
            output.string
                == "#EXT-X-MEDIA-SEQUENCE:-9223372036854775808\n9223372036854775807 0 6.006 1970-01-01T00:00:00.000Zabcc"
        )
    }

    @Test func `an IV is the number in 32 digits (rule 605)`() {
        var output = PlaylistText()
        output.append(hexadecimal: 0x1_2AB, digits: 32)
        #expect(output.string == "0x000000000000000000000000000012AB")
    }
}
