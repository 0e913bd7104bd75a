internal import Conditioning
internal import HLS
internal import Stitching

/// The content that ads are made for. Equal where the same is to be made.
struct LadderSubject: Sendable, Hashable {
    var source: SourceID
    var renditions: [MediaRendition]
    var container: Container
    var targetDuration: Duration
    /// The address at which a playlist or a segment of the origin's is asked for.
    var address: @Sendable (String) -> OriginAddress

    init(_ source: Source, _ catalog: SourceCatalog, _ ledger: BreakLedger) {
        self.source = source.id
        renditions = catalog.renditions
        container = ledger.renditions[ledger.leading]?.container ?? .selfInitializing
        targetDuration = ledger.traits(of: ledger.leading)?.targetDuration ?? ledger.targetDuration
        address = { url in
            OriginAddress(
                url: source.upstreamURL(url), headers: source.options.headers, http2: source.options.http2)
        }
    }

    /// What tells it from others.
    private var identity: String {
        let parts = renditions.map { rendition in
            let size = rendition.resolution.map { "\($0.width)x\($0.height)" } ?? ""
            let codecs = rendition.codecs.joined(separator: ",")
            return "\(rendition.key)|\(rendition.bandwidth)|\(size)|\(codecs)|\(rendition.hasSeparateAudio)"
        }
        return "\(source.kind)/\(source.name) \(container) \(targetDuration) \(parts)"
    }

    static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }
    func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// Looks at a source's media: what its playlists do not say, such as the rate of the sound's samples, ads have to have, too.
struct SourceProber: Sendable {
    var tools: MediaTools
    var store: CreativeStore
    var threads: FileThreads
    var playlist: @Sendable (OriginAddress) async -> UpstreamAnswer
    /// The first bytes of a segment, from an offset on.
    var bytes: @Sendable (OriginAddress, Int64, Int) async -> [UInt8]?
    var loudness: Int?

    /// Renditions that are looked at.
    private static let limit = 16
    /// Enough of a segment for pictures and sound to have begun.
    private static let sampleBytes = 1 << 20

    func ladder(for subject: LadderSubject) async -> Result<SourceLadder, ConditioningFailure> {
        var probed: [RenditionKey: ProbedMedia] = [:]
        var seen: Set<String> = []
        let wanted = subject.renditions.filter { $0.kind == .variant || $0.kind == .audio }
        for rendition in wanted.prefix(Self.limit) where seen.insert(rendition.upstreamURL).inserted {
            switch await look(at: rendition, subject) {
            case .seen(let media): probed[rendition.key] = media
            case .unreadable: break
            case .missing:
                return .failure(ConditioningFailure(.machine, "the media of \(rendition.key) cannot be looked at now"))
            }
        }
        do throws(ConditioningFailure) {
            return .success(
                try SourceLadder(
                    wanted, container: subject.container, targetDuration: subject.targetDuration, probed: probed,
                    loudness: loudness))
        } catch {
            return .failure(error)
        }
    }

    private enum Look {
        case seen(ProbedMedia)
        /// They are encrypted, or of a kind that ffprobe does not know: the playlists alone tell.
        case unreadable
        /// The origin does not give them out now.
        case missing
    }

    private func look(at rendition: MediaRendition, _ subject: LadderSubject) async -> Look {
        guard
            case .body(let body, let url, _, _) = await playlist(subject.address(rendition.upstreamURL)),
            let playlist = try? MediaPlaylist(parsing: body)
        else { return .missing }
        guard let segment = playlist.segments.last(where: { !$0.isGap && isClear($0, in: playlist) }) else {
            return .unreadable
        }
        func part(_ range: Range<Int>, _ place: ByteRange?) async -> [UInt8]? {
            let address = URIReference.resolve(playlist.text(range), against: url)
            let count = min(place.map { Int(clamping: $0.length) } ?? Self.sampleBytes, Self.sampleBytes)
            return await bytes(subject.address(address), place?.offset ?? 0, count)
        }
        var sample: [UInt8] = []
        if let index = segment.map, playlist.maps.indices.contains(index) {
            let map = playlist.maps[index]
            guard let head = await part(map.uri, map.byteRange) else { return .missing }
            sample = head
        }
        guard let media = await part(segment.uri, segment.byteRange) else { return .missing }
        sample += media
        return await probe(sample).map { .seen($0) } ?? .unreadable
    }

    private func isClear(_ segment: MediaSegment, in playlist: MediaPlaylist) -> Bool {
        guard playlist.keyGroups.indices.contains(segment.keyGroup) else { return true }
        return playlist.keyGroups[segment.keyGroup].keys.allSatisfy { $0.method == .none }
    }

    private func probe(_ sample: [UInt8]) async -> ProbedMedia? {
        let (store, tools) = (store, tools)
        let media = await threads.run { () -> ProbedMedia? in
            guard let folder = store.makeWorkFolder() else { return nil }
            defer { store.discardWorkFolder(folder) }
            guard store.write(sample, to: "content", in: folder) else { return nil }
            return try? tools.probe("content", in: folder, within: .seconds(20))
        }
        return media ?? nil
    }
}
