/// The findings of one version of a playlist. Lines are counted when the first is needed.
struct ReloadReport {
    private let playlist: MediaPlaylist
    private var report = LintReport()
    private var lines: LineNumbers?

    init(_ playlist: MediaPlaylist) {
        self.playlist = playlist
    }

    mutating func add(_ rule: Int, line: Int, _ message: String, severity: PlaylistFinding.Severity? = nil) {
        report.report(rule, line, message, severity: severity)
    }

    /// At the first line of a tag; at the first line where it is missing.
    mutating func add(_ rule: Int, tag: TagKind, _ message: String, severity: PlaylistFinding.Severity? = nil) {
        add(rule, line: lineNumbers.first[tag] ?? 1, message, severity: severity)
    }

    /// At the line that has the byte at `offset`.
    mutating func add(_ rule: Int, at offset: Int, _ message: String, severity: PlaylistFinding.Severity? = nil) {
        add(rule, line: lineNumbers.number(at: offset), message, severity: severity)
    }

    var lastLine: Int {
        mutating get { max(lineNumbers.starts.count, 1) }
    }

    func sorted() -> [PlaylistFinding] { report.sorted() }

    private var lineNumbers: LineNumbers {
        mutating get {
            if let lines { return lines }
            let counted = LineNumbers(playlist)
            lines = counted
            return counted
        }
    }
}

/// Which line a byte of a playlist stands in.
struct LineNumbers {
    private(set) var starts: [Int] = []
    /// Number of the first line of each kind.
    private(set) var first: [TagKind: Int] = [:]

    init(_ playlist: MediaPlaylist) {
        for line in playlist.lines {
            starts.append(line.fullRange.lowerBound)
            if first[line.kind] == nil { first[line.kind] = starts.count }
        }
    }

    /// The first line being 1.
    func number(at offset: Int) -> Int {
        max(starts.partitioningIndex { $0 > offset }, 1)
    }
}

extension MediaPlaylist {
    /// A part of the source for a message: without the queries of URIs, which may hold secrets, and not endless.
    func shown(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        var isQuery = false
        for byte in source[range.clamped(to: 0..<source.count)] {
            if isQuery {
                guard byte == 0x22 else { continue }
                isQuery = false
            }
            guard bytes.count < 120 else { break }
            bytes.append(byte)
            if byte == 0x3F {
                bytes.append(contentsOf: "…".utf8)
                isQuery = true
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The resource of a segment for a message.
    func shownResource(of segment: MediaSegment) -> String {
        let name = shown(segment.uri)
        return segment.byteRange.map { "\(name) (\($0.length) bytes at \($0.offset))" } ?? name
    }

    /// Tells resources apart: the URI's text and the byte range. FNV-1a.
    func fingerprint(of segment: MediaSegment) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in source[segment.uri.clamped(to: 0..<source.count)] {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        guard let range = segment.byteRange else { return hash }
        hash = (hash ^ UInt64(bitPattern: range.offset)) &* 0x100_0000_01B3
        return (hash ^ UInt64(bitPattern: range.length)) &* 0x100_0000_01B3
    }
}
