/// A place in an ad: of progress, skipoffset and icons (R-T2).
package enum TimeOffset: Sendable, Hashable {
    case time(Duration)
    /// Of the media's duration, in millionths of the whole.
    case fraction(millionths: Int64)

    /// `HH:MM:SS[.mmm]`, seconds, or `n%` with 0 ≤ n ≤ 100. Nil for everything else.
    package init?(parsing text: String) {
        let trimmed = text.trimmed
        if trimmed.hasSuffix("%") {
            guard let millionths = Percentage.millionths(trimmed) else { return nil }
            self = .fraction(millionths: millionths)
        } else if let time = TimeText.duration(trimmed) {
            self = .time(time)
        } else {
            return nil
        }
    }

    /// The time in media of that duration; nil for a fraction of an unknown one.
    package func time(in duration: Duration?) -> Duration? {
        switch self {
        case .time(let time):
            time
        case .fraction(let millionths):
            duration.map { TimeText.fraction(millionths, of: $0) }
        }
    }
}

/// `n%` with decimals.
enum Percentage {
    /// Nil where it is no number or outside 0 to 100.
    static func millionths(_ text: String) -> Int64? {
        guard text.hasSuffix("%") else { return nil }
        guard let number = TimeText.decimal(text.dropLast().utf8, fractionDigits: 4), number <= 1_000_000 else {
            return nil
        }
        return number
    }
}

/// Clock times of VAST and VMAP (R-T1).
package enum TimeText {
    /// `HH:MM:SS` with any fraction after point or comma, one-digit fields, or a plain number of seconds.
    /// Nil where it is not to be trusted.
    package static func duration(_ text: String) -> Duration? {
        let fields = text.trimmed.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard let last = fields.last, let seconds = decimal(last, fractionDigits: 9) else { return nil }
        switch fields.count {
        case 1:
            return nanoseconds(seconds)
        case 3:
            guard let hours = whole(fields[0], digits: 3), let minutes = whole(fields[1], digits: 2), minutes <= 59,
                seconds < 60_000_000_000, last.prefix(while: { $0 >= 0x30 && $0 <= 0x39 }).count <= 2
            else { return nil }
            return .seconds(hours * 3600 + minutes * 60) + nanoseconds(seconds)
        default:
            return nil
        }
    }

    /// `HH:MM:SS` only: VMAP takes no plain seconds.
    static func clock(_ text: String) -> Duration? {
        text.utf8.contains(UInt8(ascii: ":")) ? duration(text) : nil
    }

    /// `HH:MM:SS.mmm`, rounded down to the millisecond.
    package static func formatted(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return "00:00:00.000" }
        let milliseconds = attoseconds / 1_000_000_000_000_000
        return "\(padded(seconds / 3600, 2)):\(padded(seconds / 60 % 60, 2)):\(padded(seconds % 60, 2))."
            + padded(milliseconds, 3)
    }

    static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    static func fraction(_ millionths: Int64, of duration: Duration) -> Duration {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, seconds < 1 << 32 else { return .zero }
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        let (high, low) = nanoseconds.multipliedFullWidth(by: max(0, min(millionths, 1_000_000)))
        return .nanoseconds(Int64(1_000_000).dividingFullWidth((high, low)).quotient)
    }

    private static func nanoseconds(_ count: Int64) -> Duration { .nanoseconds(count) }

    private static func whole(_ digits: some Collection<UInt8>, digits limit: Int) -> Int64? {
        guard digits.count <= limit else { return nil }
        return decimal(digits, fractionDigits: 0)
    }

    /// Digits, point or comma, digits; scaled by ten to the power of `fractionDigits`. Digits beyond are cut.
    static func decimal(_ text: some Collection<UInt8>, fractionDigits: Int) -> Int64? {
        var value: Int64 = 0
        var scale = -1
        var digits = 0
        for byte in text {
            switch byte {
            case 0x30...0x39:
                digits += 1
                if scale >= fractionDigits { continue }
                guard value < 1_000_000_000_000_000 else { return nil }
                value = value * 10 + Int64(byte - 0x30)
                if scale >= 0 { scale += 1 }
            case UInt8(ascii: "."), UInt8(ascii: ","):
                guard scale < 0, fractionDigits > 0 else { return nil }
                scale = 0
            default:
                return nil
            }
        }
        guard digits > 0 else { return nil }
        for _ in max(scale, 0)..<max(fractionDigits, 0) {
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            guard !overflow else { return nil }
            value = product
        }
        return value
    }
}
