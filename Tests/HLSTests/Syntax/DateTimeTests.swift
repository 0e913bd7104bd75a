import Testing

@testable import HLS

@Suite struct DateTimeTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0),
        ("1970-01-01T00:00:00.000000001Z", 1),
        ("1969-12-31T23:59:59.5Z", -500_000_000),
        ("2026-01-17T08:15:07.127Z", 1_768_637_707_127_000_000),
        ("2026-01-17T09:15:07.127+01:00", 1_768_637_707_127_000_000),
        ("2026-01-17T02:45:07,127-0530", 1_768_637_707_127_000_000),
        ("2026-01-17t09:15:07.127+01", 1_768_637_707_127_000_000),
        ("2026-01-17T08:15:07.127z", 1_768_637_707_127_000_000),
        ("2026-01-17 08:15:07.127 Z", 1_768_637_707_127_000_000),
        ("2026-01-17T08:15:07.127", 1_768_637_707_127_000_000),
        ("2026-01-17T08:15:07.1270000009999Z", 1_768_637_707_127_000_000),
        ("2024-02-29T00:00:00Z", 1_709_164_800_000_000_000),
        ("2000-03-01T00:00:00Z", 951_868_800_000_000_000),
        ("2016-12-31T23:59:60Z", 1_483_228_800_000_000_000),
        ("2016-12-31T24:00:00Z", 1_483_228_800_000_000_000),
        ("2017-01-01T14:00:00+14:00", 1_483_228_800_000_000_000),
        ("2016-12-31T12:00:00-12", 1_483_228_800_000_000_000),
        ("2000-02-29T24:00Z", 951_868_800_000_000_000),
    ])
    func `dates are read in any zone and with any fraction (rule 801)`(text: String, nanoseconds: Int) {
        #expect(DateTime(text)?.nanoseconds == Int64(nanoseconds))
    }

    @Test(arguments: [
        "", "2026", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
        "2026-04-31T00:00:00Z", "2026-01-01T25:00:00Z", "2026-01-01T00:60:00Z",
        "2026-01-01T00:00:00X", "2026-01-01T00:00:00+1", "9999-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "today",
        "2026-01-01T00:00:00Zjunk",
    ])
    func `what is no date, or out of range, is nil`(text: String) {
        #expect(DateTime(text) == nil)
    }

    @Test(arguments: [
        "2026-01-17T08:15:07.127Z", "1970-01-01T00:00:00.000Z", "1969-12-31T23:59:59.500Z", "2024-02-29T12:00:00.000Z",
        "2026-01-17T08:15:07.127500Z", "2026-01-17T08:15:07.000000001Z", "1700-01-01T00:00:00.000Z",
        "2099-12-31T23:59:59.999Z", "2000-02-29T00:00:00.000Z",
    ])
    func `dates are written with milliseconds, or as many digits as are needed`(text: String) throws {
        let date = try #require(DateTime(text))
        let expected = text.replacing("127500Z", with: "1275Z")
        #expect(date.formatted == expected)
        #expect(DateTime(date.formatted) == date)
    }

    @Test func `every day of four hundred years is read back as written`() throws {
        var date = try #require(DateTime("1850-01-01T11:22:33.004Z"))
        for _ in 0..<146_097 / 7 {
            #expect(DateTime(date.formatted) == date)
            date = date.advanced(by: .seconds(86_400 * 7))
        }
    }

    @Test func `arithmetic clamps and never traps`() {
        let last = DateTime(nanoseconds: .max)
        #expect(last.advanced(by: .seconds(10)) == last)
        #expect(DateTime(nanoseconds: .min).advanced(by: .seconds(-10)).nanoseconds == .min)
        #expect(last.advanced(by: .seconds(Int64.max)) == last)
        #expect(DateTime(nanoseconds: .min).duration(to: last) > .zero)
        _ = DateTime(nanoseconds: .min).formatted
        #expect(DateTime(nanoseconds: 5).duration(to: DateTime(nanoseconds: 2)) == .nanoseconds(-3))
    }
}
