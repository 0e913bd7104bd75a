import Testing

@testable import SCTE35

struct VectorTests {
    @Test func `there are 82 vectors, four of them broken`() {
        #expect(Vector.all.count == 82)
        #expect(Vector.all.count { $0.error != nil } == 4)
    }

    @Test(arguments: Vector.all.filter { $0.expect != nil })
    func `a vector's section is read as expected from base64 and hexadecimal`(vector: Vector) throws {
        let expected = try #require(vector.expect)
        let section = try SpliceInfoSection(text: vector.base64)
        #expect(json(section).faults(against: expected) == [])
        #expect(try SpliceInfoSection(text: vector.hex) == section)
    }

    @Test(arguments: Vector.all.filter { $0.expect != nil })
    func `a vector's section is written back byte for byte`(vector: Vector) throws {
        let bytes = try SpliceText.bytes(vector.base64)
        let section = try SpliceInfoSection(decoding: bytes)
        // One comes with the stuffing of its transport packet behind it.
        let own = Array(bytes.prefix(3 + (Int(bytes[1] & 0x0F) << 8 | Int(bytes[2]))))
        #expect(try section.encoded() == own)
        if own.count == bytes.count {
            #expect(try section.base64() == vector.base64)
            #expect(try section.hexadecimal() == vector.hex)
        }
    }

    @Test(arguments: Vector.all.filter { $0.error != nil })
    func `a broken vector is refused for the expected reason`(vector: Vector) throws {
        let codes: [String: SCTE35Error.Code] = ["crc": .checksum, "truncated": .truncated, "table_id": .tableID]
        let code = try #require(vector.error.flatMap { codes[$0] })
        for text in [vector.base64, vector.hex] {
            let error = #expect(throws: SCTE35Error.self) { try SpliceInfoSection(text: text) }
            #expect(error?.code == code)
        }
    }

    @Test(arguments: Vector.all.filter { $0.lenientExpect != nil })
    func `a broken checksum can be passed over`(vector: Vector) throws {
        let expected = try #require(vector.lenientExpect)
        let section = try SpliceInfoSection(text: vector.base64, checksum: .ignored)
        #expect(json(section).faults(against: expected) == [])
        let bytes = try SpliceText.bytes(vector.base64)
        #expect(try section.encoded().dropLast(4) == bytes.dropLast(4))
    }
}
