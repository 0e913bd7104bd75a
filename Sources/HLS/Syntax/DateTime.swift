/// A point on the wall clock, in nanoseconds since 1970-01-01T00:00:00Z. Years 1678 to 2261.
package struct DateTime: Hashable, Comparable, Sendable, Codable {
    /// Nanoseconds since 1970 in UTC, leap seconds not counted.
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func < (left: DateTime, right: DateTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The point `duration` later (earlier if negative), to the nanosecond, clamped to the years that exist here.
    package func advanced(by duration: Duration) -> DateTime {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.wholeNanoseconds)
        return DateTime(nanoseconds: overflow ? (duration < .zero ? .min : .max) : sum)
    }

    /// The time from here to `other`, negative if `other` is earlier.
    package func duration(to other: DateTime) -> Duration {
        Duration(attoseconds: (Int128(other.nanoseconds) - Int128(nanoseconds)) * 1_000_000_000)
    }

    /// ISO 8601 in UTC with milliseconds, or as many digits as are needed: "2026-01-17T08:15:07.127Z". Rule 801.
    package var formatted: String {
        var output = PlaylistText()
        output.append(self)
        return output.string
    }
}

// Reading.
extension DateTime {
    /// Reads ISO 8601 as origins write it: any zone, with or without its colon, `t` and `z` in lower case, a comma before
    /// the fraction, any number of its digits (beyond nanoseconds they are dropped). Without a zone it is UTC.
    package init?(parsing bytes: some Collection<UInt8>) {
        let copy = Array(bytes)
        self.init(copy.span, in: 0..<copy.count)
    }

    package init?(_ text: String) {
        self.init(parsing: text.utf8)
    }

    init?(_ bytes: Span<UInt8>, in range: Range<Int>) {
        var reader = Reader(range: bytes.trimmed(range))
        guard let year = reader.number(bytes, digits: 4), reader.take(0x2D, bytes),
            let month = reader.number(bytes, digits: 2), reader.take(0x2D, bytes),
            let day = reader.number(bytes, digits: 2), (1...12).contains(month),
            (1...Self.days(inMonth: month, year: year)).contains(day)
        else { return nil }
        var seconds = Self.daysSinceEpoch(year: year, month: month, day: day) * 86_400
        var fraction: Int64 = 0
        if !reader.isAtEnd {
            guard reader.takeTimeSeparator(bytes), let hour = reader.number(bytes, digits: 2), hour <= 24,
                reader.take(0x3A, bytes), let minute = reader.number(bytes, digits: 2), minute < 60
            else { return nil }
            seconds += hour * 3_600 + minute * 60
            if reader.take(0x3A, bytes) {
                // 60 is a leap second: it is read as the first of the next minute.
                guard let second = reader.number(bytes, digits: 2), second <= 60 else { return nil }
                seconds += second
                if reader.take(0x2E, bytes) || reader.take(0x2C, bytes) { fraction = reader.nanoseconds(bytes) }
            }
            guard let offset = reader.zone(bytes) else { return nil }
            seconds -= offset
        }
        guard reader.isAtEnd else { return nil }
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = product.addingReportingOverflow(fraction)
        if overflow || carry { return nil }
        nanoseconds = sum
    }

    private struct Reader {
        var position: Int
        let end: Int

        init(range: Range<Int>) {
            position = range.lowerBound
            end = range.upperBound
        }

        var isAtEnd: Bool { position == end }

        mutating func take(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
            guard position < end, bytes[position] == byte else { return false }
            position += 1
            return true
        }

        mutating func takeTimeSeparator(_ bytes: Span<UInt8>) -> Bool {
            take(0x54, bytes) || take(0x74, bytes) || take(0x20, bytes)
        }

        mutating func number(_ bytes: Span<UInt8>, digits: Int) -> Int64? {
            guard end - position >= digits else { return nil }
            var value: Int64 = 0
            for _ in 0..<digits {
                guard bytes[position].isDigit else { return nil }
                value = value * 10 + Int64(bytes[position] &- 0x30)
                position += 1
            }
            return value
        }

        /// The digits of a fraction of a second.
        mutating func nanoseconds(_ bytes: Span<UInt8>) -> Int64 {
            var value: Int64 = 0
            var scale: Int64 = 100_000_000
            while position < end, bytes[position].isDigit {
                value += Int64(bytes[position] &- 0x30) * scale
                scale /= 10
                position += 1
            }
            return value
        }

        /// Seconds east of Greenwich.
        mutating func zone(_ bytes: Span<UInt8>) -> Int64? {
            while take(0x20, bytes) {}
            if isAtEnd || take(0x5A, bytes) || take(0x7A, bytes) { return 0 }
            let isWest = take(0x2D, bytes)
            guard isWest || take(0x2B, bytes), let hours = number(bytes, digits: 2), hours < 24 else { return nil }
            _ = take(0x3A, bytes)
            var minutes: Int64 = 0
            if !isAtEnd {
                guard let value = number(bytes, digits: 2), value < 60 else { return nil }
                minutes = value
            }
            let offset = hours * 3_600 + minutes * 60
            return isWest ? -offset : offset
        }
    }
}

// The proleptic Gregorian calendar.
extension DateTime {
    struct Fields {
        var year: Int64
        var month: Int64
        var day: Int64
        var hour: Int64
        var minute: Int64
        var second: Int64
        var nanosecond: Int64
    }

    var fields: Fields {
        let billion: Int64 = 1_000_000_000
        let seconds = Self.floorDivide(nanoseconds, billion)
        let days = Self.floorDivide(seconds, 86_400)
        let secondOfDay = seconds - days * 86_400
        // Years are counted from March, so that the leap day is the last of its year.
        let shifted = days + 719_468
        let era = Self.floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return Fields(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, hour: secondOfDay / 3_600,
            minute: secondOfDay / 60 % 60, second: secondOfDay % 60,
            nanosecond: nanoseconds &- seconds &* billion)
    }

    private static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func days(inMonth month: Int64, year: Int64) -> Int64 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = floorDivide(shiftedYear, 400)
        let yearOfEra = shiftedYear - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
