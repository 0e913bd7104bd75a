import Testing

@testable import Conditioning

@Suite struct FrameRateTests {
    @Test(arguments: [
        (25_000, "25/1"), (29_970, "30000/1001"), (23_976, "24000/1001"), (59_940, "60000/1001"),
        (12_500, "12500/1000"),
        (30_000, "30/1"),
    ])
    func `a playlist's rate is the fraction that is meant`(thousandths: Int, text: String) {
        #expect(FrameRate(thousandths: thousandths)?.text == text)
    }

    @Test(arguments: ["0/0", "0/1", "25/0", "-25/1", "x", "25/1/1", "1/2", "100000/1", ""])
    func `a rate that cannot be is none`(text: String) { #expect(FrameRate(text) == nil) }

    @Test func `pictures are counted to the nearest one`() throws {
        let rate = try #require(FrameRate("30000/1001"))
        #expect(rate.count(nearestTo: .seconds(10)) == 300)
        #expect(rate.count(within: .seconds(2)) == 59)
        #expect(rate.count(covering: .seconds(2)) == 60)
        #expect(FrameRate("48000/1024")?.count(covering: .seconds(16)) == 750)
        #expect(rate.count(nearestTo: rate.duration(of: 899)) == 899)
        #expect(FrameRate("25/1")?.count(nearestTo: .milliseconds(7_300)) == 183)
    }

    @Test(arguments: [
        ("7.300000", 7_300_000), ("10", 10_000_000), ("0.021333", 21_333), ("1.5", 1_500_000), ("3.1234567", 3_123_456),
    ])
    func `seconds are read to the microsecond`(text: String, microseconds: Int) {
        #expect(Duration(secondsText: text) == .microseconds(microseconds))
    }

    @Test(arguments: ["N/A", "-1.0", "", "99999999999999999999", "1.-5", "1.+5", "90000", "."])
    func `what is no length of a file is none`(text: String) { #expect(Duration(secondsText: text) == nil) }

    @Test func `seconds are written with six decimals`() {
        #expect(Duration.microseconds(1_839_000).secondsText == "1.839000")
        #expect(Duration.seconds(2).secondsText == "2.000000")
        #expect((Duration.zero - .seconds(1)).secondsText == "0.000000")
    }
}
