/// How far dates may run slower than the entries last, in millionths.
enum DateShortening {
    /// No step between two entries may overlap by a second (rule 802): 0.9 s of the longest, and never more than half.
    static func limit(longestEntry: Duration) -> Int64 {
        let longest = longestEntry.nanosecondCount
        guard longest > 0 else { return 0 }
        return Int64(clamping: min(Int128(900_000_000) * 1_000_000 / longest, 500_000))
    }
}

extension Duration {
    /// Of the 90 kHz clock.
    var ticks: Int64 { Int64(clamping: nanosecondCount * 9 / 100_000) }

    var nanosecondCount: Int128 {
        let (seconds, attoseconds) = components
        return Int128(seconds) * 1_000_000_000 + Int128(attoseconds) / 1_000_000_000
    }

    /// The nearest whole number of times that `unit` goes into this, halves up.
    func nearestCount(of unit: Duration) -> Int64 {
        let unit = unit.nanosecondCount
        guard unit > 0 else { return 0 }
        return Int64(clamping: (nanosecondCount * 2 + unit) / (unit * 2))
    }

    /// The nearest whole number of times that `unit` goes into this, halves down.
    func nearestCountOrLower(of unit: Duration) -> Int64 {
        let unit = unit.nanosecondCount
        guard unit > 0 else { return 0 }
        return Int64(clamping: (nanosecondCount * 2 + unit - 1) / (unit * 2))
    }

    var magnitude: Duration { self < .zero ? .zero - self : self }

    /// This as a part of `whole`, in millionths, rounded up.
    func millionths(of whole: Duration) -> Int64 {
        let whole = whole.nanosecondCount
        guard whole > 0 else { return 0 }
        return Int64(clamping: (nanosecondCount * 1_000_000 + whole - 1) / whole)
    }
}
