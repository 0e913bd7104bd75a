/// One line of a playlist: what it is and where it stands in the received bytes.
package struct PlaylistLine: Hashable, Sendable {
    private let fullStart: UInt32
    private let fullEnd: UInt32
    private let start: UInt32
    private let end: UInt32
    package let kind: TagKind

    init(kind: TagKind, line: LineScanner.Line) {
        self.kind = kind
        fullStart = UInt32(truncatingIfNeeded: line.fullStart)
        fullEnd = UInt32(truncatingIfNeeded: line.fullEnd)
        start = UInt32(truncatingIfNeeded: line.start)
        end = UInt32(truncatingIfNeeded: line.end)
    }

    /// The line's text without blanks around it and without its terminator.
    package var range: Range<Int> { Int(start)..<Int(end) }
    /// The whole line, terminator included.
    package var fullRange: Range<Int> { Int(fullStart)..<Int(fullEnd) }

    /// What follows the tag's colon, blanks trimmed; empty where there is none.
    package func valueRange(in source: [UInt8]) -> Range<Int> {
        valueRange(in: source.span)
    }

    func valueRange(in bytes: Span<UInt8>) -> Range<Int> {
        guard range.upperBound <= bytes.count else { return 0..<0 }
        guard let colon = bytes.firstIndex(of: 0x3A, in: range) else { return range.upperBound..<range.upperBound }
        return bytes.trimmed(colon + 1..<range.upperBound)
    }
}

/// A run of whole lines.
struct LineRun: Sendable {
    var start: UInt32
    var end: UInt32

    init(_ range: Range<Int>) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        end = UInt32(truncatingIfNeeded: range.upperBound)
    }

    var range: Range<Int> { Int(start)..<Int(end) }
}

/// Runs of whole lines, in the order of the playlist. Nearly always there is one: it takes no allocation.
struct LineRuns: Sendable {
    private(set) var first: LineRun?
    private(set) var rest: [LineRun] = []

    var last: LineRun? { rest.last ?? first }

    /// Appends lines; those that follow upon the last run become part of it.
    mutating func append(_ range: Range<Int>) {
        guard let last else {
            first = LineRun(range)
            return
        }
        guard Int(last.end) == range.lowerBound else {
            rest.append(LineRun(range))
            return
        }
        let joined = LineRun(Int(last.start)..<range.upperBound)
        if rest.isEmpty { first = joined } else { rest[rest.count - 1] = joined }
    }

    mutating func removeLast() {
        if rest.isEmpty { first = nil } else { rest.removeLast() }
    }
}

/// The lines of a part of a playlist, found again in its bytes as they are asked for: none are stored.
package struct PlaylistLines: Sequence, Sendable {
    let source: [UInt8]
    let first: Range<Int>
    /// Further runs, where the part is not in one piece.
    var rest: [LineRun] = []

    init(_ source: [UInt8], in range: Range<Int>) {
        self.source = source
        first = range
    }

    init(_ source: [UInt8], runs: LineRuns) {
        self.source = source
        first = runs.first?.range ?? 0..<0
        rest = runs.rest
    }

    /// All lines of a playlist; a byte order mark belongs to none.
    package init(all source: [UInt8]) {
        self.init(source, in: source.span.textStart..<source.count)
    }

    package struct Iterator: IteratorProtocol {
        private let source: [UInt8]
        private var scanner: LineScanner
        private let rest: [LineRun]
        private var index = 0

        init(_ lines: PlaylistLines) {
            source = lines.source
            rest = lines.rest
            scanner = LineScanner(lines.first)
        }

        package mutating func next() -> PlaylistLine? {
            let source = source
            let bytes = source.span
            while true {
                if let line = scanner.next(in: bytes) {
                    return PlaylistLine(kind: TagKind(bytes, start: line.start, end: line.end), line: line)
                }
                guard index < rest.count else { return nil }
                scanner = LineScanner(rest[index].range)
                index += 1
            }
        }
    }

    package func makeIterator() -> Iterator {
        Iterator(self)
    }
}
