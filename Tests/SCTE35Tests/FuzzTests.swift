import Testing

@testable import SCTE35

/// Broken and half-broken messages from a fixed seed. Whatever is read has to be written back as it came.
struct FuzzTests {
    private static let corpus: [[UInt8]] =
        Vector.all.compactMap { try? SpliceText.bytes($0.base64) }
        + Samples.commands.compactMap {
            try? SpliceInfoSection(command: $0, descriptors: Samples.descriptors).encoded()
        }

    @Test func `100,000 mutated messages are read or refused, and written back as they came`() {
        var random = Random(state: 35)
        var readable = 0
        for number in 0..<100_000 {
            let bytes = mutated(&random)
            guard let section = try? SpliceInfoSection(decoding: bytes, checksum: .ignored) else { continue }
            readable += 1
            guard let fault = fault(of: section, from: bytes) else { continue }
            Issue.record("mutation \(number), \(SpliceText.hexadecimal(bytes)): \(fault)")
            return
        }
        // Both ways have to be taken often for the run to mean something.
        #expect((20_000...95_000).contains(readable), "\(readable) were readable")
    }

    @Test func `20,000 mutated texts are read or refused`() {
        var random = Random(state: 64)
        let texts = Vector.all.flatMap { [$0.base64, $0.hex] }.map { Array($0.utf8) }
        for _ in 0..<20_000 {
            var text = texts[random.below(texts.count)]
            for _ in 0..<random.below(4) {
                text[random.below(text.count)] = UInt8(random.below(256))
            }
            text.removeLast(random.below(3))
            guard let bytes = try? SpliceText.bytes(characters: text) else { continue }
            #expect(bytes == (try? SpliceText.bytes(SpliceText.base64(bytes))))
            _ = try? SpliceInfoSection(decoding: bytes)
        }
    }

    private func fault(of section: SpliceInfoSection, from bytes: [UInt8]) -> String? {
        guard let written = try? section.encoded() else { return "not written" }
        guard written.dropLast(4) == bytes.prefix(written.count).dropLast(4) else {
            return "written as \(SpliceText.hexadecimal(written))"
        }
        guard (try? SpliceInfoSection(decoding: written)) == section else { return "read otherwise the second time" }
        for descriptor in section.segmentationDescriptors {
            guard let segmentation = descriptor.segmentation else { continue }
            guard !segmentation.upid.flattened.isEmpty else { return "no UPID" }
            guard segmentation.upid.text.utf8.count <= 2048 else { return "a text of endless length" }
        }
        return nil
    }

    private func mutated(_ random: inout Random) -> [UInt8] {
        let original = Self.corpus[random.below(Self.corpus.count)]
        // With lengths put right the inner parts are reached, without them the outer checks.
        let isMended = random.below(3) > 0
        var bytes = isMended ? original.dropLast(4) : original
        for _ in 0...random.below(4) { Self.mutate(&bytes, &random) }
        return isMended ? Samples.altered(bytes + [0, 0, 0, 0]) { _ in } : bytes
    }

    private static func mutate(_ bytes: inout [UInt8], _ random: inout Random) {
        guard !bytes.isEmpty else { return }
        let place = random.below(bytes.count)
        switch random.below(7) {
        case 0: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1: bytes[place] = UInt8(random.below(256))
        case 2: bytes[place] = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF][random.below(6)]
        case 3: bytes[place] &+= random.below(2) == 0 ? 1 : 0xFF
        case 4: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(4)))
        case 5: bytes.insert(contentsOf: (0...random.below(4)).map { _ in UInt8(random.below(256)) }, at: place)
        default:
            let other = corpus[random.below(corpus.count)]
            let start = random.below(other.count)
            bytes.replaceSubrange(place..., with: other[start...])
        }
    }
}

/// SplitMix64: the same numbers on every machine.
struct Random {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }
}
