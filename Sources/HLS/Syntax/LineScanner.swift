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
        let feed = bytes.lineFeed(from: fullStart, to: end)
        let fullEnd = feed < end ? feed &+ 1 : end
        var start = fullStart
        var last = feed
        while last > start {
            let byte = bytes[last &- 1]
            guard byte <= 0x20, byte.isBlank || byte == 0x0D else { break }
            last &-= 1
        }
        // A CR here is the second half of LF CR, or stray: no part of the text either way, as at the end of a line.
        while start < last, bytes[start].isBlank || bytes[start] == 0x0D { start &+= 1 }
        position = fullEnd
        return Line(fullStart: fullStart, fullEnd: fullEnd, start: start, end: last)
    }
}
