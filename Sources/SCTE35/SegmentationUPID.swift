/// segmentation_upid: an identifier of what begins or ends. SCTE 35 §10.3.3.1, table of UPID types.
///
/// Holds the bytes as received; ``value`` and ``text`` read them on demand.
package struct SegmentationUPID: Hashable, Sendable {
    package var kind: Kind
    package var bytes: [UInt8]

    package init(kind: Kind, bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    package static let none = SegmentationUPID(kind: .notUsed, bytes: [])

    /// segmentation_upid_type
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let notUsed = Kind(rawValue: 0x00)
        /// Deprecated for ``mpu``.
        package static let userDefined = Kind(rawValue: 0x01)
        /// Deprecated for ``adID``.
        package static let isci = Kind(rawValue: 0x02)
        package static let adID = Kind(rawValue: 0x03)
        package static let umid = Kind(rawValue: 0x04)
        /// 64 bits, deprecated for ``isan``.
        package static let isan64 = Kind(rawValue: 0x05)
        /// 96 bits, with a version.
        package static let isan = Kind(rawValue: 0x06)
        package static let tid = Kind(rawValue: 0x07)
        package static let airingID = Kind(rawValue: 0x08)
        package static let adi = Kind(rawValue: 0x09)
        package static let eidr = Kind(rawValue: 0x0A)
        package static let atsc = Kind(rawValue: 0x0B)
        package static let mpu = Kind(rawValue: 0x0C)
        package static let mid = Kind(rawValue: 0x0D)
        package static let adsInformation = Kind(rawValue: 0x0E)
        package static let uri = Kind(rawValue: 0x0F)
        package static let uuid = Kind(rawValue: 0x10)
        package static let scr = Kind(rawValue: 0x11)

        /// The name in the standard's table; nil for a reserved number.
        package var name: String? {
            let names = [
                "Not Used", "User Defined", "ISCI", "Ad-ID", "UMID", "ISAN", "ISAN", "TID", "AiringID", "ADI", "EIDR",
                "ATSC Content Identifier", "MPU", "MID", "ADS Information", "URI", "UUID", "SCR",
            ]
            return rawValue < names.count ? names[Int(rawValue)] : nil
        }

        /// The number of bytes the standard asks for; nil where it varies.
        package var expectedLength: Int? {
            switch self {
            case .notUsed: 0
            case .isci, .isan64, .airingID: 8
            case .adID, .isan, .tid, .eidr: 12
            case .umid: 32
            case .uuid: 16
            default: nil
            }
        }
    }

    /// What the bytes say.
    package enum Value: Hashable, Sendable {
        case none
        /// Characters: Ad-ID, ISCI, TID, ADI, ADS information, URI, SCR, user defined; or the usual spelling of a
        /// number: AiringID, UMID, ISAN, EIDR, UUID.
        case text(String)
        case atsc(ATSCContentIdentifier)
        /// Whose data it is, and the data.
        case managedPrivate(FormatIdentifier, [UInt8])
        /// Several identifiers.
        case multiple([SegmentationUPID])
        /// A reserved type, or bytes that don't fit the type.
        case other([UInt8])
    }

    package var value: Value {
        guard !bytes.isEmpty else { return .none }
        switch kind {
        case .notUsed:
            return .other(bytes)
        case .atsc:
            return ATSCContentIdentifier(bytes).map { .atsc($0) } ?? .other(bytes)
        case .mpu:
            let raw = RawDescriptor(tag: 0, bytes: bytes)
            return raw.identifier.map { .managedPrivate($0, Array(raw.privateBytes)) } ?? .other(bytes)
        case .mid:
            return Self.parts(of: bytes).map { .multiple($0) } ?? .other(bytes)
        default:
            return UPIDText.text(kind: kind, bytes: bytes).map { .text($0) } ?? .other(bytes)
        }
    }

    /// One line of text: the usual spelling of the identifier, a comma between several, and hexadecimal
    /// (`0x` and lower case) of whatever has no spelling.
    package var text: String {
        switch value {
        case .none: ""
        case .text(let text): text
        case .multiple(let parts): parts.map(\.text).joined(separator: ",")
        case .atsc, .managedPrivate, .other: UPIDText.hexadecimal(bytes)
        }
    }

    /// This identifier and, of a MID, those inside, at most eight levels deep.
    package var flattened: [SegmentationUPID] { flattened(depth: 8) }

    private func flattened(depth: Int) -> [SegmentationUPID] {
        guard depth > 0, case .multiple(let parts) = value else { return [self] }
        return parts.flatMap { $0.flattened(depth: depth &- 1) }
    }

    /// A MID: type, length and bytes of one identifier after the other. Nil unless they fill it.
    private static func parts(of bytes: [UInt8]) -> [SegmentationUPID]? {
        var reader = BitReader(bytes)
        var parts: [SegmentationUPID] = []
        do throws(SCTE35Error) {
            while reader.remainingBytes > 0 {
                let kind = Kind(rawValue: try reader.uint8("segmentation_upid_type"))
                let length = Int(try reader.uint8("length"))
                parts.append(SegmentationUPID(kind: kind, bytes: try reader.bytes(length, "segmentation_upid")))
            }
        } catch {
            return nil
        }
        return parts
    }

    /// A MID of the given identifiers. Throws when one of them or all together are too long.
    package init(multiple parts: [SegmentationUPID]) throws(SCTE35Error) {
        var writer = BitWriter()
        for part in parts {
            try writer.bits(UInt64(part.kind.rawValue), 8, "segmentation_upid_type")
            try writer.count(part.bytes.count, 8, "length")
            writer.append(part.bytes)
        }
        self.init(kind: .mid, bytes: writer.bytes)
    }
}

/// ATSC_content_identifier() of ATSC A/57B.
package struct ATSCContentIdentifier: Hashable, Sendable {
    package let transportStreamID: UInt16
    /// Hour of the day at which the broadcaster's day ends.
    package let endOfDay: UInt8
    /// Days for which the identifier stays unique.
    package let uniqueFor: UInt16
    package let contentID: [UInt8]

    fileprivate init?(_ bytes: [UInt8]) {
        var reader = BitReader(bytes)
        do throws(SCTE35Error) {
            transportStreamID = try reader.uint16("TSID")
            _ = try reader.bits(2, "reserved")
            endOfDay = UInt8(truncatingIfNeeded: try reader.bits(5, "end_of_day"))
            uniqueFor = UInt16(truncatingIfNeeded: try reader.bits(9, "unique_for"))
            contentID = reader.rest()
        } catch {
            return nil
        }
    }
}
