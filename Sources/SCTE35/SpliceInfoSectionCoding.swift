extension SpliceInfoSection {
    private static let tableID: UInt8 = 0xFC
    /// Bytes counted by section_length in a section with an empty command and no descriptors.
    private static let minimumSectionLength = 17
    /// The most that an MPEG-2 private section may count. ISO/IEC 13818-1 §2.4.4.11.
    private static let maximumSectionLength = 4093
    /// From table_id to splice_command_type.
    private static let headerBits = 112
    private static let unspecifiedCommandLength = 0xFFF

    /// Reads a section. Bytes behind its end are left alone.
    ///
    /// Throws `tableID`, `truncated`, `sectionLength`, `checksum`, `encrypted`, `protocolVersion` or `commandLength`.
    /// A single descriptor that cannot be read is no error: see ``SpliceDescriptor/malformed(_:_:)``.
    package init(decoding bytes: [UInt8], checksum: ChecksumRule = .required) throws(SCTE35Error) {
        var start = BitReader(bytes)
        let tableID = try start.uint8("table_id")
        guard tableID == Self.tableID else {
            throw SCTE35Error(.tableID, bitOffset: 0, "table_id is \(tableID), not 252")
        }
        let sectionFlags = try start.bits(2, "section_syntax_indicator")
        let sapType = try start.bits(2, "sap_type")
        let length = Int(truncatingIfNeeded: try start.bits(12, "section_length"))
        guard length >= Self.minimumSectionLength, length <= Self.maximumSectionLength else {
            throw SCTE35Error(.sectionLength, bitOffset: 12, "section_length is \(length)")
        }
        let section = bytes.prefix(3 &+ length)
        guard section.count == 3 &+ length else {
            let end = bytes.count &* 8
            throw SCTE35Error(.truncated, bitOffset: end, "\(3 &+ length) bytes announced, \(bytes.count) came")
        }
        guard checksum == .ignored || CRC32.checksum(section) == 0 else {
            throw SCTE35Error(.checksum, bitOffset: (length &- 1) &* 8, "CRC_32 doesn't match")
        }
        var reader = try start.part(length &- 4, "splice_info_section")
        try self.init(from: &reader)
        self.sectionFlags = UInt8(truncatingIfNeeded: sectionFlags)
        self.sapType = UInt8(truncatingIfNeeded: sapType)
    }

    /// Reads from protocol_version to the last byte before CRC_32.
    private init(from reader: inout BitReader) throws(SCTE35Error) {
        let version = try reader.uint8("protocol_version")
        let encryptionPosition = reader.position
        guard !(try reader.flag("encrypted_packet")) else {
            throw SCTE35Error(.encrypted, bitOffset: encryptionPosition, "the message is encrypted")
        }
        guard version == 0 else {
            throw SCTE35Error(.protocolVersion, bitOffset: encryptionPosition &- 8, "protocol_version is \(version)")
        }
        self.init(command: .null)
        encryptionAlgorithm = UInt8(truncatingIfNeeded: try reader.bits(6, "encryption_algorithm"))
        presentationTimeAdjustment = try reader.time("pts_adjustment")
        controlWordIndex = try reader.uint8("cw_index")
        tier = UInt16(truncatingIfNeeded: try reader.bits(12, "tier"))
        let lengthPosition = reader.position
        let length = Int(truncatingIfNeeded: try reader.bits(12, "splice_command_length"))
        let type = try reader.uint8("splice_command_type")

        if length == Self.unspecifiedCommandLength {
            guard SpliceCommand.isSelfDelimiting(type: type) else {
                throw SCTE35Error(
                    .commandLength, bitOffset: lengthPosition, "0xFFF for splice_command_type \(type)")
            }
            commandLength = .unspecified
            try readBody(type: type, length: nil, from: &reader)
            return
        }
        let body = reader
        do throws(SCTE35Error) {
            try readBody(type: type, length: length, from: &reader)
        } catch {
            // The CRC holds, so this is what the encoder sent. Some count wrongly: see whether the command's own
            // length leads to a whole descriptor loop.
            let firstError = error
            reader = body
            guard SpliceCommand.isSelfDelimiting(type: type) else { throw firstError }
            do throws(SCTE35Error) {
                try readBody(type: type, length: nil, from: &reader)
            } catch {
                throw firstError
            }
            commandLength = .mistaken(UInt16(truncatingIfNeeded: length))
        }
    }

    /// Reads the command, of `length` bytes or as long as it is, the descriptors and what is left.
    private mutating func readBody(
        type: UInt8, length: Int?, from reader: inout BitReader
    ) throws(SCTE35Error) {
        if let length {
            var part = try reader.part(length, "splice_command")
            command = try SpliceCommand(type: type, from: &part)
            commandTrailer = part.rest()
        } else {
            command = try SpliceCommand(type: type, from: &reader)
            commandTrailer = []
        }
        let loopLength = Int(try reader.uint16("descriptor_loop_length"))
        var loop = try reader.part(loopLength, "descriptor_loop")
        descriptors = []
        while loop.remainingBytes > 0 { descriptors.append(try SpliceDescriptor(from: &loop)) }
        stuffing = reader.rest()
    }

    /// The section's bytes, with lengths and CRC_32 counted anew. Throws `notRepresentable` for a value that doesn't
    /// fit its field.
    package func encoded() throws(SCTE35Error) -> [UInt8] {
        var commandWriter = BitWriter(origin: Self.headerBits)
        try command.write(to: &commandWriter)
        commandWriter.append(commandTrailer)
        var loopWriter = BitWriter(origin: commandWriter.bitOffset &+ 16)
        for descriptor in descriptors { try descriptor.write(to: &loopWriter) }

        var writer = BitWriter()
        try writer.bits(UInt64(Self.tableID), 8, "table_id")
        try writer.bits(UInt64(sectionFlags), 2, "section_syntax_indicator")
        try writer.bits(UInt64(sapType), 2, "sap_type")
        let contents = commandWriter.bytes.count &+ loopWriter.bytes.count &+ stuffing.count
        let length = Self.minimumSectionLength &+ contents
        guard length <= Self.maximumSectionLength else {
            throw SCTE35Error(.notRepresentable, bitOffset: writer.bitOffset, "section_length would be \(length)")
        }
        try writer.count(length, 12, "section_length")
        try writer.bits(0, 8, "protocol_version")
        try writer.flag(false, "encrypted_packet")
        try writer.bits(UInt64(encryptionAlgorithm), 6, "encryption_algorithm")
        try writer.time(presentationTimeAdjustment, "pts_adjustment")
        try writer.bits(UInt64(controlWordIndex), 8, "cw_index")
        try writer.bits(UInt64(tier), 12, "tier")
        try writer.count(try writtenCommandLength(commandWriter.bytes.count), 12, "splice_command_length")
        try writer.bits(UInt64(command.type), 8, "splice_command_type")
        writer.append(commandWriter.bytes)
        try writer.count(loopWriter.bytes.count, 16, "descriptor_loop_length")
        writer.append(loopWriter.bytes)
        writer.append(stuffing)
        try writer.bits(UInt64(CRC32.checksum(writer.bytes)), 32, "CRC_32")
        return writer.bytes
    }

    private func writtenCommandLength(_ count: Int) throws(SCTE35Error) -> Int {
        switch commandLength {
        case .counted where count != Self.unspecifiedCommandLength: return count
        case .unspecified where command.isSelfDelimiting && commandTrailer.isEmpty: return Self.unspecifiedCommandLength
        case .mistaken(let length) where command.isSelfDelimiting && commandTrailer.isEmpty: return Int(length)
        default:
            throw SCTE35Error(.notRepresentable, bitOffset: 92, "no splice_command_length tells where the command ends")
        }
    }
}
