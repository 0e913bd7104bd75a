import HLS
import Testing

@testable import Server
@testable import Stitching

struct StateCodingTests {
    private struct Sample: Codable, Equatable {
        enum Choice: Codable, Equatable { case one, two(Int, name: String), three(Duration) }
        var small: UInt8 = 200
        var large = UInt64.max
        var negative = Int64.min
        var text = "é"
        var none: String?
        var some: Int? = 0
        var bytes: [UInt8] = [0, 1, 255]
        var durations: [Duration] = [.zero, .nanoseconds(-1), .seconds(1_000_000_000_000), Duration(attoseconds: 7)]
        var choices: [Choice] = [.one, .two(-3, name: ""), .three(.milliseconds(1))]
        var byKey: [RenditionKey: [String: Bool]] = [RenditionKey("v0"): ["a": true, "b": false]]
        var range = 3..<9
        var kind = TagKind.cueOut
        var half = 0.5
    }

    @Test func `every kind of value comes back`() throws {
        let bytes = try StateEncoder().bytes(Sample())
        #expect(try StateDecoder().value(Sample.self, from: bytes) == Sample())
    }

    private struct Dictionaries: Codable, Equatable {
        var byKey: [RenditionKey: [Int]]
        var byText: [String: Int]
        var byNumber: [Int: String]

        /// - Parameter capacity: dictionaries of another one have another order.
        init(capacity: Int) {
            byKey = Dictionary(minimumCapacity: capacity)
            byText = Dictionary(minimumCapacity: capacity)
            byNumber = Dictionary(minimumCapacity: capacity)
            for number in 0..<20 {
                byKey[RenditionKey("v\(number)")] = [number]
                byText["\(number)"] = number
                byNumber[number] = "\(number)"
            }
        }
    }

    @Test func `dictionaries that are alike have the same bytes, in whatever order they are`() throws {
        let (narrow, wide) = (Dictionaries(capacity: 20), Dictionaries(capacity: 5_000))
        try #require(Array(narrow.byKey.keys) != Array(wide.byKey.keys))
        let bytes = try StateEncoder().bytes(narrow)
        #expect(try StateEncoder().bytes(wide) == bytes)
        #expect(try StateDecoder().value(Dictionaries.self, from: bytes) == narrow)
    }

    private final class Shared: Codable {
        let number: Int
        init(_ number: Int) { self.number = number }
    }

    @Test func `an object in several places is written once, and is one again`() throws {
        let (one, two) = (Shared(1), Shared(2))
        let bytes = try StateEncoder().bytes([one, two, one, one])
        let read = try StateDecoder().value([Shared].self, from: bytes)
        #expect(read.map(\.number) == [1, 2, 1, 1])
        #expect(read[0] === read[2] && read[0] === read[3])
    }

    @Test func `what is kept elsewhere is a name`() throws {
        let shared = Shared(7)
        let encoder = StateEncoder { value in (value as? Shared).map { "n\($0.number)" } }
        let bytes = try encoder.bytes([shared])
        let read = try StateDecoder { _, name in name == "n7" ? shared : nil }.value([Shared].self, from: bytes)
        #expect(read.first === shared)
        #expect(throws: DecodingError.self) { try StateDecoder().value([Shared].self, from: bytes) }
    }

    private struct Older: Codable { var text: String }
    private struct Newer: Codable {
        var added: Int?
        var text: String
    }

    @Test func `a later version reads what an earlier one wrote, and the other way round`() throws {
        let older = try StateEncoder().bytes(Older(text: "a"))
        #expect(try StateDecoder().value(Newer.self, from: older).text == "a")
        let newer = try StateEncoder().bytes(Newer(added: 1, text: "b"))
        #expect(try StateDecoder().value(Older.self, from: newer).text == "b")
    }

    @Test func `damaged bytes are refused, whatever is changed in them`() throws {
        let bytes = try StateEncoder().bytes(Sample())
        for length in 0..<bytes.count {
            #expect(throws: (any Error).self) {
                try StateDecoder().value(Sample.self, from: Array(bytes[..<length]))
            }
        }
        for place in bytes.indices {
            for change: UInt8 in [1, 0x80, 0xFF] {
                var damaged = bytes
                damaged[place] ^= change
                _ = try? StateDecoder().value(Sample.self, from: damaged)
            }
        }
        #expect(throws: StateFormatError.self) { try StateNode.parse(Array(repeating: 7, count: 100_000)) }
    }
}

struct JournalEntryTests {
    private let key = RenditionKey("v0")

    private func playlist(_ numbers: Range<Int>) -> [UInt8] {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:\(numbers.lowerBound)\n"
        for number in numbers { text += "#EXTINF:2.000,\nseg-\(number).ts\n" }
        return Array(text.utf8)
    }

    @Test func `a window that slides is a few bytes`() throws {
        let (before, after) = (playlist(98..<198), playlist(99..<199))
        let entry = JournalEntry(after, of: key, at: "http://o/a", base: before)
        #expect(entry.playlist(base: before) == after)
        #expect(try StateEncoder().bytes(entry).count < 200)
    }

    @Test(arguments: [(0..<0, 0..<3), (0..<3, 0..<0), (0..<3, 10..<13), (0..<3, 0..<3), (5..<9, 3..<7)])
    func `any playlist can follow on any other`(before: Range<Int>, after: Range<Int>) {
        let entry = JournalEntry(playlist(after), of: key, at: "", base: playlist(before))
        #expect(entry.playlist(base: playlist(before)) == playlist(after))
    }

    @Test func `an entry on another playlist than it was made from is refused, or another playlist`() {
        let entry = JournalEntry(playlist(9..<19), of: key, at: "", base: playlist(8..<18))
        #expect(entry.playlist(base: []) == nil)
    }
}
