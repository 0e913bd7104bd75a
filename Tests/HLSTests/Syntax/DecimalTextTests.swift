import Testing

@testable import HLS

@Suite struct DecimalTextTests {
    @Test(arguments: [
        ("10", 10, 0), ("6.006", 6, 6_000_000_000_000_000), ("0.1", 0, 100_000_000_000_000_000),
        ("-0.5", 0, -500_000_000_000_000_000), (" 5.5 ", 5, 500_000_000_000_000_000), ("5.", 5, 0),
        (".25", 0, 250_000_000_000_000_000), ("0.123456789012345678", 0, 123_456_789_012_345_678),
        ("0.1234567890123456789", 0, 123_456_789_012_345_678), ("9223372036854775807", Int.max, 0), ("+3", 3, 0),
    ])
    func `seconds are read exactly`(text: String, seconds: Int, attoseconds: Int) throws {
        let duration = try #require(DecimalText.duration(text))
        #expect(duration.components == (Int64(seconds), Int64(attoseconds)))
    }

    @Test(arguments: ["", ".", "-", "1e3", "1.2.3", "abc", "1 2", "9223372036854775808", "NaN", "0x10"])
    func `what is no number is nil`(text: String) {
        #expect(DecimalText.duration(text) == nil)
    }

    @Test(arguments: ["0", "10", "6.006", "0.000000000000000001", "-0.5", "-12.25", "9.009", "1000000.1"])
    func `the shortest text gives back the same duration`(text: String) throws {
        #expect(DecimalText.text(try #require(DecimalText.duration(text))) == text)
    }

    @Test(arguments: [
        ("6.0065", 3, "6.007"), ("6.0064", 3, "6.006"), ("0.9999", 3, "1.000"), ("2.5", 0, "3"),
        ("-0.0004", 3, "0.000"),
        ("-1.5", 0, "-2"), ("10", 5, "10.00000"), ("0.000000000000000001", 18, "0.000000000000000001"),
    ])
    func `rounding happens once, half away from zero`(text: String, digits: Int, expected: String) throws {
        let duration = try #require(DecimalText.duration(text))
        #expect(DecimalText.text(duration, fractionDigits: digits) == expected)
    }

    @Test func `sums of thirds of seconds stay exact`() throws {
        let duration = try #require(DecimalText.duration("10.010010010"))
        var sum = Duration.zero
        for _ in 0..<30_000 { sum += duration }
        #expect(DecimalText.text(sum) == "300300.3003")
    }

    @Test func `whole seconds round half up (rule 303)`() {
        #expect(Duration.milliseconds(6_499).roundedSeconds == 6)
        #expect(Duration.milliseconds(6_500).roundedSeconds == 7)
        #expect(Duration.milliseconds(-6_500).roundedSeconds == 0)
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(-Int64.max).wholeNanoseconds == .min)
    }
}
