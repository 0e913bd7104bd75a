import Testing

@testable import Stitching

@Suite struct TransportStreamCodecsTests {
    /// A packet that holds one section whole, its checksum left zero.
    private func packet(pid: Int, _ section: [UInt8]) -> [UInt8] {
        let bytes: [UInt8] = [0x47, 0x40 | UInt8(pid >> 8), UInt8(pid & 0xFF), 0x10, 0] + section + [0, 0, 0, 0]
        return bytes + [UInt8](repeating: 0xFF, count: 188 - bytes.count)
    }

    private func stream(_ types: [UInt8]) -> [UInt8] {
        let streams = types.flatMap { [$0, 0xE1, 0x00, 0xF0, 0x02, 0x0A, 0x00] as [UInt8] }
        let association: [UInt8] = [0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xF0, 0x00]
        let map: [UInt8] = [2, 0xB0, UInt8(13 + streams.count), 0, 1, 0xC1, 0, 0, 0xE1, 0x00, 0xF0, 0x00]
        return packet(pid: 17, [0x42, 0xB0, 4]) + packet(pid: 0, association) + packet(pid: 4096, map + streams)
    }

    @Test func `the program map tells the codecs`() {
        #expect(TransportStreamCodecs.names(in: stream([0x1B, 0x0F])) == ["avc1", "mp4a"])
        #expect(TransportStreamCodecs.names(in: stream([0x24, 0x0F, 0x15])) == ["hvc1", "mp4a"])
        #expect(TransportStreamCodecs.names(in: stream([0x1B])) == ["avc1"])
    }

    @Test func `nothing is told where a stream is of an unknown kind or there is no map`() {
        #expect(TransportStreamCodecs.names(in: stream([0x1B, 0x06])) == nil)
        #expect(TransportStreamCodecs.names(in: stream([])) == nil)
        #expect(TransportStreamCodecs.names(in: []) == nil)
        #expect(TransportStreamCodecs.names(in: Array("<html>".utf8)) == nil)
    }

    @Test func `damaged tables are survived`() {
        let whole = stream([0x1B, 0x0F])
        for length in 0..<whole.count { _ = TransportStreamCodecs.names(in: Array(whole[..<length])) }
        for position in whole.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var damaged = whole
                damaged[position] = value
                _ = TransportStreamCodecs.names(in: damaged)
            }
        }
    }
}
