import Testing

@testable import SCTE35

struct BitTests {
    @Test func `CRC-32 MPEG-2 has its published check value`() {
        #expect(CRC32.checksum(Array("123456789".utf8)) == 0x0376_E6E7)
        #expect(CRC32.checksum([]) == 0xFFFF_FFFF)
    }

    @Test func `fields of any width at any place come back`() throws {
        for offset in 0..<8 {
            for width in 1...64 {
                var writer = BitWriter()
                let value: UInt64 = 0xA5C3_96F0_1234_5679 >> UInt64(64 - width)
                try writer.bits(0, offset, "offset")
                try writer.bits(value, width, "value")
                try writer.bits(1, 1, "end")
                #expect(writer.bitOffset == offset + width + 1)
                var reader = BitReader(writer.bytes)
                #expect(try reader.bits(offset, "offset") == 0)
                #expect(try reader.bits(width, "value") == value)
                #expect(try reader.flag("end"))
            }
        }
    }

    @Test func `reading past the end is an error at its place`() throws {
        var reader = BitReader([0xFF])
        _ = try reader.bits(5, "first")
        let error = #expect(throws: SCTE35Error.self) { try reader.bits(4, "second") }
        #expect(error?.code == .truncated && error?.bitOffset == 5)
        #expect(try reader.bits(3, "rest") == 7)
    }

    @Test func `a value wider than its field is never cut`() {
        var writer = BitWriter()
        #expect(throws: SCTE35Error.self) { try writer.bits(8, 3, "value") }
        #expect(throws: SCTE35Error.self) { try writer.count(256, 8, "count") }
        #expect(writer.bytes == [])
    }
}
