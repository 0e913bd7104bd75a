/// One splice_descriptor of a section. SCTE 35 §10.
package enum SpliceDescriptor: Hashable, Sendable {
    /// Tag 0
    case avail(AvailDescriptor)
    /// Tag 1
    case dtmf(DTMFDescriptor)
    /// Tag 2
    case segmentation(SegmentationDescriptor)
    /// Tag 3
    case time(TimeDescriptor)
    /// Tag 4
    case audio(AudioDescriptor)
    /// Another owner's, or a tag that the standard reserves.
    case unknown(RawDescriptor)
    /// One of the standard's that cannot be read, and why. The rest of the message still counts.
    case malformed(RawDescriptor, SCTE35Error)

    /// splice_descriptor_tag
    package var tag: UInt8 {
        switch self {
        case .avail: 0
        case .dtmf: 1
        case .segmentation: 2
        case .time: 3
        case .audio: 4
        case .unknown(let raw), .malformed(let raw, _): raw.tag
        }
    }

    /// The descriptor as it goes over the wire: tag and bytes after the length.
    package func raw() throws(SCTE35Error) -> RawDescriptor { try raw(origin: 0) }

    /// `origin`: bits of the section before the descriptor's identifier, for places in errors.
    private func raw(origin: Int) throws(SCTE35Error) -> RawDescriptor {
        var writer = BitWriter(origin: origin &+ 32)
        switch self {
        case .unknown(let raw), .malformed(let raw, _): return raw
        case .avail(let avail): try avail.write(to: &writer)
        case .dtmf(let dtmf): try dtmf.write(to: &writer)
        case .segmentation(let segmentation): try segmentation.write(to: &writer)
        case .time(let time): try time.write(to: &writer)
        case .audio(let audio): try audio.write(to: &writer)
        }
        return RawDescriptor(tag: tag, bytes: RawDescriptor.identifierBytes + writer.bytes)
    }
}

/// A descriptor that is kept as bytes.
package struct RawDescriptor: Hashable, Sendable {
    package var tag: UInt8
    /// Everything after descriptor_length, the identifier included.
    package var bytes: [UInt8]

    package init(tag: UInt8, bytes: [UInt8]) {
        self.tag = tag
        self.bytes = bytes
    }

    /// The owner of the tag; nil when the descriptor is too short to have one.
    package var identifier: FormatIdentifier? {
        guard bytes.count >= 4 else { return nil }
        return FormatIdentifier(rawValue: bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }

    /// What follows the identifier.
    package var privateBytes: ArraySlice<UInt8> { bytes.dropFirst(4) }

    static let identifierBytes: [UInt8] = [0x43, 0x55, 0x45, 0x49]
}

extension SpliceDescriptor {
    init(from reader: inout BitReader) throws(SCTE35Error) {
        let tag = try reader.uint8("splice_descriptor_tag")
        let length = try reader.uint8("descriptor_length")
        var body = try reader.part(Int(length), "splice_descriptor")
        var whole = body
        let raw = RawDescriptor(tag: tag, bytes: whole.rest())
        guard raw.identifier == .cueIdentifier, tag <= 4 else {
            self = .unknown(raw)
            return
        }
        do throws(SCTE35Error) {
            _ = try body.uint32("identifier")
            self =
                switch tag {
                case 0: .avail(try AvailDescriptor(from: &body))
                case 1: .dtmf(try DTMFDescriptor(from: &body))
                case 2: .segmentation(try SegmentationDescriptor(from: &body))
                case 3: .time(try TimeDescriptor(from: &body))
                default: .audio(try AudioDescriptor(from: &body))
                }
        } catch {
            self = .malformed(raw, error)
        }
    }

    func write(to writer: inout BitWriter) throws(SCTE35Error) {
        let raw = try raw(origin: writer.bitOffset &+ 16)
        try writer.bits(UInt64(raw.tag), 8, "splice_descriptor_tag")
        try writer.count(raw.bytes.count, 8, "descriptor_length")
        writer.append(raw.bytes)
    }
}
