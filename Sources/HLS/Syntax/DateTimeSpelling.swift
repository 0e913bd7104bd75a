/// How a date is spelled (its zone, its separators, the digits of its fraction), to write another date alike.
package struct DateTimeSpelling: Hashable, Sendable {
    /// The zone as spelled: "Z", "+01:00", "+0100", "+01" or nothing.
    private let zone: String
    /// Nanoseconds that local time is ahead of UTC.
    private let offset: Int64
    /// What stands between date and time, and before the fraction.
    private let separator: UInt8
    private let point: UInt8
    package let fractionDigits: Int

    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(bytes.span, in: 0..<bytes.count)
    }

    /// Nil where the bytes are no date.
    init?(_ bytes: Span<UInt8>, in range: Range<Int>) {
        let range = bytes.trimmed(range)
        guard let date = DateTime(bytes, in: range) else { return nil }
        let time = range.lowerBound + 11
        guard time < range.upperBound else {
            (zone, offset, separator, point, fractionDigits) = ("Z", 0, 0x54, 0x2E, 0)
            return
        }
        var end = time
        while end < range.upperBound, bytes[end].isDigit || [0x3A, 0x2E, 0x2C].contains(bytes[end]) { end += 1 }
        guard let local = DateTime(bytes, in: range.lowerBound..<end) else { return nil }
        zone = bytes.string(bytes.trimmed(end..<range.upperBound))
        offset = local.nanoseconds &- date.nanoseconds
        separator = bytes[time - 1]
        let mark = bytes.firstIndex(of: 0x2E, in: time..<end) ?? bytes.firstIndex(of: 0x2C, in: time..<end)
        point = mark.map { bytes[$0] } ?? 0x2E
        fractionDigits = mark.map { end - $0 - 1 } ?? 0
    }

    /// The date in this spelling; with more digits where it could not be told exactly otherwise.
    package func text(of date: DateTime) -> String {
        let (nanoseconds, overflow) = date.nanoseconds.addingReportingOverflow(offset)
        guard !overflow else { return date.formatted }
        let fields = DateTime(nanoseconds: nanoseconds).fields
        var output = PlaylistText()
        output.append(unsigned: fields.year.magnitude, minimumDigits: 4)
        output.append("-")
        output.append(unsigned: fields.month.magnitude, minimumDigits: 2)
        output.append("-")
        output.append(unsigned: fields.day.magnitude, minimumDigits: 2)
        output.append(byte: separator)
        output.append(unsigned: fields.hour.magnitude, minimumDigits: 2)
        output.append(":")
        output.append(unsigned: fields.minute.magnitude, minimumDigits: 2)
        output.append(":")
        output.append(unsigned: fields.second.magnitude, minimumDigits: 2)
        appendFraction(fields.nanosecond.magnitude, to: &output)
        return output.string + zone
    }

    private func appendFraction(_ nanoseconds: UInt64, to output: inout PlaylistText) {
        var (fraction, digits) = (nanoseconds, 9)
        while digits > fractionDigits, fraction % 10 == 0 {
            fraction /= 10
            digits -= 1
        }
        guard digits > 0 else { return }
        output.append(byte: point)
        output.append(unsigned: fraction, minimumDigits: digits)
        for _ in digits..<max(digits, min(fractionDigits, 18)) { output.append("0") }
    }
}
