/// What the program tables of a transport stream say of its formats. ISO/IEC 13818-1 §2.4.4.
///
/// For media whose playlists do not say their codecs. Only tables that fit into one packet are read, as all but odd ones do.
package enum TransportStreamCodecs {
    private static let packetLength = 188

    /// Names as in CODECS, without profiles, of the elementary streams of the first program; nil where there is no program map
    /// in the bytes, or one with a stream of a kind that is not known.
    package static func names(in bytes: [UInt8]) -> [String]? {
        var mapPID: Int?
        var start = 0
        while start + packetLength <= bytes.count, bytes[start] == 0x47 {
            let packet = bytes[start..<(start + packetLength)]
            start += packetLength
            guard let (pid, section) = section(Array(packet)) else { continue }
            if pid == 0, mapPID == nil {
                mapPID = firstMap(section)
            } else if pid == mapPID {
                return streams(section)
            }
        }
        return nil
    }

    /// The section that begins in a packet, up to its checksum.
    private static func section(_ packet: [UInt8]) -> (pid: Int, bytes: [UInt8])? {
        guard packet[1] & 0x40 != 0, packet[3] & 0x10 != 0 else { return nil }
        let pid = Int(packet[1] & 0x1F) << 8 | Int(packet[2])
        var position = 4
        if packet[3] & 0x20 != 0 { position += 1 + Int(packet[4]) }
        guard position < packet.count else { return nil }
        position += 1 + Int(packet[position])
        guard position + 3 <= packet.count else { return nil }
        let length = Int(packet[position + 1] & 0x0F) << 8 | Int(packet[position + 2])
        guard length >= 4, position + 3 + length <= packet.count else { return nil }
        return (pid, Array(packet[position..<(position + 3 + length - 4)]))
    }

    /// The PID of the first program's map in a program association section.
    private static func firstMap(_ section: [UInt8]) -> Int? {
        guard section.first == 0 else { return nil }
        for position in stride(from: 8, to: section.count - 3, by: 4)
        where section[position] != 0 || section[position + 1] != 0 {
            return Int(section[position + 2] & 0x1F) << 8 | Int(section[position + 3])
        }
        return nil
    }

    private static func streams(_ section: [UInt8]) -> [String]? {
        guard section.count >= 12, section[0] == 2 else { return nil }
        var names: [String] = []
        var position = 12 + (Int(section[10] & 0x0F) << 8 | Int(section[11]))
        while position + 5 <= section.count {
            switch section[position] {
            case 0x10: names.append("mp4v")
            case 0x1B, 0xDB: names.append("avc1")
            case 0x24: names.append("hvc1")
            case 0x03, 0x04: names.append("mp3")
            case 0x0F, 0x11, 0xCF: names.append("mp4a")
            case 0x81, 0xC1: names.append("ac-3")
            case 0x87, 0xC2: names.append("ec-3")
            // Timed metadata and splice information.
            case 0x15, 0x86: break
            default: return nil
            }
            position += 5 + (Int(section[position + 3] & 0x0F) << 8 | Int(section[position + 4]))
        }
        return names.isEmpty ? nil : names
    }
}
