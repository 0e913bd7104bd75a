import Testing

@testable import Stitching

/// When media begin on their own clock, from their first kilobytes.
struct MediaTimestampTests {
    /// A packet that begins an elementary stream's packet.
    static func packet(stream: UInt8, timestamp: Int64, hasAdaptation: Bool = false) -> [UInt8] {
        var bytes: [UInt8] = [0x47, 0x41, 0x00, hasAdaptation ? 0x30 : 0x10]
        if hasAdaptation { bytes += [7, 0x50, 0, 0, 0, 0, 0, 0] }
        bytes += [0, 0, 1, stream, 0, 0, 0x80, 0x80, 5]
        let t = UInt64(timestamp)
        bytes += [
            UInt8(0x21 | (t >> 29 & 0x0E)), UInt8(t >> 22 & 0xFF), UInt8(t >> 14 & 0xFE | 1), UInt8(t >> 7 & 0xFF),
            UInt8(t << 1 & 0xFE | 1),
        ]
        return bytes + [UInt8](repeating: 0xFF, count: 188 - bytes.count)
    }

    static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let size = content.count + 8
        return [UInt8(size >> 24 & 0xFF), UInt8(size >> 16 & 0xFF), UInt8(size >> 8 & 0xFF), UInt8(size & 0xFF)]
            + Array(name.utf8) + content
    }

    static func number(_ value: Int64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(value >> Int64($0 * 8) & 0xFF) }
    }

    static func initialization(timescale: Int64) -> [UInt8] {
        box("ftyp", [0, 0, 0, 0])
            + box(
                "moov", box("mvhd", [0]) + box("trak", box("mdia", box("mdhd", number(0, 12) + number(timescale, 4)))))
    }

    static func fragment(_ time: Int64, version: UInt8) -> [UInt8] {
        box("styp", []) + box("sidx", [UInt8](repeating: 0, count: 20))
            + box(
                "moof",
                box("mfhd", number(0, 8))
                    + box(
                        "traf",
                        box("tfhd", number(0, 8))
                            + box("tfdt", [version, 0, 0, 0] + number(time, version == 1 ? 8 : 4))))
    }

    @Test(arguments: [0, 126_000, 900_000, (1 << 33) - 1])
    func `a transport stream tells by its video, else by its audio`(time: Int64) {
        let audio = Self.packet(stream: 0xC0, timestamp: 5)
        let video = Self.packet(stream: 0xE0, timestamp: time, hasAdaptation: true)
        #expect(MediaTimestamps.first(inTransportStream: audio + video) == time)
        #expect(MediaTimestamps.first(inTransportStream: audio) == 5)
        #expect(MediaTimestamps.first(inTransportStream: Array(video.dropLast())) == nil)
        #expect(MediaTimestamps.first(inTransportStream: []) == nil)
    }

    @Test func `a fragment tells by its decode time and the clock of its initialization section`() {
        let head = Self.initialization(timescale: 12_800)
        #expect(MediaTimestamps.first(inFragment: Self.fragment(128_000, version: 0), initialization: head) == 900_000)
        // Forty hours: the 33 bits have gone round once.
        let long = Self.fragment(12_800 * 144_000, version: 1)
        #expect(
            MediaTimestamps.first(inFragment: long, initialization: head) == Int64(144_000) * 90_000 & ((1 << 33) - 1))
        #expect(MediaTimestamps.first(inFragment: long, initialization: []) == nil)
        #expect(MediaTimestamps.first(inFragment: head, initialization: head) == nil)
        #expect(
            MediaTimestamps.first(
                inFragment: Self.fragment(1, version: 0), initialization: Self.initialization(timescale: 0)) == nil)
    }

    @Test func `bytes of all kinds are read without harm`() {
        var generator = SeededGenerator(seed: 7)
        let head = Self.initialization(timescale: 90_000)
        let fragment = Self.fragment(1 << 40, version: 1)
        let stream = Self.packet(stream: 0xE0, timestamp: 7, hasAdaptation: true)
        for _ in 0..<5_000 {
            var bytes = [head, fragment, stream + stream].randomElement(using: &generator) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
            _ = MediaTimestamps.first(inTransportStream: bytes)
            _ = MediaTimestamps.first(inFragment: bytes, initialization: bytes)
            _ = MediaTimestamps.first(inFragment: fragment, initialization: bytes)
        }
    }
}
