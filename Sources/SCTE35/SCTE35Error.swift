/// Why a splice_info_section could not be read or written.
///
/// Two errors are equal when their codes are: the place and the detail are for people.
package struct SCTE35Error: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The text is neither base64 nor hexadecimal.
        case text
        /// table_id is not 0xFC: some other kind of section.
        case tableID
        /// The bytes end before a length or a field says so.
        case truncated
        /// section_length is outside what an MPEG-2 private section allows.
        case sectionLength
        /// CRC_32 doesn't match.
        case checksum
        /// encrypted_packet is 1; no control words are held here.
        case encrypted
        /// protocol_version is not 0.
        case protocolVersion
        /// splice_command_length is 0xFFF for a command that doesn't tell its own length.
        case commandLength
        /// A value doesn't fit in its field (writing only).
        case notRepresentable
    }

    package let code: Code
    /// Bits from the start of the section to the field that failed; for text, bits read before the failing character.
    package let bitOffset: Int
    package let detail: String

    package init(_ code: Code, bitOffset: Int, _ detail: String) {
        self.code = code
        self.bitOffset = bitOffset
        self.detail = detail
    }

    package var description: String { "\(code.rawValue) at bit \(bitOffset): \(detail)" }

    package static func == (left: SCTE35Error, right: SCTE35Error) -> Bool { left.code == right.code }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
