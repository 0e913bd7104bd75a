extension Duration {
    /// Whole microseconds between nothing and a day.
    var wholeMicroseconds: Int {
        let span = min(max(self, .zero), .seconds(86_400))
        return Int(span.components.seconds) * 1_000_000 + Int(span.components.attoseconds / 1_000_000_000_000)
    }

    /// Whole milliseconds between nothing and a day.
    var wholeMilliseconds: Int { wholeMicroseconds / 1_000 }

    /// As ffmpeg reads it: seconds with six decimals.
    var secondsText: String {
        let (seconds, rest) = wholeMicroseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let digits = "\(rest)"
        return "\(seconds)." + String(repeating: "0", count: 6 - digits.utf8.count) + digits
    }

    /// Reads seconds with decimals, without going through floating point. Nil beyond a day.
    init?(secondsText text: some StringProtocol) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let whole = Int(first), (0..<86_400).contains(whole), !first.hasPrefix("-")
        else { return nil }
        guard parts.count == 2 else {
            self = .seconds(whole)
            return
        }
        let digits = parts[1].prefix(6)
        guard let fraction = Int(digits), fraction >= 0, !digits.hasPrefix("-"), !digits.hasPrefix("+") else {
            return nil
        }
        var microseconds = fraction
        for _ in digits.utf8.count..<6 { microseconds *= 10 }
        self = .seconds(whole) + .microseconds(microseconds)
    }
}
