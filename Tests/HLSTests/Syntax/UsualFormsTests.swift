import Testing

@testable import HLS

/// The usual forms have to mean the same read several bytes at a step and read one by one.
@Suite struct UsualFormsTests {
    /// Numbers from a fixed seed.
    struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
            return value ^ value >> 31
        }
    }

    private static let padding = String(repeating: "#", count: 48)

    private func duration(_ text: String) -> (nanoseconds: Int64, comma: Int)? {
        let bytes = Array((text + Self.padding).utf8)
        return bytes.span.usualDuration(at: 0)
    }

    private func date(_ text: String, _ day: inout UsualDay) -> (nanoseconds: Int64, end: Int)? {
        let bytes = Array((text + Self.padding).utf8)
        return bytes.span.usualDate(at: 0, &day)
    }

    private func digits(_ count: Int, _ numbers: inout Numbers) -> String {
        (0..<count).map { _ in String(Int.random(in: 0...9, using: &numbers)) }.joined()
    }

    // MARK: Durations

    @Test func `a usual duration is what its text says, to the nanosecond`() throws {
        var numbers = Numbers(state: 1)
        for _ in 0..<20_000 {
            let whole = digits(Int.random(in: 1...7, using: &numbers), &numbers)
            let count = Int.random(in: -1...7, using: &numbers)
            let text = whole + (count < 0 ? "" : "." + digits(count, &numbers))
            let read = try #require(duration(text + ","), "\(text)")
            #expect(Duration.nanoseconds(read.nanoseconds) == DecimalText.duration(text), "\(text)")
            #expect(read.comma == text.utf8.count)
        }
    }

    @Test(arguments: [
        "", ",", ".5,", "6", "6 ,", " 6,", "+6,", "-6,", "6..0,", "6.0.0,", "6;", "6.,0x", "12345678,", "0.12345678,",
        "6.00600000,",
        "6e3,", "6.0\t,", "\u{0}6,", "6.0\u{FF}", "٦,",
    ])
    func `any other duration is left to the general reader`(text: String) {
        let read = duration(text)
        if let read {
            #expect(
                text.utf8.dropFirst(read.comma).first == 0x2C
                    && DecimalText.duration(String(text.prefix(read.comma))) != nil)
        }
        if !text.hasPrefix("6.,") { #expect(read == nil) }
    }

    @Test func `no byte that is no digit is taken for one`() {
        for byte in UInt8.min...UInt8.max where !byte.isDigit && byte != 0x2C && byte != 0x2E {
            for position in 0..<5 {
                var bytes = Array("6.006,".utf8) + Array(Self.padding.utf8)
                bytes[position] = byte
                #expect(bytes.span.usualDuration(at: 0) == nil, "\(byte) at \(position)")
            }
        }
    }

    @Test func `nothing is read where the bytes end`() {
        let bytes = Array("6.006,2026-01-17T08:15:07.127Z".utf8)
        var day = UsualDay()
        for position in [-1, 7, bytes.count - 1, bytes.count, bytes.count + 1, .max, .min] {
            #expect(bytes.span.usualDuration(at: position) == nil)
            #expect(bytes.span.usualDate(at: position, &day) == nil)
            #expect(bytes.span.usualLineEnd(at: position) == nil)
            #expect(position == 7 || bytes.span.word(at: position) == nil)
        }
        #expect([UInt8]().span.word(at: 0) == nil)
    }

    // MARK: Dates

    @Test func `a usual date is the same point as the general reader's`() throws {
        var numbers = Numbers(state: 2)
        var day = UsualDay()
        func two(_ range: ClosedRange<Int>, _ numbers: inout Numbers) -> String {
            let value = Int.random(in: range, using: &numbers)
            return value < 10 ? "0\(value)" : "\(value)"
        }
        var read = 0
        for _ in 0..<40_000 {
            // Now and then a value that does not exist, and a day that came before.
            let year = Bool.random(using: &numbers) ? "2026" : "\(Int.random(in: 1600...2300, using: &numbers))"
            var text = "\(year)-\(two(0...13, &numbers))-\(two(0...32, &numbers))T"
            text += "\(two(0...25, &numbers)):\(two(0...61, &numbers)):\(two(0...61, &numbers))"
            let count = Int.random(in: -1...9, using: &numbers)
            if count >= 0 { text += "." + digits(count, &numbers) }
            text +=
                ["Z", "+00:00", "-05:00", "+0530", "+14:00", "-1200", "+24:00", "+01:60", "z", "", "+01", " Z"]
                .randomElement(using: &numbers) ?? ""
            for _ in 0..<2 {
                let general = DateTime(text)
                guard let usual = date(text + "\n", &day) else { continue }
                read += 1
                #expect(DateTime(nanoseconds: usual.nanoseconds) == general, "\(text)")
                #expect(usual.end == text.utf8.count, "\(text)")
            }
        }
        #expect(read > 20_000)
    }

    @Test(arguments: [
        "2026-01-17T08:15:07.127Z", "2026-01-17T08:15:07Z", "2026-01-17T23:59:59.9999999Z",
        "2026-01-17T08:15:07.127+01:00",
        "2026-01-17T08:15:07.127-0330", "1970-01-01T00:00:00.000Z", "2024-02-29T00:00:00.5Z",
    ])
    func `the spellings of packagers are usual`(text: String) throws {
        var day = UsualDay()
        let read = try #require(date(text + "\n", &day))
        #expect(DateTime(nanoseconds: read.nanoseconds) == DateTime(text))
    }

    @Test(arguments: [
        "2026-01-17t08:15:07Z", "2026-01-17 08:15:07Z", "2026-01-17T08:15:07z", "2026-01-17T08:15:60Z",
        "2026-01-17T24:00:00Z",
        "2026-01-17T08:15:07,5Z", "2026-01-17T08:15:07.12345678Z", "2026-01-17T08:15Z", "2026-02-29T08:15:07Z",
        "2026-01-17T08-15:07Z", "2026-01-17T08:15:07", "2262-04-11T23:47:16.8547759Z", "0000-00-00T00:00:00Z",
        "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}08:15:07Z",
    ])
    func `any other date is left to the general reader`(text: String) {
        var day = UsualDay()
        #expect(date(text + "\n", &day) == nil)
    }

    // MARK: Lines

    @Test func `a line feed is found at every place`() {
        for length in 0..<70 {
            for feed in 0...length {
                var bytes = [UInt8](repeating: 0x0B, count: length)
                if feed < length { bytes[feed] = 0x0A }
                if feed + 1 < length { bytes[feed + 1] = 0x0A }
                for start in 0...feed { #expect(bytes.span.lineFeed(from: start, to: length) == feed) }
                #expect(bytes.span.lineFeed(from: 0, to: max(feed - 1, 0)) == max(feed - 1, 0))
                #expect(bytes.span.lineFeed(from: -5, to: .max) == feed)
            }
        }
    }

    @Test func `a line ends behind its text at LF or CR LF`() {
        let bytes = Array("a\nb\r\nc\r d".utf8)
        #expect(bytes.span.usualLineEnd(at: 1) == 1)
        #expect(bytes.span.usualLineEnd(at: 3) == 4)
        #expect(bytes.span.usualLineEnd(at: 6) == nil)
        #expect(bytes.span.usualLineEnd(at: 0) == nil)
    }
}
