extension UInt8 {
    @inline(__always) var isBlank: Bool { self == 0x20 || self == 0x09 }
    @inline(__always) var isDigit: Bool { self &- 0x30 < 10 }
    @inline(__always) var isLineEnd: Bool { self == 0x0A || self == 0x0D }
    var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
    var loweredASCII: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension Span<UInt8> {
    /// Whether the bytes at `start` are those of `text`; false where the span is too short.
    @inline(__always)
    func matches(_ text: StaticString, at start: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard start >= 0, count &- start >= length else { return false }
        return text.withUTF8Buffer { name in
            for offset in 0..<length where self[start &+ offset] != name[offset] {
                return false
            }
            return true
        }
    }

    /// Where the first line begins: behind a byte order mark, if there is one.
    var textStart: Int { matches("\u{FEFF}", at: 0) ? 3 : 0 }

    /// Whether `range` holds exactly `text`.
    @inline(__always)
    func equals(_ text: StaticString, in range: Range<Int>) -> Bool {
        range.count == text.utf8CodeUnitCount && matches(text, at: range.lowerBound)
    }

    /// Whether `range` holds `text`, letters of either case being equal.
    func equalsIgnoringCase(_ text: String, in range: Range<Int>) -> Bool {
        let name = text.utf8
        guard name.count == range.count else { return false }
        var position = range.lowerBound
        for byte in name {
            if self[position].loweredASCII != byte.loweredASCII { return false }
            position += 1
        }
        return true
    }

    /// Whether two ranges hold the same bytes.
    func areEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left.count == right.count else { return false }
        for offset in 0..<left.count where self[left.lowerBound + offset] != self[right.lowerBound + offset] {
            return false
        }
        return true
    }

    /// `range` without blanks, tabs and line ends at either side.
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, self[lower].isBlank || self[lower].isLineEnd { lower += 1 }
        while lower < upper, self[upper - 1].isBlank || self[upper - 1].isLineEnd { upper -= 1 }
        return lower..<upper
    }

    /// Position of `byte` in `range`, nil where it is not there.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        var position = range.lowerBound
        while position < range.upperBound {
            if self[position] == byte { return position }
            position += 1
        }
        return nil
    }

    /// The text of `range`; what is no UTF-8 becomes replacement characters.
    func string(_ range: Range<Int>) -> String {
        String(decoding: extracting(range).withUnsafeBufferPointer { Array($0) }, as: UTF8.self)
    }
}

extension [UInt8] {
    /// The text of `range`, cut to what exists; what is no UTF-8 becomes replacement characters.
    package func text(in range: Range<Int>) -> String {
        String(decoding: self[range.clamped(to: 0..<count)], as: UTF8.self)
    }
}
