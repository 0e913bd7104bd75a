import Testing

@testable import Conditioning

@Suite struct ContentKeyTests {
    /// FIPS 180-4 examples.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `the digest is the standard's`(message: String, digest: String) {
        let bytes = SHA256.digest(of: Array(message.utf8))
        #expect(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digest)
    }

    @Test func `another ad and each change of the ladder has a key of its own`() {
        let ladder = EncodingPlanTests.ladder()
        var longer = ladder
        longer.longestSegment = .seconds(3)
        var loud = ladder
        loud.loudness = -23
        var fragmented = ladder
        fragmented.container = .fragmentedMP4
        let ladders = [
            ladder, longer, loud, fragmented, EncodingPlanTests.ladder(["50/1"]),
            EncodingPlanTests.ladder(["25/1", "50/1"]),
        ]
        var keys = ladders.map { ContentKey(ad: "a", ladder: $0) }
        keys.append(ContentKey(ad: "b", ladder: ladder))
        #expect(Set(keys).count == keys.count)
        #expect(ContentKey(ad: "a", ladder: ladder) == keys[0])
        #expect(ContentKey(keys[0].text) == keys[0])
    }

    @Test(arguments: ["", "..", "ABCDEF00112233445566778899aabbcc", "0123", "0123456789abcdef0123456789abcde/"])
    func `what is no key is none`(text: String) { #expect(ContentKey(text) == nil) }
}
