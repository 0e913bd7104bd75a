/// Reserved bits of one structure as they were received. The standard wants ones, encoders in the field also send
/// zeros; they are kept so that a section that was only read is written back byte for byte.
package struct ReservedBits: Hashable, Sendable {
    private var bits = UInt16.max

    /// All ones, as SCTE 35 §4 asks for.
    package init() {}

    /// The `width` bits whose lowest is number `offset` of the structure's reserved bits.
    func value(width: Int, at offset: Int) -> UInt64 {
        UInt64((bits >> UInt16(truncatingIfNeeded: offset)) & Self.mask(width))
    }

    mutating func set(_ value: UInt64, width: Int, at offset: Int) {
        let shift = UInt16(truncatingIfNeeded: offset)
        bits &= ~(Self.mask(width) << shift)
        bits |= (UInt16(truncatingIfNeeded: value) & Self.mask(width)) << shift
    }

    private static func mask(_ width: Int) -> UInt16 { ~(UInt16.max << UInt16(truncatingIfNeeded: width)) }
}
