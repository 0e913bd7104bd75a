import HLS

/// What tells a segment of the origin from others: its address as it is written, without host and query (an origin may sign its
/// addresses anew and redirect elsewhere), with its byte range.
struct SegmentMark: Hashable, Sendable {
    let path: UInt32
    /// The last component alone: tokens may stand in the path, too.
    let name: UInt32

    init(path: UInt32, name: UInt32) {
        self.path = path
        self.name = name
    }

    init(_ segment: MediaSegment, in source: [UInt8]) {
        var range = segment.uri
        if let end = source[range].firstIndex(where: { $0 == 0x3F || $0 == 0x23 }) {
            range = range.lowerBound..<end
        }
        var start = range.lowerBound
        // Behind scheme and host.
        if let colon = source[range].firstIndex(of: 0x3A), source[colon..<range.upperBound].starts(with: "://".utf8) {
            start = source[(colon + 3)..<range.upperBound].firstIndex(of: 0x2F) ?? range.upperBound
        }
        let nameStart = source[start..<range.upperBound].lastIndex(of: 0x2F).map { $0 + 1 } ?? start
        let offset = segment.byteRange.map { UInt64(bitPattern: $0.offset) } ?? .max
        path = Self.hash(source[start..<range.upperBound], offset)
        name = Self.hash(source[nameStart..<range.upperBound], offset)
    }

    func isSame(as other: SegmentMark) -> Bool { path == other.path || name == other.name }

    /// FNV-1a; never 0.
    private static func hash(_ bytes: ArraySlice<UInt8>, _ offset: UInt64) -> UInt32 {
        var hash: UInt32 = 0x811C_9DC5
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            hash = (hash ^ UInt32(truncatingIfNeeded: offset >> shift & 0xFF)) &* 0x0100_0193
        }
        return max(hash, 1)
    }
}

/// The marks of the newest segments of a rendition, for longer than the segments themselves are kept: by them a playlist that is
/// older than another is told from one of an origin that counts anew.
struct SegmentMemory: Sendable, Codable {
    /// The number of the first mark.
    private(set) var first: Int64 = 0
    private var paths: [UInt32] = []
    private var names: [UInt32] = []

    /// Marks that are kept at least; twice as many at most.
    private static let limit = 256

    var isEmpty: Bool { paths.isEmpty }

    subscript(number: Int64) -> SegmentMark? {
        let (index, overflow) = number.subtractingReportingOverflow(first)
        guard !overflow, index >= 0, index < paths.count, paths[Int(index)] != 0 else { return nil }
        return SegmentMark(path: paths[Int(index)], name: names[Int(index)])
    }

    mutating func append(_ mark: SegmentMark, at number: Int64) {
        let missing = number &- (first &+ Int64(paths.count))
        if paths.isEmpty || missing < 0 || missing > Int64(Self.limit) {
            self = SegmentMemory()
            first = number
        } else {
            // Numbers that were never seen have none.
            paths.append(contentsOf: repeatElement(0, count: Int(missing)))
            names.append(contentsOf: repeatElement(0, count: Int(missing)))
        }
        paths.append(mark.path)
        names.append(mark.name)
        guard paths.count >= Self.limit * 2 else { return }
        paths.removeFirst(Self.limit)
        names.removeFirst(Self.limit)
        first &+= Int64(Self.limit)
    }

    mutating func forget(from number: Int64) {
        let kept = Int(clamping: max(number &- first, 0))
        guard kept < paths.count else { return }
        paths.removeLast(paths.count - kept)
        names.removeLast(names.count - kept)
    }

    /// The numbers of addresses that only one segment has.
    var numbersByPath: [UInt32: Int64] {
        var numbers: [UInt32: Int64] = [:]
        var repeated: Set<UInt32> = []
        for (index, path) in paths.enumerated() where path != 0 {
            if numbers.updateValue(first &+ Int64(index), forKey: path) != nil { repeated.insert(path) }
        }
        for path in repeated { numbers[path] = nil }
        return numbers
    }
}
