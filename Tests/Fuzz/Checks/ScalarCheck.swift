import HLS

/// Dates and decimal numbers, read and written.
enum ScalarCheck {
    static func run(_ bytes: [UInt8]) throws(FuzzFailure) {
        try date(bytes)
        try decimal(bytes)
    }

    private static func date(_ bytes: [UInt8]) throws(FuzzFailure) {
        guard let date = DateTime(parsing: bytes) else { return }
        let text = date.formatted
        try require(DateTime(text) == date, "\(date.nanoseconds) is written as \(text)")
        let later = date.advanced(by: .seconds(86_400))
        try require(later >= date, "a day later is \(later.nanoseconds)")
        if later.nanoseconds != .max {
            try require(date.duration(to: later) == .seconds(86_400), "the day to \(later.nanoseconds)")
        }
        _ = (date.advanced(by: .seconds(Int64.min)), date.advanced(by: .seconds(Int64.max)))
    }

    private static func decimal(_ bytes: [UInt8]) throws(FuzzFailure) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let duration = DecimalText.duration(text) else {
            try require(!Self.isPlainNumber(bytes), "\(text) is not read")
            return
        }
        let written = DecimalText.text(duration)
        try require(DecimalText.duration(written) == duration, "\(duration) is written as \(written)")
        try require(written == Self.canonical(bytes), "\(text) is written as \(written)")
        for digits in [0, 3, 18] {
            let rounded = DecimalText.text(duration, fractionDigits: digits)
            guard let back = DecimalText.duration(rounded) else {
                // The whole part may round up over what 64 bits hold.
                try require(rounded.contains("9223372036854775808"), "\(rounded) of \(duration)")
                continue
            }
            let difference = back < duration ? duration - back : back - duration
            let unit: Duration = digits == 0 ? .seconds(1) : digits == 3 ? .milliseconds(1) : .zero
            try require(difference * 2 <= unit, "\(rounded) of \(duration)")
        }
        _ = (duration.roundedSeconds, duration.wholeNanoseconds)
    }

    /// Digits with at most one point, few enough for 64 bits.
    private static func isPlainNumber(_ bytes: [UInt8]) -> Bool {
        let digits = bytes.count { (0x30...0x39).contains($0) }
        let points = bytes.count { $0 == 0x2E }
        return digits > 0 && digits <= 18 && points <= 1 && digits + points == bytes.count
    }

    /// The shortest spelling of a number's text, found without reading the number: zeros that say nothing and what is
    /// beyond attoseconds are cut.
    private static func canonical(_ bytes: [UInt8]) -> String {
        var text = bytes[...]
        while let first = text.first, [0x20, 0x09, 0x0A, 0x0D].contains(first) { text.removeFirst() }
        while let last = text.last, [0x20, 0x09, 0x0A, 0x0D].contains(last) { text.removeLast() }
        let isNegative = text.first == 0x2D
        if isNegative || text.first == 0x2B { text.removeFirst() }
        let point = text.firstIndex(of: 0x2E) ?? text.endIndex
        var whole = text[..<point]
        while whole.first == 0x30 { whole.removeFirst() }
        var fraction = point < text.endIndex ? text[(point + 1)...].prefix(18) : []
        while fraction.last == 0x30 { fraction.removeLast() }
        var result: [UInt8] = isNegative && !(whole.isEmpty && fraction.isEmpty) ? [0x2D] : []
        result += whole.isEmpty ? [0x30] : Array(whole)
        if !fraction.isEmpty { result += [0x2E] + fraction }
        return String(decoding: result, as: UTF8.self)
    }
}
