/// What ffmpeg's `ebur128` filter says at its end.
struct LoudnessSummary: Hashable {
    /// Integrated, in hundredths of a LUFS.
    var integrated: Int

    /// Reads the last line such as `    I:         -20.3 LUFS`. Nil where there is none, or where all is silence.
    init?(_ text: String) {
        var found: Int?
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(separator: " ")
            guard words.count == 3, words[0] == "I:", words[2] == "LUFS" else { continue }
            found = Self.hundredths(words[1])
        }
        // The measure's lowest value is silence.
        guard let found, found > -6_900, found < 1_000 else { return nil }
        integrated = found
    }

    /// By how much the sound is to be raised, hundredths of a decibel. What is almost silent is not made loud.
    func gain(to target: Int) -> Int { min(max(target * 100 - integrated, -4_000), 2_000) }

    private static func hundredths(_ text: Substring) -> Int? {
        let isNegative = text.hasPrefix("-")
        let digits = isNegative ? text.dropFirst() : text
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let first = parts.first, let whole = Int(first), (0...200).contains(whole) else {
            return nil
        }
        var rest = 0
        if parts.count == 2 {
            let text = parts[1].prefix(2)
            guard let value = Int(text), value >= 0 else { return nil }
            rest = text.utf8.count == 1 ? value * 10 : value
        }
        let value = whole * 100 + rest
        return isNegative ? -value : value
    }
}
