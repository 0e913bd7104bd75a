/// The 128 bits that a cipher begins a segment with, RFC 8216bis §5.2.
package struct InitializationVector: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// The implicit one: the media sequence number of the segment (rule 605).
    package init(mediaSequence: Int64) {
        high = 0
        low = UInt64(bitPattern: mediaSequence)
    }

    /// The bytes of a hexadecimal sequence. Fewer than sixteen are read as the lowest (origins leave out leading zeros); nil for
    /// more, unless they are zeros.
    package init?(_ bytes: [UInt8]) {
        let digits = bytes.drop { $0 == 0 }
        guard digits.count <= 16 else { return nil }
        var (high, low) = (UInt64(0), UInt64(0))
        for byte in digits {
            high = high << 8 | low >> 56
            low = low << 8 | UInt64(byte)
        }
        (self.high, self.low) = (high, low)
    }

    /// As EXT-X-KEY has it: `0x` and 32 digits.
    package var text: String {
        var output = PlaylistText()
        output.append(hexadecimal: high, digits: 16)
        var rest = PlaylistText()
        rest.append(hexadecimal: low, digits: 16)
        return output.string + rest.string.dropFirst(2)
    }

    /// The sixteen bytes, the highest first.
    package var bytes: [UInt8] {
        [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - $0 * 8)) } }
    }
}

extension MediaPlaylist {
    /// The IV of a segment under the key of the identity format; nil where it has no such key, or one without IV.
    package func initializationVector(ofSegmentAt index: Int) -> InitializationVector? {
        guard segments.indices.contains(index) else { return nil }
        let segment = segments[index]
        let key = keyGroups[segment.keyGroup].keys.first(where: \.isIdentity)
        return key?.initializationVector(ofSegment: segment.number, in: source)
    }
}
