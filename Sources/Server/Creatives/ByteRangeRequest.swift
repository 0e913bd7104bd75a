/// The part of a file that a request asks for. RFC 9110 §14.
enum ByteRangeRequest: Equatable {
    case whole
    case part(Range<Int>)
    /// Several, in the order asked for.
    case parts([Range<Int>])
    case unsatisfiable

    /// More are not told apart from an attack: they get the whole.
    private static let limit = 8

    /// Reads a Range header. One of another unit, or that cannot be read, asks for the whole (§14.2); so do parts that overlap or are
    /// many (§17.15).
    init(_ header: String, size: Int) {
        self = .whole
        let parts = header.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return }
        let texts = parts[1].split(separator: ",", omittingEmptySubsequences: false)
        guard texts.count <= Self.limit else { return }
        var ranges: [Range<Int>] = []
        for text in texts {
            guard let range = Self.range(text.filter { $0 != " " && $0 != "\t" }, size) else { return }
            if !range.isEmpty { ranges.append(range) }
        }
        let sorted = ranges.sorted { $0.lowerBound < $1.lowerBound }
        guard zip(sorted, sorted.dropFirst()).allSatisfy({ $0.upperBound <= $1.lowerBound }) else { return }
        self = ranges.isEmpty ? .unsatisfiable : ranges.count == 1 ? .part(ranges[0]) : .parts(ranges)
    }

    /// One of them, empty where the file has none of it; nil where it cannot be read.
    private static func range(_ text: String, _ size: Int) -> Range<Int>? {
        let bounds = text.split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) }) else { return nil }
        let (first, last) = (Int(bounds[0]), Int(bounds[1]))
        if let first {
            guard bounds[1].isEmpty || last != nil, last.map({ $0 >= first }) ?? true else { return nil }
            return first < size ? first..<min(last ?? .max - 1, size - 1) + 1 : 0..<0
        }
        guard bounds[0].isEmpty, let last else { return nil }
        return size - min(last, size)..<size
    }
}

extension Range<Int> {
    /// Both, and what lies between them.
    func spanning(_ other: Range<Int>) -> Range<Int> {
        Swift.min(lowerBound, other.lowerBound)..<Swift.max(upperBound, other.upperBound)
    }
}

/// Several parts of a file in one body. RFC 9110 §14.6.
struct MultipartRanges {
    let bytes: [UInt8]
    var contentType: String { "multipart/byteranges; boundary=\(Self.boundary)" }

    /// No media that we make hold it at the start of a line.
    private static let boundary = "podstitch-8c1f0d5e7ab34296"

    /// - Parameters:
    ///   - ranges: of the file.
    ///   - held: the bytes from `start` on.
    init(_ ranges: [Range<Int>], of held: [UInt8], from start: Int, size: Int, type: String) {
        var body: [UInt8] = []
        for range in ranges {
            let place = (range.lowerBound - start..<range.upperBound - start).clamped(to: 0..<held.count)
            body += "--\(Self.boundary)\r\nContent-Type: \(type)\r\n".utf8
            body += "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)\r\n\r\n".utf8
            body += held[place]
            body += "\r\n".utf8
        }
        body += "--\(Self.boundary)--\r\n".utf8
        bytes = body
    }
}
