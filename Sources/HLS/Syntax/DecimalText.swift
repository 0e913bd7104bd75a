/// Decimal numbers of playlists: exact, never through floating point. RFC 8216bis §4.2.
package enum DecimalText {
    private static let attosecondsPerSecond: Int64 = 1_000_000_000_000_000_000

    /// Seconds as written ("6.006"), exact up to 18 fractional digits; further digits are dropped. A sign is allowed.
    /// Nil for text that is not wholly a number, and for numbers beyond 64 bit.
    package static func duration(_ text: String) -> Duration? {
        let bytes = Array(text.utf8)
        return duration(bytes.span, in: 0..<bytes.count)
    }

    /// The same on a range of bytes; blanks around the number are allowed.
    package static func duration(_ bytes: Span<UInt8>, in range: Range<Int>) -> Duration? {
        let range = bytes.trimmed(range)
        var position = range.lowerBound
        var isNegative = false
        if position < range.upperBound, bytes[position] == 0x2D || bytes[position] == 0x2B {
            isNegative = bytes[position] == 0x2D
            position += 1
        }
        var seconds: Int64 = 0
        var digits = 0
        while position < range.upperBound, bytes[position].isDigit {
            let (product, overflow) = seconds.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(bytes[position] &- 0x30))
            if overflow || carry { return nil }
            seconds = sum
            digits += 1
            position += 1
        }
        var fraction: Int64 = 0
        if position < range.upperBound, bytes[position] == 0x2E {
            position += 1
            var scale = attosecondsPerSecond / 10
            while position < range.upperBound, bytes[position].isDigit {
                fraction += Int64(bytes[position] &- 0x30) * scale
                scale /= 10
                digits += 1
                position += 1
            }
        }
        guard digits > 0, position == range.upperBound else { return nil }
        let value = Duration(secondsComponent: seconds, attosecondsComponent: fraction)
        return isNegative ? .zero - value : value
    }

    /// A whole number without sign that fits 63 bits; nil for anything else.
    package static func integer(_ bytes: Span<UInt8>, in range: Range<Int>) -> Int64? {
        let range = bytes.trimmed(range)
        guard !range.isEmpty else { return nil }
        var value: Int64 = 0
        for position in range {
            guard bytes[position].isDigit else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int64(bytes[position] &- 0x30))
            if overflow || carry { return nil }
            value = sum
        }
        return value
    }

    /// The shortest decimal text that gives back exactly `duration`: "6.006", "10", "-0.5".
    package static func text(_ duration: Duration) -> String {
        var output = PlaylistText()
        output.append(duration)
        return output.string
    }

    /// Decimal text with `fractionDigits` (0 to 18) digits after the point, rounded half away from zero.
    package static func text(_ duration: Duration, fractionDigits: Int) -> String {
        var output = PlaylistText()
        output.append(duration, fractionDigits: fractionDigits)
        return output.string
    }
}

extension Duration {
    /// Whole seconds, rounded half up, as a target duration compares them (rule 303). Not less than 0.
    package var roundedSeconds: Int {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let isUp = attoseconds >= 500_000_000_000_000_000
        return Int(isUp && seconds < .max ? seconds + 1 : seconds)
    }

    /// Whole nanoseconds, cut towards zero, clamped to 64 bits.
    package var wholeNanoseconds: Int64 {
        let attoseconds = attoseconds
        let magnitude = attoseconds.magnitude
        let high = UInt64(truncatingIfNeeded: magnitude >> 64)
        let billion: UInt64 = 1_000_000_000
        // One division of the machine, where that of 128 bits by 128 takes several times as long; more would not fit 64 bits.
        guard high < billion else { return attoseconds < 0 ? .min : .max }
        let (quotient, _) = billion.dividingFullWidth((high, UInt64(truncatingIfNeeded: magnitude)))
        guard quotient <= UInt64(Int64.max) else { return attoseconds < 0 ? .min : .max }
        return attoseconds < 0 ? 0 &- Int64(quotient) : Int64(quotient)
    }

    /// Whole nanoseconds, however many.
    package init(wholeNanoseconds: Int64) {
        self.init(attoseconds: Int128(wholeNanoseconds) * 1_000_000_000)
    }
}
