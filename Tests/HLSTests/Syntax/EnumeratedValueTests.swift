import Testing

@testable import HLS

@Suite struct EnumeratedValueTests {
    private enum Sample: String, Hashable, Sendable { case one = "ONE" }

    private func value(_ text: String) -> AttributeValue {
        AttributeValue(source: Array(text.utf8), range: 0..<text.utf8.count, isQuoted: false)
    }

    @Test func `a value that is not in the standard keeps its spelling`() {
        #expect(EnumeratedValue<Sample>("ONE") == .known(.one))
        #expect(EnumeratedValue<Sample>("One") == .unknown("One"))
        #expect(EnumeratedValue<Sample>("One").text == "One")
        #expect(EnumeratedValue<Sample>("ONE").text == "ONE")
        #expect(EnumeratedValue<Sample>("One").known == nil)
    }

    @Test func `lists lose the blanks around their items and empty items`() {
        #expect(value("a, b ,,c").list() == ["a", "b", "c"])
        #expect(value("").list().isEmpty)
        #expect(value("a/b,c").list(separator: 0x2F) == ["a", "b,c"])
    }

    @Test func `decimal numbers are exact and compare`() throws {
        let number = try #require(value("29.970").decimal)
        #expect(number == DecimalNumber(29, thousandths: 970))
        #expect(number.description == "29.97")
        #expect(number < DecimalNumber(30))
        #expect(value("fast").decimal == nil)
    }
}
