import Testing

@testable import HLS

@Suite struct DateTimeSpellingTests {
    @Test(arguments: [
        "2026-01-17T08:15:07.127Z", "2026-01-17T08:15:07.127+08:00", "2026-01-17T08:15:07.1-0330",
        "2026-01-17t08:15:07z",
        "2026-01-17T08:15:07,127000+01", "2026-01-17 08:15:07.000000000", "2024-02-29T23:59:59.999999999Z",
        "2026-01-17T08:15:07.127",
    ])
    func `a date in its own spelling is what was read (rule 801)`(text: String) throws {
        let date = try #require(DateTime(text))
        #expect(DateTimeSpelling(text)?.text(of: date) == text)
    }

    @Test func `another date is written alike, with more digits where it needs them (rule 801)`() throws {
        let spelling = try #require(DateTimeSpelling("2026-12-31T23:59:59.50-0100"))
        let date = try #require(DateTime("2027-01-01T00:59:59.5Z"))
        #expect(spelling.fractionDigits == 2)
        #expect(spelling.text(of: date) == "2026-12-31T23:59:59.50-0100")
        #expect(spelling.text(of: date.advanced(by: .milliseconds(500))) == "2027-01-01T00:00:00.00-0100")
        #expect(spelling.text(of: date.advanced(by: .nanoseconds(1))) == "2026-12-31T23:59:59.500000001-0100")
        #expect(DateTimeSpelling("2026-01-17")?.text(of: date) == "2027-01-01T00:59:59.5Z")
        #expect(DateTimeSpelling("x") == nil)
    }
}
