internal import HLS
internal import Stitching
internal import Synchronization
internal import Transport

/// Reads a source's playlists at the origin: which renditions there are, and what they list now.
final class ContentReader: Sendable {
    private let origin: OriginCache
    let time: any TimeSource
    let log: Log
    let start: @Sendable (@escaping @Sendable () async -> Void) -> Void

    init(
        origin: OriginCache, time: any TimeSource, log: Log,
        start: @escaping @Sendable (@escaping @Sendable () async -> Void) -> Void
    ) {
        self.start = start
        self.origin = origin
        self.time = time
        self.log = log
    }

    /// The renditions of a source, as its multivariant playlist names them now. One that cannot be had at the origin in use is had
    /// at another one, which then is.
    func catalog(of source: Source) async throws(ServerError) -> SourceCatalog {
        let origin = source.origin
        let failure: ServerError
        do throws(ServerError) {
            return try await catalog(of: source, at: origin)
        } catch {
            failure = error
        }
        for other in source.origins(behind: origin) {
            guard let catalog = try? await catalog(of: source, at: other) else { continue }
            await change(source, to: other, catalog, reason: failure.detail)
            return catalog
        }
        throw failure
    }

    func catalog(of source: Source, at origin: Int) async throws(ServerError) -> SourceCatalog {
        let url = source.origins[origin]
        let snapshot = try await snapshot(of: url, source)
        start { await source.register.extend() }
        if let known = source.catalog(version: snapshot.version, origin: origin) { return known }
        let catalog = await source.register.catalog(
            of: origin, choice: source.options.leadingRendition, leading: { source.firstLeading(in: $0) }
        ) { names in
            var catalog =
                if let multivariant = snapshot.multivariant {
                    SourceCatalog(multivariant, url: snapshot.finalURL, names: names)
                } else {
                    // One media playlist. It is asked for by its own address again, so that redirects are followed anew.
                    SourceCatalog(mediaPlaylistURL: url)
                }
            if source.decisionTime != nil, source.options.iFrames == .remove { catalog = catalog.withoutIFrames() }
            catalog.origin = origin
            return catalog
        }
        source.keep(catalog, version: snapshot.version, origin: origin)
        return catalog
    }

    /// What is known of the content once the newest playlist of a rendition was taken in, the leading rendition's before it.
    func observe(
        _ rendition: MediaRendition, of source: Source, in catalog: SourceCatalog
    ) async throws(ServerError) -> BreakLedger {
        let result = await newest(rendition, of: source, in: catalog)
        guard source.origins.count > 1 else { return try result.get() }
        return try await elsewhere(rendition, of: source, in: catalog, unless: result)
    }

    func newest(
        _ rendition: MediaRendition, of source: Source, in catalog: SourceCatalog
    ) async -> Result<BreakLedger, ServerError> {
        let leading = source.leading(in: catalog)
        await survey(source, in: catalog, leading: leading.key)
        // Both are asked for at once. That is safe: nothing is listed beyond the edge of the leading one that is known.
        async let other = rendition.key == leading.key ? nil : result(of: rendition.upstreamURL, source)
        async let marked = markedElsewhere(than: [leading.key, rendition.key], of: source, in: catalog)
        do throws(ServerError) {
            var snapshots = [(leading.key, try await leadingResult(of: source, in: catalog).get())]
            if let other = await other { snapshots.append((rendition.key, try other.get())) }
            snapshots += await marked
            snapshots += watched(of: source, in: catalog, except: Set(snapshots.map(\.0)))
            for (key, snapshot) in snapshots where snapshot.media == nil {
                throw ServerError(.originUnreadable, place: source.id.name, detail: "\(key) is no media playlist")
            }
            return .success(
                await source.observe(
                    snapshots, leading: leading.key, variables: catalog.variables, origin: catalog.origin,
                    now: time.monotonic()
                ) { key, observation in log.odd(observation, of: key, source.id, time) })
        } catch {
            return .failure(error)
        }
    }

    /// The other renditions, where the markers of all count. One that fails now marks nothing now.
    private func markedElsewhere(
        than known: Set<RenditionKey>, of source: Source, in catalog: SourceCatalog
    ) async -> [(RenditionKey, OriginSnapshot)] {
        guard source.options.markerRenditions == .all else { return [] }
        return await playlists(
            of: catalog.renditions.filter { $0.kind != .iFrames && !known.contains($0.key) }, source)
    }

    /// The newest playlists of renditions, in their order, without those that fail.
    private func playlists(
        of renditions: [MediaRendition], _ source: Source
    ) async -> [(RenditionKey, OriginSnapshot)] {
        let found = await withTaskGroup(
            of: (RenditionKey, OriginSnapshot)?.self, returning: [RenditionKey: OriginSnapshot].self
        ) { group in
            for rendition in renditions {
                group.addTask {
                    guard let snapshot = try? await self.result(of: rendition.upstreamURL, source).get(),
                        snapshot.media != nil
                    else { return nil }
                    return (rendition.key, snapshot)
                }
            }
            return await group.reduce(into: [:]) { all, one in if let one { all[one.0] = one.1 } }
        }
        return renditions.compactMap { rendition in found[rendition.key].map { (rendition.key, $0) } }
    }

    /// What is known of renditions that nobody asks for now, before it leaves the origin's window unseen. Nobody waits for them: what
    /// is fetched now is taken in by the next request.
    private func watched(
        of source: Source, in catalog: SourceCatalog, except known: Set<RenditionKey>
    ) -> [(RenditionKey, OriginSnapshot)] {
        let keys = catalog.renditions.map(\.key).filter { !known.contains($0) }
        return (source.ledger?.renditionsToWatch(among: keys) ?? keys).compactMap { key in
            guard let rendition = catalog[key], let snapshot = origin.known(address(rendition.upstreamURL, source)),
                snapshot.media != nil
            else { return nil }
            return (key, snapshot)
        }
    }

    private func address(_ url: String, _ source: Source) -> OriginAddress {
        OriginAddress(
            url: source.upstreamURL(url), headers: source.options.headers, http2: source.options.http2)
    }

    /// Looks at all renditions once, before the first session's target duration is fixed for all of them (rules 307, 308).
    private func survey(_ source: Source, in catalog: SourceCatalog, leading: RenditionKey) async {
        let (work, isNew) = source.claimSurvey()
        if isNew {
            start { [self] in
                await source.survey(
                    await playlists(of: catalog.renditions, source).map { ($0, $1) }, leading: leading)
                work.finish(with: ())
            }
        }
        _ = await work.value()
    }

    /// A rendition's newest playlist as the origin has it, for sources without ads; nil where it has to be written anew.
    func passedThrough(
        _ rendition: MediaRendition, of source: Source, in catalog: SourceCatalog
    ) async throws(ServerError) -> StitchedPlaylist? {
        let snapshot = try await snapshot(of: rendition.upstreamURL, source)
        guard let playlist = snapshot.media else {
            throw ServerError(.originUnreadable, place: source.id.name, detail: "\(rendition.key) is no media playlist")
        }
        return PassthroughPlaylist.playlist(
            playlist.plain(importing: catalog.variables, uri: snapshot.finalURL), at: snapshot.finalURL)
    }

    func result(of url: String, _ source: Source) async -> Result<OriginSnapshot, ServerError> {
        do throws(ServerError) {
            return .success(try await snapshot(of: url, source))
        } catch {
            return .failure(error)
        }
    }

    private func snapshot(of url: String, _ source: Source) async throws(ServerError) -> OriginSnapshot {
        do throws(OriginFailure) {
            return try await origin.snapshot(of: address(url, source))
        } catch {
            let code: ServerError.Code =
                switch error {
                case .notFound: .originNotFound
                case .timeout: .originTimedOut
                case .status, .unreachable, .badURL: .originUnavailable
                case .notAPlaylist: .originUnreadable
                }
            throw ServerError(code, place: source.id.name, detail: "\(redactedURL(url)): \(error.reason)")
        }
    }
}

extension Log {
    /// A playlist that does not follow on what is known, once a minute.
    func odd(_ observation: BreakLedger.Observation, of key: RenditionKey, _ source: SourceID, _ time: any TimeSource) {
        once(
            "\(source.name)/\(key)/\(observation)/\(time.monotonic().components.seconds / 60)", .warning,
            "origin.timeline",
            reason: observation == .stale ? "an older playlist than one seen before" : "the origin counts anew",
            ["source": .text(source.name), "rendition": .text(key.text)])
    }
}
