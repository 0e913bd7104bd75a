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

/// The lines of a part of a playlist, found again in its bytes as they are asked for.
package struct PlaylistLines: Sequence, Sendable {
    enum Place: Sendable {
        case listed([PlaylistLine])
        case scanned([UInt8], Range<Int>)
    }

    let place: Place

    package struct Iterator: IteratorProtocol {
        private let source: [UInt8]
        private var scanner: LineScanner
        private let listed: [PlaylistLine]
        private var index = 0

        init(_ place: Place) {
            switch place {
            case .listed(let lines):
                listed = lines
                source = []
                scanner = LineScanner(0..<0)
            case .scanned(let bytes, let range):
                listed = []
                source = bytes
                scanner = LineScanner(range)
            }
        }

        package mutating func next() -> PlaylistLine? {
            if index < listed.count {
                index += 1
                return listed[index - 1]
            }
            let source = source
            let bytes = source.span
            guard let line = scanner.next(in: bytes) else { return nil }
            return PlaylistLine(kind: TagKind(bytes, start: line.start, end: line.end), line: line)
        }
    }

    package func makeIterator() -> Iterator {
        Iterator(place)
    }
}
