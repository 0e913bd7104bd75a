/// A multivariant playlist, RFC 8216bis §4.4.6: the received bytes and what they mean.
package struct MultivariantPlaylist: Sendable {
    /// The bytes as received. All ranges of lines and attributes point into them.
    package let source: [UInt8]
    /// All lines in their order.
    package var lines: PlaylistLines { PlaylistLines(all: source) }
    /// EXT-X-STREAM-INF with their URI lines.
    package let variants: [Variant]
    /// EXT-X-MEDIA.
    package let renditions: [Rendition]
    /// EXT-X-I-FRAME-STREAM-INF.
    package let iFrameVariants: [Variant]
    /// EXT-X-SESSION-KEY.
    package let sessionKeys: [EncryptionKey]
    /// EXT-X-SESSION-DATA.
    package let sessionData: [SessionData]
    /// EXT-X-CONTENT-STEERING.
    package let contentSteering: ContentSteering?
    /// EXT-X-DEFINE.
    package let definitions: [PlaylistLine]
    package let start: PlaylistStart?
    package let version: Int
    /// EXT-X-INDEPENDENT-SEGMENTS.
    package let hasIndependentSegments: Bool

    package init(parsing source: [UInt8]) throws(PlaylistError) {
        let parser = try MultivariantParser(source)
        self.source = source
        variants = parser.variants
        renditions = parser.renditions
        iFrameVariants = parser.iFrameVariants
        sessionKeys = parser.sessionKeys
        sessionData = parser.sessionData
        contentSteering = parser.contentSteering
        definitions = parser.definitions
        start = parser.start
        version = Int(clamping: parser.version ?? 1)
        hasIndependentSegments = parser.isIndependent
    }

    /// The playlist's bytes: those received.
    package func serialized() -> [UInt8] { source }

    /// The attributes of one of its lines.
    package func attributes(of line: PlaylistLine) -> AttributeList { AttributeList(source, line: line) }

    /// The renditions of a group.
    package func renditions(_ type: Rendition.MediaType, group: String) -> [Rendition] {
        renditions.filter { $0.type == type && $0.groupID == group }
    }
}

/// Reads a multivariant playlist in one pass over its lines.
struct MultivariantParser {
    private(set) var variants: [Variant] = []
    private(set) var renditions: [Rendition] = []
    private(set) var iFrameVariants: [Variant] = []
    private(set) var sessionKeys: [EncryptionKey] = []
    private(set) var sessionData: [SessionData] = []
    private(set) var contentSteering: ContentSteering?
    private(set) var definitions: [PlaylistLine] = []
    private(set) var start: PlaylistStart?
    private(set) var version: Int64?
    private(set) var isIndependent = false
    private var pendingVariant: PlaylistLine?
    private var hasTag = false
    private var lineNumber = 0

    init(_ source: [UInt8]) throws(PlaylistError) {
        let bytes = source.span
        guard bytes.count <= Int(UInt32.max) else {
            throw PlaylistError(.tooLarge, line: 1, detail: "\(bytes.count) bytes")
        }
        var first = 0
        if bytes.matches("\u{FEFF}", at: 0) { first = 3 }
        var scanner = LineScanner(first..<bytes.count)
        while let line = scanner.next(in: bytes) {
            lineNumber += 1
            let kind = TagKind(bytes, start: line.start, end: line.end)
            try read(PlaylistLine(kind: kind, line: line), source)
        }
        guard hasTag else { throw PlaylistKind.rejection(bytes) }
    }

    private mutating func read(_ line: PlaylistLine, _ source: [UInt8]) throws(PlaylistError) {
        if !line.kind.clingsToNextLine, line.kind != .uri { hasTag = true }
        switch line.kind {
        case .version: version = version ?? DecimalText.integer(source.span, in: line.valueRange(in: source))
        case .independentSegments: isIndependent = true
        case .start: start = start ?? PlaylistStart(source.span, in: line.valueRange(in: source))
        case .define: definitions.append(line)
        case .streamInformation: pendingVariant = line
        case .uri:
            if let variant = pendingVariant { variants.append(Variant(source, line: variant, uriLine: line)) }
            pendingVariant = nil
        case .iFrameStreamInformation: iFrameVariants.append(Variant(source, line: line, uriLine: nil))
        case .media: renditions.append(Rendition(source, line: line))
        case .sessionKey: sessionKeys.append(EncryptionKey(source.span, line: line))
        case .sessionData: sessionData.append(SessionData(source, line: line))
        case .contentSteering: contentSteering = contentSteering ?? ContentSteering(source, line: line)
        case .targetDuration, .segmentDuration, .mediaSequence:
            guard !variants.isEmpty || !renditions.isEmpty || !iFrameVariants.isEmpty || pendingVariant != nil else {
                throw PlaylistError(.wrongKind, line: lineNumber, detail: "a media playlist")
            }
        default:
            break
        }
    }
}
