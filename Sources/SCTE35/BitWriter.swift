/// Writes big-endian bit fields. A value too large for its field is an error, never cut.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    /// Bits of the section before the first of `bytes`.
    private let origin: Int
    /// Bits of the last byte still free.
    private var free: UInt64 = 0

    init(origin: Int = 0) { self.origin = origin }

    /// Bits from the start of the section to the next bit written.
    var bitOffset: Int { origin &+ bytes.count &* 8 &- Int(free) }

    mutating func bits(_ value: UInt64, _ width: Int, _ field: StaticString) throws(SCTE35Error) {
        guard width >= 64 || value >> UInt64(truncatingIfNeeded: width) == 0 else {
            let detail = "\(field) \(value) needs more than \(width) bits"
            throw SCTE35Error(.notRepresentable, bitOffset: bitOffset, detail)
        }
        var left = UInt64(truncatingIfNeeded: width)
        while left > 0 {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            let taken = min(free, left)
            left &-= taken
            free &-= taken
            let chunk = (value >> left) & ~(UInt64.max << taken)
            bytes[bytes.count &- 1] |= UInt8(truncatingIfNeeded: chunk << free)
        }
    }

    /// A count or length, which is never negative.
    mutating func count(_ value: Int, _ width: Int, _ field: StaticString) throws(SCTE35Error) {
        try bits(UInt64(clamping: value), width, field)
    }

    mutating func flag(_ value: Bool, _ field: StaticString) throws(SCTE35Error) { try bits(value ? 1 : 0, 1, field) }

    mutating func time(_ value: PresentationTime, _ field: StaticString) throws(SCTE35Error) {
        try bits(value.ticks, 33, field)
    }

    mutating func reserved(_ width: Int, _ reserved: ReservedBits, at offset: Int = 0) throws(SCTE35Error) {
        try bits(reserved.value(width: width, at: offset), width, "reserved")
    }

    /// Whole bytes, at a byte boundary.
    mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }
}
