import Testing

@testable import SCTE35

struct SpliceInfoSectionTests {
    private let insert = SpliceInfoSection(command: .insert(SpliceInsert(eventID: 1, event: Samples.outOfNetwork)))

    private func code(_ bytes: [UInt8]) -> SCTE35Error? {
        do throws(SCTE35Error) {
            _ = try SpliceInfoSection(decoding: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: Samples.commands)
    func `every command is read back as it was written`(command: SpliceCommand) throws {
        let section = SpliceInfoSection(
            command: command, descriptors: Samples.descriptors, presentationTimeAdjustment: PresentationTime(ticks: 5),
            tier: 0x123, sapType: 1)
        #expect(try SpliceInfoSection(decoding: section.encoded()) == section)
    }

    @Test func `an encrypted message is refused`() throws {
        let bytes = Samples.altered(try insert.encoded()) { $0[4] |= 0x80 }
        let error = code(bytes)
        #expect(error?.code == .encrypted)
        #expect(error?.bitOffset == 32)
    }

    @Test func `another protocol version is refused`() throws {
        #expect(code(Samples.altered(try insert.encoded()) { $0[3] = 1 })?.code == .protocolVersion)
    }

    @Test func `every single wrong bit is found`() throws {
        let bytes = try insert.encoded()
        for bit in 0..<bytes.count * 8 {
            var broken = bytes
            broken[bit / 8] ^= 0x80 >> UInt8(bit % 8)
            #expect(code(broken) != nil, "bit \(bit)")
        }
    }

    @Test func `a message cut anywhere is refused`() throws {
        let bytes = try insert.encoded()
        for count in 0..<bytes.count { #expect(code(Array(bytes.prefix(count)))?.code == .truncated) }
    }

    @Test func `an impossible section length is refused`() {
        #expect(code([0xFC, 0x30, 16] + Array(repeating: 0, count: 16))?.code == .sectionLength)
        #expect(code([0xFC, 0x3F, 0xFE] + Array(repeating: 0, count: 4094))?.code == .sectionLength)
    }

    @Test func `what stands behind the section is left alone`() throws {
        let bytes = try insert.encoded()
        #expect(try SpliceInfoSection(decoding: bytes + [0xFF, 0x00, 0xFC]) == insert)
    }

    @Test func `alignment stuffing is kept`() throws {
        var section = insert
        section.stuffing = [0xFF, 0xFF, 0xFF]
        let bytes = try section.encoded()
        #expect(bytes.count == (try insert.encoded().count) + 3)
        #expect(try SpliceInfoSection(decoding: bytes) == section)
    }

    @Test func `command length 0xFFF is taken from the command, and written back`() throws {
        var section = Samples.signal(Samples.descriptors)
        section.commandLength = .unspecified
        let bytes = try section.encoded()
        #expect(bytes[11] & 0x0F == 0x0F && bytes[12] == 0xFF)
        #expect(try SpliceInfoSection(decoding: bytes) == section)
    }

    @Test func `command length 0xFFF is refused for a command of unknown length`() throws {
        let command = PrivateCommand(identifier: .cueIdentifier, bytes: [])
        let section = SpliceInfoSection(command: .privateCommand(command))
        let bytes = Samples.altered(try section.encoded()) { bytes in
            bytes[11] |= 0x0F
            bytes[12] = 0xFF
        }
        #expect(code(bytes)?.code == .commandLength)
        var unwritable = section
        unwritable.commandLength = .unspecified
        #expect(throws: SCTE35Error.self) { try unwritable.encoded() }
    }

    @Test(arguments: [UInt8(0), 1, 4, 6, 7, 20, 255])
    func `a wrong command length doesn't lose the descriptors`(length: UInt8) throws {
        let bytes = Samples.altered(try Samples.signal(Samples.descriptors).encoded()) { $0[12] = length }
        let section = try SpliceInfoSection(decoding: bytes)
        #expect(section.descriptors == Samples.descriptors)
        #expect(section.commandLength == .mistaken(UInt16(length)))
        #expect(try section.encoded() == bytes)
    }

    @Test func `a command longer than the standard's keeps its tail`() throws {
        var section = Samples.signal(Samples.descriptors)
        section.commandTrailer = [1, 2, 3]
        let read = try SpliceInfoSection(decoding: section.encoded())
        #expect(read == section)
        #expect(read.commandLength == .counted)
    }

    @Test func `reserved bits sent as zeros go back as zeros`() throws {
        let bytes = Samples.altered(try Samples.signal([.segmentation(Samples.opportunity)]).encoded()) { bytes in
            bytes[14] &= 0x81
            bytes[29] &= 0xC0
        }
        let section = try SpliceInfoSection(decoding: bytes)
        #expect(section.spliceTime == PresentationTime(ticks: 900_000))
        #expect(try section.encoded() == bytes)
    }

    @Test func `the splice time passes 2^33 with pts_adjustment`() {
        let signal = TimeSignal(SpliceTime(PresentationTime(ticks: (1 << 33) - 592)))
        let section = SpliceInfoSection(
            command: .timeSignal(signal), presentationTimeAdjustment: PresentationTime(ticks: 1592))
        #expect(section.spliceTime == PresentationTime(ticks: 1000))
    }

    @Test func `no splice time: at once, cancelled, by component, no time specified, or no splice`() {
        var immediate = Samples.outOfNetwork
        immediate.isImmediate = true
        let commands: [SpliceCommand] = [
            .null, .bandwidthReservation, .schedule(Samples.schedule), .insert(Samples.componentInsert),
            .insert(SpliceInsert(eventID: 1, event: nil)), .insert(SpliceInsert(eventID: 1, event: immediate)),
            .timeSignal(TimeSignal(SpliceTime())), .unknown(type: 9, bytes: []),
        ]
        for command in commands { #expect(SpliceInfoSection(command: command).spliceTime == nil) }
    }

    @Test func `a descriptor that cannot be read doesn't take the others with it`() throws {
        let broken = RawDescriptor(tag: 2, bytes: RawDescriptor.identifierBytes + [0, 0, 0, 1, 0x7F, 0xBF, 0, 9])
        let written = Samples.signal([.unknown(broken), .segmentation(Samples.opportunity)])
        let section = try SpliceInfoSection(decoding: written.encoded())
        guard case .malformed(broken, let error) = section.descriptors[0] else {
            Issue.record("read as \(section.descriptors[0])")
            return
        }
        #expect(error.code == .truncated)
        #expect(error.bitOffset == (21 + 2 + 12) * 8)
        #expect(section.segmentationDescriptors == [Samples.opportunity])
        #expect(try section.encoded() == written.encoded())
    }

    @Test func `a descriptor loop that is cut short is refused`() throws {
        let bytes = Samples.altered(try Samples.signal([.segmentation(Samples.opportunity)]).encoded()) { bytes in
            bytes[22] = 200
        }
        #expect(code(bytes)?.code == .truncated)
    }

    @Test func `a value too large for its field is an error with its place`() throws {
        var section = insert
        section.tier = 0x1000
        let error = #expect(throws: SCTE35Error.self) { try section.encoded() }
        #expect(error?.code == .notRepresentable)
        #expect(error?.bitOffset == 80)

        var dtmf = DTMFDescriptor(preroll: 0, characters: Array("12345678".utf8))
        let place = #expect(throws: SCTE35Error.self) { try Samples.signal([.dtmf(dtmf)]).encoded() }
        #expect(place?.bitOffset == (21 + 2 + 4 + 1) * 8)
        dtmf.characters = []
        #expect(throws: Never.self) { try Samples.signal([.dtmf(dtmf)]).encoded() }
    }

    @Test func `a section longer than 4096 bytes is not written`() throws {
        let large = SpliceDescriptor.unknown(RawDescriptor(tag: 9, bytes: Array(repeating: 0, count: 255)))
        #expect(throws: Never.self) { try Samples.signal(Array(repeating: large, count: 15)).encoded() }
        #expect(throws: SCTE35Error.self) { try Samples.signal(Array(repeating: large, count: 16)).encoded() }
    }

    @Test func `errors are equal when their codes are`() {
        let one = SCTE35Error(.checksum, bitOffset: 1, "one")
        #expect(one == SCTE35Error(.checksum, bitOffset: 2, "two"))
        #expect(one != SCTE35Error(.truncated, bitOffset: 1, "one"))
        #expect("\(one)" == "checksum at bit 1: one")
    }
}
