/// Reads big-endian bit fields out of bytes that came over a wire. No read passes its end, so none can trap.
struct BitReader {
    private let bytes: [UInt8]
    /// Bits from the start of the section to the next unread bit.
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) {
        self.init(bytes, from: 0, to: bytes.count &* 8)
    }

    private init(_ bytes: [UInt8], from position: Int, to end: Int) {
        self.bytes = bytes
        self.position = position
        self.end = end
    }

    var remainingBytes: Int { (end &- position) / 8 }

    /// The next `width` bits (64 at most) as a number.
    mutating func bits(_ width: Int, _ field: StaticString) throws(SCTE35Error) -> UInt64 {
        guard width <= end &- position else { throw missing(field) }
        var value: UInt64 = 0
        var left = width
        while left > 0 {
            let used = position & 7
            let taken = min(8 &- used, left)
            let byte = bytes[position >> 3]
            let chunk = (byte << UInt8(truncatingIfNeeded: used)) >> UInt8(truncatingIfNeeded: 8 &- taken)
            value = (value << UInt64(truncatingIfNeeded: taken)) | UInt64(chunk)
            position &+= taken
            left &-= taken
        }
        return value
    }

    mutating func flag(_ field: StaticString) throws(SCTE35Error) -> Bool { try bits(1, field) == 1 }

    mutating func uint8(_ field: StaticString) throws(SCTE35Error) -> UInt8 {
        UInt8(truncatingIfNeeded: try bits(8, field))
    }

    mutating func uint16(_ field: StaticString) throws(SCTE35Error) -> UInt16 {
        UInt16(truncatingIfNeeded: try bits(16, field))
    }

    mutating func uint32(_ field: StaticString) throws(SCTE35Error) -> UInt32 {
        UInt32(truncatingIfNeeded: try bits(32, field))
    }

    mutating func time(_ field: StaticString) throws(SCTE35Error) -> PresentationTime {
        PresentationTime(ticks: try bits(33, field))
    }

    mutating func reserved(
        _ width: Int, into reserved: inout ReservedBits, at offset: Int = 0
    ) throws(SCTE35Error) {
        reserved.set(try bits(width, "reserved"), width: width, at: offset)
    }

    /// The next `count` whole bytes. The position must be byte-aligned, as it is wherever the standard has bytes.
    mutating func bytes(_ count: Int, _ field: StaticString) throws(SCTE35Error) -> [UInt8] {
        guard count >= 0, count <= remainingBytes, position & 7 == 0 else { throw missing(field) }
        let start = position >> 3
        position &+= count &* 8
        return Array(bytes[start..<start &+ count])
    }

    /// All whole bytes that are left.
    mutating func rest() -> [UInt8] {
        guard position & 7 == 0 else { return [] }
        let start = position >> 3
        let count = remainingBytes
        position &+= count &* 8
        return Array(bytes[start..<start &+ count])
    }

    /// A reader of the next `count` bytes alone, with places still counted from the start of the section.
    mutating func part(_ count: Int, _ field: StaticString) throws(SCTE35Error) -> BitReader {
        guard count >= 0, count <= remainingBytes else { throw missing(field) }
        let part = BitReader(bytes, from: position, to: position &+ count &* 8)
        position &+= count &* 8
        return part
    }

    private func missing(_ field: StaticString) -> SCTE35Error {
        SCTE35Error(.truncated, bitOffset: position, "\(field) is missing or cut short")
    }
}
