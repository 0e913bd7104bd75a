/// Cuts bytes into lines at LF or CR LF. Holds no bytes: the caller passes the same span each time.
struct LineScanner {
    /// One line: where it stands, and its text without terminator and blanks around it.
    struct Line {
        var fullStart: Int
        var fullEnd: Int
        var start: Int
        var end: Int
        var isEmpty: Bool { start == end }
    }

    private(set) var position: Int
    let end: Int

    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next line, nil at the end. A last line without terminator counts.
    @inline(__always)
    mutating func next(in bytes: Span<UInt8>) -> Line? {
        let fullStart = position
        guard fullStart < end else { return nil }
        let feed = Self.lineFeed(in: bytes, from: fullStart, to: end)
        let fullEnd = feed < end ? feed &+ 1 : end
        var start = fullStart
        var last = feed
        while last > start {
            let byte = bytes[last &- 1]
            guard byte <= 0x20, byte.isBlank || byte == 0x0D else { break }
            last &-= 1
        }
        while start < last, bytes[start].isBlank { start &+= 1 }
        position = fullEnd
        return Line(fullStart: fullStart, fullEnd: fullEnd, start: start, end: last)
    }

    /// Position of the first LF in `[from, to)`, or `to`.
    @inline(__always)
    static func lineFeed(in bytes: Span<UInt8>, from: Int, to: Int) -> Int {
        var position = from
        let raw = bytes.bytes
        // Eight bytes at a step: a byte equal to LF becomes zero, and the classic carry trick marks the lowest zero byte.
        while to &- position >= 8 {
            let word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
            let difference = word ^ 0x0A0A_0A0A_0A0A_0A0A
            let marks = (difference &- 0x0101_0101_0101_0101) & ~difference & 0x8080_8080_8080_8080
            if marks != 0 { return position &+ (marks.trailingZeroBitCount >> 3) }
            position &+= 8
        }
        while position < to, bytes[position] != 0x0A { position &+= 1 }
        return position
    }
}
