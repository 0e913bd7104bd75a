/// The forms in which most packagers write the lines of a segment, read several bytes at a step.
///
/// This file is the only one of the module that reads bytes unchecked. Each function is safe for any position, any bytes and any
/// length: it looks once whether all that it may load is there, and answers nil where not, as for every unusual form. Whoever
/// calls it then reads the text by the general way (``DecimalText``, ``DateTime``, ``LineScanner``), which yields the same for all
/// forms that are read here.
extension Span<UInt8> {
    /// Eight bytes, the first being the lowest.
    ///
    /// Invariant: the caller has seen that `0 <= position` and `position + 8 <= count`.
    @inline(__always)
    private func word(uncheckedAt position: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self))
    }

    /// Invariant: the caller has seen that `0 <= position` and `position < count`.
    @inline(__always)
    private func byte(uncheckedAt position: Int) -> UInt8 {
        self[unchecked: position]
    }

    /// Whether `length` (not negative) bytes can be loaded at `position`.
    @inline(__always)
    private func holds(_ length: Int, at position: Int) -> Bool {
        position >= 0 && position <= count &- length
    }

    /// Eight bytes, the first being the lowest; nil where there are fewer.
    @inline(__always)
    func word(at position: Int) -> UInt64? {
        holds(8, at: position) ? word(uncheckedAt: position) : nil
    }

    /// The line feed that ends a line, seen from behind its last visible character: there, or behind one CR.
    @inline(__always)
    func usualLineEnd(at position: Int) -> Int? {
        guard holds(2, at: position) else { return nil }
        let byte = byte(uncheckedAt: position)
        if byte == 0x0A { return position }
        return byte == 0x0D && self.byte(uncheckedAt: position &+ 1) == 0x0A ? position &+ 1 : nil
    }

    /// Position of the first LF in `[from, to)`, or `to`. Bounds outside the bytes are cut to them.
    @inline(__always)
    func lineFeed(from: Int, to: Int) -> Int {
        let end = Swift.min(to, count)
        var position = Swift.max(from, 0)
        // A byte equal to LF becomes zero, and the carry of the subtraction marks the lowest zero byte.
        while position <= end &- 8 {
            let difference = word(uncheckedAt: position) ^ 0x0A0A_0A0A_0A0A_0A0A
            let marks = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
            if marks != 0 { return position &+ marks.trailingZeroBitCount >> 3 }
            position &+= 8
        }
        while position < end, byte(uncheckedAt: position) != 0x0A { position &+= 1 }
        return position
    }

    // MARK: Durations

    /// The number of an EXTINF (`6`, `6.006`) with up to seven digits before and after the point and a comma behind it.
    @inline(__always)
    func usualDuration(at position: Int) -> (nanoseconds: Int64, comma: Int)? {
        // Seven digits, the point, seven digits, and a whole word wherever one is loaded.
        guard holds(24, at: position) else { return nil }
        let whole = word(uncheckedAt: position) ^ Digits.zeros
        let wholeCount = Digits.leadingCount(whole)
        guard wholeCount > 0, wholeCount < 8 else { return nil }
        var nanoseconds = Digits.value(whole &<< UInt64(64 &- 8 &* wholeCount)) &* 1_000_000_000
        var end = position &+ wholeCount
        if byte(uncheckedAt: end) == 0x2E {
            let fraction = word(uncheckedAt: end &+ 1) ^ Digits.zeros
            let count = Digits.leadingCount(fraction)
            guard count < 8 else { return nil }
            // What stands behind the digits counts as zeros: eight digits are tens of nanoseconds.
            nanoseconds &+= Digits.value(fraction & (1 &<< UInt64(8 &* count) &- 1)) &* 10
            end &+= 1 &+ count
        }
        guard byte(uncheckedAt: end) == 0x2C else { return nil }
        return (nanoseconds, end)
    }

    // MARK: Dates

    /// `2026-01-17T08:15:07`, a fraction of up to seven digits, and `Z`, `+01:00` or `+0100`.
    ///
    /// - Parameter day: the day that was read last, and when it began: most dates are of the same one.
    @inline(__always)
    func usualDate(at position: Int, _ day: inout UsualDay) -> (nanoseconds: Int64, end: Int)? {
        // Nineteen bytes, the point, seven digits, a zone of six, and a whole word wherever one is loaded.
        guard holds(40, at: position) else { return nil }
        let first = word(uncheckedAt: position)
        let second = word(uncheckedAt: position &+ 8)
        if first != day.first || second & UsualDay.mask != day.second {
            guard let read = usualDay(first, second, at: position) else { return nil }
            day = read
        }
        // "DDTHH:MM" and "HH:MM:SS", digits as their values and separators as zeros.
        let time = word(uncheckedAt: position &+ 11) ^ 0x3030_3A30_303A_3030
        guard ((time & 0x7F7F_7F7F_7F7F_7F7F &+ 0x7676_7F76_767F_7676) | time) & 0x8080_8080_8080_8080 == 0 else {
            return nil
        }
        let tens = time & 0x000F_0000_0F00_000F
        let pairs = tens &* 10 &+ (time >> 8 & 0x000F_0000_0F00_000F)
        let hour = pairs & 0xFF
        let minute = pairs >> 24 & 0xFF
        let second60 = pairs >> 48 & 0xFF
        guard hour < 24, minute < 60, second60 < 60 else { return nil }
        var seconds = Int64(truncatingIfNeeded: hour &* 3_600 &+ minute &* 60 &+ second60)
        var end = position &+ 19
        var fraction: Int64 = 0
        if byte(uncheckedAt: end) == 0x2E {
            let digits = word(uncheckedAt: end &+ 1) ^ Digits.zeros
            let count = Digits.leadingCount(digits)
            guard count < 8 else { return nil }
            fraction = Digits.value(digits & (1 &<< UInt64(8 &* count) &- 1)) &* 10
            end &+= 1 &+ count
        }
        if byte(uncheckedAt: end) == 0x5A {
            end &+= 1
        } else {
            guard let zone = usualZone(uncheckedAt: end) else { return nil }
            seconds &-= zone.seconds
            end = zone.end
        }
        let (nanoseconds, overflow) = day.start.addingReportingOverflow(seconds &* 1_000_000_000 &+ fraction)
        return overflow ? nil : (nanoseconds, end)
    }

    @inline(never)
    private func usualDay(_ first: UInt64, _ second: UInt64, at position: Int) -> UsualDay? {
        // Ten bytes of the date and the T.
        guard second >> 16 & 0xFF == 0x54, let date = DateTime(self, in: position..<position &+ 10) else { return nil }
        return UsualDay(first: first, second: second & UsualDay.mask, start: date.nanoseconds)
    }

    /// Seconds east of Greenwich of `+01:00` or `+0100`.
    ///
    /// Invariant: the caller has seen that eight bytes can be loaded at `position`.
    @inline(__always)
    private func usualZone(uncheckedAt position: Int) -> (seconds: Int64, end: Int)? {
        let text = word(uncheckedAt: position)
        let sign = UInt8(truncatingIfNeeded: text)
        guard sign == 0x2B || sign == 0x2D else { return nil }
        let hasColon = UInt8(truncatingIfNeeded: text >> 24) == 0x3A
        // The four digits in the lowest bytes.
        let hourDigits = text >> 8 & 0xFFFF
        let minuteDigits = text >> (hasColon ? 32 : 24) & 0xFFFF
        let digits = (hourDigits | minuteDigits << 16) ^ 0x3030_3030
        guard Digits.leadingCount(digits) >= 4 else { return nil }
        let hours = (digits & 0xF) &* 10 &+ (digits >> 8 & 0xF)
        let minutes = (digits >> 16 & 0xF) &* 10 &+ (digits >> 24 & 0xF)
        guard hours < 24, minutes < 60 else { return nil }
        let seconds = Int64(truncatingIfNeeded: hours &* 3_600 &+ minutes &* 60)
        return (sign == 0x2D ? 0 &- seconds : seconds, position &+ (hasColon ? 6 : 5))
    }
}

/// A calendar day as it is spelled, and when it begins.
struct UsualDay {
    /// The bytes of `1970-01-01T`: the first eight, and the next three.
    var first: UInt64 = 0x2D31_302D_3037_3931
    var second: UInt64 = 0x54_3130
    /// In nanoseconds since 1970.
    var start: Int64 = 0

    /// Of the second word what belongs to the day.
    static let mask: UInt64 = 0xFF_FFFF
}

/// Eight decimal digits in a word, the first being the lowest byte.
private enum Digits {
    /// Eight times the character 0: a digit that is combined with it becomes its value.
    static let zeros: UInt64 = 0x3030_3030_3030_3030

    /// How many of the bytes, from the first on, are values of digits.
    @inline(__always)
    static func leadingCount(_ values: UInt64) -> Int {
        // A byte above nine gets its highest bit by the addition, or has it.
        let marks = ((values & 0x7F7F_7F7F_7F7F_7F7F &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
        return marks.trailingZeroBitCount >> 3
    }

    /// The number that eight values of digits make: in three steps pairs, fours and eights are put together.
    @inline(__always)
    static func value(_ values: UInt64) -> Int64 {
        let pairs = (values &* 2561) >> 8 & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 6_553_601) >> 16 & 0x0000_FFFF_0000_FFFF
        return Int64(truncatingIfNeeded: (fours &* 42_949_672_960_001) >> 32)
    }
}
