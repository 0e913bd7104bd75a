/// Reads a multivariant playlist in one pass over its lines.
struct MultivariantParser: Sendable {
    private(set) var variants: [Variant] = []
    private(set) var renditions: [Rendition] = []
    private(set) var iFrameVariants: [Variant] = []
    private(set) var imageVariants: [Variant] = []
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
        var scanner = LineScanner(bytes.textStart..<bytes.count)
        while let line = scanner.next(in: bytes) {
            lineNumber += 1
            let kind = TagKind(bytes, start: line.start, end: line.end)
            try read(PlaylistLine(kind: kind, line: line), source)
        }
        guard hasTag else { throw PlaylistKind.rejection(bytes) }
        pendingVariant = nil
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
            // A URI without its tag is nothing that a player could choose.
            guard let tag = pendingVariant else { break }
            variants.append(Variant(source, line: tag, uriLine: line))
            pendingVariant = nil
        case .iFrameStreamInformation: iFrameVariants.append(Variant(source, line: line, uriLine: nil))
        case .imageStreamInformation: imageVariants.append(Variant(source, line: line, uriLine: nil))
        case .media: renditions.append(Rendition(source, line: line))
        case .sessionKey: sessionKeys.append(EncryptionKey(source.span, line: line))
        case .sessionData: sessionData.append(SessionData(source, line: line))
        case .contentSteering: contentSteering = contentSteering ?? ContentSteering(source, line: line)
        case .targetDuration, .segmentDuration, .mediaSequence:
            guard !variants.isEmpty || !renditions.isEmpty || !iFrameVariants.isEmpty || pendingVariant != nil else {
                throw PlaylistError(.wrongKind, line: lineNumber, detail: "a media playlist")
            }
        default: break
        }
    }
}
