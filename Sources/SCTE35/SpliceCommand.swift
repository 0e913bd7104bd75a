/// The command of a section, by splice_command_type. SCTE 35 §9.7.
package enum SpliceCommand: Hashable, Sendable {
    /// 0x00, a heartbeat; may carry descriptors.
    case null
    /// 0x04
    case schedule(SpliceSchedule)
    /// 0x05
    case insert(SpliceInsert)
    /// 0x06
    case timeSignal(TimeSignal)
    /// 0x07, filler.
    case bandwidthReservation
    /// 0xFF
    case privateCommand(PrivateCommand)
    /// A type that the standard reserves, with its bytes.
    case unknown(type: UInt8, bytes: [UInt8])

    /// splice_command_type
    package var type: UInt8 {
        switch self {
        case .null: 0x00
        case .schedule: 0x04
        case .insert: 0x05
        case .timeSignal: 0x06
        case .bandwidthReservation: 0x07
        case .privateCommand: 0xFF
        case .unknown(let type, _): type
        }
    }

    /// The name in the standard's table of commands, "reserved" for the others.
    package var name: String {
        switch self {
        case .null: "splice_null"
        case .schedule: "splice_schedule"
        case .insert: "splice_insert"
        case .timeSignal: "time_signal"
        case .bandwidthReservation: "bandwidth_reservation"
        case .privateCommand: "private_command"
        case .unknown: "reserved"
        }
    }

    /// Whether the end of the command can be found without splice_command_length.
    var isSelfDelimiting: Bool {
        switch self {
        case .privateCommand, .unknown: false
        default: true
        }
    }

    static func isSelfDelimiting(type: UInt8) -> Bool { type == 0x00 || (0x04...0x07).contains(type) }

    init(type: UInt8, from reader: inout BitReader) throws(SCTE35Error) {
        switch type {
        case 0x00: self = .null
        case 0x04: self = .schedule(try SpliceSchedule(from: &reader))
        case 0x05: self = .insert(try SpliceInsert(from: &reader))
        case 0x06: self = .timeSignal(TimeSignal(try SpliceTime(from: &reader)))
        case 0x07: self = .bandwidthReservation
        case 0xFF: self = .privateCommand(try PrivateCommand(from: &reader))
        default: self = .unknown(type: type, bytes: reader.rest())
        }
    }

    func write(to writer: inout BitWriter) throws(SCTE35Error) {
        switch self {
        case .null, .bandwidthReservation: break
        case .schedule(let schedule): try schedule.write(to: &writer)
        case .insert(let insert): try insert.write(to: &writer)
        case .timeSignal(let signal): try signal.time.write(to: &writer)
        case .privateCommand(let command): try command.write(to: &writer)
        case .unknown(_, let bytes): writer.append(bytes)
        }
    }
}

/// private_command(), SCTE 35 §9.7.6.
package struct PrivateCommand: Hashable, Sendable {
    /// Whose command it is: a format_identifier registered with SMPTE.
    package var identifier: FormatIdentifier
    package var bytes: [UInt8]

    package init(identifier: FormatIdentifier, bytes: [UInt8]) {
        self.identifier = identifier
        self.bytes = bytes
    }

    fileprivate init(from reader: inout BitReader) throws(SCTE35Error) {
        identifier = FormatIdentifier(rawValue: try reader.uint32("identifier"))
        bytes = reader.rest()
    }

    fileprivate func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.bits(UInt64(identifier.rawValue), 32, "identifier")
        writer.append(bytes)
    }
}

/// Four letters that name the owner of private data, such as "CUEI". ISO/IEC 13818-1 §2.6.8.
package struct FormatIdentifier: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// "CUEI", which marks the descriptors of SCTE 35.
    package static let cueIdentifier = FormatIdentifier(rawValue: 0x4355_4549)

    /// The four letters; bytes that are no printable ASCII make it hexadecimal.
    package var description: String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: rawValue >> (24 &- 8 &* $0)) }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return SpliceText.hexadecimal(bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
