/// Decoding of `%xx`, RFC 3986 §2.1.
enum PercentDecoding {
    /// The decoded bytes; nil for a bad escape, or for a NUL, control character or DEL, escaped or not.
    /// - Parameter plusIsSpace: as HTML forms write queries.
    static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool = false) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var position = bytes.startIndex
        while position < bytes.endIndex {
            var byte = bytes[position]
            position += 1
            if byte == ASCII.percent {
                guard bytes.endIndex - position >= 2, let high = ASCII.hexValue(bytes[position]),
                    let low = ASCII.hexValue(bytes[position + 1])
                else { return nil }
                byte = high << 4 | low
                position += 2
            } else if plusIsSpace, byte == UInt8(ascii: "+") {
                byte = ASCII.space
            }
            guard byte >= 0x20, byte != 0x7F else { return nil }
            result.append(byte)
        }
        return result
    }
}
