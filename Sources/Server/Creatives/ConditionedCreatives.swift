internal import Conditioning
internal import HLS
internal import Stitching
internal import Transport
internal import VAST

/// Ads that are files: made into a source's renditions in the background, skipped until that is done.
final class ConditionedCreatives: Sendable {
    /// What was made of an ad for a ladder, to be read from the store.
    private struct Made: Hashable, Sendable {
        var key: ContentKey
        var ladder: SourceLadder

        static func == (left: Self, right: Self) -> Bool { left.key == right.key }
        func hash(into hasher: inout Hasher) { hasher.combine(key) }
    }

    private let conditioner: Conditioner
    private let time: any TimeSource
    private let metrics: Metrics
    private let start: @Sendable (@escaping @Sendable () async -> Void) -> Void
    private let ladders: SharedCache<LadderSubject, SourceLadder, ConditioningFailure>
    private let media: SharedCache<Made, AdMedia, CreativeFailure>

    /// How long a source's media are taken to be as they were.
    private static let ladderLifetime = Duration.seconds(86_400)
    /// Longest look at a source's media in the background.
    private static let ladderPatience = Duration.seconds(120)

    /// - Parameters:
    ///   - address: that stands before `/KEY/FILE` in playlists.
    ///   - start: runs a job in the background.
    init(
        conditioner: Conditioner, prober: SourceProber, address: String, time: any TimeSource, metrics: Metrics,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) {
        self.conditioner = conditioner
        self.time = time
        self.metrics = metrics
        self.start = start
        ladders = SharedCache(
            limit: 2_000, lifetime: Self.ladderLifetime, failureLifetime: .seconds(30), time: time, start: start,
            make: { await prober.ladder(for: $0) })
        media = SharedCache(
            limit: 4_000, lifetime: .seconds(3_600), failureLifetime: .seconds(1), time: time, start: start,
            make: { await Self.read($0, conditioner, address) })
    }

    /// What something can be made of, the best one first: an ad's files, a mezzanine where there is nothing else (R-M5); where there are
    /// none, its HLS that cannot be shown as it is.
    static func sources(_ ad: ResolvedAd, unfit: [String] = []) -> [MediaSource] {
        let files = ad.progressiveMediaFiles + ad.mezzanines.filter { $0.use == .progressive }
        return files.isEmpty ? unfit.map { MediaSource($0, isPlaylist: true) } : files.map { MediaSource($0.url) }
    }

    /// What is wanted, before it is known into what it is made.
    private struct Wanted: Sendable {
        var sources: [MediaSource]
        /// What tells it from all others.
        var identity: String
        var isOperators = false

        func request(_ ladder: SourceLadder) -> Conditioner.Request {
            Conditioner.Request(
                key: ContentKey(ad: identity, ladder: ladder.ladder), ladder: ladder.ladder, sources: sources,
                isOperators: isOperators)
        }
    }

    /// An ad's media for a source, if they are there; if not, they are made for the next time.
    ///
    /// - Parameters:
    ///   - sources: as ``sources(_:unfit:)`` finds them.
    ///   - isOperators: the operator names the ad, on whatever host: its address alone is its name.
    func media(
        of ad: ResolvedAd, from sources: [MediaSource], isOperators: Bool, for subject: LadderSubject,
        within patience: Duration
    ) async -> Result<AdMedia, CreativeFailure> {
        guard let first = sources.first else { return .failure(.noHLS) }
        if isOperators { return await media(of: first, for: subject, within: patience) }
        return await media(
            Wanted(sources: sources, identity: Self.identity(of: ad, from: sources)), for: subject, within: patience)
    }

    /// What tells an ad's media from those of all others.
    static func identity(of ad: ResolvedAd, from sources: [MediaSource]) -> String {
        // A query changes with each answer where addresses are signed: it is left out where the ad has a name of its own and the
        // address names media. What is made may be of any of them: all are the key.
        let addresses = sources.map { source in
            let isNamed = ad.namesMedia && (source.isPlaylist || isFile(source.url))
            return isNamed ? URLText.withoutQuery(source.url) : source.url
        }
        return ([ad.mediaKey] + addresses).joined(separator: "\n")
    }

    /// The same of media of the operator's own.
    func media(
        of source: MediaSource, for subject: LadderSubject, within patience: Duration
    ) async -> Result<AdMedia, CreativeFailure> {
        await media(
            Wanted(sources: [source], identity: "operator\n\(source.url)", isOperators: true), for: subject,
            within: patience)
    }

    /// Whether an address names a file of media by its ending.
    static func isFile(_ url: String) -> Bool {
        let name = URLText.withoutQuery(url).split(separator: "/").last?.lowercased() ?? ""
        return [".mp4", ".m4v", ".mov", ".webm", ".3gp", ".ts", ".mp3", ".m4a"].contains { name.hasSuffix($0) }
    }

    private func media(
        _ wanted: Wanted, for subject: LadderSubject, within patience: Duration
    ) async -> Result<AdMedia, CreativeFailure> {
        let ends = time.monotonic() + patience
        guard let found = await ladders.value(for: subject, within: patience) else {
            start { [self] in
                // Somebody wants it: it is made as soon as it is known into what.
                guard case .success(let ladder)? = await ladders.value(for: subject, within: Self.ladderPatience) else {
                    return
                }
                _ = await conditioner.request(wanted.request(ladder))
            }
            return .failure(.beingMade("what the channel is like is being looked at"))
        }
        switch found {
        case .failure(let failure):
            // The source is looked at again.
            if failure.kind == .machine { return .failure(.beingMade(failure.reason)) }
            return .failure(CreativeFailure(failure))
        case .success(let ladder):
            let request = wanted.request(ladder)
            let answer = await conditioner.request(request)
            (answer == .ready ? metrics.creativeHits : metrics.creativeMisses).increment()
            switch answer {
            case .inProgress: return .failure(.beingMade("it is being made into HLS"))
            case .full: return .failure(.beingMade("too many others wait to be made into HLS"))
            case .failed(let failure): return .failure(CreativeFailure(failure))
            case .ready:
                let made = Made(key: request.key, ladder: ladder)
                return await media.value(for: made, within: ends - time.monotonic()) ?? .failure(.timeout)
            }
        }
    }

    private static func read(
        _ made: Made, _ conditioner: Conditioner, _ address: String
    ) async -> Result<AdMedia, CreativeFailure> {
        let store = conditioner.store
        let gone = Result<AdMedia, CreativeFailure>.failure(.trouble("what was made of it cannot be read"))
        var sources: [AdMedia.Source] = []
        for output in made.ladder.ladder.outputs {
            guard var description = made.ladder.descriptions[output.name] else { continue }
            let name = "\(output.name)/\(Conditioner.playlistName)"
            guard let bytes = await conditioner.threads.run({ store.read(name, in: made.key) }), let bytes,
                let playlist = try? MediaPlaylist(parsing: bytes)
            else { return gone }
            let url = "\(address)/\(made.key)/\(name)"
            description.upstreamURL = url
            var source = AdMedia.Source(description: description, playlist: playlist, url: url)
            if sources.isEmpty, output.video != nil {
                source.timestamps = [await timestamp(of: playlist, output.name, made.key, conditioner)]
            }
            sources.append(source)
        }
        do throws(AdMedia.Problem) {
            return .success(try AdMedia(id: "\(address)/\(made.key)", sources: sources))
        } catch {
            return .failure(.unusable(error.text))
        }
    }

    /// When the media begin on their own clock.
    private static func timestamp(
        of playlist: MediaPlaylist, _ output: String, _ key: ContentKey, _ conditioner: Conditioner
    ) async -> Int64? {
        let store = conditioner.store
        func beginning(_ uri: Range<Int>) async -> [UInt8]? {
            let path = "\(output)/\(playlist.text(uri))"
            let bytes = await conditioner.threads.run { store.read(path, in: key, range: 0..<18_800) }
            return bytes ?? nil
        }
        guard let first = playlist.segments.first, let bytes = await beginning(first.uri) else { return nil }
        guard let index = first.map, playlist.maps.indices.contains(index) else {
            return MediaTimestamps.first(inTransportStream: bytes)
        }
        guard let head = await beginning(playlist.maps[index].uri) else { return nil }
        return MediaTimestamps.first(inFragment: bytes, initialization: head)
    }
}

extension CreativeFailure {
    init(_ failure: ConditioningFailure) {
        self =
            switch failure.kind {
            case .notFound: .notFound(failure.reason)
            case .slow, .timeout: .timeout
            case .unusable, .encrypted: .unusable(failure.reason)
            case .unsupported: .unsupported(failure.reason)
            case .machine, .cancelled: .trouble(failure.reason)
            }
    }
}
