/// CRC-32/MPEG-2 (ISO/IEC 13818-1 annex A): polynomial 0x04C11DB7, all ones first, nothing reflected or inverted.
package enum CRC32 {
    private static let table: [UInt32] = (0..<256).map { index in
        var value = UInt32(index) << 24
        for _ in 0..<8 { value = value & 0x8000_0000 == 0 ? value << 1 : (value << 1) ^ 0x04C1_1DB7 }
        return value
    }

    /// The checksum of `bytes`. Over a section that includes its own CRC_32 it is 0.
    package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        let table = table
        var value = UInt32.max
        for byte in bytes { value = (value << 8) ^ table[Int((value >> 24) ^ UInt32(byte))] }
        return value
    }
}
