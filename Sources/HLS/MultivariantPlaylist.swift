/// A multivariant playlist, RFC 8216bis §4.4.6: the received bytes and what they mean. Immutable and cheap to copy.
package struct MultivariantPlaylist: Sendable {
    /// One immutable object behind all copies.
    final class Storage: Sendable {
        let source: [UInt8]
        let contents: MultivariantParser
        /// Places in the list of renditions, by type and group.
        let groups: RenditionGroups

        init(_ source: [UInt8]) throws(PlaylistError) {
            self.source = source
            contents = try MultivariantParser(source)
            groups = RenditionGroups(contents.renditions)
        }
    }

    private let storage: Storage

    /// Reads a playlist as leniently as players do; what is no multivariant playlist throws.
    package init(parsing source: [UInt8]) throws(PlaylistError) {
        storage = try Storage(source)
    }

    /// The bytes as received. All ranges of lines and attributes point into them.
    package var source: [UInt8] { storage.source }
    /// All lines in their order.
    package var lines: PlaylistLines { PlaylistLines(all: source) }
    /// EXT-X-STREAM-INF with their URI lines.
    package var variants: [Variant] { storage.contents.variants }
    /// EXT-X-MEDIA.
    package var renditions: [Rendition] { storage.contents.renditions }
    /// EXT-X-I-FRAME-STREAM-INF.
    package var iFrameVariants: [Variant] { storage.contents.iFrameVariants }
    /// EXT-X-IMAGE-STREAM-INF: thumbnails, in no standard.
    package var imageVariants: [Variant] { storage.contents.imageVariants }
    /// EXT-X-SESSION-KEY.
    package var sessionKeys: [EncryptionKey] { storage.contents.sessionKeys }
    /// EXT-X-SESSION-DATA.
    package var sessionData: [SessionData] { storage.contents.sessionData }
    /// EXT-X-CONTENT-STEERING; the first, if it is there twice.
    package var contentSteering: ContentSteering? { storage.contents.contentSteering }
    /// EXT-X-DEFINE.
    package var definitions: [PlaylistLine] { storage.contents.definitions }
    package var start: PlaylistStart? { storage.contents.start }
    /// EXT-X-VERSION; 1 where it is missing.
    package var version: Int { Int(clamping: storage.contents.version ?? 1) }
    /// EXT-X-INDEPENDENT-SEGMENTS.
    package var hasIndependentSegments: Bool { storage.contents.isIndependent }

    /// The playlist's bytes: those received.
    package func serialized() -> [UInt8] { source }

    /// The attributes of one of its lines.
    package func attributes(of line: PlaylistLine) -> AttributeList { AttributeList(source, line: line) }

    /// The renditions of a group, in the order of their lines. Does not look at the other renditions.
    package func renditions(_ type: Rendition.MediaType, group: String) -> [Rendition] {
        storage.groups.members(type, group).map { renditions[$0] }
    }

    /// The first member of a group; nil where there is no such group.
    func firstMember(_ type: Rendition.MediaType, group: String) -> Rendition? {
        storage.groups.members(type, group).first.map { renditions[$0] }
    }

    /// The groups of a type, in the order in which they first appear.
    package func groups(_ type: Rendition.MediaType) -> [String] { storage.groups.names(type) }

    /// The comments, blank lines and unknown tags that stand right before a line, and so belong to it (rule 109).
    package func lines(clingingTo line: PlaylistLine) -> PlaylistLines {
        PlaylistLines(source, in: PlaylistLines.clingingRange(to: line, in: source))
    }
}

/// The members of each rendition group.
struct RenditionGroups: Sendable {
    private struct Key: Hashable {
        var type: Rendition.MediaType
        var group: String
    }

    private var indices: [Key: [Int]] = [:]
    private var names: [Rendition.MediaType: [String]] = [:]

    init(_ renditions: [Rendition]) {
        for (index, rendition) in renditions.enumerated() {
            guard let type = rendition.type?.known else { continue }
            let key = Key(type: type, group: rendition.groupID)
            if indices[key] == nil { names[type, default: []].append(key.group) }
            indices[key, default: []].append(index)
        }
    }

    func members(_ type: Rendition.MediaType, _ group: String) -> [Int] {
        indices[Key(type: type, group: group)] ?? []
    }

    func names(_ type: Rendition.MediaType) -> [String] { names[type] ?? [] }
}

extension PlaylistLines {
    /// Where the comments, blank lines and unknown tags stand that cling to a line: the run that ends where it begins.
    static func clingingRange(to line: PlaylistLine, in source: [UInt8]) -> Range<Int> {
        let bytes = source.span
        let first = bytes.textStart
        let end = Swift.min(line.fullRange.lowerBound, bytes.count)
        var start = end
        while start > first {
            var previous = start - 1
            while previous > first, bytes[previous - 1] != 0x0A { previous -= 1 }
            var scanner = LineScanner(previous..<start)
            guard let found = scanner.next(in: bytes),
                TagKind(bytes, start: found.start, end: found.end).clingsToNextLine
            else { break }
            start = previous
        }
        return start..<end
    }
}
