/// When the media of a segment begin on their own clock: 90 kHz, 33 bits, as X-TIMESTAMP-MAP counts (RFC 8216bis §3.1.4).
package enum MediaTimestamps {
    /// The clock begins anew after so many ticks.
    package static let period: Int64 = 1 << 33

    /// The first presentation time stamp of a transport stream's video, else of its audio. ISO/IEC 13818-1 §2.4.3.7. Nil where the
    /// bytes hold none.
    package static func first(inTransportStream bytes: [UInt8]) -> Int64? {
        var audio: Int64?
        var start = 0
        while start + 188 <= bytes.count, bytes[start] == 0x47 {
            defer { start += 188 }
            guard let (isVideo, time) = timestamp(bytes[start..<(start + 188)]) else { continue }
            if isVideo { return time }
            audio = audio ?? time
        }
        return audio
    }

    /// Of a packet with which a packetized elementary stream packet begins.
    private static func timestamp(_ packet: ArraySlice<UInt8>) -> (isVideo: Bool, time: Int64)? {
        let bytes = Array(packet)
        guard bytes[1] & 0x40 != 0, bytes[3] & 0x10 != 0 else { return nil }
        var place = 4
        if bytes[3] & 0x20 != 0 { place += 1 + Int(bytes[4]) }
        guard place + 14 <= bytes.count, bytes[place] == 0, bytes[place + 1] == 0, bytes[place + 2] == 1 else {
            return nil
        }
        let stream = bytes[place + 3]
        let isVideo = (0xE0...0xEF).contains(stream)
        guard isVideo || (0xC0...0xDF).contains(stream) || stream == 0xBD, bytes[place + 7] & 0x80 != 0 else {
            return nil
        }
        let field = bytes[(place + 9)...(place + 13)].map(Int64.init)
        return (
            isVideo,
            (field[0] >> 1 & 7) << 30 | field[1] << 22 | (field[2] >> 1) << 15 | field[3] << 7 | field[4] >> 1
        )
    }

    /// The decode time of a fragment's first sample. ISO/IEC 14496-12 §8.8.12. Nil where the bytes do not hold the boxes.
    ///
    /// - Parameters:
    ///   - fragment: from the start of the segment.
    ///   - initialization: the initialization section, which tells the clock.
    package static func first(inFragment fragment: [UInt8], initialization: [UInt8]) -> Int64? {
        guard let header = box(["moov", "trak", "mdia", "mdhd"], in: initialization[...]),
            let decodeTime = box(["moof", "traf", "tfdt"], in: fragment[...]),
            let version = header.first, let timeVersion = decodeTime.first,
            let scale = number(header, at: version == 1 ? 20 : 12, bytes: 4), scale > 0,
            let time = number(decodeTime, at: 4, bytes: timeVersion == 1 ? 8 : 4)
        else { return nil }
        // Whole seconds and the rest apart: the product of a long stream's time and 90,000 may be too large.
        let (seconds, rest) = time.quotientAndRemainder(dividingBy: scale)
        return (seconds &* 90_000 &+ rest &* 90_000 / scale) & (period - 1)
    }

    /// The content of the first box on a path.
    private static func box(_ path: [String], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var content = bytes
        for name in path {
            guard let found = child(name, of: content) else { return nil }
            content = found
        }
        return content
    }

    private static func child(_ name: String, of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var place = bytes.startIndex
        while bytes.endIndex - place >= 8 {
            guard var size = number(bytes[place...], at: 0, bytes: 4) else { return nil }
            var head = 8
            if size == 1 {
                guard let large = number(bytes[place...], at: 8, bytes: 8) else { return nil }
                size = large
                head = 16
            } else if size == 0 {
                size = Int64(bytes.endIndex - place)
            }
            guard size >= head else { return nil }
            // The last box may go on behind what was read.
            let end = size > bytes.endIndex - place ? bytes.endIndex : place + Int(size)
            guard place + head <= end else { return nil }
            if bytes[(place + 4)..<(place + 8)].elementsEqual(name.utf8) { return bytes[(place + head)..<end] }
            place = end
        }
        return nil
    }

    /// A number of up to 63 bits, most significant byte first; nil where it does not fit.
    private static func number(_ bytes: ArraySlice<UInt8>, at offset: Int, bytes count: Int) -> Int64? {
        let start = bytes.startIndex + offset
        guard start + count <= bytes.endIndex else { return nil }
        var value: UInt64 = 0
        for byte in bytes[start..<(start + count)] { value = value << 8 | UInt64(byte) }
        return Int64(exactly: value)
    }
}
