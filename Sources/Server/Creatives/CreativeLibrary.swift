internal import HLS
internal import Stitching
internal import Transport
internal import VAST

/// Why an ad's media cannot be used, and the code for its error beacons.
enum CreativeFailure: Error, Sendable, Equatable {
    case notFound(String)
    case timeout
    case unusable(String)
    /// It will be there another time.
    case beingMade(String)
    /// Nothing can be made of it for this source.
    case unsupported(String)
    /// A fault of ours.
    case trouble(String)
    /// No media file of a kind that can be stitched.
    case noHLS

    var code: VASTErrorCode {
        switch self {
        case .notFound: .mediaFileNotFound
        case .timeout: .mediaFileTimeout
        case .unusable: .mediaFileUnusable
        case .beingMade: .mezzanineInProgress
        case .trouble: .linear
        case .noHLS, .unsupported: .mediaFileUnsupported
        }
    }

    var reason: String {
        switch self {
        case .notFound(let detail): "media not found: \(detail)"
        case .timeout: "media did not come in time"
        case .unusable(let detail): "media cannot be used: \(detail)"
        case .beingMade(let detail): "skipped this time: \(detail)"
        case .unsupported(let detail): "nothing can be made of its media: \(detail)"
        case .trouble(let detail): "media could not be made: \(detail)"
        case .noHLS: "no HLS media file"
        }
    }
}

/// The playlists of ads: fetched and parsed once, shared by all sessions.
struct CreativeLibrary: Sendable {
    private let cache: SharedCache<String, AdMedia, CreativeFailure>

    struct Limits: Sendable {
        var creatives = 2_000
        var lifetime = Duration.seconds(600)
        /// After which a creative that failed is tried again; twice as long after each further failure.
        var failureLifetime = Duration.seconds(10)
        var longestFailureLifetime = Duration.seconds(300)
        /// Media playlists of one ad that are read.
        var renditions = 40
        /// Segments of one media playlist, and of all of an ad: more make no ad.
        var segments = 5_000
        var allSegments = 20_000
        /// Segments per second, above a few: ads of nothing but crumbs make no playlist that a player could load.
        var segmentsPerSecond = 5
    }

    /// - Parameters:
    ///   - fetch: requests a playlist; has its own deadline.
    ///   - beginning: requests the first bytes of a segment, from an offset on; has its own deadline.
    init(
        limits: Limits = Limits(), time: any TimeSource,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void,
        fetch: @escaping @Sendable (String) async -> UpstreamAnswer,
        beginning: @escaping @Sendable (String, Int64) async -> [UInt8]?
    ) {
        let reader = CreativeReader(fetch: fetch, beginning: beginning, limits: limits)
        cache = SharedCache(
            limit: limits.creatives, lifetime: limits.lifetime, failureLifetime: limits.failureLifetime,
            longestFailureLifetime: limits.longestFailureLifetime, time: time, start: start,
            make: { url in await reader.media(at: url) })
    }

    /// An ad's media, if it is there within `patience`; it is fetched on for the next viewer.
    func media(at url: String, within patience: Duration) async -> Result<AdMedia, CreativeFailure> {
        await cache.value(for: url, within: patience) ?? .failure(.timeout)
    }
}

/// Reads an ad's playlists.
struct CreativeReader: Sendable {
    var fetch: @Sendable (String) async -> UpstreamAnswer
    var beginning: @Sendable (String, Int64) async -> [UInt8]?
    var limits = CreativeLibrary.Limits()

    private typealias Fetched = (playlist: Playlist, url: String)

    func media(at url: String) async -> Result<AdMedia, CreativeFailure> {
        do {
            let first = try await playlist(at: URLText.escaped(url))
            let catalog: SourceCatalog
            switch first.playlist {
            case .media(let playlist):
                catalog = SourceCatalog(mediaPlaylistURL: first.url)
                guard let only = catalog.renditions.first else { return .failure(.unusable("no rendition")) }
                let plain = playlist.plain(importing: catalog.variables, uri: first.url)
                return await made(url, [AdMedia.Source(description: only, playlist: plain, url: first.url)])
            case .multivariant(let playlist):
                catalog = SourceCatalog(playlist, url: first.url)
            }
            let wanted = catalog.renditions.filter { $0.kind == .variant || $0.kind == .audio || $0.kind == .iFrames }
                .prefix(limits.renditions)
            let sources = try await withThrowingTaskGroup(of: (Int, AdMedia.Source)?.self) { group in
                for (index, rendition) in wanted.enumerated() {
                    group.addTask {
                        // Without I-frames an ad is an ad.
                        let isOptional = rendition.kind == .iFrames
                        guard let fetched = try await playlist(at: rendition.upstreamURL, isOptional: isOptional) else {
                            return nil
                        }
                        guard case .media(let media) = fetched.playlist else {
                            if isOptional { return nil }
                            throw CreativeFailure.unusable("a multivariant playlist where a media playlist is expected")
                        }
                        let plain = media.plain(importing: catalog.variables, uri: fetched.url)
                        return (index, AdMedia.Source(description: rendition, playlist: plain, url: fetched.url))
                    }
                }
                var sources: [(Int, AdMedia.Source)] = []
                for try await source in group { if let source { sources.append(source) } }
                return sources.sorted { $0.0 < $1.0 }.map(\.1)
            }
            return await made(url, sources)
        } catch let failure as CreativeFailure {
            return .failure(failure)
        } catch {
            return .failure(.unusable("\(error)"))
        }
    }

    private func made(_ url: String, _ sources: [AdMedia.Source]) async -> Result<AdMedia, CreativeFailure> {
        guard sources.reduce(0, { $0 + $1.playlist.segments.count }) <= limits.allSegments else {
            return .failure(.unusable("more than \(limits.allSegments) segments"))
        }
        for source in sources {
            let key = source.description.key
            if source.description.kind == .iFrames { continue }
            guard source.playlist.hasEndList else {
                return .failure(.unusable("rendition \(key) has no EXT-X-ENDLIST"))
            }
            guard source.playlist.segments.count <= limits.segments else {
                return .failure(.unusable("rendition \(key) has more than \(limits.segments) segments"))
            }
            let length = source.playlist.segments.reduce(Duration.zero) { $0 + $1.duration }
            let most = 20 + Int64(limits.segmentsPerSecond) * max(length.components.seconds, 0)
            guard source.playlist.segments.count <= most else {
                return .failure(.unusable("rendition \(key) has more than \(most) segments in \(length)"))
            }
        }
        do throws(AdMedia.Problem) {
            let usable = sources.filter {
                $0.description.kind != .iFrames
                    || $0.playlist.hasEndList && $0.playlist.segments.count <= limits.segments
            }
            let media = try AdMedia(id: url, sources: await withTimestamps(await withCodecs(usable)))
            // Players are sent there.
            guard media.renditions.allSatisfy({ $0.entries.allSatisfy { Self.isHTTP($0.uri) } }) else {
                return .failure(.unusable("a segment's address is not HTTP"))
            }
            return .success(media)
        } catch {
            return .failure(.unusable(error.text))
        }
    }

    /// Adds what transport streams themselves say where no playlist says the codecs.
    private func withCodecs(_ sources: [AdMedia.Source]) async -> [AdMedia.Source] {
        await withTaskGroup(of: (Int, [String]?).self) { group in
            for (index, source) in sources.enumerated() where source.description.codecs.isEmpty {
                group.addTask { (index, await codecs(of: source)) }
            }
            var sources = sources
            for await (index, names) in group { sources[index].description.codecs = names ?? [] }
            return sources
        }
    }

    /// Adds when the media begin on their own clock, as far as they tell: what stands for subtitles has to fit it (rule 1115).
    private func withTimestamps(_ sources: [AdMedia.Source]) async -> [AdMedia.Source] {
        guard let index = sources.firstIndex(where: { $0.description.kind == .variant }) else { return sources }
        let source = sources[index]
        let starts = source.playlist.segments.filter { $0.index == 0 || $0.discontinuityCount > 0 }
        var timestamps: [Int64?] = []
        for segment in starts.prefix(Self.timestampLimit) {
            timestamps.append(await timestamp(of: segment, in: source))
        }
        var sources = sources
        if timestamps.contains(where: { $0 != nil }) { sources[index].timestamps = timestamps }
        return sources
    }

    /// Parts of one ad whose beginnings are looked at.
    private static let timestampLimit = 4

    private func timestamp(of segment: MediaSegment, in source: AdMedia.Source) async -> Int64? {
        let playlist = source.playlist
        let keys =
            playlist.keyGroups.indices.contains(segment.keyGroup) ? playlist.keyGroups[segment.keyGroup].keys : []
        guard !segment.isGap, keys.allSatisfy({ $0.method == .none }) else { return nil }
        func address(_ range: Range<Int>) -> String? {
            let found = URIReference.resolve(
                String(decoding: playlist.source[range], as: UTF8.self), against: source.url)
            return Self.isHTTP(found) ? found : nil
        }
        guard let url = address(segment.uri), let bytes = await beginning(url, segment.byteRange?.offset ?? 0) else {
            return nil
        }
        guard let index = segment.map, playlist.maps.indices.contains(index) else {
            return MediaTimestamps.first(inTransportStream: bytes)
        }
        let map = playlist.maps[index]
        guard let url = address(map.uri), let head = await beginning(url, map.byteRange?.offset ?? 0)
        else { return nil }
        return MediaTimestamps.first(inFragment: bytes, initialization: head)
    }

    private func codecs(of source: AdMedia.Source) async -> [String]? {
        let playlist = source.playlist
        guard let first = playlist.segments.first, first.map == nil, !first.isGap,
            !playlist.keyGroups.indices.contains(first.keyGroup)
                || playlist.keyGroups[first.keyGroup].keys.allSatisfy({ $0.method == .none })
        else { return nil }
        let reference = String(decoding: playlist.source[first.uri], as: UTF8.self)
        let address = URIReference.resolve(reference, against: source.url)
        guard Self.isHTTP(address), let bytes = await beginning(address, first.byteRange?.offset ?? 0) else {
            return nil
        }
        return TransportStreamCodecs.names(in: bytes)
    }

    private static func isHTTP(_ url: String) -> Bool {
        let scheme = url.prefix { $0 != ":" }.lowercased()
        return scheme == "http" || scheme == "https"
    }

    private func playlist(at url: String, isOptional: Bool) async throws -> Fetched? {
        isOptional ? try? await playlist(at: url) : try await playlist(at: url)
    }

    private func playlist(at url: String) async throws -> Fetched {
        switch await fetch(url) {
        case .notModified: throw CreativeFailure.unusable("status 304 without a condition")
        case .failure(.timeout): throw CreativeFailure.timeout
        case .failure(.notFound(let status)), .failure(.status(let status)):
            throw CreativeFailure.notFound("status \(status)")
        case .failure(.unreachable(let detail)): throw CreativeFailure.notFound(detail)
        case .failure(.badURL): throw CreativeFailure.notFound("its address cannot be used")
        case .failure(.notAPlaylist(let detail)): throw CreativeFailure.unusable("no playlist: \(detail)")
        case .body(let bytes, let finalURL, _, _):
            do {
                return (try Playlist(parsing: bytes), finalURL)
            } catch {
                throw CreativeFailure.unusable("no playlist: \(error)")
            }
        }
    }
}
