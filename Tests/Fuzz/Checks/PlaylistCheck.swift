import HLS

/// What holds for any bytes that are read as a playlist.
enum PlaylistCheck {
    static let base = BaseURI("https://host.example/dir/list.m3u8?token=1#top")
    static let otherBase = BaseURI("http://other.example/")
    static let uri = "https://host.example/dir/list.m3u8?a=%41&token=1"

    static func run(_ bytes: [UInt8]) throws(FuzzFailure) {
        switch try value(of: bytes, Playlist.init(parsing:)) {
        case .media(let playlist): try MediaPlaylistCheck.run(playlist, bytes)
        case .multivariant(let playlist): try MultivariantCheck.run(playlist, bytes)
        case nil: break
        }
        // Either reader alone: what it is asked to read need not be what the tags tell.
        if let playlist = try value(of: bytes, MultivariantPlaylist.init(parsing:)) {
            try require(playlist.serialized() == bytes, "a multivariant playlist does not round-trip")
        }
        if let playlist = try value(of: bytes, MediaPlaylist.init(parsing:)) {
            try require(playlist.serialized() == bytes, "a media playlist does not round-trip")
        }
    }

    /// What a reader makes of the bytes; nil where it refuses them, with a line that is there.
    static func value<Value>(
        of bytes: [UInt8], _ read: ([UInt8]) throws(PlaylistError) -> Value
    ) throws(FuzzFailure) -> Value? {
        let error: PlaylistError
        do throws(PlaylistError) {
            return try read(bytes)
        } catch let refusal {
            error = refusal
        }
        try refusal(error, of: bytes)
        return nil
    }

    /// An error names a line that is there.
    static func refusal(_ error: PlaylistError, of bytes: [UInt8]) throws(FuzzFailure) {
        let feeds = bytes.reduce(0) { $1 == 0x0A ? $0 + 1 : $0 }
        let lines = max(1, feeds + (bytes.last == 0x0A ? 0 : 1))
        try require((1...lines).contains(error.line), "\(error) names a line of \(lines)")
    }

    /// The lines follow each other from the first byte (after a byte order mark) to the last, cut at line feeds alone.
    static func cover(_ lines: PlaylistLines, _ bytes: [UInt8]) throws(FuzzFailure) -> LineSum {
        var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        var sum = LineSum()
        for line in lines {
            try require(line.fullRange.lowerBound == position, "a line begins at \(line.fullRange), not at \(position)")
            try check(line, bytes)
            position = line.fullRange.upperBound
            sum.add(line)
        }
        try require(position == bytes.count, "the lines end at \(position) of \(bytes.count)")
        return sum
    }

    private static func check(_ line: PlaylistLine, _ bytes: [UInt8]) throws(FuzzFailure) {
        let full = line.fullRange
        let text = line.range
        try require(!full.isEmpty && full.upperBound <= bytes.count, "a line at \(full)")
        try require(full.lowerBound <= text.lowerBound && text.upperBound <= full.upperBound, "\(text) in \(full)")
        for position in full where bytes[position] == 0x0A {
            try require(position == full.upperBound - 1, "a line feed within a line at \(position)")
        }
        let isLast = full.upperBound == bytes.count
        try require(isLast || bytes[full.upperBound - 1] == 0x0A, "a line without end at \(full)")
        for position in full where !text.contains(position) {
            let byte = bytes[position]
            try require(
                byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A, "text cut from a line at \(position)")
        }
        let value = line.valueRange(in: bytes)
        try require(
            text.lowerBound <= value.lowerBound && value.upperBound <= text.upperBound, "a value at \(value) of \(text)"
        )
        try require((line.kind == .blank) == text.isEmpty, "\(line.kind) at \(text)")
        if let first = text.first.map({ bytes[$0] }) {
            try require((line.kind == .uri) == (first != 0x23), "\(line.kind) at \(text)")
        }
    }

    /// URIs stand in their lines, one behind the other.
    static func uris(_ uris: [PlaylistURI], _ bytes: [UInt8]) throws(FuzzFailure) {
        var position = 0
        for uri in uris {
            try require(uri.range.lowerBound >= position, "URIs overlap at \(uri.range)")
            try require(
                uri.line.range.lowerBound <= uri.range.lowerBound && uri.range.upperBound <= uri.line.range.upperBound,
                "a URI at \(uri.range) outside its line")
            try require(!uri.range.isEmpty, "an empty URI at \(uri.range)")
            position = uri.range.upperBound
        }
    }
}

/// A fingerprint of a set of lines, the same in whatever order they come.
struct LineSum: Equatable {
    private var count = 0
    private var starts = 0
    private var squares = 0
    private var kinds = 0

    mutating func add(_ line: PlaylistLine) {
        let start = line.fullRange.lowerBound
        let end = line.fullRange.upperBound
        count &+= 1
        starts &+= start &+ end
        squares &+= start &* start &+ end &* end
        kinds &+= Int(line.kind.rawValue) &* (start &+ 1)
    }

    mutating func add(_ lines: PlaylistLines) {
        for line in lines { add(line) }
    }
}
