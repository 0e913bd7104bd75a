/// Output buffer of a playlist: runs of received bytes, literals, numbers, durations and dates.
package struct PlaylistText: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package init(reservingBytes count: Int) {
        bytes.reserveCapacity(count)
    }

    package var string: String { String(decoding: bytes, as: UTF8.self) }
    package var count: Int { bytes.count }
    /// The last byte is LF.
    package var endsLine: Bool { bytes.last == 0x0A }

    package mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    package mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func append(byte: UInt8) {
        bytes.append(byte)
    }

    package mutating func append(_ source: [UInt8]) {
        bytes.append(contentsOf: source)
    }

    /// Appends a run of `source`, cut to what exists.
    package mutating func append(_ source: [UInt8], in range: Range<Int>) {
        let range = range.clamped(to: 0..<source.count)
        // A slice of a buffer is copied in one piece; a slice of an array costs four times as much.
        source.withUnsafeBufferPointer { bytes.append(contentsOf: UnsafeBufferPointer(rebasing: $0[range])) }
    }

    /// Appends LF.
    package mutating func endLine() {
        bytes.append(0x0A)
    }

    package mutating func append(_ number: Int) {
        append(Int64(number))
    }

    package mutating func append(_ number: Int64) {
        if number < 0 { bytes.append(0x2D) }
        append(unsigned: number.magnitude, minimumDigits: 1)
    }

    /// Appends seconds as the shortest exact decimal.
    package mutating func append(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        if seconds < 0 || attoseconds < 0 { bytes.append(0x2D) }
        append(unsigned: seconds.magnitude, minimumDigits: 1)
        var fraction = attoseconds.magnitude
        guard fraction != 0 else { return }
        bytes.append(0x2E)
        var digits = 18
        while fraction % 1_000 == 0 {
            fraction /= 1_000
            digits -= 3
        }
        while fraction % 10 == 0 {
            fraction /= 10
            digits -= 1
        }
        append(unsigned: fraction, minimumDigits: digits)
    }

    /// Appends seconds with `fractionDigits` (0 to 18) digits after the point, rounded half away from zero.
    package mutating func append(_ duration: Duration, fractionDigits: Int) {
        let digits = min(max(fractionDigits, 0), 18)
        let (seconds, attoseconds) = duration.components
        var unit: UInt64 = 1
        for _ in digits..<18 { unit *= 10 }
        var whole = seconds.magnitude
        var fraction = (attoseconds.magnitude + unit / 2) / unit
        let limit = 1_000_000_000_000_000_000 / unit
        if fraction >= limit {
            fraction -= limit
            whole += 1
        }
        if seconds < 0 || attoseconds < 0, whole != 0 || fraction != 0 { bytes.append(0x2D) }
        append(unsigned: whole, minimumDigits: 1)
        guard digits > 0 else { return }
        bytes.append(0x2E)
        append(unsigned: fraction, minimumDigits: digits)
    }

    /// Appends ISO 8601 in UTC with milliseconds, or as many digits as are needed.
    package mutating func append(_ date: DateTime) {
        let fields = date.fields
        // The years that exist here have four digits.
        bytes.append(addingCapacity: 30) { output in
            output.appendTwoDigits(fields.year / 100)
            output.appendTwoDigits(fields.year % 100)
            output.append(0x2D)
            output.appendTwoDigits(fields.month)
            output.append(0x2D)
            output.appendTwoDigits(fields.day)
            output.append(0x54)
            output.appendTwoDigits(fields.hour)
            output.append(0x3A)
            output.appendTwoDigits(fields.minute)
            output.append(0x3A)
            output.appendTwoDigits(fields.second)
            output.append(0x2E)
            let milliseconds = fields.nanosecond / 1_000_000
            output.append(0x30 &+ UInt8(truncatingIfNeeded: milliseconds / 100))
            output.appendTwoDigits(milliseconds % 100)
            var rest = fields.nanosecond % 1_000_000
            var unit: Int64 = 100_000
            while rest != 0 {
                output.append(0x30 &+ UInt8(truncatingIfNeeded: rest / unit))
                rest %= unit
                unit /= 10
            }
            output.append(0x5A)
        }
    }

    /// Appends `0x` and `digits` upper case hexadecimal digits: the form of an IV, with 32.
    package mutating func append(hexadecimal value: UInt64, digits: Int) {
        append("0x")
        var place = digits
        while place > 0 {
            place -= 1
            let digit = place < 16 ? UInt8(truncatingIfNeeded: value >> (UInt64(place) * 4)) & 0xF : 0
            bytes.append(digit < 10 ? 0x30 + digit : 0x37 + digit)
        }
    }

    /// Appends a decimal number, with zeros in front where it has fewer digits.
    mutating func append(unsigned number: UInt64, minimumDigits: Int) {
        var digits = InlineArray<20, UInt8>(repeating: 0x30)
        var first = digits.count
        var rest = number
        while rest != 0, first > 0 {
            first -= 1
            digits[first] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        first = min(first, digits.count - min(minimumDigits, digits.count))
        bytes.append(addingCapacity: digits.count) { output in
            for place in first..<digits.count { output.append(digits[place]) }
        }
    }
}

extension OutputSpan<UInt8> {
    /// Appends a number below 100 with both of its digits.
    @inline(__always)
    fileprivate mutating func appendTwoDigits(_ number: Int64) {
        append(0x30 &+ UInt8(truncatingIfNeeded: number / 10))
        append(0x30 &+ UInt8(truncatingIfNeeded: number % 10))
    }
}
